//! Lays a template's script over a part of a script, to see what its holes stand for.
//!
//! Input: two terms, one with holes, references and sayings. Output: every way to fill them. Some ways may be wrong: `phrases.rs` weaves
//! the template again and compares. Which phrases can fill a hole is decided there, too.

use super::term::{
    BLOCK, CALL, CHANGES, CLAUSES, EVENT, EXACTLY, FAR, FIELD, IT, IT_OR, NAMED, REPEAT, SAID, SAID_WHERE, THE_OPPONENT, THEIR_OPPONENT,
    Term, YOU_OR, base,
};
use super::unbind::{ANY, Names, YOU};
use crate::script::weave::{MARK, THIS};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The most ways in which one template may fit. No template over a real script has more.
const MOST_FITS: usize = 64;

/// One way in which a template's script fits.
#[derive(Clone, Debug, Default)]
pub(super) struct Fit {
    /// The holes with their terms.
    pub holes: Vec<(Rc<str>, Term)>,
    /// The names that the template binds, with those of the script.
    locals: Vec<(Rc<str>, Rc<str>)>,
    /// References: the class, and the name that it stands for.
    refs: Vec<(Rc<str>, Rc<str>)>,
    /// `holds(hole, object)`, laid over a term.
    holds: Vec<(Rc<str>, Term, Term)>,
    /// `whose(objects)`, laid over a term.
    whose: Vec<(Term, Term)>,
}

impl Fit {
    /// The term of a hole.
    pub(super) fn hole(&self, name: &str) -> Option<&Term> {
        self.holes.iter().find(|(hole, _)| **hole == *name).map(|(_, term)| term)
    }

    /// Whether a reference means the text's own card.
    pub(super) fn names_this(&self) -> bool {
        self.refs.iter().any(|(_, name)| **name == *THIS)
    }

    fn with_local(mut self, own: &Rc<str>, name: &Rc<str>) -> Option<Fit> {
        let known = self.locals.iter().find(|(left, right)| left == own || right == name);
        match known {
            Some((left, right)) => (left == own && right == name).then_some(self),
            None if base(own) == base(name) => {
                self.locals.push((Rc::clone(own), Rc::clone(name)));
                Some(self)
            }
            None => None,
        }
    }
}

/// The number inside `exactly`. Any other term is returned unchanged.
pub(super) fn unwrapped(term: &Term) -> &Term {
    match term.as_node(EXACTLY) {
        Some([number]) => number,
        _ => term,
    }
}

/// Facts for laying scripts over each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Over<'a> {
    /// The names of the script.
    pub names: &'a Names,
    /// The classes by which each name can be referred to: the class, and the name without its number.
    pub classes: &'a FxHashSet<(String, String)>,
    /// Whether phrases may do nothing and references may mean the text's own card.
    pub(crate) rare: bool,
    /// Whether objects may belong to anybody: their owner may come from other phrases before.
    pub(crate) anybodys: bool,
}

impl Over<'_> {
    /// All ways in which a template's script fits a part of the script. Its values for slots are laid over the ability's values.
    pub(super) fn fits(&self, template: &Term, script: &Term, hands: &[(&Term, &Term)]) -> Vec<Fit> {
        let handed = |fits: Vec<Fit>, (hand, value): &(&Term, &Term)| fits.into_iter().flat_map(|fit| self.lay(hand, value, fit)).collect();
        let fits = hands.iter().fold(self.lay(template, script, Fit::default()), handed);
        fits.into_iter().flat_map(|fit| self.said(fit)).take(MOST_FITS).collect()
    }

    /// Whether a woven term is this part of the script, apart from references and their owners.
    pub(super) fn agrees(&self, woven: &Term, script: &Term) -> bool {
        self.lay(woven, script, Fit::default()).iter().any(|fit| self.belongs(fit))
    }

    /// Whether `whose(the CLASS)` is the owner of the objects with that name.
    fn belongs(&self, fit: &Fit) -> bool {
        self.anybodys
            || fit.whose.iter().all(|(objects, player)| {
                let Term::The(class) = objects else { return true };
                let owners = fit.refs.iter().filter(|(known, _)| known == class).filter_map(|(_, name)| self.names.owners.get(&**name));
                let mut owners = owners.peekable();
                let (you, other) = (Term::leaf(YOU), Term::call("opponent", Term::leaf(YOU)));
                let player = player.replaced(&Term::node(YOU_OR, Vec::new()), &you);
                let player = &player.replaced(&Term::node(THEIR_OPPONENT, Vec::new()), &other);
                // Where the opponent acts, `you` is the opponent.
                owners.peek().is_none() || owners.any(|owner| owner == player || exchanged(owner, &you, &other) == *player)
            })
    }

    fn may_mean(&self, class: &str, name: &str) -> bool {
        (self.names.bound.contains(name) || self.rare && name == THIS) && self.classes.contains(&(class.to_owned(), base(name).to_owned()))
    }

    /// The way with a hole filled. None if the hole already has another term.
    fn filled(&self, mut fit: Fit, hole: &Rc<str>, term: &Term) -> Option<Fit> {
        let Some((_, known)) = fit.holes.iter_mut().find(|(name, _)| name == hole) else {
            fit.holes.push((Rc::clone(hole), term.clone()));
            return Some(fit);
        };
        let same = || both(unwrapped(known), unwrapped(term)).or_else(|| left_of_both(known, term));
        let both = same().or_else(|| self.again(known, term).then(|| known.clone()))?;
        if unwrapped(known) != &both {
            *known = both;
        }
        Some(fit)
    }

    /// Whether two terms can come from the same printed phrase. They may differ in names, if a reference of one class can mean both names:
    /// the second term is printed after a newer thing was given, so the reference means the newer thing.
    fn again(&self, one: &Term, other: &Term) -> bool {
        let all = |parts: &[Term], others: &[Term]| {
            parts.len() == others.len() && parts.iter().zip(others).all(|(one, other)| self.again(one, other))
        };
        match (one, other) {
            _ if one == other => true,
            (Term::Name(one), Term::Name(other)) => {
                self.classes.iter().any(|(class, name)| name == base(one) && self.may_mean(class, one) && self.may_mean(class, other))
            }
            (Term::Node(tag, parts), Term::Node(same, others)) | (Term::Row(tag, parts), Term::Row(same, others)) => {
                tag == same && all(parts, others)
            }
            _ => false,
        }
    }

    pub(super) fn lay(&self, template: &Term, script: &Term, mut fit: Fit) -> Vec<Fit> {
        match (template, script) {
            (Term::Hole(hole), _) => self.filled(fit, hole, script).into_iter().collect(),
            (_, Term::Node(IT_OR, object)) => match &**object {
                _ if template.is_name(IT) => vec![fit],
                [object] => self.lay(template, object, fit),
                _ => Vec::new(),
            },
            (_, Term::Node(YOU_OR, _)) if template.is_name(YOU) || is_the_opponent(template) => vec![fit],
            (_, Term::Node(THEIR_OPPONENT, _)) if is_other(template) => vec![fit],
            (Term::Node(THE_OPPONENT, _), _) if is_other(script) => vec![fit],
            (Term::The(class), Term::Name(name)) if self.may_mean(class, name) => {
                fit.refs.push((Rc::clone(class), Rc::clone(name)));
                vec![fit]
            }
            (Term::Name(own), Term::Name(name)) if own.contains(MARK) => fit.with_local(own, name).into_iter().collect(),
            // If nobody refers to a result, the script has no name for the result.
            (Term::Name(own), Term::Nothing) if own.contains(MARK) => vec![fit],
            (Term::Node(CALL, call), _) if saying(call).is_some() => self.saying(call, script, fit),
            (Term::Node(SAID, said), Term::Node(EVENT, _)) => self.said_by(said, script, fit),
            (Term::Node(SAID_WHERE, said), Term::Node(EVENT, of)) => self.said_where(said, of, &fit),
            (Term::Row(tag, parts), Term::Row(other, row)) if tag == other => self.lay_row(tag, parts, row, fit),
            (Term::Node(tag, parts), Term::Node(other, of)) if tag == other && parts.len() == of.len() => parts
                .iter()
                .zip(of.iter())
                .fold(vec![fit], |fits, (part, of)| fits.into_iter().flat_map(|fit| self.lay(part, of, fit)).take(MOST_FITS).collect()),
            (Term::Node(tag, parts), _) => self.reckoned(tag, parts, script, fit),
            _ if template == script => vec![fit],
            _ => Vec::new(),
        }
    }

    /// Lays a row over a row. Each hole takes at least one part; earlier holes take as many as they can.
    fn lay_row(&self, tag: &'static str, template: &[Term], script: &[Term], fit: Fit) -> Vec<Fit> {
        let Some((first, rest)) = template.split_first() else {
            return if script.is_empty() { vec![fit] } else { Vec::new() };
        };
        if !takes_a_run(first) {
            let mut fits = Vec::new();
            if let (CHANGES, [], [_, _, ..]) = (tag, rest, script) {
                fits.extend(changed_alike(script).into_iter().flat_map(|all| self.lay(first, &all, fit.clone())));
            }
            if let Some((own, others)) = script.split_first() {
                let here = self.lay(first, own, fit.clone());
                fits.extend(here.into_iter().flat_map(|fit| self.lay_row(tag, rest, others, fit)).take(MOST_FITS));
            }
            // A template may wrap a single instruction in `as far as possible`. The script has the bare instruction.
            if let Some([body]) = first.as_node(FAR) {
                let row: Vec<Term> = body.parts().iter().chain(rest).cloned().collect();
                fits.extend(self.lay_row(tag, &row, script, fit.clone()));
            }
            // A template may repeat a block once. The script has the bare block.
            if let Some([times, body]) = first.as_node(REPEAT) {
                let row: Vec<Term> = body.parts().iter().chain(rest).cloned().collect();
                let once = self.lay(times, &Term::Number(1), fit);
                fits.extend(once.into_iter().flat_map(|fit| self.lay_row(tag, &row, script, fit)));
            }
            return fits;
        }
        if rest.is_empty() && script.is_empty() {
            return self.lay(first, &Term::row(tag, Vec::new()), fit);
        }
        let mut fits = Vec::new();
        let least = usize::from(!(self.rare && tag == BLOCK));
        for taken in (least..=script.len().saturating_sub(rest.len())).rev() {
            let Some((own, others)) = script.split_at_checked(taken) else { continue };
            let own = match own {
                [one] if tag != BLOCK && tag != CLAUSES => one.clone(),
                several => Term::row(tag, several.to_vec()),
            };
            for fit in self.lay(first, &own, fit.clone()) {
                fits.extend(self.lay_row(tag, rest, others, fit));
            }
            if fits.len() > MOST_FITS {
                break;
            }
        }
        fits
    }

    fn saying(&self, call: &[Term], script: &Term, mut fit: Fit) -> Vec<Fit> {
        match (saying(call), call) {
            (Some("holds"), [_, Term::Hole(condition), object]) => {
                fit.holds.push((Rc::clone(condition), object.clone(), script.clone()));
                vec![fit]
            }
            (Some("zone"), [_, zone, player]) => match script.as_node(CALL) {
                Some([name, of]) => self.lay(zone, name, fit).into_iter().flat_map(|fit| self.lay(player, of, fit)).collect(),
                _ => Vec::new(),
            },
            (Some("field"), [_, of, field]) => match script.as_node(FIELD) {
                Some([object, name]) => self.lay(of, object, fit).into_iter().flat_map(|fit| self.lay(field, name, fit)).collect(),
                _ => Vec::new(),
            },
            // Something may have been taken out of the things.
            (Some("untaken" | "among"), [_, of]) => {
                let mut fits = self.lay(of, script, fit.clone());
                if let Some([inner, Term::Name(taken)]) = script.as_node("except")
                    && self.names.bound.contains(&**taken)
                {
                    fits.extend(self.saying(call, inner, fit));
                }
                fits
            }
            (Some("whose"), [_, objects]) if matches!(script, Term::Name(_) | Term::Node(CALL | FIELD | YOU_OR | THEIR_OPPONENT, _)) => {
                fit.whose.push((objects.clone(), script.clone()));
                vec![fit]
            }
            _ => Vec::new(),
        }
    }

    /// `said(e, p)`: the event with `you` and the opponent exchanged, if p is the opponent. If p is `any p`: the event that a text said of `you`.
    fn said_by(&self, said: &[Term], script: &Term, fit: Fit) -> Vec<Fit> {
        // Where the opponent acts, both players are marked.
        let marked = |tag: &'static str| Some(Term::node(tag, Vec::new())).filter(|mark| script.has(mark));
        let open = marked(YOU_OR);
        let other = marked(THEIR_OPPONENT).or_else(|| open.as_ref().map(|_| Term::node(THEIR_OPPONENT, Vec::new())));
        let other = other.unwrap_or_else(|| Term::call("opponent", Term::leaf(YOU)));
        let you = open.unwrap_or_else(|| Term::leaf(YOU));
        match said {
            [event] => self.lay(event, script, fit),
            [rest @ .., cause] if cause_of(cause).is_some() => {
                let Some(template) = cause_of(cause) else { return Vec::new() };
                causes(script)
                    .into_iter()
                    .flat_map(|cause| {
                        let fits = self.lay(template, &cause, fit.clone());
                        let without = not_laid_to(script, &cause);
                        fits.into_iter().flat_map(move |fit| self.said_by(rest, &without, fit)).collect::<Vec<_>>()
                    })
                    .collect()
            }
            [event, player] if player.as_node(ANY).is_some() => anybodies(script)
                .into_iter()
                .flat_map(|anybody| {
                    let fits = self.lay(player, &anybody, fit.clone());
                    let said = done_by(script, &anybody, &you);
                    fits.into_iter().flat_map(move |fit| self.lay(event, &said, fit)).collect::<Vec<_>>()
                })
                .collect(),
            [event, player] => [(&you, script.clone()), (&other, exchanged(script, &you, &other))]
                .into_iter()
                .flat_map(|(of, said)| {
                    let fits = self.lay(player, of, fit.clone());
                    fits.into_iter().flat_map(move |fit| self.lay(event, &said, fit)).collect::<Vec<_>>()
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// `said(e) where c`: the last condition of the event, or several of the last, are c.
    fn said_where(&self, said: &[Term], of: &[Term], fit: &Fit) -> Vec<Fit> {
        let ([said, condition], [events, all]) = (said, of) else { return Vec::new() };
        let parts = match all {
            Term::Nothing => &[],
            Term::Row("and", parts) => &**parts,
            one => std::slice::from_ref(one),
        };
        let at = |at: usize| {
            let (own, behind) = parts.split_at_checked(at)?;
            let event = Term::node(EVENT, vec![events.clone(), joined(own)]);
            let fits = self.lay(said, &event, fit.clone());
            Some(fits.into_iter().flat_map(|fit| self.lay(condition, &joined(behind), fit)).collect::<Vec<_>>())
        };
        (0..parts.len()).filter_map(at).flatten().collect()
    }

    /// Conditions on an object: turns them into conditions on `it`.
    fn said(&self, mut fit: Fit) -> Vec<Fit> {
        let Some((condition, object, script)) = fit.holds.pop() else { return vec![fit] };
        let of = |fit: Fit, object: &Term| {
            let object = unwrapped(object);
            let said = if object.is_name(IT) { script.clone() } else { script.replaced(object, &Term::node(IT_OR, vec![object.clone()])) };
            self.filled(fit, &condition, &said).map_or_else(Vec::new, |fit| self.said(fit))
        };
        match &object {
            Term::Hole(hole) => match fit.hole(hole).cloned() {
                Some(object) => {
                    let mut objects = vec![object.clone()];
                    script.each(&mut |term| {
                        if !objects.contains(term) && self.again(&object, term) {
                            objects.push(term.clone());
                        }
                    });
                    objects.iter().flat_map(|object| of(fit.clone(), object)).take(MOST_FITS).collect()
                }
                None => {
                    let mut objects: Vec<&Term> = Vec::new();
                    script.each(&mut |term| {
                        let may = matches!(term, Term::Name(name) if **name != *IT) || is_thing(term);
                        if may && !objects.contains(&term) {
                            objects.push(term);
                        }
                    });
                    let with = |object: &Term| self.filled(fit.clone(), hole, object);
                    objects.into_iter().flat_map(|object| with(object).map_or_else(Vec::new, |fit| of(fit, object))).collect()
                }
            },
            Term::The(class) => {
                // One template may refer by one class to a thing given before it and to a thing that it gives itself.
                let mut names: Vec<Term> = Vec::new();
                let referred = fit.refs.iter().filter(|(known, _)| known == class).map(|(_, name)| Term::Name(Rc::clone(name)));
                referred.for_each(|name| {
                    if !names.contains(&name) {
                        names.push(name)
                    }
                });
                script.each(&mut |term| {
                    if let Term::Name(name) = term
                        && self.may_mean(class, name)
                        && !names.contains(term)
                    {
                        names.push(term.clone());
                    }
                });
                if names.is_empty() {
                    names.push(Term::Nothing);
                }
                names.iter().flat_map(|name| of(fit.clone(), name)).take(MOST_FITS).collect()
            }
            // A name that the template binds has the script's name there.
            Term::Name(own) if own.contains(MARK) => {
                let name = fit.locals.iter().find(|(known, _)| known == own).map(|(_, name)| Term::Name(Rc::clone(name)));
                of(fit, &name.unwrap_or_else(|| object.clone()))
            }
            // A number of cards, whatever the term is.
            other => {
                let mut objects: Vec<&Term> = Vec::new();
                script.each(&mut |term| {
                    if matches!(term, Term::Node(..) | Term::Row("+", _)) && !objects.contains(&term) {
                        objects.push(term);
                    }
                });
                let laid = |object: Term| {
                    self.lay(other, &object, fit.clone()).into_iter().map(move |fit| (fit, object.clone())).collect::<Vec<_>>()
                };
                let mut fits = objects.into_iter().cloned().flat_map(laid).flat_map(|(fit, object)| of(fit, &object)).collect::<Vec<_>>();
                // The condition need not mention the object.
                fits.extend(of(fit.clone(), other));
                fits.truncate(MOST_FITS);
                fits
            }
        }
    }
}

/// Whether a term is `you` or the opponent of `you`.
fn is_you_or_other(term: &Term) -> bool {
    term.is_name(YOU) || is_other(term)
}

fn is_other(term: &Term) -> bool {
    *term == Term::call("opponent", Term::leaf(YOU))
}

/// Whether a term is a template's `the opponent`.
fn is_the_opponent(term: &Term) -> bool {
    matches!(term, Term::Node(THE_OPPONENT, _))
}

/// Whether a condition can apply to a term: cards, a place or an amount.
fn is_thing(term: &Term) -> bool {
    match term {
        Term::Node(tag, _) => {
            [CALL, FIELD, "where", "printed", "top", "bottom", "except", "-", "*", "/", YOU_OR, THEIR_OPPONENT].contains(tag)
        }
        Term::Row(tag, _) => ["with", "+"].contains(tag),
        _ => false,
    }
}

/// The common term of two terms. Each of them may leave open whether it is `it` or the object of the condition.
fn both(one: &Term, other: &Term) -> Option<Term> {
    let is = |open: &Term, term: &Term| open.as_node(IT_OR).is_some_and(|of| term.is_name(IT) || of == std::slice::from_ref(term));
    match (one, other) {
        _ if one == other || is(other, one) => Some(one.clone()),
        _ if is(one, other) => Some(other.clone()),
        (Term::Node(YOU_OR, _), player) | (player, Term::Node(YOU_OR, _)) if is_you_or_other(player) => Some(player.clone()),
        (Term::Node(IT_OR, _), Term::Node(IT_OR, _)) => Some(Term::leaf(IT)),
        (Term::Node(tag, parts), Term::Node(same, others)) if tag == same => all(parts, others).map(|parts| Term::node(tag, parts)),
        (Term::Row(tag, parts), Term::Row(same, others)) if tag == same => all(parts, others).map(|parts| Term::row(tag, parts)),
        _ => None,
    }
}

/// If both terms are the same things, before and after something was taken from them: the term before.
fn left_of_both(one: &Term, other: &Term) -> Option<Term> {
    let before = |whole: &Term, less: &Term| {
        let ((things, taken), (same, more)) = (what_is_left(whole), what_is_left(less));
        things == same && taken.len() < more.len() && taken.iter().all(|name| more.contains(name))
    };
    if before(one, other) { Some(one.clone()) } else { before(other, one).then(|| other.clone()) }
}

/// The things without everything that was taken from them, and the taken names, the last one first.
fn what_is_left(term: &Term) -> (&Term, Vec<&Term>) {
    let (mut things, mut taken) = (term, Vec::new());
    while let Some([inner, name @ Term::Name(_)]) = things.as_node("except") {
        taken.push(name);
        things = inner;
    }
    (things, taken)
}

fn all(parts: &[Term], others: &[Term]) -> Option<Vec<Term>> {
    (parts.len() == others.len()).then(|| parts.iter().zip(others).map(|(one, other)| both(one, other)).collect())?
}

/// Conditions joined by `and`.
fn joined(conditions: &[Term]) -> Term {
    match conditions {
        [] => Term::Nothing,
        [one] => one.clone(),
        several => Term::row("and", several.to_vec()),
    }
}

/// Equal changes of several fields, as one change of all of them.
fn changed_alike(changes: &[Term]) -> Option<Term> {
    let parts = |change: &Term| match change {
        Term::Node(tag, parts) => match &**parts {
            [field, value] => Some((*tag, field.clone(), value.clone())),
            _ => None,
        },
        _ => None,
    };
    let (tag, _, value) = parts(changes.first()?)?;
    let alike = |(other, field, with): (&str, Term, Term)| (other == tag && with == value).then_some(field);
    let fields = changes.iter().map(|change| parts(change).and_then(alike)).collect::<Option<Vec<_>>>()?;
    Some(Term::node(tag, vec![Term::row("list", fields), value]))
}

/// The cause in an argument, if it is one.
fn cause_of(arg: &Term) -> Option<&Term> {
    match arg.as_node(NAMED) {
        Some([label, cause]) if label.is_name("by") => Some(cause),
        _ => None,
    }
}

/// The causes of a pattern's events, if each has one.
fn causes(event: &Term) -> Vec<Term> {
    let Some([Term::Row(_, verbs), _]) = event.as_node(EVENT) else { return Vec::new() };
    let each = verbs.iter().map(|verb| verb.parts().iter().find_map(cause_of)).collect::<Option<Vec<_>>>();
    let mut causes = Vec::new();
    for cause in each.into_iter().flatten() {
        if !causes.contains(cause) {
            causes.push(cause.clone());
        }
    }
    causes
}

/// The events, without this cause.
fn not_laid_to(event: &Term, cause: &Term) -> Term {
    let Some([verbs, condition]) = event.as_node(EVENT) else { return event.clone() };
    let verbs = verbs.with_parts(&mut |verb| match verb {
        Term::Node(tag, parts) => Term::node(tag, parts.iter().filter(|part| cause_of(part) != Some(cause)).cloned().collect()),
        other => other.clone(),
    });
    Term::node(EVENT, vec![verbs, condition.clone()])
}

/// Whether a term may stand for several parts of a row: a hole, or a hole under `holds`.
fn takes_a_run(term: &Term) -> bool {
    match term {
        Term::Hole(_) => true,
        Term::Node(CALL, call) => saying(call) == Some("holds"),
        _ => false,
    }
}

/// The saying of a call. Only wordings have sayings.
fn saying(call: &[Term]) -> Option<&str> {
    match call {
        [Term::Name(name), rest @ ..] => match (&**name, rest.len()) {
            ("holds" | "zone" | "field", 2) | ("whose" | "untaken" | "among", 1) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// What an event hears of anybody: `any p`, for each name.
fn anybodies(script: &Term) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    script.each(&mut |term| {
        if term.as_node(ANY).is_some() && !found.contains(term) {
            found.push(term.clone());
        }
    });
    found
}

/// An event of anybody, said of `you`.
fn done_by(script: &Term, anybody: &Term, you: &Term) -> Term {
    let of_you = script.replaced(anybody, you);
    match anybody.as_node(ANY) {
        Some([name]) => of_you.replaced(name, you),
        _ => of_you,
    }
}

/// A script with two players exchanged.
fn exchanged(script: &Term, you: &Term, other: &Term) -> Term {
    if script == other {
        return you.clone();
    }
    // The cause of an event is not exchanged.
    if script == you || cause_of(script).is_some() {
        return if script == you { other.clone() } else { script.clone() };
    }
    script.with_parts(&mut |part| exchanged(part, you, other))
}
