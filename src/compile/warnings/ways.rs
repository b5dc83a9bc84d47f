//! The ways in which an event can happen and in which an ability can hear of it, as far as this is known before any game: which card moves
//! from where to where, whether it is the ability's own card, which life the ability and the event mean.

use super::known::{Because, Card, Facts, Reading, Thing};
use super::surely_moved::surely_moved;
use crate::declarations::names::Signature;
use engine::bits::ZoneSet;
use engine::ids::{NodeId, Reg, ZoneId};
use engine::program::{AbilityDef, ArgMatch, Builtin, EventDef, Looks, Node, Op, OptionParam, PatternDef, Type};

/// The arguments of a move in a pattern.
const WHAT: u8 = 0;
const TO: u8 = 1;
const FROM: u8 = 4;
const WAS: u8 = 5;

/// At most so many ways are tried. A pattern with more counts as possible.
const MOST: usize = 200_000;

/// The ability that hears of the event, or whose clause forbids or replaces it.
pub(super) struct Hearer<'p> {
    /// The ability. `None`: a lasting effect, of whatever card.
    pub(super) ability: Option<&'p AbilityDef>,
    /// Whether cards print the ability. Then `rows` are the types of these cards.
    pub(super) printed: bool,
    /// The types of cards that have it, as numbers of [`Facts::rows`].
    pub(super) rows: Vec<usize>,
    /// Whether the clause reads the event before the event happens.
    pub(super) ahead: bool,
}

/// One way in which the event happens.
struct Way {
    this: Thing,
    args: Vec<(u8, Thing)>,
    one_card: bool,
    /// Whether `this` is the moved card, although the event has the card as it was before.
    has_come: bool,
}

/// The patterns of a game, one after the other.
pub(super) struct Ways<'f, 'p> {
    pub(super) facts: &'f Facts<'p>,
    pub(super) hearer: &'f Hearer<'p>,
    pub(super) pattern: &'p PatternDef,
    pub(super) event: &'p EventDef,
    pub(super) signature: &'f Signature,
    /// The parts of the pattern that count: so many arguments first, then so many parts of the condition.
    pub(super) args: &'f [(u8, ArgMatch)],
    pub(super) conditions: &'f [NodeId],
    /// The facts that kept the last part from being true.
    pub(super) because: Because,
    pub(super) tried: usize,
}

impl Ways<'_, '_> {
    /// Whether some way satisfies all parts that count.
    pub(super) fn any(&mut self) -> bool {
        if self.event.verb == Builtin::Move.verb() { self.any_move() } else { self.any_other() }
    }

    /// The cards of the ability in their present lives, where the ability works.
    fn own_cards(&self) -> Vec<Thing> {
        let Some(ability) = self.hearer.ability else { return vec![Thing::Open] };
        let mut own_cards = Vec::new();
        for row in self.hearer.rows.iter().copied() {
            let works = self.works(ability, row);
            let zones = self.facts.program.zones.ids().filter(|zone| works.has(*zone));
            own_cards.extend(zones.map(|zone| Thing::Card(Card { own: true, present: true, zone, row, now: None })));
        }
        own_cards
    }

    /// The zones in which the ability works on cards of these types. A granted ability may work wherever its card lies.
    fn works(&self, ability: &AbilityDef, row: usize) -> ZoneSet {
        let types = self.facts.rows.get(row).map_or(&[][..], Vec::as_slice);
        if self.hearer.printed { ability.zones_on(types) } else { ZoneSet::ALL }
    }

    /// The zones that an argument of the pattern allows.
    fn zones(&self, at: u8) -> Vec<ZoneId> {
        let program = self.facts.program;
        match self.event.args.iter().find(|(index, _)| *index == at) {
            Some((_, ArgMatch::AnyZone(zone))) => vec![*zone],
            Some((_, ArgMatch::Is(node))) => match program.nodes.get(*node) {
                Some(Node::Zone(zone, _)) => vec![*zone],
                _ => program.zones.ids().collect(),
            },
            _ => program.zones.ids().collect(),
        }
    }

    fn any_move(&mut self) -> bool {
        let program = self.facts.program;
        let (from, to) = (self.zones(FROM), self.zones(TO));
        from.iter().any(|from| to.iter().any(|to| self.any_move_between(*from, *to, program.moves.renews(*from, *to))))
    }

    fn any_move_between(&mut self, from: ZoneId, to: ZoneId, renews: bool) -> bool {
        let program = self.facts.program;
        let row = program.moves.carry(from, to);
        let looks = self.hearer.ability.and_then(|ability| ability.looks);
        let heard = looks.or(row.and_then(|row| row.heard)).unwrap_or(program.policies.looks);
        let reads_before = row.is_some_and(|row| row.before);
        let was = |own: bool, row: usize| {
            let zone = if renews { from } else { to };
            Card { own, present: !renews, zone, row, now: Some(to) }
        };
        let is_now = |own: bool, row: usize| Card { own, present: true, zone: to, row, now: None };
        let in_front = |own: bool, row: usize| Card { own, present: true, zone: from, row, now: None };
        let way = |this: Card, own: bool, row: usize, has_come: bool| {
            let (was, now) = (was(own, row), is_now(own, row));
            let what = match looks {
                _ if self.hearer.ahead => in_front(own, row),
                Some(Looks::Before) => was,
                Some(Looks::After) => now,
                _ if reads_before => was,
                _ => now,
            };
            let was = if self.hearer.ahead { what } else { was };
            let args = vec![(WHAT, Thing::Card(what)), (TO, Thing::Zone(to)), (FROM, Thing::Zone(from)), (WAS, Thing::Card(was))];
            let one_card = own && what.present != this.present;
            Way { this: Thing::Card(this), args, one_card, has_come: has_come && what == was && renews }
        };
        let mut ways = Vec::new();
        let sides: &[Looks] = match heard {
            _ if self.hearer.ahead => &[Looks::Before],
            Looks::Both => &[Looks::After, Looks::Before],
            Looks::After => &[Looks::After],
            Looks::Before => &[Looks::Before],
        };
        if let Some(ability) = self.hearer.ability {
            for (side, row) in sides.iter().flat_map(|side| self.hearer.rows.iter().map(move |row| (*side, *row))) {
                let works = self.works(ability, row);
                match side {
                    _ if self.hearer.ahead && works.has(from) => ways.push(way(in_front(true, row), true, row, false)),
                    Looks::After if works.has(to) => {
                        ways.push(way(is_now(true, row), true, row, self.hearer.printed && !works.has(from)));
                    }
                    Looks::Before if !self.hearer.ahead && works.has(from) => ways.push(way(was(true, row), true, row, false)),
                    _ => {}
                }
            }
        }
        if ways.into_iter().any(|way| self.satisfies(&way)) {
            return true;
        }
        // A card that is not the ability's own moves. The ability's card may have moved at the same time.
        let gone = sides.contains(&Looks::Before) && !self.hearer.ahead;
        for own_card in self.own_cards() {
            for moved in 0..self.facts.rows.len() {
                for present in if gone { &[true, false][..] } else { &[true][..] } {
                    let this = if let Thing::Card(card) = own_card { Thing::Card(Card { present: *present, ..card }) } else { own_card };
                    let Way { args, .. } = way(is_now(false, moved), false, moved, false);
                    if self.satisfies(&Way { this, args, one_card: false, has_come: false }) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn any_other(&mut self) -> bool {
        let given = self.event.args.iter().map(|(at, _)| *at);
        let is_card = |at: &u8| {
            let param = self.signature.params.get(usize::from(*at));
            param.is_some_and(|param| matches!(param.ty.of, Type::Card | Type::CatalogueCard))
        };
        let cards: Vec<u8> = given.filter(is_card).collect();
        self.own_cards().into_iter().any(|this| {
            let possible: Vec<(u8, Vec<Thing>)> = cards.iter().map(|at| (*at, self.arguments(*at, this))).collect();
            // An argument that alone keeps a part from being true cannot be a part of a way.
            let fitting = |at: u8, thing: Thing| Way { this, args: vec![(at, thing)], one_card: false, has_come: false };
            let mut narrowed = Vec::new();
            for (at, things) in possible {
                let fits: Vec<Thing> = things.into_iter().filter(|thing| self.satisfies(&fitting(at, *thing))).collect();
                narrowed.push((at, fits));
            }
            self.any_of(this, &narrowed, &mut Vec::new())
        })
    }

    fn any_of(&mut self, this: Thing, open: &[(u8, Vec<Thing>)], args: &mut Vec<(u8, Thing)>) -> bool {
        let Some(((at, things), others)) = open.split_first() else {
            return self.satisfies(&Way { this, args: args.clone(), one_card: false, has_come: false });
        };
        things.iter().any(|thing| {
            args.push((*at, *thing));
            let found = self.any_of(this, others, args);
            args.pop();
            found
        })
    }

    /// What is known of a card that is an argument. The argument belongs to an action, an option, or an event of a value.
    fn arguments(&self, at: u8, this: Thing) -> Vec<Thing> {
        let program = self.facts.program;
        let mut found: Vec<Thing> = Vec::new();
        let own_card = if let Thing::Card(card) = this { Some(card) } else { None };
        let moved = if self.hearer.ahead { None } else { surely_moved(program, self.event.verb, at) };
        let others = (0..self.facts.rows.len()).map(|row| (false, row));
        let rows: Vec<(bool, usize)> = own_card.iter().map(|card| (true, card.row)).chain(others).collect();
        let value = program.value_events.iter().find(|value| value.verb == self.event.verb);
        let is_option = program.verbs.get(self.event.verb).is_some_and(|verb| verb.option.is_some());
        let dies = program.zones.ids().any(|from| program.zones.ids().any(|to| program.moves.renews(from, to)));
        let anywhere = |may_be: &mut dyn FnMut(Card), card: Card| {
            for zone in program.zones.ids() {
                may_be(Card { zone, ..card });
                if dies {
                    may_be(Card { zone, present: false, ..card });
                }
            }
        };
        for ((own, row), from) in rows.iter().flat_map(|row| program.zones.ids().map(move |from| (*row, from))) {
            let start = Card { own, present: true, zone: from, row, now: None };
            let there = own_card.is_none_or(|card| !own || card.zone == from);
            if self.left_out(at, start) {
                continue;
            }
            let mut may_be = |card: Card| {
                let thing = Thing::Card(card);
                // A present life of the ability's own card lies where the ability works.
                let fits = !(own && card.present) || own_card.is_none_or(|own_card| own_card.zone == card.zone);
                if fits && !found.contains(&thing) {
                    found.push(thing);
                }
            };
            if self.hearer.ahead {
                if there {
                    may_be(start);
                }
                if dies && !is_option {
                    may_be(Card { present: false, ..start });
                }
            } else if let Some(value) = value {
                let mut reading = Reading::new(self.facts, Thing::Open, false);
                if value.of == NodeId::NONE || reading.is_in(Thing::Card(start), value.of) != Some(false) {
                    may_be(start);
                }
            } else if let Some(to) = moved {
                if program.moves.renews(from, to) {
                    may_be(Card { present: false, ..start });
                }
                // A card that lies there already may stay. A card that stays the same may have moved on.
                if from == to || !program.moves.renews(from, to) {
                    for zone in self.facts.without_renewal(to) {
                        may_be(Card { zone, ..start });
                        if dies {
                            may_be(Card { zone, present: false, ..start });
                        }
                    }
                }
            } else {
                anywhere(&mut may_be, start);
            }
        }
        found
    }

    /// Whether an option or action surely takes no such card: the domain of the parameter or the condition of the action leaves it out.
    fn left_out(&self, at: u8, card: Card) -> bool {
        let program = self.facts.program;
        let Some(verb) = program.verbs.get(self.event.verb) else { return false };
        let mut reading = Reading::new(self.facts, Thing::Open, false);
        reading.locals = vec![(Reg(at.into()), Thing::Card(card))];
        if verb.condition != NodeId::NONE && reading.truth(verb.condition) == Some(false) {
            return true;
        }
        let Some(option) = verb.option.and_then(|option| program.options.get(option)) else { return false };
        // A statement that performs the option names whatever cards it likes. A copy becomes a card of other types.
        let otherwise = program.code.rows().iter().any(|op| match op {
            Op::Perform { verb, .. } => *verb == self.event.verb,
            Op::Builtin { verb, .. } => *verb == Builtin::Become,
            _ => false,
        });
        let domain = match option.params.get(usize::from(at)) {
            Some(OptionParam::In(domain)) if !otherwise => *domain,
            _ => return false,
        };
        reading.is_in(Thing::Card(card), domain) == Some(false)
            || option.condition != NodeId::NONE && reading.truth(option.condition) == Some(false)
    }

    /// Whether a way satisfies the parts of the pattern that count.
    fn satisfies(&mut self, way: &Way) -> bool {
        self.tried += 1;
        if self.tried > MOST {
            return true;
        }
        let mut reading = Reading::new(self.facts, way.this, way.one_card);
        for (at, wanted) in &self.event.args {
            if let (ArgMatch::Bind(name), Some((_, thing))) = (wanted, way.args.iter().find(|(index, _)| index == at)) {
                reading.locals.push((Reg(self.pattern.first.0 + name), *thing));
            }
        }
        let parts = self.args.len() + self.conditions.len();
        let mut left = parts;
        for (at, wanted) in self.args {
            left -= 1;
            reading.because = Because::default();
            let Some((_, thing)) = way.args.iter().find(|(index, _)| index == at) else { continue };
            let fits = match *wanted {
                ArgMatch::Bind(_) | ArgMatch::All(_, NodeId::NONE) => true,
                ArgMatch::AnyZone(zone) => !matches!(thing, Thing::Zone(of) if *of != zone),
                ArgMatch::Is(node) => {
                    let come = way.has_come && *at == WHAT && self.facts.program.nodes.get(node) == Some(&Node::This);
                    come || reading.is_in(*thing, node) != Some(false)
                }
                ArgMatch::All(_, condition) => reading.of_bound(*thing, condition) != Some(false),
            };
            if !fits {
                self.keep(left, reading.because);
                return false;
            }
        }
        for condition in self.conditions {
            left -= 1;
            reading.because = Because::default();
            if reading.truth(*condition) == Some(false) {
                self.keep(left, reading.because);
                return false;
            }
        }
        true
    }

    /// Keeps what made a part false, if it is the last part.
    fn keep(&mut self, left: usize, because: Because) {
        if left == 0 {
            self.because = self.because.or(because);
        }
    }
}
