//! Shows nodes, statements and patterns as words.

use engine::ids::{ArgsId, ChoiceId, Id, NodeId, PatternId, Pc, Reg, TextId};
use engine::program::{
    AmountDef, ArgMatch, Arithmetic, CauseKind, CauseMatch, ChangeDef, ChangeKind, FaceWord, Fold, MannerDef, NameDef, Node, Op, PartKey,
    PriceChange, Program, Since, SinceWord,
};
use engine::value::Value;

/// Shows parts of a program.
pub(super) struct Show<'p> {
    program: &'p Program,
}

fn name_of(name: Option<&NameDef>) -> &str {
    name.map_or("?", |name| name.name.as_str())
}

impl<'p> Show<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self { program }
    }

    fn text(&self, id: TextId) -> &'p str {
        self.program.texts.get(id).map_or("", String::as_str)
    }

    pub(super) fn args(&self, args: ArgsId) -> String {
        let shown: Vec<String> = self.program.args_of(args).iter().map(|node| self.node(*node)).collect();
        shown.join(", ")
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Undefined => "undefined".to_owned(),
            Value::Bool(truth) => truth.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Enum(id, at) => {
                let values = self.program.enums.get(id).map(|def| def.values.as_slice()).unwrap_or_default();
                name_of(values.get(usize::from(at))).to_owned()
            }
            Value::Symbol(text) => self.text(text).to_owned(),
            Value::Text(text) => format!("{:?}", self.text(text)),
            Value::Card(card) => format!("card {}", self.program.cards.get(card).map_or("?", |card| card.number.as_str())),
            other => format!("{other:?}"),
        }
    }

    fn zone(&self, id: engine::ids::ZoneId) -> &'p str {
        name_of(self.program.zones.get(id).map(|zone| &zone.name))
    }

    fn field(&self, id: engine::ids::FieldId) -> &'p str {
        name_of(self.program.fields.get(id).map(|field| &field.name))
    }

    fn state(&self, id: engine::ids::StateId) -> &'p str {
        name_of(self.program.states.get(id).map(|state| &state.name))
    }

    fn verb(&self, id: engine::ids::VerbId) -> &'p str {
        name_of(self.program.verbs.get(id).map(|verb| &verb.name))
    }

    fn slot(&self, id: engine::ids::SlotId) -> &'p str {
        name_of(self.program.slots.get(id).map(|slot| &slot.name))
    }

    fn key(&self, key: PartKey) -> &'p str {
        match key {
            PartKey::Pool(state) => self.state(state),
            PartKey::Verb(verb) => self.verb(verb),
        }
    }

    fn matching(&self, id: engine::ids::MatchId) -> String {
        let Some(of) = self.program.matches.get(id) else { return String::new() };
        let n = |id: NodeId| self.node(id);
        let joins = of.joins.map_or_else(String::new, |(set, condition)| format!(" each {} joins where {}", n(set), n(condition)));
        let demands = if of.demands == NodeId::NONE { String::new() } else { format!(" demands {}", n(of.demands)) };
        let spare = if of.spare == NodeId::NONE { String::new() } else { format!(" spare {}", n(of.spare)) };
        format!(
            "[{}{demands} each {} needs where {}{joins} left over {}{spare}]",
            n(of.units),
            n(of.needs.0),
            n(of.needs.1),
            n(of.left_over)
        )
    }

    /// A change of a price.
    pub(super) fn price(&self, change: &PriceChange) -> String {
        let field = ChangeDef { field: engine::ids::FieldId(0), op: change.op, value: change.value, many: false, layer: 0 };
        let written = self.change(&field);
        let behind = written.split_once(' ').map_or("", |(_, behind)| behind);
        format!("{} {behind}", self.key(change.key))
    }

    /// An expression.
    pub(super) fn node(&self, id: NodeId) -> String {
        let Some(node) = self.program.nodes.get(id) else { return "-".to_owned() };
        let n = |id: NodeId| self.node(id);
        match *node {
            Node::Const(value) => self.value(value),
            Node::Local(reg) => format!("r{}", reg.0),
            Node::Bound(depth) => format!("#{depth}"),
            Node::You => "you".to_owned(),
            Node::This => "this".to_owned(),
            Node::Done => "done".to_owned(),
            Node::PartlyDone => "partly_done".to_owned(),
            Node::Turn => "turn_number".to_owned(),
            Node::Tallied(a, _) => n(a),
            Node::Not(a) => format!("not {}", n(a)),
            Node::And(a, b) => format!("({} and {})", n(a), n(b)),
            Node::Or(a, b) => format!("({} or {})", n(a), n(b)),
            Node::Negate(a) => format!("-{}", n(a)),
            Node::Arithmetic(op, a, b) => format!("({} {} {})", n(a), arithmetic(op), n(b)),
            Node::Compare(op, a, b) => format!("{} {} {}", n(a), op.sign(), n(b)),
            Node::If(condition, args) => format!("if {} then/else [{}]", n(condition), self.args(args)),
            Node::With { value, body } => format!("with {} in {}", n(value), n(body)),
            Node::In(a, b) => format!("{} in {}", n(a), n(b)),
            Node::Field(a, field) => format!("{}.{}", n(a), self.field(field)),
            Node::Printed(a, field) => format!("printed {}.{}", n(a), self.field(field)),
            Node::FieldHas(a, field, b) => format!("{} in {}.{}", n(b), n(a), self.field(field)),
            Node::State(a, state) => format!("{}.{}", n(a), self.state(state)),
            Node::Owner(a) => format!("{}.owner", n(a)),
            Node::Controller(a) => format!("{}.controller", n(a)),
            Node::Performer(a) => format!("{}.performer", n(a)),
            Node::Source(a) => format!("{}.source", n(a)),
            Node::ZoneOf(a) => format!("{}.zone", n(a)),
            Node::FaceUp(a) => format!("{} is up", n(a)),
            Node::PlaceIn(a, of) => format!("{}.{}", n(a), name_of(self.program.enums.get(of).map(|of| &of.name))),
            Node::Host(a) => format!("{}.host", n(a)),
            Node::Attached(a) => format!("attached({})", n(a)),
            Node::Original(a) => format!("{}.original", n(a)),
            Node::Now(a) => format!("now({})", n(a)),
            Node::Became(a) => format!("became({})", n(a)),
            Node::Arrived(a) => format!("{}.arrived", n(a)),
            Node::IsMade(a) => format!("{} is made", n(a)),
            Node::IsType(a, of) => format!("{} is {}", n(a), self.program.card_types.get(usize::from(of)).map_or("?", String::as_str)),
            Node::Decider(a) => format!("decider({})", n(a)),
            Node::PoolCard(name) => format!("{:?}", self.text(name)),
            Node::Reaches(a) => format!("reaches({})", n(a)),
            Node::HasEffect(a) => format!("has_effect({})", n(a)),
            Node::EffectText(a) => format!("{}.text", n(a)),
            Node::CardName(a) => format!("{}.name", n(a)),
            Node::CardOf(a) => format!("{}.number", n(a)),
            Node::IsCard(a, card) => format!("{} is {}", n(a), self.value(Value::Card(card))),
            Node::IsKind(a, kind) => format!("{} is {}", n(a), name_of(self.program.kinds.get(kind).map(|kind| &kind.name))),
            Node::IsMoment(a, moment) => format!("{} is {}", n(a), name_of(self.program.moments.get(moment))),
            Node::TextContains(a, b) => format!("contains({}, {})", n(a), n(b)),
            Node::Zone(zone, player) if player == NodeId::NONE => self.zone(zone).to_owned(),
            Node::Zone(zone, player) => format!("{}({})", self.zone(zone), n(player)),
            Node::Count(a) => format!("count({})", n(a)),
            Node::IsEmpty(a) => format!("{} is empty", n(a)),
            Node::Some(a, b) => format!("some({} where {})", n(a), n(b)),
            Node::All(a, b) => format!("all({} where {})", n(a), n(b)),
            Node::Only(a) => format!("only({})", n(a)),
            Node::End(top, a) => format!("{} of {}", if top { "top" } else { "bottom" }, n(a)),
            Node::Ends(top, count, a) => format!("{} {} of {}", if top { "top" } else { "bottom" }, n(count), n(a)),
            Node::Where(a, b) => format!("({} where {})", n(a), n(b)),
            Node::Except(a, b) => format!("({} except {})", n(a), n(b)),
            Node::Union(a, b) | Node::Joined(a, b) => format!("({} with {})", n(a), n(b)),
            Node::List(args) => format!("[{}]", self.args(args)),
            Node::ZoneOfAll(zone) => format!("{}(all)", self.zone(zone)),
            Node::Players => "players".to_owned(),
            Node::Catalogue => "catalogue".to_owned(),
            Node::Opponent(a) => format!("opponent({})", n(a)),
            Node::NextPlayer(a) => format!("next({})", n(a)),
            Node::Opponents(a) => format!("opponents({})", n(a)),
            Node::Team(a) => format!("team({})", n(a)),
            Node::Captain(a) => format!("captain({})", n(a)),
            Node::EnumValues(id) => name_of(self.program.enums.get(id).map(|def| &def.name)).to_owned(),
            Node::Abilities(a) | Node::AbilitiesOfAll(a) => format!("abilities({})", n(a)),
            Node::IsOption(a, option) => {
                let verb = self.program.options.get(option).and_then(|option| self.program.verbs.get(option.verb));
                format!("{} is {}", n(a), name_of(verb.map(|verb| &verb.name)))
            }
            Node::Component(a, name) => format!("{}.{}", n(a), self.text(name)),
            Node::Still(a) => format!("still({})", n(a)),
            Node::Role(role) => name_of(self.program.roles.get(role).map(|role| &role.name)).to_owned(),
            Node::GoesRound => "goes_round".to_owned(),
            Node::RulesApply => "rules_apply".to_owned(),
            Node::HasKeyword(a, keyword) => {
                format!("{} has {}", n(a), name_of(self.program.keywords.get(keyword).map(|keyword| &keyword.name)))
            }
            Node::Fact(fact, args, a) => format!("fact {}({}) or {}", fact.0, self.args(args), n(a)),
            Node::Permitted(verb, args) => format!("permitted {}({})", self.verb(verb), self.args(args)),
            Node::Pending => "pending".to_owned(),
            Node::Tied => "tied".to_owned(),
            Node::Waiting(zone, player) if player == NodeId::NONE => self.zone(zone).to_owned(),
            Node::Waiting(zone, player) => format!("{}({})", self.zone(zone), n(player)),
            Node::Sources(a) => format!("{}.sources", n(a)),
            Node::Slot(a, slot) => format!("{}.{}", n(a), self.slot(slot)),
            Node::StillOf(a, slot) => format!("still({}.{})", n(a), self.slot(slot)),
            Node::Payable(a, slot, NodeId::NONE) => format!("can pay({}.{})", n(a), self.slot(slot)),
            Node::Payable(a, slot, b) => format!("can pay({}.{}, without: {})", n(a), self.slot(slot), n(b)),
            Node::Due(a, slot, key) => format!("due({}.{}, {})", n(a), self.slot(slot), self.key(key)),
            Node::Matches(of) => format!("can match {}", self.matching(of)),
            Node::Range(a, b) => format!("range({}, {})", n(a), n(b)),
            Node::Numbers(a, NodeId::NONE) => format!("numbers({})", n(a)),
            Node::Numbers(a, b) => format!("numbers({}, {})", n(a), n(b)),
            Node::Outer(last, a) => format!("{} of {}", if last { "top" } else { "bottom" }, n(a)),
            Node::Exists(a) => format!("{} exists", n(a)),
            Node::Happened(pattern, since) => format!("happened {}{}", self.pattern(pattern), self.since(since)),
            Node::Latest(pattern, since) => format!("latest {}{}", self.pattern(pattern), self.since(since)),
            Node::Events(pattern, since) => format!("all happened {}{}", self.pattern(pattern), self.since(since)),
            Node::EventArg(a, field) => {
                let place = self.program.event_fields.get(field).and_then(|field| field.places.first().copied());
                let verb = place.and_then(|(verb, at)| self.program.verbs.get(verb)?.parameters.get(usize::from(at)));
                format!("{}.{}", n(a), verb.map_or("?", String::as_str))
            }
            Node::EventCause(a) => format!("{}.cause", n(a)),
            Node::IsTiming(a) => format!("{} is timing", n(a)),
            Node::IsEvent(a, verb) => format!("{} is {}", n(a), self.verb(verb)),
            Node::EventOf(a) => format!("{}.event", n(a)),
            Node::Cause(kind, of) if of == NodeId::NONE => self.cause(kind).to_owned(),
            Node::Cause(kind, of) => format!("{} of {}", self.cause(kind), n(of)),
            Node::IsCause(a, kind) => format!("{} is {}", n(a), self.cause(kind)),
            Node::Can(verb, args) => format!("can {}({})", self.verb(verb), self.args(args)),
            Node::Sees(a, b) => format!("sees({}, {})", n(a), n(b)),
            Node::Losing(a) => format!("losing({})", n(a)),
            Node::PlaceOf(a) => format!("place({})", n(a)),
            Node::Winning(a) => format!("winning({})", n(a)),
            Node::Named(a, text) => format!("{:?} in {}", self.text(text), n(a)),
            Node::Without(a, b) => format!("({} without {})", n(a), n(b)),
            Node::EffectsOn(a) => format!("effects({})", n(a)),
            Node::Least(a, b) => format!("least({}, {})", n(a), n(b)),
            Node::Greatest(a, b) | Node::Fold(Fold::Greatest, a, b) => format!("greatest({}, {})", n(a), n(b)),
            Node::Fold(Fold::Least, a, b) => format!("least({}, {})", n(a), n(b)),
            Node::Fold(Fold::Sum, a, b) => format!("sum({}, {})", n(a), n(b)),
            Node::Distinct(a, b) => format!("distinct({}, {})", n(a), n(b)),
            Node::Sorted(a, b) => format!("sorted({}, {})", n(a), n(b)),
            Node::SameSets(a, b) => format!("{} == {}", n(a), n(b)),
            Node::Usable(a, NodeId::NONE) => format!("usable({})", n(a)),
            Node::Usable(a, by) => format!("usable({}, by: {})", n(a), n(by)),
            Node::AbilityText(a, false) => format!("{}.text", n(a)),
            Node::AbilityText(a, true) => format!("{}.body", n(a)),
            Node::EveryCard => "every card".to_owned(),
            Node::HasBit(a, b) => format!("{} has bit {}", n(a), n(b)),
            Node::BitOf(a) => format!("bit {}", n(a)),
            Node::Clockwise(a) => format!("clockwise({})", n(a)),
            Node::Length(a) => format!("length({})", n(a)),
        }
    }

    /// A statement. Jump targets count from `start`.
    pub(super) fn op(&self, op: Op, start: Pc) -> String {
        let n = |id: NodeId| self.node(id);
        let to = |pc: Pc| pc.index().saturating_sub(start.index());
        match op {
            Op::Let { to, value } => format!("{} = {}", reg(to), n(value)),
            Op::LetSet { to, set } => format!("{} = set {}", reg(to), n(set)),
            Op::Demand { zone, count } => format!("demand {} of {}", n(count), n(zone)),
            Op::Jump(pc) => format!("jump {}", to(pc)),
            Op::JumpUnless { condition, to: pc } => format!("unless {} jump {}", n(condition), to(pc)),
            Op::Call { routine, args, result } => {
                format!("{}call {}({})", gives(result), name_of(self.program.routines.get(routine).map(|def| &def.name)), self.args(args))
            }
            Op::Perform { verb, args, result } => format!("{}perform {}({})", gives(result), self.verb(verb), self.args(args)),
            Op::Builtin { verb, args, result } => format!("{}{}({})", gives(result), verb.name(), self.args(args)),
            Op::MoveTop { from, to, face, result } => {
                let face = match face {
                    FaceWord::AsZone => "",
                    FaceWord::Up => " up",
                    FaceWord::Down => " down",
                };
                format!("{}move top of {} to {}{face}", gives(result), n(from), n(to))
            }
            Op::SetState { subject, state, value } => format!("{}.{} = {}", n(subject), self.state(state), n(value)),
            Op::Return(value) => format!("return {}", n(value)),
            Op::Stop => "stop".to_owned(),
            Op::Choose { choice, result } => format!("{}{}", gives(result), self.choice(choice)),
            Op::May { choice, otherwise } => format!("{} else jump {}", self.choice(choice), to(otherwise)),
            Op::Try { asked, otherwise } => {
                let asked = asked.map_or_else(String::new, |choice| format!(" if {}", self.choice(choice)));
                format!("try{asked} else jump {}", to(otherwise))
            }
            Op::TryEnd => "try end".to_owned(),
            Op::Measure { on, lenient: true, .. } => format!("as far as possible {on}"),
            Op::Measure { on, .. } => format!("measure {on}"),
            Op::Iterate { list, set } => format!("{} = each of {}", reg(list), n(set)),
            Op::Next { list, item, end } => format!("{} = next of {} else jump {}", reg(item), reg(list), to(end)),
            Op::CountDown { counter, end } => format!("count down {} else jump {}", reg(counter), to(end)),
            Op::ForkFor { set, item, join, in_order } => {
                format!("fork {} in {}{} join {}", reg(item), n(set), if in_order { " in order" } else { "" }, to(join))
            }
            Op::Fork { other, join } => format!("fork here and {} join {}", to(other), to(join)),
            Op::BranchEnd => "branch end".to_owned(),
            Op::Judge => "judge".to_owned(),
            Op::JudgeEnd => "judge end".to_owned(),
            Op::Veil => "veil".to_owned(),
            Op::VeilEnd => "veil end".to_owned(),
            Op::Hold => "hold".to_owned(),
            Op::HoldEnd => "hold end".to_owned(),
            Op::ActAs { player, saved } => format!("act as {} saving {}", n(player), reg(saved)),
            Op::ActEnd { saved } => format!("act end {}", reg(saved)),
            Op::Install { clause, duration } => {
                format!("install clause {} for {}", clause.0, name_of(self.program.durations.get(duration)))
            }
            Op::Expire(duration) => format!("expire {}", name_of(self.program.durations.get(duration))),
            Op::Open { duration, open } => {
                format!("{} {}", if open { "begin" } else { "close" }, name_of(self.program.durations.get(duration)))
            }
            Op::Proceed(args) => format!("proceed({})", self.args(args)),
            Op::PutBy { moment, body, captures } => {
                let until = moment.map_or_else(String::new, |moment| format!(" until {}", name_of(self.program.moments.get(moment))));
                format!("put by routine {}{until} captures ({})", body.0, self.args(captures))
            }
            Op::Finally { body, captures } => format!("finally routine {} captures ({})", body.0, self.args(captures)),
            Op::BeenHere { to } => format!("{}been here", gives(to)),
            Op::Because { cause, saved } => format!("{} = cause, because {}", reg(saved), n(cause)),
            Op::BecauseEnd { saved } => format!("because {} again", reg(saved)),
            Op::PerformAbility(ability) => format!("perform {}", n(ability)),
            Op::Meet => "meet".to_owned(),
            Op::TakeRest => "take rest".to_owned(),
            Op::Offer { choice, from, taken, passed } => {
                format!("{}offer {} from ({}) else jump {}", gives(taken), self.choice(choice), self.args(from), to(passed))
            }
            Op::Take { taken, result } => format!("{}take {}", gives(result), reg(taken)),
            Op::Taken { taken, again, .. } => format!("taken {} again {}", reg(taken), to(again)),
            Op::Declare { option, captures, to } => format!("{} = declare option {} ({})", reg(to), option.0, self.args(captures)),
            Op::ApplyRules { next } => format!("apply rules from {}", reg(next)),
            Op::Watch { condition, aborted } => format!("watch {} aborted {}", n(condition), to(aborted)),
            Op::During { duration } => {
                format!("during {}", duration.map_or("", |duration| name_of(self.program.durations.get(duration))))
            }
            Op::Bind { role, value } => {
                format!("role {} = {}", name_of(self.program.roles.get(role).map(|role| &role.name)), n(value))
            }
            Op::ScopeEnd => "stretch end".to_owned(),
            Op::EndPhase { turn } => if turn { "end turn" } else { "end phase" }.to_owned(),
            Op::Refuse => "refuse".to_owned(),
            Op::Arrange(set) => format!("arrange {}", n(set)),
            Op::Drop(set) => format!("drop {}", n(set)),
            Op::CountUse(ability) => format!("count use of {}", n(ability)),
            Op::CauseHere { to } => format!("{}cause", gives(to)),
            Op::WindowOpens { since } => format!("{} = window opens", reg(since)),
            Op::NoteTold { args, told } => format!("{} = told with ({})", reg(told), self.args(args)),
            Op::HearAgain { result } => format!("{}hear again", gives(result)),
            Op::Announce { args, result } => format!("{}announce({})", gives(result), self.args(args)),
            Op::Enter { ability, zone } => format!("enter {} {}", n(ability), n(zone)),
            Op::Ask { ability, slot, by } => format!("ask {}.{} by {}", n(ability), self.slot(slot), n(by)),
            Op::Fix { ability, slot } => format!("fix {}.{}", n(ability), self.slot(slot)),
            Op::Pay { ability, slot } => format!("pay {}.{}", n(ability), self.slot(slot)),
            Op::Spend { player, state, amount } => format!("spend {}.{} {}", n(player), self.state(state), n(amount)),
            Op::Fail => "fail".to_owned(),
            Op::Match { of, taken, picked, end, .. } => {
                format!("{} for {} of match {} else jump {}", reg(picked), reg(taken), self.matching(of), to(end))
            }
            Op::Emit { verb, args, once } if once == TextId::NONE => format!("emit {}({})", self.verb(verb), self.args(args)),
            Op::Emit { verb, args, once } => format!("emit {}({}) once since {}", self.verb(verb), self.args(args), self.text(once)),
            Op::MarkFrom(text, of) => format!("mark {} from {}", self.text(text), self.text(of)),
            Op::Mark(text) => format!("mark {}", self.text(text)),
            Op::MarkHere(text) => format!("mark {} only here", self.text(text)),
            Op::Came(cards) => format!("came {}", self.args(cards)),
            Op::Phase(phase) => format!("phase {}", name_of(self.program.phases.get(phase).map(|phase| &phase.name))),
            Op::TurnBegins => "turn begins".to_owned(),
            Op::Finish(player) => format!("finish {}", n(player)),
            Op::FinishPlaces(set, number) => format!("finish {} by {}", n(set), n(number)),
            Op::End => "end".to_owned(),
        }
    }

    /// A choice.
    pub(super) fn choice(&self, id: ChoiceId) -> String {
        let Some(def) = self.program.choices.get(id) else { return "?".to_owned() };
        if def.yes_no {
            return format!("ask {} of {}", def.name.name, self.node(def.by));
        }
        let amount =
            if def.min == def.max { self.amount(def.max) } else { format!("{} to {}", self.amount(def.min), self.amount(def.max)) };
        let manner = match def.manner {
            MannerDef::Openly => "",
            MannerDef::Secretly => " secretly",
            MannerDef::Blindly => " blindly",
            MannerDef::Ranked { secretly: false } => " ranked",
            MannerDef::Ranked { secretly: true } => " ranked secretly",
        };
        let one = if def.single { " single" } else { "" };
        let fail = if def.may_fail { " may fail" } else { "" };
        format!("choose {}: {amount} from {} by {}{manner}{one}{fail}", def.name.name, self.node(def.domain), self.node(def.by))
    }

    fn amount(&self, amount: AmountDef) -> String {
        match amount {
            AmountDef::Fixed(number) => number.to_string(),
            AmountDef::Node(node) => self.node(node),
            AmountDef::All => "all".to_owned(),
        }
    }

    /// A change of a field.
    pub(super) fn change(&self, change: &ChangeDef) -> String {
        let op = match change.op {
            ChangeKind::SetPrinted => "printed =",
            ChangeKind::AddPrinted => "printed +",
            ChangeKind::RemovePrinted => "printed removed",
            ChangeKind::Set => "=",
            ChangeKind::Add => "+",
            ChangeKind::Subtract => "-",
            ChangeKind::Multiply => "*",
            ChangeKind::Divide => "/",
            ChangeKind::Floor => "at least",
            ChangeKind::Provide => "provided =",
            ChangeKind::Remove => "removed",
        };
        format!("{} {op} {}", self.field(change.field), self.node(change.value))
    }

    /// A pattern.
    pub(super) fn pattern(&self, id: PatternId) -> String {
        let Some(def) = self.program.patterns.get(id) else { return "?".to_owned() };
        let events: Vec<String> = def.events.iter().map(|event| self.event(event)).collect();
        let condition = if def.condition == NodeId::NONE { String::new() } else { format!(" where {}", self.node(def.condition)) };
        format!("{}{condition}", events.join(" or "))
    }

    fn cause(&self, kind: CauseKind) -> &'p str {
        match kind {
            CauseKind::Rule => "rule",
            CauseKind::Effect => "effect",
            CauseKind::Cost => "cost",
            CauseKind::Declared(cause) => name_of(self.program.causes.get(cause)),
        }
    }

    fn since(&self, since: SinceWord) -> String {
        match since.get() {
            Since::Beginning => String::new(),
            Since::Mark(mark) => format!(" since {}", self.text(mark)),
            Since::Event(event) => format!(" since {}", self.node(event)),
        }
    }

    fn event(&self, event: &engine::program::EventDef) -> String {
        let parameters = self.program.verbs.get(event.verb).map(|verb| verb.parameters.as_slice()).unwrap_or_default();
        let mut args: Vec<String> = Vec::new();
        for (at, matched) in &event.args {
            let what = match matched {
                ArgMatch::Bind(at) => format!("any {at}"),
                ArgMatch::Is(node) => self.node(*node),
                ArgMatch::AnyZone(zone) => self.zone(*zone).to_owned(),
                ArgMatch::All(at, NodeId::NONE) => format!("all {at}"),
                ArgMatch::All(at, condition) => format!("all {at} where {}", self.node(*condition)),
            };
            args.push(format!("{}: {what}", parameters.get(usize::from(*at)).map_or("?", String::as_str)));
        }
        match event.cause {
            None => {}
            Some(CauseMatch::Kind(kind)) => args.push(format!("by: {}", self.cause(kind))),
            Some(CauseMatch::KindOf(kind, node)) => args.push(format!("by: {} of {}", self.cause(kind), self.node(node))),
            Some(CauseMatch::KindBind(kind, at)) => args.push(format!("by: {} of any {at}", self.cause(kind))),
            Some(CauseMatch::Of(node) | CauseMatch::Is(node)) => args.push(format!("by: {}", self.node(node))),
            Some(CauseMatch::Bind(at)) => args.push(format!("by: any {at}")),
        }
        format!("{}({})", self.verb(event.verb), args.join(", "))
    }
}

fn reg(reg: Reg) -> String {
    format!("r{}", reg.0)
}

fn gives(result: Reg) -> String {
    if result == Reg::NONE { String::new() } else { format!("r{} = ", result.0) }
}

fn arithmetic(op: Arithmetic) -> &'static str {
    match op {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Remainder => "mod",
    }
}
