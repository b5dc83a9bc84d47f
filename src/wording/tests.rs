//! Tests of the wording floor: the printed cards' scripts, and what is wrong with texts and templates.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod kaiun;
