//! From declarations to a grammar: spellings, families, words and templates become rules.
//!
//! | file | does |
//! | --- | --- |
//! | `check.rs` | checks the holes of templates, and categories that contain themselves |
//! | `draft.rs` | turns one template into its rules |
//! | `expand.rs` | puts spellings, meanings and families into the lines that use them |
//! | `families.rs` | the lines of a family with names filled in |
//! | `frames.rs` | turns a verb with its arguments into templates |
//! | `grammar.rs` | the compiled grammar |
//! | `inflect.rs` | the forms of inflected words |
//! | `lexicon.rs` | the printed labels of a game |
//! | `lower.rs` | turns declarations into the grammar |
//! | `putting.rs` | puts the scripts of meanings in the places of their calls |
//! | `rescript.rs` | replaces the script of one template, for the audit |
//! | `scripts.rs` | what the templates' scripts name; the template that a finding comes from |

pub(super) mod check;
pub(super) mod draft;
pub(super) mod expand;
pub(super) mod families;
pub(super) mod frames;
pub(super) mod grammar;
pub(super) mod inflect;
pub(super) mod lexicon;
pub(super) mod lower;
pub(super) mod putting;
pub(super) mod rescript;
pub(super) mod scripts;
