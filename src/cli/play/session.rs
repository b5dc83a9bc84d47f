//! A game with people: the machine runs, people and random players answer, until the end.
//!
//! A person sees only the lines of their own reader and their own view of the table. Nothing else is printed while they look.

use super::chronicle::{Chronicle, of_reader};
use super::command::{Said, understand};
use super::input::Input;
use super::order::Order;
use super::question::Question;
use super::result::result;
use super::screen::Asking;
use crate::shared::loading::Loaded;
use crate::shared::written::{Beginning, put};
use crate::shared::{card_text::card_text, failure, files};
use crate::{Context, Exit};
use engine::ids::CardId;
use engine::machine::{Machine, Refusal};
use engine::state::{Outcome, State, Status};
use engine::value::Player;
use engine::why::Mark;
use lang::diagnostic::{Diagnostic, Sources};
use players::Random;
use players::record::{Record, Save, TakenBack};
use report::{Table, Widths};
use scenario::writing::Begun;
use serde_json::json;
use std::path::PathBuf;
use tell::{places_of, question_of, refused, seat};

/// A game in progress.
pub(super) struct Session<'a> {
    /// The language, format and folders.
    pub context: &'a Context,
    /// The game.
    pub loaded: &'a Loaded,
    /// The machine, started.
    pub machine: Machine,
    /// The record and the readers.
    pub(crate) chronicle: Chronicle,
    /// The random player for the seats without a person.
    pub random: Random,
    /// For each seat whether a person plays it.
    pub humans: Vec<bool>,
    /// The source of answers.
    pub input: Input,
    /// The beginning of the record: set-up and seed.
    pub record: Record,
    /// `--record`.
    pub(crate) record_to: Option<PathBuf>,
    /// The moments to which a person can go back.
    pub back: Vec<Moment>,
    /// The order that a person gave in advance for repeated questions.
    pub order: Option<Order>,
    /// The player at the screen.
    pub looking: Option<Player>,
    /// The scenario that the game began with.
    pub begun: Option<Begun>,
    /// The seed, if it was not shown first.
    pub(crate) seed_at_end: Option<u64>,
    /// `--open`.
    pub open: bool,
    /// `--max-decisions`.
    pub most_decisions: u64,
    /// How many of these decisions are left. Counted only in a game without people.
    pub left: u64,
}

/// A moment before a person's answer.
pub(super) struct Moment {
    position: State,
    random: Random,
    decisions: usize,
    happened: Mark,
    player: Player,
}

/// The result of a person's turn at a question.
enum Turn {
    /// The question is answered, or the game has changed: go on.
    GoOn,
    /// The command ends.
    Leave(Exit),
}

impl Session<'_> {
    /// Plays to the end, or until somebody leaves.
    pub(super) fn play(&mut self) -> Exit {
        loop {
            let status = self.machine.run(&mut self.chronicle);
            if !self.humans.contains(&true) {
                self.print_lines(None);
            }
            match status {
                Status::Asking => {
                    if let Turn::Leave(exit) = self.answer_one() {
                        return self.leave(exit);
                    }
                }
                Status::Over(outcome) => {
                    self.show_end(outcome);
                    return self.leave(Exit::Fine);
                }
                Status::Failed(what) => {
                    self.context.complain(&[failure::diagnostic(what, self.loaded)], &self.loaded.sources);
                    return self.leave(Exit::Findings);
                }
                Status::New | Status::Running => return self.leave(Exit::CouldNotRun),
            }
        }
    }

    /// Answers one open question.
    fn answer_one(&mut self) -> Turn {
        let Some(asked) = self.machine.questions().find(|asked| !asked.answered) else { return Turn::GoOn };
        let question = Question::of(&asked, &self.machine);
        if self.humans.get(usize::from(question.player.0)) == Some(&true) {
            return self.ask_person(&question);
        }
        if !self.humans.contains(&true) {
            let Some(left) = self.left.checked_sub(1) else { return self.goes_on_for_ever() };
            self.left = left;
        }
        match self.random.decide(&mut self.machine, &mut Vec::new()) {
            Ok(_) => Turn::GoOn,
            Err(refusal) => self.refused(&refused(&refusal, "", question.domain.len(), &|at, _| (at + 1).to_string())),
        }
    }

    /// Stops a game without people that has too many decisions.
    fn goes_on_for_ever(&self) -> Turn {
        let finding = Diagnostic::global("E0860").with("most", self.most_decisions);
        self.context.complain(&[finding], &self.loaded.sources);
        Turn::Leave(Exit::Findings)
    }

    fn ask_person(&mut self, question: &Question) -> Turn {
        if let Some(order) = self.order.take_if(|order| order.is_about(question))
            && let Some(at) = order.answer(question, &self.machine)
            && self.machine.answer(question.id, &[at]).is_ok()
        {
            self.order = Some(order);
            return Turn::GoOn;
        }
        let before = Moment {
            position: self.machine.state().clone(),
            random: self.random.clone(),
            decisions: self.chronicle.decisions.len(),
            happened: self.chronicle.history.mark(),
            player: question.player,
        };
        self.back.push(before);
        if let Turn::Leave(exit) = self.hand_over(question.player) {
            return Turn::Leave(exit);
        }
        self.print_lines(Some(question.player));
        self.show_question(question, true);
        self.prompt();
        loop {
            let Some(line) = self.input.line() else { return self.input_ended(question) };
            if let Some(turn) = self.respond(question, &line) {
                return turn;
            }
            self.prompt();
        }
    }

    /// Reacts to a line. None: the question is still open.
    fn respond(&mut self, question: &Question, line: &str) -> Option<Turn> {
        if let Some(number) = question.number(line) {
            return self.name_number(question, line, number);
        }
        let names = question.names(&self.machine);
        let passes = question.min == 0 && question.pass.as_deref().is_some_and(|pass| pass == line.trim());
        match understand(if passes { "-" } else { line }, &names, question.takes_numbers()) {
            Said::Picks(picks) => self.pick(question, line, &picks),
            Said::Order(places) => self.put_in_order(question, line, &places),
            Said::Help(None) => {
                self.tell("ask.help");
                self.show_question(question, false);
                None
            }
            Said::Help(Some(what)) => self.tell_about(question, &what, false),
            Said::Script(what) => self.tell_about(question, &what, true),
            Said::Why(text) => {
                self.why(question.player, &text);
                None
            }
            Said::TakeBack => self.take_back(question),
            Said::Save(file) => self.save(file),
            Said::Write(file) => self.write(file),
            Said::Quit => Some(Turn::Leave(Exit::Fine)),
            Said::Concede => self.concede(question),
            Said::Nothing if self.input.is_terminal() => {
                self.show_question(question, true);
                None
            }
            Said::Nothing | Said::Unknown => self.not_an_answer(question.no_answer(line.trim(), &names)),
        }
    }

    /// A line that is no answer. A person may try again. In a pipe the next line belongs to the next question, so the command ends.
    fn not_an_answer(&mut self, finding: Diagnostic) -> Option<Turn> {
        let (finding, sources) = self.input.placed(finding);
        self.complain(&finding, &sources);
        (!self.input.is_terminal()).then_some(Turn::Leave(Exit::CouldNotRun))
    }

    /// Says what is wrong with a line. A person at a terminal sees the line, so the sentence stands alone, with its code after it.
    pub(super) fn complain(&self, finding: &Diagnostic, sources: &Sources) {
        if self.input.is_terminal() {
            self.context.complain_briefly(finding, sources);
        } else {
            self.context.complain(std::slice::from_ref(finding), sources);
        }
    }

    fn pick(&mut self, question: &Question, line: &str, picks: &[usize]) -> Option<Turn> {
        let positions: Vec<u16> = picks.iter().map(|pick| u16::try_from(*pick).unwrap_or(u16::MAX)).collect();
        match self.machine.answer(question.id, &positions) {
            Ok(()) => Some(Turn::GoOn),
            Err(refusal) => self.not_an_answer(refused(&refusal, line.trim(), question.domain.len(), &|at, _| (at + 1).to_string())),
        }
    }

    /// A number of a range means itself, whether it is listed or not.
    fn name_number(&mut self, question: &Question, line: &str, number: i64) -> Option<Turn> {
        match self.machine.name(question.id, number) {
            Ok(()) => Some(Turn::GoOn),
            Err(refusal) => self.not_an_answer(refused(&refusal, line.trim(), question.domain.len(), &|at, _| (at + 1).to_string())),
        }
    }

    /// Chooses the first value now, and the others when the question comes again.
    fn put_in_order(&mut self, question: &Question, line: &str, places: &[usize]) -> Option<Turn> {
        let order = Order::of(question, places, &self.machine);
        let first = order.as_ref().and_then(|order| order.first(question));
        let (Some(order), Some(first)) = (order, first) else {
            return self.not_an_answer(question.no_answer(line.trim(), &[]));
        };
        self.order = Some(order);
        self.pick(question, line, &[first])
    }

    fn refused(&self, finding: &Diagnostic) -> Turn {
        self.context.complain(std::slice::from_ref(finding), &Sources::default());
        Turn::Leave(Exit::CouldNotRun)
    }

    fn input_ended(&self, question: &Question) -> Turn {
        let name = question.name(&self.machine, self.context.words(), question_of);
        self.refused(&Diagnostic::global("E0830").with("seat", seat(question.player)).with("choice", name))
    }

    /// Goes back to the moment before this person's last answer.
    fn take_back(&mut self, question: &Question) -> Option<Turn> {
        let Some(at) = self.back.iter().rev().skip(1).position(|moment| moment.player == question.player) else {
            self.tell("ask.back.none");
            // A program that plays waits for a line.
            self.context.result(|| self.question_object(question), || {});
            return None;
        };
        self.order = None;
        self.back.truncate(self.back.len() - 1 - at);
        let moment = self.back.pop()?;
        let later = self.machine.state().clone();
        self.machine.copy_state(&moment.position);
        let states = (self.machine.state(), &later);
        let seen = TakenBack::between(self.machine.program(), question.player, moment.decisions, states);
        self.random = moment.random;
        self.chronicle.take_back(moment.decisions, moment.happened);
        match seen {
            None => self.tell("ask.back.done"),
            Some(seen) => {
                self.context.for_people(|| self.context.out(&self.context.say("ask.back.seen", &[("cards", seen.cards.to_string())])));
                self.record.taken_back.push(seen);
            }
        }
        Some(Turn::GoOn)
    }

    fn save(&mut self, file: Option<String>) -> Option<Turn> {
        if self.begun.is_some() {
            return self.not_an_answer(Diagnostic::global("E0873"));
        }
        let path = PathBuf::from(file.unwrap_or_else(|| format!("{}-save.ron", self.loaded.program.name)));
        let save = Save {
            record: Record { decisions: self.chronicle.decisions.clone(), ..self.record.clone() },
            position: self.machine.save(),
            random: self.random.clone(),
            humans: self.humans.clone(),
        };
        let text = players::record::save_text(&save).unwrap_or_default();
        match files::write(&path, &text, self.context) {
            Ok(()) => {
                self.context.out(&self.context.say("ask.saved", &[("file", path.display().to_string())]));
                None
            }
            Err(finding) => self.not_an_answer(finding),
        }
    }

    /// Writes the position as a scenario. That shows everything, so it is refused if another person sits at the same desk.
    fn write(&mut self, file: Option<String>) -> Option<Turn> {
        if self.humans.iter().filter(|human| **human).count() > 1 && !self.open {
            return self.not_an_answer(Diagnostic::global("E0872"));
        }
        let path = PathBuf::from(file.unwrap_or_else(|| format!("{}-position.scenarios", self.loaded.program.name)));
        let beginning = self.begun.as_ref().map_or(Beginning::Decks(&self.record), Beginning::Scenario);
        let text = beginning.text(self.loaded, self.context, &self.chronicle.decisions, None, Some(&self.machine));
        match text.and_then(|text| put(&text, Some(&path), self.context)) {
            Ok(()) => {
                let file = path.display().to_string();
                let object = || json!({ "kind": "written", "file": file, "reader": null });
                self.context.result_in_one_line(object, || self.context.say("ask.written", &[("file", file.clone())]));
                None
            }
            Err(finding) => self.not_an_answer(finding),
        }
    }

    /// Asks once more before conceding, so that nobody concedes by mistake.
    fn concede(&mut self, question: &Question) -> Option<Turn> {
        if self.machine.program().concede.is_none() {
            return self.not_an_answer(refused(&Refusal::MayNotConcede, "c", 0, &|at, _| (at + 1).to_string()));
        }
        self.context.out(&self.context.say("ask.concede", &[]));
        let Some(line) = self.input.line() else { return Some(self.input_ended(question)) };
        let words = |key| self.context.words().find(key).unwrap_or_default().to_owned();
        let options = [vec!["y".to_owned(), "yes".to_owned(), words("yes")], vec!["n".to_owned(), "no".to_owned(), words("no")]];
        if understand(&line, &options, false) != Said::Picks(vec![0]) {
            self.tell("ask.concede.not");
            return None;
        }
        match self.machine.concede(question.player, &mut self.chronicle) {
            Ok(()) => Some(Turn::GoOn),
            Err(refusal) => self.not_an_answer(refused(&refusal, "c", 0, &|at, _| (at + 1).to_string())),
        }
    }

    /// Shows the cards of an answer, or a card by its name.
    fn tell_about(&self, question: &Question, what: &str, with_script: bool) -> Option<Turn> {
        let answer = what.parse::<usize>().ok().map(|number| number.wrapping_sub(1)).filter(|at| *at < question.domain.len());
        let cards = answer.map_or_else(Vec::new, |at| question.cards(&self.machine, at));
        if cards.is_empty() {
            match self.loaded.card_called(what) {
                Ok(card) => self.tell_card(card, with_script),
                Err(_) if answer.is_some() => self.tell("ask.help.no_card"),
                Err(finding) => self.complain(&finding, &Sources::default()),
            }
        }
        cards.into_iter().for_each(|card| self.tell_card(card, with_script));
        None
    }

    fn tell_card(&self, card: CardId, with_script: bool) {
        card_text(self.loaded, card, with_script, self.context).lines().for_each(|line| self.context.out_wrapped(line));
    }

    /// With two people at one desk, clears the screen and waits until the asked person looks.
    fn hand_over(&mut self, player: Player) -> Turn {
        let people = self.humans.iter().filter(|human| **human).count();
        let changes = people > 1 && self.looking != Some(player);
        self.looking = Some(player);
        if !changes || !self.input.is_terminal() {
            return Turn::GoOn;
        }
        self.clear();
        self.context.out(&self.context.say("ask.hand_over", &[("player", seat(player))]));
        if self.input.line().is_none() {
            return Turn::Leave(Exit::CouldNotRun);
        }
        self.clear();
        Turn::GoOn
    }

    /// Clears the screen and the lines scrolled away.
    fn clear(&self) {
        self.context.clear_screen();
    }

    fn asking(&self, question: &Question) -> Asking {
        let (map, sources) = match &self.begun {
            Some(begun) => (begun.compiler.map(), &begun.sources),
            None => (&self.loaded.game.map, &self.loaded.sources),
        };
        Asking::of(question, &self.machine, map, sources)
    }

    fn question_object(&self, question: &Question) -> serde_json::Value {
        of_reader(question.object(&self.machine, self.context.words(), &self.asking(question)), Some(question.player))
    }

    fn show_question(&self, question: &Question, with_table: bool) {
        self.context.result(|| self.question_object(question), || self.show_to_person(question, with_table));
    }

    fn show_to_person(&self, question: &Question, with_table: bool) {
        let words = self.context.words();
        if with_table {
            self.show_table(Some(question.player));
        }
        for line in question.lines(&self.machine, words, &self.asking(question)) {
            self.context.out_wrapped(&line);
        }
        for line in question.not_now_in_short(&self.machine, words) {
            for line in self.context.broken(&format!("    {line}")) {
                // Grey, if the terminal supports it.
                self.context.out_grey(&line);
            }
        }
    }

    fn show_table(&self, viewer: Option<Player>) {
        let table = Table {
            machine: &self.machine,
            viewer,
            words: self.context.words(),
            widths: Widths::new(self.context.ambiguous),
            columns: self.context.columns(),
        };
        self.context.out(&table.draw());
    }

    fn prompt(&self) {
        if self.input.is_terminal() {
            self.context.for_people(|| self.context.prompt("> "));
        }
    }

    fn tell(&self, key: &str) {
        self.context.for_people(|| self.context.say(key, &[]).lines().for_each(|line| self.context.out_wrapped(line)));
    }

    fn print_lines(&mut self, reader: Option<Player>) {
        for line in self.chronicle.take_lines(reader) {
            // Nobody reads along in a game without people.
            if reader.is_none() { self.context.out_of_log(&line) } else { self.context.out_of_log_wrapped(&line) }
        }
    }

    fn show_end(&mut self, outcome: Outcome) {
        let people: Vec<_> =
            (0..self.loaded.program.players).map(Player).filter(|player| self.humans.get(usize::from(player.0)) == Some(&true)).collect();
        // The screen was cleared between people. At the end of the game, whoever looked last goes on reading.
        if people.len() > 1 {
            self.clear_if_terminal();
        }
        let reader = self.looking.filter(|looking| people.contains(looking)).or(people.first().copied());
        self.print_lines(reader);
        let object = || {
            let mut result = result(&self.machine, outcome, self.chronicle.decisions.len());
            if let (Some(seed), Some(object)) = (self.seed_at_end, result.as_object_mut()) {
                object.insert("seed".to_owned(), json!(seed));
            }
            result
        };
        self.context.result(object, || self.say_end(outcome, reader));
    }

    fn say_end(&self, outcome: Outcome, reader: Option<Player>) {
        if reader.is_some() {
            self.show_table(reader);
        }
        let turn = ("turn", self.machine.state().board.turn.to_string());
        self.context.out(&match outcome {
            Outcome::Won(player) => self.context.say("end.won", &[("player", seat(player)), turn]),
            Outcome::Placed(places) => self.context.say("end.placed", &[("places", places_of(&places)), turn]),
            Outcome::Drawn => self.context.say("end.drawn", &[turn]),
        });
        if let Some(seed) = self.seed_at_end {
            self.context.out(&self.context.say("start.seed", &[("seed", seed.to_string())]));
        }
    }

    fn clear_if_terminal(&self) {
        if self.input.is_terminal() {
            self.clear();
        }
    }

    /// Writes the record, if one is wanted. The record of an unfinished game has no end.
    fn leave(&mut self, exit: Exit) -> Exit {
        let Some(path) = self.record_to.take() else { return exit };
        let control = &self.machine.state().control;
        let end = players::record::End::of(control.status, self.machine.state().board.turn);
        let cards = Some(players::record::lying(&self.loaded.program, &self.machine.state().board));
        let record = Record { decisions: std::mem::take(&mut self.chronicle.decisions), end, cards, ..self.record.clone() };
        let text = players::record::record_text(&record).unwrap_or_default();
        match files::write(&path, &text, self.context) {
            Ok(()) => exit,
            Err(finding) => {
                self.context.complain(&[finding], &Sources::default());
                exit.max(Exit::CouldNotRun)
            }
        }
    }
}
