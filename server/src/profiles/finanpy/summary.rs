//! `resumo_financeiro_atual`: what came in and went out this month, summed exactly.

use std::collections::BTreeMap;

use serde::Serialize;

use super::amount::Amount;
use super::registering::{EXPENSE, INCOME, UNCATEGORIZED};
use super::rules::{Balance, SummaryExpense, SummaryRules};
use super::store::StoredRow;

/// The resource as it is read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    period: String,
    total_income: Amount,
    total_expense: Amount,
    balance: Amount,
    expenses_by_category: BTreeMap<String, Amount>,
}

impl Summary {
    /// Sums the rows of the month `period`, `YYYY-MM`. A row without an amount, type or category of the page's kind, which only another
    /// program can have written, counts as nothing or as `sem categoria`.
    pub fn of(period: String, rows: &[StoredRow], rules: &SummaryRules) -> Self {
        let mut income = Amount::default();
        let mut expense = Amount::default();
        let mut by_category: BTreeMap<String, Amount> = BTreeMap::new();
        for row in rows {
            let Some(amount) = row.amount.and_then(Amount::from_stored) else {
                continue;
            };
            let amount = amount.rounded();
            match row.kind.as_deref() {
                Some(INCOME) => income = income.plus(amount),
                Some(EXPENSE) => {
                    let spent = match rules.expense_sign {
                        SummaryExpense::Positive => amount.negated(),
                        SummaryExpense::Negative => amount,
                    };
                    expense = expense.plus(spent);
                    let category = row.category.as_deref().unwrap_or(UNCATEGORIZED);
                    let sum = by_category.entry(category.to_owned()).or_default();
                    *sum = sum.plus(spent);
                }
                _ => {}
            }
        }
        let spent = match rules.expense_sign {
            SummaryExpense::Positive => expense,
            SummaryExpense::Negative => expense.negated(),
        };
        let balance = match rules.balance {
            Balance::Difference => income.plus(spent.negated()),
            Balance::Sum => income.plus(spent),
        };
        Self {
            period,
            total_income: income,
            total_expense: expense,
            balance,
            expenses_by_category: by_category,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row(kind: &str, centavos: i64, category: &str) -> StoredRow {
        StoredRow {
            id: 1,
            identifier: None,
            kind: Some(kind.to_owned()),
            amount: Some(centavos as f64 / 100.0),
            category: Some(category.to_owned()),
            description: None,
            date: Some("2026-06-05".to_owned()),
        }
    }

    fn shown(rows: &[StoredRow], rules: &SummaryRules) -> String {
        serde_json::to_string(&Summary::of("2026-06".to_owned(), rows, rules)).unwrap()
    }

    #[test]
    fn the_month_of_the_page() {
        let rows = [
            row("receita", 183_529, UNCATEGORIZED),
            row("despesa", -46_275, UNCATEGORIZED),
        ];
        assert_eq!(
            shown(&rows, &SummaryRules::default()),
            r#"{"period":"2026-06","total_income":1835.29,"total_expense":462.75,"balance":1372.54,"expenses_by_category":{"sem categoria":462.75}}"#
        );
    }

    #[test]
    fn an_empty_month_is_zeros() {
        assert_eq!(
            shown(&[], &SummaryRules::default()),
            r#"{"period":"2026-06","total_income":0.00,"total_expense":0.00,"balance":0.00,"expenses_by_category":{}}"#
        );
    }

    #[test]
    fn rows_without_amount_or_category_do_not_break_it() {
        let mut without = row("despesa", -100, "");
        (without.amount, without.category) = (None, None);
        let mut uncategorized = row("despesa", -250, "");
        uncategorized.category = None;
        let text = shown(&[without, uncategorized], &SummaryRules::default());
        assert!(
            text.contains(r#""expenses_by_category":{"sem categoria":2.50}"#),
            "{text}"
        );
    }

    proptest! {
        /// No centavo is lost, however many rows there are; and the categories are the whole.
        #[test]
        fn sums_are_exact(rows in prop::collection::vec((any::<bool>(), 1i64..100_000_000, "[a-c]"), 0..60)) {
            let stored: Vec<_> = rows
                .iter()
                .map(|(income, centavos, category)| {
                    if *income { row("receita", *centavos, category) } else { row("despesa", -centavos, category) }
                })
                .collect();
            let summary = Summary::of("2026-06".to_owned(), &stored, &SummaryRules::default());
            let total = |wanted: bool| rows.iter().filter(|(income, ..)| *income == wanted).map(|(_, centavos, _)| centavos).sum::<i64>();
            prop_assert_eq!(summary.total_income.centavos(), Some(total(true)));
            prop_assert_eq!(summary.total_expense.centavos(), Some(total(false)));
            prop_assert_eq!(summary.balance.centavos(), Some(total(true) - total(false)));
            let categories: i64 = summary.expenses_by_category.values().filter_map(|amount| amount.centavos()).sum();
            prop_assert_eq!(categories, total(false));
        }
    }
}
