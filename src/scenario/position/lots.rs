//! Checks the random results that a scenario fixes against the random results that the game asks for.

use engine::program::{Builtin, Node, Op, Program};
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{ExprKind, Fixed};

/// Why a result can never be used: nothing asks for one (`E0585`), or no die has so many sides (`E0586`).
#[must_use]
pub(crate) fn impossible(program: &Program, fixed: &Fixed) -> Option<Diagnostic> {
    let verb = match fixed.what.text.as_str() {
        "coin" => Builtin::Coin,
        "die" => Builtin::Die,
        "pick" => Builtin::Pick,
        _ => return None,
    };
    let asked =
        || program.code.rows().iter().filter_map(|op| if let Op::Builtin { verb: of, args, .. } = op { Some((*of, *args)) } else { None });
    if !asked().any(|(of, _)| of == verb) {
        return Some(Diagnostic::error("E0585", fixed.what.span).with("what", &fixed.what.text));
    }
    if verb != Builtin::Die {
        return None;
    }
    // If the rules compute the sides of a die, any number is possible.
    let sides = |args| match program.args_of(args).first().and_then(|node| program.nodes.get(*node))? {
        Node::Const(value) => value.number(),
        _ => None,
    };
    let most = asked().filter(|(of, _)| *of == verb).map(|(_, args)| sides(args)).collect::<Option<Vec<i32>>>()?.into_iter().max()?;
    fixed.results.iter().find_map(|result| match &result.kind {
        ExprKind::Number(number) if !(1..=i64::from(most)).contains(&i64::from(*number)) => {
            Some(Diagnostic::error("E0586", result.span).with("value", number).with("most", most))
        }
        _ => None,
    })
}
