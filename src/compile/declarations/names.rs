//! The declared names with their printed labels: the compiler's dictionaries.
//!
//! Every kind of declaration has its own table, so `result` can be a moment and a procedure. In a table a name wins over a label. Two equal
//! names or labels in one table are reported when the second one is declared.

use crate::expressions::types::Ty;
use engine::ids::{Id, OptionId, RoutineId, VerbId};
use engine::state::shared::Shared;
use engine::value::Value;
use lang::diagnostic::Span;
use lang::syntax::ast::{Expr, Head, Name, Param};
use lang::syntax::normal;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// The names of one kind of declaration. A name's position is its number.
#[derive(Clone, Debug, Default)]
pub struct Names {
    rows: Shared<Vec<Row>>,
    by_name: Shared<FxHashMap<String, usize>>,
    by_label: Shared<FxHashMap<String, usize>>,
    /// Set once too many findings have been reported: from then on no similar names are suggested.
    hushed: bool,
}

#[derive(Clone, Debug)]
struct Row {
    name: String,
    label: Option<String>,
    span: Span,
}

/// Why a name could not be declared, with the place of the first declaration.
pub(crate) enum Clash {
    Name(Span),
    Label(Span, String),
}

impl Names {
    /// Adds a name and gives its number. The row is added even after a clash, so that numbers stay without gaps.
    pub(crate) fn add(&mut self, name: &str, label: Option<&str>, span: Span) -> Result<usize, Clash> {
        let index = self.rows.len();
        let label = label.map(|label| normal(label).into_owned());
        self.rows.push(Row { name: name.to_owned(), label: label.clone(), span });
        if let Some(first) = self.by_name.get(name).and_then(|first| self.rows.get(*first)) {
            return Err(Clash::Name(first.span));
        }
        self.by_name.insert(name.to_owned(), index);
        let Some(label) = label else { return Ok(index) };
        if let Some(first) = self.by_label.get(&label).and_then(|first| self.rows.get(*first)) {
            return Err(Clash::Label(first.span, label));
        }
        self.by_label.insert(label, index);
        Ok(index)
    }

    /// The label with which a thing was declared; its name without one.
    pub(crate) fn label(&self, index: usize) -> Option<&str> {
        self.rows.get(index).map(|row| row.label.as_deref().unwrap_or(&row.name))
    }

    /// Adds another label for a declared thing. A label that is taken keeps its first meaning.
    pub(crate) fn also(&mut self, label: &str, index: usize) {
        self.by_label.entry(normal(label).into_owned()).or_insert(index);
    }

    /// The number of a name or label. Labels are compared in NFKC form.
    #[must_use]
    pub fn find(&self, word: &str) -> Option<usize> {
        let otherwise = || match normal(word) {
            Cow::Owned(normal) => self.by_label.get(&normal),
            Cow::Borrowed(_) => None,
        };
        self.by_name.get(word).or_else(|| self.by_label.get(word)).or_else(otherwise).copied()
    }

    /// The number of a name or label, as the number type of a table.
    #[must_use]
    pub fn id<I: Id>(&self, word: &str) -> Option<I> {
        self.find(word).map(I::from_index)
    }

    /// All names and labels, for suggestions. Empty once more findings are reported than are shown, because searching all names for each of
    /// very many findings would take minutes.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let rows = if self.hushed { &[] } else { self.rows.as_slice() };
        rows.iter().flat_map(|row| std::iter::once(row.name.as_str()).chain(row.label.as_deref()))
    }

    /// Each name with its label, in the order of their numbers.
    pub fn rows(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.rows.iter().map(|row| (row.name.as_str(), row.label.as_deref()))
    }

    /// Where a name was declared.
    #[must_use]
    pub fn span(&self, index: usize) -> Option<Span> {
        self.rows.get(index).map(|row| row.span)
    }

    /// The number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the table has no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// The parameters and the result of a routine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signature {
    pub(crate) params: Vec<ParamSignature>,
    pub(crate) result: Option<Ty>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(crate) struct ParamSignature {
    pub(crate) name: String,
    pub(crate) ty: Ty,
    pub(crate) default: Option<Arc<Expr>>,
    /// Whether a call may leave the parameter out although it has no default.
    pub(crate) optional: bool,
}

impl Signature {
    /// The position of the first parameter that is one player.
    pub(crate) fn actor(&self) -> Option<u8> {
        self.params.iter().position(|param| param.ty == Ty::PLAYER).and_then(|at| u8::try_from(at).ok())
    }

    /// The names of the parameters.
    pub(crate) fn names(&self) -> Vec<String> {
        self.params.iter().map(|param| param.name.clone()).collect()
    }
}

/// A function. It is inlined where it is called.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: Name,
    pub(crate) params: Vec<Param>,
    pub(crate) types: Vec<Ty>,
    pub(crate) result: Ty,
    pub(crate) body: Expr,
    /// Whether a clause may assume the function (`assume`).
    pub(crate) fact: bool,
}

/// A timing, with the routines that open its window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opens {
    /// The number of the verb.
    pub timing: usize,
    /// Opens the window of one event.
    pub window: RoutineId,
    /// Opens one window for several events. None if the call that opens the window uses the arguments of its event.
    pub together: Option<RoutineId>,
}

/// A reading and its value in this program.
#[derive(Clone, Debug)]
pub(crate) enum ReadingValue {
    /// Named values: all of them, and the index of the one that holds.
    Named(Vec<String>, usize),
    /// A constant.
    Constant(Value, Ty),
}

/// The tables of all declared names.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// Enums; numbers are `EnumId`s.
    pub enums: Names,
    /// Each enum's values.
    pub values: Vec<Names>,
    /// The entry of `values` that lists the card types. These names are values only where a type is wanted.
    pub(crate) type_values: Option<usize>,
    /// Card types.
    pub card_types: Names,
    /// Fields of cards; `FieldId`s.
    pub fields: Names,
    /// Zones; `ZoneId`s.
    pub zones: Names,
    /// States and pools; `StateId`s.
    pub states: Names,
    /// Kinds of ability; `KindId`s.
    pub kinds: Names,
    /// Slots of abilities; `SlotId`s.
    pub slots: Names,
    /// Matches.
    pub matches: Names,
    /// Keywords; `KeywordId`s.
    pub keywords: Names,
    /// Durations.
    pub durations: Names,
    /// Moments.
    pub moments: Names,
    /// Declared causes; `CauseId`s.
    pub causes: Names,
    /// Declared choices.
    pub choices: Names,
    /// Phases.
    pub phases: Names,
    /// Rules that watch.
    pub rules: Names,
    /// Verbs, the builtin ones first; `VerbId`s.
    pub verbs: Names,
    /// Procedures.
    pub procedures: Names,
    /// Functions.
    pub functions: Names,
    /// Groups of options; `GroupId`s.
    pub groups: Names,
    /// Roles; `RoleId`s.
    pub roles: Names,
    /// Params.
    pub params: Names,
    /// Readings.
    pub readings: Names,
    /// Cards by number (labels: none); `CardId`s.
    pub cards: Names,
    /// The verbs of each type of event. Type 0 is an event of any verb.
    pub(crate) event_types: Shared<Vec<Vec<VerbId>>>,
    pub(crate) kind_slots: Shared<Vec<Vec<std::sync::Arc<crate::abilities::slot::KindSlot>>>>,
    pub(crate) match_decls: Shared<Vec<Arc<lang::syntax::ast::MatchDecl>>>,
    pub(crate) choice_cites: Shared<Vec<(String, engine::ids::CitesId)>>,
    /// The arguments that can be read from a declared option: the name, its type, and the option's verb.
    pub(crate) components: Shared<Vec<(String, Ty, VerbId)>>,
    /// For each option that is declared before it is processed: the names that it keeps, with their types.
    pub(crate) kept: Shared<Vec<(OptionId, TypedNames)>>,
    /// The timings, with the routines that open their windows.
    pub(crate) timings: Shared<Vec<Opens>>,
    /// The names that each pattern binds, in order.
    pub(crate) bound: Shared<Vec<Vec<(String, Ty)>>>,
    pub(crate) verb_signatures: Shared<Vec<Signature>>,
    pub(crate) procedure_signatures: Shared<Vec<(RoutineId, Signature)>>,
    pub(crate) function_bodies: Shared<Vec<Arc<Function>>>,
    pub(crate) param_values: Shared<Vec<(Value, Ty)>>,
    pub(crate) reading_values: Shared<Vec<ReadingValue>>,
}

impl Symbols {
    /// Switches off suggestions from here on.
    pub(crate) fn hush(&mut self) {
        let scopes = [
            &mut self.enums,
            &mut self.card_types,
            &mut self.fields,
            &mut self.zones,
            &mut self.states,
            &mut self.kinds,
            &mut self.slots,
            &mut self.matches,
            &mut self.keywords,
            &mut self.durations,
            &mut self.moments,
            &mut self.choices,
            &mut self.causes,
            &mut self.phases,
            &mut self.rules,
            &mut self.verbs,
            &mut self.procedures,
            &mut self.functions,
            &mut self.groups,
            &mut self.roles,
            &mut self.params,
            &mut self.readings,
            &mut self.cards,
        ];
        scopes.into_iter().chain(&mut self.values).for_each(|names| names.hushed = true);
    }

    /// The names of a function's parameters.
    #[must_use]
    pub fn function_parameters(&self, at: usize) -> Vec<&str> {
        let found = self.function_bodies.get(at);
        found.map(|function| function.params.iter().map(|param| param.name.text.as_str()).collect()).unwrap_or_default()
    }

    pub(crate) fn signature(&self, verb: VerbId) -> Signature {
        self.verb_signatures.get(verb.index()).cloned().unwrap_or_default()
    }

    /// The values of declared enums, each with its number.
    pub(crate) fn declared_values(&self) -> impl Iterator<Item = (usize, &Names)> {
        self.values.iter().enumerate().filter(|(id, _)| Some(*id) != self.type_values)
    }

    /// All bare names of expressions, for suggestions.
    pub(crate) fn value_words(&self) -> Vec<&str> {
        let scopes = [&self.zones, &self.params, &self.readings, &self.enums, &self.groups, &self.roles];
        scopes.into_iter().flat_map(Names::words).chain(self.declared_values().flat_map(|(_, values)| values.words())).collect()
    }

    /// All names that can be called, for suggestions.
    pub(crate) fn call_words(&self) -> Vec<&str> {
        [&self.verbs, &self.procedures, &self.functions, &self.zones].into_iter().flat_map(Names::words).collect()
    }
}

/// A head's name and label.
pub(crate) fn label_of(head: &Head) -> Option<&str> {
    head.label.as_ref().map(|label| label.text.as_str())
}

/// Names with their types.
pub(crate) type TypedNames = Vec<(String, Ty)>;
