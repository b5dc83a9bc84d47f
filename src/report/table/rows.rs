//! The table as a game declares it: `table { row … hide … values … }`.
//!
//! Each player's rows are declared from the middle of the table outward. The viewer's rows are drawn in that order, the others' in reverse.
//! Rows of shared zones are in the middle. A zone that has no row and is not hidden gets a row of its own.

use super::{Content, Table, wrapped};
use engine::eval::Eval;
use engine::ids::ZoneId;
use engine::program::{TablePartDef, ZoneDef};
use engine::state::board::place_of;
use engine::value::{ObjectId, Place, Player, Value};

/// Columns between two zones of a row.
const GAP: &str = "   ";

impl Table<'_> {
    /// The drawing of a declared table.
    pub(super) fn in_rows(&self) -> String {
        let program = self.machine.program();
        let (shared, own): (Vec<_>, Vec<_>) = self.all_rows().into_iter().partition(|row| self.is_shared(row));
        let mut players: Vec<_> = (0..program.players).map(Player).collect();
        if let Some(viewer) = self.viewer {
            players.sort_by_key(|player| *player == viewer);
        }
        let last = players.pop();
        let mut lines = vec![self.heading()];
        for player in players {
            lines.extend(wrapped(&self.player_line(player), self.columns, self.widths));
            own.iter().rev().for_each(|row| self.row(row, player, &mut lines));
        }
        let of_game = self.player_states(Player(0), true);
        if !of_game.is_empty() {
            lines.push(format!("  {of_game}"));
        }
        shared.iter().for_each(|row| self.row(row, Player(0), &mut lines));
        if let Some(player) = last {
            lines.extend(wrapped(&self.player_line(player), self.columns, self.widths));
            own.iter().for_each(|row| self.row(row, player, &mut lines));
        }
        lines.push(String::new());
        lines.join("\n")
    }

    /// The declared rows, and one for each zone that is neither drawn as a whole nor hidden.
    fn all_rows(&self) -> Vec<Vec<TablePartDef>> {
        let program = self.machine.program();
        let mut rows = program.table.rows.clone();
        let whole = |zone: ZoneId| program.table.rows.iter().flatten().any(|part| part.zone == zone && part.cards.is_none());
        let missing = program.zones.ids().filter(|zone| !whole(*zone) && !program.table.hidden_zones.contains(zone));
        rows.extend(missing.map(|zone| vec![TablePartDef { zone, label: None, cards: None }]));
        rows
    }

    fn is_shared(&self, row: &[TablePartDef]) -> bool {
        let zone = row.first().and_then(|part| self.machine.program().zones.get(part.zone));
        zone.is_some_and(|zone| !zone.each_player)
    }

    fn row(&self, row: &[TablePartDef], player: Player, lines: &mut Vec<String>) {
        let blocks: Vec<(String, Content)> = row.iter().filter_map(|part| self.block(part, player)).collect();
        let beside = blocks.iter().map(|block| self.side_by_side(block)).collect::<Vec<_>>();
        let widths: Vec<usize> = beside.iter().map(|block| block.iter().map(|line| self.widths.of(line)).max().unwrap_or(0)).collect();
        if beside.len() < 2 || widths.iter().sum::<usize>() + GAP.len() * (beside.len() - 1) + 2 > self.columns {
            for (label, content) in blocks {
                let head = format!("  {} ", self.widths.padded(&label, self.label_columns()));
                self.with_margin(&head, content.counted(self.widths), lines);
            }
            return;
        }
        for at in 0..beside.iter().map(Vec::len).max().unwrap_or(0) {
            let cells =
                beside.iter().zip(&widths).map(|(block, width)| self.widths.padded(block.get(at).map_or("", String::as_str), *width));
            let line = cells.collect::<Vec<_>>().join(GAP);
            lines.push(format!("  {}", line.trim_end()));
        }
    }

    /// A zone beside others in its row: its label and count above its cards, or before them if they need one line.
    fn side_by_side(&self, (label, content): &(String, Content)) -> Vec<String> {
        let Content { count, lines } = content;
        let gap = if count.is_empty() { "" } else { "  " };
        match lines.as_slice() {
            [line] => vec![format!("{label} {count}{gap}{line}")],
            _ => {
                let head = format!("{label} {count}").trim_end().to_owned();
                std::iter::once(head).chain(lines.iter().map(|line| format!("  {line}"))).collect()
            }
        }
    }

    /// The label and the cards of a part. None if the part is the rest of a zone that the game did not declare, and no cards are left.
    fn block(&self, part: &TablePartDef, player: Player) -> Option<(String, Content)> {
        let program = self.machine.program();
        let zone = program.zones.get(part.zone)?;
        let place = place_of(program, part.zone, player);
        let cards = self.drawn_here(part, (place, player));
        let asked = program.table.rows.iter().flatten().any(|known| known == part);
        let drawn_in_parts = program.table.rows.iter().flatten().any(|known| known.zone == part.zone);
        if cards.is_empty() && !asked && drawn_in_parts {
            return None;
        }
        let label = part.label.clone().unwrap_or_else(|| tell::label_of(&zone.name, self.words.language()).to_owned());
        Some((label, self.content((zone, place, player), &cards, part.cards.is_some())))
    }

    /// The cards of a player's place that this part draws. The first part whose condition a card fulfils draws the card. The part without a
    /// condition draws the remaining cards. Conditions are not checked for cards that the viewer does not see, so that their place reveals
    /// nothing. An attached card is drawn with its host.
    fn drawn_here(&self, part: &TablePartDef, (place, player): (Place, Player)) -> Vec<ObjectId> {
        let state = self.machine.state();
        let parts: Vec<&TablePartDef> =
            self.machine.program().table.rows.iter().flatten().filter(|other| other.zone == part.zone).collect();
        let holder = |card: ObjectId| {
            parts.iter().find(|other| other.cards.is_some() && self.sees(card) && self.belongs(card, other, player)).copied()
        };
        let lies_here = |card: &ObjectId| match holder(*card) {
            Some(other) => other == part,
            None => part.cards.is_none(),
        };
        let on_another = |card: &ObjectId| state.board.host(*card).is_some_and(|host| self.is_drawn(host));
        state.board.cards(place).iter().copied().filter(|card| !on_another(card) && lies_here(card)).collect()
    }

    /// Whether a part's condition holds for a card; `you` in the condition is the player whose zone is drawn.
    fn belongs(&self, card: ObjectId, part: &TablePartDef, you: Player) -> bool {
        let state = self.machine.state();
        let Some(cards) = part.cards else { return false };
        let mut eval = Eval::new(self.machine.program(), state, &[], &[], you, Value::Undefined);
        eval.contains(cards, state.board.reference(card))
    }

    /// Whether a card has a line of its own, so that other cards can be drawn below it.
    fn is_drawn(&self, card: ObjectId) -> bool {
        let program = self.machine.program();
        let Some(object) = self.machine.state().board.object(card) else { return false };
        let (id, _) = engine::state::board::zone_of(program, object.place);
        let each = |zone: &ZoneDef| zone.has_faces && !zone.ordered || zone.capacity.is_some_and(|most| most <= super::SMALL_ZONE);
        let by_part = program.table.rows.iter().flatten().any(|part| part.zone == id && part.cards.is_some());
        !program.table.hidden_zones.contains(&id) && (by_part || program.zones.get(id).is_some_and(each))
    }

    /// The cards that are attached to a card, each in a line under it.
    pub(super) fn attached_to(&self, card: ObjectId, depth: usize, lines: &mut Vec<String>) {
        if !self.machine.program().table.declared || depth > 4 {
            return;
        }
        for attached in self.machine.state().board.attached(card) {
            lines.push(format!("{}└ {}", "  ".repeat(depth - 1), self.card(attached)));
            self.attached_to(attached, depth + 1, lines);
        }
    }
}
