//! Tells apart the cards of one name among ways to act: `step(「石」 (north, marks 2), s: west)`.

use engine::ids::OptionId;
use engine::machine::Machine;
use engine::state::board::zone_of;
use engine::value::{ObjectId, Player, Value};
use report::{Table, Widths};
use std::collections::BTreeMap;
use tell::{Names, Words, seat};

/// Details after the names of cards that share a name. They tell these cards apart in ways to act with one option.
#[derive(Default)]
pub(super) struct Namesakes {
    details: BTreeMap<(OptionId, ObjectId), String>,
}

impl Namesakes {
    /// Among these ways to act, as the viewer may know the cards. Each way comes with the lists that hold its arguments.
    #[must_use]
    pub(super) fn among<'v>(machine: &Machine, viewer: Player, words: Words, ways: impl Iterator<Item = (&'v [Value], Value)>) -> Self {
        let known = |id| machine.sees(viewer, id);
        let names = Names::new(machine.program(), words).known_to(&known);
        let mut by_name: BTreeMap<(OptionId, String), Vec<ObjectId>> = BTreeMap::new();
        for (lists, way) in ways {
            let Value::Play { option, .. } = way else { continue };
            for (_, value) in names.shown_arguments(lists, way) {
                let Value::Object { id, .. } = value else { continue };
                let of_name = by_name.entry((option, names.object(machine.state(), *id))).or_default();
                if !of_name.contains(id) {
                    of_name.push(*id);
                }
            }
        }
        let several = by_name.iter().filter(|(_, of_name)| of_name.len() > 1);
        let apart = several.flat_map(|((option, _), of_name)| {
            let told = told_apart(machine, viewer, words, of_name).into_iter();
            told.map(|(card, text)| ((*option, card), text))
        });
        Self { details: apart.collect() }
    }

    /// What stands after the name of this card in this way to act. None: nothing.
    #[must_use]
    pub(super) fn of(&self, way: Value, card: ObjectId) -> Option<String> {
        let Value::Play { option, .. } = way else { return None };
        self.details.get(&(option, card)).cloned()
    }
}

/// For each card of one name that has a difference to show: its zone and its controller if these differ, its place and its states.
fn told_apart(machine: &Machine, viewer: Player, words: Words, cards: &[ObjectId]) -> Vec<(ObjectId, String)> {
    let names = Names::new(machine.program(), words);
    let table = Table { machine, viewer: Some(viewer), words, widths: Widths::new(1), columns: usize::MAX };
    let zone = |card: &ObjectId| machine.state().board.object(*card).map(|object| object.place);
    let controller = |card: &ObjectId| machine.controller(*card);
    let several_zones = cards.iter().any(|card| zone(card) != cards.first().and_then(zone));
    let several_controllers = cards.iter().any(|card| controller(card) != cards.first().and_then(controller));
    let of_nobody = |card: &ObjectId| zone(card).is_some_and(|place| zone_of(machine.program(), place).1.is_none());
    let details = cards.iter().map(|card| {
        let zone = zone(card).filter(|_| several_zones).map(|place| names.place(place));
        let whose = controller(card).filter(|_| several_controllers && of_nobody(card)).map(seat);
        let states = Some(table.details_of(*card)).filter(|states| !states.is_empty());
        let all: Vec<String> = [zone, whose, states].into_iter().flatten().collect();
        (*card, all.join(words.plain("list.comma")))
    });
    let details: Vec<(ObjectId, String)> = details.collect();
    let differ = details.iter().any(|(_, text)| Some(text) != details.first().map(|(_, first)| first));
    let shown = details.into_iter().filter(|(_, text)| differ && !text.is_empty());
    shown.map(|(card, text)| (card, words.say("table.states", &[("states", text)]))).collect()
}
