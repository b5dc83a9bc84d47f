//! The binary `gyoji`: passes the command line to [`gyoji::cli`].

use std::process::ExitCode;

/// An allocator for many threads. Reading files takes many small pieces of memory on every core at once; with the system's allocator the
/// cores wait for one another.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    gyoji::cli::main(std::env::args_os()).into()
}
