//! gyoji (行司, the referee): trading card games whose rules are data.
//!
//! A game is a folder of rules files and cards. The program reads them, compiles them, and plays, simulates and checks the game. No code
//! here knows a word of any game.
//!
//! Each folder of `src/` is a crate. This one gives them one name, and `main.rs` passes the command line to `cli`. The way of a game through the crates:
//!
//! | crate | does |
//! | --- | --- |
//! | `project` | finds and reads the files of a game |
//! | `lang` | turns a source text into a syntax tree; findings about texts and answers, with their words |
//! | `wording` | turns the printed text of a card into abilities, as syntax trees |
//! | `compile` | turns syntax trees into a program |
//! | `engine` | runs a program: questions, answers, events, the end of a game |
//! | `players` | answers questions, at random or from a recorded game |
//! | `tell` | puts values and steps into words |
//! | `scenario` | runs rulings that are written as scenarios |
//! | `audit` | breaks rules on purpose to see whether the scenarios notice |
//! | `report` | shows values of the other crates as text or JSON |
//! | `cli` | the commands |

pub use lang::{diagnostic, syntax};
pub use {audit, cli, compile, engine, players, project, report, scenario, tell, wording};
