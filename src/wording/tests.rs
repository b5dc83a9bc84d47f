//! Tests of the wording floor.
