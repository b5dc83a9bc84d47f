//! Every text that counts as read has a script that compiles, on every type of card on which the text is read: the texts of the cards and of
//! the fixtures.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::words_of_texts::{game, printed, texts};
use gyoji::diagnostic::Severity;
use gyoji::project::embedded_games;
use gyoji::syntax::ast::{CardDecl, Name, Text};
use rayon::prelude::*;

#[test]
fn what_counts_as_read_compiles_on_every_type_of_card() {
    let mut wrong = Vec::new();
    for name in embedded_games() {
        let game = game(&name);
        let types = &game.compiler.program().card_types;
        let checked = texts(&name, &game).into_par_iter().flat_map_iter(|text| {
            let of_types = types.iter().filter_map(|of| {
                let reading = game.wording.read_on(&printed(&text), vec![of.clone()]);
                if reading.abilities.is_empty() || !reading.diagnostics.is_empty() {
                    return None;
                }
                let span = printed(&text).span;
                let decl = CardDecl {
                    of: vec![Name { text: of.clone(), span }],
                    texts: vec![printed(&text)],
                    ..CardDecl::new(Text { text: "A".to_owned(), span }, span)
                };
                let (_, found) = game.compiler.beside().add_card(&decl, &reading.abilities);
                let errors: Vec<_> =
                    found.iter().filter(|finding| finding.severity == Severity::Error).map(|finding| finding.code).collect();
                (!errors.is_empty()).then(|| format!("{name} {of} {} {text}", errors.join(" ")))
            });
            of_types.collect::<Vec<_>>()
        });
        wrong.extend(checked.collect::<Vec<_>>());
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
