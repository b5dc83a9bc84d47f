//! gyoji (行司, the referee): trading card games whose rules are data.
//!
//! A game is a folder of rules files and cards. The program reads them, compiles them, and plays, simulates and checks the game. No code
//! here knows a word of any game.
//!
//! The way of a game through the folders:
//!
//! | folder | does |
//! | --- | --- |
//! | `project/` | finds and reads the files of a game |
//! | `syntax/` | turns a source text into a syntax tree |
//! | `wording/` | turns the printed text of a card into abilities, as syntax trees |
//! | `compile/` | turns syntax trees into a program |
//! | `engine/` | runs a program: questions, answers, events, the end of a game |
//! | `players/` | answers questions, at random or from a recorded game |
//! | `scenario/` | runs rulings that are written as scenarios |
//! | `audit/` | breaks rules on purpose to see whether the scenarios notice |
//! | `diagnostic/` | findings about files and answers, with their texts |
//! | `report/` | shows values of the other folders as text or JSON |
//! | `cli/` | the commands |

// The code that pest generates from the grammar uses the name `alloc`.
extern crate alloc;

pub mod audit;
pub mod cli;
pub mod compile;
pub mod diagnostic;
pub mod engine;
pub mod players;
pub mod project;
pub mod report;
pub mod scenario;
pub mod syntax;
pub mod wording;
