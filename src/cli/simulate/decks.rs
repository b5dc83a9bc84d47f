//! Decks drawn at random among the legal ones.

use crate::compile::check_deck;
use crate::engine::ids::CardId;
use crate::engine::program::Program;
use crate::engine::random::Generator;

/// How often each place of the deck is tried to be filled anew.
const ROUNDS: usize = 6;

/// A legal deck of cards of a pool: one that is legal, of which cards have been replaced again and again by others as long as the deck check
/// allowed it. After some rounds hardly a card of the first one is left.
#[must_use]
pub fn drawn(program: &Program, legal: &[CardId], pool: &[CardId], chance: &mut Generator) -> Vec<CardId> {
    let mut deck = legal.to_vec();
    for _ in 0..ROUNDS * deck.len() {
        let at = chance.below(deck.len() as u32) as usize;
        let card = pool.get(chance.below(pool.len() as u32) as usize).copied();
        let (Some(slot), Some(card)) = (deck.get_mut(at), card) else { return deck };
        let before = std::mem::replace(slot, card);
        if !check_deck(program, &deck).is_empty()
            && let Some(slot) = deck.get_mut(at)
        {
            *slot = before;
        }
    }
    deck
}
