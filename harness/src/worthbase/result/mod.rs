//! What the tools give back: the fields that scenarios read, with the contract's names. Fields nobody reads are left out,
//! so a server may add to its results. A decimal is a [`Figure`](super::Figure): a JSON number in its place is no result.

mod item;
mod people;
mod period;
mod plans;
mod report;
mod write;

use serde::Deserialize;

pub use item::{
    Flags, Identified, Item, ItemDetail, ItemPage, Link, Lot, Owner, Position, Price, Sale,
    SoldLot, Transaction, Transfer, Valuation,
};
pub use people::{
    Identity, Joined, MadeInvite, Member, Membership, OpenInvite, OwnWorkspace, SavedWorkspace,
    Subscription, WaitingInvite,
};
pub use period::{History, ItemReturns, Movement, Performance, Point, Returns};
pub use plans::{
    Changed, DebtReport, DebtTotals, Goal, Goals, KindLosses, Linked, Loan, Loss, LossTotal,
    Losses, Offset, OwnShare, PartyGain, PartyLosses, PositionAfter, Property, Saved, SavedGoal,
    SavedLoss, ShareOfOne, SimulatedSale,
};
pub use report::{
    BatchPage, Client, Flagged, FoundInstruments, Instrument, ItemCounts, NetWorth, Overview, Part,
    PriceRun, StartedRun, WrittenBatch,
};
pub use write::{
    Created, CreatedThing, Difference, LedgerWrite, NetWorthChange, Rate, Reconciliation, Recorded,
    Removed, RowPlace, RowVerdict, SavedAccount, SavedParty, Undone, Voided, Warning,
};

/// Something with an id and a name.
#[derive(Debug, Clone, Deserialize)]
pub struct Named {
    /// Id.
    pub id: String,
    /// Name, as given.
    pub name: String,
    /// Kind, of a party or an account.
    pub kind: Option<String>,
}
