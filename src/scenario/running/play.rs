//! `play`: gives answers in order, by seat and by the decision's name.
//!
//! An answer goes to an open decision of that seat and name. If no open decision accepts it, it may answer a decision with a single
//! possible answer: such a decision was not asked, but may be written. Any other answer fails the scenario.

use crate::running::answers::{self, NotThere, Reader};
use crate::running::run::Run;
use crate::running::stops::{Found, only_stops};
use engine::ids::ChoiceId;
use engine::machine::{Asked, Given, QuestionId, Refusal};
use engine::program::{ChoiceDef, MannerDef};
use engine::state::Status;
use engine::steps::Step;
use engine::value::{Player, Value};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Arg, Expr, ExprKind, Play, PlayAnswer, Plays, Until};
use tell::{refused, seat};

/// The most passes of passing seats before one answer, and after the last one.
const MOST_PASSES: usize = 1000;

/// Why a decision did not accept an answer.
enum NotTaken {
    /// One of the written values is not possible.
    NotPossible(QuestionId, usize),
    /// The machine refused it.
    Refused(QuestionId, Refusal),
}

impl Run<'_> {
    /// Gives the answers in order. Passing seats pass in between. The run stops where it is told to.
    ///
    /// # Errors
    /// `E0501`, `E0520`–`E0525`; `E0527` if the turn or phase does not end, `E0528` and `E0529` if passing never ends.
    pub(crate) fn plays(&mut self, plays: &Plays) -> Result<(), Diagnostic> {
        if only_stops(plays) {
            return self.stops(plays);
        }
        self.lines(plays, plays.lines.len())?;
        let passing = self.passing(plays)?;
        if plays.lines.is_empty() {
            self.recorder.stand_still_at(self.stops.next(), false);
        }
        self.stops.played();
        let mut passed = 0;
        let stops = matches!(plays.until, Some((Until::Decision, _)));
        while self.ahead.is_none() && (!stops && self.leave_spare() || self.pass_one(&passing)) {
            passed += 1;
            if passed > MOST_PASSES {
                let place = plays.passing.first().map_or_else(Span::default, |seat| seat.span);
                return Err(Diagnostic::error("E0528", place).with("passes", MOST_PASSES));
            }
        }
        self.recorder.stand_still_at(&[], false);
        match plays.until {
            Some((Until::EndOfTurn | Until::EndOfPhase, place)) if self.ahead.is_none() && self.status() == Status::Asking => {
                Err(self.open_before(place))
            }
            _ => Ok(()),
        }
    }

    /// A `play` without answers: stops at the place that it names, if the run gets there before anybody is asked.
    fn stops(&mut self, plays: &Plays) -> Result<(), Diagnostic> {
        let found = self.stops.stopped();
        let there = match found {
            Found::Here => self.ahead.is_some(),
            Found::Next => self.stand_next(),
            Found::GoneOn => false,
        };
        if there {
            return Ok(());
        }
        self.go_on();
        match plays.until {
            Some((until, place)) if self.status() == Status::Asking && (until != Until::Decision || found == Found::GoneOn) => {
                let finding = self.open_before(place);
                Err(if found == Found::GoneOn { finding.with("gone", "play") } else { finding })
            }
            _ => Ok(()),
        }
    }

    /// `E0527`: a decision is open before the place where the run should stop. Only offers can be passed.
    fn open_before(&self, place: Span) -> Diagnostic {
        let finding = Diagnostic::error("E0527", place).with("until", self.sources.text(place)).with("asked", self.asked_in_words());
        let mut open = self.machine.questions().filter(|asked| !asked.answered).collect::<Vec<_>>();
        open.sort_by_key(|asked| !asked.offer);
        match open.first() {
            Some(asked) if asked.offer => finding.with("passer", seat(asked.player)),
            Some(asked) => finding.with("open", format!("{}: {} …", seat(asked.player), self.name_of(asked.id))),
            None => finding,
        }
    }

    /// Gives this many of the answers.
    ///
    /// # Errors
    /// `E0501`, `E0520`–`E0525`; `E0529` if passing never ends.
    pub(crate) fn lines(&mut self, plays: &Plays, count: usize) -> Result<(), Diagnostic> {
        self.go_on();
        let passing = self.passing(plays)?;
        for (at, play) in plays.lines.iter().take(count).enumerate() {
            if at + 1 == plays.lines.len() {
                self.recorder.stand_still_at(self.stops.next(), false);
            }
            self.play(play, &passing)?;
        }
        Ok(())
    }

    fn passing(&self, plays: &Plays) -> Result<Vec<Player>, Diagnostic> {
        plays.passing.iter().map(|seat| self.lookup().seat(seat)).collect()
    }

    /// Lets one of these seats pass an offer. Gives whether there was an offer that can be passed.
    fn pass_one(&mut self, passing: &[Player]) -> bool {
        let passes = |asked: &Asked<'_>| asked.offer && !asked.answered && passing.contains(&asked.player);
        let open: Vec<QuestionId> = self.machine.questions().filter(passes).map(|asked| asked.id).collect();
        let passed = open.into_iter().any(|id| self.machine.answer(id, &[]).is_ok());
        if passed {
            self.go_when_answered();
        }
        passed
    }

    /// Names no spare units at a payment that asks for them, only the unit that has to be named. Gives whether there was such a question.
    fn leave_spare(&mut self) -> bool {
        let is_spare = |asked: &Asked<'_>| {
            !asked.answered && self.program().choices.get(asked.choice).is_some_and(|def| def.asks_for_spare(asked.must))
        };
        let found = self.machine.questions().find(is_spare);
        let found = found.map(|asked| (asked.id, asked.player, asked.choice, usize::from(asked.min), asked.domain.to_vec()));
        let Some((id, player, choice, min, domain)) = found else { return false };
        // The unit that has to be named stands first.
        let positions: Vec<u16> = (0..min as u16).collect();
        let left = self.machine.answer(id, &positions).is_ok();
        if left {
            self.left.push((player, choice, domain.into_iter().take(min).collect()));
            self.go_when_answered();
        }
        left
    }

    fn go_when_answered(&mut self) {
        if self.status() == Status::Asking && self.machine.questions().all(|asked| asked.answered) {
            self.go();
        }
    }

    /// Gives one answer, and goes on once all decisions are made.
    fn play(&mut self, play: &Play, passing: &[Player]) -> Result<(), Diagnostic> {
        let player = self.lookup().seat(&play.seat)?;
        if let PlayAnswer::Concede = play.answer {
            let refused = |_| Diagnostic::error("E0524", play.span).with("seat", seat(player));
            self.machine.concede(player, &mut self.recorder).map_err(refused)?;
            self.go();
            return Ok(());
        }
        let (name, picks) = answers::choice_of(&play.answer);
        let picks = picks.as_ref();
        let mut passed = 0;
        while self.answer(player, name, picks).is_err() {
            if self.leave_spare() {
                continue;
            }
            if self.was_forced(player, name, picks) {
                break;
            }
            if !self.pass_one(passing) {
                return Err(self.why_not(play, player, name, picks));
            }
            passed += 1;
            if passed > MOST_PASSES {
                let finding = Diagnostic::error("E0529", play.span).with("passes", MOST_PASSES).with("seat", seat(player));
                return Err(finding.with("name", answers::called(&play.answer)).with("asked", self.asked_in_words()));
            }
        }
        self.go_when_answered();
        Ok(())
    }

    /// Gives the answer to the first open decision that accepts it.
    fn answer(&mut self, player: Player, name: &str, picks: &[Expr]) -> Result<(), Option<NotTaken>> {
        let open: Vec<QuestionId> = self.open(player, Some(name)).map(|asked| asked.id).collect();
        let mut why = None;
        for id in open {
            let Some(read) = self.machine.questions().find(|asked| asked.id == id).map(|asked| self.given(&asked, name, picks)) else {
                continue;
            };
            let taken = match read {
                Err(NotThere(at)) => Err(NotTaken::NotPossible(id, at)),
                Ok(given) => self.machine.give(id, &given).map_err(|refusal| NotTaken::Refused(id, refusal)),
            };
            match taken {
                Ok(()) => {
                    self.left.clear();
                    return Ok(());
                }
                Err(not) => why = why.or(Some(not)),
            }
        }
        Err(why)
    }

    /// The meaning of an answer to an open decision.
    ///
    /// # Errors
    /// The first written value that is not in its domain.
    pub(crate) fn given(&self, asked: &Asked<'_>, name: &str, picks: &[Expr]) -> Result<Given, NotThere> {
        self.reader().answer(asked, name, picks)
    }

    fn reader(&self) -> Reader<'_> {
        let (program, state, gone) = (self.machine.program(), self.machine.state(), Some(self.recorder.gone()));
        Reader { program, state, aliases: &self.aliases, lists: &[], offered: &[], gone }
    }

    /// Whether a decision with a single possible answer had the written answer. The decision then counts as answered.
    fn was_forced(&mut self, player: Player, name: &str, picks: &[Expr]) -> bool {
        let is_so = |(_, blind, taken, lists): &(usize, bool, &[Value], &[Value])| {
            self.is_option(taken, name, picks) || self.is_taken(taken, lists, *blind, picks)
        };
        let found = self.forced(player, name).find(is_so).map(|(at, ..)| at);
        if let Some(at) = found {
            self.recorder.spent(at);
        }
        found.is_some() || self.was_left(player, name, picks)
    }

    /// Whether a question for spare units that no line has answered had the written answer.
    fn was_left(&mut self, player: Player, name: &str, picks: &[Expr]) -> bool {
        let is_so = |(who, choice, taken): &(Player, ChoiceId, Vec<Value>)| {
            let called = self.program().choices.get(*choice).is_some_and(|known| answers::says(&known.name, name));
            *who == player && called && self.is_taken(taken, &[], false, picks)
        };
        let found = self.left.iter().position(is_so);
        if let Some(at) = found {
            self.left.remove(at);
        }
        found.is_some()
    }

    /// Recent decisions of that seat and name with a single possible answer: the number of the record, whether the choice was blind, the
    /// answer, and its lists.
    fn forced(&self, player: Player, name: &str) -> impl Iterator<Item = (usize, bool, &[Value], &[Value])> {
        let called = move |choice: ChoiceId, picks: &[Value]| {
            let is_called = |known: &ChoiceDef| answers::says(&known.name, name) || name == answers::PASS && known.offer;
            let declared = self.program().choices.get(choice).is_some_and(is_called);
            name.is_empty() || declared || picks.iter().any(|pick| answers::is_play_called(self.program(), *pick, name))
        };
        self.recorder.forced().filter_map(move |(at, record)| match &record.traced.step {
            Step::Decides { player: who, choice, picks, .. } if *who == player && called(*choice, picks) => {
                let blind = self.program().choices.get(*choice).is_some_and(|choice| choice.manner == MannerDef::Blindly);
                Some((at, blind, picks.as_slice(), record.lists.as_slice()))
            }
            _ => None,
        })
    }

    fn is_option(&self, taken: &[Value], name: &str, picks: &[Expr]) -> bool {
        picks.is_empty() && taken.iter().any(|pick| answers::is_play_called(self.program(), *pick, name))
    }

    fn is_taken(&self, taken: &[Value], lists: &[Value], blind: bool, picks: &[Expr]) -> bool {
        let reader = Reader { lists, ..self.reader() };
        reader.positions(taken, blind, picks).is_ok_and(|positions| positions.len() == taken.len())
    }

    fn why_not(&mut self, play: &Play, player: Player, name: &str, picks: &[Expr]) -> Diagnostic {
        let called = answers::called(&play.answer);
        let finding = |code, name: &str| {
            let finding = Diagnostic::error(code, play.span).with("seat", seat(player)).with("name", name);
            finding.with("answer", answers::said(&play.answer))
        };
        if let Status::Over(outcome) = self.status() {
            return finding("E0521", called).with("outcome", self.names().outcome(outcome));
        }
        let finding = match self.answer(player, name, picks) {
            Err(Some(NotTaken::NotPossible(id, at))) => {
                let option = name.is_empty() || picks.is_empty();
                let wrong = picks.get(at).map_or_else(|| called.to_owned(), |pick| answers::written(std::slice::from_ref(pick)));
                let finding = finding("E0522", &if option { self.name_of(id) } else { name.to_owned() });
                let finding = finding.with("possible", self.possible(id));
                let options = self.options_in(id);
                // In a way to act, the option or an argument may be misspelt.
                let finding = if let Some(meant) = self.with_brackets(&play.answer) {
                    finding.with("nearest", meant)
                } else if let Some(meant) = picks.get(at).and_then(|pick| self.with_quotes(pick)) {
                    finding.with("nearest", meant)
                } else if option && options.iter().all(|known| known != called) {
                    finding.suggest(called, options.iter().map(String::as_str))
                } else {
                    finding.suggest(&wrong, self.names_possible(id).iter().map(String::as_str))
                };
                finding.with("wrong", wrong)
            }
            Err(Some(NotTaken::Refused(id, refusal))) => {
                let finding = finding("E0523", &if name.is_empty() { self.name_of(id) } else { name.to_owned() });
                finding.with("why", self.refused(id, &refusal, &play.answer)).with("possible", self.possible(id))
            }
            _ => self.forced_or_not_asked(play, player, name, finding),
        };
        self.after_pass(finding, play, player)
    }

    /// Why the machine refuses an answer.
    fn refused(&self, id: QuestionId, refusal: &Refusal, answer: &PlayAnswer) -> String {
        let (len, lists) =
            self.machine.questions().find(|asked| asked.id == id).map_or((0, &[] as &[Value]), |asked| (asked.domain.len(), asked.lists));
        let named = |_, value| self.names().value(self.machine.state(), lists, value);
        refused(refusal, &answers::said(answer), len, &named).told(self.language).message
    }

    /// The finding about an answer that no open decision is called by: the decision had another single answer, or was not asked.
    fn forced_or_not_asked(
        &self,
        play: &Play,
        player: Player,
        name: &str,
        finding: impl Fn(&'static str, &str) -> Diagnostic,
    ) -> Diagnostic {
        if let Some((_, choice)) = self.passed_unasked(&play.answer, player) {
            return finding("E0525", &self.names().choice(choice)).with("taken", answers::PASS);
        }
        let called = answers::called(&play.answer);
        let forced = self.forced(player, name).map(|(_, _, taken, lists)| self.values_in_words(taken, lists)).next();
        match forced {
            Some(taken) => finding("E0525", called).with("taken", taken).with("forced", called),
            None => self.not_asked(player, &play.answer, play.span),
        }
    }

    /// The finding that no open decision accepts an answer. It suggests similar words (names for names, labels for labels): first those of
    /// the open decisions, then those of the whole game.
    pub(crate) fn not_asked(&self, player: Player, answer: &PlayAnswer, span: Span) -> Diagnostic {
        let called = answers::called(answer);
        let finding = Diagnostic::error("E0520", span).with("seat", seat(player)).with("name", called);
        let finding = finding.with("answer", answers::said(answer)).with("asked", self.asked_in_words());
        let names = |asked: Asked<'_>| {
            let declared = self.machine.program().choices.get(asked.choice).map(|choice| choice.name.name.clone());
            [declared, Some(self.names().choice(asked.choice))].into_iter().flatten()
        };
        let asked: Vec<String> = self.open(player, None).flat_map(names).collect();
        let is_known = answers::AnswerNames::of(self.program()).is_known(called);
        let all = answers::known(self.program()).filter(|_| !is_known);
        finding.suggest(called, asked.iter().map(String::as_str).chain(all))
    }

    /// The name of an open decision.
    fn name_of(&self, id: QuestionId) -> String {
        let found = self.machine.questions().find(|asked| asked.id == id).map(|asked| asked.choice);
        found.map(|choice| self.names().choice(choice)).unwrap_or_default()
    }

    /// The options in an open decision.
    fn options_in(&self, id: QuestionId) -> Vec<String> {
        let found = self.machine.questions().find(|asked| asked.id == id);
        let domain = found.map_or(&[] as &[Value], |asked| asked.domain);
        let names = answers::options(self.program())
            .filter(|option| domain.iter().any(|play| answers::is_play_called(self.program(), *play, &option.name)));
        names.flat_map(|option| [option.name.clone(), option.label.clone()]).collect()
    }

    fn values_in_words(&self, values: &[Value], lists: &[Value]) -> String {
        self.names().list(self.machine.state(), lists, values)
    }

    /// The names of the possible answers to an open decision.
    fn names_possible(&self, id: QuestionId) -> Vec<String> {
        let found = self.machine.questions().find(|asked| asked.id == id);
        let value = |asked: &Asked<'_>, value: Value| self.names().value(self.machine.state(), asked.lists, value);
        found.map(|asked| asked.domain.iter().map(|of| value(&asked, *of)).collect()).unwrap_or_default()
    }

    /// A way to act that is written like the answer to a decision (`play "猫"`), as it has to be written (`play("猫")`).
    fn with_brackets(&self, answer: &PlayAnswer) -> Option<String> {
        let PlayAnswer::Choice(name, picks) = answer else { return None };
        answers::option_called(self.program(), &name.text).filter(|_| !picks.is_empty())?;
        let args: Vec<String> = picks.iter().map(answers::quoted).collect();
        Some(format!("{}({})", name.text, args.join(", ")))
    }

    /// A way to act, with the names of cards in quotes. None if it names no card without quotes.
    fn with_quotes(&self, pick: &Expr) -> Option<String> {
        let ExprKind::Call(option, args) = &pick.kind else { return None };
        let program = self.program();
        let is_card = |name: &str| program.cards.rows().iter().any(|card| program.texts.get(card.name).is_some_and(|known| known == name));
        let mut any = false;
        let mut shown = |arg: &Arg| match &arg.value.kind {
            ExprKind::Name(name) if self.aliases.iter().all(|(alias, _)| *alias != name.text) && is_card(&name.text) => {
                any = true;
                format!("\"{}\"", name.text)
            }
            _ => answers::written(std::slice::from_ref(&arg.value)),
        };
        let args: Vec<String> = args.iter().map(&mut shown).collect();
        any.then(|| format!("{}({})", option.text, args.join(", ")))
    }

    /// The possible answers to an open decision, in words.
    fn possible(&self, id: QuestionId) -> String {
        let found = self.machine.questions().find(|asked| asked.id == id);
        found
            .map(|asked| {
                crate::outcome::show::together(&crate::outcome::situation::possible(&self.names(), self.machine.state(), &asked)).join(", ")
            })
            .unwrap_or_default()
    }
}
