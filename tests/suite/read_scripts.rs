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
        // The cards of some texts share a compiler: to copy it for each card takes most of the time.
        let texts = texts(&name, &game);
        let checked = texts.par_chunks(50).flat_map_iter(|texts| {
            let mut compiler = game.compiler.beside();
            let mut wrong = Vec::new();
            for (at, (text, of)) in texts.iter().flat_map(|text| types.iter().map(move |of| (text, of))).enumerate() {
                let reading = game.wording.read_on(&printed(text), vec![of.clone()]);
                if reading.abilities.is_empty() || !reading.diagnostics.is_empty() {
                    continue;
                }
                let span = printed(text).span;
                let decl = CardDecl {
                    of: vec![Name { text: of.clone(), span }],
                    texts: vec![printed(text)],
                    ..CardDecl::new(Text { text: format!("A{at}"), span }, span)
                };
                let (_, found) = compiler.add_card(&decl, &reading.abilities);
                let errors: Vec<_> =
                    found.iter().filter(|finding| finding.severity == Severity::Error).map(|finding| finding.code).collect();
                wrong.extend((!errors.is_empty()).then(|| format!("{name} {of} {} {text}", errors.join(" "))));
            }
            wrong
        });
        wrong.extend(checked.collect::<Vec<_>>());
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
