//! Builds wording declarations: words, categories, templates and their scripts.

use crate::diagnostic::Span;
use crate::syntax::ast::{
    Absent, Amount, Arg, Category, Cite, Family, Filler, Fragment, Frame, FrameSlot, Gives, Name, NamedMeaning, Printed, PrintedHole,
    PrintedPart, Relative, Template, TemplateScope, Text, Unclear, Voice, WordClass, WordForm, WordingDecl, WordingItem, WordingKind,
};
use crate::syntax::build::{Cx, ability, all, block, cites, clauses, expr, inner, pattern, value};
use crate::syntax::parse::Rule;
use pest::iterators::Pair;
use std::sync::Arc;

/// `wording duel { … }`.
pub(crate) fn wording(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<WordingDecl> {
    let span = cx.span(&pair);
    let mut parts = inner(pair);
    let name = cx.name(&parts.next()?);
    let items = all(parts.map(|pair| item(cx, pair)))?;
    Some(WordingDecl { name, items, span })
}

fn item(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<WordingItem> {
    let mut parts = inner(pair).peekable();
    let cites: Vec<Cite> = cites(cx, &mut parts);
    let kind = parts.next()?;
    let span = cx.span(&kind);
    Some(WordingItem { cites, kind: item_kind(cx, kind)?, span })
}

/// The pairs inside without keywords and brackets, including the keywords of wordings.
fn said<'i>(pair: Pair<'i, Rule>) -> impl Iterator<Item = Pair<'i, Rule>> {
    let told = |rule: Rule| matches!(rule, Rule::wd_inflected | Rule::wd_alike | Rule::wd_one_way);
    let is_word = move |rule: Rule| (Rule::wd_category..=Rule::wd_amount).contains(&rule) && !told(rule);
    inner(pair).filter(move |pair| !is_word(pair.as_rule()))
}

fn item_kind(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<WordingKind> {
    let rule = pair.as_rule();
    let mut parts = said(pair.clone());
    Some(match rule {
        Rule::category_item => {
            let (name, of) = (cx.name(&parts.next()?), cx.name(&parts.next()?));
            let words: Vec<Rule> = parts.map(|word| word.as_rule()).collect();
            let (inflected, alike) = (words.contains(&Rule::wd_inflected), words.contains(&Rule::wd_alike));
            WordingKind::Category(Category { name, of, inflected, alike })
        }
        Rule::levels_item => WordingKind::Levels(parts.map(|name| cx.name(&name)).collect()),
        Rule::class_item => {
            let (name, ending) = (cx.name(&parts.next()?), cx.text(parts.next()?)?);
            let forms = all(parts.map(|form| word_form(cx, form)))?;
            WordingKind::Class(WordClass { name, ending, forms })
        }
        Rule::verb_item => WordingKind::Verb { word: cx.name(&parts.next()?), class: cx.name(&parts.next()?) },
        Rule::digits_item => WordingKind::Digits(cx.text(parts.next()?)?),
        Rule::unit_item => {
            let text = cx.text(parts.next()?)?;
            let value = parts.find(|part| part.as_rule() == Rule::number)?;
            WordingKind::Unit(text, cx.number(&value))
        }
        Rule::annotation_item => WordingKind::Annotation(cx.text(parts.next()?)?, cx.text(parts.next()?)?),
        Rule::heading_item => WordingKind::Heading(cx.text(parts.next()?)?, cx.text(parts.next()?)?),
        Rule::owes_item => {
            let (texts, names): (Vec<_>, Vec<_>) = parts.partition(|part| !matches!(part.as_rule(), Rule::word | Rule::number));
            WordingKind::Owes(all(texts.into_iter().map(|text| cx.text(text)))?, names.iter().map(|name| cx.name(name)).collect())
        }
        Rule::particles_item => {
            let (names, pause): (Vec<_>, Vec<_>) = parts.partition(|part| part.as_rule() == Rule::name);
            let pause = pause.into_iter().next().and_then(|text| cx.text(text));
            WordingKind::Particles(names.iter().map(|name| cx.name(name)).collect(), pause)
        }
        Rule::voice_item => {
            WordingKind::Voice(Voice { form: cx.name(&parts.next()?), from: cx.name(&parts.next()?), to: cx.name(&parts.next()?) })
        }
        Rule::relative_item => {
            let category = cx.name(&parts.next()?);
            WordingKind::Relative(Relative { category, printed: all(parts.map(|part| printed(cx, part)))? })
        }
        Rule::frame_item => WordingKind::Frame(frame(cx, pair)?),
        Rule::spelling_item => {
            let name = cx.name(&parts.next()?);
            WordingKind::Spelling(name, all(parts.map(|text| cx.text(text)))?)
        }
        Rule::meaning_item => {
            let overrides = inner(pair).any(|part| part.as_rule() == Rule::wd_override);
            let (name, params) = (cx.name(&parts.next()?), names(cx, parts.next()?));
            let script = fragment(cx, said(parts.next()?).next()?)?;
            WordingKind::Meaning(NamedMeaning { overrides, name, params, script })
        }
        Rule::family_item => {
            let (name, params) = (cx.name(&parts.next()?), names(cx, parts.next()?));
            WordingKind::Family(Family { name, params, items: all(parts.map(|line| item(cx, line)))? })
        }
        Rule::take_item => WordingKind::Take { family: cx.name(&parts.next()?), names: names(cx, parts.next()?), lines: Vec::new() },
        Rule::taken_meaning_item => WordingKind::TakeMeaning { name: cx.name(&parts.next()?), meaning: None },
        Rule::unclear_item => {
            let (printed_forms, because): (Vec<_>, Vec<_>) = parts.partition(|part| matches!(part.as_rule(), Rule::name | Rule::printed));
            let mut forms = printed_forms.into_iter();
            WordingKind::Unclear(Unclear {
                category: cx.name(&forms.next()?),
                printed: all(forms.map(|part| printed(cx, part)))?,
                because: cx.text(because.into_iter().next()?)?,
            })
        }
        Rule::prefix_item => WordingKind::Template(template(cx, TemplateScope::Prefix, parts)?),
        Rule::connective_item => WordingKind::Template(template(cx, TemplateScope::Connective, parts)?),
        Rule::override_item => WordingKind::Template(template(cx, TemplateScope::Override, parts)?),
        _ => WordingKind::Template(template(cx, TemplateScope::Plain, parts)?),
    })
}

fn names(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Vec<Name> {
    inner(pair).filter(|name| name.as_rule() == Rule::name).map(|name| cx.name(&name)).collect()
}

fn word_form(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<WordForm> {
    let mut parts = inner(pair);
    let (name, ending) = (cx.name(&parts.next()?), cx.text(parts.next()?)?);
    Some(WordForm { name, ending, like: parts.next().map(|like| cx.name(&like)) })
}

fn template<'i>(cx: &mut Cx<'_>, scope: TemplateScope, parts: impl Iterator<Item = Pair<'i, Rule>>) -> Option<Template> {
    let (mut category, mut forms, mut script, mut gives) = (None, Vec::new(), None, Vec::new());
    let (mut of, mut hands, mut one_way) = (Vec::new(), Vec::new(), false);
    for part in parts {
        match part.as_rule() {
            Rule::wd_one_way => one_way = true,
            Rule::name => category = Some(cx.name(&part)),
            Rule::printed => forms.push(printed(cx, part)?),
            Rule::template_of => of = said(part).filter(|name| name.as_rule() == Rule::name).map(|name| cx.name(&name)).collect(),
            Rule::hands => hands.push(handed(cx, part)?),
            Rule::fragment => script = Some(fragment(cx, said(part).next()?)?),
            _ => gives.push(given(cx, part)?),
        }
    }
    Some(Template { scope, one_way, category: category?, printed: forms, script: script?, gives, of, hands })
}

fn printed(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Printed> {
    Some(Printed { span: exact(cx, &pair), parts: printed_parts(cx, pair)? })
}

/// `frame act 置く or 戻す { … } -> …`.
fn frame(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Frame> {
    let overrides = inner(pair.clone()).any(|part| part.as_rule() == Rule::wd_override);
    let mut parts = said(pair);
    let category = cx.name(&parts.next()?);
    let words = parts.next()?;
    let mut span = category.span.to(cx.span(&words));
    let verbs = inner(words).map(|verb| cx.name(&verb)).collect();
    let (mut forms, mut slots, mut script, mut gives, mut hands) = (Vec::new(), Vec::new(), None, Vec::new(), Vec::new());
    for part in parts {
        match part.as_rule() {
            Rule::form_path => forms.push(inner(part).map(|name| cx.name(&name)).collect()),
            Rule::frame_slot => {
                span = span.to(cx.span(&part));
                slots.push(frame_slot(cx, part)?);
            }
            Rule::hands => hands.push(handed(cx, part)?),
            Rule::fragment => script = Some(fragment(cx, said(part).next()?)?),
            _ => gives.push(given(cx, part)?),
        }
    }
    Some(Frame { overrides, category, verbs, forms, slots, script: script?, gives, span, hands })
}

/// `hands limit: 1`.
fn handed(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Arg> {
    let mut parts = said(pair);
    Some(Arg { name: Some(cx.name(&parts.next()?)), value: value(cx, parts.next()?)? })
}

fn frame_slot(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<FrameSlot> {
    let span = cx.span(&pair);
    let (mut particles, mut category, mut absent) = (Vec::new(), None, Absent::Required);
    let (mut forms, mut floating) = (Vec::new(), Vec::new());
    for part in inner(pair) {
        match part.as_rule() {
            Rule::frame_words => particles = inner(part).map(|name| cx.name(&name)).collect(),
            Rule::printed => forms.push(printed(cx, part)?),
            Rule::slot_floating => floating = all(inner(part).map(|part| printed(cx, part)))?,
            Rule::slot_none => absent = Absent::None,
            Rule::slot_nearest => absent = Absent::Nearest(cx.name(&inner(part).next()?)),
            Rule::slot_default => absent = Absent::Default(expr(cx, inner(part).next()?)?),
            _ => category = Some(cx.name(&part)),
        }
    }
    let filler = category.map_or(Filler::Printed(forms), Filler::Category);
    Some(FrameSlot { particles, filler, floating, absent, span })
}

fn given(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Gives> {
    let mut parts = said(pair);
    let class = cx.name(&parts.next()?);
    let what = parts.next().map(|what| cx.name(&what));
    Some(Gives { class, what })
}

fn fragment(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Fragment> {
    Some(match pair.as_rule() {
        Rule::block => Fragment::Statements(block(cx, pair)?),
        Rule::clauses_fragment => Fragment::Clauses(clauses(cx, said(pair).next()?)?),
        Rule::ability_fragment => Fragment::Ability(Box::new(ability(cx, said(pair).next()?)?)),
        Rule::event_fragment => Fragment::Event(pattern(cx, said(pair).next()?)?),
        Rule::amount_fragment => Fragment::Amount(amount(cx, pair)?),
        _ => Fragment::Value(value(cx, pair)?),
    })
}

fn amount(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Amount> {
    let mut parts = said(pair);
    let first = parts.next()?;
    Some(match first.as_rule() {
        Rule::up_to => crate::syntax::build::expr::up_to(cx, &first, parts.next()?)?,
        Rule::wd_any_number => Amount::AnyNumber(cx.span(&first)),
        _ => Amount::Exactly(expr(cx, first)?),
    })
}

fn printed_parts(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Vec<Arc<PrintedPart>>> {
    let mut parts = Vec::new();
    for part in pair.into_inner() {
        let span = exact(cx, &part);
        match part.as_rule() {
            Rule::printed_text => parts.push(Arc::new(PrintedPart::Text(Text { text: part.as_str().replace("$$", "$"), span }))),
            Rule::printed_hole => parts.push(Arc::new(PrintedPart::Hole(hole(cx, part)?))),
            Rule::printed_word => {
                let (words, forms) = names_and_forms(cx, part);
                parts.push(Arc::new(PrintedPart::Word(words, forms)));
            }
            Rule::printed_quote => {
                let mark = |text: &str| Arc::new(PrintedPart::Text(Text { text: text.to_owned(), span }));
                parts.push(mark("「"));
                parts.extend(printed_parts(cx, part)?);
                parts.push(mark("」"));
            }
            rule => {
                let empty = (rule == Rule::printed_option).then(|| Text { text: String::new(), span });
                let texts = part.into_inner().map(|text| Text { text: text.as_str().to_owned(), span: cx.span(&text) });
                parts.push(Arc::new(PrintedPart::Choice(empty.into_iter().chain(texts).collect(), span)));
            }
        }
    }
    Some(parts)
}

fn hole(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<PrintedHole> {
    let span = exact(cx, &pair);
    let (names, forms) = names_and_forms(cx, pair);
    let mut names = names.into_iter();
    Some(PrintedHole { name: names.next()?, category: names.next()?, forms, span })
}

/// The pair's place up to its closing mark.
fn exact(cx: &Cx<'_>, pair: &Pair<'_, Rule>) -> Span {
    let place = pair.as_span();
    Span { file: cx.file, start: cx.base + place.start() as u32, end: cx.base + place.end() as u32 }
}

fn names_and_forms(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> (Vec<Name>, Vec<Vec<Name>>) {
    let (mut names, mut forms) = (Vec::new(), Vec::new());
    for part in inner(pair) {
        match part.as_rule() {
            Rule::form_path => forms.push(inner(part).map(|name| cx.name(&name)).collect()),
            _ => names.push(cx.name(&part)),
        }
    }
    (names, forms)
}
