//! Turns a frame, a verb with its arguments, into templates: one for each set of arguments that are printed.
//!
//! Input: a frame, and the declared particles and voices. Output: templates. Their printed forms have the arguments in every order, with
//! the particle that the verb's voice asks for, and the verb at the end. An argument that is not printed is filled in here: by a value, by
//! the nearest thing of a class, or by nothing, as the frame says. The code knows no particle and prefers no order. Arguments after the
//! verb are not possible.

use crate::declared::check::uses;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{
    Absent, Arg, Expr, ExprKind, Filler, Fragment, Frame, FrameSlot, Name, Printed, PrintedHole, PrintedPart, Relative, Template,
    TemplateScope, Text, Voice, WordingItem, WordingKind,
};
use lang::syntax::rewrite::{Rewriter, walk_args, walk_expr};
use std::sync::Arc;

/// The most arguments of a frame. Four already have 24 orders.
pub(crate) const MOST_SLOTS: usize = 4;

/// The word for the frame's verb in declarations of relative clauses.
const VERB: &str = "verb";

/// The declarations of all wordings about arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames<'a> {
    particles: Vec<&'a str>,
    /// The sign that may stand after any argument.
    pause: Option<&'a Text>,
    voices: Vec<&'a Voice>,
    relatives: Vec<(&'a WordingItem, &'a Relative)>,
    /// The relative clauses that exist already: verb, class, and place of the declaration.
    related: Vec<(&'a str, &'a str, Span)>,
}

impl<'a> Frames<'a> {
    /// Collects particles, voices and relative clauses.
    pub(crate) fn of(items: &[&'a WordingItem]) -> Self {
        let mut frames = Frames::default();
        for item in items {
            match &item.kind {
                WordingKind::Particles(names, pause) => {
                    frames.particles.extend(names.iter().map(|name| name.text.as_str()));
                    frames.pause = frames.pause.or(pause.as_ref());
                }
                WordingKind::Voice(voice) => frames.voices.push(voice),
                WordingKind::Relative(relative) => frames.relatives.push((item, relative)),
                _ => {}
            }
        }
        frames
    }

    /// The findings about a frame's arguments.
    pub(crate) fn check(&self, frame: &Frame) -> Vec<Diagnostic> {
        let mut errors = Vec::new();
        let count = frame.slots.len() + frame.slots.iter().filter(|slot| !slot.floating.is_empty()).count();
        if count > MOST_SLOTS {
            errors.push(Diagnostic::error("E0416", frame.span).with("count", count).with("most", MOST_SLOTS));
        }
        let mut seen: Vec<&str> = Vec::new();
        for slot in &frame.slots {
            for particle in &slot.particles {
                if !self.particles.contains(&particle.text.as_str()) {
                    let known = self.particles.iter().copied();
                    errors.push(Diagnostic::error("E0415", particle.span).with("name", &particle.text).suggest(&particle.text, known));
                }
            }
            if let (Some(first), Filler::Category(_)) = (slot.particles.first(), &slot.filler) {
                if seen.contains(&first.text.as_str()) {
                    errors.push(Diagnostic::error("E0417", first.span).with("name", &first.text));
                }
                seen.push(&first.text);
            }
            if !may_be_absent(frame, slot) {
                errors.push(Diagnostic::error("E0418", slot.span));
            }
        }
        errors
    }

    /// The templates of a frame: one with all arguments, then one for every set of optional arguments left out.
    pub(crate) fn templates(&self, frame: &Frame) -> Vec<Template> {
        scripts(frame).map(|(slots, script)| self.template(frame, &slots, script)).collect()
    }

    fn template(&self, frame: &Frame, slots: &[&FrameSlot], script: Fragment) -> Template {
        let mut printed = Vec::new();
        let mut add = |voice: Option<&Voice>| {
            let said = Said { voice, pause: self.pause };
            for pieces in pieces(slots) {
                let filled: Vec<Filled<'_>> = pieces.into_iter().map(|piece| Filled { piece, forms: fillings(piece, said) }).collect();
                orders(&filled.iter().collect::<Vec<_>>()).iter().for_each(|order| printed.extend(printings(frame, order, said)));
            }
        };
        add(None);
        // An event has no voices: another event reports who does something to whom, so its passive is a frame of its own.
        let voiced = frame.forms.is_empty() && !matches!(script, Fragment::Event(_));
        let stands = |particle: &Name| slots.iter().any(|slot| slot.particles.first().is_some_and(|first| first.text == particle.text));
        for voice in self.voices.iter().filter(|voice| voiced && stands(&voice.from) && !stands(&voice.to)) {
            add(Some(voice));
        }
        let scope = if frame.overrides { TemplateScope::Override } else { TemplateScope::Plain };
        Template {
            scope,
            one_way: false,
            category: frame.category.clone(),
            printed,
            script,
            gives: frame.gives.clone(),
            of: Vec::new(),
            hands: frame.hands.clone(),
        }
    }

    /// The phrases that refer, by the frame's verbs, to the first thing that the frame gives.
    pub(crate) fn relatives(&mut self, frame: &'a Frame) -> Vec<(&'a WordingItem, Template)> {
        let (Some(given), Fragment::Statements(_)) = (frame.gives.first(), &frame.script) else { return Vec::new() };
        let mut templates = Vec::new();
        for verb in &frame.verbs {
            for (item, relative) in &self.relatives {
                let key = (verb.text.as_str(), given.class.text.as_str(), item.span);
                if self.related.contains(&key) {
                    continue;
                }
                self.related.push(key);
                let printed = relative.printed.iter().map(|printed| said_by(printed, verb)).collect();
                let script = Fragment::Value(Expr { kind: ExprKind::The(given.class.clone()), span: given.class.span });
                let category = relative.category.clone();
                templates.push((
                    *item,
                    Template {
                        scope: TemplateScope::Plain,
                        one_way: false,
                        category,
                        printed,
                        script,
                        gives: Vec::new(),
                        of: Vec::new(),
                        hands: Vec::new(),
                    },
                ));
            }
        }
        templates
    }
}

/// For each template of a frame, the printed arguments and the script.
pub(crate) fn scripts(frame: &Frame) -> impl Iterator<Item = (Vec<&FrameSlot>, Fragment)> {
    let absent: Vec<usize> = (0..).zip(&frame.slots).filter(|(_, slot)| slot.absent != Absent::Required).map(|(index, _)| index).collect();
    (0..1_usize << absent.len().min(MOST_SLOTS)).map(move |set| {
        let missing = |index: usize| absent.iter().position(|other| *other == index).is_some_and(|bit| set >> bit & 1 == 1);
        let (left_out, printed): (Vec<_>, Vec<_>) = (0..).zip(&frame.slots).partition(|(index, _)| missing(*index));
        let slots: Vec<&FrameSlot> = printed.into_iter().map(|(_, slot)| slot).collect();
        let mut script = frame.script.clone();
        left_out.into_iter().for_each(|(_, slot)| leave_out(&mut script, slot));
        (slots, script)
    })
}

/// A relative clause with the verb filled in.
fn said_by(printed: &Printed, verb: &Name) -> Printed {
    let mut printed = printed.clone();
    for part in &mut printed.parts {
        if let PrintedPart::Word(words, _) = Arc::make_mut(part) {
            words.iter_mut().filter(|word| word.text == VERB).for_each(|word| word.text.clone_from(&verb.text));
        }
    }
    printed
}

/// The voice and the pause for these printed forms.
#[derive(Clone, Copy)]
struct Said<'s> {
    voice: Option<&'s Voice>,
    /// The sign that may stand after a particle.
    pause: Option<&'s Text>,
}

/// A piece of a printed form: an argument, or one of its two parts if its quantity floats.
#[derive(Clone, Copy)]
enum Piece<'s> {
    Whole(&'s FrameSlot),
    /// The argument without its quantity.
    Rest(&'s FrameSlot),
    Floating(&'s FrameSlot),
}

/// The arguments as they are; then with floating quantities.
fn pieces<'s>(slots: &[&'s FrameSlot]) -> Vec<Vec<Piece<'s>>> {
    let mut all = vec![Vec::new()];
    for slot in slots {
        let add = |more: &[Piece<'s>]| all.iter().map(|before: &Vec<_>| before.iter().chain(more).copied().collect()).collect::<Vec<_>>();
        let mut next = add(&[Piece::Whole(slot)]);
        if !slot.floating.is_empty() {
            next.extend(add(&[Piece::Rest(slot), Piece::Floating(slot)]));
        }
        all = next;
    }
    all
}

/// A piece with its printed forms. These are the same in every order.
struct Filled<'s> {
    piece: Piece<'s>,
    forms: Vec<Vec<Arc<PrintedPart>>>,
}

/// Every order of the pieces, the declared one first. A floating quantity stands after the thing that it counts.
fn orders<'f, 's>(pieces: &[&'f Filled<'s>]) -> Vec<Vec<&'f Filled<'s>>> {
    if pieces.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, first) in pieces.iter().enumerate() {
        let early = |other: &&Filled<'_>| matches!((other.piece, first.piece), (Piece::Rest(rest), Piece::Floating(slot)) if std::ptr::eq(rest, slot));
        if pieces.iter().any(early) {
            continue;
        }
        let mut rest = pieces.to_vec();
        rest.remove(index);
        all.extend(orders(&rest).into_iter().map(|rest| std::iter::once(*first).chain(rest).collect()));
    }
    all
}

/// The printed forms of the arguments in one order: all combinations of their forms, then the verb.
fn printings(frame: &Frame, order: &[&Filled<'_>], said: Said<'_>) -> Vec<Printed> {
    let mut all: Vec<Vec<&[Arc<PrintedPart>]>> = vec![Vec::new()];
    for filled in order {
        let with = |before: &Vec<_>, form| before.iter().copied().chain([form]).collect();
        all = all.iter().flat_map(|before| filled.forms.iter().map(|form| with(before, form.as_slice()))).collect();
    }
    let forms = said.voice.map_or_else(|| frame.forms.clone(), |voice| vec![vec![voice.form.clone()]]);
    let verb = Arc::new(PrintedPart::Word(frame.verbs.clone(), forms));
    let parts = |row: Vec<&[Arc<PrintedPart>]>| row.into_iter().flatten().chain([&verb]).cloned().collect();
    all.into_iter().map(|row| Printed { parts: parts(row), span: frame.span }).collect()
}

/// The forms of a piece, with its particle.
fn fillings(piece: Piece<'_>, said: Said<'_>) -> Vec<Vec<Arc<PrintedPart>>> {
    let quantities = |slot: &FrameSlot| slot.floating.iter().map(|printed| printed.parts.clone()).collect::<Vec<_>>();
    let closed = |mut parts: Vec<Arc<PrintedPart>>, slot: &FrameSlot| {
        let particle = particle(slot, said.voice);
        let pause = said.pause.filter(|_| particle.is_some()).map(|text| {
            let nothing = Text { text: String::new(), span: text.span };
            Arc::new(PrintedPart::Choice(vec![nothing, text.clone()], text.span))
        });
        parts.extend(particle);
        parts.extend(pause);
        parts
    };
    match piece {
        Piece::Floating(slot) => quantities(slot),
        Piece::Rest(slot) => phrases(slot).into_iter().map(|phrase| closed(printed_at_least(phrase), slot)).collect(),
        Piece::Whole(slot) if slot.floating.is_empty() => phrases(slot).into_iter().map(|phrase| closed(phrase, slot)).collect(),
        Piece::Whole(slot) => {
            let quantities = quantities(slot);
            let counted = |phrase: Vec<Arc<PrintedPart>>| {
                quantities.iter().map(|quantity| closed([phrase.as_slice(), quantity].concat(), slot)).collect::<Vec<_>>()
            };
            phrases(slot).into_iter().flat_map(counted).collect()
        }
    }
}

fn phrases(slot: &FrameSlot) -> Vec<Vec<Arc<PrintedPart>>> {
    match (&slot.filler, slot.particles.first()) {
        (Filler::Category(category), Some(name)) => {
            let hole = PrintedHole { name: name.clone(), category: category.clone(), forms: Vec::new(), span: category.span };
            vec![vec![Arc::new(PrintedPart::Hole(hole))]]
        }
        (Filler::Category(_), None) => Vec::new(),
        (Filler::Printed(forms), _) => forms.iter().map(|printed| printed.parts.clone()).collect(),
    }
}

/// A phrase without its empty form, because a particle cannot stand after nothing.
fn printed_at_least(mut phrase: Vec<Arc<PrintedPart>>) -> Vec<Arc<PrintedPart>> {
    if let [part] = phrase.as_mut_slice()
        && let PrintedPart::Choice(texts, _) = Arc::make_mut(part)
    {
        texts.retain(|text| !text.text.is_empty());
    }
    phrase
}

fn particle(slot: &FrameSlot, voice: Option<&Voice>) -> Option<Arc<PrintedPart>> {
    let text = |name: &Name| Text { text: name.text.clone(), span: name.span };
    let printed = match (slot.particles.as_slice(), voice) {
        ([], _) => return None,
        ([first, ..], Some(voice)) if first.text == voice.from.text => PrintedPart::Text(text(&voice.to)),
        ([one], _) => PrintedPart::Text(text(one)),
        (several, _) => PrintedPart::Choice(several.iter().map(text).collect(), slot.span),
    };
    Some(Arc::new(printed))
}

/// Whether the script has a meaning if the argument is not printed.
pub(crate) fn may_be_absent(frame: &Frame, slot: &FrameSlot) -> bool {
    let mut script = frame.script.clone();
    leave_out(&mut script, slot);
    match (&slot.absent, &slot.filler) {
        (Absent::Required, _) => true,
        _ if !slot.floating.is_empty() => false,
        (_, Filler::Category(_)) => slot.particles.first().is_some_and(|name| !uses(&script, &name.text)),
        (Absent::None, Filler::Printed(forms)) => {
            forms.iter().flat_map(|printed| &printed.parts).all(|part| !matches!(**part, PrintedPart::Hole(_)))
        }
        (_, Filler::Printed(_)) => false,
    }
}

/// Fills in a script for an argument that is not printed.
fn leave_out(script: &mut Fragment, slot: &FrameSlot) {
    let Some(name) = slot.particles.first() else { return };
    let value = match &slot.absent {
        Absent::Required | Absent::None => None,
        Absent::Nearest(class) => Some(Expr { kind: ExprKind::The(class.clone()), span: class.span }),
        Absent::Default(value) => Some(value.clone()),
    };
    LeaveOut { hole: &name.text, value }.fragment(script);
}

struct LeaveOut<'a> {
    hole: &'a str,
    value: Option<Expr>,
}

impl LeaveOut<'_> {
    fn is_hole(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Hole(name) if name.text.trim_start_matches('$') == self.hole)
    }
}

impl Rewriter for LeaveOut<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if let Some(value) = self.value.as_ref().filter(|_| self.is_hole(expr)) {
            *expr = value.clone();
            return;
        }
        walk_expr(self, expr);
    }

    /// Without a value, the argument is removed if it has a name. Without a name it stays, because later arguments would move to its place.
    fn args(&mut self, args: &mut Vec<Arg>) {
        args.retain(|arg| self.value.is_some() || arg.name.is_none() || !self.is_hole(&arg.value));
        walk_args(self, args);
    }
}
