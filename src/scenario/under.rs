//! A game under other values of its readings, compiled once for all scenarios that choose the same values.

use compile::Compiler;
use lang::diagnostic::{Diagnostic, Severity};
use lang::syntax::ast::Name;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Names of readings with the chosen values, in the order in which they are written.
type Chosen = Vec<(String, String)>;

/// The compiled games; see the module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Under(Arc<Mutex<FxHashMap<Chosen, Compiler>>>);

impl Under {
    /// The game under these values.
    ///
    /// # Errors
    /// The first finding about a name or a value.
    pub(crate) fn readings(&self, game: &Compiler, chosen: &[(&Name, String)]) -> Result<Compiler, Diagnostic> {
        let key: Chosen = chosen.iter().map(|(name, value)| (name.text.clone(), value.clone())).collect();
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(known.clone());
        }
        let mut compiler = game.clone();
        for (name, value) in chosen {
            set(&mut compiler, name, value)?;
        }
        compiler.go_on_from(compiler.runnable());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, compiler.clone());
        Ok(compiler)
    }
}

/// Chooses one value.
///
/// # Errors
/// The finding about it, at the scenario, because the scenario is wrong and not the reading's declaration.
fn set(compiler: &mut Compiler, name: &Name, value: &str) -> Result<(), Diagnostic> {
    let found = compiler.set_reading(&name.text, value).into_iter().find(|finding| finding.severity == Severity::Error);
    found.map_or(Ok(()), |finding| Err(Diagnostic { span: Some(name.span), ..finding }))
}
