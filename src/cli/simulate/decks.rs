//! Draws random legal decks.

use compile::check_deck;
use engine::ids::CardId;
use engine::program::Program;
use engine::random::Generator;

/// How often each place of the deck is replaced, on average.
const ROUNDS: usize = 6;

/// A random legal deck from a pool. It starts from a legal deck and replaces random cards many times, each time only if the deck check
/// allows the new card. In the end, hardly any card of the first deck is left.
#[must_use]
pub(super) fn drawn(program: &Program, legal: &[CardId], pool: &[CardId], chance: &mut Generator) -> Vec<CardId> {
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
