//! The program.

use std::process::ExitCode;

/// Reading files takes many small pieces of memory on every core at once; the system's own makes the cores wait for one another.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    gyoji::cli::main(std::env::args_os()).into()
}
