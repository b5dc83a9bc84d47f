//! Tests of small wordings: references, recursion, ambiguity, texts that nothing covers.

use super::{outcome, read, told, wording_of};
use crate::fold_text;
use crate::reading::chart::Chart;
use lang::diagnostic::Sources;

/// Reads a text with a wording of these lines, and compares the result.
fn check(lines: &str, text: &str, expected: &str) {
    let mut sources = Sources::default();
    let source = format!("gyoji 1\n\nwording small {{\n  category ability: ability\n{lines}\n}}\n");
    let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    let mut shown: Vec<String> = errors.iter().map(|error| told(&sources, error)).collect();
    if shown.is_empty() {
        let reading = read(&mut sources, &wording, text);
        shown.push(outcome(&sources, &reading));
    }
    assert_eq!(shown.join("\n"), expected);
}

const LIST: &str = "
  category what: value
  ability 「${w: what}を引く。」 -> ability on_show { take($w) }
  what 「鯛」 -> tai
  what 「鯉」 -> koi
";

#[test]
fn left_recursion_is_read() {
    let lines = format!("{LIST}\n  what 「${{a: what}}の札」 -> $a.card");
    check(&lines, "鯛の札の札を引く。", "on_show { take(tai.card.card) }");
}

#[test]
fn a_point_in_history_is_that_of_its_own_phrase() {
    let lines = format!(
        "{LIST}\n  category act: statements\n  ability 「${{a: act}}、${{b: act}}。」 -> ability on_show {{ $a  $b }}
  act 「${{w: what}}を見る」 -> {{ let seen = latest move($w)  if happened draw(you) since seen {{ take($w) }} }}"
    );
    check(
        &lines,
        "鯛を見る、鯉を見る。",
        "on_show { let seen = latest (move(tai))  if happened draw(you) since seen { take(tai) }  \
         let seen_2 = latest (move(koi))  if happened draw(you) since seen_2 { take(koi) } }",
    );
}

#[test]
fn two_scripts_are_an_error_that_shows_both() {
    let lines = format!("{LIST}\n  what 「${{a: what}}か${{b: what}}」 -> either($a, $b)");
    check(
        &lines,
        "鯛か鯉か鯛を引く。",
        "E0408 [鯛か鯉か鯛] `鯛か鯉か鯛を引く。` can be read in two ways\n    one: either(either(tai, koi), tai)\n    other: either(tai, either(koi, tai))\n    2 derivations in all\n    write the text in another way. In the wording you can write `override` before the template that is to count\n    if both templates are of std, two lines of the game give one phrase (two `take`, or a word that std has already). Leave one line out, or write the template that is to count into the game's wording, with `override`",
    );
}

#[test]
fn an_unclear_phrase_is_refused_wherever_it_stands() {
    let lines = format!(
        "{LIST}\n  what 「${{a: what}}か${{b: what}}」 -> either($a, $b)\n  unclear what 「${{a: what}}か${{b: what}}か${{c: what}}」 because \"nobody knows\""
    );
    let refused = "E0442 [鯛か鯉か鯛] nobody can say what `鯛か鯉か鯛` means\n    because nobody knows\n    write it in another way";
    check(&lines, "鯛か鯉か鯛を引く。", refused);
    check(&lines, "鯛か鯉を引く。", "on_show { take(either(tai, koi)) }");
    let lines = format!("{lines}\n  what 「${{a: what}}の札」 -> $a.card");
    check(&lines, "鯛か鯉か鯛の札を引く。", &refused.replace("札", ""));
}

#[test]
fn an_override_says_what_an_unclear_phrase_means() {
    let lines = format!("{LIST}\n  unclear what 「鯛か鯉」 because \"nobody knows\"\n  override what 「鯛か鯉」 -> either(tai, koi)");
    check(&lines, "鯛か鯉を引く。", "on_show { take(either(tai, koi)) }");
}

#[test]
fn what_is_given_later_is_not_there_yet() {
    let lines = "
  category act: statements
  ability 「${a: act}。${b: act}。」 -> ability on_show { $a  $b }
  ability 「後で${a: act}。${b: act}。」 -> ability on_show { put by { $a } until later  $b }
  act 「札を取る」 -> { let drawn = draw(you, 1) } gives drawn
  act 「それを見る」 -> { reveal(the drawn) }
";
    check(lines, "札を取る。それを見る。", "on_show { let drawn = draw(you, 1)  reveal(drawn) }");
    let told = "E0443 [それを見る] this refers to `drawn`, which is only given at a later moment\n    refer to it in the sentence that happens then (「その後、」), or use other words";
    check(lines, "後で札を取る。それを見る。", told);
}

#[test]
fn the_same_script_twice_is_fine() {
    let lines = format!("{LIST}\n  what 「${{a: what}}か${{b: what}}」 -> $a with $b");
    check(&lines, "鯛か鯉か鯛か鯉を引く。", "on_show { take(((tai with koi) with tai) with koi) }");
}

#[test]
fn an_ability_that_is_granted_is_filled_in() {
    let lines = "
  ability 「石は「${a: inner}」を得る。」 -> ability static { grant stones { $a } }
  category inner: ability
  category what: value
  inner 「${w: what}を引く。」 -> ability on_show { take($w) }
  what 「鯛」 -> tai
";
    check(lines, "石は「鯛を引く。」を得る。", "static { grant stones { on_show { take(tai) } } }");
}

#[test]
fn what_nothing_covers_is_underlined() {
    check(LIST, "鯛を捨てる。", "E0407 [捨てる] no template covers `捨てる`\n    nearest: 「${w}を引く。」 ← `引く。`");
}

#[test]
fn a_reference_needs_one_nearest_giver() {
    let lines = "
  category act: statements
  category two: statements
  ability 「${a: act}。」 -> ability on_show { $a }
  act 「鯛を引く」 -> { draw(tai) } gives card
  act 「鯛と鯉を引く」 -> { choose a: 1 from x  choose b: 1 from y } gives card = a gives card = b
  act 「それを捨てる」 -> { discard(the card) }
  act 「${a: act}、${b: two}」 -> { $a  $b }
  act 「もし${a: act}」 -> { if x { $a } }
  two 「それを置く」 -> { put_down(the card) }
";
    check(lines, "鯛を引く、それを置く。", "on_show { let card = draw(tai)  put_down(card) }");
    check(
        lines,
        "それを捨てる。",
        "E0404 [それを捨てる] this refers to `card`, and no earlier phrase of the ability gives it\n    name the objects in an earlier phrase of the same line",
    );
    check(lines, "鯛と鯉を引く、それを置く。", "E0405 [それを置く] this refers to `card`, and two phrases that give it are equally near");
}

#[test]
fn a_giver_in_a_block_that_was_left_is_kept() {
    let lines = "
  category act: statements
  ability 「${a: act}なら${b: act}。」 -> ability on_show { may you { $a }  if done { $b } }
  act 「鯛を引く」 -> { draw(tai) } gives card
  act 「それを置く」 -> { put_down(the card) }
";
    check(
        lines,
        "鯛を引くならそれを置く。",
        "on_show { let kept = [this] except [this]  may you { let card = draw(tai)  kept = card }  if done { put_down(kept) } }",
    );
}

#[test]
fn what_follows_something_done_is_seen_behind_it() {
    let lines = "
  category act: statements
  ability 「${a: act}なら${b: act}、${c: act}。」 -> ability on_show { may you { $a }  if done { $b }  $c }
  ability 「${a: act}か${b: act}、${c: act}。」 -> ability on_show { if lucky { $a } else { $b }  $c }
  act 「鯛を引く」 -> { draw(tai) } gives card
  act 「鯉を引く」 -> { draw(koi) } gives card
  act 「それを置く」 -> { put_down(the card) }
";
    check(
        lines,
        "鯛を引くなら鯉を引く、それを置く。",
        "on_show { let kept = [this] except [this]  may you { draw(tai) }  if done { let card = draw(koi)  kept = card }  put_down(kept) }",
    );
    check(
        lines,
        "鯛を引くか鯉を引く、それを置く。",
        "E0404 [それを置く] this refers to `card`, and no earlier phrase of the ability gives it\n    name the objects in an earlier phrase of the same line",
    );
}

#[test]
fn declarations_are_checked() {
    check(
        &format!("{LIST}\n  wat 「x」 -> x"),
        "",
        "E0401 [wat] no category or word `wat` is declared in a wording\n    did you mean `what`?",
    );
    check(
        &format!("{LIST}\n  what 「${{a: what}}x${{b: what}}」 -> $a"),
        "",
        "E0412 [「${a: what}x${b: what}」] the hole `b` is printed but its script does not use it\n    use `$b` in the script",
    );
    check(
        "  category other: ability\n  levels other > ability\n  levels ability > other",
        "",
        "E0406 [ability] the category `ability` leads back to itself without a sign of text in between\n    remove one of the levels. Or remove a template that consists of one hole\nE0406 [other] the category `other` leads back to itself without a sign of text in between\n    remove one of the levels. Or remove a template that consists of one hole",
    );
}

/// A template that uses a hole twice and stands in itself doubles its script with each sign. The parts are counted before they are made.
#[test]
fn a_script_that_doubles_with_each_sign_is_too_large() {
    let lines = "
  category act: statements
  category yes: value
  category heap: value
  ability 「${a: act}。」 -> ability on_show { $a }
  act 「え${a: act}」 -> { if lucky { $a } else { $a } }
  act 「引く」 -> { draw(you, 1) }
  ability 「${s: heap}か。」 -> ability on_show { show($s) }
  heap 「札」 -> deck
  heap 「最も${s: heap}」 -> $s except $s
  heap 「${y: yes}${s: heap}」 -> $s where holds($y, it)
  yes 「大」 -> it.power + it.power + it.power
  yes 「重${y: yes}」 -> holds($y, holds($y, it))
";
    check(lines, "え引く。", "on_show { if lucky { draw(you, 1) } else { draw(you, 1) } }");
    for text in [format!("{}引く。", "え".repeat(60)), format!("{}札か。", "最も".repeat(60)), format!("{}大札か。", "重".repeat(60))]
    {
        let mut sources = Sources::default();
        let source = format!("gyoji 1\n\nwording small {{\n  category ability: ability\n{lines}\n}}\n");
        let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
        assert_eq!(errors, [], "{text}");
        let reading = read(&mut sources, &wording, &text);
        let codes: Vec<_> = reading.diagnostics.iter().map(|finding| finding.code).collect();
        assert_eq!((codes, reading.abilities.len()), (vec!["E0229"], 0), "{text}");
    }
}

/// No text is as long, and the signs of a form are numbered with 16 bits.
#[test]
fn a_printed_form_has_an_end() {
    let mut sources = Sources::default();
    let long = "あ".repeat(70_000);
    let lines = format!("{LIST}\n  what 「{long}」 -> tai\n");
    let source =
        format!("gyoji 1\n\nzone odd \"{long}\" {{ shared  public }}\n\nwording small {{\n  category ability: ability\n{lines}\n}}\n");
    let (_, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    assert_eq!(errors.iter().map(|error| error.code).collect::<Vec<_>>(), ["E0229", "E0229"]);
}

#[test]
fn a_list_of_24_costs_a_polynomial() {
    let mut sources = Sources::default();
    let lines = format!("{LIST}\n  what 「${{a: what}}か${{b: what}}」 -> $a with $b");
    let source = format!("gyoji 1\n\nwording small {{\n  category ability: ability\n{lines}\n}}\n");
    let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    assert_eq!(errors, []);
    let text = format!("{}を引く。", vec!["鯛"; 24].join("か"));
    let signs = fold_text(&text);
    let goal = wording.grammar.category("ability").unwrap();
    let chart = Chart::parse(&wording.grammar, &signs, goal);
    let ways: usize = chart.sets.iter().flat_map(|set| &set.ways).map(|ways| ways.len()).sum();
    assert!(chart.size < signs.len() * signs.len() * 8, "{} items", chart.size);
    assert!(ways < signs.len().pow(3), "{ways} ways");
    let reading = read(&mut sources, &wording, &text);
    assert_eq!(reading.abilities.len(), 1, "{}", outcome(&sources, &reading));
}

pub(super) const FRAMES: &str = "
  class 一段 「る」 { 終止 「る」  て 「て」  受身 「られ」 as 助動 }
  class 助動 「る」 { 終止 「る」  て 「て」 }
  class 五段 「く」 { 終止 「く」  て 「いて」  た 「いた」  受身 「かれ」 as 助動 }
  verb 置く 五段  verb 加える 一段
  particles を, に, へ, で, から, が
  voice 受身: を as が
  category whole: statements
  category act: statements inflected
  category thing: value
  category place: value
  category side: value
  ability 「${t: whole}。」 -> ability on_show { $t }
  whole 「${a: act}」 -> { $a }
  whole 「${a: act, て}、${b: act}」 -> { $a  $b }
  thing 「鯛」 -> tai
  thing 「海老」 -> ebi
  place 「皿」 -> dish
  place 「舟」 -> boat
  side 「裏」 -> down
  relative thing 「$[今]${verb, た}物」
";

pub(super) const PUT: &str = "  frame act 置く or 加える { を thing or the card  に or へ place = table  で side or none } -> { move($を, $に, face: $で) } gives moved gives card";

#[test]
fn arguments_of_a_frame_are_free_in_order() {
    for text in [
        "鯛を裏で皿に置く。",
        "鯛を皿に裏で置く。",
        "裏で皿へ鯛を置く。",
        "皿に鯛を裏で加える。",
        "皿に鯛が裏で加えられる。",
        "裏で鯛が皿に置かれる。",
    ] {
        check(&format!("{FRAMES}{PUT}"), text, "on_show { move(tai, dish, face: down) }");
    }
}

#[test]
fn arguments_of_a_frame_may_be_left_out_as_it_says() {
    check(&format!("{FRAMES}{PUT}"), "鯛を皿に置く。", "on_show { move(tai, dish) }");
    check(&format!("{FRAMES}{PUT}"), "裏で鯛を置く。", "on_show { move(tai, table, face: down) }");
    check(&format!("{FRAMES}{PUT}"), "鯛を皿に置いて、舟に加える。", "on_show { let moved = move(tai, dish)  move(moved, boat) }");
    check(
        &format!("{FRAMES}{PUT}"),
        "皿に置く。",
        "E0404 [皿に置く] this refers to `card`, and no earlier phrase of the ability gives it\n    name the objects in an earlier phrase of the same line",
    );
}

#[test]
fn what_a_frame_gives_is_named_by_its_verb() {
    for text in ["鯛を置いて、今置いた物を舟に加える。", "鯛を置いて、舟に置いた物を加える。"] {
        check(&format!("{FRAMES}{PUT}"), text, "on_show { let moved = move(tai, table)  move(moved, boat) }");
    }
}

#[test]
fn two_frames_of_a_verb_must_agree_where_both_fit() {
    let lines = format!("{FRAMES}{PUT}\n  frame act 置く {{ を thing  「皿に」 }} -> {{ serve($を) }}");
    check(
        &lines,
        "皿に鯛を置く。",
        "E0408 [皿に鯛を置く] `皿に鯛を置く。` can be read in two ways\n    one: { serve(tai) }\n    other: { let moved = move(tai, dish) }\n    the words are cut in two ways: 「皿に」 or 「皿 | に」\n    2 derivations in all\n    write the text in another way. In the wording you can write `override` before the template that is to count\n    if both templates are of std, two lines of the game give one phrase (two `take`, or a word that std has already). Leave one line out, or write the template that is to count into the game's wording, with `override`",
    );
    check(&lines.replace("frame act 置く {", "override frame act 置く {"), "皿に鯛が置かれる。", "on_show { serve(tai) }");
}

#[test]
fn a_goal_may_be_said_of_the_objects() {
    let lines = format!(
        "{}\n  frame act 置く {{ を thing  に goal }} -> {{ move($を, holds($に, $を)) }}\n  category goal: value\n  goal 「棚」 -> shelf(whose(it))",
        FRAMES
    );
    check(&lines, "棚に鯛を置く。", "on_show { move(tai, shelf(tai.owner)) }");
}

#[test]
fn the_greatest_of_a_set_is_asked_of_its_members() {
    let lines = |high: &str| {
        format!(
            "  category what: value\n  category high: value\n  ability 「${{w: what}}が${{h: high}}なら引く。」 -> ability on_show {{ if holds($h, $w) {{ take($w) }} }}\n  what 「鯛」 -> tai\n  high 「高い」 -> {high}"
        )
    };
    let said = |high: &str, asked: &str| {
        check(&lines(high), "鯛が高いなら引く。", &format!("on_show {{ if {asked} {{ take(tai) }} }}"));
    };
    said("it.price >= greatest(shelf, it.price)", "tai.price >= greatest(shelf, it.price)");
    said(
        "it.price >= greatest(shelf(it.owner) where it is fresh, it.price)",
        "tai.price >= greatest(shelf(tai.owner) where it is fresh, it.price)",
    );
    said("it.price > least(shelf(you) with boat(you), it.price)", "tai.price > least(shelf(you) with boat(you), it.price)");
    // Of two numbers there is no member.
    said("greatest(3, it.price) > 3", "greatest(3, tai.price) > 3");
    said("least(it.price, it.cost) > least(count(shelf), it.cost)", "least(tai.price, tai.cost) > least(count(shelf), tai.cost)");
}

#[test]
fn frames_are_checked() {
    let wrong = |line: &str, expected: &str| check(&format!("{FRAMES}  {line}"), "", expected);
    wrong(
        "frame act 置く { お thing } -> { move($お) }",
        "E0415 [お] `お` is not a declared particle\n    a line `particles を, が` of a wording declares them",
    );
    wrong(
        "frame act 置く { を thing  に place } -> { move($を) }",
        "E0412 [act 置く { を thing  に place] the hole `に` is printed but its script does not use it\n    use `$に` in the script",
    );
    wrong(
        "frame act 置く { を thing  を place } -> { move($を) }",
        "E0417 [を] two arguments of this frame have the particle `を`\n    print one of them in 「…」, with a hole of its own name",
    );
    wrong(
        "frame act 置く { を thing or none } -> { move($を) }",
        "E0418 [を thing or none] the script has no meaning without this argument\n    `or none` wants its hole to be a named argument, as in `face: $で`; `or the CLASS` and `= value` want a category",
    );
    wrong(
        "frame act 置く { を thing  に place  「a」  「b」  「c」 } -> { move($を, $に) }",
        "E0416 [act 置く { を thing  に place  「a」  「b」  「c」] a frame of 5 arguments has too many orders\n    write two frames, or put two arguments into one printed form",
    );
}

#[test]
fn a_pause_may_stand_behind_a_particle() {
    let paused = FRAMES.replace("から, が\n", "から, が pause 「、」\n");
    let serve = "  frame act 置く { を thing  に place  「すぐ」 or none } -> { serve($を, $に) }";
    for text in ["鯛を、皿に置く。", "皿に、鯛を、すぐ置く。", "鯛が、皿に置かれる。", "鯛を皿に置く。"]
    {
        check(&format!("{paused}{serve}"), text, "on_show { serve(tai, dish) }");
    }
    let found = "E0407 [、] no template covers `、`\n    nearest: 「${を}を${に}に置く」 ← place";
    check(&format!("{FRAMES}  frame act 置く {{ を thing  に place }} -> {{ serve($を, $に) }}"), "鯛を、皿に置く。", found);
}

#[test]
fn a_quantity_floats_behind_what_it_counts() {
    let lines = format!(
        "{FRAMES}  digits 「0123456789」\n  frame act 置く {{ を 「$[赤い]」 with 「${{n: numeral}}枚」  に place }} -> {{ serve($n, $に) }}"
    );
    for text in ["赤い3枚を皿に置く。", "皿に赤いを3枚置く。", "赤いを皿に3枚置く。", "赤いが皿に3枚置かれる。", "皿に3枚を置く。"]
    {
        check(&lines, text, "on_show { serve(3, dish) }");
    }
    check(
        &lines,
        "皿にを3枚置く。",
        "E0407 [を3枚置く] no template covers `を3枚置く`\n    nearest: 「赤い${n}枚を${に}に置く」 ← numeral\n    nearest: 「赤い${n}枚を${に}に置く」 ← 赤い|\n    nearest: 「赤い${n}枚を${に}に置く」 ← 赤い",
    );
}

/// A list is printed on several lines and is one ability. Lines that can be read alone stay abilities of their own.
#[test]
fn the_rows_of_a_list_belong_to_the_line_that_announces_it() {
    let lines = "
  category what: value
  ability 「1つを選ぶ。・${a: what}を引く。・${b: what}を引く。」 -> ability on_show { choose_one($a, $b) }
  ability 「$[・]${a: what}を引く。」 -> ability on_show { take($a) }
  what 「鯛」 -> tai
  what 「鯉」 -> koi
";
    check(lines, "1つを選ぶ。\n　・鯛を引く。\n　・鯉を引く。", "on_show { choose_one(tai, koi) }");
    let three = "on_show { choose_one(tai, koi) }\non_show { take(tai) }";
    check(lines, "1つを選ぶ。\n・鯛を引く。\n・鯉を引く。\n・鯛を引く。", three);
    check(lines, "鯉を引く。\n・鯛を引く。", "on_show { take(koi) }\non_show { take(tai) }");
    // A list that cannot be read: its first line is refused, and its rows are abilities of their own.
    let mut sources = Sources::default();
    let source = format!("gyoji 1\n\nwording small {{\n  category ability: ability\n{lines}\n}}\n");
    let (wording, _) = wording_of(&mut sources, &[("small.rules", source)]);
    let reading = read(&mut sources, &wording, "2つを選ぶ。\n・鯛を引く。");
    assert_eq!(reading.diagnostics.len(), 1);
    assert_eq!(reading.abilities.len(), 1);
}

/// Each place has three spellings that can stand for one another's signs. The number of ways to share out the signs has 28 digits.
#[test]
fn spellings_that_share_their_signs_are_read_once() {
    let line = format!("  ability 「{}」 -> ability on_show {{ take(tai) }}", "$(あ|ああ|あああ)".repeat(60));
    let mut sources = Sources::default();
    let source = format!("gyoji 1\n\nwording small {{\n  category ability: ability\n{line}\n}}\n");
    let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    assert_eq!(errors, []);
    let reading = read(&mut sources, &wording, &"あ".repeat(120));
    assert_eq!(reading.diagnostics, []);
    assert_eq!(reading.abilities.len(), 1);
}

#[test]
fn a_local_name_like_that_of_an_action_leaves_the_action_its_name() {
    let binds = [
        ("choose order: 1 from hand(you) by you", "choose order_2: 1 from hand(you) by you"),
        ("let order = held(you)", "let order_2 = held(you)"),
    ];
    let calls = [("order(order)", "order(order_2)"), ("let done = kept(order(order))", "let done_2 = kept(order(order_2))")];
    for (bind, second_bind) in binds {
        for (call, second_call) in calls {
            let lines = format!(
                "  category act: statements\n  ability 「${{a: act}}、${{b: act}}。」 -> ability on_show {{ $a  $b }}\n  act 「引く」 -> {{ {bind}  {call}  stake(done) }}"
            );
            let stakes = |call: &str, done: &str| if call.starts_with("let") { format!("stake({done})") } else { "stake(done)".to_owned() };
            let (first, second) = (stakes(call, "done"), stakes(call, "done_2"));
            check(&lines, "引く、引く。", &format!("on_show {{ {bind}  {call}  {first}  {second_bind}  {second_call}  {second} }}"));
        }
    }
}
