//! Finds the ways in which a player may take an option: every row of arguments that its domains, its condition and the prohibitions in
//! force allow. Whether the body can be carried out is not looked at here; a trial run finds that out.

use crate::eval::Eval;
use crate::eval::watch::Happening;
use crate::ids::{NodeId, OptionId};
use crate::limits::PLAYS;
use crate::program::{Node, OptionDef, OptionParam};
use crate::state::{Cause, MOST_ARGUMENTS};
use crate::value::{Player, Value};

/// The arguments of an option, with the player who takes it.
pub(crate) type Row = [Value; MOST_ARGUMENTS];

impl Eval<'_> {
    /// Visits the ways in which a player may take an option, until `visit` returns true. Given arguments stay as they are. A condition
    /// counts as true if it depends on something that the watcher of this evaluation may not see.
    pub(crate) fn each_play(&mut self, option: OptionId, player: Player, given: (u8, Row), visit: &mut dyn FnMut(&Row) -> bool) -> bool {
        let program = self.program;
        let Some(def) = program.options.get(option) else { return false };
        let (given, mut row) = given;
        if let Some(slot) = row.get_mut(def.params.len()) {
            *slot = Value::Player(player);
        }
        let looks = &self.state.effects.asked.looks_within;
        let mut rows = 0;
        self.filled(def, player, 0, (given, row), &mut |eval, row| {
            rows += 1;
            // Each parameter multiplies the rows. Beyond the limit the statement ends with an error, so the result no longer matters.
            let too_many = rows > PLAYS && !looks.ask();
            too_many || eval.may_take(def, player, row) && visit(row)
        })
    }

    fn filled(
        &mut self,
        def: &OptionDef,
        player: Player,
        at: usize,
        (given, row): (u8, Row),
        visit: &mut dyn FnMut(&mut Self, &Row) -> bool,
    ) -> bool {
        let Some(param) = def.params.get(at) else {
            return visit(self, &row);
        };
        let fixed = given & (1 << at) != 0;
        let values = match *param {
            OptionParam::Default(_) if fixed => row.get(at).copied().into_iter().collect(),
            OptionParam::Default(node) => vec![self.asked_by(player, &row).value(node)],
            OptionParam::In(domain) => {
                let mut members = Vec::new();
                self.asked_by(player, &row).blindly_each(domain, &mut members);
                members.retain(|member| !fixed || row.get(at) == Some(member));
                members
            }
        };
        values.into_iter().any(|value| {
            let mut next = row;
            if let Some(slot) = next.get_mut(at) {
                *slot = value;
            }
            self.filled(def, player, at + 1, (given, next), visit)
        })
    }

    /// Adds the members of a parameter's base set.
    pub(crate) fn add_base(&mut self, base: NodeId, (player, row): (Player, &Row), members: &mut Vec<Value>) {
        self.asked_by(player, row).blindly_each(base, members);
    }

    /// Whether a condition is true. It counts as true if the watcher may not see whether it is.
    pub(crate) fn may_hold(&mut self, condition: NodeId, (player, row): (Player, &Row)) -> bool {
        let mut eval = self.asked_by(player, row);
        eval.holds(condition) || eval.peeked
    }

    /// Whether a member of a parameter's base set belongs to its domain. The values of the parameters before it are known.
    pub fn belongs(&mut self, domain: NodeId, member: Value, (player, row): (Player, &Row)) -> bool {
        self.asked_by(player, row).is_blindly_in(domain, member)
    }

    fn is_blindly_in(&mut self, set: NodeId, member: Value) -> bool {
        match self.program.nodes.get(set).copied() {
            Some(Node::Where(inner, condition)) => self.is_blindly_in(inner, member) && self.blindly(member, condition),
            Some(Node::With { value, body }) => {
                let value = self.value(value);
                self.bind(value, |eval| eval.is_blindly_in(body, member))
            }
            _ => true,
        }
    }

    /// Whether a member satisfies a condition. It counts as satisfying it if the watcher may not see whether it does.
    fn blindly(&mut self, member: Value, condition: NodeId) -> bool {
        let before = std::mem::replace(&mut self.peeked, false);
        let fits = self.bind(member, |eval| eval.holds(condition)) || self.peeked;
        self.peeked = before;
        fits
    }

    /// Whether the condition is true and nothing forbids the option.
    fn may_take(&mut self, def: &OptionDef, player: Player, row: &Row) -> bool {
        self.may_hold(def.condition, (player, row)) && !self.is_forbidden(def, player, row)
    }

    /// Whether an effect in force forbids the player to take an option with these arguments.
    pub(crate) fn is_forbidden(&mut self, def: &OptionDef, player: Player, row: &Row) -> bool {
        let watched = self.state.effects.watching.get(usize::from(def.verb.0)).copied().unwrap_or(0) > 0;
        let what = Happening { verb: def.verb, args: row, lists: self.lists, cause: Cause::Rule };
        watched && self.asked_by(player, row).forbidden(what).is_some()
    }

    /// An evaluation in which the option's parameters have these values.
    pub fn asked_by<'e>(&'e self, player: Player, row: &'e Row) -> Eval<'e> {
        let mut eval = Eval::new(self.program, self.state, row, self.lists, player, Value::Undefined);
        eval.carry_on(self);
        eval.cache = self.cache;
        eval
    }

    /// Adds the members of a set. A member also counts if the watcher may not see whether it belongs to the set.
    fn blindly_each(&mut self, set: NodeId, members: &mut Vec<Value>) {
        if let Some(Node::Where(inner, condition)) = self.program.nodes.get(set).copied() {
            let first = members.len();
            self.blindly_each(inner, members);
            let mut end = first;
            for at in first..members.len() {
                let Some(member) = members.get(at).copied().filter(|member| self.blindly(*member, condition)) else { continue };
                if let Some(slot) = members.get_mut(end) {
                    *slot = member;
                }
                end += 1;
            }
            return members.truncate(end);
        }
        if let Some(Node::With { value, body }) = self.program.nodes.get(set).copied() {
            let value = self.value(value);
            return self.bind(value, |eval| eval.blindly_each(body, members));
        }
        self.each(set, &mut |_, member| {
            members.push(member);
            false
        });
    }
}
