//! What a finding says of a text that cannot be read: where reading stops, and what may have been meant.

pub(super) mod meant;
pub(super) mod report;
pub(super) mod stuck;
