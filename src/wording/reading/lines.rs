//! Cuts a text into the lines that are read one by one.
//!
//! Input: a text as it is printed. Output: lines of signs without indentation and remarks, each with the places of its signs. A printed
//! list stands on several lines (`次のうち1つを選ぶ。`, then `・カードを1枚引く。`), and is one ability. So lines that begin with a mark are
//! joined to the line before them if that line cannot be read alone and can be read with them.

use crate::GOAL;
use crate::Wording;
use crate::declared::grammar::CategoryId;
use crate::reading::chart::Chart;
use crate::reading::fold::fold;
use crate::reading::forest::Line;
use crate::reading::remarks::skip_remarks;
use lang::diagnostic::Span;
use lang::syntax::ast;

impl Wording {
    /// The lines of a text, as they are read. Blank lines are left out.
    pub(crate) fn lines(&self, text: &ast::Text) -> Vec<Line> {
        match self.grammar.category(GOAL) {
            Some(goal) => self.charted(text, goal).into_iter().map(|(line, _)| line).collect(),
            None => self.printed_lines(text),
        }
    }

    /// The lines of a text, each with its chart. The rows of a list are joined to the line that announces the list.
    pub(crate) fn charted(&self, text: &ast::Text, goal: CategoryId) -> Vec<(Line, Chart)> {
        let lines = self.printed_lines(text);
        let mut charted = Vec::new();
        let mut at = 0;
        while let Some(first) = lines.get(at) {
            let chart = self.chart(first, goal);
            let rows = lines.get(at + 1..).unwrap_or_default().iter().take_while(|line| begins_with_a_mark(line)).count();
            let list = if is_read(&chart, goal) { None } else { self.longest_list(lines.get(at..=at + rows).unwrap_or_default(), goal) };
            let (line, chart, used) = list.unwrap_or_else(|| (first.clone(), chart, 1));
            charted.push((line, chart));
            at += used;
        }
        charted
    }

    /// The first line with as many of the rows after it as possible, its chart, and the number of lines. None if the line cannot be read
    /// with any row.
    fn longest_list(&self, lines: &[Line], goal: CategoryId) -> Option<(Line, Chart, usize)> {
        (2..=lines.len()).rev().find_map(|used| {
            let line = lines.iter().take(used).cloned().reduce(Line::followed_by)?;
            let chart = self.chart(&line, goal);
            is_read(&chart, goal).then_some((line, chart, used))
        })
    }

    fn chart(&self, line: &Line, goal: CategoryId) -> Chart {
        Chart::parse(&self.grammar, &line.signs, goal)
    }

    /// The lines as they are printed, without blank lines.
    fn printed_lines(&self, text: &ast::Text) -> Vec<Line> {
        let mut start = 0;
        let mut lines = Vec::new();
        for written in text.text.split('\n') {
            lines.push(self.line(text, start, written));
            start += written.len() + 1;
        }
        lines.retain(|line| !line.signs.is_empty());
        lines
    }

    /// A printed line without indentation and remarks. `start`: where it begins in the text, in bytes.
    pub(crate) fn line(&self, text: &ast::Text, start: usize, line: &str) -> Line {
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

/// Whether a line begins as the row of a list does: with a sign that is no letter, number, bracket, comma or full stop.
fn begins_with_a_mark(line: &Line) -> bool {
    line.signs.first().is_some_and(|sign| !sign.is_alphanumeric() && !"[](){}<>【】「」『』《》〈〉〔〕（）、。，．,.".contains(*sign))
}

/// Whether a chart holds a reading of its whole line.
fn is_read(chart: &Chart, goal: CategoryId) -> bool {
    !chart.too_large && chart.whole(goal).is_some()
}
