//! Declarations: gives everything that has a name its number, and reads the declarations without a body: names, labels, policies, layers,
//! the table.
//!
//! `declare` is the first pass. `coherence`, `sizes` and `completion` are the last: they need all declarations together.
//!
//! | file | does |
//! | --- | --- |
//! | `coherence.rs` | checks that need all declarations together |
//! | `completion.rs` | completes a program at the end of compiling |
//! | `declare.rs` | first pass: gives everything that has a name its number, before any body is lowered |
//! | `dotted.rs` | refuses names that would mean two things after a dot |
//! | `layers.rs` | compiles `layers { … }`, and finds the layer of each change that an effect makes |
//! | `lookup.rs` | finds the number of a name or label, for scenarios, decks and the command line |
//! | `moves.rs` | compiles `moves { … }`: what a card keeps when it moves from one zone to another |
//! | `names.rs` | the declared names with their printed labels: the compiler's dictionaries |
//! | `own_words.rs` | refuses declarations whose name is a word that expressions have already: `none`, `it`, `you`, `players` |
//! | `policies.rs` | compiles policies: how a game decides matters that no statement mentions |
//! | `policy_words.rs` | the entries of policies with their words |
//! | `properties.rs` | reads the phrases in a declaration's braces: `each player`, `hidden except to owner`, `at most 1` |
//! | `readings.rs` | compiles readings: the ways in which the rulebook can be read |
//! | `sizes.rs` | checks that a program is not too large: the numbers in the engine's tables have few bits |
//! | `source_map.rs` | the places of a program's parts in the sources |
//! | `table.rs` | compiles `table { … }`: the rows in which the table is drawn, and the hidden zones and values |

pub(crate) mod coherence;
pub(crate) mod completion;
pub(crate) mod declare;
mod dotted;
pub(crate) mod layers;
pub(crate) mod lookup;
pub(crate) mod moves;
pub(crate) mod names;
pub(crate) mod own_words;
pub(crate) mod policies;
pub(crate) mod policy_words;
pub(crate) mod properties;
mod readings;
pub(crate) mod sizes;
pub(crate) mod source_map;
pub(crate) mod table;
