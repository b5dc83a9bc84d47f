//! Compiles `moves { … }`: what a card keeps when it moves from one zone to another.
//!
//! Whether a card keeps its identity depends on the pair of zones, not on a zone. So `moves` is a declaration of its own, which also says
//! whether a trigger reads the card before or after the move. Last-known rows are kept only if something in the program could ask for them.

use crate::Compiler;
use engine::ids::{Id, StateId, ZoneId};
use engine::program::{Carry, Looks, Moves};
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Head, MoveRow, Name};

/// Which triggers notice a move.
const LOOKS: [(&str, Looks); 3] = [("after", Looks::After), ("before", Looks::Before), ("both", Looks::Both)];

/// What a row can keep, besides declared states.
const KEPT: [&str; 6] = ["identity", "nothing", "states", "attachments", "effects", "applied"];

impl Compiler {
    /// Fills the table of all pairs of zones. For each pair and each matter, the last row that fits and mentions the matter counts.
    pub(crate) fn moves(&mut self, head: &Head, rows: &[MoveRow]) {
        self.once("moves", head.span);
        let zones = self.program.zones.len();
        let mut table = vec![Carry::default(); zones * zones];
        for row in rows {
            let (from, to) = (self.zones_named(&row.from), self.zones_named(&row.to));
            let kept = self.kept(&row.keeps);
            let before = row.reads.as_ref().and_then(|word| self.reads_before(word));
            let heard = row.heard.as_ref().and_then(|word| self.side_of_move(word));
            let cites = self.cites(&row.cites);
            for (a, b) in from.iter().flat_map(|a| to.iter().map(move |b| (*a, *b))) {
                let Some(carry) = table.get_mut(a.index() * zones + b.index()) else { continue };
                if let Some(kept) = &kept {
                    *carry = Carry { before: carry.before, heard: carry.heard, cites, ..kept.clone() };
                }
                carry.before = before.unwrap_or(carry.before);
                carry.heard = heard.or(carry.heard);
            }
        }
        let mut moves = Moves { zones, ..Moves::default() };
        for carry in table {
            let known = moves.carries.iter().position(|known| *known == carry);
            let at = known.unwrap_or_else(|| {
                moves.carries.push(carry);
                moves.carries.len() - 1
            });
            moves.pairs.push(at as u16);
        }
        self.program.moves = moves;
    }

    /// The named zones; all zones if none is named.
    fn zones_named(&mut self, names: &[Name]) -> Vec<ZoneId> {
        if names.is_empty() {
            return self.program.zones.ids().collect();
        }
        names.iter().filter_map(|name| self.declared("zone", |symbols| &symbols.zones, name)).collect()
    }

    fn kept(&mut self, names: &[Name]) -> Option<Carry> {
        let mut carry = Carry::default();
        for name in names {
            match name.text.as_str() {
                "identity" => carry.identity = true,
                "nothing" => {}
                "attachments" => carry.attachments = true,
                "effects" => carry.effects = true,
                "applied" => (carry.effects, carry.applied) = (true, true),
                "states" => {
                    let states = self.program.states.iter().filter(|(_, state)| !state.on_players);
                    carry.states = states.map(|(id, _)| id).collect();
                }
                _ => match self.symbols.states.id::<StateId>(&name.text) {
                    Some(state) => carry.states.push(state),
                    None => {
                        let states: Vec<String> = self.symbols.states.words().map(str::to_owned).collect();
                        self.unknown("thing that a move can keep", name, KEPT.into_iter().chain(states.iter().map(String::as_str)));
                    }
                },
            }
        }
        // `applied` may stand beside `identity`: effects that apply because of the card's place are no part of its identity.
        let parts = names.iter().filter(|name| !(carry.identity && name.text == "applied")).count();
        let whole = carry.identity || names.iter().any(|name| name.text == "nothing");
        if let (true, Some(more)) = (whole && parts > 1, names.last()) {
            self.report(Diagnostic::error("E0270", more.span).with("name", &more.text));
        }
        (!names.is_empty()).then_some(carry)
    }

    fn reads_before(&mut self, word: &Name) -> Option<bool> {
        match word.text.as_str() {
            "before" => Some(true),
            "after" => Some(false),
            _ => {
                self.unknown("side of a move", word, ["before", "after"]);
                None
            }
        }
    }

    /// `before`, `after`, `both`: which triggers notice a move.
    pub(crate) fn side_of_move(&mut self, word: &Name) -> Option<Looks> {
        let side = LOOKS.iter().find(|(known, _)| *known == word.text).map(|(_, looks)| *looks);
        if side.is_none() {
            self.unknown("side of a move", word, LOOKS.map(|(known, _)| known));
        }
        side
    }
}
