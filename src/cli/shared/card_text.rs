//! Shows a card to a person: its printed values and text, its script, and the phrases of its text.

use crate::Context;
use crate::shared::loading::Loaded;
use engine::ids::CardId;
use engine::machine::Machine;
use lang::diagnostic::{Sources, Span};
use lang::syntax::ast::{CardDecl, Errata, Printing, Text};
use report::Widths;
use serde_json::json;
use tell::Names;
use wording::{Back, Phrase, Reading, Verdict, show_ability, show_fragment};

/// The width of the column for phrases. A longer phrase moves the next column.
const PHRASE: usize = 44;

/// The card in lines: number, name and values; then text; then, if it is wanted, the script.
#[must_use]
pub(crate) fn card_text(loaded: &Loaded, card: CardId, with_script: bool, context: &Context) -> String {
    let Some(def) = loaded.program.cards.get(card) else { return String::new() };
    let mut lines = vec![format!("{} {}", def.number, printed_line(&Machine::new(loaded.program.clone()), card, context))];
    let script = script(loaded, card);
    if def.text.is_empty() && script.is_empty() {
        lines.push(format!("  {}", context.say("explain.no_text", &[])));
    }
    lines.extend(def.text.lines().map(|line| format!("  {line}")));
    lines.extend(versions(loaded, card, context));
    let todos = loaded.card(card).into_iter().flat_map(|card| &card.decl.todos);
    lines.extend(todos.map(|reason| context.say("explain.todo", &[("reason", reason.text.clone())])));
    if with_script && !script.is_empty() {
        lines.push(context.say("explain.script", &[]));
        lines.extend(script.into_iter().map(|line| format!("  {line}")));
    }
    lines.join("\n")
}

/// Other printed versions: the text before each erratum, the errata with days and reasons, the printings.
fn versions(loaded: &Loaded, card: CardId, context: &Context) -> Vec<String> {
    let Some(card) = loaded.card(card) else { return Vec::new() };
    let decl = &card.decl;
    let mut lines: Vec<String> = Vec::new();
    for text in &decl.printed {
        lines.push(context.say("explain.printed", &[("text", text.text.clone())]));
    }
    for errata in &decl.errata {
        let because = errata.because.as_ref().map(|because| format!(" ({})", because.text)).unwrap_or_default();
        let args = [("day", errata.on.to_string()), ("text", errata.text.text.clone()), ("because", because)];
        lines.push(context.say("explain.errata", &args));
    }
    for printing in &decl.printings {
        let set = printing.set.as_ref().map(|set| format!(" {}", set.text)).unwrap_or_default();
        let released = printing.released.map(|released| format!(" {released}")).unwrap_or_default();
        let args = [("number", printing.number.text.clone()), ("set", set), ("released", released)];
        lines.push(context.say("explain.printing", &args));
    }
    lines
}

/// The effect script, one line for each ability.
fn script(loaded: &Loaded, card: CardId) -> Vec<String> {
    loaded.card(card).map(|card| card.abilities.iter().map(show_ability).collect()).unwrap_or_default()
}

/// The name and the printed values. A card with several types also shows these.
fn printed_line(machine: &Machine, card: CardId, context: &Context) -> String {
    let name = Names::new(machine.program(), context.words()).card(card);
    let program = machine.program();
    let types: Vec<&str> =
        program.types_of(card).iter().filter_map(|of| program.card_types.get(usize::from(*of))).map(String::as_str).collect();
    let types = (types.len() > 1).then(|| types.join(", "));
    std::iter::once(name).chain(types).chain(printed_values(machine, card, context)).collect::<Vec<_>>().join("  ")
}

/// A card's printed values, each with its field. Any machine of the game will do.
#[must_use]
pub(crate) fn printed_values(machine: &Machine, card: CardId, context: &Context) -> Vec<String> {
    let program = machine.program();
    let names = Names::new(program, context.words());
    let mut parts = Vec::new();
    for field in names.printed_fields() {
        if program.printed_value(card, field) != engine::value::Value::Undefined {
            let label = program.fields.get(field).map_or("", |def| names.label(&def.name));
            parts.push(format!("{label} {}", names.printed(machine.state(), card, field)));
        }
    }
    parts
}

/// The file and line of the template that covers a phrase. None for a phrase without a template.
fn place_of_template(phrase: &Phrase, sources: &Sources) -> Option<String> {
    let source = sources.get(phrase.declared.file).filter(|_| phrase.declared != Span::default())?;
    Some(format!("{}:{}", source.name, sources.line_column(phrase.declared).0))
}

/// The printed text phrase by phrase, each with its script, the rules of its template, and the template's place.
#[must_use]
pub(crate) fn phrases(phrases: &[Phrase], sources: &Sources, context: &Context) -> String {
    let widths = Widths::new(context.ambiguous);
    let line = |phrase: &Phrase| {
        let printed = format!("{}{}", "  ".repeat(phrase.depth + 1), sources.text(phrase.span));
        let rules: Vec<_> = phrase.cites.iter().map(|cite| format!("@{}", cite.id)).collect();
        let script = show_fragment(&phrase.script);
        let more: Vec<String> = rules.into_iter().chain(place_of_template(phrase, sources)).collect();
        format!("{}  {script}  {}", widths.padded(&printed, PHRASE), more.join(" ")).trim_end().to_owned()
    };
    if phrases.is_empty() {
        return String::new();
    }
    let lines: Vec<_> = phrases.iter().map(line).collect();
    format!("{}\n{}", context.say("explain.phrases", &[]), lines.join("\n"))
}

/// The text that the templates print for a text's script.
#[must_use]
pub(crate) fn said_back(text: &Text, reading: &Reading, loaded: &Loaded, context: &Context) -> String {
    let verdict = loaded.game.wording.verdict(&loaded.game.back(), text, reading);
    let name = context.say(&format!("verdict.{}", verdict.name()), &[]);
    let said = match &verdict {
        Verdict::Exact => text.text.as_str(),
        other => other.said().unwrap_or_default(),
    };
    let lines: String = said.lines().map(|line| format!("\n  {}", line.trim())).collect();
    format!("{} ({name}){lines}", context.say("explain.said", &[]))
}

/// The text that the templates print for a text's script, as JSON: the verdict and the printed text.
#[must_use]
pub(crate) fn said_object(text: &Text, reading: &Reading, loaded: &Loaded, back: &Back<'_>) -> serde_json::Value {
    let verdict = loaded.game.wording.verdict(back, text, reading);
    json!({ "verdict": verdict.name(), "said": verdict.said() })
}

/// The phrases as JSON.
#[must_use]
pub(crate) fn phrase_objects(phrases: &[Phrase], sources: &Sources) -> Vec<serde_json::Value> {
    let object = |phrase: &Phrase| {
        let rules: Vec<_> = phrase.cites.iter().map(|cite| cite.id.as_str()).collect();
        json!({
            "text": sources.text(phrase.span), "template": phrase.template, "script": show_fragment(&phrase.script),
            "depth": phrase.depth, "rules": rules, "at": place_of_template(phrase, sources),
        })
    };
    phrases.iter().map(object).collect()
}

/// The card as JSON.
#[must_use]
pub(crate) fn object(loaded: &Loaded, card: CardId, context: &Context) -> serde_json::Value {
    let def = loaded.program.cards.get(card);
    let of_pool = loaded.card(card);
    let phrases = of_pool.map(|card| card.phrases.as_slice()).unwrap_or_default();
    let texts = of_pool
        .into_iter()
        .filter(|card| card.decl.todos.is_empty())
        .flat_map(|card| card.decl.texts.iter().map(|text| (&card.decl, text)));
    let wording = &loaded.game.wording;
    let way_back = loaded.game.back();
    let back: Vec<_> = texts.map(|(card, text)| said_object(text, &wording.read_of(text, card), loaded, &way_back)).collect();
    let todo: Vec<&str> = of_pool.into_iter().flat_map(|card| &card.decl.todos).map(|reason| reason.text.as_str()).collect();
    json!({
        "kind": "card", "number": def.map(|def| def.number.as_str()), "values": printed_line(&Machine::new(loaded.program.clone()), card, context),
        "text": def.map(|def| def.text.as_str()), "script": script(loaded, card), "phrases": phrase_objects(phrases, &loaded.sources),
        "back": back, "todo": todo,
        "printed": of_pool.map(|card| card.decl.printed.iter().map(|text| text.text.as_str()).collect::<Vec<_>>()).unwrap_or_default(),
        "errata": of_pool.map(|card| errata_objects(&card.decl)).unwrap_or_default(),
        "printings": of_pool.map(|card| printing_objects(&card.decl)).unwrap_or_default(),
    })
}

fn errata_objects(card: &CardDecl) -> Vec<serde_json::Value> {
    let because = |errata: &Errata| errata.because.as_ref().map(|because| because.text.clone());
    card.errata.iter().map(|errata| json!({ "on": errata.on.to_string(), "text": errata.text.text, "because": because(errata) })).collect()
}

fn printing_objects(card: &CardDecl) -> Vec<serde_json::Value> {
    let object = |printing: &Printing| {
        json!({
            "number": printing.number.text, "set": printing.set.as_ref().map(|set| set.text.clone()),
            "released": printing.released.map(|released| released.to_string()),
        })
    };
    card.printings.iter().map(object).collect()
}
