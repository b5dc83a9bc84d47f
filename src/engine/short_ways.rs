//! How often the engine takes each of its short ways: caches, guards, and statements without the general work around them.
//!
//! A short way gives the result of the general way with less work. A short way that no game takes is only something more to read, and
//! something more that can be wrong. So the bench `games` prints these counts, and a test fails where none of the games takes a short way
//! (`tests/suite/short_ways.rs`). The counts belong to a thread. They are no part of a state.

use std::cell::Cell;

macro_rules! short_ways {
    ($($name:ident: $says:literal,)+) => {
        /// A short way.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ShortWay {
            $(#[doc = $says] $name,)+
        }

        impl ShortWay {
            /// All short ways, each with the words that say when it is taken.
            pub const ALL: &[(ShortWay, &str)] = &[$((ShortWay::$name, $says),)+];
        }
    };
}

short_ways! {
    Quiet: "statements are carried out without the general work around them (`run/quiet.rs`)",
    Quick: "the value of an expression in a statement is found without an evaluation (`eval/quick.rs`)",
    CallGuard: "a call would do nothing, and is passed over",
    CommonBeginning: "a game begins with the copy of an earlier beginning",
    CopySharesStates: "a copy of a board leaves states alone that are equal by version",
    Guard: "a guard finds out whether an option can be carried out, without a trial run",
    GuardIsSure: "a guard comes to a statement after which nothing can fail",
    Footprint: "an earlier trial run with the same footprint decides",
    Bases: "the base sets of an option are kept from an earlier offer",
    Candidates: "the candidates of an offer are kept from the check of the offer",
    FieldCache: "the members of a field are kept while one offer is looked at",
    RuleKnown: "nothing that an immediate rule reads was written, so its truth is known",
    RuleWaits: "no ability waits, so a rule about waiting abilities is not due",
    RuleTies: "which effects can be tied is known from the row of effects",
    ValuesStand: "nothing that the watched values read was written",
    PendingOutside: "waiting abilities outside of a zone are looked for from the newest",
    KnownValue: "a value that effects lead to is kept while the position stands",
    ExtentKept: "the extent of an effect is kept for the cards that have not changed",
    SeenEffect: "the number of an effect is kept for a fingerprint",
    SeenEvent: "the number of an event is kept for a fingerprint",
    SeenStates: "the number of a state's values is kept for a fingerprint",
}

thread_local! {
    static TAKEN: [Cell<u64>; ShortWay::ALL.len()] = const { [const { Cell::new(0) }; ShortWay::ALL.len()] };
}

/// Counts that a short way was taken.
#[inline]
pub(crate) fn took(way: ShortWay) {
    took_times(way, 1);
}

/// Counts that a short way was taken several times.
#[inline]
pub(crate) fn took_times(way: ShortWay, times: u64) {
    TAKEN.with(|taken| {
        if let Some(count) = taken.get(way as usize) {
            count.set(count.get() + times);
        }
    });
}

/// How often this thread has taken each short way since it last asked.
#[must_use]
pub fn taken() -> Vec<(ShortWay, u64)> {
    TAKEN.with(|taken| ShortWay::ALL.iter().zip(taken).map(|((way, _), count)| (*way, count.take())).collect())
}
