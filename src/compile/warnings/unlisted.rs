//! `E0395`: rules that the game's list of rules (`rules NAME { … }`) leaves out. `apply rules` runs the listed rules only.

use crate::Compiler;
use engine::ids::{Id, RuleId};
use lang::diagnostic::{Diagnostic, FileId};
use lang::syntax::ast::{DeclKind, Rule, RuleWhen};

impl Compiler {
    /// `E0395`. A rule of the game's own files is named where it stands. Rules of other folders are named together at the list, because
    /// the list is what the game can change.
    pub(super) fn unlisted(&self, own: &[FileId]) -> Vec<Diagnostic> {
        let list = self.decls.iter().find_map(|decl| if let DeclKind::Rules(head, _) = &decl.kind { Some(head) } else { None });
        let (Some(list), Some(set)) = (list, &self.program.rule_set) else { return Vec::new() };
        let rules = self.decls.iter().filter_map(|decl| if let DeclKind::Rule(rule) = &decl.kind { Some(rule) } else { None });
        let is_left_out = |at: usize, rule: &Rule| {
            !rule.immediately && !matches!(rule.when, RuleWhen::Forbids(_)) && !set.order.contains(&RuleId::from_index(at))
        };
        let left_out = rules.enumerate().filter(|(at, rule)| is_left_out(*at, rule)).map(|(_, rule)| &rule.head);
        let (here, elsewhere): (Vec<_>, Vec<_>) = left_out.partition(|head| own.contains(&head.span.file));
        let finding = |span, name: &str| Diagnostic::error("E0395", span).with("name", name).with("open", "[").with("close", "]");
        let mut found: Vec<Diagnostic> =
            here.iter().map(|head| finding(head.name.span, &head.name.text).note(list.name.span, "list")).collect();
        if !elsewhere.is_empty() {
            let names: Vec<&str> = elsewhere.iter().map(|head| head.name.text.as_str()).collect();
            found.push(finding(list.name.span, &names.join(", ")));
        }
        found
    }
}
