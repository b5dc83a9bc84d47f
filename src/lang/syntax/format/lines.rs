//! The formatter's layout: decides where lines break and in which column they begin, and writes the text.

use crate::syntax::format::WIDEST_LINE;
use crate::syntax::format::marks::Marks;
use crate::syntax::format::tokens::{Kind, Token};
use rustc_hash::{FxHashMap, FxHashSet};
use unicode_width::UnicodeWidthStr;

/// Columns of one level of indentation.
const INDENT: usize = 2;
/// Extra columns of the further lines of one statement.
const CONTINUED: usize = 4;
/// Columns between the margin of citations and the statements.
const GAP: usize = 2;

/// A braced block: its tokens lie between `open` and `close`.
#[derive(Clone, Copy, Debug)]
struct Block {
    open: usize,
    close: usize,
    parent: Option<usize>,
    several_lines: bool,
    column: usize,
}

/// The tokens of one line (`first..end`) and the column where it begins.
#[derive(Clone, Copy, Debug)]
struct Line {
    first: usize,
    end: usize,
    column: usize,
    /// Whether an empty line stands before the line.
    apart: bool,
}

/// The tokens with everything that the layout knows about them.
pub(in crate::syntax) struct Layout<'t> {
    tokens: Vec<Token<'t>>,
    marks: &'t Marks,
    blocks: Vec<Block>,
    /// The block around each token. A brace belongs to the block outside of it.
    around: Vec<Option<usize>>,
    /// The block that a brace opens or closes, by the brace's token.
    braces: FxHashMap<usize, usize>,
    /// Tokens before which a line must end because it would be too long.
    forced: FxHashSet<usize>,
    /// For each token, the columns of the citations that begin at it; 0 if none does.
    margins: Vec<usize>,
}

impl<'t> Layout<'t> {
    pub(super) fn new(tokens: Vec<Token<'t>>, marks: &'t Marks) -> Self {
        let (blocks, around) = (Vec::new(), Vec::with_capacity(tokens.len()));
        let margins = margins(&tokens);
        let mut layout = Layout { tokens, marks, blocks, around, braces: FxHashMap::default(), forced: FxHashSet::default(), margins };
        layout.find_blocks();
        layout
    }

    /// Lays the text out again and again, until no line can be made shorter.
    pub(super) fn text(mut self) -> String {
        loop {
            self.spread_blocks();
            self.place_blocks();
            let lines = self.lines();
            let before = self.forced.len();
            for line in &lines {
                self.shorten(*line);
            }
            if self.forced.len() == before {
                return self.write(&lines);
            }
        }
    }

    fn token(&self, at: usize) -> Option<&Token<'t>> {
        self.tokens.get(at)
    }

    fn is_sign(&self, at: usize, sign: &str) -> bool {
        self.token(at).is_some_and(|token| token.kind == Kind::Sign && token.text == sign)
    }

    fn is_item(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| self.marks.items.contains(&token.start))
    }

    fn find_blocks(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for at in 0..self.tokens.len() {
            if self.is_sign(at, "}") {
                let closed = open.pop();
                if let Some(block) = closed.and_then(|block| self.blocks.get_mut(block)) {
                    block.close = at;
                }
                self.braces.extend(closed.map(|block| (at, block)));
            }
            self.around.push(open.last().copied());
            if self.is_sign(at, "{") {
                let parent = open.last().copied();
                self.blocks.push(Block { open: at, close: self.tokens.len(), parent, several_lines: false, column: 0 });
                open.push(self.blocks.len() - 1);
                self.braces.insert(at, self.blocks.len() - 1);
            }
        }
    }

    /// A block takes several lines if a line ends before one of its items or its closing brace. A comment in it, or a forced line end, has
    /// the same effect.
    fn spread_blocks(&mut self) {
        for index in (0..self.blocks.len()).rev() {
            let Some(block) = self.blocks.get(index).copied() else { continue };
            let inside = block.open + 1..=block.close.min(self.tokens.len().saturating_sub(1));
            let breaks = inside.into_iter().any(|at| {
                let thing = self.is_item(at) || at == block.close;
                let commented = self.token(at).is_some_and(|token| token.kind == Kind::Comment);
                let ends = self.token(at).is_some_and(|token| token.lines > 0) && thing && block.close > block.open + 1;
                ends || commented || self.forced.contains(&at)
            });
            if let Some(block) = self.blocks.get_mut(index) {
                block.several_lines = breaks;
            }
        }
    }

    /// The items of a block begin one level further in, or after the block's widest margin.
    fn place_blocks(&mut self) {
        for index in 0..self.blocks.len() {
            let Some(block) = self.blocks.get(index).copied() else { continue };
            let outer = block.parent.and_then(|parent| self.blocks.get(parent)).map_or(0, |parent| parent.column);
            let margin = (block.open + 1..block.close)
                .filter(|at| self.around.get(*at) == Some(&Some(index)) && self.begins_line(*at))
                .map(|at| self.margin_width(at))
                .max()
                .unwrap_or(0);
            let column = (outer + INDENT).max(if margin > 0 { margin + GAP } else { 0 });
            if let Some(block) = self.blocks.get_mut(index) {
                block.column = column;
            }
        }
    }

    /// The columns of the citations that begin at a token, without the blank after the last one.
    fn margin_width(&self, at: usize) -> usize {
        self.margins.get(at).map_or(0, |width| width.saturating_sub(1))
    }

    fn begins_line(&self, at: usize) -> bool {
        let Some(token) = self.token(at) else { return false };
        let Some(before) = at.checked_sub(1).and_then(|before| self.token(before)) else { return true };
        let spread =
            |brace: usize| self.braces.get(&brace).and_then(|block| self.blocks.get(*block)).is_some_and(|block| block.several_lines);
        if before.kind == Kind::Comment || self.forced.contains(&at) {
            return true;
        }
        if token.kind == Kind::Comment {
            return token.lines > 0;
        }
        if self.is_sign(at - 1, "{") {
            return spread(at - 1);
        }
        if self.is_sign(at, "}") {
            return spread(at);
        }
        if token.text == "{" || token.text == "else" {
            return false;
        }
        token.lines > 0 || (self.is_item(at) && self.around.get(at) == Some(&None))
    }

    fn lines(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        for at in 0..self.tokens.len() {
            if self.begins_line(at) {
                let apart =
                    self.token(at).is_some_and(|token| token.lines > 1) && at > 0 && !self.is_sign(at - 1, "{") && !self.is_sign(at, "}");
                lines.push(Line { first: at, end: at, column: self.column(at), apart });
            }
            if let Some(line) = lines.last_mut() {
                line.end = at + 1;
            }
        }
        lines
    }

    fn column(&self, at: usize) -> usize {
        let block = self.around.get(at).copied().flatten().and_then(|block| self.blocks.get(block));
        let column = block.map_or(0, |block| block.column);
        let begins = self.is_item(at)
            || self.is_sign(at, "}")
            || self.token(at).is_some_and(|token| token.kind == Kind::Comment)
            || (at > 0 && self.is_sign(at - 1, "{"));
        let closes = self.is_sign(at, ")") || self.is_sign(at, "]");
        column + if begins || closes { 0 } else { CONTINUED }
    }

    /// Breaks a line that is too long at one more place: at the outermost block of the line, or else between its items, or else after a
    /// comma or before a joining word.
    fn shorten(&mut self, line: Line) {
        let content = (line.first..line.end).take_while(|at| self.token(*at).is_some_and(|token| token.kind != Kind::Comment)).last();
        let Some(last) = content else { return };
        if !self.is_too_wide(line, last + 1) {
            return;
        }
        let outermost =
            self.blocks.iter().find(|block| block.open >= line.first && block.close <= last && block.close > block.open + 1).copied();
        if let Some(block) = outermost {
            self.forced.insert(block.open + 1);
            self.forced.insert(block.close);
            let home = self.around.get(block.open + 1).copied();
            let items: Vec<usize> =
                (block.open + 2..block.close).filter(|at| self.begins_thing(*at) && self.around.get(*at).copied() == home).collect();
            self.forced.extend(items);
            return;
        }
        let things: Vec<usize> = (line.first + 1..=last).filter(|at| self.begins_thing(*at)).collect();
        if !things.is_empty() {
            self.forced.extend(things);
            return;
        }
        let mut rest = line;
        while self.is_too_wide(rest, last + 1)
            && let Some(at) = self.break_inside(rest, last)
        {
            self.forced.insert(at);
            rest = Line { first: at, column: self.column(at), apart: false, ..rest };
        }
    }

    /// Whether an item begins at this token without a margin before it.
    fn begins_thing(&self, at: usize) -> bool {
        self.is_item(at) && !at.checked_sub(1).and_then(|before| self.token(before)).is_some_and(|before| before.kind == Kind::Cite)
    }

    fn break_inside(&self, line: Line, last: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut best: Option<(usize, usize)> = None;
        for at in line.first + 1..=last {
            if self.is_sign(at, ")") || self.is_sign(at, "]") {
                depth = depth.saturating_sub(1);
            }
            let word =
                self.token(at).is_some_and(|token| ["and", "or", "where", "else", "by", "together", "because"].contains(&token.text));
            let possible = word || self.is_sign(at - 1, ",");
            // All later tokens are still further to the right.
            if self.width(line, at) > WIDEST_LINE {
                break;
            }
            if possible && best.is_none_or(|(least, _)| depth <= least) {
                best = Some((depth, at));
            }
            if self.is_sign(at, "(") || self.is_sign(at, "[") {
                depth += 1;
            }
        }
        best.map(|(_, at)| at)
    }

    /// Whether a line up to a token is too wide. Each token takes at least one column, so measuring the first tokens is enough for most
    /// lines.
    fn is_too_wide(&self, line: Line, end: usize) -> bool {
        let first = end.min(line.first + WIDEST_LINE + 1);
        self.width(line, first) > WIDEST_LINE || (first < end && self.width(line, end) > WIDEST_LINE)
    }

    fn width(&self, line: Line, end: usize) -> usize {
        let mut text = String::new();
        self.write_line(&mut text, Line { end, ..line });
        text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0)
    }

    fn write(&self, lines: &[Line]) -> String {
        let mut text = String::new();
        for line in lines {
            if line.apart {
                text.push('\n');
            }
            self.write_line(&mut text, *line);
            text.push('\n');
        }
        text
    }

    fn write_line(&self, text: &mut String, line: Line) {
        let start = text.len();
        let in_block = self.around.get(line.first).copied().flatten().is_some();
        let margin = if in_block && self.is_item(line.first) { self.margin_width(line.first) } else { 0 };
        if margin == 0 {
            text.extend(std::iter::repeat_n(' ', line.column));
        }
        let mut in_margin = margin > 0;
        for at in line.first..line.end {
            let Some(token) = self.token(at) else { continue };
            if in_margin && token.kind != Kind::Cite {
                in_margin = false;
                let column = text.get(start..).map_or(0, UnicodeWidthStr::width);
                text.extend(std::iter::repeat_n(' ', line.column.saturating_sub(column).max(1)));
            } else if at > line.first {
                text.extend(std::iter::repeat_n(' ', self.blanks(at)));
            }
            text.push_str(token.text);
        }
    }

    /// The blanks between a token and the token before it on the same line.
    fn blanks(&self, at: usize) -> usize {
        let (Some(before), Some(token)) = (at.checked_sub(1).and_then(|before| self.token(before)), self.token(at)) else { return 0 };
        let touching = token.blanks == 0 && token.lines == 0;
        if token.kind == Kind::Comment {
            return 2;
        }
        if self.is_sign(at - 1, "{") || before.kind == Kind::Cite {
            return usize::from(!matches!(token.text, "," | ")" | "]"));
        }
        // In `-> ability KIND { … }`, the ability is the whole right side of the template and not one item of several.
        let becomes = before.text == "ability" && at.checked_sub(2).is_some_and(|arrow| self.is_sign(arrow, "->"));
        if self.is_item(at) && !becomes {
            return 2;
        }
        match (before.text, token.text) {
            (_, "," | ")" | "]" | ".") | ("(" | "[" | ".", _) => 0,
            (_, ":") => usize::from(self.token(at + 1).is_some_and(|next| self.marks.types.contains(&next.start))),
            (_, "(") if touching => 0,
            ("#", _) => 0,
            ("-", _) if self.marks.prefixes.contains(&before.start) => 0,
            _ => 1,
        }
    }
}

/// For each token, the columns of the citations that begin at it, each counted with a blank after it.
fn margins(tokens: &[Token<'_>]) -> Vec<usize> {
    let mut behind = 0;
    let mut margins: Vec<usize> = Vec::with_capacity(tokens.len());
    for token in tokens.iter().rev() {
        behind = if token.kind == Kind::Cite { behind + token.text.width() + 1 } else { 0 };
        margins.push(behind);
    }
    margins.reverse();
    margins
}
