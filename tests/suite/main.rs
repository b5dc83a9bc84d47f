//! The tests from outside. They are one binary, because every binary would have to link the whole library again.
//!
//! Only two tests have a binary of their own: the scenarios (one test for each ruling), and the count of memory (it needs its own allocator).

mod acts;
mod asked_of_hidden;
mod audit;
mod called;
mod changed_scripts;
mod circles;
mod cli;
mod damaged_saves;
mod desk;
mod differential;
mod documents;
mod drawn;
mod effects;
mod explain;
mod fixture_texts;
mod grown;
mod joint;
mod never_heard;
mod noninterference;
mod objects;
mod open_cases;
mod pages;
mod phrases;
mod promises;
mod random_games;
mod read_scripts;
mod reference;
mod round_trip;
mod sameness;
mod sampling;
mod short_ways;
mod shown;
mod spared;
mod syntax;
mod tidy;
mod trace;
mod unfelt;
mod unseen;
mod views;
mod why;
mod wording;
mod words_of_texts;
mod work;
mod written;
