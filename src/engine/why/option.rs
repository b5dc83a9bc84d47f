//! Finds why a player cannot take an option: no possible arguments, a false condition, a prohibition, a failed trial. Also lists the ways
//! to act that an offer leaves out.

use super::can::outside;
use super::{Answer, Doable, Fact, rules_of_effect};
use crate::eval::Eval;
use crate::eval::watch::Happening;
use crate::fault::{Fault, broken};
use crate::ids::{CitesId, Id, NodeId, OptionId, Pc};
use crate::legal::options::Row;
use crate::limits::CANDIDATES;
use crate::machine::{Asked, Machine, QuestionId};
use crate::program::{Op, OptionParam, Principle};
use crate::state::board::zone_of;
use crate::state::{Cause, MOST_ARGUMENTS};
use crate::value::{Player, Value};

/// The most failing ways of one option that are tried, because each trial is a run of its own.
const MOST_WAYS: usize = 12;

/// A way to act that an offer leaves out.
#[derive(Clone, Debug, PartialEq)]
pub struct NotOffered {
    /// The option with its arguments. Without arguments if the option cannot be taken with any.
    pub play: Value,
    /// The members of the arguments.
    pub lists: Vec<Value>,
    /// The reasons against this way to act.
    pub answer: Answer,
}

impl NotOffered {
    fn way(option: OptionId, args: &[Value], answer: Answer) -> Self {
        let lists: Vec<Value> = args.iter().copied().chain([Value::Undefined]).collect();
        Self { play: Value::Play { count: lists.len() as u8, option, start: 0 }, lists, answer }
    }
}

impl Machine {
    /// The ways to act that an open, listed offer leaves out: options that cannot be taken in any way, and ways to take an option that fail
    /// on the way. Each comes with what prevents it.
    #[must_use]
    pub fn not_offered(&self, question: QuestionId) -> Vec<NotOffered> {
        let (program, state) = (self.program(), self.state());
        let Some(asked) = self.questions().find(|asked| asked.id == question && asked.listed) else { return Vec::new() };
        let Some(branch) = state.control.branches.get(usize::from(question.0)) else { return Vec::new() };
        let Some((actor, groups)) = self.offered(&asked) else { return Vec::new() };
        let mut missing = Vec::new();
        for (id, def) in program.options.iter().filter(|(_, def)| groups.iter().any(|group| in_group(&def.groups, *group))) {
            let offered: Vec<&[Value]> = asked.domain.iter().filter_map(|play| args_of(*play, id, asked.lists)).collect();
            let (rows, count) = (self.plays_of(id, actor, &branch.lists), def.params.len());
            let not_offered = |row: &&Row| row.get(..count).is_some_and(|args| !offered.iter().any(|known| known.starts_with(args)));
            let why = |args: Row, given: u8| self.why_can(&Doable { verb: def.verb, args, lists: Vec::new(), given, you: actor });
            let all = (1_u8 << count.min(7)) - 1;
            let failing = rows
                .iter()
                .filter(not_offered)
                .take(MOST_WAYS)
                .map(|row| NotOffered::way(id, row.get(..count).unwrap_or_default(), why(*row, all)));
            missing.extend(failing.filter(|way| !way.answer.is_possible()));
            if offered.is_empty() && rows.is_empty() {
                missing.push(NotOffered::way(id, &[], why([Value::Undefined; MOST_ARGUMENTS], 0)));
            }
        }
        missing
    }

    /// The player who acts in an open offer (another player may decide for this player), and the groups of options that are offered.
    fn offered(&self, asked: &Asked<'_>) -> Option<(Player, Vec<Value>)> {
        let (program, state) = (self.program(), self.state());
        let branch = state.control.branches.get(usize::from(asked.id.0))?;
        let frame = branch.frames.last()?;
        let Some(Op::Offer { choice, from, .. }) = program.code.get(frame.pc.before()).copied() else { return None };
        let locals = branch.registers.get(frame.base as usize..).unwrap_or_else(|| broken(Fault::Registers));
        let mut eval = Eval::new(program, state, locals, &branch.lists, frame.you, frame.this);
        let groups = program.args_of(from).iter().map(|group| eval.value(*group)).collect();
        let actor = eval.player(program.choices.get(choice).map_or(NodeId::NONE, |def| def.by)).unwrap_or(asked.player);
        Some((actor, groups))
    }

    /// Whether a player is asked to act at present, by an offer with this option's groups.
    pub(super) fn is_asked_for(&self, option: OptionId, player: Player) -> bool {
        let groups = self.program().options.get(option).map_or(&[][..], |def| &def.groups);
        let mut offers = self.questions().filter(|asked| !asked.answered).filter_map(|asked| self.offered(&asked));
        offers.any(|(actor, offered)| actor == player && offered.iter().any(|group| in_group(groups, *group)))
    }

    /// Whether an open offer to this player has this option's groups, but lists no way with the given arguments.
    pub(super) fn leaves_out(&self, option: OptionId, given: u8, args: Row) -> bool {
        let Some(def) = self.program().options.get(option) else { return false };
        let count = def.params.len();
        let player = args.get(count).and_then(|value| value.player());
        let fits = |known: &[Value]| (0..count).all(|at| given & (1 << at) == 0 || known.get(at) == args.get(at));
        let of_player = |asked: &Asked<'_>| {
            let offered = self.offered(asked).filter(|_| asked.listed && !asked.answered);
            offered.is_some_and(|(actor, groups)| Some(actor) == player && groups.iter().any(|group| in_group(&def.groups, *group)))
        };
        let mut offers = self.questions().filter(of_player).peekable();
        offers.peek().is_some()
            && !offers.any(|asked| asked.domain.iter().any(|play| args_of(*play, option, asked.lists).is_some_and(fits)))
    }

    /// Whether a way to act is left out because the player has repeated it as often as named.
    pub(super) fn is_repeated(&self, option: OptionId, what: &super::Doable) -> bool {
        let count = self.program().options.get(option).map_or(0, |def| def.params.len());
        let player = what.args.get(count).and_then(|value| value.player()).unwrap_or(what.you);
        crate::run::repeats::bars_option(self.state(), player, option, &what.args)
    }

    /// The ways to take an option that its domains, its condition and the prohibitions in force allow, as far as the player may know.
    fn plays_of(&self, option: OptionId, player: Player, lists: &[Value]) -> Vec<Row> {
        let mut eval = Eval::new(self.program(), self.state(), &[], lists, player, Value::Undefined);
        eval.watcher = Some(player);
        let mut rows = Vec::new();
        eval.each_play(option, player, (0, [Value::Undefined; MOST_ARGUMENTS]), &mut |row| {
            rows.push(*row);
            rows.len() > CANDIDATES
        });
        rows
    }

    /// Finds what prevents an option. Gives the arguments with which the option would be taken: the given ones, or else the first possible
    /// ones.
    pub(super) fn option_in_the_way(&self, what: &Doable, option: OptionId, answer: &mut Answer) -> Row {
        let program = self.program();
        let Some(def) = program.options.get(option) else { return what.args };
        let count = def.params.len();
        let player = what.args.get(count).and_then(|value| value.player()).unwrap_or(what.you);
        if !self.is_asked_for(option, player) {
            answer.say(1, Fact::NotAsked, []);
        }
        let mut possible = None;
        let mut eval = Eval::new(program, self.state(), &[], &what.lists, player, Value::Undefined);
        eval.each_play(option, player, (what.given, what.args), &mut |row| {
            let tried = self.has_tried(player, option, row);
            if !tried || possible.is_none() {
                possible = Some((*row, tried));
            }
            !tried
        });
        let cites = program.verbs.get(def.verb).map_or_else(CitesId::default, |verb| verb.name.cites);
        match possible {
            Some((row, false)) => return row,
            Some((row, true)) => {
                answer.say(1, Fact::Tried, [cites]);
                return row;
            }
            None => {}
        }
        let mut row = what.args;
        if let Some(slot) = row.get_mut(count) {
            *slot = Value::Player(player);
        }
        for (at, param) in def.params.iter().enumerate() {
            let given = what.given & (1 << at) != 0;
            let mut eval = eval.asked_by(player, &row);
            let value = match *param {
                OptionParam::Default(_) if given => row.get(at).copied(),
                OptionParam::Default(node) => Some(eval.value(node)),
                OptionParam::In(domain) => match row.get(at).copied().filter(|_| given) {
                    Some(value) if !eval.contains(domain, value) => {
                        outside(&mut eval, domain, value, (Pc::NOWHERE, &[cites]), 1, answer);
                        self.lies(value, answer);
                        return row;
                    }
                    Some(value) => Some(value),
                    None => {
                        let mut first = None;
                        eval.each(domain, &mut |_, member| {
                            first = Some(member);
                            true
                        });
                        first
                    }
                },
            };
            let Some(value) = value else {
                answer.say(1, Fact::Lacking(def.verb, at as u8, crate::steps::Why::Nothing), [cites]);
                return row;
            };
            if let Some(slot) = row.get_mut(at) {
                *slot = value;
            }
        }
        let mut eval = eval.asked_by(player, &row);
        if !eval.holds(def.condition) {
            let decisive = eval.rules_of_decisive(def.condition);
            answer.say(1, Fact::Unmet(def.verb), std::iter::once(cites).chain(decisive));
            eval.part_that_fails(def.condition, answer);
            return row;
        }
        let happening = Happening { verb: def.verb, args: &row, lists: &what.lists, cause: Cause::Rule };
        if let Some(number) = eval.forbidden(happening)
            && let Some(effect) = self.state().effects.in_force.iter().find(|effect| effect.number == number)
        {
            let cites = rules_of_effect(program, effect).into_iter().chain([program.principle(Principle::Forbidden)]);
            answer.say(1, Fact::Forbidden(super::Influence::of(effect)), cites);
        }
        row
    }

    fn has_tried(&self, player: Player, option: OptionId, row: &Row) -> bool {
        let state = self.state();
        let idle = state.control.idle.as_deref().filter(|idle| idle.plays.contains(&(player, option, *row)));
        idle.is_some_and(|idle| idle.is_of(state))
    }

    fn lies(&self, value: Value, answer: &mut Answer) {
        if let Value::Object { id, .. } = value
            && let Some(object) = self.state().board.object(id)
        {
            let zone = zone_of(self.program(), object.place).0;
            if zone.index() < self.program().zones.len() {
                answer.say(2, Fact::Lies(value, object.place, object.face_up), []);
            }
        }
    }
}

/// The arguments of a way to take this option.
fn args_of(play: Value, of: OptionId, lists: &[Value]) -> Option<&[Value]> {
    match play {
        Value::Play { count, option, start } if option == of => lists.get(start as usize..start as usize + usize::from(count)),
        _ => None,
    }
}

fn in_group(groups: &[crate::ids::GroupId], group: Value) -> bool {
    matches!(group, Value::Group(group) if groups.contains(&group))
}
