//! History: finds past events, the most recent of them, their arguments and their causes (docs/kernel/information.md, "History").

use crate::eval::watch::Happening;
use crate::eval::{Eval, Visit};
use crate::fault::listed;
use crate::ids::{EventFieldId, NodeId, PatternId, VerbId};
use crate::limits::WORK_OF_AN_EVENT;
use crate::program::{Since, SinceWord};
use crate::state::{Event, readings};
use crate::value::Value;

impl<'a> Eval<'a> {
    /// Whether an event that matches the pattern has happened since a mark.
    pub(crate) fn has_happened(&mut self, pattern: PatternId, since: SinceWord) -> bool {
        self.each_event(pattern, since, &mut |_, _| true)
    }

    /// The most recent event that matches the pattern since a mark.
    pub(crate) fn latest(&mut self, pattern: PatternId, since: SinceWord) -> Value {
        let from = self.since(since);
        let state = self.state;
        let mut looked_at = 0;
        readings::note_events(from);
        let found =
            state.events.history.since(from).rev().inspect(|_| looked_at += 1).find(|(at, event)| self.matched(pattern, *at, event));
        state.effects.asked.work.add(looked_at * WORK_OF_AN_EVENT);
        found.map_or(Value::Undefined, |(at, _)| Value::Event(at as u32))
    }

    /// Visits the events that match the pattern, the oldest first.
    pub(crate) fn each_event(&mut self, pattern: PatternId, since: SinceWord, visit: Visit<'_, 'a>) -> bool {
        let from = self.since(since);
        let state = self.state;
        let mut looked_at = 0;
        readings::note_events(from);
        let mut events = state.events.history.since(from).inspect(|_| looked_at += 1);
        let found = events.any(|(at, event)| self.matched(pattern, at, event) && visit(self, Value::Event(at as u32)));
        state.effects.asked.work.add(looked_at * WORK_OF_AN_EVENT);
        found
    }

    /// The place in history where a question begins. If the mark has not been set, or if there is no such event, the beginning of the game.
    fn since(&mut self, since: SinceWord) -> usize {
        self.read(crate::bits::Spots::HISTORY);
        let since = match since.get() {
            Since::Beginning => return 0,
            Since::Event(event) => return if let Value::Event(at) = self.value(event) { at as usize + 1 } else { 0 },
            Since::Mark(mark) => mark,
        };
        let marked = self.state.events.marks.iter().rev().find(|(name, _)| *name == since);
        marked.map_or(0, |(_, at)| *at as usize)
    }

    /// Whether an event matches a pattern. The pattern's conditions read the event's cards as they were at the event.
    fn matched(&mut self, pattern: PatternId, at: usize, event: &Event) -> bool {
        let state = self.state;
        let happening = Happening { verb: event.verb, args: &event.args, lists: &state.events.lists, cause: event.cause };
        self.of_event(at as u32, |eval| eval.matches(pattern, happening))
    }

    /// The event that a node names.
    fn event(&mut self, node: NodeId) -> Option<&'a Event> {
        let Value::Event(at) = self.value(node) else { return None };
        self.read(crate::bits::Spots::HISTORY);
        readings::note_events(at as usize);
        self.state.events.history.get(at as usize)
    }

    /// An argument of an event, by the name that its verb has for the argument.
    pub(crate) fn event_argument(&mut self, node: NodeId, field: EventFieldId) -> Value {
        let Some(event) = self.event(node) else { return Value::Undefined };
        let places = self.program.event_fields.get(field).map_or(&[][..], |field| &field.places);
        let at = places.iter().find(|(verb, _)| *verb == event.verb);
        at.and_then(|(_, at)| event.args.get(usize::from(*at))).copied().unwrap_or_default()
    }

    /// Visits the members of an argument of an event. A single value is one member.
    pub(crate) fn each_argument(&mut self, node: NodeId, field: EventFieldId, visit: Visit<'_, 'a>) -> bool {
        match self.event_argument(node, field) {
            Value::Undefined => false,
            Value::List { start, len } => {
                let state = self.state;
                let members = listed(&state.events.lists, start, len);
                members.iter().any(|member| visit(self, *member))
            }
            one => visit(self, one),
        }
    }

    /// The cause of an event.
    pub(crate) fn event_cause(&mut self, node: NodeId) -> Value {
        self.event(node).map_or(Value::Undefined, |event| event.cause.value())
    }

    /// Whether an event is a declared timing.
    pub(crate) fn is_timing(&mut self, node: NodeId) -> bool {
        self.event(node).and_then(|event| self.program.verbs.get(event.verb)).is_some_and(|verb| verb.timing)
    }

    /// Whether an event has this verb.
    pub(crate) fn is_event(&mut self, node: NodeId, verb: VerbId) -> bool {
        self.event(node).is_some_and(|event| event.verb == verb)
    }
}
