//! Finds abilities that are missing from the abilities of a card, because an effect has taken them from the card.

use super::{Answer, Fact, Influence, rules_of_effect};
use crate::eval::Eval;
use crate::ids::{AbilityId, NodeId};
use crate::program::Node;
use crate::value::Value;

impl Eval<'_> {
    /// Reports the abilities that a card has lost, if the set is that of its abilities and a lost ability fulfils more of the condition than
    /// the abilities that the card still has. Gives whether something was reported.
    pub(super) fn lost_ability(&mut self, (set, condition): (NodeId, NodeId), members: &[Value], depth: u8, answer: &mut Answer) -> bool {
        let Some(Node::Abilities(card)) = self.program.nodes.get(set).copied() else { return false };
        let card = self.value(card);
        let lost = self.lost_by(card);
        if lost.is_empty() {
            return false;
        }
        let mut count = |ability: Value| if condition == NodeId::NONE { 1 } else { self.bind(ability, |eval| eval.fulfilled(condition)) };
        let here = members.iter().map(|ability| count(*ability)).max().unwrap_or(0);
        let lost: Vec<(usize, Value, u32)> = lost.into_iter().map(|(ability, by)| (count(ability), ability, by)).collect();
        let most = lost.iter().map(|(count, ..)| *count).max().unwrap_or(0);
        if most <= here {
            return false;
        }
        for (_, ability, by) in lost.into_iter().filter(|(count, ..)| *count == most) {
            if let Some(effect) = self.state.effects.get(by) {
                answer.say(depth, Fact::Lost(ability, Influence::of(effect)), rules_of_effect(self.program, effect));
            }
        }
        true
    }

    /// The abilities that a card has lost, printed ones and given ones, each with the effect that took it.
    fn lost_by(&mut self, card: Value) -> Vec<(Value, u32)> {
        let Some((id, object)) = self.object(card) else { return Vec::new() };
        let (state, life) = (self.state, object.life as u16);
        let Some((first, count)) = self.program.cards.get(object.card).map(|card| card.abilities) else { return Vec::new() };
        let reference = state.board.reference(id);
        let printed = (0..count).map(|index| (AbilityId(first.0 + index), None));
        let granted = state.effects.granted.iter().filter(|granted| granted.to == reference);
        let granted = granted.map(|granted| (granted.ability, Some(granted.by)));
        let all: Vec<(AbilityId, Option<u32>)> = printed.chain(granted).collect();
        let ability = |which| Value::Ability { of: id, ability: which, life };
        all.into_iter().filter_map(|(which, by)| Some((ability(which), self.silencer(ability(which), by, true)?))).collect()
    }
}
