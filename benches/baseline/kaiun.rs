//! 開運コロシアム with cards that have no text; comments cite its comprehensive rules, ver. 1.
//!
//! The state is the six zones of each player (3-1-1), so it can be compared with another implementation
//! at every decision. It deliberately has no card texts, no conceding and no faces: every face-down
//! card turns up before anybody is asked again. It also leaves out situations that cannot happen
//! without texts. An empty deck is refreshed until it has a card or its owner loses (reading A7 b). So
//! everybody draws each turn and always has a hand card to set, and every battle has two cards.

use super::{Answers, Decision, Native, Player};
use gyoji::engine::random::Generator;

/// Cards in a deck (5-1-2).
pub(crate) const DECK: usize = 30;

/// The answer "none": the card in the battle area stays. This number stands directly before hand place 0.
pub(crate) const KEEP: u8 = u8::MAX;

/// The value of `battle` when no card is in the battle area.
const NO_CARD: u8 = u8::MAX;

/// Barrier cards at the beginning (5-2-1-3).
const BARRIERS: usize = 5;

/// More places than any hand fills. A hand has at most eleven cards: one from the first
/// draw, one for each turn in which its owner kept a card that had won, and one for
/// each barrier lost in battle. A player who wins or loses five battles ends the game.
const HAND_ROOM: usize = 16;

/// What is printed on a card without text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Card {
    pub janken: Janken,
    /// 運値(カチ), used by the winner of the janken.
    pub win: u8,
    /// 運値(アイコ・マケ), used by the loser and on a tie.
    pub lose: u8,
    pub cost: u8,
}

/// A sign. Each sign beats the next one, and the last sign beats the first (2-2-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Janken {
    Rock,
    Scissors,
    Paper,
}

impl Janken {
    #[inline]
    fn beats(self, other: Self) -> bool {
        (self as u8 + 1) % 3 == other as u8
    }

    fn from_answer(answer: u8) -> Self {
        match answer {
            0 => Self::Rock,
            1 => Self::Scissors,
            _ => Self::Paper,
        }
    }
}

/// What a player can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Which hand card do you set? (6-3-1) An answer is its place in the hand.
    MustSet,
    /// Which hand card replaces the card in your battle area? (6-3-2) The answer is [`KEEP`] or a place in the hand.
    MaySwap,
    /// Which sign do you show? (1-2-3) 0 rock, 1 scissors, 2 paper.
    Sign,
}

/// The zones of a player that hold any number of cards. The battle area has its own accessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    Deck,
    Hand,
    Barrier,
    Trash,
    Cost,
}

/// A pile of cards, the bottom card first.
#[derive(Clone, Debug)]
struct Zone {
    /// The cards of the zone are those below `count`. Anything at `count` and above is left over and means nothing.
    cards: [u8; Self::ROOM],
    count: usize,
}

impl Zone {
    /// More than a deck holds, so that [`Zone::take_reversed`] can leave cards
    /// over. A power of two, so that a place modulo this number needs no check.
    const ROOM: usize = 64;
    const EMPTY: Self = Self { cards: [0; Self::ROOM], count: 0 };

    #[inline]
    fn as_slice(&self) -> &[u8] {
        &self.cards[..self.count]
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    fn put(&mut self, card: u8) {
        self.put_if(true, card);
    }

    /// Puts `card` on top if `wanted`. There is no branch here, because the processor could not predict it.
    #[inline]
    fn put_if(&mut self, wanted: bool, card: u8) {
        self.cards[self.count % Self::ROOM] = card;
        self.count += usize::from(wanted);
    }

    /// The top card of a zone that is not empty.
    #[inline]
    fn top(&self) -> u8 {
        self.cards[self.count.wrapping_sub(1) % Self::ROOM]
    }

    #[inline]
    fn take_top(&mut self) -> u8 {
        let card = self.top();
        self.count -= 1;
        card
    }

    /// Takes `number` cards from the top of `other` one by one.
    #[inline(always)] // The number is nearly always small, so a call would cost more than the work
    fn take_reversed(&mut self, other: &mut Self, number: usize) {
        // Costs are small and differ from card to card. Four blind copies are faster than a loop whose end is hard to predict.
        self.copy_reversed(other, 0..4);
        if number > 4 {
            self.copy_reversed(other, 4..number);
        }
        self.count += number;
        other.count -= number;
    }

    #[inline]
    fn copy_reversed(&mut self, other: &Self, steps: std::ops::Range<usize>) {
        for step in steps {
            let from = other.count.wrapping_sub(step + 1) % Self::ROOM;
            self.cards[(self.count + step) % Self::ROOM] = other.cards[from];
        }
    }

    /// Takes the card at `place` out of a hand. The cards after it move up. [`KEEP`] takes nothing and returns a leftover.
    #[inline]
    fn take_at(&mut self, place: u8) -> u8 {
        // KEEP becomes a place that no hand fills. So only leftovers move, and there is no branch to predict.
        let from = usize::from(place) % 32;
        let card = self.cards[from];
        // A fixed number of cards, leftovers included: one load and one store instead of a call of `memmove`.
        self.cards.copy_within(from + 1..from + 1 + HAND_ROOM, from);
        self.count -= usize::from(place != KEEP);
        card
    }
}

/// One player's side of the table.
#[derive(Clone, Debug)]
struct Side {
    deck: Zone,
    hand: Zone,
    barrier: Zone,
    trash: Zone,
    cost: Zone,
    /// The card in the battle area, or [`NO_CARD`].
    battle: u8,
    open: Option<Question>,
    answer: u8,
    /// The player has refreshed without a barrier (9-3-3). `judge` looks at this when both players are done.
    losing: bool,
}

impl Side {
    const EMPTY: Self = Self {
        deck: Zone::EMPTY,
        hand: Zone::EMPTY,
        barrier: Zone::EMPTY,
        trash: Zone::EMPTY,
        cost: Zone::EMPTY,
        battle: NO_CARD,
        open: None,
        answer: 0,
        losing: false,
    };

    /// Puts thirty cards into the deck, in the order of the deck list, and empties all other zones.
    fn reset(&mut self, first: u8) {
        for (card, number) in self.deck.cards.iter_mut().zip(first..first + DECK as u8) {
            *card = number;
        }
        self.deck.count = DECK;
        self.hand.count = 0;
        self.barrier.count = 0;
        self.trash.count = 0;
        self.cost.count = 0;
        self.battle = NO_CARD;
        self.open = None;
        self.losing = false;
    }

    fn deal_barrier(&mut self) {
        self.barrier.take_reversed(&mut self.deck, BARRIERS);
    }

    /// Draws a card. Returns whether the deck is empty now.
    #[inline]
    fn draw(&mut self) -> bool {
        let card = self.deck.take_top();
        self.hand.put(card);
        self.deck.is_empty()
    }

    /// Asks which card to set (6-3-1, 6-3-2). If there is only one answer, it is given at once.
    #[inline]
    fn ask_for_card(&mut self) {
        let must = self.battle == NO_CARD;
        let question = if must { Question::MustSet } else { Question::MaySwap };
        self.open = Some(question);
        if must & (self.hand.count == 1) {
            self.open = None;
        }
        self.answer = 0;
    }

    #[inline]
    fn set_chosen(&mut self) {
        let sets = self.answer != KEEP;
        let card = self.hand.take_at(self.answer);
        self.trash.put_if(sets & (self.battle != NO_CARD), self.battle);
        self.battle = if sets { card } else { self.battle };
    }

    /// Takes the top barrier card into the hand if the battle was `lost` (7-1-5-4).
    #[inline]
    fn lose_barrier(&mut self, lost: bool) {
        self.hand.put_if(lost, self.barrier.top());
        self.barrier.count -= usize::from(lost);
    }

    /// Pays one card if the deck has one. Returns whether this payment has emptied the deck.
    fn pay_one(&mut self) -> bool {
        if self.deck.is_empty() {
            return false;
        }
        let card = self.deck.take_top();
        self.cost.put(card);
        self.deck.is_empty()
    }

    /// 6-6-2: the cards of the cost area go to the trash in the order of their arrival.
    fn clear_cost(&mut self) {
        for &card in &self.cost.cards[..self.cost.count] {
            self.trash.put(card);
        }
        self.cost.count = 0;
    }

    /// 6-6-3: a card that did not win goes to the trash.
    #[inline]
    fn trash_fallen(&mut self, fallen: bool) {
        self.trash.put_if(fallen, self.battle);
        self.battle = if fallen { NO_CARD } else { self.battle };
    }

    /// The trash becomes the deck (9-3-1). The deck is empty before.
    fn return_trash(&mut self) {
        self.deck.cards = self.trash.cards;
        self.deck.count = self.trash.count;
        self.trash.count = 0;
    }

    /// 9-3-3 and 9-3-4. Returns whether the deck is still empty and must be refreshed again.
    fn take_penalty(&mut self) -> bool {
        if self.barrier.is_empty() {
            self.losing = true;
            return false;
        }
        let card = self.barrier.take_top();
        self.trash.put(card);
        self.deck.is_empty()
    }
}

/// A game. The same value is used for many games, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Kaiun {
    /// The printed values of the sixty cards. Cards 0 to 29 are player A's in the order of the deck list, 30 to 59 are B's.
    printed: [Card; Zone::ROOM],
    sides: [Side; 2],
    turn: u32,
    outcome: Option<Player>,
    generator: Generator,
}

impl Kaiun {
    /// Makes a game. The decks name their cards by the place in `table`.
    #[must_use]
    pub(crate) fn new(table: &[Card], decks: [[usize; DECK]; 2]) -> Self {
        let blank = Card { janken: Janken::Rock, win: 0, lose: 0, cost: 0 };
        let mut printed = [blank; Zone::ROOM];
        for (card, &kind) in printed.iter_mut().zip(decks.as_flattened()) {
            *card = table[kind];
        }
        Self { printed, sides: [Side::EMPTY; 2], turn: 0, outcome: None, generator: Generator::new(0) }
    }

    /// The cards of a zone, the bottom card first; for a hand, in the order of arrival.
    #[must_use]
    pub(crate) fn zone(&self, player: Player, area: Area) -> &[u8] {
        let side = &self.sides[player as usize];
        match area {
            Area::Deck => side.deck.as_slice(),
            Area::Hand => side.hand.as_slice(),
            Area::Barrier => side.barrier.as_slice(),
            Area::Trash => side.trash.as_slice(),
            Area::Cost => side.cost.as_slice(),
        }
    }

    /// The card in the battle area.
    #[must_use]
    pub(crate) fn battle(&self, player: Player) -> Option<u8> {
        let card = self.sides[player as usize].battle;
        (card != NO_CARD).then_some(card)
    }

    /// The printed values of a card.
    #[must_use]
    pub(crate) fn printed(&self, card: u8) -> Card {
        self.printed[usize::from(card)]
    }

    /// The number of the current turn, from 1.
    #[must_use]
    pub(crate) fn turn(&self) -> u32 {
        self.turn
    }

    /// The winner.
    #[must_use]
    pub(crate) fn outcome(&self) -> Option<Player> {
        self.outcome
    }

    #[inline]
    fn all_answered(&self) -> bool {
        self.sides[0].open.is_none() & self.sides[1].open.is_none()
    }

    /// Goes on after the last question is answered.
    #[inline(never)]
    fn go_on(&mut self, answered: Option<Question>) {
        if answered == Some(Question::Sign) {
            self.compare_signs();
        } else if self.end_turn() {
            self.run();
        }
    }

    /// Begins turns until a player must be asked or the game is over.
    fn run(&mut self) {
        while self.begin_turn() && self.end_turn() {}
    }

    /// Draw phase, and the questions of the set phase. Returns whether the turn goes on without a question.
    #[inline]
    fn begin_turn(&mut self) -> bool {
        self.turn += 1;
        let due = self.sides.each_mut().map(Side::draw);
        if due != [false; 2] && !self.refresh_and_judge(due) {
            return false;
        }
        for side in &mut self.sides {
            side.ask_for_card();
        }
        self.all_answered()
    }

    /// The rest of the turn, after both players have chosen. Returns whether another turn follows.
    #[inline]
    fn end_turn(&mut self) -> bool {
        for side in &mut self.sides {
            side.set_chosen();
        }
        let [a, b] = self.sides.each_ref().map(|side| self.printed[usize::from(side.battle) % Zone::ROOM]);
        let [value_a, value_b] = [value(a, b), value(b, a)];
        let lost = [value_a < value_b, value_b < value_a];
        if !self.settle_battle(lost) || !self.pay([a.cost, b.cost].map(usize::from)) {
            return false;
        }
        self.sides[0].trash_fallen(value_a <= value_b);
        self.sides[1].trash_fallen(value_b <= value_a);
        true
    }

    /// The result of the battle (7-1-5). Returns whether the game goes on.
    #[inline]
    fn settle_battle(&mut self, lost: [bool; 2]) -> bool {
        for player in Player::BOTH {
            if lost[player as usize] & self.sides[player as usize].barrier.is_empty() {
                self.outcome = Some(player.opponent());
                return false;
            }
        }
        self.sides[0].lose_barrier(lost[0]);
        self.sides[1].lose_barrier(lost[1]);
        true
    }

    /// The cost phase up to 6-6-2. Returns whether the game goes on.
    #[inline]
    fn pay(&mut self, costs: [usize; 2]) -> bool {
        let [a, b] = &mut self.sides;
        if (costs[0] >= a.deck.count) | (costs[1] >= b.deck.count) {
            return self.pay_in_lockstep(costs);
        }
        // No deck becomes empty. So nobody can see the single steps, or that the cards pass through the cost area.
        a.trash.take_reversed(&mut a.deck, costs[0]);
        b.trash.take_reversed(&mut b.deck, costs[1]);
        true
    }

    /// Both players pay card by card in the same steps (6-6-1, 6-6-1-1). A player who is losing goes on paying (6-6-1-1-1).
    #[inline(never)]
    fn pay_in_lockstep(&mut self, costs: [usize; 2]) -> bool {
        for step in 0..costs[0].max(costs[1]) {
            let due = Player::BOTH.map(|player| {
                let player = player as usize;
                step < costs[player] && self.sides[player].pay_one()
            });
            self.refresh(due);
        }
        if !self.judge() {
            return false;
        }
        for side in &mut self.sides {
            side.clear_cost();
        }
        true
    }

    /// Refreshes the decks that are `due`. Returns whether the game goes on after that.
    #[inline(never)]
    fn refresh_and_judge(&mut self, due: [bool; 2]) -> bool {
        self.refresh(due);
        self.judge()
    }

    /// Refreshes the decks that are `due`, both in the same steps, and again while a deck stays empty (9-3, reading A7 b).
    fn refresh(&mut self, mut due: [bool; 2]) {
        while due != [false; 2] {
            for player in Player::BOTH.map(|player| player as usize) {
                if due[player] {
                    self.sides[player].return_trash();
                    // A's penalty comes before B's shuffle here. The cards of the two
                    // players never mix, so only the order of the shuffles can be seen.
                    let deck = &mut self.sides[player].deck;
                    self.generator.shuffle(&mut deck.cards[..deck.count]);
                    due[player] = self.sides[player].take_penalty();
                }
            }
        }
    }

    /// Ends the game if a player is losing; if both are, a janken decides (1-2-3). Returns whether the game goes on.
    fn judge(&mut self) -> bool {
        match [self.sides[0].losing, self.sides[1].losing] {
            [false, false] => return true,
            [false, true] => self.outcome = Some(Player::A),
            [true, false] => self.outcome = Some(Player::B),
            [true, true] => self.ask_for_signs(),
        }
        false
    }

    fn ask_for_signs(&mut self) {
        for side in &mut self.sides {
            side.open = Some(Question::Sign);
        }
    }

    /// Compares the two signs. After a tie both players choose again.
    #[inline(never)]
    fn compare_signs(&mut self) {
        let [a, b] = self.sides.each_ref().map(|side| Janken::from_answer(side.answer));
        if a.beats(b) {
            self.outcome = Some(Player::A);
        } else if b.beats(a) {
            self.outcome = Some(Player::B);
        } else {
            self.ask_for_signs();
        }
    }
}

/// The value that `card` uses against `other` (7-1-1).
#[inline]
fn value(card: Card, other: Card) -> u8 {
    if card.janken.beats(other.janken) { card.win } else { card.lose }
}

impl Native for Kaiun {
    type Question = Question;

    fn start(&mut self, generator: Generator) {
        self.generator = generator;
        self.turn = 0;
        self.outcome = None;
        self.sides[0].reset(0);
        self.sides[1].reset(DECK as u8);
        for side in &mut self.sides {
            self.generator.shuffle(&mut side.deck.cards[..DECK]);
        }
        for side in &mut self.sides {
            side.deal_barrier();
        }
        self.run();
    }

    #[inline]
    fn decisions(&self) -> [Option<Decision<Question>>; 2] {
        Player::BOTH.map(|player| {
            let question = self.sides[player as usize].open?;
            Some(Decision { player, question })
        })
    }

    #[inline]
    fn legal(&self, decision: Decision<Question>, answers: &mut Answers) {
        let in_hand = self.sides[decision.player as usize].hand.count;
        if decision.question == Question::Sign {
            return answers.list_from(0, 3);
        }
        let may_keep = decision.question == Question::MaySwap;
        let first = if may_keep { KEEP } else { 0 };
        answers.list_from(first, in_hand + usize::from(may_keep));
    }

    #[inline]
    fn answer(&mut self, player: Player, answer: u8) {
        let side = &mut self.sides[player as usize];
        debug_assert!(side.open.is_some(), "{player:?} is not being asked");
        let question = side.open.take();
        side.answer = answer;
        if self.all_answered() {
            self.go_on(question);
        }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.outcome.is_some()
    }
}
