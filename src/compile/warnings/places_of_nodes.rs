//! Finds where an expression stands: the expressions around it, and the statement that reads it. So `affected.rs` can say which cards a name
//! in the expression means.

use super::affected::{Around, Cards, Effects};
use engine::ids::{NodeId, Pc};
use engine::program::{Node, Op, Program, children, parts};
use rustc_hash::{FxHashMap, FxHashSet};

/// The parents of nodes, and the statements that read them.
pub(super) struct Tree<'p> {
    program: &'p Program,
    /// The parent of each node. A node with two parents has none here.
    parents: FxHashMap<NodeId, NodeId>,
    several: FxHashSet<NodeId>,
    /// For the roots of the commonest statements, what is known there.
    around: FxHashMap<NodeId, Pc>,
    /// The roots whose nodes mention things that are bound outside of them.
    open: FxHashMap<NodeId, bool>,
}

impl<'p> Tree<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut tree = Self {
            program,
            parents: FxHashMap::default(),
            several: FxHashSet::default(),
            around: FxHashMap::default(),
            open: FxHashMap::default(),
        };
        for (id, node) in program.nodes.iter() {
            children(node, program, &mut |child| {
                if child != NodeId::NONE && tree.parents.insert(child, id).is_some_and(|other| other != id) {
                    tree.several.insert(child);
                }
            });
        }
        for (pc, op) in program.code.iter() {
            let args = match *op {
                Op::Perform { args, .. } | Op::Builtin { args, .. } | Op::Call { args, .. } => program.args_of(args),
                _ => &[],
            };
            tree.around.extend(op.read_first(program).iter().chain(args).map(|node| (*node, pc)));
        }
        for (id, node) in program.nodes.iter() {
            if let Node::Bound(at) = *node {
                let (root, binders) = tree.way(id);
                *tree.open.entry(root).or_default() |= usize::from(at) >= binders.len();
            }
        }
        tree
    }

    /// The root above a node, and the sets that the binders on the way go through, the outermost first. A value that is no member of a set
    /// is `NONE`.
    pub(super) fn way(&self, node: NodeId) -> (NodeId, Vec<NodeId>) {
        let mut binders = Vec::new();
        let mut here = node;
        while let Some(above) = self.parents.get(&here).copied() {
            if let Some(above) = self.program.nodes.get(above) {
                parts(above, self.program, &mut |child, of| binders.extend(of.filter(|_| child == here)));
            }
            here = above;
        }
        binders.reverse();
        (here, binders)
    }

    pub(super) fn root(&self, node: NodeId) -> NodeId {
        self.way(node).0
    }

    /// The cards that an expression below a root may mean.
    pub(super) fn cards(&self, effects: &Effects<'_, '_>, card: NodeId) -> Option<Cards> {
        let (root, binders) = self.way(card);
        let mut here = Some(card);
        while let Some(node) = here {
            if self.several.contains(&node) {
                return None;
            }
            here = self.parents.get(&node).copied();
        }
        if self.open.get(&root).copied().unwrap_or_default() {
            return None;
        }
        let around = match self.around.get(&root) {
            Some(pc) => effects.around(*pc),
            None => Around::default(),
        };
        // An effect may have moved the card between the moment at which it was looked for and the moment at which it is read.
        effects.cards(card, &Around { binders, this: None, ..around })
    }
}
