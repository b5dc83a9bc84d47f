//! Moves: cards leave their places and arrive elsewhere, and the moves are told.
//!
//! Input: a change that moves cards. In a batch all cards leave before the first one arrives. [`crate::actions::batch`] decides the
//! order of the branches.

use crate::actions::touched::touched_by;
use crate::eval::Eval;
use crate::eval::watch::Happening;
use crate::fault::{Fault, broken, listed};
use crate::ids::{CitesId, Pc, Reg};
use crate::program::{Builtin, Follows};
use crate::run::Run;
use crate::run::step::set;
use crate::state::board::{End, NO_SLOT, place_of, zone_of};
use crate::state::readings;
use crate::state::{Branch, Cause, Change, FaceChange, Role};
use crate::steps::{Observer, Step, Why};
use crate::value::{ObjectId, Place, Player, Value};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A card on its way.
#[derive(Clone, Copy, Debug)]
pub struct Moving {
    /// The branch whose change moves the card.
    pub branch: u16,
    pub(crate) id: ObjectId,
    pub(crate) from: Place,
    pub(crate) to: Place,
    face: FaceChange,
    bottom: bool,
    /// The life of the card before the move.
    pub(crate) life: u32,
    /// The part of the zone into which the card is put.
    pub(crate) slot: u8,
    /// The player who controls the card in its new place, if the move says so.
    pub(super) under: Option<Player>,
    /// Whether the card moves because the card to which it was attached moves.
    pub(crate) follows: bool,
    /// The players who knew the card, one bit each, if the game keeps track of this.
    knew: u8,
    /// Whether the card has no room. Then it lies where it was, and counts as never moved (see [`crate::actions::capacity`]).
    pub(crate) stays: bool,
}

/// Where a card goes, and how it lies there: its face, whether it lies at the bottom, its place within the zone, who controls it.
pub(crate) type Way = (Place, FaceChange, bool, u8, Option<Player>);

impl Moving {
    /// A card that leaves its place for another one.
    fn new(branch: u16, (id, life): (ObjectId, u32), from: Place, to: Place) -> Self {
        let (face, bottom, slot, under) = (FaceChange::AsZone, false, NO_SLOT, None);
        Moving { branch, id, from, to, face, bottom, life, slot, under, follows: false, knew: 0, stays: false }
    }

    /// Where the card goes, and how it lies there.
    pub(crate) fn way(&self) -> Way {
        (self.to, self.face, self.bottom, self.slot, self.under)
    }
}

impl<O: Observer> Run<'_, O> {
    /// Moves one card, for a branch that runs alone.
    pub(crate) fn move_one(&mut self, branch: &mut Branch, at: u16, change: Change) {
        if self.program.extras || self.plan.looks_back {
            return self.move_several(branch, at, change);
        }
        let wanted = wanted(branch, change);
        if self.has_no_room_for(change) {
            let (card, to) = match change {
                Change::MoveTop { from, to, .. } => (self.state.board.end(true, from).map(|id| self.state.board.reference(id)), to),
                Change::MoveCard { card, to, .. } => (Some(card), to),
                _ => return,
            };
            self.tell_no_room(branch, at, card.unwrap_or_default(), to);
            return self.finish_move(branch, at, change, 0);
        }
        self.remember(branch, change);
        let moving = self.depart_one(at, change);
        let moved = moving.is_some();
        if let Some(moving) = moving {
            self.arrive_told(branch, at, &moving, wanted);
        }
        self.end_moves();
        if wanted {
            self.finish_move(branch, at, change, usize::from(moved));
        } else {
            self.set_done(branch, at, moved);
        }
    }

    /// Moves several cards, for a branch that runs alone.
    pub(crate) fn move_several(&mut self, branch: &mut Branch, at: u16, change: Change) {
        let mut moves = std::mem::take(&mut self.scratch.moves);
        moves.clear();
        self.remember(branch, change);
        self.look_back(branch);
        self.keep_places([change]);
        let controlled = self.state.effects.controlling > 0;
        self.depart(branch, at, change, &mut moves);
        self.take_followers(&mut moves);
        self.hold_back(&[(0, at)], &mut moves);
        self.scratch.batch.open = true;
        self.arrive_all(branch, at, change, &moves);
        self.scratch.batch.open = false;
        let touched = touched_by(&moves, controlled);
        let is_settled = self.hear_moves(branch, at, touched);
        self.scratch.moves = moves;
        let stays = self.scratch.gone.is_empty();
        self.sweep(branch, at);
        self.scratch.left_to_settle = Some(if is_settled && stays { crate::bits::Spots::NONE } else { touched });
    }

    /// Takes the cards of a change out of their places.
    pub(crate) fn depart(&mut self, branch: &Branch, index: u16, change: Change, moves: &mut Vec<Moving>) {
        let Change::Move { start, len, to, face, bottom, slot, top_of, under, .. } = change else {
            if let Change::MoveCard { card: Value::Object { id, life }, .. } = change
                && let Some(moving) = moves.iter_mut().find(|moving| moving.id == id)
                && self.state.board.object(id).is_some_and(|object| object.life == life)
            {
                let to = to_of(change).map_or(moving.to, |to| self.destination(to, id));
                if self.later_decides(moving, index, change, to) {
                    redirected(moving, index, change, to);
                }
                return;
            }
            return moves.extend(self.depart_one(index, change));
        };
        let others = moves.len();
        let named = listed(&branch.lists, start, len);
        let row = match top_of.filter(|place| !self.are_on_top(named, *place)) {
            Some(place) => Cow::Owned(self.next_ones(named, place, to)),
            None => Cow::Borrowed(named),
        };
        let row = row.as_ref();
        if others == 0
            && self.state.board.memory.is_empty()
            && let Some(from) = self.state.board.take_row(row)
        {
            self.state.control.changed_in(from);
            let ids = row.iter().filter_map(|card| crate::actions::perform::id_of(*card));
            return moves.extend(ids.map(|id| {
                let life = self.state.board.object(id).map_or(0, |object| object.life);
                Moving { face, bottom, slot, under, ..Moving::new(index, (id, life), from, self.destination(to, id)) }
            }));
        }
        for member in row {
            let Value::Object { id, life } = *member else { continue };
            let Some(object) = self.state.board.object(id).filter(|object| object.life == life) else { continue };
            let (from, to, knew) = (object.place, self.destination(to, id), self.state.board.knowers(self.program, id));
            if let Some(moving) = moves.iter_mut().take(others).find(|moving| moving.id == id) {
                if self.later_decides(moving, index, change, to) {
                    redirected(moving, index, change, to);
                }
            } else if self.state.board.take(id).is_some() {
                moves.push(Moving { face, bottom, slot, under, knew, ..Moving::new(index, (id, life), from, to) });
                self.state.control.changed_in(from);
            }
        }
    }

    /// Whether the named cards are the top cards of a place, the top one first.
    fn are_on_top(&self, named: &[Value], place: Place) -> bool {
        let board = &self.state.board;
        let cards = board.cards(place);
        named.len() <= cards.len() && named.iter().zip(cards.iter().rev()).all(|(card, id)| *card == board.reference(*id))
    }

    /// The named top cards of a place. If other branches have taken some of them, the next cards of the place are used instead.
    fn next_ones(&mut self, named: &[Value], place: Place, to: Place) -> Vec<Value> {
        let board = &self.state.board;
        let there: BTreeSet<ObjectId> = board.cards(place).iter().copied().collect();
        let lies = |card: &Value| match *card {
            Value::Object { id, .. } => there.contains(&id) && board.reference(id) == *card,
            _ => false,
        };
        let taken: BTreeSet<ObjectId> =
            named.iter().filter(|card| lies(card)).filter_map(|card| crate::actions::perform::id_of(*card)).collect();
        let mut next = board.cards(place).iter().rev().copied().filter(|id| !taken.contains(id));
        let mut new = Vec::new();
        let row = named.iter().filter_map(|card| {
            if lies(card) {
                return Some(*card);
            }
            let id = next.next()?;
            new.push(id);
            Some(board.reference(id))
        });
        let row: Vec<Value> = row.collect();
        if self.plan.keeps_gone {
            self.remember_all(new.into_iter(), to);
        }
        row
    }

    /// Takes the single card of a change out of its place.
    #[inline]
    pub(crate) fn depart_one(&mut self, index: u16, change: Change) -> Option<Moving> {
        let board = &mut self.state.board;
        let moving = match change {
            Change::MoveTop { from, to, face, .. } => {
                let knew = board.end(true, from).map_or(0, |id| board.knowers(self.program, id));
                let id = board.take_top(from)?;
                let life = board.object(id)?.life;
                let to = self.destination(to, id);
                Moving { face, knew, ..Moving::new(index, (id, life), from, to) }
            }
            Change::MoveCard { card: Value::Object { id, life }, to, face, bottom, slot, under, .. } => {
                let from = board.object(id).filter(|object| object.life == life)?.place;
                let knew = board.knowers(self.program, id);
                board.take(id)?;
                let to = self.destination(to, id);
                Moving { face, bottom, slot, under, knew, ..Moving::new(index, (id, life), from, to) }
            }
            _ => return None,
        };
        self.state.control.changed_in(moving.from);
        Some(moving)
    }

    /// Puts the departed cards of a branch into their new places, and tells about the moves.
    pub(crate) fn arrive_all(&mut self, branch: &mut Branch, at: u16, change: Change, moves: &[Moving]) {
        let wanted = wanted(branch, change);
        let mut arrived = 0;
        self.scratch.batch.hears |= moves.iter().any(|moving| {
            let card = self.state.board.object(moving.id).map(|object| object.card);
            card.is_some_and(|card| self.plan.card(card).hears_moves)
        });
        for moving in moves.iter().filter(|moving| moving.branch == at) {
            let there = self.arrive_told(branch, at, moving, wanted && !moving.follows);
            arrived += usize::from(there && !moving.follows);
        }
        self.scratch.batch.hears &= self.scratch.batch.open;
        self.tell_lost(branch, at);
        self.finish_move(branch, at, change, arrived);
    }

    /// Puts a departed card into its new place, and tells about the move. Gives whether the card has moved.
    #[inline]
    fn arrive_told(&mut self, branch: &mut Branch, at: u16, moving: &Moving, wanted: bool) -> bool {
        if moving.stays {
            self.tell_no_room(branch, at, self.state.board.reference(moving.id), moving.to);
            return false;
        }
        self.arrive(moving);
        self.tell_controller(branch, at, moving);
        branch.touch([moving.id]);
        if !branch.shown.is_empty() {
            self.show_on(branch, moving);
        }
        if wanted {
            branch.collected.push(self.state.board.reference(moving.id));
        }
        if moving.follows {
            self.tell_following(branch, at, moving);
        }
        if self.is_told(Builtin::Move) {
            self.moved(branch, at, moving);
        }
        true
    }

    /// Tells the rules by which a card follows its host.
    fn tell_following(&mut self, branch: &Branch, at: u16, moving: &Moving) {
        let zone = self.program.zones.get(zone_of(self.program, moving.from).0);
        let cites = zone.map_or_else(CitesId::default, |zone| zone.follow_cites);
        if cites != CitesId::default() {
            self.tell_cited(cites, branch.now(), branch.frames.len(), at, &[], || Step::Statement(None));
        }
    }

    /// Tells that a card has no room and has not moved.
    fn tell_no_room(&mut self, branch: &Branch, at: u16, card: Value, to: Place) {
        let args = crate::actions::perform::copied(&[card, Value::Zone(to)]);
        self.tell(branch.now(), branch.frames.len(), at, &[], || Step::NotPerformed(Builtin::Move.verb(), args, Why::Full));
    }

    /// Puts a departed card into its new place. There is room (INVARIANT (room) in [`crate::actions::capacity`]).
    #[inline]
    pub(crate) fn arrive(&mut self, moving: &Moving) {
        let program = self.program;
        let end = if moving.bottom { End::Bottom } else { End::Top };
        let placed = self.state.board.put(moving.id, moving.to, end);
        debug_assert!(placed, "a card that arrives has room");
        self.scratch.room.has_come(moving.to, moving.slot);
        self.state.control.changed_in(moving.to);
        let (renews, face_up) = (self.plan.renews(program, moving.from, moving.to), self.plan.place(moving.to).face_up);
        let Some(object) = self.state.board.objects.get_mut(usize::from(moving.id.0)) else { return broken(Fault::Object) };
        object.face_up = match moving.face {
            FaceChange::Up => true,
            FaceChange::Down => false,
            FaceChange::AsZone => face_up,
        };
        object.shown = 0;
        object.owner = program.owner_in(moving.to, object.owner);
        let mut has_statics = self.plan.card(object.card).statics;
        if renews {
            object.life += 1;
            self.begin_life(moving);
        }
        if self.plan.pins {
            self.keep_applied(moving);
        }
        self.note_controller(moving, renews);
        if !self.state.board.memory.is_empty() {
            self.state.board.remember_arrival(program, moving.id, moving.from, moving.knew);
        }
        if program.extras {
            self.keep_extras(moving, renews);
            has_statics |= self.state.board.object(moving.id).is_some_and(|object| self.plan.card(object.card).statics);
        }
        if has_statics {
            self.renew(moving.id);
        }
    }

    /// Begins a new life of a card: the card keeps what the move keeps, and everything else is reset.
    fn begin_life(&mut self, moving: &Moving) {
        let program = self.program;
        let (from, to) = (zone_of(program, moving.from).0, zone_of(program, moving.to).0);
        let Some(carry) = program.moves.carry(from, to).filter(|carry| !carry.states.is_empty() || carry.effects) else {
            if self.plan.pins {
                self.state.effects.unpin(Value::Object { id: moving.id, life: moving.life });
            }
            return self.state.reset_states(program, moving.id);
        };
        self.state.reset_states_but(program, moving.id, &carry.states);
        let was = Value::Object { id: moving.id, life: moving.life };
        if carry.effects {
            let now = self.state.board.reference(moving.id);
            self.state.effects.follow(was, now);
        } else if self.plan.pins {
            self.state.effects.unpin(was);
        }
    }

    /// The destination of a card. If the zone redirects cards to their owners, this is the owner's place.
    pub(crate) fn destination(&self, to: Place, id: ObjectId) -> Place {
        if !self.program.extras || !self.plan.place(to).redirects {
            return to;
        }
        let owner = self.state.board.object(id).map_or_else(Default::default, |object| object.owner);
        self.program.place_of_owner(to, owner)
    }

    /// Updates the properties of a moved card that only some games use.
    fn keep_extras(&mut self, moving: &Moving, renews: bool) {
        let (from, to) = (zone_of(self.program, moving.from).0, zone_of(self.program, moving.to).0);
        let moved = moving.from != moving.to;
        let attachments = self.program.moves.carry(from, to).is_some_and(|carry| carry.attachments || carry.identity);
        readings::note_whole(readings::part::NOW);
        let (arrived, since) = (self.arrival(), self.state.effects.now);
        let board = &mut self.state.board;
        let now = board.reference(moving.id);
        let Some(extra) = board.extra_mut(moving.id) else { return };
        (extra.slot, extra.arrived) = (moving.slot, arrived);
        if renews {
            extra.since = since;
            self.state.effects.keep_ages_apart(self.program, since);
        }
        if moved && !attachments {
            extra.host = Value::Undefined;
        }
        let (own, made) = (extra.own, extra.made);
        if renews {
            if let Some(object) = board.objects.get_mut(usize::from(moving.id.0)) {
                object.card = own;
            }
            if let Some(duration) = self.program.as_copy {
                self.state.effects.end_of_copy(self.program, duration, moving.id);
            }
            let board = &mut self.state.board;
            let was = Value::Object { id: moving.id, life: moving.life };
            if attachments {
                readings::note_whole(readings::part::HOSTS);
                board.extras.unnoted_mut().iter_mut().filter(|extra| extra.host == was).for_each(|extra| extra.host = now);
            }
        }
        if made && from != to && renews {
            self.scratch.gone.push(moving.id);
        }
    }

    /// Removes made objects that have left, after everybody was told.
    pub(crate) fn sweep(&mut self, branch: &Branch, at: u16) {
        self.end_moves();
        while let Some(id) = self.scratch.gone.pop() {
            let object = self.state.board.reference(id);
            self.tell(branch.now(), branch.frames.len(), at, &[], || Step::GoesAway(object));
            let ended = self.state.deactivate(self.program, id);
            self.tell_ended(ended);
            self.state.board.unmake(id);
            self.state.control.changed_anywhere();
        }
    }

    /// Takes out the cards that were attached to moving cards, if their zone says that they follow. Then the cards attached to these, and
    /// so on.
    pub(crate) fn take_followers(&mut self, moves: &mut Vec<Moving>) {
        if !self.plan.follows || !self.some_attached_to(|id| moves.iter().any(|moving| moving.id == id)) {
            return;
        }
        let mut known = 0;
        let mut going: BTreeSet<ObjectId> = moves.iter().map(|moving| moving.id).collect();
        while known < moves.len() {
            let leaving: std::collections::BTreeMap<ObjectId, Moving> =
                moves.iter().skip(known).filter(|moving| self.leaves(moving)).map(|moving| (moving.id, *moving)).collect();
            known = moves.len();
            let attached = self.attached_to(|host, life| leaving.get(&host).filter(|moving| moving.life == life).copied());
            let mut followers = std::collections::BTreeMap::new();
            let mut places = BTreeSet::new();
            for (id, host) in attached {
                let place = self.state.board.object(id).map_or(Place::NOWHERE, |object| object.place);
                if self.plan.place(place).follows != Follows::No && going.insert(id) {
                    followers.insert(id, host);
                    places.insert(place);
                }
            }
            for place in places {
                self.take_from(place, &followers, moves);
            }
        }
    }

    /// Takes the followers in a place out of it, all at once, in the order in which they lie.
    fn take_from(&mut self, place: Place, followers: &std::collections::BTreeMap<ObjectId, Moving>, moves: &mut Vec<Moving>) {
        let board = &self.state.board;
        let going: Vec<(ObjectId, Moving)> = board.cards(place).iter().filter_map(|id| Some((*id, *followers.get(id)?))).collect();
        let first = moves.len();
        let watched = self.watched(Builtin::Move.verb());
        for (id, host) in &going {
            let Some(object) = board.object(*id) else { continue };
            let to = match self.plan.place(place).follows {
                Follows::Along => host.to,
                Follows::No => continue,
                Follows::To(zone) => self
                    .program
                    .place_of_owner(place_of(self.program, zone, zone_of(self.program, place).1.unwrap_or_default()), object.owner),
            };
            if watched && self.may_not_follow(*id, place, to) {
                continue;
            }
            let (to, knew) = (self.destination(to, *id), board.knowers(self.program, *id));
            moves.push(Moving { follows: true, knew, ..Moving::new(host.branch, (*id, object.life), place, to) });
        }
        let row: Vec<Value> = moves.iter().skip(first).map(|moving| board.reference(moving.id)).collect();
        if self.state.board.take_row(&row).is_none() {
            moves.truncate(first);
        }
        self.state.control.changed_in(place);
    }

    /// Whether an effect in force forbids the move by which an attached card would follow its host. Then the card stays, and is attached to
    /// nothing.
    fn may_not_follow(&self, id: ObjectId, from: Place, to: Place) -> bool {
        let card = self.state.board.reference(id);
        let args = [card, Value::Zone(to), Value::Undefined, Value::Undefined, Value::Zone(from), Value::Undefined];
        let what = Happening { verb: Builtin::Move.verb(), args: &args, lists: &[], cause: Cause::Rule };
        Eval::new(self.program, self.state, &[], &[], Player::default(), Value::Undefined).forbidden(what).is_some()
    }

    /// Whether a moving card loses the cards that are attached to it.
    fn leaves(&self, moving: &Moving) -> bool {
        let (from, to) = (zone_of(self.program, moving.from).0, zone_of(self.program, moving.to).0);
        moving.from != moving.to && self.program.moves.carry(from, to).is_none_or(|carry| !carry.identity && !carry.attachments)
    }

    /// Whether some card is attached to one of certain hosts, in whichever life of the host.
    pub(crate) fn some_attached_to(&self, hosts: impl Fn(ObjectId) -> bool) -> bool {
        readings::note_whole(readings::part::HOSTS);
        self.state.board.extras.unnoted().iter().any(|extra| matches!(extra.host, Value::Object { id, .. } if hosts(id)))
    }

    /// The cards that are attached to certain hosts, each with the value that `host` gives for its host.
    pub(crate) fn attached_to<T>(&self, mut host: impl FnMut(ObjectId, u32) -> Option<T>) -> Vec<(ObjectId, T)> {
        readings::note_whole(readings::part::HOSTS);
        let extras = (0_u16..).zip(self.state.board.extras.unnoted());
        let attached = extras.filter_map(|(id, extra)| match extra.host {
            Value::Object { id: of, life } => Some((ObjectId(id), host(of, life)?)),
            _ => None,
        });
        attached.collect()
    }

    /// Ends and begins the static effects of a card that was moved, turned or changed into another, and tells about these effects.
    pub(crate) fn renew(&mut self, id: ObjectId) {
        let (begun, ended) = self.state.renew(self.program, id);
        self.tell_ended(ended);
        self.tell_begun(begun);
    }

    /// Tells about effects that have ended.
    pub(crate) fn tell_ended(&mut self, ended: Vec<u32>) {
        for number in ended {
            self.tell_cited(CitesId::default(), Pc::NOWHERE, 0, 0, &[], || Step::EffectEnds(number));
        }
    }

    /// Tells about effects that have begun because their card has come to a place where they work.
    pub(crate) fn tell_begun(&mut self, begun: Vec<u32>) {
        for number in begun {
            let held = if O::ON { self.state.effects.in_force.iter().find(|effect| effect.number == number) } else { None };
            let ability =
                held.and_then(|effect| if let crate::state::Holds::Static(ability) = effect.holds { Some(ability) } else { None });
            let cites =
                ability.and_then(|ability| self.program.abilities.get(ability)).map_or_else(CitesId::default, |ability| ability.cites);
            self.tell_cited(cites, Pc::NOWHERE, 0, 0, &[], || Step::EffectBegins(number));
        }
    }

    /// Tells about a card that has moved, and lets abilities wait for the move.
    fn moved(&mut self, branch: &mut Branch, at: u16, moving: &Moving) {
        let present = self.state.board.reference(moving.id);
        let was = Value::Object { id: moving.id, life: moving.life };
        let (from, to) = (zone_of(self.program, moving.from).0, zone_of(self.program, moving.to).0);
        let before = present != was && self.program.moves.carry(from, to).is_some_and(|carry| carry.before);
        let card = if before { was } else { present };
        let face = match moving.face {
            FaceChange::Up => Value::Bool(true),
            FaceChange::Down => Value::Bool(false),
            FaceChange::AsZone => Value::Undefined,
        };
        let places = self.program.zones.get(to).and_then(|zone| zone.places);
        let bottom = match places {
            Some(of) if moving.slot != NO_SLOT => Value::Enum(of, moving.slot),
            _ if moving.bottom => Value::Bool(true),
            _ => Value::Undefined,
        };
        let args = [card, Value::Zone(moving.to), face, bottom, Value::Zone(moving.from), was];
        self.emit(branch, at, branch.now(), Builtin::Move.verb(), args);
    }

    /// Whether the event of a verb is needed: somebody watches the game, some effect or rule waits for the event, or the event is kept.
    #[inline]
    pub fn is_told(&self, verb: Builtin) -> bool {
        O::ON
            || self.record_all
            || self.watched(verb.verb())
            || !self.scratch.batch.before.is_empty()
            || self.scratch.batch.hears && verb == Builtin::Move
            || self.plan.is_recorded(verb.verb())
            || self.plan.is_heard(verb.verb())
    }

    fn finish_move(&mut self, branch: &mut Branch, at: u16, change: Change, moved: usize) {
        let (wanted, result) = match change {
            Change::Move { len, result, .. } => (usize::from(len), result),
            Change::MoveTop { result, .. } | Change::MoveCard { result, .. } => (1, result),
            _ => return,
        };
        if result != Reg::NONE {
            let collecting = branch.collected.len().saturating_sub(moved);
            let start = branch.lists.len() as u32;
            branch.lists.extend_from_slice(branch.collected.get(collecting..).unwrap_or(&[]));
            set(branch, result, Value::List { start, len: moved as u16 });
        }
        // If no call further out collects the moved cards, the collection is emptied.
        if result != Reg::NONE && !collects(branch) {
            branch.collected.truncate(branch.collected.len().saturating_sub(moved));
        }
        self.set_done_in_part(branch, at, moved == wanted, moved > 0);
    }
}

/// The destination of a change that moves cards.
pub(crate) fn to_of(change: Change) -> Option<Place> {
    match change {
        Change::Move { to, .. } | Change::MoveCard { to, .. } | Change::MoveTop { to, .. } => Some(to),
        _ => None,
    }
}

/// Two branches move the same card, and the later one decides where it goes ([`Run::later_decides`]).
fn redirected(moving: &mut Moving, index: u16, change: Change, to: Place) {
    if let Change::Move { face, bottom, slot, under, .. } | Change::MoveCard { face, bottom, slot, under, .. } = change {
        (moving.branch, moving.to, moving.face, moving.bottom, moving.slot) = (index, to, face, bottom, slot);
        moving.under = under;
    }
}

/// Whether a register, or a call further out, needs the cards that a change moves.
fn wanted(branch: &Branch, change: Change) -> bool {
    match change {
        Change::Move { result, .. } | Change::MoveTop { result, .. } | Change::MoveCard { result, .. } => {
            result != Reg::NONE || collects(branch)
        }
        _ => false,
    }
}

/// Whether a call further out collects the moved cards. Cards that a rule moves in the middle of a call belong to the rule and not to the
/// call.
pub(crate) fn collects(branch: &Branch) -> bool {
    let own = branch.frames.iter().rev().take_while(|frame| !matches!(frame.role, Role::Rule(..)));
    own.into_iter().any(|frame| frame.collects.is_some())
}
