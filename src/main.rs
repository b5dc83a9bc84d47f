//! The program.

use std::process::ExitCode;

fn main() -> ExitCode {
    gyoji::cli::main(std::env::args_os()).into()
}
