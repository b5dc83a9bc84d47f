//! Goofspiel with thirteen cards. The players bid their hands, card by card, for prizes that turn up in random order.
//!
//! The whole game is two hands, one prize deck and two scores. It deliberately has no pile of used bids
//! (used bids never return, and the hands show which they were) and no card names: a card is its value.

use super::{Answers, Decision, Native, Player};
use gyoji::engine::random::Generator;

/// Cards in each hand and prizes in the deck.
pub(crate) const CARDS: usize = 13;

/// The values 1 to 13 in order. The array is padded to sixteen, so a place taken modulo 16 is always inside.
const IN_ORDER: [u8; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 0, 0];

/// The only question of the game: which card of your hand do you bid? The answer is the card's place in the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bid;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Won(Player),
    Draw,
}

/// The cards of a hand in order, the first card lowest, four bits for each
/// card. Thirteen cards fit into one register, and a shift takes a card out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hand(u64);

impl Hand {
    const FULL: Self = Self(0x0D_CBA9_8765_4321);

    #[inline]
    fn card(self, place: u8) -> u8 {
        (self.0 >> (place % 16 * 4)) as u8 & 0xF
    }

    /// Takes out the card at `place`. The cards after it move up.
    #[inline]
    fn take(&mut self, place: u8) -> u8 {
        let before = (1 << (place % 16 * 4)) - 1;
        let card = self.card(place);
        self.0 = self.0 & before | self.0 >> 4 & !before;
        card
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Goofspiel {
    hands: [Hand; 2],
    /// The prizes, bottom first. The players bid for the prize at `left`; the prizes above it are gone.
    prizes: [u8; 16],
    /// Prizes still face down.
    left: usize,
    scores: [u32; 2],
    /// Places of the chosen hand cards. Both bids stay secret until both are made.
    bids: [Option<u8>; 2],
    outcome: Option<Outcome>,
}

impl Goofspiel {
    #[must_use]
    pub(crate) fn new() -> Self {
        Self { hands: [Hand::FULL; 2], prizes: IN_ORDER, left: CARDS - 1, scores: [0; 2], bids: [None; 2], outcome: None }
    }

    /// A player's hand in order.
    pub(crate) fn hand(&self, player: Player) -> impl Iterator<Item = u8> + use<> {
        let hand = self.hands[player as usize];
        (0..self.in_hand() as u8).map(move |place| hand.card(place))
    }

    /// Prizes not yet revealed, bottom first.
    #[must_use]
    pub(crate) fn face_down(&self) -> &[u8] {
        &self.prizes[..self.left]
    }

    /// The prize that the players bid for; `None` when the game is over.
    #[must_use]
    pub(crate) fn revealed(&self) -> Option<u8> {
        self.outcome.is_none().then(|| self.prize())
    }

    #[must_use]
    pub(crate) fn score(&self, player: Player) -> u32 {
        self.scores[player as usize]
    }

    /// Number of the round being played, from 1.
    #[must_use]
    pub(crate) fn round(&self) -> usize {
        CARDS - self.left
    }

    #[must_use]
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn in_hand(&self) -> usize {
        if self.outcome.is_some() { 0 } else { self.left + 1 }
    }

    #[inline]
    fn prize(&self) -> u8 {
        self.prizes[self.left % 16]
    }

    /// Takes the bids at these places and gives the prize to the higher bid. If the bids are equal, nobody gets the prize.
    #[inline]
    fn award(&mut self, places: [u8; 2]) {
        let [a, b] = [self.hands[0].take(places[0]), self.hands[1].take(places[1])];
        let prize = u32::from(self.prize());
        self.scores[0] += prize * u32::from(a > b);
        self.scores[1] += prize * u32::from(b > a);
    }

    /// Gives the prize away and reveals the next one. For the last prize each player bids the only card left, without a question.
    #[inline]
    fn end_round(&mut self, places: [u8; 2]) {
        self.award(places);
        self.left -= 1;
        if self.left == 0 {
            self.award([0; 2]);
            self.outcome = Some(self.compare_scores());
        }
    }

    fn compare_scores(&self) -> Outcome {
        match self.scores {
            [a, b] if a > b => Outcome::Won(Player::A),
            [a, b] if a < b => Outcome::Won(Player::B),
            _ => Outcome::Draw,
        }
    }
}

impl Native for Goofspiel {
    type Question = Bid;

    fn start(&mut self, mut generator: Generator) {
        *self = Self::new();
        generator.shuffle(&mut self.prizes[..CARDS]);
    }

    #[inline]
    fn decisions(&self) -> [Option<Decision<Bid>>; 2] {
        Player::BOTH.map(|player| {
            let asked = self.outcome.is_none() && self.bids[player as usize].is_none();
            asked.then_some(Decision { player, question: Bid })
        })
    }

    #[inline]
    fn legal(&self, _: Decision<Bid>, answers: &mut Answers) {
        answers.list_from(0, self.left + 1);
    }

    #[inline(always)] // a round is shorter than what a call saves and restores
    fn answer(&mut self, player: Player, place: u8) {
        debug_assert!(usize::from(place) < self.in_hand() && self.bids[player as usize].is_none());
        self.bids[player as usize] = Some(place);
        if let [Some(a), Some(b)] = self.bids {
            self.bids = [None; 2];
            self.end_round([a, b]);
        }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.outcome.is_some()
    }
}
