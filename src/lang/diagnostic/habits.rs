//! Words and signs of other languages, each with what is written here instead. Designers who have programmed before write them by habit.

/// What this language writes for a word or sign of other languages.
#[must_use]
pub fn written_here(word: &str) -> Option<&'static str> {
    Some(match word {
        "&&" | "&" => "and",
        "||" | "|" => "or",
        "!" => "not",
        "?" => "if C then a else b",
        "//" | "/*" | "#" => "-- remark",
        "%" => "mod",
        "elif" | "elseif" | "elsif" => "else if",
        "while" => "loop { if C { break } … }",
        "foreach" => "for c in S { … }",
        "const" | "var" => "let",
        "None" | "nil" | "null" | "undefined" => "none",
        "True" => "true",
        "False" => "false",
        "rand" | "random" => "die(6)`, `coin()`, `pick(n, S)",
        _ => return None,
    })
}

/// What this language writes for a type of other languages.
#[must_use]
pub fn type_written_here(word: &str) -> Option<&'static str> {
    Some(match word {
        "boolean" | "Boolean" | "Bool" => "bool",
        "int" | "Int" | "integer" | "Integer" | "float" | "double" | "Number" | "num" => "number",
        "string" | "String" | "str" => "text",
        "cards" | "list" | "List" | "array" | "Array" => "set of card",
        _ => return None,
    })
}
