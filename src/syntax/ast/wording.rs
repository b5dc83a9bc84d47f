//! Wording declarations: templates over printed text, the words that inflect, the tables of their forms.

use super::{Ability, Amount, Arg, Block, Cite, Clause, Expr, Name, Pattern, Text};
use crate::diagnostic::Span;
use std::sync::Arc;

/// `wording duel { … }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordingDecl {
    /// Its name.
    pub name: Name,
    /// In order.
    pub items: Vec<WordingItem>,
    /// Where it stands.
    pub span: Span,
}

/// One line of a wording, with its margin citations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordingItem {
    /// The rules that give the phrase its meaning.
    pub cites: Vec<Cite>,
    /// What it is.
    pub kind: WordingKind,
    /// Where it stands, citations left out.
    pub span: Span,
}

/// The kinds of line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordingKind {
    /// `unclear act 「…」 because "…"`: what no text may print.
    Unclear(Unclear),
    /// `category act: statements inflected`.
    Category(Category),
    /// `levels text > sentence > act`: each category contains the next one as it is.
    Levels(Vec<Name>),
    /// `class 五段 「く」 { 終止 「く」  受身 「かれ」 as 一段 }`.
    Class(WordClass),
    /// `verb 引く 五段`, `verb 「多い」 形容詞`: a word that inflects.
    Verb {
        /// Its dictionary form.
        word: Name,
        /// Its class.
        class: Name,
    },
    /// `digits 「〇一二三四五六七八九」`: signs for zero to nine.
    Digits(Text),
    /// `unit 「十」 = 10`.
    Unit(Text, i32),
    /// `annotation 「（」 to 「）」`: printed text between these is a remark and is skipped.
    Annotation(Text, Text),
    /// `particles を, が, に, から pause 「、」`: the words that may stand behind an argument in a frame, and what may stand behind them.
    Particles(Vec<Name>, Option<Text>),
    /// `voice 受身: を as が`.
    Voice(Voice),
    /// `relative given 「${verb, た}カード」`: what the frame of any verb gives, said by the verb.
    Relative(Relative),
    /// A verb with its arguments.
    Frame(Frame),
    /// A template.
    Template(Template),
    /// `spelling なら 「なら」 or 「ならば」`: one word with the ways in which it is printed, the one that is printed back first.
    Spelling(Name, Vec<Text>),
    /// `meaning put(what, goal) -> move($what, $goal)`.
    Meaning(NamedMeaning),
    /// `family handled(verb, action) { … }`: lines with names to be put in.
    Family(Family),
    /// `take handled(壊す, break_it)`: the lines of a family with these names in them.
    Take {
        /// The family.
        family: Name,
        /// What stands in the place of its names, in their order.
        names: Vec<Name>,
        /// The lines with these names in them, once the family is known (`wording::fill_takes`).
        lines: Vec<WordingItem>,
    },
}

/// What templates of many phrases mean, said once. A game may say it anew: then every template that says it means that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMeaning {
    /// `override meaning`: in the place of the one that another wording declares.
    pub overrides: bool,
    /// The name by which scripts call it.
    pub name: Name,
    /// What it is called with; in its script these are holes.
    pub params: Vec<Name>,
    /// What it means.
    pub script: Fragment,
}

/// Lines of a wording with names to be put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// Its name.
    pub name: Name,
    /// The names that `take` puts others in the place of.
    pub params: Vec<Name>,
    /// Its lines.
    pub items: Vec<WordingItem>,
}

/// `voice 受身: を as が`: in that form of its verb a frame's argument has another particle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voice {
    /// The form.
    pub form: Name,
    /// The argument's particle in the frame.
    pub from: Name,
    /// What is printed behind it.
    pub to: Name,
}

/// `relative given 「$[この効果で]${verb, た}カード」`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relative {
    /// The category that it is one of.
    pub category: Name,
    /// Its printed forms; the word `verb` in them is any verb of a frame that gives something.
    pub printed: Vec<Printed>,
}

/// `frame act 置く or 戻す { を object or the card  に or へ goal } -> { move($を, $に) } gives moved`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// `override frame`: where it fits, what others make of the same phrase does not count.
    pub overrides: bool,
    /// The category that it is one of.
    pub category: Name,
    /// Its verbs.
    pub verbs: Vec<Name>,
    /// The forms admitted, each a path; any when none.
    pub forms: Vec<Vec<Name>>,
    /// Its arguments, in the order in which they are printed; they are read in any order.
    pub slots: Vec<FrameSlot>,
    /// What it means.
    pub script: Fragment,
    /// What later phrases may refer to.
    pub gives: Vec<Gives>,
    /// From the category to the last argument.
    pub span: Span,
    /// What it puts into slots of the ability around it.
    pub hands: Vec<Arg>,
}

/// An argument of a frame: `を object or the card`, `で side or none`, `「ランダムに」`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameSlot {
    /// What may stand behind it; the first one is printed, and names the hole of a category. None for an adverb.
    pub particles: Vec<Name>,
    /// What stands before the particle.
    pub filler: Filler,
    /// `with 「${n: count}」`: what stands before the particle too, or anywhere behind it.
    pub floating: Vec<Printed>,
    /// What it is when it is not printed.
    pub absent: Absent,
    /// Where it stands.
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

/// What an argument of a frame is when it is not printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absent {
    /// It cannot be left out.
    Required,
    /// `or none`: the argument that it is in the script is left out too.
    None,
    /// `or the CLASS`: the nearest thing of that class.
    Nearest(Name),
    /// `= you`: this value.
    Default(Expr),
}

/// `category act: statements inflected`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Category {
    /// Its name.
    pub name: Name,
    /// What its scripts are: `value`, `statements`, `clauses`, `ability`, `event`, `amount`.
    pub of: Name,
    /// It ends in a word that inflects, and so has forms.
    pub inflected: bool,
    /// All its phrases in a text are printed alike.
    pub alike: bool,
}

/// A class of inflected words: the endings that replace its dictionary ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordClass {
    /// The class (`五段`); several tables of one class differ in the dictionary ending.
    pub name: Name,
    /// The end of the dictionary form that is replaced (`く`).
    pub ending: Text,
    /// Its forms.
    pub forms: Vec<WordForm>,
}

/// `て 「いて」`, or a voice that inflects further: `受身 「かれ」 as 一段`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordForm {
    /// The form's name.
    pub name: Name,
    /// What replaces the dictionary ending.
    pub ending: Text,
    /// The class whose forms follow.
    pub like: Option<Name>,
}

/// `unclear act 「${c: condition}ならカードを${引く}」 because "…"`: a phrase that would be read, and of which nobody could say what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unclear {
    /// The category that it would be one of.
    pub category: Name,
    /// Its printed forms.
    pub printed: Vec<Printed>,
    /// Why it is refused.
    pub because: Text,
}

/// `act 「カード${n: number}枚を${引く}」 -> { draw(you, $n) } gives drawn`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// How far it reaches.
    pub scope: TemplateScope,
    /// The category that it is one of.
    pub category: Name,
    /// Its printed forms; the first is the one that is printed.
    pub printed: Vec<Printed>,
    /// What it means.
    pub script: Fragment,
    /// What later phrases may refer to.
    pub gives: Vec<Gives>,
    /// Only on cards of one of these types; on all, where none is named.
    pub of: Vec<Name>,
    /// `hands limit: 1`: what it puts into slots of the ability around it.
    pub hands: Vec<Arg>,
}

/// What a template's declaration says about its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TemplateScope {
    /// `act 「…」`: exactly what is printed.
    Plain,
    /// `prefix 「…」 over sentence`: `$rest` is all of the sentence that follows.
    Prefix,
    /// `override act 「…」`: where it fits, what other templates make of the same phrase does not count.
    Override,
    /// `connective 「…」 joins text`: `$first` is all before it, `$second` the next smaller level after it.
    Connective,
}

/// A printed form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Its parts in order; a frame's are the same in each order of its arguments.
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
    /// `${引く}`: a declared word in any form, `${引く, 受身}` in that one; `${置く|戻す}` one of several.
    Word(Vec<Name>, Vec<Vec<Name>>),
    /// `$(回|度)`, `$[も]`: one of these texts; with the empty one when it may be left out.
    Choice(Vec<Text>, Span),
}

/// `${name: category, form or form}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedHole {
    /// Its name in the script.
    pub name: Name,
    /// What fills it: a category, a kind of declared labels (`zone`, an enum's name), `numeral`, or any signs up to the next
    /// printed one (`text`, `symbol`).
    pub category: Name,
    /// The forms admitted, each a path (`受身 て`); the template's own when none.
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

/// `gives drawn` (the objects of the last call) or `gives card = chosen` (a name bound in the script).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gives {
    /// The class by which `the CLASS` finds it.
    pub class: Name,
    /// The name bound in the script.
    pub what: Option<Name>,
}
