//! What is asked of the reports: history, performance, debts, goals, losses, and sales that somebody thinks about.

use serde_json::json;

use super::{Call, call::Grouping};

/// Days of a question about a period; a missing first day means the first row of the book.
#[derive(Debug, Clone, Copy)]
pub struct Period<'a> {
    /// First day.
    pub from: Option<&'a str>,
    /// Last day.
    pub to: &'a str,
}

impl<'a> Period<'a> {
    /// From the first row on.
    #[must_use]
    pub fn until(to: &'a str) -> Self {
        Self { from: None, to }
    }

    /// Between two days, both inside.
    #[must_use]
    pub fn between(from: &'a str, to: &'a str) -> Self {
        Self {
            from: Some(from),
            to,
        }
    }
}

impl Call {
    /// Net worth at the ends of each `month`, `quarter` or `year` of a period.
    #[must_use]
    pub fn get_history(
        period: Period<'_>,
        interval: &str,
        by: Grouping<'_>,
        party: Option<&str>,
    ) -> Self {
        Self::new(
            "get_history",
            json!({ "from": period.from, "to": period.to, "interval": interval, "by": by, "party": party }),
        )
    }

    /// Gains and returns over a period, of one item or one party if named.
    #[must_use]
    pub fn get_performance(period: Period<'_>, item: Option<&str>, party: Option<&str>) -> Self {
        Self::new(
            "get_performance",
            json!({ "from": period.from, "to": period.to, "item": item, "party": party }),
        )
    }

    /// Loans and what secures them, on a day.
    #[must_use]
    pub fn get_debt_report(date: Option<&str>) -> Self {
        Self::new("get_debt_report", json!({ "date": date }))
    }

    /// How far goals are, on a day.
    #[must_use]
    pub fn get_goals(date: Option<&str>) -> Self {
        Self::new("get_goals", json!({ "date": date }))
    }

    /// Losses carried forward.
    #[must_use]
    pub fn get_losses() -> Self {
        Self::new("get_losses", json!({}))
    }

    /// What a sale of an item would bring; further arguments narrow it down.
    #[must_use]
    pub fn simulate_sale(item: &str) -> Self {
        Self::new("simulate_sale", json!({ "item": item }))
    }

    /// Net worth over all workspaces of the caller: their own share.
    #[must_use]
    pub fn get_own_share(date: Option<&str>) -> Self {
        Self::new("get_net_worth", json!({ "date": date, "workspace": "all" }))
    }
}
