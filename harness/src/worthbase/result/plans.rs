//! What the book shows beside the balance sheet: debts and what secures them, goals, losses, a sale that is thought about.

use serde::Deserialize;

use super::{NetWorthChange, SoldLot};
use crate::worthbase::Figure;

/// `get_debt_report`.
#[derive(Debug, Clone, Deserialize)]
pub struct DebtReport {
    /// Every loan.
    pub loans: Vec<Loan>,
    /// Every property.
    pub properties: Vec<Property>,
    /// All loans together.
    pub totals: DebtTotals,
}

/// A loan.
#[derive(Debug, Clone, Deserialize)]
pub struct Loan {
    /// Id of the item.
    pub item: String,
    /// What is owed.
    pub balance: Option<Figure>,
    /// ISO 4217, of the balance and what is left of it.
    pub currency: String,
    /// Accounts that offset it.
    pub offsets: Vec<Offset>,
    /// What they take off.
    pub offset: Option<Figure>,
    /// What is left.
    pub net_of_offset: Option<Figure>,
    /// What secures it.
    pub secured_by: Vec<Linked>,
    /// What it paid for.
    pub funds: Vec<Linked>,
    /// The balance in the currency of the book.
    pub value_base: Option<Figure>,
    /// ISO 4217 of `value_base`.
    pub base_currency: String,
}

/// An account that offsets a loan.
#[derive(Debug, Clone, Deserialize)]
pub struct Offset {
    /// Id of the item.
    pub item: String,
    /// Its balance.
    pub balance: Figure,
    /// ISO 4217.
    pub currency: String,
}

/// The other side of a link.
#[derive(Debug, Clone, Deserialize)]
pub struct Linked {
    /// Id of the item.
    pub item: String,
}

/// A property.
#[derive(Debug, Clone, Deserialize)]
pub struct Property {
    /// Id of the item.
    pub item: String,
    /// What it is worth.
    pub value: Option<Figure>,
    /// ISO 4217.
    pub currency: String,
    /// The same in the currency of the book, like the figures that follow.
    pub value_base: Option<Figure>,
    /// What the loans that it secures owe.
    pub secured_debt: Figure,
    /// Value less that.
    pub equity: Option<Figure>,
    /// Secured debt over value.
    pub lvr: Option<Figure>,
}

/// All loans together.
#[derive(Debug, Clone, Deserialize)]
pub struct DebtTotals {
    /// What they owe, each counted once.
    pub total_debt: Figure,
    /// ISO 4217.
    pub currency: String,
}

/// `get_goals`.
#[derive(Debug, Clone, Deserialize)]
pub struct Goals {
    /// Those that are not put away.
    pub goals: Vec<Goal>,
}

/// A goal on a day.
#[derive(Debug, Clone, Deserialize)]
pub struct Goal {
    /// Id.
    pub id: String,
    /// As somebody wrote it.
    pub name: String,
    /// `net_worth` or `debt`.
    pub kind: String,
    /// The figure to reach, as given.
    pub target: Figure,
    /// By when.
    pub by: Option<String>,
    /// The figure of the day.
    pub current: Option<Figure>,
    /// How much of the way is done.
    pub progress: Option<Figure>,
    /// What changed in twelve months.
    pub trend_12m: Option<Figure>,
    /// The same by month.
    pub trend_monthly: Option<Figure>,
    /// When the trend reaches the target.
    pub projected_date: Option<String>,
    /// Whether it is reached.
    pub reached: bool,
    /// Whether it will be reached in time.
    pub on_pace: Option<bool>,
}

/// `set_goal`.
#[derive(Debug, Clone, Deserialize)]
pub struct SavedGoal {
    /// The goal.
    pub goal: Saved,
    /// The batch of the change.
    pub batch: String,
}

/// `set_loss`.
#[derive(Debug, Clone, Deserialize)]
pub struct SavedLoss {
    /// The loss.
    pub loss: Saved,
    /// The batch of the change.
    pub batch: String,
}

/// What was saved, of which only the id is read.
#[derive(Debug, Clone, Deserialize)]
pub struct Saved {
    /// Id.
    pub id: String,
}

/// Any change that is a batch of its own: `set_owners`, `link_items`, `archive_item`, …
#[derive(Debug, Clone, Deserialize)]
pub struct Changed {
    /// The batch.
    pub batch: String,
    /// Net worth of today around it.
    pub net_worth: NetWorthChange,
}

/// `get_losses`.
#[derive(Debug, Clone, Deserialize)]
pub struct Losses {
    /// Those that are not put away.
    pub losses: Vec<Loss>,
    /// What is left by party.
    pub totals: Vec<PartyLosses>,
}

/// A loss carried forward.
#[derive(Debug, Clone, Deserialize)]
pub struct Loss {
    /// Id.
    pub id: String,
    /// Whose.
    pub party: String,
    /// `business`, `capital` or `rental`.
    pub kind: String,
    /// The year it arose in.
    pub year: i64,
    /// Lost, as given.
    pub amount: Figure,
    /// Used, as given.
    pub used: Figure,
    /// Left.
    pub remaining: Figure,
    /// Free text.
    pub note: Option<String>,
}

/// The losses of one party.
#[derive(Debug, Clone, Deserialize)]
pub struct PartyLosses {
    /// Id of the party.
    pub party: String,
    /// All kinds together.
    #[serde(flatten)]
    pub total: LossTotal,
    /// Each kind.
    pub kinds: Vec<KindLosses>,
}

/// The losses of one kind.
#[derive(Debug, Clone, Deserialize)]
pub struct KindLosses {
    /// `business`, `capital` or `rental`.
    pub kind: String,
    /// Its figures.
    #[serde(flatten)]
    pub total: LossTotal,
}

/// Lost, used and left.
#[derive(Debug, Clone, Deserialize)]
pub struct LossTotal {
    /// Lost.
    pub amount: Figure,
    /// Used.
    pub used: Figure,
    /// Left.
    pub remaining: Figure,
}

/// `simulate_sale`.
#[derive(Debug, Clone, Deserialize)]
pub struct SimulatedSale {
    /// Day of the sale.
    pub date: String,
    /// Units; none for something sold as a whole.
    pub units: Option<Figure>,
    /// Price of one unit, where it rests on one.
    pub price: Option<Figure>,
    /// Day of the price or valuation, where the caller gave none.
    pub price_date: Option<String>,
    /// Fees.
    pub fees: Option<Figure>,
    /// ISO 4217, of all figures that do not end in `_base`.
    pub currency: String,
    /// Before fees.
    pub gross_proceeds: Figure,
    /// After fees.
    pub net_proceeds: Figure,
    /// Cost of what would be sold.
    pub cost_base: Figure,
    /// Proceeds less cost.
    pub gain: Figure,
    /// The gain in the currency of the book.
    pub gain_base: Option<Figure>,
    /// ISO 4217 of it.
    pub base_currency: Option<String>,
    /// The lots it would take.
    pub lots: Vec<SoldLot>,
    /// The gain of each owner.
    pub parties: Vec<PartyGain>,
    /// What would be left.
    pub position_after: PositionAfter,
}

/// An owner's part of a gain.
#[derive(Debug, Clone, Deserialize)]
pub struct PartyGain {
    /// Id of the party.
    pub party: String,
    /// Its part.
    pub gain: Figure,
}

/// What a sale would leave.
#[derive(Debug, Clone, Deserialize)]
pub struct PositionAfter {
    /// Units; none for something sold as a whole.
    pub units: Option<Figure>,
    /// Cost of what is left.
    pub cost_base: Figure,
    /// Its value.
    pub value: Option<Figure>,
}

/// `get_net_worth` over all workspaces of somebody.
#[derive(Debug, Clone, Deserialize)]
pub struct OwnShare {
    /// What is owned.
    pub assets: Figure,
    /// What is owed.
    pub liabilities: Figure,
    /// The difference.
    pub net_worth: Figure,
    /// ISO 4217, of all three.
    pub currency: String,
    /// Whether something is missing in it.
    pub partial: bool,
    /// The rates between the workspaces' currencies and this one, and inside the workspaces.
    pub rates: Vec<super::Rate>,
    /// Each workspace.
    pub workspaces: Vec<ShareOfOne>,
}

/// One workspace's part of it.
#[derive(Debug, Clone, Deserialize)]
pub struct ShareOfOne {
    /// Its name.
    pub name: String,
    /// Whether it is in the total.
    pub included: bool,
    /// Its own figures; none where it is left out.
    pub net_worth: Option<super::NetWorth>,
}
