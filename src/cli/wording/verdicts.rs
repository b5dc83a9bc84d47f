//! `gyoji wording --verdicts`: the verdict on each printed text, which is read and printed back.
//!
//! Texts marked `todo` are read too, as with `--missing`.

use super::super::Context;
use crate::shared::loading::Loaded;
use lang::syntax::ast::Text;
use serde_json::json;
use wording::{Reading, Verdict, show_ability};

/// A card's number, its text, the verdict, and the text's reading.
type Judged<'a> = (&'a str, &'a Text, Verdict, Reading);

fn all(loaded: &Loaded) -> Vec<Judged<'_>> {
    let wording = &loaded.game.wording;
    let back = loaded.game.back();
    let texts = loaded.game.cards.iter().flat_map(|card| card.decl.texts.iter().map(move |text| (&card.decl, text)));
    texts
        .map(|(card, text)| {
            let reading = wording.read_of(text, card);
            (card.number.text.as_str(), text, wording.verdict(&back, text, &reading), reading)
        })
        .collect()
}

/// Shows each text with its verdict, and the text of its script if that differs; then the number of each verdict.
pub(super) fn run(loaded: &Loaded, context: &Context) {
    let judged = all(loaded);
    for (number, text, verdict, reading) in &judged {
        let said = verdict.said();
        let object = || {
            let script: Vec<String> = reading.abilities.iter().map(show_ability).collect();
            let verdict = verdict.name();
            json!({ "kind": "verdict", "card": number, "text": text.text, "verdict": verdict, "script": script, "said": said })
        };
        context.result(object, || {
            let name = context.say(&format!("verdict.{}", verdict.name()), &[]);
            context.out(&format!("{number}  {name}\n  {}", text.text.replace('\n', "\n  ")));
            if let Some(said) = said {
                context.out(&format!("  → {}", said.replace('\n', "\n    ")));
            }
        });
    }
    sum(&judged, context);
}

/// Shows the number of each verdict.
pub(super) fn count(loaded: &Loaded, context: &Context) {
    sum(&all(loaded), context);
}

fn sum(judged: &[Judged<'_>], context: &Context) {
    let count = |name: &str| judged.iter().filter(|(_, _, verdict, _)| verdict.name() == name).count();
    let object = || {
        let counts: serde_json::Map<String, serde_json::Value> =
            Verdict::NAMES.iter().map(|name| ((*name).to_owned(), json!(count(name)))).collect();
        json!({ "kind": "verdicts", "texts": judged.len(), "counts": counts })
    };
    context.result_in_one_line(object, || {
        let name = |name: &str| context.say(&format!("verdict.{name}"), &[]);
        let counts: Vec<String> = Verdict::NAMES.iter().map(|verdict| format!("{} {}", name(verdict), count(verdict))).collect();
        context.say("wording.verdicts", &[("texts", judged.len().to_string()), ("counts", counts.join(", "))])
    });
}
