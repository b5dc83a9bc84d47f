//! The source files of a run: names and texts, by number.

use super::{Diagnostic, FileId, Span};
use memchr::{memchr2, memmem};
use std::borrow::Cow;
use unicode_normalization::char::compose;

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file's path as a person would write it.
    pub name: String,
    /// The file's text: UTF-8 without a byte order mark. Line ends are not changed.
    pub text: String,
}

/// All files of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    files: Vec<Source>,
    /// Files that were read at the same time as the others. They are numbered from [`BESIDE`].
    beside: Vec<Source>,
    /// Whether new files go to `beside`.
    adds_beside: bool,
}

/// The number of the first file in `beside`: more files than a game ever has.
const BESIDE: u32 = 1 << 24;

impl Sources {
    /// Sources for files that are read while the number of other files is not known yet. [`Sources::with_beside`] joins both.
    #[must_use]
    pub fn beside_others() -> Self {
        Self { adds_beside: true, ..Self::default() }
    }

    /// Joins these files with the files that were read beside them. Files that are added later are numbered after the latter.
    #[must_use]
    pub fn with_beside(self, beside: Sources) -> Self {
        Self { beside: beside.beside, adds_beside: true, ..self }
    }

    /// Adds a file with this text.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let (files, first) = if self.adds_beside { (&mut self.beside, BESIDE) } else { (&mut self.files, 0) };
        files.push(Source { name: name.into(), text: text.into() });
        FileId(first + files.len() as u32 - 1)
    }

    /// Adds a file's bytes.
    ///
    /// # Errors
    /// `E0801` for UTF-16 or Shift_JIS, `E0802` for other bytes that are no UTF-8, `E0895` for the byte 0. The file is added anyway, as far as
    /// it could be read, so that the finding has a place.
    pub fn add_bytes(&mut self, name: impl Into<String>, bytes: &[u8]) -> Result<FileId, Diagnostic> {
        if let Some(encoding) = utf_16(bytes) {
            let file = self.add(name, encoding.decode(bytes).0.into_owned());
            return Err(self.encoded(file, 0, "E0801").with("encoding", "UTF-16"));
        }
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        // A file with the byte 0 is no text, though UTF-8 has this sign.
        if let Some(start) = memchr::memchr(0, bytes) {
            let beginning = bytes.get(..=start).unwrap_or(bytes);
            let file = self.add(name, String::from_utf8_lossy(beginning).into_owned());
            return Err(self.encoded(file, start as u32, "E0895"));
        }
        // This decoder checks many bytes at once. The standard library does so only for ASCII.
        match encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(bytes) {
            Some(text) => Ok(self.add(name, composed(&text))),
            None => {
                let start = encoding_rs::Encoding::utf8_valid_up_to(bytes) as u32;
                let file = self.add(name, String::from_utf8_lossy(bytes).into_owned());
                let code = if is_shift_jis(bytes) { "E0801" } else { "E0802" };
                Err(self.encoded(file, start, code).with("encoding", "Shift_JIS"))
            }
        }
    }

    /// The finding that a file has another encoding, at the sign that begins at `start`.
    fn encoded(&self, file: FileId, start: u32, code: &'static str) -> Diagnostic {
        let sign = self.get(file).and_then(|source| source.text.get(start as usize..)?.chars().next());
        let span = Span { file, start, end: start + sign.map_or(0, char::len_utf8) as u32 };
        Diagnostic::error(code, span).with("file", self.get(file).map_or("", |source| &source.name))
    }

    /// The file.
    #[must_use]
    pub fn get(&self, file: FileId) -> Option<&Source> {
        match file.0.checked_sub(BESIDE) {
            Some(beside) => self.beside.get(beside as usize),
            None => self.files.get(file.0 as usize),
        }
    }

    /// The text in a span; empty if there is none.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|source| source.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// All files in order.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        let files = (0..).map(FileId).zip(&self.files);
        files.chain((BESIDE..).map(FileId).zip(&self.beside))
    }

    /// The line and column of a span's start. Both count from 1, columns in characters.
    #[must_use]
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let Some(source) = self.get(span.file) else { return (1, 1) };
        let before = source.text.get(..span.start as usize).unwrap_or(&source.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }
}

/// A text in which a letter and the combining mark after it are one sign, as far as Unicode has this sign: か and U+3099 are が. Some
/// keyboards and file systems write such letters as two signs. Nobody sees the difference, but two texts would differ. All other signs stay
/// as they are.
#[must_use]
pub fn composed(text: &str) -> Cow<'_, str> {
    let is_mark = |sign: char| matches!(sign, '\u{300}'..='\u{36F}' | '\u{3099}' | '\u{309A}');
    let bytes = text.as_bytes();
    let of_kana = || ["\u{3099}", "\u{309A}"].iter().any(|mark| memmem::find(bytes, mark.as_bytes()).is_some());
    // The marks of Latin letters begin with these bytes.
    if text.is_ascii() || memchr2(0xCC, 0xCD, bytes).is_none() && !of_kana() {
        return Cow::Borrowed(text);
    }
    let mut whole = String::with_capacity(text.len());
    for sign in text.chars() {
        match whole.pop() {
            Some(before) => match if is_mark(sign) { compose(before, sign) } else { None } {
                Some(one) => whole.push(one),
                None => whole.extend([before, sign]),
            },
            None => whole.push(sign),
        }
    }
    Cow::Owned(whole)
}

/// Whether bytes that are no UTF-8 are Shift_JIS. Broken UTF-8 can often be read as Shift_JIS too. So most signs that are not ASCII have to
/// be no UTF-8. A lone surrogate (three bytes) is a sign that a program wrote as UTF-8.
fn is_shift_jis(bytes: &[u8]) -> bool {
    let lone = bytes.windows(3).filter(|three| matches!(three, [0xED, 0xA0..=0xBF, 0x80..=0xBF])).count();
    let (mut of_utf_8, mut others) = (lone, 0);
    for chunk in bytes.utf8_chunks() {
        of_utf_8 += chunk.valid().chars().filter(|sign| !sign.is_ascii()).count();
        others += usize::from(!chunk.invalid().is_empty());
    }
    // The three bytes of a surrogate are three chunks.
    others.saturating_sub(3 * lone) > of_utf_8 && !encoding_rs::SHIFT_JIS.decode(bytes).2
}

/// The kind of UTF-16, recognised by its byte order mark, or because the first ASCII sign takes two bytes.
fn utf_16(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    match bytes {
        [0xFF, 0xFE, ..] => Some(encoding_rs::UTF_16LE),
        [0xFE, 0xFF, ..] => Some(encoding_rs::UTF_16BE),
        [a, 0, b, 0, ..] if *a > 0 && *b > 0 => Some(encoding_rs::UTF_16LE),
        [0, a, 0, b, ..] if *a > 0 && *b > 0 => Some(encoding_rs::UTF_16BE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Sources, composed};

    #[test]
    fn signs_written_in_two_parts_are_one() {
        use unicode_normalization::UnicodeNormalization;
        for sign in ('\u{3041}'..='\u{30FF}').chain('À'..='ſ') {
            let text = format!("a{sign}か{sign}");
            assert_eq!(composed(&text.nfd().collect::<String>()), text.nfc().collect::<String>(), "{sign}");
        }
        // Other signs stay, also those that Unicode joins with an ideograph.
        for text in ["﨑\u{F9DC}①㍑ガ", "\u{3099}", "あ\u{3099}", "e\u{20DD}"] {
            assert_eq!(composed(text), text);
        }
    }

    #[test]
    fn each_encoding_is_called_by_its_name() {
        let bytes = |wide: fn(u16) -> [u8; 2]| "gyoji 1\n「札」".encode_utf16().flat_map(wide).collect::<Vec<u8>>();
        let marked = [&[0xFF, 0xFE][..], &bytes(u16::to_le_bytes)].concat();
        let (little, big) = (bytes(u16::to_le_bytes), bytes(u16::to_be_bytes));
        for (bytes, encoding) in [(marked, "UTF-16"), (little, "UTF-16"), (big, "UTF-16"), (b"gyoji 1\n\x8ED".to_vec(), "Shift_JIS")] {
            let found = Sources::default().add_bytes("x.rules", &bytes).map_err(|found| (found.code, found.args));
            let known = |(code, args): (&str, Vec<(&str, String)>)| code == "E0801" && args.contains(&("encoding", encoding.to_owned()));
            assert!(found.is_err_and(known), "{encoding}");
        }
        assert!(Sources::default().add_bytes("x.rules", b"\xEF\xBB\xBFgyoji 1\n").is_ok());
    }
}
