//! Cuts a text into the lines that are read one by one.
//!
//! Input: a text as it is printed. Output: lines of signs without indentation and remarks, each with the places of its signs. A printed
//! list stands on several lines (`次のうち1つを選ぶ。`, then `・カードを1枚引く。`), and is one ability. So lines that begin with a mark are
//! joined to the line before them if that line cannot be read alone and can be read with them.

use super::chart::Chart;
use super::fold::fold;
use super::forest::Line;
use super::grammar::CategoryId;
use super::remarks::skip_remarks;
use super::{GOAL, Wording};
use crate::diagnostic::Span;
use crate::syntax::ast;

impl Wording {
    /// The lines of a text. Blank lines are left out.
    pub(super) fn lines(&self, text: &ast::Text) -> Vec<Line> {
        let mut start = 0;
        let mut lines = Vec::new();
        for written in text.text.split('\n') {
            let line = self.line(text, start, written);
            start += written.len() + 1;
            if !line.signs.is_empty() {
                lines.push(line);
            }
        }
        match self.grammar.category(GOAL) {
            Some(goal) => self.with_lists(lines, goal),
            None => lines,
        }
    }

    /// The lines, with the rows of each list joined to the line that announces the list.
    fn with_lists(&self, lines: Vec<Line>, goal: CategoryId) -> Vec<Line> {
        let mut joined: Vec<Line> = Vec::new();
        let mut at = 0;
        while let Some(first) = lines.get(at) {
            let rows = lines.get(at + 1..).unwrap_or_default().iter().take_while(|line| begins_with_a_mark(line)).count();
            let whole = if rows == 0 || self.can_be_read(first, goal) { None } else { self.longest_list(&lines, at, rows, goal) };
            let (line, used) = whole.unwrap_or_else(|| (first.clone(), 0));
            joined.push(line);
            at += 1 + used;
        }
        joined
    }

    /// A line with as many of the next rows as possible, and the number of these rows. None if it cannot be read with any of them.
    fn longest_list(&self, lines: &[Line], at: usize, rows: usize, goal: CategoryId) -> Option<(Line, usize)> {
        (1..=rows).rev().find_map(|rows| {
            let line = lines.get(at..=at + rows)?.iter().cloned().reduce(Line::followed_by)?;
            self.can_be_read(&line, goal).then_some((line, rows))
        })
    }

    fn can_be_read(&self, line: &Line, goal: CategoryId) -> bool {
        let chart = Chart::parse(&self.grammar, &line.signs, goal);
        !chart.too_large && chart.whole(goal).is_some()
    }

    /// A printed line without indentation and remarks. `start`: where it begins in the text, in bytes.
    pub(super) fn line(&self, text: &ast::Text, start: usize, line: &str) -> Line {
        let mut printed: Vec<(char, u32)> = Vec::new();
        for (index, sign) in line.char_indices() {
            printed.push((sign, text.span.start + (start + index) as u32));
        }
        while printed.last().is_some_and(|(sign, _)| sign.is_whitespace()) {
            printed.pop();
        }
        let indent = printed.iter().take_while(|(sign, _)| sign.is_whitespace()).count();
        printed.drain(..indent);
        for annotation in &self.annotations {
            skip_remarks(&mut printed, annotation);
        }
        let end = printed.last().map_or(text.span.start, |(sign, place)| place + sign.len_utf8() as u32);
        let begin = printed.first().map_or(end, |(_, place)| *place);
        Line {
            signs: printed.iter().map(|(sign, _)| fold(*sign)).collect(),
            printed: printed.iter().map(|(sign, _)| *sign).collect(),
            places: printed.iter().map(|(_, place)| *place).chain([end]).collect(),
            span: Span { file: text.span.file, start: begin, end },
        }
    }
}

/// Whether a line begins as the row of a list does: with a sign that is no letter, number or bracket.
fn begins_with_a_mark(line: &Line) -> bool {
    line.signs.first().is_some_and(|sign| !sign.is_alphanumeric() && !"[](){}<>【】「」『』《》〈〉〔〕（）".contains(*sign))
}
