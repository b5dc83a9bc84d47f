mod context;
mod exit;
pub use context::{Context, Flags, Format, Lang};
pub use exit::Exit;
