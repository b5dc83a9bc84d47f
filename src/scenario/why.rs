//! Answers the three questions about a position: where a value comes from, whether something can be done, what led to an event.
//!
//! Input: the question's tree, names of cards, a game and its history. Output: facts (docs/why.md). For a seat, only things that the seat
//! may know are looked at; cards that it does not see do not exist then. `report/why.rs` has the words.

use super::lookup::fold;
use super::terms;
use crate::position::setup::{Aliases, card_named};
use crate::running::answers::{self, NotThere, Reader};
use compile::{Compiler, Scope, Ty};
use engine::eval::Eval;
use engine::eval::watch::Happening;
use engine::ids::{CitesId, OptionId, PatternId, VerbId};
use engine::machine::{Asked, Given, Machine, Refusal};
use engine::program::{Builtin, OptionParam};
use engine::state::{Cause, MOST_ARGUMENTS, Status};
use engine::steps::{Silent, Step};
use engine::value::{ObjectId, Player, Value};
use engine::why::{Answer, Doable, Fact, History, as_seen, explain};
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Arg, Expr, ExprKind, Name, Pattern, PlayAnswer, WhyQuestion};
use tell::player_of;

/// If a name means at most this many cards, the answer shows where each of them is.
const MOST_CARDS: usize = 4;

/// The words for the faces and places of moves.
const FACES: [&str; 3] = ["up", "bottom", "down"];

/// The asker, and the game that is asked.
pub struct Asker<'a> {
    /// The compiler of the game; the question is compiled into it.
    pub compiler: &'a mut Compiler,
    /// Where the game stands.
    pub machine: &'a Machine,
    /// What happened.
    pub history: &'a History,
    /// The names for cards.
    pub aliases: &'a Aliases,
    /// The asking seat. None: somebody who may know everything.
    pub seat: Option<Player>,
}

impl Asker<'_> {
    /// The facts that answer a question.
    ///
    /// # Errors
    /// The compiler's findings about it; `E0501` for an unknown seat.
    pub fn ask(&mut self, question: &WhyQuestion) -> Result<Answer, Diagnostic> {
        let seen = self.seat.map(|seat| as_seen(self.machine, seat));
        let machine = seen.as_ref().unwrap_or(self.machine);
        match question {
            WhyQuestion::Value(expr) => self.value(machine, expr),
            WhyQuestion::Happened(pattern, number) => self.happened(machine, pattern, *number),
            WhyQuestion::Can(_, seat, answer) => self.can(machine, (seat.as_ref(), answer)),
        }
    }

    fn scope(&self, machine: &Machine) -> Scope {
        let board = &machine.state().board;
        terms::scope(self.compiler, self.aliases.iter().map(|(name, named)| (name.as_str(), named.now(board))))
    }

    fn value(&mut self, machine: &Machine, expr: &Expr) -> Result<Answer, Diagnostic> {
        let scope = self.scope(machine);
        let (node, ty) = self.compiler.expression(expr, &scope).map_err(|found| terms::first(found, expr.span, "value"))?;
        let mut eval = Eval::new(self.compiler.program(), machine.state(), &[], &[], self.seat.unwrap_or_default(), Value::Undefined);
        eval.watcher = self.seat;
        if ty.set || ty == Ty::ZONE {
            eval.each(node, &mut |_, _| false);
        } else {
            eval.value(node);
        }
        // A seat does not hear that a number is too large which it may not know.
        if eval.overflow && !eval.peeked {
            return Err(terms::too_large(expr.span));
        }
        Ok(explain(self.compiler.program(), machine.state(), (node, ty.set || ty == Ty::ZONE), self.seat))
    }

    /// A matching event, with its causes: the one with this number, counted from the beginning, or the last one.
    fn happened(&mut self, machine: &Machine, pattern: &Pattern, number: Option<u32>) -> Result<Answer, Diagnostic> {
        let mut patterns: Vec<PatternId> = Vec::new();
        for scope in scopes_in_all_lives(self.compiler, machine, self.aliases) {
            patterns.push(self.compiler.pattern(pattern, &scope).map_err(|found| terms::first(found, pattern.span, "pattern"))?);
        }
        let program = self.compiler.program();
        let mut eval = Eval::new(program, machine.state(), &[], &[], Player(0), Value::Undefined);
        let lists = self.history.lists();
        let mut matches = |verb: VerbId, args: &[Value; MOST_ARGUMENTS], cause: Cause| {
            patterns.iter().any(|pattern| eval.matches(*pattern, Happening { verb, args, lists, cause }))
        };
        let performed = self.history.events().filter(|(_, step)| match step {
            Step::Performed(verb, args, cause) => matches(*verb, args, *cause),
            _ => false,
        });
        let mut found: Vec<usize> = performed.map(|(at, _)| at).collect();
        if found.is_empty() {
            // An action that the end of the game interrupted counts as an event too.
            found.extend(self.history.cut_off().find(|(_, (verb, args, cause))| matches(*verb, args, *cause)).map(|(at, _)| at));
        }
        let all = found.len();
        let wanted = number.map_or(all, |number| number as usize);
        let Some(at) = wanted.checked_sub(1).and_then(|wanted| found.get(wanted)) else {
            let mut answer = one(Fact::Never(all as u32));
            // The event may be missing because an ability could do nothing to the card.
            let verbs: Vec<VerbId> = patterns
                .iter()
                .filter_map(|pattern| program.patterns.get(*pattern))
                .flat_map(|pattern| pattern.events.iter().map(|event| event.verb))
                .collect();
            for (what, why, cites) in self.history.unfit(program).filter(|_| all == 0) {
                let is_seen = |seat| matches!(what, Value::Object { id, .. } if machine.state().board.sees(program, seat, id));
                let mut with = |verb: &VerbId| {
                    (0..MOST_ARGUMENTS).any(|at| {
                        let mut args = [Value::Undefined; MOST_ARGUMENTS];
                        if let Some(slot) = args.get_mut(at) {
                            *slot = what;
                        }
                        matches(*verb, &args, Cause::Rule)
                    })
                };
                if self.seat.is_none_or(is_seen) && verbs.iter().any(&mut with) {
                    answer.say(0, Fact::Unfit(what, why), cites);
                }
            }
            return Ok(answer);
        };
        let mut answer = self.history.chain(program, *at, self.seat);
        if all > 1 {
            answer.say(0, Fact::OneOf(wanted as u32, all as u32), []);
        }
        Ok(answer)
    }

    fn can(&mut self, machine: &Machine, (seat, answer): (Option<&Name>, &PlayAnswer)) -> Result<Answer, Diagnostic> {
        let player = match seat {
            Some(seat) => Some(self.player(seat)?),
            None => self.seat,
        };
        match answer {
            PlayAnswer::Concede => Ok(self.concede(machine, player)),
            PlayAnswer::Option(name, args) => match self.compiler.symbols().verbs.id::<VerbId>(&name.text) {
                Some(verb) => self.verb(machine, verb, args, player),
                None if args.is_empty() => Ok(self.choice(machine, player, &name.text, &[])),
                None => {
                    let words: Vec<String> = self.compiler.symbols().verbs.words().map(str::to_owned).collect();
                    let finding = Diagnostic::error("E0201", name.span).with("what", "action").with("name", &name.text);
                    // A function gives a value.
                    if self.compiler.symbols().functions.find(&name.text).is_some() {
                        let args: Vec<String> = args.iter().map(|arg| answers::quoted(&arg.value)).collect();
                        return Err(finding.with("written", format!("value {}({})", name.text, args.join(", "))));
                    }
                    Err(finding.suggest(&name.text, words.iter().map(String::as_str)))
                }
            },
            PlayAnswer::Choice(name, picks) => match answers::option_called(machine.program(), &name.text) {
                // `call "猫"` is how an answer to a decision is written. Of an option it asks for `call("猫")`.
                Some(verb) if !picks.is_empty() => {
                    let args: Vec<Arg> = picks.iter().map(|pick| Arg { name: None, value: pick.clone() }).collect();
                    self.verb(machine, verb, &args, player)
                }
                _ => Ok(self.choice(machine, player, &name.text, picks)),
            },
        }
    }

    fn player(&self, seat: &Name) -> Result<Player, Diagnostic> {
        let program = self.compiler.program();
        player_of(program, &seat.text).ok_or_else(|| {
            let seats: Vec<String> = (0..program.players).map(|player| tell::seat(Player(player))).collect();
            Diagnostic::error("E0501", seat.span).with("seat", &seat.text).with("seats", seats.join("`, `"))
        })
    }

    fn concede(&self, machine: &Machine, player: Option<Player>) -> Answer {
        let cites = machine.program().concede;
        let mut answer = Answer::default();
        match machine.clone().concede(player.unwrap_or_default(), &mut Silent) {
            Ok(()) => answer.say(0, Fact::Possible, cites),
            Err(_) => {
                answer.say(0, Fact::Impossible, cites);
                over(machine, &mut answer);
            }
        }
        answer
    }

    /// Answers for an action. If an argument is a set of abilities, the question is asked for each of them.
    fn verb(&mut self, machine: &Machine, verb: VerbId, args: &[Arg], player: Option<Player>) -> Result<Answer, Diagnostic> {
        let parameters = machine.program().verbs.get(verb).map(|def| def.parameters.clone()).unwrap_or_default();
        let mut what =
            Doable { verb, args: [Value::Undefined; MOST_ARGUMENTS], lists: Vec::new(), given: 0, you: player.unwrap_or_default() };
        let mut each: Vec<(usize, Vec<Value>)> = Vec::new();
        let mut called: Vec<(usize, Vec<Value>)> = Vec::new();
        let option = machine.program().verbs.get(verb).and_then(|verb| verb.option);
        for (index, arg) in args.iter().enumerate() {
            let named = arg.name.as_ref().map(|name| parameters.iter().position(|parameter| *parameter == name.text));
            let Some(at) = named.unwrap_or(Some(index)).filter(|at| *at < parameters.len().min(MOST_ARGUMENTS)) else {
                return Err(wrong_argument(arg, &parameters));
            };
            let among = option.and_then(|option| self.of_option(machine, option, at, &what, &arg.value));
            let (value, members) = match among.or_else(|| self.called(machine, verb, (at, &arg.value), &mut called)) {
                Some(Value::Undefined) => return Ok(none_called(&arg.value)),
                Some(value) => (value, Vec::new()),
                None => self.argument(machine, &arg.value, &mut what.lists)?,
            };
            if let Some(slot) = what.args.get_mut(at) {
                *slot = value;
            }
            what.given |= 1 << at;
            each.extend((!members.is_empty()).then_some((at, members)));
        }
        if let Some(Value::Player(actor)) =
            machine.program().verbs.get(verb).and_then(|def| def.actor).and_then(|at| what.args.get(usize::from(at)))
        {
            what.you = *actor;
        }
        // A name means the card of that name with which the action is possible, if there is one.
        for (at, cards) in &called {
            let with = |card: &Value| {
                let mut args = what.args;
                if let Some(slot) = args.get_mut(*at) {
                    *slot = *card;
                }
                args
            };
            if let Some(card) = cards.iter().find(|card| machine.why_can(&Doable { args: with(card), ..what.clone() }).is_possible()) {
                what.args = with(card);
            }
        }
        let Some((at, members)) = each.first() else { return Ok(machine.why_can(&what)) };
        let mut answer = Answer::default();
        for member in members {
            if let Some(slot) = what.args.get_mut(*at) {
                *slot = *member;
            }
            if let Value::Ability { of, .. } = member {
                what.you = machine.state().board.object(*of).map_or(what.you, |object| object.owner);
            }
            answer.lines.extend(machine.why_can(&what).lines);
        }
        Ok(answer)
    }

    /// The value for a parameter of an option: the member of the parameter's domain with the written name, or else any card of that name.
    fn of_option(&self, machine: &Machine, option: OptionId, at: usize, what: &Doable, written: &Expr) -> Option<Value> {
        let OptionParam::In(domain) = *machine.program().options.get(option)?.params.get(at)? else { return None };
        let reader =
            Reader { program: machine.program(), state: machine.state(), aliases: self.aliases, lists: &[], offered: &[], gone: None };
        let eval = Eval::new(machine.program(), machine.state(), &[], &[], what.you, Value::Undefined);
        let mut found = None;
        eval.asked_by(what.you, &self.with_player(machine, option, what)).each(domain, &mut |_, member| {
            found = reader.means(written, member).then_some(member);
            found.is_some()
        });
        found.or_else(|| self.cards_meant(machine, Some(written)).first().map(|id| machine.state().board.reference(*id)))
    }

    /// A card by its name, for an action on cards: the first of that name, the asker's own first. All of them are kept in `called`.
    /// Undefined if there is none. Nothing if the argument is no name, or if the action takes cards of the pool.
    fn called(
        &self,
        machine: &Machine,
        verb: VerbId,
        (at, written): (usize, &Expr),
        called: &mut Vec<(usize, Vec<Value>)>,
    ) -> Option<Value> {
        let of_pool = [Builtin::Make, Builtin::Become].iter().any(|builtin| builtin.verb() == verb);
        if of_pool || !matches!(written.kind, ExprKind::Text(_)) {
            return None;
        }
        let board = &machine.state().board;
        let mut cards = self.cards_meant(machine, Some(written));
        cards.sort_by_key(|id| self.seat.is_some_and(|seat| board.object(*id).is_some_and(|object| object.owner != seat)));
        let cards: Vec<Value> = cards.into_iter().map(|id| board.reference(id)).collect();
        let first = cards.first().copied().unwrap_or_default();
        called.push((at, cards));
        Some(first)
    }

    fn with_player(&self, machine: &Machine, option: OptionId, what: &Doable) -> [Value; MOST_ARGUMENTS] {
        let mut row = what.args;
        let count = machine.program().options.get(option).map_or(0, |option| option.params.len());
        if let Some(slot) = row.get_mut(count).filter(|slot| **slot == Value::Undefined) {
            *slot = what.you.value();
        }
        row
    }

    /// The value of an argument, and the members if it is a set of abilities.
    fn argument(&mut self, machine: &Machine, expr: &Expr, lists: &mut Vec<Value>) -> Result<(Value, Vec<Value>), Diagnostic> {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(value) = ["up", "bottom"].contains(&name.text.as_str()).then_some(true).or((name.text == "down").then_some(false))
        {
            return Ok((Value::Bool(value), Vec::new()));
        }
        let scope = self.scope(machine);
        let (node, ty) = self.compiler.expression(expr, &scope).map_err(|found| terms::first(found, expr.span, "argument"))?;
        let mut eval = Eval::new(self.compiler.program(), machine.state(), &[], &[], Player(0), Value::Undefined);
        if !ty.set {
            let value = eval.value(node);
            return if eval.overflow && self.seat.is_none() { Err(terms::too_large(expr.span)) } else { Ok((value, Vec::new())) };
        }
        let mut members = Vec::new();
        eval.each(node, &mut |_, member| {
            members.push(member);
            false
        });
        if members.iter().any(|member| matches!(member, Value::Ability { .. })) {
            return Ok((Value::Undefined, members));
        }
        let start = lists.len() as u32;
        lists.extend_from_slice(&members);
        Ok((Value::List { start, len: members.len() as u16 }, Vec::new()))
    }

    /// Answers for a decision that may be open.
    fn choice(&self, machine: &Machine, player: Option<Player>, name: &str, picks: &[Expr]) -> Answer {
        let program = machine.program();
        let open = || machine.questions().filter(|asked| !asked.answered);
        let called = |asked: &Asked<'_>| player.is_none_or(|player| asked.player == player) && answers::is_called(program, asked, name);
        let mut answer = Answer::default();
        let Some(asked) = open().find(called) else {
            let declared = program.choices.rows().iter().find(|choice| answers::says(&choice.name, name));
            answer.say(0, Fact::Impossible, []);
            if !over(machine, &mut answer) {
                let given = |asked: &Asked<'_>| asked.answered && player.is_none_or(|player| asked.player == player);
                match machine.questions().find(|asked| given(asked) && answers::is_called(program, asked, name)) {
                    Some(asked) => answer.say(1, Fact::Given(asked.player, asked.choice), cites_of(machine, &asked)),
                    None => answer.say(1, Fact::NotAsked, declared.map(|choice| choice.declared_cites)),
                }
                for asked in open() {
                    self.chosen(machine, &asked, &mut answer);
                }
            }
            return answer;
        };
        let reader = Reader { program, state: machine.state(), aliases: self.aliases, lists: asked.lists, offered: &[], gone: None };
        match reader.answer(&asked, name, picks) {
            Ok(given) => match machine.check_given(asked.id, &given) {
                Ok(()) => answer.say(0, Fact::Possible, cites_of(machine, &asked)),
                Err(Refusal::Demanded { .. }) => {
                    answer.say(0, Fact::Impossible, []);
                    answer.lines.extend(machine.why_demanded(&asked).lines);
                }
                Err(Refusal::LeavesOut { member, wanted, given, .. }) => {
                    answer.say(0, Fact::Impossible, []);
                    answer.say(1, Fact::LeavesOut(member, wanted, given), cites_of(machine, &asked));
                }
                // Neither possible nor impossible.
                Err(Refusal::NotDecided) => answer.say(0, Fact::NotDecided, cites_of(machine, &asked)),
                Err(Refusal::NotTogether) => {
                    answer.say(0, Fact::Impossible, []);
                    answer.say(1, Fact::NotTogether, cites_of(machine, &asked));
                    answer.lines.extend(machine.why_demanded(&asked).lines);
                }
                Err(refusal) => {
                    answer.say(0, Fact::Impossible, []);
                    if let Given::Number(number) = given {
                        answer.lines.extend(machine.why_not_number(&asked, number).lines);
                        self.chosen(machine, &asked, &mut answer);
                        return answer;
                    }
                    let given = match (refusal, given) {
                        (Refusal::TooFew { given, .. } | Refusal::TooMany { given, .. }, _) => given,
                        (_, Given::Picks(picks)) => picks.len() as u16,
                        _ => 1,
                    };
                    answer.say(1, Fact::Amount(asked.min, asked.max, given), cites_of(machine, &asked));
                    answer.lines.extend(machine.why_demanded(&asked).lines);
                }
            },
            Err(NotThere(at)) => {
                answer.say(0, Fact::Impossible, []);
                self.not_there(machine, &asked, picks.get(at), &mut answer);
                self.chosen(machine, &asked, &mut answer);
            }
        }
        answer
    }

    /// The facts of an answer that an open decision accepts.
    fn chosen(&self, machine: &Machine, asked: &Asked<'_>, answer: &mut Answer) {
        let own = self.seat.is_none_or(|seat| seat == asked.player);
        let domain = if own && !asked.blind { asked.domain.to_vec() } else { Vec::new() };
        answer.say(1, Fact::Chosen(asked.player, asked.choice, domain), cites_of(machine, asked));
    }

    /// The reasons why a written value cannot be chosen.
    fn not_there(&self, machine: &Machine, asked: &Asked<'_>, pick: Option<&Expr>, answer: &mut Answer) {
        let board = &machine.state().board;
        let mut cards = self.cards_meant(machine, pick);
        cards.retain(|id| !asked.domain.contains(&board.reference(*id)));
        if cards.iter().any(|id| board.object(*id).is_some_and(|object| object.owner == asked.player)) {
            cards.retain(|id| board.object(*id).is_some_and(|object| object.owner == asked.player));
        }
        let mut places = Vec::new();
        for id in cards {
            let Some(object) = board.object(id) else { continue };
            if places.contains(&object.place) || places.len() >= MOST_CARDS {
                continue;
            }
            places.push(object.place);
            let card = board.reference(id);
            answer.lines.extend(machine.why_not_among(asked, card).lines);
            answer.say(2, Fact::Lies(card, object.place, object.face_up), []);
        }
        if places.is_empty()
            && let Some(value) = pick.and_then(|pick| other_than_a_card(machine, asked, self.aliases, pick))
        {
            answer.lines.extend(machine.why_not_among(asked, value).lines);
        } else if places.is_empty() {
            let called = pick.map(std::slice::from_ref).map(answers::written).unwrap_or_default();
            answer.say(1, Fact::NoneCalled(called), []);
        }
    }

    /// The cards that a written name can mean.
    fn cards_meant(&self, machine: &Machine, pick: Option<&Expr>) -> Vec<ObjectId> {
        let program = machine.program();
        let called = |id: &ObjectId, text: &str| {
            let card = machine.state().board.object(*id).and_then(|object| program.cards.get(object.card));
            card.is_some_and(|card| {
                fold(&card.number) == fold(text) || program.texts.get(card.name).is_some_and(|name| fold(name) == fold(text))
            })
        };
        let all = (0..machine.state().board.objects.len()).map(|id| ObjectId(id as u16));
        match pick.map(|pick| &pick.kind) {
            Some(ExprKind::Text(text)) => all.filter(|id| called(id, text)).collect(),
            Some(ExprKind::Name(name)) => card_named(self.aliases, &name.text).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// The player, the value of an enum, or the number that a written answer means. Values of the sort that the decision offers come first.
fn other_than_a_card(machine: &Machine, asked: &Asked<'_>, aliases: &Aliases, pick: &Expr) -> Option<Value> {
    let program = machine.program();
    if let ExprKind::Number(number) = pick.kind {
        return Some(Value::Number(number));
    }
    let reader = Reader { program, state: machine.state(), aliases, lists: asked.lists, offered: &[], gone: None };
    let players = (0..program.players).map(|player| Value::Player(Player(player)));
    let values = program.enums.iter().flat_map(|(of, def)| (0..def.values.len()).map(move |value| Value::Enum(of, value as u8)));
    let mut meant: Vec<Value> = players.chain(values).filter(|value| reader.means(pick, *value)).collect();
    let offered = |value: &Value| asked.domain.iter().any(|member| std::mem::discriminant(member) == std::mem::discriminant(value));
    let same_enum = |value: &Value| match (value, asked.domain.first()) {
        (Value::Enum(of, _), Some(Value::Enum(first, _))) => of == first,
        _ => offered(value),
    };
    meant.sort_by_key(|value| !same_enum(value));
    meant.first().copied()
}

/// The rules of a decision.
fn cites_of(machine: &Machine, asked: &Asked<'_>) -> Vec<CitesId> {
    let choice = machine.program().choices.get(asked.choice);
    choice.into_iter().flat_map(|choice| [choice.name.cites, choice.declared_cites]).collect()
}

fn over(machine: &Machine, answer: &mut Answer) -> bool {
    let Status::Over(outcome) = machine.status() else { return false };
    answer.say(1, Fact::Over(outcome), []);
    true
}

fn one(fact: Fact) -> Answer {
    let mut answer = Answer::default();
    answer.say(0, fact, []);
    answer
}

/// The answer that no card known to the reader has this name.
fn none_called(written: &Expr) -> Answer {
    let mut answer = one(Fact::Impossible);
    answer.say(1, Fact::NoneCalled(answers::written(std::slice::from_ref(written))), []);
    answer
}

/// The first finding about the arguments of a question about an action. The arguments of an option are looked up like those in answers.
pub(super) fn unfit_argument(compiler: &mut Compiler, answer: &PlayAnswer, scope: &Scope) -> Option<Diagnostic> {
    let PlayAnswer::Option(name, args) = answer else { return None };
    let verb = compiler.symbols().verbs.id::<VerbId>(&name.text)?;
    let def = compiler.program().verbs.get(verb).filter(|def| def.option.is_none())?;
    let parameters = def.parameters.clone();
    args.iter().enumerate().find_map(|(index, arg)| {
        let named = arg.name.as_ref().map(|name| parameters.iter().position(|parameter| *parameter == name.text));
        if named.unwrap_or(Some(index)).is_none_or(|at| at >= parameters.len().min(MOST_ARGUMENTS)) {
            return Some(wrong_argument(arg, &parameters));
        }
        match &arg.value.kind {
            // The name of a card.
            ExprKind::Text(_) => None,
            ExprKind::Name(word) if FACES.contains(&word.text.as_str()) => None,
            _ => compiler.expression(&arg.value, scope).err().map(|found| terms::first(found, arg.value.span, "argument")),
        }
    })
}

fn wrong_argument(arg: &Arg, parameters: &[String]) -> Diagnostic {
    let span = arg.name.as_ref().map_or(arg.value.span, |name| name.span);
    let name = arg.name.as_ref().map_or("", |name| name.text.as_str());
    Diagnostic::error("E0580", span).with("name", name).with("known", parameters.join("`, `"))
}

/// The names for cards, in every combination of the lives that the cards have had.
pub(super) fn scopes_in_all_lives(compiler: &Compiler, machine: &Machine, aliases: &Aliases) -> Vec<Scope> {
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for (_, named) in aliases {
        let last = named.card().and_then(|id| machine.state().board.object(id)).map_or(0, |object| object.life);
        let in_life = |life| named.card().map_or_else(|| named.first(), |id| Value::Object { id, life });
        let longer = |row: &Vec<Value>, life: u32| row.iter().copied().chain([in_life(life)]).collect();
        rows = rows.iter().flat_map(|row| (0..=last).map(|life| longer(row, life))).collect();
    }
    let names = || aliases.iter().map(|(name, _)| name.as_str());
    rows.into_iter().map(|row| terms::scope(compiler, names().zip(row))).collect()
}
