//! The tree of wording declarations: templates over printed text, words that inflect, tables of their forms.

use super::{Ability, Amount, Arg, Block, Cite, Clause, Expr, Name, Pattern, Text};
use crate::diagnostic::Span;
use std::sync::Arc;

/// `wording duel { … }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordingDecl {
    /// The wording's name.
    pub name: Name,
    /// The wording's lines in order.
    pub items: Vec<WordingItem>,
    /// Where the wording stands.
    pub span: Span,
}

/// One line of a wording, with its margin citations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordingItem {
    /// The rules that give the phrase its meaning.
    pub cites: Vec<Cite>,
    /// The kind of line.
    pub kind: WordingKind,
    /// Where the line stands, citations left out.
    pub span: Span,
}

/// The kinds of line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordingKind {
    /// `unclear act 「…」 because "…"`: a phrase that no text may print.
    Unclear(Unclear),
    /// `category act: statements inflected`.
    Category(Category),
    /// `levels text > sentence > act`: a phrase of a category is a phrase of the category before it, too.
    Levels(Vec<Name>),
    /// `class 五段 「く」 { 終止 「く」  受身 「かれ」 as 一段 }`.
    Class(WordClass),
    /// `verb 引く 五段`, `verb 「多い」 形容詞`: a word that inflects.
    Verb {
        /// The verb's dictionary form.
        word: Name,
        /// The verb's class.
        class: Name,
    },
    /// `digits 「〇一二三四五六七八九」`: signs for zero to nine.
    Digits(Text),
    /// `unit 「十」 = 10`.
    Unit(Text, i32),
    /// `annotation 「（」 to 「）」`: printed text between these signs is a remark and is skipped.
    Annotation(Text, Text),
    /// `heading 「【」 to 「】」`: what stands between these signs before a printed line names the ability, and is no part of its body.
    Heading(Text, Text),
    /// `owes 「他の」 or 「以外」: not`: each of these printed words needs one of these names in the script.
    Owes(Vec<Text>, Vec<Name>),
    /// `particles を, が, に, から pause 「、」`: the words that may stand after an argument in a frame, and the sign that may follow them.
    Particles(Vec<Name>, Option<Text>),
    /// `voice 受身: を as が`.
    Voice(Voice),
    /// `relative given 「${verb, た}カード」`: refers by a verb to the thing that the verb's frame gives.
    Relative(Relative),
    /// A frame: a verb with its arguments.
    Frame(Frame),
    /// A template.
    Template(Template),
    /// `spelling なら 「なら」 or 「ならば」`: one word with its printed forms. The first form is the one that is printed back.
    Spelling(Name, Vec<Text>),
    /// `meaning put(what, goal) -> move($what, $goal)`.
    Meaning(NamedMeaning),
    /// `family handled(verb, action) { … }`: lines with names to be filled in.
    Family(Family),
    /// `take handled(壊す, break_it)`: the lines of a family with these names filled in.
    Take {
        /// The family.
        family: Name,
        /// The names that are filled in, in the order of the family's parameters.
        names: Vec<Name>,
        /// The lines with the names filled in. Empty until the family is known (`wording::fill_takes`).
        lines: Vec<WordingItem>,
    },
    /// `take meaning offered`: the game uses a shared meaning as it is. The citations beside the line go to the meaning.
    TakeMeaning {
        /// The meaning's name.
        name: Name,
        /// The shared meaning. None until it is known (`wording::fill_takes`).
        meaning: Option<NamedMeaning>,
    },
}

/// A meaning that several templates share. A game may declare it again: then all these templates have the new meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMeaning {
    /// `override meaning`: replaces the meaning that another wording declares.
    pub overrides: bool,
    /// The name by which scripts call it.
    pub name: Name,
    /// The meaning's parameters. In its script they are holes.
    pub params: Vec<Name>,
    /// The script of the meaning.
    pub script: Fragment,
}

/// Lines of a wording with names to be filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The family's name.
    pub name: Name,
    /// The names in the lines that `take` replaces.
    pub params: Vec<Name>,
    /// The family's lines.
    pub items: Vec<WordingItem>,
}

/// `voice 受身: を as が`: in this form of its verb, a frame's argument has another particle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voice {
    /// The form.
    pub form: Name,
    /// The argument's particle in the frame.
    pub from: Name,
    /// The particle that is printed instead.
    pub to: Name,
}

/// `relative given 「$[この効果で]${verb, た}カード」`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relative {
    /// The category of the clause's phrases.
    pub category: Name,
    /// The clause's printed forms. The word `verb` in them is any verb whose frame gives something.
    pub printed: Vec<Printed>,
}

/// `frame act 置く or 戻す { を object or the card  に or へ goal } -> { move($を, $に) } gives moved`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// `override frame`: where it fits, other templates for the same phrase do not count.
    pub overrides: bool,
    /// The category of the frame's phrases.
    pub category: Name,
    /// The frame's verbs.
    pub verbs: Vec<Name>,
    /// The forms admitted, each a path. Empty: any form.
    pub forms: Vec<Vec<Name>>,
    /// The frame's arguments in printing order. They are read in any order.
    pub slots: Vec<FrameSlot>,
    /// What the frame means.
    pub script: Fragment,
    /// The things that later phrases can refer to.
    pub gives: Vec<Gives>,
    /// From the category to the last argument.
    pub span: Span,
    /// Values that the frame puts into slots of the ability around it.
    pub hands: Vec<Arg>,
}

/// An argument of a frame: `を object or the card`, `で side or none`, `「ランダムに」`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameSlot {
    /// The particles that may stand after it. The first one is printed, and names the hole of a category. Empty for an adverb.
    pub particles: Vec<Name>,
    /// The part before the particle.
    pub filler: Filler,
    /// `with 「${n: count}」`: a part that may also stand before the particle, or anywhere after it.
    pub floating: Vec<Printed>,
    /// The value when the argument is not printed.
    pub absent: Absent,
    /// Where the argument stands.
    pub span: Span,
}

/// What fills an argument of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filler {
    /// A phrase of a category.
    Category(Name),
    /// One of these forms.
    Printed(Vec<Printed>),
}

/// The value of a frame's argument that is not printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absent {
    /// The argument must be printed.
    Required,
    /// `or none`: the argument is left out of the script, too.
    None,
    /// `or the CLASS`: the nearest thing of that class.
    Nearest(Name),
    /// `= you`: this value.
    Default(Expr),
}

/// `category act: statements inflected`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Category {
    /// The category's name.
    pub name: Name,
    /// The kind of its scripts: `value`, `statements`, `clauses`, `ability`, `event`, `amount`.
    pub of: Name,
    /// Whether the category's phrases end in a word that inflects, and so have forms.
    pub inflected: bool,
    /// Whether all the category's phrases in one text are printed alike.
    pub alike: bool,
}

/// A class of inflected words: the endings that replace its dictionary ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordClass {
    /// The class (`五段`). Several tables of one class differ in the dictionary ending.
    pub name: Name,
    /// The end of the dictionary form that is replaced (`く`).
    pub ending: Text,
    /// The class's forms.
    pub forms: Vec<WordForm>,
}

/// `て 「いて」`, or a voice that inflects further: `受身 「かれ」 as 一段`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordForm {
    /// The form's name.
    pub name: Name,
    /// The ending in this form; it replaces the dictionary ending.
    pub ending: Text,
    /// The class that the form inflects by further on.
    pub like: Option<Name>,
}

/// `unclear act 「${c: condition}ならカードを${引く}」 because "…"`: a phrase that the templates could read, but that has no clear meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unclear {
    /// The category that the phrase would have.
    pub category: Name,
    /// The line's printed forms.
    pub printed: Vec<Printed>,
    /// Why the texts are refused.
    pub because: Text,
}

/// `act 「カード${n: number}枚を${引く}」 -> { draw(you, $n) } gives drawn`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// How far the template reaches in the printed text.
    pub scope: TemplateScope,
    /// `one_way act 「…」`: texts with this form are read. A script is printed in this form only if no other template has a text for it.
    pub one_way: bool,
    /// The category of the template's phrases.
    pub category: Name,
    /// The template's printed forms. The first one is printed back.
    pub printed: Vec<Printed>,
    /// What the template means.
    pub script: Fragment,
    /// The things that later phrases can refer to.
    pub gives: Vec<Gives>,
    /// The card types on whose cards it may stand. Empty: all.
    pub of: Vec<Name>,
    /// `hands limit: 1`: values that it puts into slots of the ability around it.
    pub hands: Vec<Arg>,
}

/// What a template's declaration says about its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TemplateScope {
    /// `act 「…」`: exactly what is printed.
    Plain,
    /// `prefix 「…」 over sentence`: `$rest` is the rest of the sentence.
    Prefix,
    /// `override act 「…」`: where it fits, other templates for the same phrase do not count.
    Override,
    /// `connective 「…」 joins text`: `$first` is everything before it. `$second` is the next smaller level after it.
    Connective,
}

/// A printed form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The form's parts in order. A frame's parts are shared between the orders of its arguments.
    pub parts: Vec<Arc<PrintedPart>>,
    /// From the opening to the closing mark.
    pub span: Span,
}

/// A part of a printed form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrintedPart {
    /// Signs as printed.
    Text(Text),
    /// `${n: number}`, `${e: act, 連用 or て}`, `〈${w: symbol}〉`.
    Hole(PrintedHole),
    /// `${引く}`: a declared word in any form. `${引く, 受身}`: in that form. `${置く|戻す}`: one of several words.
    Word(Vec<Name>, Vec<Vec<Name>>),
    /// `$(回|度)`, `$[も]`: one of these texts. An empty text among them means that the part may be left out.
    Choice(Vec<Text>, Span),
}

/// `${name: category, form or form}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedHole {
    /// The hole's name in the script.
    pub name: Name,
    /// The category that fills the hole; a kind of declared labels (`zone`, an enum's name); `numeral`; or any signs up to the next printed
    /// one (`text`, `symbol`).
    pub category: Name,
    /// The forms admitted, each a path (`受身 て`). Empty: the template's own form.
    pub forms: Vec<Vec<Name>>,
    /// From `$` to `}`.
    pub span: Span,
}

/// A template's right side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fragment {
    /// `$n + 1`.
    Value(Expr),
    /// `{ draw(you, $n) }`.
    Statements(Block),
    /// `clauses { modify this { win + 2 } }`.
    Clauses(Vec<Clause>),
    /// `ability on_show { $e }`.
    Ability(Box<Ability>),
    /// `event refill($p)`.
    Event(Pattern),
    /// `amount up to $n`.
    Amount(Amount),
}

/// `gives drawn` (the objects of the last call) or `gives card = chosen` (a name bound in the script): a thing that later phrases can refer
/// to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gives {
    /// The class by which `the CLASS` finds the thing.
    pub class: Name,
    /// The name bound in the script.
    pub what: Option<Name>,
}
