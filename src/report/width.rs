//! The columns that a text takes on a terminal; padding and cutting of texts.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How wide signs of ambiguous width (①, ○, α) are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Widths {
    wide_ambiguous: bool,
}

impl Widths {
    /// `ambiguous`: 2 if the terminal draws them over two columns, else 1.
    #[must_use]
    pub fn new(ambiguous: u8) -> Self {
        Self { wide_ambiguous: ambiguous == 2 }
    }

    /// The number of columns of a text.
    #[must_use]
    pub fn of(self, text: &str) -> usize {
        if self.wide_ambiguous { text.width_cjk() } else { text.width() }
    }

    /// The text with blanks after it up to this many columns. A longer text is not changed.
    #[must_use]
    pub fn padded(self, text: &str, columns: usize) -> String {
        let missing = columns.saturating_sub(self.of(text));
        format!("{text}{}", " ".repeat(missing))
    }

    fn of_sign(self, sign: char) -> usize {
        if self.wide_ambiguous { sign.width_cjk() } else { sign.width() }.unwrap_or(0)
    }
}

/// The text cut to this many columns, with `…` if something was cut.
#[must_use]
pub fn cut(text: &str, columns: usize, widths: Widths) -> String {
    if widths.of(text) <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(widths.of_sign('…'));
    let mut used = 0;
    let kept: String = text
        .chars()
        .take_while(|sign| {
            used += widths.of_sign(*sign);
            used <= room
        })
        .collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::{Widths, cut};

    #[test]
    fn full_width_signs_take_two_columns() {
        assert_eq!(Widths::new(1).of("手札a"), 5);
        assert_eq!(Widths::new(1).of("ﾃﾞｯｷ"), 4);
    }

    #[test]
    fn ambiguous_signs_take_what_the_terminal_gives_them() {
        assert_eq!(Widths::new(1).of("①"), 1);
        assert_eq!(Widths::new(2).of("①"), 2);
        assert_eq!(Widths::new(2).padded("①", 4), "①  ");
    }

    #[test]
    fn a_cut_never_takes_half_a_sign() {
        assert_eq!(cut("漢字とカナの名", 7, Widths::new(1)), "漢字と…");
        assert_eq!(cut("漢字", 4, Widths::new(1)), "漢字");
    }
}
