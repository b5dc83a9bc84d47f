//! Warnings of things that a game declares and that never happen: `E0268` of zones and pools, `E0344`, `E0346`, `E0363` to `E0366`, and `E0393`
//! of moves; and of names that differ (`E0347`).

use super::{compiled, shown};
use lang::diagnostic::Sources;

/// A game without readings in which everything is used.
const GAME: &str = "gyoji 1\n\n\
    game small \"小\" { players 2 }\n\
    card unit \"札\" { rank \"数\" : number }\n\
    zone deck \"山\" { each player  ordered  hidden  starts with deck }\n\
    zone board \"盤\" { each player  public }\n\
    zone grave \"墓\" { each player  public }\n\
    pool score \"点\" { each player }\n\
    ability automatic { zones: set of zone = [board] }\n\
    action sing(c: card) \"歌う\" { }\n\
    setup { for p in players { shuffle(deck(p))  move(top of deck(p), board(p)) } }\n\
    turn { phase main { for c in board(you) { sing(c)  c.owner.score = c.owner.score + 1  move(c, grave(c.owner)) }  for w in pending { perform w } } }\n";

/// The codes of the warnings of the game with one part of the text changed, and with a card of this script.
fn codes(part: &str, instead: &str, script: &str) -> Vec<&'static str> {
    assert!(GAME.contains(part), "{part}");
    warned(&GAME.replace(part, instead), script)
}

/// The codes of the warnings of a game, with a card of this script.
fn warned(game: &str, script: &str) -> Vec<&'static str> {
    let mut sources = Sources::default();
    let cards = format!("card \"A-1\" unit \"札\" {{ rank 1  script {{ {script} }} }}");
    let (compiler, found) = compiled(&mut sources, game, &cards);
    assert!(found.is_empty(), "{}", shown(&sources, &found));
    let own: Vec<_> = sources.iter().map(|(file, _)| file).collect();
    compiler.warnings(&sources, &own).into_iter().chain(compiler.unshuffled(&own)).map(|finding| finding.code).collect()
}

const SINGS: &str = "when sing(this) { you.score = 2 }";

#[test]
fn a_game_that_uses_everything_has_no_warning() {
    assert_eq!(codes("sing(c)  ", "sing(c)  ", SINGS), [""; 0]);
}

#[test]
fn an_ability_waits_for_an_action_that_nothing_performs() {
    assert_eq!(codes("sing(c)  ", "", SINGS), ["E0363"]);
    // One of two events can happen.
    assert_eq!(codes("sing(c)  ", "", "when sing(this) or move(what: this, to: board) { you.score = 2 }"), [""; 0]);
    // Another card performs the action.
    assert_eq!(codes("sing(c)  ", "", "when sing(this) { you.score = 2 }  when move(what: this, to: board) { sing(this) }"), [""; 0]);
    // Under another reading, something performs the action. Such games are not looked at.
    let game = "sing(c)  c.owner";
    let read = format!("if way is loud {{ sing(c) }}  {}", "c.owner");
    let reading = "reading way \"way\" { quiet default  loud }\nzone board";
    let text = GAME.replace("zone board", reading).replace(game, &read);
    assert!(!warned(&text, SINGS).contains(&"E0363"));
}

#[test]
fn nothing_takes_up_what_waits_for_a_moment() {
    let phase = "for w in pending { perform w }";
    let put_by = |taken: &str| format!("put by {{ you.score = 3 }} until dawn  for w in pending where {taken} {{ perform w }}");
    let untaken = |taken: &str| {
        let game = GAME.replace(phase, &put_by(taken)) + "moment dawn \"夜明け\"\n";
        warned(&game, SINGS).contains(&"E0364")
    };
    assert!(untaken("it is automatic"));
    assert!(!untaken("it is automatic or it is dawn"));
    assert!(!untaken("it.source exists"));
    // The moment is left out.
    assert!(untaken("it is not dawn"));
    assert!(untaken("not (it is dawn) and it.source exists"));
    assert!(!untaken("it is not automatic"));
    // One of two sets takes the block.
    assert!(!untaken("it is automatic { perform w }  for w in pending"));
}

#[test]
fn a_deck_is_never_shuffled() {
    assert_eq!(codes("shuffle(deck(p))  ", "", SINGS), ["E0365"]);
    assert_eq!(codes("shuffle(deck(p))  ", "shuffle(grave(p))  ", SINGS), [""; 0]);
    assert_eq!(codes("ordered  hidden  starts", "public  starts", SINGS), [""; 0]);
}

#[test]
fn nothing_sets_a_state_or_a_pool() {
    let unset = "for c in board(you) where it.owner.score == 0 { sing(c)  ";
    assert_eq!(
        codes("for c in board(you) { sing(c)  c.owner.score = c.owner.score + 1  ", unset, "when sing(this) { sing(this) }"),
        ["E0366"]
    );
    assert_eq!(codes("c.owner.score = c.owner.score + 1", "spend(c.owner.score, 1)", "when sing(this) { sing(this) }"), [""; 0]);
}

#[test]
fn a_zone_or_a_pool_is_named_nowhere() {
    assert_eq!(codes("zone grave", "zone attic \"屋根裏\" { each player  public }\nzone grave", SINGS), ["E0268"]);
    assert_eq!(codes("pool score", "pool luck \"運\" { each player }\npool score", SINGS), ["E0268", "E0366"]);
}

/// The codes of the warnings of the game with an option in a group that is offered.
fn of_option(rest: &str) -> Vec<&'static str> {
    let option = format!("option buy(c: card in board(p)) \"買う\" by p in acts {rest}\n");
    codes("turn { phase main { ", &format!("{option}turn {{ phase main {{ offer you from acts or pass  "), SINGS)
}

#[test]
fn an_option_spends_and_is_no_attempt() {
    assert_eq!(of_option("{ spend(p.score, 2)  move(c, grave(p)) }"), ["E0367"]);
    assert_eq!(of_option("{ if c.rank > 1 { spend(p.score, 2) }  move(c, grave(p)) }"), ["E0367"]);
    assert_eq!(of_option("attempt { spend(p.score, 2)  move(c, grave(p)) }"), [""; 0]);
    assert_eq!(of_option("when p.score >= 2 { spend(p.score, 2)  move(c, grave(p)) }"), [""; 0]);
    assert_eq!(of_option("{ if p.score > 1 { spend(p.score, 2)  move(c, grave(p)) } }"), [""; 0]);
    assert_eq!(of_option("{ attempt { spend(p.score, 2)  move(c, grave(p)) } }"), [""; 0]);
    // The actions that an option performs are followed, also in a circle.
    let pays = |body: &str| {
        let option = "option buy(c: card in board(p)) \"買う\" by p in acts { pay_two(p)  move(c, grave(p)) }";
        let game = GAME.replace(
            "turn { phase main { ",
            &format!("action pay_two(p: player) \"払う\" {{ {body} }}\n{option}\nturn {{ phase main {{ offer you from acts or pass  "),
        );
        warned(&game, SINGS)
    };
    assert_eq!(pays("spend(p.score, 2)"), ["E0367"]);
    assert_eq!(pays("if p.score > 5 { pay_two(p) }  spend(p.score, 2)"), [""; 0]);
    assert_eq!(pays("if count(board(p)) > 5 { pay_two(p) }  spend(p.score, 2)"), ["E0367"]);
}

#[test]
fn an_effect_may_lower_a_price_below_zero() {
    let price = |bound: &str, paid: &str, change: &str| {
        let game = GAME.replace("rank \"数\" : number", &format!("rank \"数\" : number  price \"値\" : number  {bound}")).replace(
            "turn { phase main { ",
            &format!("action buy(c: card) \"買う\" {{ {paid} }}\nturn {{ phase main {{ for c in board(you) {{ buy(c) }} "),
        );
        let game = game.replace("ability automatic", "ability static { zones: set of zone = [board] }\nability automatic");
        warned(&game, &format!("{SINGS}  static {{ modify board(you) {{ {change} }} }}"))
            .into_iter()
            .filter(|code| *code == "E0372")
            .count()
    };
    let paid = "c.owner.score = c.owner.score - c.price";
    assert_eq!(price("", paid, "price - 2"), 1);
    assert_eq!(price("", paid, "price - this.rank"), 1);
    assert_eq!(price("", paid, "price + -2"), 1);
    assert_eq!(price("", "c.owner.score = c.owner.score - (c.price + 1)", "price - 2"), 1);
    assert_eq!(price("reads at least 0", paid, "price - 2"), 0);
    assert_eq!(price("", paid, "price + 2"), 0);
    assert_eq!(price("", paid, "rank - 2"), 0);
    assert_eq!(price("", "spend(c.owner.score, c.price)", "price - 2"), 0);
}

#[test]
fn a_state_is_set_on_a_card_that_has_moved() {
    let state = |body: &str| -> Vec<&str> {
        let turn = format!("state tired : bool on card\nturn {{ phase main {{ for c in board(you) {{ {body} }}  for c in board(you) {{ ");
        let found = codes("turn { phase main { for c in board(you) { ", &turn, SINGS);
        found.into_iter().filter(|code| *code == "E0369").collect()
    };
    assert_eq!(state("move(c, grave(c.owner))  c.tired = true"), ["E0369"]);
    assert_eq!(state("move(c, grave(c.owner))  now(c).tired = true"), [""; 0]);
    assert_eq!(state("c.tired = true  move(c, grave(c.owner))"), [""; 0]);
    // The abilities of the old life are gone, and the old life cannot move again.
    assert_eq!(state("move(c, grave(c.owner))  for a in abilities(c) { sing(c) }"), ["E0369"]);
    assert_eq!(state("move(c, grave(c.owner))  for a in abilities(c) where it is automatic { sing(c) }"), ["E0369"]);
    assert_eq!(state("move(c, grave(c.owner))  for a in abilities(now(c)) { sing(c) }"), [""; 0]);
    assert_eq!(state("move(c, grave(c.owner))  move(c, board(c.owner))"), ["E0369"]);
    assert_eq!(state("let d = move(c, grave(c.owner))  move(d, board(you))"), [""; 0]);
    assert_eq!(state("if c.rank > 1 { move(c, grave(c.owner)) }  c.tired = true"), [""; 0]);
    // Nothing reads the state in this game.
    let kept = GAME.replace("setup {", "state tired : bool on card\nmoves { from board to grave keeps identity }\nsetup {");
    assert_eq!(
        warned(
            &kept.replace("c.owner.score + 1  move(c, grave(c.owner))", "c.owner.score + 1  move(c, grave(c.owner))  c.tired = true"),
            SINGS
        ),
        ["E0344"]
    );
}

#[test]
fn a_move_into_a_zone_with_places_names_no_place() {
    let rows = GAME.replace(
        "zone grave \"墓\" { each player  public }",
        "enum row \"列\" { front \"前\"  back \"後\" }\nzone grave \"墓\" { each player  public  places row }",
    );
    assert_eq!(warned(&rows, SINGS), ["E0370"]);
    assert_eq!(warned(&rows.replace("grave(c.owner))", "grave(c.owner), at: front)"), SINGS), [""; 0]);
}

#[test]
fn an_ability_never_hears_of_its_own_move() {
    let moves = |pattern: &str| codes("sing(c)  ", "sing(c)  ", &format!("{SINGS}  {pattern} {{ you.score = 4 }}"));
    assert_eq!(moves("when move(what: this, from: board, to: grave)"), ["E0393"]);
    assert_eq!(moves("when move(what: this, to: grave)"), ["E0393"]);
    assert_eq!(moves("when(looks: before) move(what: this, from: board, to: grave)"), [""; 0]);
    // The ability works where the card comes.
    assert_eq!(moves("when move(what: this, to: board)"), [""; 0]);
    // The card may come into any zone, also one where the ability works.
    assert_eq!(moves("when move(what: this)"), [""; 0]);
    assert_eq!(moves("when(zones: [board, grave]) move(what: this, to: grave)"), [""; 0]);
    // Other cards move.
    assert_eq!(moves("when move(what: any c, to: grave)"), [""; 0]);
}

#[test]
fn nothing_reads_what_an_effect_changes() {
    let poison = "state poison \"ひやけ\" : number on card\nability static \"常\" { zones: set of zone = [board] }\nkeyword swift \"速\" { }\nzone grave";
    let warned_with = |rule: &str, script: &str| {
        let game = GAME.replace("zone grave", poison).replace("for w in pending", &format!("{rule}  for w in pending"));
        warned(&game, script).contains(&"E0344")
    };
    let sting = "when sing(this) { this.poison = this.poison + 1 }";
    assert!(warned_with("", sting));
    assert!(!warned_with("for c in board(you) where it.poison > 2 { move(c, grave(c.owner)) }", sting));
    // Read only where the card does not lie.
    let doubled = "when(zones: [board]) sing(this) { you.score = 2 }  static { modify board { rank + 1 } }";
    assert!(!warned_with("for c in board(you) where it.rank > 2 { sing(c) }", doubled));
    assert!(warned_with("for c in deck(you) where it.rank > 2 { sing(c) }", doubled));
    let quick = "when sing(this) { you.score = 2 }  static { grant this { keyword swift } }";
    assert!(warned_with("", quick));
    assert!(!warned_with("for c in board(you) where it has swift { sing(c) }", quick));
}

#[test]
fn an_ability_works_only_where_it_can_do_nothing() {
    let zones = ["deck", "board", "grave", "attic"];
    let lists = [vec![0], vec![1], vec![2], vec![3], vec![1, 3], vec![2, 3], vec![0, 1, 2, 3]];
    for list in lists {
        let named = list.iter().map(|at| zones[*at]).collect::<Vec<_>>().join(", ");
        let kinds = format!(
            "zone attic \"屋根裏\" {{ each player  public }}\nability static {{ zones: set of zone = [{named}] }}\n\
             ability act {{ zones: set of zone = [{named}] }}\nzone grave"
        );
        let nowhere = |phase: &str, script: &str| {
            let game = GAME.replace("zone grave", &kinds).replace("for w in pending", &format!("{phase}  for w in pending"));
            warned(&game, script).contains(&"E0346")
        };
        // No card comes into the attic.
        assert_eq!(nowhere("", &format!("{SINGS}  static {{ modify this {{ rank + 1 }} }}")), list == [3], "{named}");
        for (at, zone) in zones.iter().enumerate().take(3) {
            let phase = format!("for c in {zone}(you) {{ for a in abilities(c) where it is act {{ perform a }} }}");
            let act = format!("{SINGS}  act {{ you.score = 1 }}");
            assert_eq!(nowhere(&phase, &act), !list.contains(&at), "{named} {zone}");
            // A procedure may take them from any card.
            let any = GAME.replace("turn {", "procedure use(c: card) { for a in abilities(c) where it is act { perform a } }\nturn {");
            let any = any
                .replace("zone grave", &kinds)
                .replace("for w in pending", &format!("for c in {zone}(you) {{ use(c) }}  for w in pending"));
            assert_eq!(warned(&any, &act).contains(&"E0346"), list == [3], "{named} {zone}");
        }
    }
}

#[test]
fn the_wording_reads_another_name_than_players() {
    let renamed = |label: &str, printed: &[&str]| {
        let lines = printed.iter().map(|printed| format!("  ability 「{printed}」 -> ability keyword swift\n")).collect::<String>();
        let more = format!(
            "ability static \"常\" {{ zones: set of zone = [board] }}\nkeyword swift \"{label}\" {{ }}\nwording w {{\n  category ability: ability\n{lines}}}\nzone grave"
        );
        warned(&GAME.replace("zone grave", &more), SINGS).contains(&"E0347")
    };
    let names = ["速", "【速】", "《速》", "迅"];
    for label in names {
        for printed in names {
            let same = (label == "迅") == (printed == "迅");
            assert_eq!(renamed(label, &[printed]), !same, "{label} {printed}");
            // Another template reads the label.
            assert!(!renamed(label, &[printed, label]) || printed == label, "{label} {printed}");
        }
    }
}
