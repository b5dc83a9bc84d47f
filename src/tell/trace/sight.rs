//! Which cards a reader may know during the steps.

use engine::steps::View;
use engine::value::{ObjectId, Player};

/// What one seat sees now, and what it saw one step ago. If a card leaves the seat's sight, its name may still be shown in the step that
/// moves the card away.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    seat: Option<Player>,
    before: Vec<bool>,
    now: Vec<bool>,
}

impl Sight {
    /// The sight of that seat. None: everything.
    #[must_use]
    pub fn new(seat: Option<Player>) -> Self {
        Self { seat, before: Vec::new(), now: Vec::new() }
    }

    /// The seat.
    #[must_use]
    pub fn seat(&self) -> Option<Player> {
        self.seat
    }

    /// Updates the sight from the board.
    pub fn looks(&mut self, view: &View<'_>) {
        let Some(seat) = self.seat else { return };
        self.now.clear();
        let cards = (0..view.state.board.objects.len()).map(|id| ObjectId(id as u16));
        self.now.extend(cards.map(|id| view.state.board.sees(view.program, seat, id)));
    }

    /// Turns the present sight into the past one.
    pub fn remembers(&mut self) {
        std::mem::swap(&mut self.before, &mut self.now);
    }

    /// Whether the card may be named in this step.
    #[must_use]
    pub fn knows(&self, id: ObjectId) -> bool {
        let in_list = |list: &[bool]| list.get(usize::from(id.0)).copied().unwrap_or(false);
        self.seat.is_none() || in_list(&self.now) || in_list(&self.before)
    }
}
