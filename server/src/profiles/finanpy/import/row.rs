//! A record of a statement as a transaction: the date's day first, the sign as the type, the bank's own key.

use jiff::civil::Date;

use crate::profiles::finanpy::amount::{Amount, AmountError};
use crate::profiles::finanpy::calendar;
use crate::profiles::finanpy::registering::{EXPENSE, INCOME, UNCATEGORIZED};
use crate::profiles::finanpy::rules::{
    BrokenRow, CsvCategory, CsvDateOrder, CsvSign, ImportRules, Rounding,
};
use crate::profiles::finanpy::store::NewRow;

/// Most characters of a wrong value that a reason quotes.
const QUOTED: usize = 40;

/// Where the columns stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    date: usize,
    value: usize,
    identifier: usize,
    description: usize,
    count: usize,
}

impl Columns {
    /// Finds the columns by their names, in any order and case, with or without accents; others may stand beside them.
    pub fn find(header: &[String]) -> Option<Self> {
        let names: Vec<String> = header
            .iter()
            .map(|name| {
                name.trim()
                    .to_lowercase()
                    .replace('ç', "c")
                    .replace('ã', "a")
            })
            .collect();
        let place = |wanted: &str| names.iter().position(|name| name == wanted);
        Some(Self {
            date: place("data")?,
            value: place("valor")?,
            identifier: place("identificador")?,
            description: place("descricao").or_else(|| mangled(&names))?,
            count: names.len(),
        })
    }

    /// The transaction of a record.
    ///
    /// # Errors
    /// What is wrong with it, for the person who imports.
    pub fn read(&self, fields: &[String], rules: &ImportRules) -> Result<NewRow, String> {
        let read = self.checked(fields, rules);
        match (read, rules.broken) {
            (Err(_), BrokenRow::StoredAnyway) => Ok(self.whatever(fields)),
            (read, _) => read,
        }
    }

    fn checked(&self, fields: &[String], rules: &ImportRules) -> Result<NewRow, String> {
        if fields.len() != self.count {
            return Err(format!(
                "{} columns where there should be {}",
                fields.len(),
                self.count
            ));
        }
        let field = |place: usize| fields.get(place).map_or("", |text| text.trim());
        let date = date(field(self.date), rules.date_order)
            .ok_or_else(|| format!("Data {} is no date DD/MM/YYYY", quoted(field(self.date))))?;
        let amount = value(field(self.value))?;
        let identifier = field(self.identifier);
        if identifier.is_empty() {
            return Err("Identificador is empty".to_owned());
        }
        // Not trimmed: a text is kept as it is.
        let description = fields.get(self.description).cloned().unwrap_or_default();
        if identifier.contains('\0') || description.contains('\0') {
            return Err("the row holds a NUL character".to_owned());
        }
        let (kind, amount) = match rules.sign {
            CsvSign::GivesType if amount.is_negative() => (EXPENSE, amount),
            CsvSign::GivesType => (INCOME, amount),
            CsvSign::Lost => (INCOME, amount.absolute()),
        };
        let category = match rules.category {
            CsvCategory::Uncategorized => UNCATEGORIZED,
            CsvCategory::Empty => "",
        };
        Ok(NewRow {
            identifier: Some(identifier.to_owned()),
            kind: kind.to_owned(),
            amount,
            category: category.to_owned(),
            description,
            date: date.to_string(),
        })
    }

    /// What a defective rule makes of a record that cannot be read.
    fn whatever(&self, fields: &[String]) -> NewRow {
        let field = |place: usize| fields.get(place).cloned().unwrap_or_default();
        NewRow {
            identifier: Some(field(self.identifier)),
            kind: INCOME.to_owned(),
            amount: value(&field(self.value)).unwrap_or_default(),
            category: UNCATEGORIZED.to_owned(),
            description: field(self.description),
            date: field(self.date),
        }
    }
}

/// The last column, where its name went through a wrong encoding.
fn mangled(names: &[String]) -> Option<usize> {
    names.iter().position(|name| name.starts_with("descri"))
}

fn date(text: &str, order: CsvDateOrder) -> Option<Date> {
    let day_first = calendar::parse_day_first(text);
    match order {
        CsvDateOrder::DayFirst => day_first,
        CsvDateOrder::MonthFirst => calendar::parse_month_first(text).or(day_first),
    }
}

/// A value with a point before its places and a sign or none.
fn value(text: &str) -> Result<Amount, String> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, places) = digits.split_once('.').unwrap_or((digits, "0"));
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !number(whole) || !number(places) {
        return Err(format!(
            "Valor {} is no number such as -50.00",
            quoted(text)
        ));
    }
    match Amount::from_text(text, Rounding::HalfUp) {
        Ok(amount) if amount.is_zero() => {
            Err("Valor is zero, which is neither income nor expense".to_owned())
        }
        Ok(amount) => Ok(amount),
        Err(AmountError::TooLarge) => Err(format!("Valor {} is too large", quoted(text))),
        Err(AmountError::NotANumber) => Err(format!(
            "Valor {} is no number such as -50.00",
            quoted(text)
        )),
    }
}

/// A wrong value as a reason shows it: short, and without control characters.
fn quoted(text: &str) -> String {
    let shown: String = text
        .chars()
        .filter(|character| !character.is_control())
        .take(QUOTED)
        .collect();
    format!("\"{shown}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split('|').map(str::to_owned).collect()
    }

    fn columns() -> Columns {
        Columns::find(&words("Data|Valor|Identificador|Descrição")).unwrap()
    }

    fn read(line: &str) -> Result<NewRow, String> {
        columns().read(&words(line), &ImportRules::default())
    }

    #[test]
    fn rows_of_the_page() {
        let row = read("05/06/2026|-50.00|69fa0c7e-1|Transferência Pix ").unwrap();
        assert_eq!(
            (
                row.kind.as_str(),
                row.amount.to_string().as_str(),
                row.date.as_str()
            ),
            ("despesa", "-50.00", "2026-06-05")
        );
        assert_eq!(row.category, "sem categoria");
        assert_eq!(row.description, "Transferência Pix ");
        let row = read("06/05/2026|188.03|69fbee60-2|Resgate RDB").unwrap();
        assert_eq!(
            (row.kind.as_str(), row.amount.to_string().as_str()),
            ("receita", "188.03")
        );
    }

    #[test]
    fn columns_are_found_by_name() {
        assert_eq!(Columns::find(&words("Data|Valor|Identificador")), None);
        let other = Columns::find(&words("descricao|DATA| Valor |Saldo|identificador")).unwrap();
        let row = other
            .read(
                &words("Uber|05/05/2026|-1.005|9.00|a"),
                &ImportRules::default(),
            )
            .unwrap();
        assert_eq!(
            (row.description.as_str(), row.amount.to_string().as_str()),
            ("Uber", "-1.01")
        );
    }

    #[test]
    fn every_broken_row_has_its_reason_which_never_quotes_the_description() {
        for (line, reason) in [
            ("31/02/2026|-1.00|a|Maria", "Data \"31/02/2026\""),
            ("2026-05-05|-1.00|a|Maria", "Data"),
            ("05/05/2026|abc|a|Maria", "Valor \"abc\""),
            ("05/05/2026|1,50|a|Maria", "Valor"),
            ("05/05/2026|1e5|a|Maria", "Valor"),
            ("05/05/2026||a|Maria", "Valor"),
            ("05/05/2026|0.00|a|Maria", "zero"),
            ("05/05/2026|0.004|a|Maria", "zero"),
            ("05/05/2026|99999999999999.00|a|Maria", "too large"),
            ("05/05/2026|1.00||Maria", "Identificador"),
            ("05/05/2026|1.00|a", "3 columns"),
            ("05/05/2026|1.00|a|Maria|x", "5 columns"),
        ] {
            let told = read(line).unwrap_err();
            assert!(
                told.contains(reason) && !told.contains("Maria"),
                "{line}: {told}"
            );
        }
    }
}
