//! Windows of timings: abilities that come while a window is open can hear of the timing as well (`hear_again()`).

use crate::actions::perform::{Args, copied};
use crate::effects::untold_changes::NO_EFFECT;
use crate::eval::watch::Happening;
use crate::fault::{Fault, broken};
use crate::ids::{ArgsId, Reg, VerbId};
use crate::program::WindowDef;
use crate::run::Run;
use crate::run::step::{get, set};
use crate::state::readings;
use crate::state::{Branch, Cause, Event, FailureKind, Frame, Role};
use crate::steps::Observer;
use crate::value::Value;
use std::ops::Range;

impl<O: Observer> Run<'_, O> {
    /// `hear_again()`: lets abilities wait that have come since the innermost window opened (or since the last `hear_again` there) and that
    /// hear the window's timing. The result is the set of these abilities. Without an open window the set is empty.
    pub fn hear_again(&mut self, branch: &mut Branch, at: u16, result: Reg) {
        let windows = &self.program.windows;
        readings::note_whole(readings::part::REGISTERS);
        let of = |frame: &Frame| Some((frame.base as usize, *windows.iter().find(|window| window.routine == frame.routine)?));
        // A rule or an ability that runs inside a window does not count as part of the window.
        let mut within = true;
        let calls = branch.frames.iter().rev().take_while(|frame| std::mem::replace(&mut within, matches!(frame.role, Role::Plain)));
        let open = calls.into_iter().find_map(of);
        let (first, start) = (self.state.events.next, branch.lists.len());
        if let Some((base, WindowDef { verb, since, several, .. })) = open {
            let since = base + usize::from(since.0);
            let from = branch.registers.get(since).and_then(|value| value.number()).map_or(NO_EFFECT, |from| from as u32);
            if self.state.effects.in_force.iter().any(|effect| effect.number >= from) {
                let count = self.parameters_of(verb);
                for args in events_told(branch, base, count, several) {
                    readings::note_beyond();
                    let events = (0..).zip(self.state.events.history.iter());
                    // Among several events, the event of this member.
                    let is_it = |event: &Event| event.verb == verb && (!several || event.args.first() == args.first());
                    let event = events.filter(|(_, event): &(u32, &Event)| is_it(event)).map(|(at, _)| at).last();
                    let what = Happening { verb, args: &args, lists: &branch.lists, cause: Cause::Rule };
                    self.trigger_from(branch, at, what, event, from);
                }
            }
            if let Some(slot) = branch.registers.get_mut(since) {
                *slot = Value::Number(self.state.effects.next as i32);
            }
        }
        let heard = self.state.events.pending.unnoted().iter().map(|pending| pending.number).filter(|number| *number >= first);
        branch.lists.extend(heard.map(Value::Pending));
        let heard = Value::List { start: start as u32, len: (branch.lists.len() - start) as u16 };
        set(branch, result, heard);
    }

    /// Adds the arguments of an event to those that a register holds, for a window that is opened for several events.
    pub(crate) fn note_told(&mut self, branch: &mut Branch, args: ArgsId, told: Reg) {
        // An event without arguments counts as well.
        let count = self.program.args_of(args).len().max(1);
        let (args, _) = self.arguments(branch, args);
        let before = list_in(branch, get(branch, told));
        let start = branch.lists.len();
        let Ok(len) = u16::try_from(before.len() + count) else {
            return self.fail(FailureKind::Members, branch.now());
        };
        branch.lists.extend_from_within(before);
        branch.lists.extend_from_slice(args.get(..count).unwrap_or(&args));
        set(branch, told, Value::List { start: start as u32, len });
    }

    fn parameters_of(&self, verb: VerbId) -> usize {
        self.program.verbs.get(verb).map_or(0, |verb| verb.parameters.len())
    }
}

/// The part of a branch's lists that a value stands for.
fn list_in(branch: &Branch, value: Value) -> Range<usize> {
    let Value::List { start, len } = value else { return 0..0 };
    let range = start as usize..start as usize + usize::from(len);
    if branch.lists.len() < range.end { 0..0 } else { range }
}

/// The arguments of the events for which a window is open. `several`: the register at `base` holds the arguments of all events.
fn events_told(branch: &Branch, base: usize, count: usize, several: bool) -> Vec<Args> {
    if !several {
        return vec![copied(branch.registers.get(base..base + count).unwrap_or_else(|| broken(Fault::Registers)))];
    }
    let told = list_in(branch, branch.registers.get(base).copied().unwrap_or_default());
    branch.lists.get(told).unwrap_or(&[]).chunks(count.max(1)).map(copied).collect()
}
