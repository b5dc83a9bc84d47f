//! Turns pest's errors into diagnostics in the words of a rules author.
//!
//! Input: the rules that pest tried at the furthest place it reached. Output: one diagnostic with the words and signs that are possible
//! there, and the nearest word. No name of a grammar rule leaves this file.

use super::FileKind;
use super::cut::Piece;
use super::expected::{Notion, notion};
use super::parse::Rule;
use super::signs::{is_blank, is_word, is_word_start};
use super::spelt::spelt;
use super::words::{CLAUSE_WORDS, STEP_WORDS, WORDS, declaration_words};
use crate::diagnostic::{Diagnostic, FileId, Span, nearest, written_here};
use pest::error::{Error, ErrorVariant, InputLocation};
use rustc_hash::FxHashSet;

/// The most spellings that a diagnostic lists. A longer list is left out.
const MOST_SPELLINGS: usize = 16;

/// The most phrases that a diagnostic lists in a declaration's braces. An author who does not know the phrases needs all of them, and no
/// declaration has more.
const MOST_PHRASES: usize = 40;

/// How a choice is made. In a `choose` these words stand after `by`.
const MANNERS: [&str; 3] = ["secretly", "blindly", "ranked"];

/// Quotation marks of other keyboards. Some editors write them by themselves.
const QUOTES: [&str; 4] = ["“", "”", "„", "‟"];

/// The word before each text of a card.
const TEXT: &str = "text";

/// What was being read when the error came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A declaration in a file of this kind.
    Declaration(FileKind),
    /// An expression.
    Expression,
    /// A decision.
    Decision,
    /// A question.
    Question,
}

/// The diagnostic for a text that pest could not read.
pub(crate) fn diagnose(file: FileId, piece: Piece<'_>, subject: Subject, error: &Error<Rule>) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let place = Place { file, piece, at };
    match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => place.unexpected(subject, positives),
        // pest itself makes only one error of this kind: the one at its limit of rule calls.
        ErrorVariant::CustomError { .. } => Diagnostic::error("E0134", place.span(piece.start, piece.start + piece.text.trim_end().len())),
    }
}

/// The diagnostic for a piece whose first word begins no declaration; none if the word begins one.
pub(crate) fn begins_with_no_declaration(file: FileId, piece: Piece<'_>, subject: Subject) -> Option<Diagnostic> {
    let Subject::Declaration(kind) = subject else { return None };
    let word = word_at(piece.text, 0);
    let other = word.starts_with(is_word_start) && !declaration_words(kind).contains(&word);
    other.then(|| Place { file, piece, at: 0 }.unexpected(subject, &[]))
}

struct Place<'t> {
    file: FileId,
    piece: Piece<'t>,
    at: usize,
}

impl<'t> Place<'t> {
    fn unexpected(&self, subject: Subject, tried: &[Rule]) -> Diagnostic {
        let found = word_at(self.piece.text, self.at);
        if let (Subject::Declaration(kind), true) = (subject, self.at == 0) {
            let words = declaration_words(kind).iter().copied().filter(|word| *word != "gyoji");
            return self.unknown("E0126", 0, found, words);
        }
        if found.is_empty() {
            return self.ends_early(tried);
        }
        if QUOTES.contains(&found) {
            return Diagnostic::error("E0103", self.here(self.at, found)).with("sign", found).with("half", '"');
        }
        if found == ";" {
            return Diagnostic::error("E0133", self.here(self.at, found));
        }
        if found == "@" && self.is_before_declaration(subject) {
            return Diagnostic::error("E0137", self.here(self.at, found));
        }
        if found == "{"
            && subject == Subject::Declaration(FileKind::Cards)
            && tried.iter().any(|rule| notion(*rule) == Some(Notion::Expression))
        {
            let word = word_before(self.piece.text, self.at).map_or("", |(_, word)| word);
            return Diagnostic::error("E0138", self.here(self.at, found)).with("word", word).with("open", "{").with("close", "}");
        }
        if subject == Subject::Declaration(FileKind::Scenarios)
            && tried.contains(&Rule::equals)
            && found != "="
            && let Some((start, word)) = word_before(self.piece.text, self.at).filter(|(_, word)| is_detail(word))
        {
            return Diagnostic::error("E0147", self.here(start, word)).with("word", word).with("open", "{").with("close", "}");
        }
        if subject == Subject::Declaration(FileKind::Scenarios)
            && let Some((start, times)) = word_before(self.piece.text, self.at).filter(|(start, word)| self.is_in_a_shuffle(*start, word))
        {
            return Diagnostic::error("E0101", self.here(start, times)).with("found", times).with("times", times);
        }
        if subject == Subject::Declaration(FileKind::Scenarios)
            && let Some(finding) = self.bare_card(found, tried)
        {
            return finding;
        }
        if let Some(finding) = self.reserved_as_name(subject, found) {
            return finding;
        }
        let before_equals = if tried.contains(&Rule::equals) && found != "=" { self.before_equals(found) } else { None };
        before_equals.unwrap_or_else(|| self.by_notion(subject, found, tried))
    }

    /// Whether a number of cards (`x2`) stands in a list of cards for a shuffle.
    fn is_in_a_shuffle(&self, start: usize, word: &str) -> bool {
        let line = self.piece.text.get(..start).unwrap_or("").rsplit(['{', '}']).next().unwrap_or("");
        let list = line.rsplit_once("shuffle").and_then(|(_, rest)| rest.split_once(':'));
        is_times(word) && list.is_some_and(|(_, cards)| cards.trim_end().ends_with('"'))
    }

    /// The diagnostic for a bare word where a position needs a card: a card without quotation marks, or a zone after a comma.
    fn bare_card(&self, found: &str, tried: &[Rule]) -> Option<Diagnostic> {
        let before = self.piece.text.get(..self.at)?.trim_end_matches(is_blank);
        let wants_card = tried.iter().all(|rule| notion(*rule).is_none()) && before.ends_with([':', ',']);
        (wants_card && found.starts_with(is_word_start)).then_some(())?;
        let finding = Diagnostic::error("E0101", self.here(self.at, found)).with("found", found);
        let finding = finding.suggest(found, first_words(tried));
        let behind = self.piece.text.get(self.at + found.len()..)?.trim_start_matches(is_blank);
        let is_zone = before.ends_with(',') && behind.starts_with([':', '=']);
        Some(if is_zone { finding.with("zone", found) } else { finding.with("card", found) })
    }

    /// Whether the text goes on with citations in a margin and then the head of a declaration. A head on the next line begins another
    /// piece, so citations at the end of a piece stand before a declaration too.
    fn is_before_declaration(&self, subject: Subject) -> bool {
        let Subject::Declaration(kind) = subject else { return false };
        let rest = self.piece.text.get(self.at..).unwrap_or("").split(is_blank).find(|word| !word.is_empty() && !word.starts_with('@'));
        rest.is_none_or(|word| declaration_words(kind).contains(&word))
    }

    /// `E0120` for a reserved word in the place of a field or of a value of an enum. The grammar reads such a list up to the word, and waits
    /// for its end.
    fn reserved_as_name(&self, subject: Subject, found: &str) -> Option<Diagnostic> {
        if subject != Subject::Declaration(FileKind::Rules) || !is_reserved(found) {
            return None;
        }
        let behind = self.piece.text.get(self.at + found.len()..)?.trim_start_matches(is_blank);
        let names = match word_at(self.piece.text, 0) {
            "enum" => true,
            "card" | "player" => behind.starts_with(['"', ':']),
            _ => false,
        };
        names.then(|| Diagnostic::error("E0120", self.here(self.at, found)).with("found", found))
    }

    /// The diagnostic for a word that begins no statement. The grammar read the word as a name and waits for the `=` after it.
    fn before_equals(&self, found: &str) -> Option<Diagnostic> {
        let (start, word) = word_before(self.piece.text, self.at)?;
        let blank = start + word.len() < self.at;
        if found == "(" && blank {
            return Some(Diagnostic::error("E0131", self.here(start, word)).with("word", word));
        }
        let line = self.piece.text.get(..start)?.rsplit(['\n', '{', '}']).next()?.trim_matches(is_blank);
        if line == "return" || line.starts_with("return ") {
            return Some(Diagnostic::error("E0101", self.here(start, word)).with("found", word).with("written", "return(…)"));
        }
        if let ("+" | "-" | "*" | "/", Some("=" | "+" | "-")) = (found, self.piece.text.get(self.at + 1..self.at + 2)) {
            // The citations in front of the statement belong to no name.
            let of = line.split(is_blank).filter(|part| !part.is_empty() && !part.starts_with('@')).collect::<Vec<_>>().join(" ");
            let changed = format!("{of}{word}");
            let written = format!("{changed} = {changed} {found} n");
            return Some(Diagnostic::error("E0101", self.here(self.at, found)).with("found", found).with("written", written));
        }
        let between = self.piece.text.get(start + word.len()..self.at)?;
        if line.split(is_blank).all(|before| before.is_empty() || before.starts_with('@'))
            && (matches!(found, "@" | "}") || found.starts_with(is_word_start) && between.contains('\n'))
        {
            let finding = self.unknown("E0110", start, word, WORDS.heads.iter().copied());
            let meant = finding.args.iter().any(|(key, _)| *key == "nearest");
            return Some(if meant { finding } else { finding.with("call", word) });
        }
        let names = WORDS.heads.iter().chain(WORDS.infix).copied();
        let declares = self.piece.text.get(..start)?.trim_end_matches(is_blank).rsplit(|sign| !is_word(sign)).next()?;
        let known = ["param", "let", "reading", "policy"].contains(&declares);
        (found.starts_with(is_word) || found == "{").then_some(())?;
        (!known).then(|| self.unknown("E0110", start, word, names))
    }

    fn by_notion(&self, subject: Subject, found: &str, tried: &[Rule]) -> Diagnostic {
        // Beside what begins here, the statement or list before may go on.
        let with = |words: &[&'static str]| words.iter().copied().chain(first_words(tried)).collect::<Vec<_>>();
        let code = match tried.iter().filter_map(|rule| notion(*rule)).max() {
            Some(Notion::Name) if is_reserved(found) => "E0120",
            Some(Notion::Name) => "E0125",
            Some(Notion::Statement) => {
                let finding = self.unknown("E0110", self.at, found, with(WORDS.heads));
                let early = word_before(self.piece.text, self.at).filter(|(_, word)| found == "by" && MANNERS.contains(word));
                return match early {
                    Some((_, early)) => finding.with("early", early),
                    None => finding,
                };
            }
            Some(Notion::Clause) => return self.unknown("E0121", self.at, found, with(CLAUSE_WORDS)),
            Some(Notion::Ability) => return self.unknown("E0122", self.at, found, with(&["static", "when", "instead", "deck"])),
            Some(Notion::Step) => return self.unknown("E0127", self.at, found, with(STEP_WORDS)),
            Some(Notion::Expectation) if comparison(found).is_some() => {
                let finding = Diagnostic::error("E0128", self.here(self.at, found)).with("word", found);
                return finding.with("nearest", comparison(found).unwrap_or_default());
            }
            Some(Notion::Expectation) => {
                // `aksed a: share` is read as two names. The first one is misspelt.
                let before = |at: usize| word_before(self.piece.text, at);
                let misspelt = before(self.at).filter(|_| found == ":").and_then(|(seat, _)| before(seat));
                let misspelt = misspelt.filter(|(_, word)| word.starts_with(is_word_start));
                let (at, word) = misspelt.unwrap_or((self.at, found));
                return self.unknown(
                    "E0128",
                    at,
                    word,
                    with(&["happened", "asked", "possible", "refused", "rule", "error", "game", "not"]),
                );
            }
            Some(Notion::Property) => "E0123",
            Some(Notion::Expression) => "E0124",
            None => "E0101",
        };
        let finding = self.with_spellings(Diagnostic::error(code, self.here(self.at, found)).with("found", found), found, tried);
        if code == "E0101" && self.is_indented_declaration(subject, found) {
            return finding.with("indented", found);
        }
        match self.rules_before_else(found) {
            Some(rules) => finding.with("rules", rules).with("open", "{"),
            None => finding,
        }
    }

    /// The citation before an `else`, if the rules of the `else` stand before it.
    fn rules_before_else(&self, found: &str) -> Option<&'t str> {
        let before = self.piece.text.get(..self.at).filter(|_| found == "else")?;
        before.split_whitespace().next_back().filter(|word| word.starts_with('@'))
    }

    /// Whether a word that begins declarations is the first of its line, after blanks. It then belongs to the declaration above.
    fn is_indented_declaration(&self, subject: Subject, found: &str) -> bool {
        let Subject::Declaration(kind) = subject else { return false };
        let before = self.piece.text.get(..self.at).unwrap_or("").rsplit('\n').next().unwrap_or("");
        !before.is_empty() && before.chars().all(is_blank) && declaration_words(kind).contains(&found)
    }

    /// Whether a quotation follows the quotation of a card's text.
    fn follows_a_text(&self, found: &str) -> bool {
        let before = self.piece.text.get(..self.at).unwrap_or("").trim_end_matches(is_blank);
        if found != "「" || !before.ends_with('」') {
            return false;
        }
        let mut depth = 0usize;
        let open = before.char_indices().rev().find(|(_, sign)| {
            match sign {
                '」' => depth += 1,
                '「' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        open.and_then(|(at, _)| word_before(before, at)).is_some_and(|(_, word)| word == TEXT)
    }

    fn ends_early(&self, tried: &[Rule]) -> Diagnostic {
        let before = self.piece.text.get(..self.at).unwrap_or("").trim_end_matches(is_blank);
        let last = before.chars().next_back().map_or(0, char::len_utf8);
        let start = word_before(before, before.len()).map_or(before.len() - last, |(start, _)| start);
        let (start, end) = (self.piece.start + start, self.piece.start + before.len());
        self.with_spellings(Diagnostic::error("E0130", self.span(start, end)), "", tried)
    }

    fn with_spellings(&self, diagnostic: Diagnostic, found: &str, tried: &[Rule]) -> Diagnostic {
        // A rule that can begin with other things too is not listed: the list would not be whole.
        let listed = tried.iter().map(|rule| spelt(*rule)).filter(|spelt| spelt.whole);
        let mut seen = FxHashSet::default();
        let mut possible: Vec<&str> = listed.flat_map(|spelt| &spelt.words).map(String::as_str).filter(|word| seen.insert(*word)).collect();
        let mut most = MOST_SPELLINGS;
        if diagnostic.code == "E0123" && possible.len() > most {
            // Signs are left out, because they say little beside so many words.
            possible.retain(|phrase| phrase.starts_with(is_word));
            most = MOST_PHRASES;
        }
        let words = first_words(tried);
        let diagnostic = match written_here(found) {
            Some(written) => diagnostic.with("written", written),
            None if comparison(found).is_some_and(|sign| possible.contains(&sign)) => {
                diagnostic.with("nearest", comparison(found).unwrap_or_default())
            }
            // pest does not name every word that can follow an expression, so the infix words are added. Behind a word that only one word
            // can follow, no expression ends. Without a near word, none is suggested.
            None => {
                let ends_expression = diagnostic.code == "E0101" && !is_reserved(found) && possible.len() != 1;
                let joining: &[&str] = if ends_expression { WORDS.infix } else { &[] };
                self.suggested(diagnostic, self.at, found, words.chain(joining.iter().copied()))
            }
        };
        let diagnostic = if diagnostic.code == "E0125" && self.follows_a_text(found) { diagnostic.with("again", TEXT) } else { diagnostic };
        if possible.is_empty() || possible.len() > most {
            return diagnostic;
        }
        let list: Vec<String> = possible.iter().map(|phrase| format!("`{phrase}`")).collect();
        diagnostic.with("expected", list.join(" "))
    }

    /// Adds the word of the language that is probably meant by the word before this place. A misspelt word may have been read as a name, and
    /// the mistake shows only behind it: `if nto done`.
    fn misread_before(&self, finding: Diagnostic) -> Diagnostic {
        let before = word_before(self.piece.text, self.at).map(|(_, word)| word);
        // A word of one or two letters is a name.
        let before = before.filter(|word| word.len() > 2 && word.starts_with(is_word_start) && !known_words().any(|known| known == *word));
        match before.and_then(|before| Some((before, nearest(before, known_words())?))) {
            Some((before, meant)) => finding.with("before", before).with("meant", meant),
            None => finding,
        }
    }

    fn unknown<'a>(&self, code: &'static str, at: usize, word: &str, names: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        let finding = Diagnostic::error(code, self.here(at, word)).with("word", word);
        match written_here(word) {
            Some(written) => finding.with("written", written),
            None => self.suggested(finding, at, word, names.into_iter()),
        }
    }

    /// Adds the nearest of these words, else of all words of the language. Also the word that may be meant by a misspelt one in front.
    fn suggested<'a>(&self, finding: Diagnostic, at: usize, word: &str, names: impl Iterator<Item = &'a str>) -> Diagnostic {
        let finding = if at == self.at { self.misread_before(finding) } else { finding };
        let finding = finding.suggest(word, names);
        let is_meant = finding.args.iter().any(|(key, _)| *key == "nearest");
        if is_meant || known_words().any(|known| known == word) { finding } else { finding.suggest(word, known_words()) }
    }

    fn here(&self, at: usize, found: &str) -> Span {
        self.span(self.piece.start + at, self.piece.start + at + found.len())
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }
}

/// The first words of the phrases that may stand where these rules were tried.
fn first_words(tried: &[Rule]) -> impl Iterator<Item = &'static str> {
    let phrases = tried.iter().flat_map(|rule| &spelt(*rule).words);
    phrases.filter_map(|phrase| phrase.split(' ').next()).filter(|word| word.starts_with(is_word))
}

/// The first words of all phrases of the language, and its own names.
fn known_words() -> impl Iterator<Item = &'static str> {
    let reserved = WORDS.heads.iter().chain(WORDS.infix).chain(WORDS.prefix).chain(&["it", "this", "you", "done", "players"]);
    first_words(Rule::all_rules()).chain(reserved.copied())
}

/// Whether a word begins a detail after a card's name in a position: `made`, `x3`.
fn is_detail(word: &str) -> bool {
    is_times(word) || ["of", "like", "made", "up", "down", "at", "on", "as"].contains(&word)
}

/// Whether a word says how many: `x3`.
fn is_times(word: &str) -> bool {
    word.strip_prefix('x').is_some_and(|times| !times.is_empty() && times.bytes().all(|sign| sign.is_ascii_digit()))
}

/// The comparison that may be meant by a sign that compares nothing here.
fn comparison(found: &str) -> Option<&'static str> {
    match found {
        "=" => Some("=="),
        "=>" => Some(">="),
        "=<" => Some("<="),
        _ => None,
    }
}

fn is_reserved(word: &str) -> bool {
    [WORDS.heads, WORDS.infix, WORDS.prefix].iter().any(|words| words.contains(&word))
}

/// The word or sign at a place; empty at the end of the text.
fn word_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("");
    let Some(first) = rest.chars().next() else { return "" };
    let length = if is_word(first) {
        rest.find(|sign| !is_word(sign)).unwrap_or(rest.len())
    } else {
        let doubled = ["==", "!=", "<=", ">=", "=>", "=<", "->", "&&", "||", "//", "/*"].iter().find(|sign| rest.starts_with(**sign));
        doubled.map_or(first.len_utf8(), |sign| sign.len())
    };
    rest.get(..length).unwrap_or("")
}

/// The word before a place and where it begins; blanks between them are skipped.
fn word_before(text: &str, at: usize) -> Option<(usize, &str)> {
    let before = text.get(..at)?.trim_end_matches(is_blank);
    let length: usize = before.chars().rev().take_while(|sign| is_word(*sign)).map(char::len_utf8).sum();
    let start = before.len() - length;
    (length > 0).then_some((start, before.get(start..)?))
}
