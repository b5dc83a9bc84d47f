//! Tests of the warnings, from the smallest source that has each.

use super::{BASE, compiled, shown, warned, warned_of};
use lang::diagnostic::Sources;
use lang::syntax::parse_cards;

#[test]
fn what_nothing_reaches() {
    let statements = [
        "stop  draw(p, 1)",
        "if c is tired { return } else { stop }  draw(p, 1)  draw(p, 2)",
        "if c is tired { return } else { draw(p, 1) }  draw(p, 2)",
        "if c is tired { return }  draw(p, 2)",
        "loop { if c is tired { break }  draw(p, 1) }  draw(p, 2)",
        "loop { for q in players { break }  choose x: 1 from hand(p) by p }  draw(p, 2)",
        "label again  draw(p, 1)  if c is tired { restart again  draw(p, 2) }",
        "put by { stop  draw(p, 1) } until later  draw(p, 2)",
        "lasting this_turn { instead of draw(p) { return  draw(p, 1) } }",
    ];
    let judged = warned("judgement(losing: set of player, winning: set of player) { for p in players { finish(p)  finish_drawn() } }");
    assert!(judged.contains("E0263"), "{judged}");
    let of_kind = warned("ability found \"found\" of unit { } { stop  draw(you, 1) }");
    assert!(of_kind.contains("E0263"), "{of_kind}");
    let all = statements.map(|body| format!("{body}\n{}", warned(&format!("setup {{ let p = you  let c = top of deck(p)  {body} }}"))));
    insta::assert_snapshot!(all.concat());
}

#[test]
fn loops_that_nothing_ends() {
    let statements = [
        "loop { draw(p, 1) }",
        "loop { for q in players { break } }",
        "loop { loop { break } }",
        "loop { put by { stop } until later }",
        "loop { quiet(p) }",
        "loop { asks(p) }",
        "loop { discard(1 from hand(p)) }",
        "loop { if p.score > 3 { return }  p.score = p.score + 1 }",
        "loop { may p { draw(p, 1) } }",
        "loop { lose(p) }",
    ];
    let beside = "procedure quiet(p: player) { draw(p, 1)  if p.score > 1 { return } }\n\
                  procedure asks(p: player) { inner(p) }\nprocedure inner(p: player) { choose x: 1 from hand(p) by p }\n\
                  action idle(p: player) { quiet(p)  asks(p)  discard(hand(p)) }\nrule r(p: player) immediately when deck(p) becomes empty { idle(p) }";
    let all = statements.map(|body| format!("{body}\n{}", warned(&format!("{beside}\nsetup {{ let p = you  {body} }}"))));
    insta::assert_snapshot!(all.concat());
}

#[test]
fn procedures_that_only_call_themselves() {
    let rows = [
        ("procedure again(p: player) { draw(p, 1)  again(p) }", 1),
        ("procedure again(p: player) { acting as p { again(p) } }", 1),
        ("procedure again(p: player) { other(p) }\nprocedure other(p: player) { draw(p, 1)  again(p) }", 2),
        ("procedure again(p: player) { if p.score > 3 { return }  again(p) }", 0),
        ("procedure again(p: player) { if p.score < 3 { again(p) } }", 0),
        ("procedure again(p: player) { choose x: 1 from hand(p) by p  again(p) }", 0),
        ("procedure again(p: player) { other(p) }\nprocedure other(p: player) { may p { draw(p, 1) }  again(p) }", 0),
        ("procedure again(p: player) { lose(p)  again(p) }", 0),
    ];
    for (rules, times) in rows {
        let said = warned(&format!("{rules}\nsetup {{ again(you) }}"));
        assert_eq!(said.matches("E0275").count(), times, "{rules}\n{said}");
    }
}

#[test]
fn durations_that_nothing_ends() {
    let begins = |clause: &str| format!("lasting odd {{ {clause} }}");
    let modify = begins("modify field { win + 1 }");
    let rows = [
        ("", modify.clone(), true),
        ("{ begins later }", format!("{modify}  begin(odd)"), true),
        ("", format!("{modify}  expire(odd)"), false),
        ("", format!("during odd() {{ {modify} }}"), false),
        ("{ only inside }", modify.clone(), false),
        ("{ never ends }", modify, false),
        ("", begins("next time draw(you) { draw(you, 1) }"), false),
        ("", begins("when draw(you) { draw(you, 1) }"), true),
    ];
    for (kind, body, found) in rows {
        let said = warned(&format!("duration odd \"変\" {kind}\nsetup {{ {body} }}"));
        assert_eq!(said.contains("E0274 [odd]"), found, "{kind} {body}\n{said}");
    }
}

/// In a game with layers, the policy `circles` does nothing, and abilities are lost before the numbers are changed.
#[test]
fn what_layers_make_idle() {
    let rows = [
        ("skills { disable ability, strip ability }  sums { modify number }", "sets = live", ""),
        ("skills { disable ability }  sums { modify number }", "circles = all_count", "E0391"),
        ("sums { modify number }  skills { disable ability }", "sets = live", "E0392"),
        ("sums { add number }  rest { modify other }  skills { strip ability }", "sets = live", "E0392"),
        ("kin { modify symbol }  skills { strip ability }", "sets = live", ""),
        ("all { modify number, disable ability }", "sets = live", ""),
    ];
    for (layers, policy, code) in rows {
        let said = warned(&format!("layers {{ {layers} }}\npolicy effects {{ {policy} }}"));
        let found: Vec<&str> = ["E0391", "E0392"].into_iter().filter(|code| said.contains(code)).collect();
        assert_eq!(found.join(" "), code, "{layers} {policy}\n{said}");
    }
    assert!(!warned("policy effects { circles = all_count }").contains("E0391"));
}

/// An ability hears of an action on its own card only if the card is the same object after the action.
#[test]
fn abilities_that_never_hear_of_their_own_end() {
    let actions = "action tire(c: card) { c.tired = true }\naction wreck(c: card) { tire(c)  discard(c) }\n\
                   action hit(c: card) { if c.win > 1 { discard(c) } }\nmoves { from hand to heap keeps identity }\n";
    let rows = [
        ("when discard(what: this) { }", true),
        ("when wreck(c: this) { }", true),
        ("when wreck(c: this) or discard(what: this) { }", true),
        ("when wreck(c: this) or draw(you) { }", false),
        ("when tire(c: this) { }", false),
        ("when hit(c: this) { }", false),
        ("when wreck(c: any d) where d != this { }", false),
        ("when(zones: [hand]) discard(what: this) { }", true),
        ("when(zones: [hand, heap]) discard(what: this) { }", false),
        ("when(looks: before) move(what: this, to: heap) { }", false),
    ];
    for (script, found) in rows {
        let said = warned_of(actions, &format!("card \"A-1\" unit \"札\" {{ sign アカ  win 1  script {{ {script} }} }}"));
        assert_eq!(said.contains("E0393"), found, "{script}\n{said}");
    }
    // The card stays the same card on its way from the hand, and the ability works in the heap.
    let card = "card \"A-1\" unit \"札\" { sign アカ  win 1  script { when(zones: [field, heap]) wreck(c: this) { } } }";
    assert!(!warned_of(actions, card).contains("E0393"));
}

/// A kind is performed if a condition names it, or if the game somewhere takes abilities of any kind.
#[test]
fn kinds_of_abilities_that_nothing_performs() {
    let rows = [
        ("for a in abilities(c) where it is automatic { perform a }", true),
        ("for a in abilities(c) where it is automatic and it.source.win > 1 { perform a }", true),
        ("if count(abilities(c)) > 1 { for a in abilities(c) where it is automatic { perform a } }", true),
        ("for a in abilities(c) where it is on_show { perform a }", false),
        ("for a in abilities(c) where it is automatic or it is on_show { perform a }", false),
        ("for a in abilities(c) where not (it is automatic) { perform a }", false),
        ("for a in abilities(c) { perform a }", false),
        ("draw(c.owner, 1)", false),
    ];
    for (body, found) in rows {
        let rules = format!("setup {{ for c in field {{ {body} }} }}");
        let said = warned_of(&rules, "card \"A-1\" unit \"札\" { sign アカ  win 1  script { on_show { draw(you, 1) } } }");
        assert_eq!(said.contains("E0394"), found, "{body}\n{said}");
    }
}

/// The name of a wording's category is no group.
#[test]
fn a_category_is_no_group() {
    let option = "option odd() \"変\" by p in quick { }\n";
    let wording = "wording small {\n  category quick: value\n  quick 「赤」 -> red\n}\n";
    assert!(warned(&format!("{option}{wording}")).contains("E0294"));
    assert!(!warned(&format!("{option}{wording}setup {{ for p in players {{ offer p from quick or pass }} }}")).contains("E0294"));
}

/// For shared cards, the move or the zones must say whose they are, if anything asks for it.
#[test]
fn cards_that_all_share() {
    let zones = "zone deck { shared  ordered  hidden  starts with deck }\nzone hand { each player  public }\nzone mine { each player  public  owns cards }\n\
                 zone market { shared  public }\nzone own { shared  public  owns cards }\ncard unit \"札\" { win : number }\n";
    let statements = [
        "move(top of deck, hand(p))",
        "move(top 2 of deck, hand(p))",
        "move(1 from market where it.win > 1, hand(p))",
        "let c = bottom of market  move(c, hand(p))",
        "for c in market { move(c, hand(p)) }",
        "move(top of deck, hand(p), controller: p)",
        "move(top of deck, mine(p))",
        "move(own, hand(p))",
        "move(top of deck, market)",
        "move(hand(next(p)), hand(p))",
    ];
    let all = statements.map(|body| {
        let rules = format!("gyoji 1\ngame tiny {{ }}\n{zones}function whose(c: card) -> player = c.owner\nsetup {{ let p = you  {body}  if some hand(p) as c where whose(c) == p {{ shuffle(deck) }} }}\n");
        let mut sources = Sources::default();
        let (compiler, mut found) = compiled(&mut sources, &rules, "");
        found.extend(compiler.warnings(&sources, &[]));
        found.retain(|finding| finding.code != "E0267" && finding.code != "E0268");
        format!("{body}\n{}", shown(&sources, &found))
    });
    insta::assert_snapshot!(all.concat());
}

#[test]
fn what_is_declared_and_nothing_needs() {
    let all = [
        "action burn(p: player) { draw(p, 1) }",
        "procedure again(p: player) { again(p) }",
        "procedure once(p: player) { draw(p, 1) }\nsetup { once(you) }",
        "action burn(p: player) { draw(p, 1) }\nsetup { lasting this_turn { when burn(you) { draw(you, 1) } } }",
        "choice odd \"変\"",
        "moment odd \"変\"",
        "duration odd \"変\"",
        "timing odd(p: player) \"変\"",
        "cause odd \"変\"",
        "state odd : bool on card",
        "-- odd\nstate odd : number on player",
        "state odd : number on player\nsetup { for p in players { p.odd = 1 } }",
        "function twice(n: number) -> number = n * 2",
        "function twice(n: number) -> number = n * 2\nprocedure once(n: number) { draw(you, twice(n)) }",
        "param odd = 3",
        "enum odd \"変\" { one \"一\" }",
        "keyword odd \"【変】\" { }",
        "option odd() \"変\" by p in quick { }\noption even() \"偶\" by p in quikc { }\nsetup { for p in players { offer p from quick or pass } }",
        "zone pile { shared }",
        "zone pile { shared  face up or down  face down public }",
        "zone pile { shared  face up or down  face down public  hidden }",
        "layers { sums { modify number } }",
        "layers { sums { modify number }  rest { modify other } }\nsetup { lasting this_turn { modify field { win + 1 } } }",
    ];
    insta::assert_snapshot!(all.map(|more| format!("{more}\n{}", warned(more))).concat());
}

/// A warning only if all places that perform the kind leave `you` undefined, and the text needs it.
#[test]
fn a_text_of_nobody_that_needs_a_player_is_found() {
    let warned = |flow: &str, script: &str| {
        let rules = format!(
            "{BASE}zone sky {{ shared  public  owns cards }}\nability in_sky {{ zones: set of zone = [sky] }}\nprocedure turn_sky(p: player) {{ {flow} }}\n"
        );
        let cards = format!("gyoji 1\n\ncards tiny\n\ncard \"1\" unit \"嵐\" {{ script {{ in_sky {{ {script} }} }} }}\n");
        let mut sources = Sources::default();
        let (compiler, found) = compiled(&mut sources, &rules, "");
        assert_eq!(found, []);
        let (cards, found) = parse_cards(sources.add("a.cards", &cards), &cards);
        assert_eq!(found, []);
        let cards = cards.items.iter().map(|card| (card, card.script.as_deref().unwrap_or_default()));
        compiler.nobodys_texts(cards).iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    let sky = "for c in sky { for a in abilities(c) where it is in_sky { perform a } }";
    assert_eq!(warned(sky, "draw(you, 1)"), ["E0293"]);
    assert_eq!(warned(sky, "choose x: 1 from hand(you)"), ["E0293"]);
    assert_eq!(warned(sky, "for p in players { choose x: 1 from players }"), ["E0293"]);
    assert_eq!(warned(sky, "for p in players { acting as p { draw(you, 1) } }"), [""; 0]);
    assert_eq!(warned(sky, "for p in players { draw(p, 1) }"), [""; 0]);
    assert_eq!(warned(&format!("acting as p {{ {sky} }}"), "draw(you, 1)"), [""; 0]);
    let also = "for c in hand(p) { for a in abilities(c) where it is in_sky { perform a } }";
    assert_eq!(warned(&format!("{sky} {also}"), "draw(you, 1)"), [""; 0]);
}

/// A rule with `forbids` never runs, so nothing needs to apply it.
#[test]
fn a_rule_that_forbids_needs_no_apply_rules() {
    assert!(!warned("rule held forbids draw(any p) where false").contains("E0389"));
    assert!(warned("rule full(p: player) when count(hand(p)) > 9 { draw(p, 1) }").contains("E0389"));
}

/// In a phase nobody acts. `acting as` lets somebody act, and outside of a loop the first seat may be meant.
#[test]
fn you_in_a_loop_over_players() {
    for (setup, warns) in [
        ("for p in players { draw(you, 1) }", true),
        ("simultaneously for p in players { draw(you, 1) }", true),
        ("for p in players { if hand(you) is empty { draw(p, 1) } }", true),
        ("for p in players { acting as p { draw(you, 1) } }", false),
        ("for p in players { draw(p, 1) }", false),
        ("for p in players { if p == you { draw(p, 1) } }", false),
        ("draw(you, 1)", false),
    ] {
        let said = warned(&format!("setup {{ {setup} }}"));
        assert_eq!(said.contains("E0397"), warns, "{setup}\n{said}");
    }
}

/// `apply rules` runs the listed rules only. Rules that run at once, or never run, are not listed.
#[test]
fn rules_that_the_list_leaves_out() {
    let rules = "rule full(p: player) when count(hand(p)) > 9 { draw(p, 1) }\nrule bare(p: player) when hand(p) is empty { draw(p, 1) }\n\
                 rule quick(p: player) immediately when deck(p) becomes empty { draw(p, 1) }\nrule held forbids draw(any p) where false\n\
                 rule heard when draw(any p) { draw(p, 1) }\nsetup { apply rules }\n";
    let rows = [
        ("", vec![]),
        ("rules processing { in order [full, bare, heard] }", vec![]),
        ("rules processing { together [full]  until none applies }", vec!["E0395 [bare]", "E0395 [heard]"]),
        ("rules processing { in order [bare]  together [heard] }", vec!["E0395 [full]"]),
    ];
    for (list, codes) in rows {
        let said = warned(&format!("{rules}{list}"));
        assert_eq!(said.matches("E0395").count(), codes.len(), "{list}\n{said}");
        assert!(codes.iter().all(|code| said.contains(code)), "{list}\n{said}");
    }
}

/// A phase with the label of a moment does not use the moment. A printed text does.
#[test]
fn a_moment_with_the_label_of_a_phase() {
    let rules = "moment dusk \"夕暮れ\"\nturn { phase night \"夕暮れ\" { draw(you, 1) } }\n";
    assert!(warned(rules).contains("E0268 [dusk]"));
    assert!(!warned(&format!("{rules}setup {{ put by {{ draw(you, 1) }} until dusk }}")).contains("E0268 [dusk]"));
    let card = "card \"A-1\" unit \"札\" { sign アカ  win 1  text 「夕暮れに1枚引く。」 }";
    assert!(!warned_of(rules, card).contains("E0268 [dusk]"));
}
