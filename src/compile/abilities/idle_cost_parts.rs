//! Parts of costs that would change nothing. Setting a state that is already set does not pay a cost.
//!
//! An action whose whole body sets one state of a parameter to a constant also counts as done if the state already has that value. As a
//! part of a cost, this action does not count as paid then. Other requirements of an action are in its declaration (`when`) and are checked
//! by `can`.

use crate::expressions::expression::Lowering;
use engine::ids::NodeId;
use lang::syntax::ast::{Arg, BinaryOp, DeclKind, Expr, ExprKind, Name, Routine, StmtKind};

impl Lowering<'_> {
    /// The condition that a part of a cost would change nothing. None if the part's action does anything else, or if its object must still
    /// be picked.
    pub(crate) fn set_already(&mut self, name: &Name, args: &[Arg]) -> Option<NodeId> {
        let action = self.c.decls.iter().find_map(|decl| match &decl.kind {
            DeclKind::Action(routine) if routine.head.name.text == name.text => Some(already(routine, args)),
            _ => None,
        });
        let condition = action.flatten()?;
        Some(self.condition(&condition))
    }
}

/// The assignment `c.tired = true` as a comparison, with the argument for `c`.
fn already(action: &Routine, args: &[Arg]) -> Option<Expr> {
    let ([only], None) = (action.body.statements.as_slice(), &action.condition) else { return None };
    let StmtKind::Assign(place, value) = &only.kind else { return None };
    let (ExprKind::Field(of, state), ExprKind::Bool(_) | ExprKind::Number(_)) = (&place.kind, &value.kind) else { return None };
    let ExprKind::Name(of) = &of.kind else { return None };
    let at = action.params.iter().position(|param| param.name.text == of.text)?;
    let named = args.iter().find(|arg| arg.name.as_ref().is_some_and(|name| name.text == of.text));
    let arg = named.or_else(|| args.get(at).filter(|arg| arg.name.is_none()))?;
    if matches!(arg.value.kind, ExprKind::Pick(_)) {
        return None;
    }
    let span = arg.value.span;
    let read = Expr { kind: ExprKind::Field(Box::new(arg.value.clone()), Name { text: state.text.clone(), span }), span };
    let value = Expr { kind: value.kind.clone(), span };
    Some(Expr { kind: ExprKind::Binary(Box::new(read), BinaryOp::Equal, Box::new(value)), span })
}
