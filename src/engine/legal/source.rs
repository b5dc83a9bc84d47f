//! Offers as sources: these functions tell whether there are ways to act, draw one at random, tell whether a given one is an answer, or
//! list all. If possible they do so without a list.
//!
//! A candidate is a way to act according to the base sets: for each option of the groups, a row of members of the base sets of its domains
//! (`compile/statements/base_sets.rs`). Candidates have numbers, so one can be drawn. Whether a candidate belongs to the domains, is
//! allowed and can be done is found out once, when somebody asks. Nothing here is part of the state: a machine at an offer finds the same
//! candidates again. Two sorts of offers are listed at once instead (see [`crate::legal::offer`]): offers of a lockstep, which
//! something may change before they are answered, and offers from which a barred way is left out.
//!
//! Why a source: a person, a scenario and a search want the list of ways. A random player wants one way, and a list costs a guard or a
//! trial run for each way. Candidates are drawn until one is an answer, so each answer is equally likely. After as many failures as there
//! are candidates, the list is made. A machine that lists and a machine that draws (`Machine::sampling`) go on from equal states.

use crate::eval::Eval;
use crate::fault::listed;
use crate::ids::{GroupId, NodeId, OptionId};
use crate::legal::cache::FieldCache;
use crate::legal::options::Row;
use crate::limits::PLAYS;
use crate::program::{Op, OptionDef, OptionParam, Program};
use crate::random::Generator;
use crate::run::Run;
use crate::short_ways::{ShortWay, took};
use crate::state::readings;
use crate::state::{Branch, Doing, MOST_ARGUMENTS, Question, Source};
use crate::steps::Observer;
use crate::value::{Player, Value};

/// A way to act: an option, a value for each of its parameters, and the player who takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The option.
    pub option: OptionId,
    count: u8,
    row: Row,
}

impl Way {
    /// A way to act from its arguments, the player last. `None` if the number of arguments is wrong.
    #[must_use]
    pub fn new(program: &Program, option: OptionId, args: &[Value]) -> Option<Self> {
        let count = program.options.get(option)?.params.len() + 1;
        (args.len() == count).then(|| Self { option, count: count as u8, row: crate::actions::perform::copied(args) })
    }

    /// Its arguments, the player last.
    #[must_use]
    pub fn args(&self) -> &[Value] {
        self.row.get(..usize::from(self.count)).unwrap_or(&[])
    }

    /// The way to act that a member of an offer's domain stands for.
    #[must_use]
    pub fn of(play: Value, lists: &[Value]) -> Option<Self> {
        let Value::Play { count, option, start } = play else { return None };
        let args = lists.get(start as usize..start as usize + usize::from(count))?;
        Some(Self { option, count, row: crate::actions::perform::copied(args) })
    }

    /// Puts the way to act into an arena.
    pub(crate) fn laid(&self, lists: &mut Vec<Value>) -> Value {
        let start = lists.len() as u32;
        lists.extend_from_slice(self.args());
        Value::Play { count: self.count, option: self.option, start }
    }
}

/// How many ways to act an offer has, up to the number that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found {
    /// At least as many as were asked for.
    Enough,
    /// Fewer. These are all.
    Only(Vec<(OptionId, Row)>),
}

/// The candidates of an offer, and what is known of them.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// The candidates of each option, in the order of the options.
    parts: Vec<Part>,
    /// The members of all base sets.
    members: Vec<Value>,
    /// The rows of options whose candidates are rows.
    rows: Vec<Row>,
    /// For each candidate, what has been found out about it.
    known: Vec<Known>,
}

/// The candidates of one option.
#[derive(Clone, Copy, Debug)]
struct Part {
    option: OptionId,
    /// The number of its first candidate.
    first: usize,
    /// The number of candidates.
    len: usize,
    rows: Rows,
}

/// Where the rows of an option come from.
#[derive(Clone, Copy, Debug)]
enum Rows {
    /// A row is one member of each base set. For each set: the index of its first member, and the number of members. The last set is gone
    /// through first.
    Product([(u32, u32); MOST_ARGUMENTS]),
    /// Rows that the option's domains and condition allow, found beforehand, from this index on. Used if base sets depend on one another,
    /// or are too large.
    Found(usize),
}

/// Whether a candidate is a way to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    NotYet,
    No,
    Yes,
}

/// A look at an offer: its player, and the branch that makes it. Nothing changes during the look, so a card is read once.
#[derive(Clone, Copy, Debug)]
struct Look<'c> {
    player: Player,
    at: u16,
    cache: &'c FieldCache,
}

impl Candidates {
    fn clear(&mut self) {
        self.parts.clear();
        self.members.clear();
        self.rows.clear();
        self.known.clear();
    }

    fn part_of(&self, number: usize) -> Option<Part> {
        let at = self.parts.partition_point(|part| part.first + part.len <= number);
        self.parts.get(at).copied()
    }

    /// The number of the candidate with these arguments. Only the arguments that players are asked for are compared.
    fn number_of(&self, program: &Program, way: &Way) -> Option<usize> {
        let part = self.parts.iter().find(|part| part.option == way.option)?;
        let params = &program.options.get(way.option)?.params;
        let sets = match part.rows {
            Rows::Found(start) => {
                let rows = self.rows.get(start..start + part.len)?;
                return Some(part.first + rows.iter().position(|row| *row == way.row)?);
            }
            Rows::Product(sets) => sets,
        };
        let mut number = 0;
        for ((param, (start, len)), value) in params.iter().zip(sets).zip(&way.row) {
            if let OptionParam::In(_) = param {
                let members = self.members.get(start as usize..start as usize + len as usize)?;
                number = number * members.len() + members.iter().position(|member| member == value)?;
            }
        }
        Some(part.first + number)
    }
}

impl<O: Observer> Run<'_, O> {
    /// Whether an offer that is made now need not be listed. This is so if nothing can change the offer before it is answered, and no
    /// barred way is left out of it.
    pub(crate) fn is_drawable(&self) -> bool {
        let repeats = self.state.control.cycle.as_ref().is_some_and(|cycle| cycle.left > 0 || !cycle.asked.is_empty());
        self.trial.is_none() && self.alone && !repeats && !self.is_any_barred()
    }

    /// Whether an offer that is being made has at least `wanted` ways to act. `None` if the offer has too many candidates.
    pub(crate) fn has_any(&mut self, branch: &Branch, at: u16, (player, wanted): (Player, usize), groups: &[GroupId]) -> Option<Found> {
        let cache = self.scratch.take_fields();
        let look = Look { player, at, cache: &cache };
        let mut candidates = self.candidates(branch, look, groups)?;
        let mut found = 0;
        let mut parts: Vec<(u8, Part)> = candidates.parts.iter().map(|part| (self.scratch.hope_of(part.option), *part)).collect();
        // The order of the options does not change the result. The most hopeful are looked at first, for speed.
        parts.sort_by_key(|(hope, _)| std::cmp::Reverse(*hope));
        for (_, part) in parts {
            for number in part.first..part.first + part.len {
                found += usize::from(self.can_be_taken(branch, look, &mut candidates, number));
                if found == wanted {
                    self.scratch.candidates = Some((at, candidates));
                    self.scratch.fields = cache;
                    return Some(Found::Enough);
                }
            }
        }
        let all = 0..candidates.known.len();
        let only = all.filter(|number| candidates.known.get(*number) == Some(&Known::Yes));
        let only = only.filter_map(|number| self.candidate(branch, look, &candidates, number, false)).collect();
        self.scratch.spare_candidates = candidates;
        self.scratch.fields = cache;
        Some(Found::Only(only))
    }

    /// Visits every way to act of an offer, in the order of the options' declarations, until `visit` returns true. Returns `false` if the
    /// offer has too many candidates.
    pub(crate) fn each_candidate(
        &mut self,
        branch: &Branch,
        at: u16,
        (player, groups): (Player, &[GroupId]),
        visit: &mut dyn FnMut(&mut Self, OptionId, Row) -> bool,
    ) -> bool {
        let cache = self.scratch.take_fields();
        let look = Look { player, at, cache: &cache };
        let Some(mut candidates) = self.candidates(branch, look, groups) else { return false };
        for number in 0..candidates.known.len() {
            if self.can_be_taken(branch, look, &mut candidates, number)
                && let Some((option, row)) = self.candidate(branch, look, &candidates, number, false)
                && visit(self, option, row)
            {
                break;
            }
        }
        self.scratch.spare_candidates = candidates;
        self.scratch.fields = cache;
        true
    }

    /// Draws an answer to an open offer: a way to act, or none if the player passes. Each answer is equally likely.
    ///
    /// Candidates are drawn until one is an answer. This is uniform over the answers, whatever is known beforehand. After as many draws as
    /// there are candidates, the list is made and one answer is drawn from it. Drawing gives the same answer whether or not the list was
    /// made before.
    pub(crate) fn sampled(&mut self, branch: &Branch, at: u16, question: &Question, generator: &mut Generator) -> Option<Way> {
        let pass = u32::from(question.min == 0);
        let cache = self.scratch.take_fields();
        let look = Look { player: question.player, at, cache: &cache };
        let mut draw = |among: usize| generator.below(among as u32 + pass).checked_sub(pass).map(|drawn| drawn as usize);
        let Some(mut candidates) = self.known_candidates(branch, look, question) else {
            let domain = domain_of(branch, question);
            return Way::of(*domain.get(draw(domain.len())?)?, &branch.lists);
        };
        let all = candidates.known.len();
        let listed: Option<Vec<Way>> = (question.source != Source::Unlisted).then(|| ways(branch, question).collect());
        let mut drawn = None;
        for _ in 0..all {
            let answer = match (draw(all), &listed) {
                (None, _) => Some(None),
                (Some(number), None) if !self.can_be_taken(branch, look, &mut candidates, number) => None,
                (Some(number), None) => self.way_of(branch, look, &candidates, number).map(Some),
                (Some(number), Some(listed)) => self.way_of(branch, look, &candidates, number).filter(|way| listed.contains(way)).map(Some),
            };
            if answer.is_some() {
                drawn = answer;
                break;
            }
        }
        let way = drawn.unwrap_or_else(|| {
            let all = listed.unwrap_or_else(|| self.all_ways(branch, look, &mut candidates));
            draw(all.len()).and_then(|drawn| all.get(drawn)).copied()
        });
        self.scratch.candidates = Some((at, candidates));
        self.scratch.fields = cache;
        way
    }

    /// Whether an open offer has this way to act.
    pub(crate) fn is_offered(&mut self, branch: &Branch, at: u16, question: &Question, way: &Way) -> bool {
        if question.source != Source::Unlisted {
            return ways(branch, question).any(|offered| offered == *way);
        }
        let cache = self.scratch.take_fields();
        let look = Look { player: question.player, at, cache: &cache };
        let Some(mut candidates) = self.known_candidates(branch, look, question) else { return false };
        let is = candidates.number_of(self.program, way).is_some_and(|number| {
            self.can_be_taken(branch, look, &mut candidates, number) && self.way_of(branch, look, &candidates, number) == Some(*way)
        });
        self.scratch.candidates = Some((at, candidates));
        self.scratch.fields = cache;
        is
    }

    /// Lists an open offer. If the offer has an answer already, the answer becomes a member of the list.
    pub(crate) fn list_ways(&mut self, branch: &mut Branch, at: u16) {
        let Doing::Ask(question) = branch.doing else { return };
        if question.source != Source::Unlisted {
            return;
        }
        let cache = self.scratch.take_fields();
        let look = Look { player: question.player, at, cache: &cache };
        let mut all = Vec::new();
        if let Some(mut candidates) = self.known_candidates(branch, look, &question) {
            all = self.all_ways(branch, look, &mut candidates);
            self.scratch.candidates = Some((at, candidates));
        }
        self.scratch.fields = cache;
        let answer = question.answer.filter(|(_, len)| *len == 1).map(|(start, _)| start as usize);
        let answered = answer.and_then(|start| Way::of(*branch.lists.get(start)?, &branch.lists));
        let members: Vec<Value> = all.iter().map(|way| way.laid(&mut branch.lists)).collect();
        let place = answered.and_then(|way| all.iter().position(|offered| *offered == way)).and_then(|place| members.get(place));
        if let (Some(place), Some(slot)) = (place, answer.and_then(|start| branch.lists.get_mut(start))) {
            *slot = *place;
        }
        let (start, len) = (branch.lists.len() as u32, members.len() as u16);
        branch.lists.extend(members);
        branch.doing = Doing::Ask(Question { start, len, source: Source::Drawable, ..question });
    }

    /// All ways to act, in the order of the options' declarations.
    fn all_ways(&mut self, branch: &Branch, look: Look<'_>, candidates: &mut Candidates) -> Vec<Way> {
        let mut all = Vec::new();
        for number in 0..candidates.known.len() {
            if self.can_be_taken(branch, look, candidates, number) {
                all.extend(self.way_of(branch, look, candidates, number));
            }
        }
        all
    }

    /// The candidates of an open offer. If nothing has changed since they were last used, they are taken as they were left. `None` if the
    /// offer has a list.
    fn known_candidates(&mut self, branch: &Branch, look: Look<'_>, question: &Question) -> Option<Candidates> {
        match self.scratch.candidates.take() {
            _ if question.source == Source::Listed => None,
            Some((of, candidates)) if of == look.at => {
                took(ShortWay::Candidates);
                Some(candidates)
            }
            _ => {
                let groups = self.groups_of_offer(branch);
                self.candidates(branch, look, &groups)
            }
        }
    }

    /// The groups of the offer that a branch has just made.
    fn groups_of_offer(&mut self, branch: &Branch) -> Vec<GroupId> {
        match self.program.code.get(branch.now()) {
            Some(Op::Offer { from, .. }) => self.groups(branch, *from),
            _ => Vec::new(),
        }
    }

    /// An evaluation for the player who takes the offer.
    fn eval_of<'e>(&'e self, branch: &'e Branch, look: Look<'e>) -> Eval<'e> {
        let mut eval = self.eval(branch);
        (eval.watcher, eval.cache) = (Some(look.player), Some(look.cache));
        eval
    }

    /// The candidates of an offer. `None` if there are more than the most ways to act that an offer may have.
    fn candidates(&mut self, branch: &Branch, look: Look<'_>, groups: &[GroupId]) -> Option<Candidates> {
        let mut found = std::mem::take(&mut self.scratch.spare_candidates);
        found.clear();
        self.scratch.bases.begin_offer();
        let mut all = 0;
        for (option, def) in self.program.options.iter().filter(|(_, def)| groups.iter().any(|group| def.groups.contains(group))) {
            let (len, rows) = self.candidates_of(branch, look, (option, def), PLAYS - all, &mut found);
            if all + len > PLAYS {
                self.scratch.spare_candidates = found;
                return None;
            }
            found.parts.push(Part { option, first: all, len, rows });
            all += len;
        }
        found.known.resize(all, Known::NotYet);
        Some(found)
    }

    /// Adds the candidates of one option. Returns how many there are, and where their rows come from. If the base sets depend on one another,
    /// or make more than `most` rows together, the rows are found one by one instead.
    fn candidates_of(
        &mut self,
        branch: &Branch,
        look: Look<'_>,
        (option, def): (OptionId, &OptionDef),
        most: usize,
        found: &mut Candidates,
    ) -> (usize, Rows) {
        let row = row_of_none(look.player, def.params.len());
        let before = found.members.len();
        if !self.eval_of(branch, look).may_hold(def.bases.condition, (look.player, &row)) {
            return (0, Rows::Product([(0, 1); MOST_ARGUMENTS]));
        }
        if def.bases.apart {
            let (sets, product) = self.base_sets(branch, look, (option, def), found);
            if product <= most {
                return (product, Rows::Product(sets));
            }
        }
        found.members.truncate(before);
        let start = found.rows.len();
        self.eval_of(branch, look).each_play(option, look.player, (0, row), &mut |row| {
            found.rows.push(*row);
            found.rows.len() - start > most
        });
        (found.rows.len() - start, Rows::Found(start))
    }

    /// Adds the base sets of an option. Returns for each set the index of its first member and the number of members, and the number of
    /// rows.
    fn base_sets(
        &mut self,
        branch: &Branch,
        look: Look<'_>,
        (option, def): (OptionId, &OptionDef),
        found: &mut Candidates,
    ) -> ([(u32, u32); MOST_ARGUMENTS], usize) {
        let before = found.members.len();
        let (program, key) = (self.program, (look.player, option));
        // A branch behind a veil sees the cards as they were, so its base sets may differ. They are not kept.
        // While readings are noted, nothing is taken from memory.
        let reads = self.plan.base_reads.of(option).filter(|_| branch.veil.is_none() && !readings::are_noted());
        let reads = reads.filter(|reads| reads.is_compared(program, self.state));
        let kept = reads.and_then(|reads| {
            self.scratch.bases.compare(program, self.state);
            self.scratch.bases.find(key, reads, &self.state.board.versions)
        });
        if let Some((lens, members)) = kept {
            took(ShortWay::Bases);
            found.members.extend_from_slice(members);
            debug_assert!(self.are_found_anew(branch, look, def, (lens, found.members.get(before..).unwrap_or(&[]))), "{option:?}");
            return product_of(def, lens, before);
        }
        let lens = self.bases_anew(branch, look, def, &mut found.members);
        if let (Some(_), Some(members)) = (reads, found.members.get(before..)) {
            self.scratch.bases.keep(key, &self.state.board.versions, (lens, members));
        }
        product_of(def, lens, before)
    }

    /// Whether these base sets are found again if they are looked for anew. For debug builds.
    fn are_found_anew(&self, branch: &Branch, look: Look<'_>, def: &OptionDef, (lens, kept): ([u32; MOST_ARGUMENTS], &[Value])) -> bool {
        let mut members = Vec::new();
        self.bases_anew(branch, look, def, &mut members) == lens && members == kept
    }

    /// Adds the members of an option's base sets, found anew. Returns the number of members of each set.
    fn bases_anew(&self, branch: &Branch, look: Look<'_>, def: &OptionDef, members: &mut Vec<Value>) -> [u32; MOST_ARGUMENTS] {
        let row = row_of_none(look.player, def.params.len());
        let mut eval = self.eval_of(branch, look);
        let mut lens = [0; MOST_ARGUMENTS];
        for (len, base) in lens.iter_mut().zip(&def.bases.sets).filter(|(_, base)| **base != NodeId::NONE) {
            let start = members.len();
            eval.add_base(*base, (look.player, &row), members);
            *len = (members.len() - start) as u32;
        }
        lens
    }

    /// Whether a candidate is a way to act.
    fn can_be_taken(&mut self, branch: &Branch, look: Look<'_>, candidates: &mut Candidates, number: usize) -> bool {
        match candidates.known.get(number) {
            Some(Known::NotYet) => {}
            known => return known == Some(&Known::Yes),
        }
        let mut can = false;
        if let Some((option, row)) = self.candidate(branch, look, candidates, number, true) {
            let attempt = self.program.options.get(option).is_some_and(|def| def.attempt);
            can = !self.is_idle(look.player, option, &row) && self.is_worth_trying(branch, look.at, look.player, (option, attempt), &row);
            self.scratch.note_hope(option, can);
        }
        if let Some(known) = candidates.known.get_mut(number) {
            *known = if can { Known::Yes } else { Known::No };
        }
        can
    }

    fn way_of(&mut self, branch: &Branch, look: Look<'_>, candidates: &Candidates, number: usize) -> Option<Way> {
        let (option, row) = self.candidate(branch, look, candidates, number, false)?;
        let count = self.program.options.get(option)?.params.len() + 1;
        Some(Way { option, count: count as u8, row })
    }

    /// The option and the row of a candidate. With `checked`, only if its domains, its condition and the prohibitions allow it.
    fn candidate(&self, branch: &Branch, look: Look<'_>, candidates: &Candidates, number: usize, checked: bool) -> Option<(OptionId, Row)> {
        let Part { option, first, rows, .. } = candidates.part_of(number)?;
        let sets = match rows {
            Rows::Found(start) => return Some((option, *candidates.rows.get(start + number - first)?)),
            Rows::Product(sets) => sets,
        };
        let def = self.program.options.get(option)?;
        let mut eval = self.eval_of(branch, look);
        let mut row = row_of_none(look.player, def.params.len());
        let mut left = number - first;
        let mut places = [0; MOST_ARGUMENTS];
        for (place, (start, len)) in places.iter_mut().zip(sets).take(def.params.len()).rev() {
            (*place, left) = match len as usize {
                0 | 1 => (start as usize, left),
                len => (start as usize + left % len, left / len),
            };
        }
        for (at, ((param, base), place)) in def.params.iter().zip(&def.bases.sets).zip(places).enumerate() {
            let value = match *param {
                OptionParam::Default(node) => eval.asked_by(look.player, &row).value(node),
                OptionParam::In(domain) => {
                    let member = *candidates.members.get(place)?;
                    if checked && domain != *base && !eval.belongs(domain, member, (look.player, &row)) {
                        return None;
                    }
                    member
                }
            };
            *row.get_mut(at)? = value;
        }
        if checked {
            let allowed = def.condition == def.bases.condition || eval.may_hold(def.condition, (look.player, &row));
            if !allowed || eval.is_forbidden(def, look.player, &row) {
                return None;
            }
        }
        Some((option, row))
    }
}

/// The places of an option's base sets with these lengths, if the first set begins at `start`, and the number of rows that they make.
fn product_of(def: &OptionDef, lens: [u32; MOST_ARGUMENTS], mut start: usize) -> ([(u32, u32); MOST_ARGUMENTS], usize) {
    let (mut sets, mut product) = ([(0, 1); MOST_ARGUMENTS], 1_usize);
    for ((set, len), _) in sets.iter_mut().zip(lens).zip(&def.bases.sets).filter(|(_, base)| **base != NodeId::NONE) {
        *set = (start as u32, len);
        product = product.saturating_mul(len as usize);
        start += len as usize;
    }
    (sets, product)
}

/// A row in which no argument has been chosen yet. It holds only the player.
fn row_of_none(player: Player, params: usize) -> Row {
    let mut row = [Value::Undefined; MOST_ARGUMENTS];
    if let Some(slot) = row.get_mut(params) {
        *slot = Value::Player(player);
    }
    row
}

fn domain_of<'b>(branch: &'b Branch, question: &Question) -> &'b [Value] {
    listed(&branch.lists, question.start, question.len)
}

/// The ways to act that have been listed.
pub(crate) fn ways<'b>(branch: &'b Branch, question: &Question) -> impl Iterator<Item = Way> + 'b {
    domain_of(branch, question).iter().filter_map(|play| Way::of(*play, &branch.lists))
}
