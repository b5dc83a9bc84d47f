//! The tests from outside, one binary for all of them: each of them would link the whole library anew.
//!
//! Beside it stand only what needs a binary of its own: the scenarios (a test for each ruling) and the count of memory taken (an allocator).

mod audit;
mod called;
mod cli;
mod damaged_saves;
mod desk;
mod differential;
mod documents;
mod drawn;
mod effects;
mod explain;
mod grown;
mod lane;
mod noninterference;
mod objects;
mod pages;
mod phrases;
mod promises;
mod random_games;
mod reference;
mod round_trip;
mod sameness;
mod sampling;
mod syntax;
mod tidy;
mod trace;
mod views;
mod why;
mod wording;
mod written;
