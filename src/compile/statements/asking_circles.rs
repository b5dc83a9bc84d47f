//! Finds conditions that ask about themselves: whether an action or an option is possible, or whether rules are to be applied, must not
//! depend on the answer to this question. Otherwise the question would never be answered.

use crate::Compiler;
use engine::ids::{Id, NodeId, VerbId};
use engine::program::{Node, OptionParam};
use lang::diagnostic::{Diagnostic, Span};

/// A question that a condition asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// `can` of an action or option.
    Verb(VerbId),
    /// `rules_apply`.
    Rules,
}

impl Compiler {
    /// `E0384` for each action, option and rule whose condition asks about itself, also by way of others.
    pub(crate) fn asking_circles(&mut self) {
        let verbs: Vec<VerbId> = self.program.verbs.iter().map(|(id, _)| id).collect();
        for id in verbs {
            if self.leads_back(Asked::Verb(id)) {
                let name = self.program.verbs.get(id).map_or_else(String::new, |def| def.name.name.clone());
                let span = self.symbols.verbs.span(id.index()).unwrap_or_default();
                self.report_circle(name, span);
                self.no_condition(id);
            }
        }
        if self.leads_back(Asked::Rules) {
            let asks = |node: NodeId| self.asked_in(node).contains(&Asked::Rules);
            let rule = self.program.rules.iter().find(|(_, rule)| asks(rule.condition));
            let name = rule.map_or_else(|| "rules_apply".to_owned(), |(_, rule)| rule.name.name.clone());
            let span = rule.and_then(|(id, _)| self.symbols.rules.span(id.index())).unwrap_or_default();
            self.report_circle(name, span);
            let rules: Vec<_> = self.program.rules.iter().map(|(id, _)| id).collect();
            for id in rules {
                if let Some(rule) = self.program.rules.get_mut(id) {
                    rule.condition = NodeId::NONE;
                }
            }
        }
    }

    fn report_circle(&mut self, name: String, span: Span) {
        self.report(Diagnostic::error("E0384", span).with("name", name));
    }

    /// Takes the condition away, so that nothing evaluates the circle.
    fn no_condition(&mut self, id: VerbId) {
        let option = self.program.verbs.get_mut(id).and_then(|def| {
            def.condition = NodeId::NONE;
            def.option
        });
        if let Some(def) = option.and_then(|option| self.program.options.get_mut(option)) {
            def.condition = NodeId::NONE;
            def.params.clear();
        }
    }

    fn leads_back(&self, asked: Asked) -> bool {
        let (mut seen, mut open) = (Vec::new(), self.asked_by(asked));
        while let Some(next) = open.pop() {
            if next == asked {
                return true;
            }
            if !seen.contains(&next) {
                seen.push(next);
                open.extend(self.asked_by(next));
            }
        }
        false
    }

    /// What the answer to a question asks itself.
    fn asked_by(&self, asked: Asked) -> Vec<Asked> {
        match asked {
            Asked::Rules => self.program.rules.iter().flat_map(|(_, rule)| self.asked_in(rule.condition)).collect(),
            Asked::Verb(id) => {
                let Some(def) = self.program.verbs.get(id) else { return Vec::new() };
                let mut all = self.asked_in(def.condition);
                if let Some(option) = def.option.and_then(|option| self.program.options.get(option)) {
                    all.extend(self.asked_in(option.condition));
                    for param in &option.params {
                        let (OptionParam::Default(node) | OptionParam::In(node)) = *param;
                        all.extend(self.asked_in(node));
                    }
                }
                all
            }
        }
    }

    /// The questions in an expression, and in the computed fields that it reads.
    fn asked_in(&self, node: NodeId) -> Vec<Asked> {
        let (mut found, mut open, mut fields) = (Vec::new(), vec![node], Vec::new());
        while let Some(node) = open.pop() {
            self.walk(node, &mut |node| match node {
                Node::Can(verb, _) => found.push(Asked::Verb(*verb)),
                Node::RulesApply => found.push(Asked::Rules),
                Node::Field(_, field) if !fields.contains(field) => {
                    fields.push(*field);
                    open.extend(self.program.fields.get(*field).and_then(|def| def.derived));
                }
                _ => {}
            });
        }
        found
    }
}
