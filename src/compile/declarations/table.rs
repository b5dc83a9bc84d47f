//! Compiles `table { … }`: the rows in which the table is drawn, and the hidden zones and values.

use crate::Compiler;
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::Body;
use engine::ids::{FieldId, StateId, ZoneId};
use engine::program::{TableDef, TablePartDef};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Expr, ExprKind, Name, TableDecl, TablePart};

impl Compiler {
    /// Compiles the declaration; `span` is its place.
    pub(crate) fn table(&mut self, decl: &TableDecl, span: Span) {
        self.once("table", span);
        let mut table = TableDef::default();
        // Zones that already have a whole place, or are hidden.
        let mut settled: Vec<ZoneId> = Vec::new();
        for name in &decl.hidden {
            let found: (Option<ZoneId>, Option<StateId>) = (self.symbols.zones.id(&name.text), self.symbols.states.id(&name.text));
            match found {
                (None, None) => {
                    let known: Vec<String> = self.symbols.zones.words().chain(self.symbols.states.words()).map(str::to_owned).collect();
                    self.unknown("zone, state or pool", name, known.iter().map(String::as_str));
                }
                (zone, state) => {
                    settled.extend(zone);
                    table.hidden_zones.extend(zone);
                    table.hidden_states.extend(state);
                }
            }
        }
        for row in &decl.rows {
            let mut parts: Vec<TablePartDef> = Vec::new();
            for part in row {
                let Some(def) = self.table_part(part, &mut settled) else { continue };
                if parts.first().is_some_and(|first| self.is_shared(first.zone) != self.is_shared(def.zone)) {
                    self.report(Diagnostic::error("E0286", part.zone.span).with("name", &part.zone.text));
                }
                parts.push(def);
            }
            table.rows.push(parts);
        }
        table.values = decl.values.iter().filter_map(|name| self.declared::<FieldId>("field", |symbols| &symbols.fields, name)).collect();
        table.declared = true;
        self.program.table = table;
    }

    fn table_part(&mut self, part: &TablePart, settled: &mut Vec<ZoneId>) -> Option<TablePartDef> {
        let zone: ZoneId = self.declared("zone", |symbols| &symbols.zones, &part.zone)?;
        if settled.contains(&zone) {
            self.report(Diagnostic::error("E0285", part.zone.span).with("name", &part.zone.text));
        }
        if part.condition.is_none() {
            settled.push(zone);
        }
        let label = part.label.as_ref().map(|label| label.text.clone());
        let cards = part.condition.as_ref().map(|condition| {
            let named = Name { text: part.zone.text.clone(), span: part.zone.span };
            let set = Expr { kind: ExprKind::Name(named), span: part.zone.span };
            let kind = ExprKind::Where { set: Box::new(set), binder: None, condition: Box::new(condition.clone()) };
            let cards = Expr { kind, span: condition.span };
            Lowering::new(self, Body::default()).wanted(&cards, Ty::CARDS)
        });
        Some(TablePartDef { zone, label, cards })
    }

    fn is_shared(&self, zone: ZoneId) -> bool {
        self.program.zones.get(zone).is_some_and(|zone| !zone.each_player)
    }
}
