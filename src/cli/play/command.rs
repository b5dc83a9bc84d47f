//! Understands typed lines: numbers, names and commands, also in full-width signs.

use unicode_normalization::UnicodeNormalization;

/// The meaning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Positions in the domain, from 0. They are not checked yet.
    Picks(Vec<usize>),
    /// `> 2 1 3`: an order for this question, each time it comes again. Without numbers or names: the order of the list.
    Order(Vec<usize>),
    /// `?`: the possible commands. `? 3`, `? 鯛`: that card's text.
    Help(Option<String>),
    /// `? 3 script`, `? 鯛 スクリプト`: that card's text and script.
    Script(String),
    /// `why value x.power`, `なぜ …`: a question about the position.
    Why(String),
    /// `u`: take back.
    TakeBack,
    /// `s`, with or without a file: save.
    Save(Option<String>),
    /// `w`, with or without a file: write a scenario.
    Write(Option<String>),
    /// `q`: quit.
    Quit,
    /// `c`: concede.
    Concede,
    /// An empty line.
    Nothing,
    /// Anything else.
    Unknown,
}

/// The meaning of a line, if the options have these names (an option may have several). A number is a position in the list. If the options
/// are numbers, the number is one of them.
#[must_use]
pub(super) fn understand(line: &str, options: &[Vec<String>], numbers_are_names: bool) -> Said {
    let line: String = line.nfkc().collect();
    let line = line.trim();
    let (head, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(head, rest)| (head, rest.trim()));
    let rest = Some(rest.to_owned()).filter(|rest| !rest.is_empty());
    match (head.to_lowercase().as_str(), &rest) {
        ("", _) => return Said::Nothing,
        ("why" | "なぜ", Some(question)) => return Said::Why(question.clone()),
        ("why" | "なぜ", None) => return Said::Help(None),
        ("u", None) => return Said::TakeBack,
        ("s", _) => return Said::Save(rest),
        ("w", _) => return Said::Write(rest),
        ("q", None) => return Said::Quit,
        ("c", None) => return Said::Concede,
        ("-", None) => return Said::Picks(Vec::new()),
        ("0", None) if !numbers_are_names => return Said::Picks(Vec::new()),
        ("?", _) => return rest.as_deref().map_or(Said::Help(None), about_card),
        _ => {}
    }
    if let Some(what) = line.strip_prefix('?') {
        return about_card(what);
    }
    if let Some(order) = line.strip_prefix('>') {
        let order = order.trim();
        let said = numbers(order).or_else(|| names(order, options, false));
        return if order.is_empty() { Said::Order(Vec::new()) } else { said.map_or(Said::Unknown, Said::Order) };
    }
    let passes = || ["pass", "パス"].contains(&line.to_lowercase().as_str()).then(Vec::new);
    let places = || if numbers_are_names { None } else { numbers(line) };
    let help = || {
        let asks = ["help", "ヘルプ"].contains(&head.to_lowercase().as_str());
        if asks { rest.as_deref().map_or(Said::Help(None), about_card) } else { Said::Unknown }
    };
    places().or_else(|| names(line, options, numbers_are_names)).or_else(passes).map_or_else(help, Said::Picks)
}

/// A question about a card: for its text, or with a last word for its script too.
fn about_card(what: &str) -> Said {
    let what = what.trim();
    let with_script =
        ["script", "スクリプト"].into_iter().find_map(|word| what.strip_suffix(word)).filter(|of| of.ends_with(char::is_whitespace));
    with_script.map_or_else(|| Said::Help(Some(card(what))), |of| Said::Script(card(of)))
}

/// A card that a person names, without the brackets of the screen.
fn card(what: &str) -> String {
    let what = what.trim();
    what.strip_prefix('「').and_then(|inner| inner.strip_suffix('」')).unwrap_or(what).to_owned()
}

/// Numbers from 1, separated by blanks or commas. 0 and numbers that are too large become positions that no domain has.
fn numbers(line: &str) -> Option<Vec<usize>> {
    let parts = line.split([' ', '\t', ',', '、']).filter(|part| !part.is_empty());
    let place = |part: &str| match part.parse::<usize>() {
        Ok(number) => Some(number.wrapping_sub(1)),
        Err(_) => part.bytes().all(|sign| sign.is_ascii_digit()).then_some(usize::MAX),
    };
    parts.map(place).collect()
}

/// Names of options, separated by commas (numbers also by blanks). A name of several options means the first of them that is not yet taken.
fn names(line: &str, options: &[Vec<String>], numbers: bool) -> Option<Vec<usize>> {
    // The whole line is tried first, because a way to act contains commas.
    if let Some(at) = options.iter().position(|names| names.iter().any(|name| plain(name) == plain(line))) {
        return Some(vec![at]);
    }
    let mut picks = Vec::new();
    for part in line.split(|sign: char| [',', '、'].contains(&sign) || numbers && sign.is_whitespace()) {
        if numbers && part.is_empty() {
            continue;
        }
        let wanted = plain(part);
        let fits = |names: &Vec<String>| names.iter().any(|name| plain(name) == wanted);
        let found = options.iter().enumerate().find(|(at, names)| fits(names) && !picks.contains(at))?;
        picks.push(found.0);
    }
    Some(picks)
}

/// A name without differences of width, case and quotation marks.
fn plain(name: &str) -> String {
    name.nfkc().flat_map(char::to_lowercase).filter(|sign| !"「」『』《》\"".contains(*sign)).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Said, understand};

    fn check(line: &str, expect: Said) {
        let options = ["赤", "アオ", "鯛", "鯛"].map(|name| vec![name.to_owned()]);
        assert_eq!(understand(line, &options, false), expect, "{line}");
    }

    #[test]
    fn numbers_mean_themselves_where_numbers_are_chosen_from() {
        let options: Vec<Vec<String>> = (0..40).map(|number| vec![number.to_string()]).collect();
        assert_eq!(understand("３", &options, true), Said::Picks(vec![3]));
        assert_eq!(understand("0", &options, true), Said::Picks(vec![0]));
        assert_eq!(understand("40", &options, true), Said::Unknown);
        assert_eq!(understand("3 5, 7", &options, true), Said::Picks(vec![3, 5, 7]));
        let few = ["9", "10", "11"].map(|number| vec![number.to_owned()]);
        assert_eq!(understand("10", &few, true), Said::Picks(vec![1]));
        assert_eq!(understand("1", &few, true), Said::Unknown);
        assert_eq!(understand("3", &options, false), Said::Picks(vec![2]));
    }

    #[test]
    fn full_width_signs_are_understood() {
        check("１", Said::Picks(vec![0]));
        check("　２　４", Said::Picks(vec![1, 3]));
        check("？", Said::Help(None));
        check("？３", Said::Help(Some("3".to_owned())));
        for word in ["help", "Help", "ヘルプ", "why", "なぜ"] {
            check(word, Said::Help(None));
        }
        for line in ["?鯛", "? 鯛", "?「鯛」", "help 「鯛」", "ヘルプ 鯛"] {
            check(line, Said::Help(Some("鯛".to_owned())));
        }
        for line in ["?鯛 script", "？ 鯛　スクリプト", "? 「鯛」 script", "help 鯛 script"] {
            check(line, Said::Script("鯛".to_owned()));
        }
        check("? script", Said::Help(Some("script".to_owned())));
        check("ｑ", Said::Quit);
        check("Ｕ", Said::TakeBack);
    }

    #[test]
    fn options_can_be_named() {
        check("アオ", Said::Picks(vec![1]));
        check("ｱｵ", Said::Picks(vec![1]));
        check("「鯛」、鯛", Said::Picks(vec![2, 3]));
        check("鯛、鯛、鯛", Said::Unknown);
    }

    #[test]
    fn none_is_said_with_a_stroke() {
        check("-", Said::Picks(Vec::new()));
        check("", Said::Nothing);
        check("s 途中.ron", Said::Save(Some("途中.ron".to_owned())));
        check("why value count(hand(a))", Said::Why("value count(hand(a))".to_owned()));
        check("なぜ can lay \"鯛\"", Said::Why("can lay \"鯛\"".to_owned()));
        check("why", Said::Help(None));
        check("何", Said::Unknown);
        check("99999999999999999999999", Said::Picks(vec![usize::MAX]));
        check("1 99999999999999999999999", Said::Picks(vec![0, usize::MAX]));
    }
}
