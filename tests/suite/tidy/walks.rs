//! A new node of the tree must not be forgotten. A function that tells many forms of nodes apart is exhaustive, so that it does not compile
//! until it knows the new node; or it leaves the rest to a visitor, which is exhaustive; or it stands here with the reason.

use super::files;
use std::collections::BTreeSet;

/// How many forms a function may name before it counts as a walk.
const FEW: usize = 8;

/// The enums whose variants have children.
const NODES: [&str; 5] = ["ExprKind::", "StmtKind::", "ClauseKind::", "AbilityBody::", "DeclKind::"];

/// Functions that name many forms, have a `_ =>`, and leave nothing to a visitor, with the reason.
const ALLOWED: [(&str, &str, &str); 19] = [
    ("src/audit/break_expr.rs", "is_truth", "tells which forms are conditions, and does not go on"),
    ("src/audit/break_stmt.rs", "unbound", "tells which statements become plain blocks"),
    ("src/compile/declarations/declare.rs", "declare_callables", "one of the passes over declarations"),
    ("src/compile/declarations/declare.rs", "declare_things", "one of the passes over declarations"),
    ("src/compile/expressions/expression.rs", "expr", "names every form; the `_` is about two forms inside of one"),
    ("src/compile/statements/bodies.rs", "lower_all", "one of the passes over declarations"),
    ("src/compile/warnings.rs", "named", "tells which declared names somebody has to mention"),
    ("src/compile/warnings/reach.rs", "leaves", "tells which statements always leave; what it does not know goes on"),
    ("src/compile/warnings/reach.rs", "statement_may_end", "asks the blocks of other statements, which a visitor finds"),
    ("src/scenario/checks/certain.rs", "is_written", "tells which values are written out"),
    ("src/scenario/checks/values.rs", "unknown", "tells which forms an answer has; every other one is an error"),
    ("src/scenario/running/answers.rs", "written", "tells which forms an answer has"),
    ("src/scenario/running/overlay.rs", "key", "the name under which a declaration replaces another one"),
    ("src/wording/account/carried.rs", "bodies", "tells which declarations a text can name"),
    ("src/wording/account/early.rs", "looks_first", "follows the first statement, as far as this is known"),
    ("src/wording/declared/lexicon.rs", "collect", "tells which labels texts print"),
    ("src/wording/print.rs", "stmt", "names every form; the `_` is about the statements of a block"),
    ("src/wording/print.rs", "tight", "tells which forms need brackets"),
    ("src/wording/script/weave.rs", "is_one", "tells which statements are one instruction"),
];

/// The functions of a file: their names and their texts, as the formatter lays them out.
fn functions(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (at, line) in text.match_indices('\n').map(|(at, _)| at + 1).map(|at| (at, text[at..].lines().next().unwrap_or(""))) {
        let bare = line.trim_start();
        let indent = &line[..line.len() - bare.len()];
        let Some((_, name)) = bare.split_once("fn ").filter(|(before, _)| before.is_empty() || before.starts_with("pub")) else { continue };
        let end = text[at..].find(&format!("\n{indent}}}\n")).map_or(text.len(), |end| at + end);
        let name = name.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).next().unwrap();
        found.push((name, if line.ends_with(['}', ';']) { line } else { &text[at..end] }));
    }
    found
}

/// The forms of nodes that a function names.
fn forms(body: &str) -> BTreeSet<&str> {
    let named = |node: &&'static str| body.match_indices(*node).map(|(at, _)| at);
    let end = |at: usize| body[at..].find(|sign: char| !(sign.is_alphanumeric() || sign == ':')).map_or(body.len(), |end| at + end);
    NODES.iter().flat_map(|node| named(&node).collect::<Vec<_>>()).map(|at| &body[at..end(at)]).collect()
}

#[test]
fn no_walk_can_forget_a_node() {
    let mut found = BTreeSet::new();
    // The engine has no tree, and the builders of the tree tell the rules of the grammar apart.
    let is_of_tree = |path: &str| !path.starts_with("src/engine") && !path.contains("/build/") && !path.contains("tests");
    for (path, text) in files("src", ".rs") {
        let path = path.to_string_lossy().into_owned();
        if is_of_tree(&path) {
            let is_open = |body: &str| body.contains("_ =>") && forms(body).len() >= FEW;
            let left_to_visitor =
                |body: &str| ["walk_stmt(self", "walk_expr(self", "walk_clause(self"].iter().any(|walk| body.contains(walk));
            let open = functions(&text).into_iter().filter(|(_, body)| is_open(body) && !left_to_visitor(body));
            found.extend(open.map(|(name, _)| (path.clone(), name.to_owned())));
        }
    }
    let allowed: BTreeSet<_> = ALLOWED.iter().map(|(path, name, _)| ((*path).to_owned(), (*name).to_owned())).collect();
    let wrong: Vec<_> = found.symmetric_difference(&allowed).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
