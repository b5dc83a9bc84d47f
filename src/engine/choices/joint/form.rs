//! The logical form of a joint condition: statements about how many members of a set are chosen, joined by "and" and "or".
//!
//! Every form is kept in a normal form. Counts of one set are one count. "No member of B, or X" for several sets B is one such form. So
//! conditions that say the same thing in different words often have one form.

use super::members::{Allowed, Members};
use rustc_hash::FxHashMap;

/// The numbers of the chosen members add up to at least `least` and at most `most`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Total {
    /// The number of each member.
    pub numbers: Vec<i32>,
    /// The least total.
    pub least: i64,
    /// The greatest total.
    pub most: i64,
}

impl Total {
    fn holds(&self, chosen: &Members) -> bool {
        let total: i64 = chosen.iter().filter_map(|member| self.numbers.get(member)).map(|number| i64::from(*number)).sum();
        (self.least..=self.most).contains(&total)
    }

    fn within(&self, least: i64, most: i64) -> Form {
        if least <= most { Form::Total(Total { numbers: self.numbers.clone(), least, most }) } else { Form::sure(false) }
    }
}

/// A statement about an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// The numbers of the chosen members add up to a total within bounds.
    Total(Total),
    /// The number of chosen members of the set is one of these.
    Count(Members, Allowed),
    /// Each of these is true.
    All(Vec<Form>),
    /// One of these is true.
    Any(Vec<Form>),
}

impl Form {
    /// A statement that is true, or false, of every answer.
    #[must_use]
    pub(super) fn sure(truth: bool) -> Self {
        if truth { Form::All(Vec::new()) } else { Form::Any(Vec::new()) }
    }

    /// Whether the statement is true, or false, of every answer. None if that depends on the answer.
    #[must_use]
    pub(super) fn is_sure(&self) -> Option<bool> {
        match self {
            Form::All(all) if all.is_empty() => Some(true),
            Form::Any(any) if any.is_empty() => Some(false),
            _ => None,
        }
    }

    /// The number of chosen members of a set is one of these.
    #[must_use]
    pub(super) fn count(set: Members, allowed: Allowed) -> Self {
        let len = set.len();
        let allowed = Allowed::those(len, |number| allowed.has(number));
        match allowed.ends() {
            None => Form::sure(false),
            Some(_) if allowed.is(0, len) => Form::sure(true),
            Some(_) => Form::Count(set, allowed),
        }
    }

    /// No member of the set is chosen.
    #[must_use]
    pub(super) fn none_of(set: Members) -> Self {
        Form::count(set, Allowed::range(0, 0))
    }

    /// Some member of the set is chosen.
    #[must_use]
    pub(super) fn some_of(set: Members) -> Self {
        let len = set.len();
        Form::count(set, Allowed::range(1, len))
    }

    /// The opposite.
    #[must_use]
    pub(super) fn not(self) -> Self {
        match self {
            Form::Count(set, allowed) => {
                let allowed = Allowed::those(set.len(), |number| !allowed.has(number));
                Form::count(set, allowed)
            }
            Form::Total(total) => {
                let below = total.least.checked_sub(1).map_or(Form::sure(false), |most| total.within(i64::MIN, most));
                let above = total.most.checked_add(1).map_or(Form::sure(false), |least| total.within(least, i64::MAX));
                Form::any([below, above])
            }
            Form::All(all) => Form::any(all.into_iter().map(Form::not)),
            Form::Any(any) => Form::all(any.into_iter().map(Form::not)),
        }
    }

    /// Whether the statement is true of this answer.
    #[must_use]
    pub(super) fn holds(&self, chosen: &Members) -> bool {
        match self {
            Form::Count(set, allowed) => allowed.has(set.common(chosen)),
            Form::Total(total) => total.holds(chosen),
            Form::All(all) => all.iter().all(|form| form.holds(chosen)),
            Form::Any(any) => any.iter().any(|form| form.holds(chosen)),
        }
    }

    /// The set, if the statement says that no member of a set is chosen.
    #[must_use]
    pub(super) fn as_none_of(&self) -> Option<&Members> {
        match self {
            Form::Count(set, allowed) if allowed.is(0, 0) => Some(set),
            _ => None,
        }
    }

    /// Each of these is true.
    #[must_use]
    pub(super) fn all(forms: impl IntoIterator<Item = Form>) -> Self {
        let (mut counts, mut rest) = (Counts::default(), Vec::new());
        let mut none_of: Option<Members> = None;
        // "No member of B, or X": X, and all members of the sets B.
        let mut only_if: Vec<(Form, Members)> = Vec::new();
        let mut at: FxHashMap<Form, usize> = FxHashMap::default();
        let mut totals: Vec<Total> = Vec::new();
        let mut waiting: Vec<Form> = forms.into_iter().collect();
        waiting.reverse();
        while let Some(form) = waiting.pop() {
            if form.is_sure() == Some(false) {
                return form;
            }
            match form {
                Form::All(all) => waiting.extend(all.into_iter().rev()),
                Form::Count(set, allowed) if allowed.is(0, 0) => {
                    none_of = Some(match none_of {
                        Some(known) => known.or(&set),
                        None => set,
                    });
                }
                Form::Count(set, allowed) => counts.add(set, allowed, |known, new, number| known.has(number) && new.has(number)),
                Form::Total(new) => match totals.iter_mut().find(|total| total.numbers == new.numbers) {
                    Some(known) => (known.least, known.most) = (known.least.max(new.least), known.most.min(new.most)),
                    None => totals.push(new),
                },
                Form::Any(mut any) => match any.iter().position(|form| form.as_none_of().is_some()).map(|at| any.remove(at)) {
                    Some(Form::Count(set, _)) => {
                        let then = Form::any(any);
                        match at.get(&then).and_then(|at| only_if.get_mut(*at)) {
                            Some((_, known)) => *known = known.clone().or(&set),
                            None => {
                                at.insert(then.clone(), only_if.len());
                                only_if.push((then, set));
                            }
                        }
                    }
                    Some(other) => rest.push(Form::any(any.into_iter().chain([other]))),
                    None => rest.push(Form::Any(any)),
                },
            }
        }
        let joined: Vec<Form> = only_if.into_iter().map(|(then, set)| Form::any([Form::none_of(set), then])).collect();
        // A joined form may have become a count.
        let is_simpler = joined.iter().any(|form| !matches!(form, Form::Any(any) if !any.is_empty()));
        let totals = totals.into_iter().map(|total| total.within(total.least, total.most));
        let beside = none_of.map(Form::none_of).into_iter().chain(counts.forms()).chain(totals);
        let mut all: Vec<Form> = beside.chain(rest).chain(joined).collect();
        if is_simpler {
            return Form::all(all);
        }
        if let Some(at) = all.iter().position(|form| form.is_sure() == Some(false)) {
            return all.swap_remove(at);
        }
        all.retain(|form| form.is_sure() != Some(true));
        match (all.len(), all.pop()) {
            (1, Some(only)) => only,
            (_, last) => Form::All(all.into_iter().chain(last).collect()),
        }
    }

    /// One of these is true.
    #[must_use]
    pub(super) fn any(forms: impl IntoIterator<Item = Form>) -> Self {
        let (mut counts, mut rest) = (Counts::default(), Vec::new());
        let mut some_of: Option<Members> = None;
        let mut waiting: Vec<Form> = forms.into_iter().collect();
        waiting.reverse();
        while let Some(form) = waiting.pop() {
            if form.is_sure() == Some(true) {
                return form;
            }
            match form {
                Form::Any(any) => waiting.extend(any.into_iter().rev()),
                Form::Count(set, allowed) if allowed.is(1, set.len()) => {
                    some_of = Some(match some_of {
                        Some(known) => known.or(&set),
                        None => set,
                    });
                }
                Form::Count(set, allowed) => counts.add(set, allowed, |known, new, number| known.has(number) || new.has(number)),
                Form::All(_) | Form::Total(_) => rest.push(form),
            }
        }
        if let Some(set) = some_of {
            let allowed = Allowed::range(1, set.len());
            counts.add(set, allowed, |known, new, number| known.has(number) || new.has(number));
        }
        let mut any: Vec<Form> = counts.forms().chain(rest).collect();
        if let Some(at) = any.iter().position(|form| form.is_sure() == Some(true)) {
            return any.swap_remove(at);
        }
        any.retain(|form| form.is_sure() != Some(false));
        // Either no member of a set is chosen, or some member of a set around it is chosen: that is always so. "No member of A, or no member
        // of a set around A" says the first only.
        let none_of: Vec<Members> = any.iter().filter_map(Form::as_none_of).cloned().collect();
        let has_one = |form: &Form| matches!(form, Form::Count(set, allowed) if allowed.is(1, set.len()) && none_of.iter().any(|none| none.is_within(set)));
        if any.iter().any(has_one) {
            return Form::sure(true);
        }
        any.retain(|form| !form.as_none_of().is_some_and(|set| none_of.iter().any(|other| other != set && other.is_within(set))));
        match (any.len(), any.pop()) {
            (1, Some(only)) => only,
            (_, last) => Form::Any(any.into_iter().chain(last).collect()),
        }
    }
}

/// Counts, at most one for each set, in the order in which they came.
#[derive(Default)]
struct Counts {
    at: FxHashMap<Members, usize>,
    all: Vec<(Members, Allowed)>,
}

impl Counts {
    fn add(&mut self, set: Members, allowed: Allowed, both: impl Fn(&Allowed, &Allowed, usize) -> bool) {
        match self.at.get(&set).and_then(|at| self.all.get_mut(*at)) {
            Some((_, known)) => *known = Allowed::those(set.len(), |number| both(known, &allowed, number)),
            None => {
                self.at.insert(set.clone(), self.all.len());
                self.all.push((set, allowed));
            }
        }
    }

    fn forms(self) -> impl Iterator<Item = Form> {
        self.all.into_iter().map(|(set, allowed)| Form::count(set, allowed))
    }
}
