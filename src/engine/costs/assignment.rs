//! Payment by assignment: the requirements get their units one after the other. A unit can be chosen only if all other requirements can
//! still get theirs (docs/kernel/costs.md, "Matches").

use crate::costs::demands::{met_together, paid_together};
use crate::costs::matching::Fits;
use crate::eval::Eval;
use crate::fault::{Fault, broken, listed};
use crate::ids::{ChoiceId, MatchId, NodeId, Pc, Reg};
use crate::limits::MATCH_CELLS;
use crate::program::MatchDef;
use crate::run::Run;
use crate::run::step::{get, jump, set};
use crate::state::{Branch, Doing, FailureKind, Question, Then};
use crate::steps::{Observer, Step};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// The units, and a table for each demand.
struct MatchTables {
    units: Vec<Value>,
    demands: Vec<Demand>,
}

/// A requirement or a joining member that has no place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unmatched {
    /// The demand of the member, if the match has demands.
    pub demand: Option<Value>,
    /// The member.
    pub member: Value,
    /// Whether the member joins a unit. Otherwise it needs a unit for itself.
    pub joins: bool,
}

/// The spare units that the question for the last requirement also offers.
enum SpareUnits {
    /// They are the units that can meet the requirement.
    Among,
    /// One unit can meet the requirement, and these are spare.
    Beside(Vec<Value>),
}

/// A table of what fits what, with the members themselves.
struct Demand {
    /// The demand to which it belongs. None for a match without demands.
    of: Option<Value>,
    /// The requirements and the joining members.
    members: [Vec<Value>; 2],
    fits: Fits,
}

impl Eval<'_> {
    fn members_of_node(&mut self, node: NodeId) -> Vec<Value> {
        let mut members = Vec::new();
        self.each(node, &mut |_, member| {
            members.push(member);
            false
        });
        members
    }

    fn rows(&mut self, units: &[Value], members: &[Value], condition: NodeId) -> Vec<Vec<bool>> {
        let row = |eval: &mut Self, member: Value| {
            let fits = units.iter().map(|unit| eval.bind(*unit, |eval| eval.bind(member, |eval| eval.holds(condition))));
            fits.collect::<Vec<bool>>()
        };
        members.iter().map(|member| row(self, *member)).collect()
    }

    /// The tables of a match. None if there are more requirements than units: then some requirement gets none, and no table is needed.
    fn tables_if_enough(&mut self, def: &MatchDef) -> Option<MatchTables> {
        let units = self.members_of_node(def.units);
        let needing = self.needing(def);
        let enough = needing.iter().map(|(_, needing)| needing.len()).sum::<usize>() <= units.len();
        enough.then(|| self.tables_of(def, units, needing))
    }

    fn tables(&mut self, def: &MatchDef) -> MatchTables {
        let units = self.members_of_node(def.units);
        let needing = self.needing(def);
        self.tables_of(def, units, needing)
    }

    /// The demands with their requirements. A match without demands has one demand, for which nothing is bound.
    fn needing(&mut self, def: &MatchDef) -> Vec<(Option<Value>, Vec<Value>)> {
        if def.demands == NodeId::NONE {
            return vec![(None, self.members_of_node(def.needs.0))];
        }
        let demands = self.members_of_node(def.demands);
        demands.into_iter().map(|demand| (Some(demand), self.bind(demand, |eval| eval.members_of_node(def.needs.0)))).collect()
    }

    fn tables_of(&mut self, def: &MatchDef, units: Vec<Value>, needing: Vec<(Option<Value>, Vec<Value>)>) -> MatchTables {
        let table = |eval: &mut Self, (demand, needing)| match demand {
            Some(of) => Demand { of: demand, ..eval.bind(of, |eval| eval.demand_of(def, &units, needing)) },
            None => eval.demand_of(def, &units, needing),
        };
        let demands = needing.into_iter().map(|of| table(self, of)).collect();
        MatchTables { units, demands }
    }

    fn demand_of(&mut self, def: &MatchDef, units: &[Value], needing: Vec<Value>) -> Demand {
        let needs = self.rows(units, &needing, def.needs.1);
        let (joining, joins) = def.joins.map_or_else(Default::default, |(of, condition)| {
            let joining = self.members_of_node(of);
            let rows = self.rows(units, &joining, condition);
            (joining, rows)
        });
        let left = |eval: &mut Self, member: &Value| def.left_over != NodeId::NONE && eval.bind(*member, |eval| eval.holds(def.left_over));
        let may_be_left = joining.iter().map(|member| left(self, member)).collect();
        let members = [needing, joining];
        Demand { of: None, fits: Fits { units: units.len(), needs, joins, may_be_left }, members }
    }

    /// Whether each requirement can have a unit of its own.
    pub(crate) fn matches_up(&mut self, of: MatchId) -> bool {
        let Some(def) = self.program.matches.get(of) else { return false };
        self.tables_if_enough(def).is_some_and(|tables| tables.can_go_on(&[]))
    }

    /// The first requirement that cannot get a unit beside the requirements before it, or the first joining member that cannot be placed.
    pub(crate) fn unmatched(&mut self, of: MatchId) -> Option<Unmatched> {
        let def = self.program.matches.get(of)?;
        self.tables(def).unmatched()
    }
}

impl MatchTables {
    /// A table with one requirement and no unit.
    fn of_too_few() -> Self {
        let fits = Fits { needs: vec![Vec::new()], ..Fits::default() };
        MatchTables { units: Vec::new(), demands: vec![Demand { of: None, members: Default::default(), fits }] }
    }

    fn tables(&self) -> Vec<Fits> {
        self.demands.iter().map(|demand| demand.fits.clone()).collect()
    }

    /// How many requirements there are, of all demands.
    fn requirements(&self) -> usize {
        self.demands.iter().map(|demand| demand.fits.needs.len()).sum()
    }

    /// The requirement or joining member that has no place, in the first demand that cannot be met beside the demands before it.
    fn unmatched(&self) -> Option<Unmatched> {
        let tables = self.tables();
        let first = |tables: &[Fits]| (1..=tables.len()).find(|count| tables.get(..*count).is_some_and(|first| !met_together(first)));
        let count = first(&tables)?;
        let Demand { of, fits, members: [needing, joining] } = self.demands.get(count - 1)?;
        let short_of_units = tables.get(..count).is_some_and(|tables| !paid_together(tables));
        let (at, joins) = fits
            .unmet()
            .unwrap_or_else(|| if short_of_units { (fits.needs.len().saturating_sub(1), false) } else { (0, !joining.is_empty()) });
        Some(Unmatched { demand: *of, member: *(if joins { joining } else { needing }).get(at)?, joins })
    }

    /// Whether all requirements can be met if the first ones, in order, have these units.
    fn can_go_on(&self, taken: &[Value]) -> bool {
        let mut tables = self.tables();
        let holders: Vec<Option<usize>> = self.units.iter().map(|unit| taken.iter().position(|taken| taken == unit)).collect();
        for (need, row) in tables.iter_mut().flat_map(|fits| &mut fits.needs).enumerate() {
            for (holder, fits) in holders.iter().copied().zip(row) {
                // A requirement that has its unit takes no other unit. A unit that is taken goes to no other requirement.
                *fits &= holder == Some(need) || holder.is_none() && need >= taken.len();
            }
        }
        met_together(&tables)
    }
}

impl<O: Observer> Run<'_, O> {
    /// Asks for the unit of the next requirement.
    pub(crate) fn ask_match(
        &mut self,
        branch: &mut Branch,
        at: u16,
        pc: Pc,
        (of, choice): (MatchId, ChoiceId),
        (taken, picked): (Reg, Reg),
        end: Pc,
    ) {
        let program = self.program;
        let (Some(def), Some(asked)) = (program.matches.get(of), program.choices.get(choice)) else { return broken(Fault::Row) };
        let before = match get(branch, taken) {
            Value::List { start, len } => listed(&branch.lists, start, len).to_vec(),
            _ => Vec::new(),
        };
        if asked.spare {
            return self.ask_spare(branch, (of, choice), (taken, picked), end);
        }
        let (tables, noted) = {
            let mut eval = self.eval(branch);
            // An onlooker is told which requirement or member has no unit, so the table is made in any case.
            let tables = if O::ON { Some(eval.tables(def)) } else { eval.tables_if_enough(def) };
            (tables, (eval.overflow, eval.peeked))
        };
        self.noted(branch, noted.0, noted.1);
        let tables = tables.unwrap_or_else(MatchTables::of_too_few);
        if before.is_empty() && def.cites.0 != 0 {
            self.tell_cited(def.cites, pc, branch.frames.len(), at, &[], || Step::Statement(None));
        }
        if let Some(units) = tables.all_met(&before) {
            if units != before {
                let start = branch.lists.len() as u32;
                branch.lists.extend_from_slice(&units);
                set(branch, taken, Value::List { start, len: units.len() as u16 });
            }
            jump(branch, end);
            return self.set_done(branch, at, true);
        }
        if tables.is_too_large() {
            return self.fail(FailureKind::Match, pc);
        }
        let player = self.value(branch, asked.by).player();
        let domain: Vec<Value> = tables.candidates(&before);
        let (Some(player), false) = (player, domain.is_empty()) else {
            if O::ON
                && let Some(Unmatched { member, joins, .. }) = tables.unmatched()
            {
                self.tell_failing(branch, pc);
                self.tell(pc, branch.frames.len(), at, &branch.lists, || Step::Unmatched(member, joins));
            }
            set(branch, taken, Value::Undefined);
            jump(branch, end);
            return self.set_done(branch, at, false);
        };
        let player = self.state.board.decider(player);
        let start = branch.lists.len() as u32;
        let len = domain.len() as u16;
        branch.lists.extend(domain);
        let then = Then::Store { single: asked.single, demanded: 1 };
        let spare = self.spare_units(branch, def);
        let question = Question { result: picked, ..Question::for_one(player, choice, (start, len), then) };
        let question = match tables.asked_with_spare(&before, &spare) {
            Some(SpareUnits::Among) => Question { max: len, ..question },
            // The one unit for the last requirement has to be named.
            Some(SpareUnits::Beside(units)) => {
                let len = len + units.len() as u16;
                branch.lists.extend(units);
                Question { max: len, must: 1, len, ..question }
            }
            None => question,
        };
        if question.len == 1 {
            if O::ON {
                self.tell_decided(branch, at, pc, question, &[0], true);
            }
            return self.store(branch, at, question, (start, 1));
        }
        branch.doing = Doing::Ask(question);
    }

    /// Asks for the spare units, unless the question for the last requirement has asked for them.
    fn ask_spare(&mut self, branch: &mut Branch, (of, choice): (MatchId, ChoiceId), (taken, picked): (Reg, Reg), end: Pc) {
        let program = self.program;
        let (Some(def), Some(asked)) = (program.matches.get(of), program.choices.get(choice)) else { return broken(Fault::Row) };
        let Value::List { start, len } = get(branch, taken) else { return jump(branch, end) };
        let before = listed(&branch.lists, start, len).to_vec();
        let spare = self.spare_units(branch, def);
        let free: Vec<Value> = spare.iter().filter(|unit| !before.contains(unit)).copied().collect();
        let player = self.value(branch, asked.by).player();
        let (Some(player), false) = (player, free.is_empty()) else { return jump(branch, end) };
        let tables = self.eval(branch).tables(def);
        let needed = tables.requirements();
        let asked_before = needed > 0 && tables.asked_with_spare(before.get(..needed - 1).unwrap_or(&before), &spare).is_some();
        if before.len() > needed || asked_before {
            return jump(branch, end);
        }
        let player = self.state.board.decider(player);
        let start = branch.lists.len() as u32;
        let len = free.len() as u16;
        branch.lists.extend(free);
        let then = Then::Store { single: false, demanded: 0 };
        branch.doing = Doing::Ask(Question { min: 0, max: len, result: picked, ..Question::for_one(player, choice, (start, len), then) });
    }

    /// The units that may be named although they meet no requirement.
    fn spare_units(&mut self, branch: &Branch, def: &MatchDef) -> Vec<Value> {
        if def.spare == NodeId::NONE {
            return Vec::new();
        }
        let (spare, noted) = {
            let mut eval = self.eval(branch);
            let mut units = eval.members_of_node(def.units);
            units.retain(|unit| eval.bind(*unit, |eval| eval.holds(def.spare)));
            (units, (eval.overflow, eval.peeked))
        };
        self.noted(branch, noted.0, noted.1);
        spare
    }
}

impl MatchTables {
    /// The taken units, if they meet all requirements: first the units of the requirements in order, then the spare ones. The last question
    /// may have given spare units together with the unit of the last requirement.
    fn all_met(&self, taken: &[Value]) -> Option<Vec<Value>> {
        let last = self.requirements().checked_sub(1);
        let Some(last) = last else { return self.can_go_on(taken).then(|| taken.to_vec()) };
        let orders = (last..taken.len()).map(|unit| {
            let mut order = taken.to_vec();
            let unit = order.remove(unit);
            order.insert(last, unit);
            order
        });
        orders.into_iter().find(|order| self.can_go_on(order))
    }

    /// The spare units for which the question for the next requirement also asks. None if the requirement is not the last one, or if some of
    /// several units that can meet it differ from the spare units: then a question of its own asks for the spare units.
    fn asked_with_spare(&self, taken: &[Value], spare: &[Value]) -> Option<SpareUnits> {
        if spare.is_empty() || taken.len() + 1 != self.requirements() {
            return None;
        }
        let candidates = self.candidates(taken);
        let beside: Vec<Value> = spare.iter().filter(|unit| !taken.contains(unit) && !candidates.contains(unit)).copied().collect();
        match candidates.len() {
            0 => None,
            1 => (!beside.is_empty()).then_some(SpareUnits::Beside(beside)),
            _ => (beside.is_empty() && candidates.iter().all(|unit| spare.contains(unit))).then_some(SpareUnits::Among),
        }
    }

    /// The table of a match with one demand and no joining members.
    fn simple(&self) -> Option<&Fits> {
        match self.demands.as_slice() {
            [Demand { fits, .. }] if fits.joins.is_empty() => Some(fits),
            _ => None,
        }
    }

    /// Whether it would take too long to try each unit for the next requirement.
    fn is_too_large(&self) -> bool {
        let fits = self.demands.iter().flat_map(|demand| demand.fits.needs.iter().chain(&demand.fits.joins)).map(Vec::len);
        self.simple().is_none() && fits.sum::<usize>().saturating_mul(self.sorts().len()) > MATCH_CELLS
    }

    /// Which rows of all demands a unit fits.
    fn column(&self, unit: usize) -> Vec<bool> {
        let rows = self.demands.iter().flat_map(|demand| demand.fits.needs.iter().chain(&demand.fits.joins));
        rows.map(|row| row.get(unit) == Some(&true)).collect()
    }

    /// The sorts of units: two units that fit the same rows can stand for each other.
    fn sorts(&self) -> FxHashSet<Vec<bool>> {
        (0..self.units.len()).map(|unit| self.column(unit)).collect()
    }

    /// The units for the next requirement with which all others can still get theirs.
    fn candidates(&self, taken: &[Value]) -> Vec<Value> {
        let Some(row) = self.demands.iter().flat_map(|demand| &demand.fits.needs).nth(taken.len()) else { return Vec::new() };
        if let Some(fits) = self.simple() {
            let places: Option<Vec<usize>> = taken.iter().map(|unit| self.units.iter().position(|known| known == unit)).collect();
            let found = places.map(|places| fits.units_for_next(&places)).unwrap_or_default();
            return found.into_iter().filter_map(|place| self.units.get(place).copied()).collect();
        }
        let mut trial = taken.to_vec();
        let mut found = Vec::new();
        // One unit of each sort is tried.
        let mut tried: FxHashMap<Vec<bool>, bool> = FxHashMap::default();
        for (at, (unit, fits)) in self.units.iter().zip(row).enumerate() {
            if !fits || taken.contains(unit) {
                continue;
            }
            let goes_on = *tried.entry(self.column(at)).or_insert_with(|| {
                trial.push(*unit);
                let goes_on = self.can_go_on(&trial);
                trial.pop();
                goes_on
            });
            if goes_on {
                found.push(*unit);
            }
        }
        found
    }
}
