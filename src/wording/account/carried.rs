//! The parts inside of what a script names: a function, an action, a procedure, an option or a keyword carries the parts of its body.

use crate::account::parts::{Collector, What};
use lang::syntax::ast::{DeclKind, OptionBody, RulesFile};
use lang::syntax::rewrite::Rewriter;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// For each declared name, the parts of its body, and of the bodies that the body names.
#[derive(Clone, Debug, Default)]
pub(super) struct Carried {
    of: FxHashMap<Arc<str>, FxHashSet<What>>,
}

impl Carried {
    /// The parts that a name carries.
    pub(super) fn of(&self, name: &str) -> Option<&FxHashSet<What>> {
        self.of.get(name)
    }

    /// What the names of these declarations carry. Only the names in `owed` count.
    pub(super) fn new(files: &[RulesFile], owed: &FxHashSet<Arc<str>>) -> Self {
        let mut of: FxHashMap<Arc<str>, FxHashSet<What>> = FxHashMap::default();
        let mut calls: FxHashMap<Arc<str>, FxHashSet<Arc<str>>> = FxHashMap::default();
        for decl in files.iter().flat_map(|file| &file.items) {
            for (name, collector) in bodies(&decl.kind) {
                let name: Arc<str> = Arc::from(name);
                for part in collector.parts {
                    match &part.what {
                        What::Name(part) => {
                            calls.entry(Arc::clone(&name)).or_default().insert(Arc::clone(part));
                        }
                        What::Number(_) | What::Text(_) => {}
                    }
                }
            }
        }
        // Follows the calls until nothing is added.
        #[expect(clippy::iter_over_hash_type, reason = "each name fills its own row")]
        for name in calls.keys() {
            let mut seen: FxHashSet<&Arc<str>> = FxHashSet::default();
            let mut open = vec![name];
            while let Some(next) = open.pop() {
                open.extend(calls.get(next).into_iter().flatten().filter(|called| seen.insert(called)));
            }
            let parts: FxHashSet<What> = seen.into_iter().filter(|name| owed.contains(*name)).cloned().map(What::Name).collect();
            if !parts.is_empty() {
                of.insert(Arc::clone(name), parts);
            }
        }
        Self { of }
    }
}

/// The bodies of a declaration, each under its name.
fn bodies(kind: &DeclKind) -> Vec<(&str, Collector)> {
    let with = |visit: &dyn Fn(&mut Collector)| {
        let mut collector = Collector::default();
        visit(&mut collector);
        collector
    };
    match kind {
        DeclKind::Function { head, body, .. } => vec![(&head.name.text, with(&|c| c.expr(&mut body.clone())))],
        DeclKind::Action(routine) | DeclKind::Procedure(routine) => vec![(
            &routine.head.name.text,
            with(&|c| {
                routine.condition.clone().iter_mut().for_each(|condition| c.expr(condition));
                c.block(&mut routine.body.clone());
            }),
        )],
        DeclKind::Option(option) => vec![(
            &option.head.name.text,
            with(&|c| match option.body.clone() {
                OptionBody::Plain(mut body) | OptionBody::Attempt(mut body) => c.block(&mut body),
                OptionBody::TwoParts(mut declared, mut processed) => {
                    c.block(&mut declared);
                    c.block(&mut processed);
                }
            }),
        )],
        DeclKind::Keyword(head, abilities) => {
            vec![(&head.name.text, with(&|c| abilities.clone().iter_mut().for_each(|ability| c.ability(ability))))]
        }
        DeclKind::CardType(_, fields) | DeclKind::Player(fields) => {
            let derived = fields.iter().filter_map(|field| Some((field.head.name.text.as_str(), field.derived.as_ref()?)));
            derived.map(|(name, value)| (name, with(&|c| c.expr(&mut value.clone())))).collect()
        }
        DeclKind::Event(event) => vec![(&event.head.name.text, with(&|c| c.expr(&mut event.value.clone())))],
        _ => Vec::new(),
    }
}
