//! One file per area of the tool table; every function is one tool.

pub(super) mod batches;
pub(super) mod committing;
pub(super) mod debts;
pub(super) mod goals;
pub(super) mod history;
pub(super) mod instruments;
pub(super) mod invites;
pub(super) mod items;
pub(super) mod losses;
pub(super) mod members;
pub(super) mod net_worth;
pub(super) mod overview;
pub(super) mod parties;
pub(super) mod performance;
pub(super) mod reconciling;
pub(super) mod recording;
pub(super) mod selling;
pub(super) mod undoing;
pub(super) mod updating;
pub(super) mod voiding;
pub(super) mod workspaces;
