//! The table as one seat sees it: every zone of every player. Hidden cards are counted, the own hand is numbered, and current values are
//! shown if they differ from the printed ones.
//!
//! Input: a machine. Output: text with aligned columns. The open question is not shown here.
//!
//! | file | does |
//! | --- | --- |
//! | `rows.rs` | the table as a game declares it |

mod rows;

use super::{Widths, wrapped};
use engine::ids::{FieldId, StateId, ZoneId};
use engine::machine::Machine;
use engine::program::{Seen, ZoneDef};
use engine::state::board::{place_of, zone_of};
use engine::value::{ObjectId, Place, Player, Value};
use tell::{Names, Words, label_of, seat};

/// A zone with room for at most this many cards shows each card with its values.
const SMALL_ZONE: u16 = 3;
/// The cards of a zone: their number, if it is told, and their lines.
struct Content {
    /// Empty if the lines tell the number.
    count: String,
    lines: Vec<String>,
}

impl Content {
    fn of(lines: Vec<String>) -> Self {
        Self { count: String::new(), lines }
    }

    /// The lines, with the count before the first one.
    fn counted(self, widths: Widths) -> Vec<String> {
        if self.count.is_empty() || self.lines.is_empty() {
            return if self.count.is_empty() { self.lines } else { vec![self.count] };
        }
        let first = format!("{}  ", self.count);
        let margin = " ".repeat(widths.of(&first));
        let lines = self.lines.into_iter().enumerate();
        lines.map(|(at, line)| format!("{}{line}", if at == 0 { &first } else { &margin })).collect()
    }
}

/// A drawing of the table.
pub struct Table<'a> {
    /// The game.
    pub machine: &'a Machine,
    /// The viewer. None: somebody who may know everything.
    pub viewer: Option<Player>,
    /// The texts of the interface.
    pub words: Words,
    /// The widths of signs.
    pub widths: Widths,
    /// The columns of the screen.
    pub columns: usize,
}

impl Table<'_> {
    /// The drawing, with line ends. The viewer comes last.
    #[must_use]
    pub fn draw(&self) -> String {
        let program = self.machine.program();
        if program.table.declared {
            return self.in_rows();
        }
        let mut lines = vec![self.heading()];
        let mut players: Vec<_> = (0..program.players).map(Player).collect();
        if let Some(viewer) = self.viewer {
            players.sort_by_key(|player| *player == viewer);
        }
        let shared: Vec<_> = program.zones.iter().filter(|(_, zone)| !zone.each_player).collect();
        let last = players.pop();
        for player in players {
            lines.extend(wrapped(&self.player_line(player), self.columns, self.widths));
            self.zones_of(player, &mut lines);
        }
        let of_game = self.player_states(Player(0), true);
        if !of_game.is_empty() {
            lines.push(format!("  {of_game}"));
        }
        for (id, zone) in shared {
            self.zone(id, zone, Player(0), &mut lines);
        }
        if let Some(player) = last {
            lines.extend(wrapped(&self.player_line(player), self.columns, self.widths));
            self.zones_of(player, &mut lines);
        }
        lines.push(String::new());
        lines.join("\n")
    }

    fn heading(&self) -> String {
        let board = &self.machine.state().board;
        let phase = board.phase.and_then(|phase| self.machine.program().phases.get(phase));
        let phase = phase.map_or("", |phase| label_of(&phase.name, self.words.language()));
        let turn = if board.turn == 0 {
            self.words.say("table.before", &[])
        } else {
            self.words.say("step.turn", &[("n", board.turn.to_string())])
        };
        format!("── {turn} {phase} ──")
    }

    /// A player's line: the seat, the partners, the states and pools.
    fn player_line(&self, player: Player) -> String {
        let own = self.viewer == Some(player);
        let key = if own { "table.you" } else { "table.player" };
        let states = self.player_states(player, false);
        let gap = if states.is_empty() { "" } else { "  " };
        let program = self.machine.program();
        let partners: Vec<String> = program.team(player).filter(|partner| *partner != player).map(seat).collect();
        let team = if partners.is_empty() { String::new() } else { self.words.say("table.partners", &[("players", partners.join(", "))]) };
        format!("{}{team}{gap}{states}", self.words.say(key, &[("player", seat(player))]))
    }

    fn zones_of(&self, player: Player, lines: &mut Vec<String>) {
        for (id, zone) in self.machine.program().zones.iter().filter(|(_, zone)| zone.each_player) {
            self.zone(id, zone, player, lines);
        }
    }

    /// The pools of a player, and the states that differ from their first value. With `of_game`: those of the game, which are kept with the
    /// first seat.
    fn player_states(&self, player: Player, of_game: bool) -> String {
        let program = self.machine.program();
        let drawn = |id: &StateId| !program.table.hidden_states.contains(id) && !program.is_bookkeeping(*id);
        let of_player = program.states.iter().filter(|(id, state)| state.on_players && state.of_game == of_game && drawn(id));
        let told = of_player.filter_map(|(id, state)| {
            let value = state.as_read(self.state_of_player(player, id));
            let label = label_of(&state.name, self.words.language());
            let text = if value == Value::Bool(true) { label.to_owned() } else { format!("{label} {}", self.value(value)) };
            (state.pool || value != state.initial).then_some(text)
        });
        told.collect::<Vec<_>>().join("  ")
    }

    fn state_of_player(&self, player: Player, state: StateId) -> Value {
        let program = self.machine.program();
        let row = usize::from(program.holder(state, player).0) * program.states.len() + usize::from(state.0);
        self.machine.state().board.player_states.get(row).copied().unwrap_or_default()
    }

    fn zone(&self, id: ZoneId, zone: &ZoneDef, player: Player, lines: &mut Vec<String>) {
        let place = place_of(self.machine.program(), id, player);
        let label = label_of(&zone.name, self.words.language());
        let head = format!("  {} ", self.widths.padded(label, self.label_columns()));
        let content = self.content((zone, place, player), self.machine.state().board.cards(place), false).counted(self.widths);
        self.with_margin(&head, content, lines);
    }

    /// The lines for these cards of a zone. `each`: every card gets a line of its own, even if the zone would be shown as a list of names.
    fn content(&self, (zone, place, player): (&ZoneDef, Place, Player), cards: &[ObjectId], each: bool) -> Content {
        let own_hand = zone.seen == Seen::ByOwner && self.viewer == Some(player);
        let small = zone.capacity.is_some_and(|most| most <= SMALL_ZONE);
        // Cards in a zone with faces and without an order are the centre of the game: each has a line of its own.
        let laid_out = zone.has_faces && !zone.ordered;
        if zone.abilities {
            Content::of(self.waiting(place, zone))
        } else if cards.is_empty() {
            Content::of(vec![self.words.say("none", &[])])
        } else if own_hand || small || laid_out || each {
            // An ordered zone is shown from the top. In other zones the cards are numbered as in questions.
            let cards: Vec<_> = if zone.ordered { cards.iter().rev().copied().collect() } else { cards.to_vec() };
            Content::of(self.one_by_one(&cards, own_hand))
        } else {
            self.summary(cards, self.is_in_play(zone, place))
        }
    }

    /// Whether the cards of a zone are in play: everybody sees them, and static abilities of cards work there. In a game without such
    /// abilities every public zone in a row counts. The order of an ordered zone, such as a pile, would be lost among values.
    fn is_in_play(&self, zone: &ZoneDef, place: Place) -> bool {
        let program = self.machine.program();
        let (id, _) = zone_of(program, place);
        let works = program.kinds.rows().iter().find(|kind| kind.name.name == "static").map(|kind| kind.zones);
        let in_row = || program.table.rows.iter().flatten().any(|part| part.zone == id);
        zone.seen == Seen::ByAll && !zone.ordered && works.map_or_else(in_row, |zones| zones.has(id))
    }

    /// Adds lines to the drawing: the first one after the zone's label, the others below it.
    fn with_margin(&self, head: &str, content: Vec<String>, lines: &mut Vec<String>) {
        let blank = " ".repeat(self.widths.of(head));
        let room = self.columns.saturating_sub(blank.len());
        let content = content.iter().flat_map(|line| wrapped(line, room, self.widths));
        lines.extend(content.enumerate().map(|(index, line)| format!("{}{line}", if index == 0 { head } else { &blank })));
    }

    /// One line for each card. Unseen cards that look alike share one line.
    fn one_by_one(&self, cards: &[ObjectId], numbered: bool) -> Vec<String> {
        let (mut content, mut first): (Vec<(String, usize)>, Vec<ObjectId>) = (Vec::new(), Vec::new());
        for (index, card) in cards.iter().enumerate() {
            let line = if numbered { format!("{:>2} {}", index + 1, self.card(*card)) } else { self.card(*card) };
            match content.iter_mut().find(|(other, _)| !self.sees(*card) && *other == line) {
                Some((_, alike)) => *alike += 1,
                None => {
                    content.push((line, 1));
                    first.push(*card);
                }
            }
        }
        let times = |(line, alike): (String, usize)| if alike > 1 { format!("{line} ×{alike}") } else { line };
        let mut lines = Vec::new();
        for (line, card) in content.into_iter().map(times).zip(first) {
            lines.push(line);
            self.attached_to(card, 1, &mut lines);
        }
        lines
    }

    /// The abilities that wait in a zone, the latest first. If the viewer does not see them, their number.
    fn waiting(&self, place: Place, zone: &ZoneDef) -> Vec<String> {
        let state = self.machine.state();
        let mut waiting: Vec<_> = state.events.pending.iter().filter(|pending| pending.place == Some(place)).collect();
        if waiting.is_empty() {
            return vec![self.words.say("none", &[])];
        }
        if self.viewer.is_some() && zone.seen != Seen::ByAll {
            return vec![self.words.say("table.count", &[("n", waiting.len().to_string())])];
        }
        waiting.sort_by_key(|pending| std::cmp::Reverse(pending.entered));
        let told = waiting.iter().map(|pending| {
            let args = [("player", seat(pending.you)), ("what", self.value(Value::Pending(pending.number)))];
            self.words.say("table.waiting", &args)
        });
        self.in_lines(0, told)
    }

    /// The number of cards, and the names of those that the viewer may know, from the top. If the game says which values are drawn, cards in
    /// play have these values after their names.
    fn summary(&self, cards: &[ObjectId], in_play: bool) -> Content {
        let with_values = in_play && !self.machine.program().table.values.is_empty();
        let count = self.words.say("table.count", &[("n", cards.len().to_string())]);
        // A card that the viewer does not know is shown by its place in the zone.
        let shown = |card: &&ObjectId| self.sees(**card) || !self.rows_tell_place(**card) && self.place_label(**card).is_some();
        let known: Vec<_> = cards.iter().rev().filter(shown).map(|card| self.name(*card, with_values)).collect();
        let lines = if known.is_empty() { Vec::new() } else { self.in_lines(self.widths.of(&count) + 2, known.into_iter()) };
        Content { count, lines }
    }

    /// Names, as many in each line as fit beside a margin of so many columns.
    fn in_lines(&self, margin: usize, names: impl Iterator<Item = String>) -> Vec<String> {
        let comma = self.words.plain("list.comma");
        // A comma may follow each name.
        let room = self.columns.saturating_sub(self.label_columns() + "   、".len() + margin);
        let mut lines = vec![String::new()];
        for (index, name) in names.enumerate() {
            let Some(line) = lines.last_mut() else { break };
            if index > 0 {
                line.push_str(comma);
                if self.widths.of(line) + self.widths.of(&name) > room {
                    line.truncate(line.trim_end().len());
                    lines.push(name);
                    continue;
                }
            }
            line.push_str(&name);
        }
        lines
    }

    fn label_columns(&self) -> usize {
        let zones = self.machine.program().zones.rows().iter();
        zones.map(|zone| self.widths.of(label_of(&zone.name, self.words.language()))).max().unwrap_or(0)
    }

    fn sees(&self, card: ObjectId) -> bool {
        self.viewer.is_none_or(|viewer| self.machine.sees(viewer, card))
    }

    /// A card in a list of names: the name, perhaps with its values, its place and its states, and who controls it if the place does not say so.
    fn name(&self, card: ObjectId, with_values: bool) -> String {
        let name = match (self.sees(card), with_values) {
            (true, true) => self.values(card),
            (true, false) => self.names().object(self.machine.state(), card),
            (false, _) => self.words.say("card.unknown", &[]),
        };
        let states = self.details(card, !self.rows_tell_place(card));
        let name = if states.is_empty() { name } else { format!("{name} {}", self.words.say("table.states", &[("states", states)])) };
        self.with_controller(card, name)
    }

    /// A card as an answer to a question: its name with its printed values, its place in its zone, its states.
    #[must_use]
    pub fn line_of(&self, card: ObjectId) -> String {
        let names = self.names();
        let line = if self.sees(card) {
            with_values(self.machine, &names, card, names.printed_fields().filter(|field| !self.is_name(card, *field)))
        } else {
            self.words.say("card.unknown", &[])
        };
        let states = self.details_of(card);
        if states.is_empty() { line } else { format!("{line} {}", self.words.say("table.states", &[("states", states)])) }
    }

    /// Whether a field holds the name of the card, which stands before the fields.
    fn is_name(&self, card: ObjectId, field: FieldId) -> bool {
        let name =
            self.machine.state().board.object(card).and_then(|object| self.machine.program().cards.get(object.card)).map(|card| card.name);
        name.is_some_and(|name| self.machine.field(card, field) == Value::Text(name))
    }

    /// What tells a card from another of the same name: its place in its zone, and its states as far as the viewer may know them. Empty if
    /// there is nothing to tell.
    #[must_use]
    pub fn details_of(&self, card: ObjectId) -> String {
        self.details(card, true)
    }

    /// Everybody sees in which place of its zone a card lies. A viewer who neither knows the card nor sees it openly is told no more.
    fn details(&self, card: ObjectId, with_place: bool) -> String {
        if self.sees(card) || self.lies_openly(card) {
            return self.card_states(card, with_place);
        }
        self.place_label(card).filter(|_| with_place).unwrap_or_default()
    }

    /// The place of its zone in which a card lies.
    fn place_label(&self, card: ObjectId) -> Option<String> {
        let place = self.machine.state().board.place_within(self.machine.program(), card)?;
        Some(label_of(place, self.words.language()).to_owned())
    }

    /// Whether a part of its zone draws this card. The part then says where the card lies. A card that the viewer does not see is drawn by no
    /// part with a condition.
    fn rows_tell_place(&self, card: ObjectId) -> bool {
        if !self.sees(card) {
            return false;
        }
        let program = self.machine.program();
        let Some(object) = self.machine.state().board.object(card) else { return false };
        let (zone, _) = engine::state::board::zone_of(program, object.place);
        program.table.rows.iter().flatten().any(|part| part.zone == zone && part.cards.is_some())
    }

    /// The place of a card in its zone (`with_place`), and the states of the card that differ from their first value. A flag is shown by its
    /// name.
    fn card_states(&self, card: ObjectId, with_place: bool) -> String {
        let (program, board) = (self.machine.program(), &self.machine.state().board);
        let row = usize::from(card.0) * program.states.len();
        let of_cards = program
            .states
            .iter()
            .filter(|(id, state)| !state.on_players && !program.table.hidden_states.contains(id) && !program.is_bookkeeping(*id));
        let told = of_cards.filter_map(|(id, state)| {
            let value = board.card_states.get(row + usize::from(id.0)).map(|value| state.as_read(*value));
            let value = value.filter(|value| *value != state.initial)?;
            let label = label_of(&state.name, self.words.language());
            Some(if value == Value::Bool(true) { label.to_owned() } else { format!("{label} {}", self.value(value)) })
        });
        let place = self.place_label(card).filter(|_| with_place);
        place.into_iter().chain(told).collect::<Vec<_>>().join(self.words.plain("list.comma"))
    }

    fn names(&self) -> Names<'_> {
        Names::new(self.machine.program(), self.words)
    }

    fn value(&self, value: Value) -> String {
        self.names().value(self.machine.state(), &self.machine.program().printed_sets, value)
    }

    /// A card with its values, or the fact that it lies face down. The controller is added if the place does not show who controls the
    /// card.
    fn card(&self, card: ObjectId) -> String {
        self.with_controller(card, self.card_alone(card))
    }

    /// The words for a card, with its controller if the place does not show who controls the card.
    fn with_controller(&self, card: ObjectId, line: String) -> String {
        let (program, state) = (self.machine.program(), self.machine.state());
        let whose = state.board.object(card).map(|object| engine::state::board::zone_of(program, object.place).1);
        // If all players share one deck, the owner means nothing. Only a controller of its own is shown.
        let shared_deck = program.deck_zone.and_then(|zone| program.zones.get(zone)).is_some_and(|zone| !zone.each_player);
        let owner = state.board.object(card).map(|object| object.owner).filter(|_| shared_deck);
        match (whose, self.machine.controller(card)) {
            (Some(whose), Some(player)) if whose != Some(player) && owner != Some(player) && self.lies_openly(card) => {
                self.words.say("table.whose", &[("player", seat(player)), ("card", line)])
            }
            _ => line,
        }
    }

    fn card_alone(&self, card: ObjectId) -> String {
        let face = if self.is_face_down(card) { self.words.say("table.down", &[]) } else { String::new() };
        // A card that lies openly with its face down is visible as a card, so its states are shown.
        let told = !self.rows_tell_place(card);
        let states = self.details(card, told);
        let line = match (self.sees(card), face.is_empty()) {
            (true, _) => self.values(card),
            (false, true) => self.words.say("card.unknown", &[]),
            (false, false) if states.is_empty() => return face,
            (false, false) => return format!("{face} {}", self.words.say("table.states", &[("states", states)])),
        };
        let line = if states.is_empty() { line } else { format!("{line} {}", self.words.say("table.states", &[("states", states)])) };
        if face.is_empty() { line } else { format!("{face} {line}") }
    }

    /// A card's name with the values that the game shows.
    fn values(&self, card: ObjectId) -> String {
        let names = self.names();
        let values = &self.machine.program().table.values;
        let drawn = if values.is_empty() { names.printed_fields().collect() } else { values.clone() };
        with_values(self.machine, &names, card, drawn)
    }

    fn lies_openly(&self, card: ObjectId) -> bool {
        let Some(object) = self.machine.state().board.object(card) else { return false };
        let (zone, _) = engine::state::board::zone_of(self.machine.program(), object.place);
        self.machine.program().zones.get(zone).is_some_and(|zone| zone.seen == Seen::ByAll)
    }

    fn is_face_down(&self, card: ObjectId) -> bool {
        let Some(object) = self.machine.state().board.object(card) else { return false };
        let (zone, _) = engine::state::board::zone_of(self.machine.program(), object.place);
        !object.face_up && self.machine.program().zones.get(zone).is_some_and(|zone| zone.has_faces)
    }
}

/// A card's name with these values.
fn with_values(machine: &Machine, names: &Names<'_>, card: ObjectId, fields: impl IntoIterator<Item = FieldId>) -> String {
    let values = fields.into_iter().filter_map(|field| field_text(machine, names, card, field));
    std::iter::once(names.object(machine.state(), card)).chain(values).collect::<Vec<_>>().join(" ")
}

fn field_text(machine: &Machine, names: &Names<'_>, card: ObjectId, field: FieldId) -> Option<String> {
    let program = machine.program();
    let object = machine.state().board.object(card)?;
    let def = program.fields.get(field)?;
    let printed = program.printed_value(object.card, field);
    let now = machine.field(card, field);
    if printed == Value::Undefined && now == Value::Undefined {
        return None;
    }
    let text = |value| names.value(machine.state(), &program.printed_sets, value);
    let label = names.label(&def.name);
    if def.set {
        let members = machine.field_members(card, field).into_iter().map(text).collect::<Vec<_>>();
        let members = if members.is_empty() { names.words.say("none", &[]) } else { members.join(names.words.plain("list.comma")) };
        return Some(format!("{label} {members}"));
    }
    // A card has a mark, or does not have it.
    if let Value::Bool(has) = now
        && (has || printed != Value::Bool(true))
    {
        return has.then(|| label.to_owned());
    }
    // A computed value is not printed. Effects that change it are told by `why value`.
    if def.derived.is_some() {
        return Some(format!("{label} {}", text(now)));
    }
    if now == printed {
        return Some(format!("{label} {}", text(printed)));
    }
    Some(names.words.say("table.changed", &[("label", label.to_owned()), ("now", text(now)), ("printed", text(printed))]))
}
