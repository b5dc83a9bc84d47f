//! The hash by which saves and replays name a program: FNV-1a over file names and texts. It is the same on every platform.

/// The hash of the parts, in order. The borders between parts count.
#[must_use]
pub fn fnv1a<'a>(parts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        // 0xFF occurs in no UTF-8 text, so it marks the end of a part.
        for byte in part.bytes().chain([0xFF]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}
