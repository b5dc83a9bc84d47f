//! The pass before the grammar: finds what would mislead or overflow the parser, and where declarations begin.
//!
//! Input: a file's text. Output (`Scan`): the text for the grammar, the places where declarations begin, and diagnostics. The text for the
//! grammar has half-width signs for full-width ones, and blanks for comments and for unusual blanks. It has as many bytes as before, so
//! every place stays true. The scan reports texts and brackets that do not close, and nesting that would overflow the stack. It knows no
//! words of the language, except the few that nest without a bracket.

use super::limits::{DEEPEST_NESTING, MOST_FINDINGS};
use super::mended::mend;
use super::signs::{corners, half_width, is_blank, is_word, is_word_start, look_alike, string, word};
use crate::diagnostic::{Diagnostic, FileId, Span, is_obeyed, is_shown_by_number, is_unseen, is_variant, may_hide};
use std::borrow::Cow;
use std::ops::Range;

/// Up to this depth of nesting, rule calls are not counted. If a grammar tries the inside of a nesting twice, it tries the innermost part
/// 2^n times at depth n. Up to this depth, that number stays below the limit for a text.
const SHALLOW: usize = 9;

/// Words that begin the head of a block, to find a head without its `{`.
const HEADS_OF_BLOCKS: [&str; 14] = [
    "ability",
    "action",
    "attempt",
    "during",
    "for",
    "if",
    "judgement",
    "loop",
    "phase",
    "procedure",
    "repeat",
    "setup",
    "simultaneously",
    "turn",
];

/// What a scan found.
pub(crate) struct Scan<'t> {
    /// The text with full-width signs mended and comments blanked.
    pub text: Cow<'t, str>,
    /// Where declarations begin: at a word in column 0, outside of texts and quotations, with no bracket open. A word that begins
    /// declarations counts even if a bracket is open.
    pub starts: Vec<usize>,
    /// The diagnostics, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// Places of errors. The declaration around such a place is not given to the grammar.
    pub broken: Vec<usize>,
    /// Places nested deeper than `SHALLOW`. In the declarations around them the grammar's rule calls are counted.
    pub deep: Vec<usize>,
    /// The places of the families of wordings, from the word `family` to the closing bracket.
    pub families: Vec<Range<usize>>,
}

/// Scans a file whose declarations begin with one of `words`.
pub(crate) fn scan<'t>(file: FileId, text: &'t str, words: &[&str]) -> Scan<'t> {
    let scanned = Scanner::of(file, text, words);
    // Nearly no file has full-width signs to mend. The text is searched for them only if one may stand outside of texts and comments.
    let (mended, mut diagnostics) =
        if scanned.may_be_wide || !scanned.diagnostics.is_empty() { mend(file, text) } else { (Cow::Borrowed(text), Vec::new()) };
    let scanned = if matches!(mended, Cow::Owned(_)) { Scanner::of(file, &mended, words) } else { scanned };
    let Scanner { starts, stands_for, broken, deep, families, diagnostics: mut found, .. } = scanned;
    diagnostics.append(&mut found);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    Scan { text: blanked(mended, &stands_for), starts, diagnostics, broken, deep, families }
}

/// How many ASCII digits the text begins with.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The text with each place `(start, end, sign)` filled with its sign, one per byte.
pub(super) fn blanked<'t>(text: Cow<'t, str>, places: &[(usize, usize, char)]) -> Cow<'t, str> {
    if places.is_empty() {
        return text;
    }
    let (mut blanked, mut behind) = (String::with_capacity(text.len()), 0);
    for (start, end, sign) in places {
        blanked.push_str(text.get(behind..*start).unwrap_or(""));
        blanked.extend(std::iter::repeat_n(*sign, end - start));
        behind = *end;
    }
    blanked.push_str(text.get(behind..).unwrap_or(""));
    Cow::Owned(blanked)
}

/// An open bracket, with the number of nesting words in it so far. A sign that ends the parts of these words sets the number back.
#[derive(Clone, Copy, Default)]
struct Frame {
    at: usize,
    /// Where the line of the bracket begins.
    line: usize,
    sign: char,
    words: usize,
    /// How many `of` stand in a row, as in `a of b of c`.
    laid: usize,
}

struct Scanner<'t> {
    file: FileId,
    text: &'t str,
    words: &'t [&'t str],
    at: usize,
    /// Where the line begins.
    line: usize,
    /// Where the first word of the line begins, if only invisible signs stand before it.
    margin: usize,
    frames: Vec<Frame>,
    before: char,
    /// Whether an `of` or a `.` stands directly before. The next word then belongs to the same row.
    joined: bool,
    /// Whether the last word was `top` or `bottom`.
    end: bool,
    starts: Vec<usize>,
    /// Places that the grammar sees as blanks: comments, unusual blanks, invisible signs.
    stands_for: Vec<(usize, usize, char)>,
    diagnostics: Vec<Diagnostic>,
    broken: Vec<usize>,
    deep: Vec<usize>,
    families: Vec<Range<usize>>,
    /// The first `{` of this declaration whose `}` stands further to the left than its line. Its own `}` is probably missing.
    too_far_left: Option<Frame>,
    /// Whether a full-width sign may stand outside of texts and comments. A citation also sets this, if it has signs that could begin a
    /// text or a comment.
    may_be_wide: bool,
}

impl<'t> Scanner<'t> {
    /// Scans the whole text.
    fn of(file: FileId, text: &'t str, words: &'t [&'t str]) -> Self {
        let mut scanner = Scanner {
            file,
            text,
            words,
            at: 0,
            line: 0,
            margin: 0,
            frames: vec![Frame::default()],
            before: '\n',
            joined: false,
            end: false,
            starts: Vec::new(),
            stands_for: Vec::new(),
            diagnostics: Vec::new(),
            broken: Vec::new(),
            deep: Vec::new(),
            families: Vec::new(),
            too_far_left: None,
            may_be_wide: false,
        };
        scanner.run();
        scanner
    }
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at).filter(|_| self.diagnostics.len() < MOST_FINDINGS) {
            let sign = if byte.is_ascii() { char::from(*byte) } else { self.rest().chars().next().unwrap_or(' ') };
            match sign {
                ' ' => self.at += 1,
                '\n' => {
                    self.at += 1;
                    (self.line, self.margin) = (self.at, self.at);
                }
                '-' if self.rest().starts_with("--") => self.comment(),
                '\t' | '\r' | '\u{3000}' => self.blank(sign.len_utf8()),
                '"' => self.string(),
                '「' => self.quotation(),
                '」' => self.stray(sign, "E0117"),
                '(' | '[' | '{' => self.opens(sign),
                ')' | ']' | '}' => self.closes(sign),
                '@' => self.citation(),
                '0'..='9' => self.number(),
                _ if !sign.is_ascii_graphic() && is_unseen(sign) => self.unseen(),
                _ if is_word_start(sign) => self.word(self.at == self.margin),
                _ => self.other(sign),
            }
        }
        self.declaration_ends(self.text.len());
    }

    fn span(&self, start: usize, length: usize) -> Span {
        Span { file: self.file, start: start as u32, end: (start + length) as u32 }
    }

    fn report(&mut self, code: &'static str, start: usize, length: usize) {
        self.diagnostics.push(Diagnostic::error(code, self.span(start, length)));
        self.broken.push(start);
    }

    fn blank(&mut self, length: usize) {
        self.stands_for.push((self.at, self.at + length, ' '));
        self.at += length;
    }

    /// A comment. It may have letters of every script, but no sign that changes what a reader sees of the line.
    fn comment(&mut self) {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        self.shown(self.at, length, is_shown_by_number);
        self.blank(length);
    }

    /// Signs between words that nobody sees, or that look like a blank. They are reported once, and the grammar sees blanks.
    fn unseen(&mut self) {
        let is_unseen = |sign: &char| !sign.is_ascii_graphic() && is_unseen(*sign);
        let first = self.rest().chars().next().unwrap_or(' ');
        let length = self.rest().chars().take_while(is_unseen).map(char::len_utf8).sum();
        self.diagnostics.push(Diagnostic::error("E0142", self.span(self.at, first.len_utf8())).with("found", first));
        if self.at == self.margin {
            self.margin += length;
        }
        self.blank(length);
    }

    /// A number without a fraction. Digits after a point are reported as `E0139`.
    fn number(&mut self) {
        let whole = digits(self.rest());
        let behind = self.rest().get(whole..).and_then(|rest| rest.strip_prefix('.')).map_or(0, digits);
        let length = if behind > 0 { whole + 1 + behind } else { whole };
        if behind > 0 {
            self.report("E0139", self.at, length);
        }
        (self.joined, self.before) = (false, '0');
        self.at += length;
    }

    fn other(&mut self, sign: char) {
        let prefix = sign == '-' && !(is_word(self.before) || matches!(self.before, ')' | ']' | '"' | '」'));
        if prefix && !self.nests() {
            return;
        }
        // A comparison (`==`, `<=`) ends nothing: its operands may nest.
        let compares = matches!(self.before, '=' | '!' | '<' | '>') || self.rest().as_bytes().get(1) == Some(&b'=');
        if sign == ',' || sign == '=' && !compares {
            self.rests();
        }
        self.may_be_wide |= half_width(sign).is_some();
        self.joined = sign == '.';
        self.before = sign;
        self.at += sign.len_utf8();
    }

    /// A citation. The brackets in its number open nothing.
    fn citation(&mut self) {
        let rest = self.rest();
        let length = if rest.starts_with("@G:") {
            rest.find(is_blank)
        } else {
            rest.find(|sign: char| !(sign.is_ascii_alphanumeric() || "@.-[]/".contains(sign)))
        };
        let length = length.unwrap_or(rest.len());
        let cited = rest.get(..length).unwrap_or("");
        let odd =
            cited.contains("--") || cited.starts_with("@G:") && cited.contains(|sign: char| !sign.is_ascii() || matches!(sign, '"' | '\\'));
        self.may_be_wide |= odd;
        self.shown(self.at, length, is_shown_by_number);
        self.at += length;
    }

    /// Reads a word. In column 0 the word begins a declaration. If a bracket is open and the word is none that begins declarations, the
    /// line only lacks its indentation.
    fn word(&mut self, column_zero: bool) {
        let rest = self.rest();
        let length = word(rest);
        let word = rest.get(..length).unwrap_or("");
        let ascii = word.is_ascii();
        let wide = !ascii && word.chars().any(|sign| half_width(sign).is_some());
        let (nests, laid, end) = match word {
            "if" | "not" | "some" | "all" | "latest" => (true, false, false),
            "of" => (false, true, false),
            "top" | "bottom" => (false, false, true),
            _ => (false, false, false),
        };
        let family = word == "family" && self.is_family();
        let begins = column_zero && (self.frames.len() == 1 || self.words.contains(&word));
        if begins {
            self.declaration_ends(self.at);
            self.starts.push(self.at);
        }
        if family {
            self.families.push(self.at..self.at);
        }
        if !ascii {
            self.letters(length);
        }
        self.may_be_wide |= wide;
        self.before = 'x';
        if nests && !self.nests() || !self.laid(laid) {
            return;
        }
        self.end = end;
        self.at += length;
    }

    /// Refuses a word with an invisible sign, or with a letter that looks like another one: two words that differ would look alike.
    fn letters(&mut self, length: usize) {
        let word = self.rest().get(..length).unwrap_or("");
        let hides = |sign: char| is_unseen(sign) || is_variant(sign);
        let hidden = word.char_indices().find(|(_, sign)| hides(*sign));
        let alike = || word.char_indices().find_map(|(at, sign)| Some((at, sign, look_alike(sign)?)));
        let (start, finding, sign) = match (hidden, alike()) {
            (Some((at, sign)), _) => (self.at + at, Diagnostic::error("E0142", Span::default()).with("found", sign), sign),
            (None, Some((at, sign, letter))) => {
                let finding = Diagnostic::error("E0148", Span::default()).with("sign", sign).with("letter", letter);
                let number = |sign: char| format!("U+{:04X}", u32::from(sign));
                (self.at + at, finding.with("number", number(sign)).with("ascii", number(letter)), sign)
            }
            (None, None) => return,
        };
        self.diagnostics.push(finding.at(self.span(start, sign.len_utf8())));
        self.broken.push(start);
    }

    fn declaration_ends(&mut self, at: usize) {
        let by_indentation = self.too_far_left.take();
        if let Some(frame) = self.frames.get(1).copied().filter(|frame| frame.at < at) {
            let frame = by_indentation.filter(|_| frame.sign == '{').unwrap_or(frame);
            let place = self.span(frame.at, frame.sign.len_utf8());
            self.diagnostics.push(Diagnostic::error("E0118", place).with("sign", frame.sign));
            self.broken.push(frame.at);
        }
        self.frames = vec![Frame::default()];
    }

    fn nests(&mut self) -> bool {
        if let Some(frame) = self.frames.last_mut() {
            frame.words += 1;
        }
        self.check_depth()
    }

    /// Counts the `of`s in a row. Any other word ends the row, unless it stands directly after an `of` or a `.`. The first `of` after
    /// `top` or `bottom` is not counted, because rows of `top of` do not nest. Gives false if the nesting is too deep.
    fn laid(&mut self, again: bool) -> bool {
        let goes_on = std::mem::replace(&mut self.joined, again);
        if let Some(frame) = self.frames.last_mut() {
            frame.laid = match (again, goes_on) {
                (true, _) => frame.laid + usize::from(frame.laid > 0 || !self.end),
                (false, true) => frame.laid,
                (false, false) => 0,
            };
        }
        !again || self.check_depth()
    }

    fn rests(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.words = 0;
        }
    }

    /// Whether the nesting here is allowed. If not, this is reported, and the scanner moves to the end of the declaration.
    fn check_depth(&mut self) -> bool {
        let words: usize = self.frames.iter().map(|frame| frame.words + frame.laid.saturating_sub(1)).sum();
        let depth = self.frames.len() + words;
        if depth > SHALLOW {
            self.deep.push(self.at);
        }
        if depth > DEEPEST_NESTING {
            self.too_deep(1);
        }
        depth <= DEEPEST_NESTING
    }

    /// Reports the nesting once and goes on at the next declaration.
    fn too_deep(&mut self, length: usize) {
        let place = self.span(self.at, length);
        self.diagnostics.push(Diagnostic::error("E0102", place).with("limit", DEEPEST_NESTING));
        self.skip_declaration(self.at);
    }

    /// Marks the declaration around `broken` as broken and goes on at the next line that begins with a word.
    fn skip_declaration(&mut self, broken: usize) {
        self.broken.push(broken);
        self.frames = vec![Frame::default()];
        let rest = self.text.get(broken..).unwrap_or("");
        let next =
            rest.match_indices('\n').find(|(at, _)| rest.get(at + 1..).and_then(|line| line.chars().next()).is_some_and(is_word_start));
        // The scanner stops before the line end, so that `run` sees the next word in column 0.
        self.at = next.map_or(self.text.len(), |(at, _)| broken + at);
    }

    fn opens(&mut self, sign: char) {
        if sign == '{' {
            self.rests();
        }
        self.frames.push(Frame { at: self.at, line: self.line, sign, words: 0, laid: 0 });
        self.before = sign;
        if self.check_depth() {
            self.at += sign.len_utf8();
        }
    }

    fn closes(&mut self, sign: char) {
        let opening = match sign {
            ')' => '(',
            ']' => '[',
            _ => '{',
        };
        let Some(frame) = self.frames.last().copied().filter(|_| self.frames.len() > 1) else {
            let headless = self.headless().filter(|_| sign == '}');
            self.stray(sign, "E0105");
            if let (Some(head), Some(finding)) = (headless, self.diagnostics.last_mut()) {
                finding.notes.push((head, "headless"));
            }
            return;
        };
        if frame.sign != opening {
            let place = self.span(self.at, sign.len_utf8());
            let note = self.span(frame.at, frame.sign.len_utf8());
            self.diagnostics.push(Diagnostic::error("E0106", place).with("sign", sign).with("opening", frame.sign).note(note, "opened"));
            return self.skip_declaration(self.at);
        }
        self.frames.pop();
        if sign == '}' {
            self.rests();
            if self.too_far_left.is_none() && self.is_too_far_left(frame.line) {
                self.too_far_left = Some(frame);
            }
        }
        self.before = sign;
        self.at += sign.len_utf8();
        let closes_family = sign == '}' && self.frames.len() == 2;
        if let Some(family) = self.families.last_mut().filter(|family| closes_family && family.start == family.end) {
            family.end = self.at;
        }
    }

    /// Whether the `}` here is the first sign of its line, and stands further to the left than the line of its `{`.
    fn is_too_far_left(&self, line_of_opening: usize) -> bool {
        let indent = |start: usize| self.text.get(start..).unwrap_or("").bytes().take_while(|byte| *byte == b' ').count();
        let closes = self.at - self.line;
        indent(self.line) == closes && closes < indent(line_of_opening)
    }

    /// Whether the word `family` here begins a family: directly inside of a wording, before a name and `(`.
    fn is_family(&self) -> bool {
        let in_wording = || self.starts.last().and_then(|start| self.text.get(*start..)).is_some_and(|text| text.starts_with("wording"));
        let rest = self.rest().get("family".len()..).unwrap_or("").trim_start_matches(is_blank);
        self.frames.len() == 2 && in_wording() && word(rest) > 0 && rest.get(word(rest)..).is_some_and(|rest| rest.starts_with('('))
    }

    /// The first line before this place that begins like the head of a block and has no `{`, although the lines below it stand further to
    /// the right. Looks only at the declaration around this place.
    fn headless(&self) -> Option<Span> {
        let start = self.starts.last().copied().unwrap_or(0);
        let text = self.text.get(start..self.at)?;
        let indent = |line: &str| line.len() - line.trim_start().len();
        let mut lines = text.split('\n').scan(start, |at, line| {
            let begins = *at;
            *at += line.len() + 1;
            Some((begins, line.split("--").next().unwrap_or("")))
        });
        while let Some((begins, line)) = lines.next() {
            let mut words = line.split(' ').filter(|word| !word.is_empty() && !word.starts_with('@'));
            let first = words.next().unwrap_or("");
            let below = lines.clone().map(|(_, below)| below).find(|below| !below.trim().is_empty());
            let deeper = below.is_none_or(|below| indent(below) > indent(line));
            if HEADS_OF_BLOCKS.contains(&first) && !line.contains('{') && deeper {
                let from = begins + line.find(first)?;
                return Some(self.span(from, line.trim_end().len() - (from - begins)));
            }
        }
        None
    }

    fn stray(&mut self, sign: char, code: &'static str) {
        let place = self.span(self.at, sign.len_utf8());
        self.diagnostics.push(Diagnostic::error(code, place).with("sign", sign));
        self.skip_declaration(self.at);
    }

    fn string(&mut self) {
        let start = self.at;
        if let Some(length) = string(self.rest()) {
            self.shown(start, length, is_shown_by_number);
            self.before = '"';
            self.at += length;
            return;
        }
        let line = self.rest().lines().next().map_or(1, |line| line.trim_end().len());
        self.report("E0112", start, line);
        self.skip_declaration(start);
    }

    /// Refuses signs in a text, because texts are shown on terminals: signs that a terminal would obey, and in names and labels also signs
    /// that are shown as nothing, because two names that differ look alike.
    fn shown(&mut self, start: usize, length: usize, refused: impl Fn(char) -> bool) {
        let text = self.text.get(start..start + length).unwrap_or("");
        if !may_hide(text) {
            return;
        }
        if let Some((at, sign)) = text.char_indices().find(|(_, sign)| refused(*sign)) {
            let place = self.span(start + at, sign.len_utf8());
            self.diagnostics.push(Diagnostic::error("E0142", place).with("found", sign));
        }
    }

    fn quotation(&mut self) {
        let (start, mut depth) = (self.at, 0_usize);
        for (index, sign) in corners(self.text.get(start..).unwrap_or("")) {
            depth = if sign == '「' { depth + 1 } else { depth - 1 };
            if depth + self.frames.len() > DEEPEST_NESTING {
                self.at = start + index;
                return self.too_deep('「'.len_utf8());
            }
            if depth == 0 {
                self.shown(start, index + sign.len_utf8(), is_obeyed);
                self.before = sign;
                self.at = start + index + sign.len_utf8();
                let lines = self.text.get(start..self.at).and_then(|quoted| quoted.rfind('\n'));
                self.line = lines.map_or(self.line, |end| start + end + 1);
                return;
            }
        }
        self.report("E0104", start, '「'.len_utf8());
        self.skip_declaration(start);
    }
}
