//! What the cash book answers, read by the page's names, with the words that say what is wrong with it.

use std::collections::BTreeMap;
use std::str::FromStr as _;

use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::entry::FIELDS;
use crate::client::ToolAnswer;
use crate::suite::Failure;

/// The codes of the page.
pub const CODES: [&str; 7] = [
    "INVALID_DATE",
    "DUPLICATE",
    "BAD_TYPE",
    "INVALID_AMOUNT",
    "DB_BUSY",
    "MISSING_FIELD",
    "INVALID_PERIOD",
];

/// What came back for a call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The tool answered, with a result or a refusal.
    Tool(ToolAnswer),
    /// The protocol refused the call before the tool saw it.
    Protocol {
        /// JSON-RPC error code.
        code: i64,
        /// Its text.
        message: String,
    },
}

/// A transaction that was accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct Registered {
    /// Its id.
    pub id: i64,
    /// The amount without a sign.
    pub amount: Decimal,
    /// The day.
    pub date: String,
    /// `receita` or `despesa`.
    pub kind: String,
}

/// One row of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its id.
    pub id: i64,
    /// Every member as it came.
    pub members: Map<String, Value>,
}

/// The month in figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// `YYYY-MM`.
    pub period: String,
    /// What came in.
    pub income: Decimal,
    /// What went out, without a sign.
    pub expense: Decimal,
    /// The difference.
    pub balance: Decimal,
    /// What went out, by category.
    pub by_category: BTreeMap<String, Decimal>,
}

impl Reply {
    /// The answer of the tool.
    ///
    /// # Errors
    /// The protocol refused the call.
    pub fn tool(&self) -> Result<&ToolAnswer, Failure> {
        match self {
            Self::Tool(answer) => Ok(answer),
            Self::Protocol { .. } => {
                Err(Failure::expected("an answer of the tool itself").actual(self.shown()).hint(
                    "the page's codes belong into the tool's result; check arguments in the tool, not in the schema alone",
                ))
            }
        }
    }

    /// The answer in one line, for a failure.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Tool(answer) => {
                let start: String = answer.text.chars().take(600).collect();
                format!("isError {}: {start}", answer.is_error)
            }
            Self::Protocol { code, message } => format!("protocol error {code}: {message}"),
        }
    }

    /// The JSON of the answer's text; none if it is no JSON.
    #[must_use]
    pub fn body(&self) -> Option<Value> {
        match self {
            Self::Tool(answer) => serde_json::from_str(&answer.text).ok(),
            Self::Protocol { .. } => None,
        }
    }

    /// The code of a refusal. A library that checks arguments first may wrap the answer in words of its own, so a code
    /// that stands in the text counts too; whether it is JSON is a matter of its own.
    #[must_use]
    pub fn code(&self) -> Option<String> {
        let Self::Tool(answer) = self else {
            return None;
        };
        if let Some(body) = self.body() {
            return Some(body.get("code")?.as_str()?.to_owned());
        }
        let named = CODES.into_iter().find(|code| answer.text.contains(code));
        named.map(str::to_owned)
    }

    /// Whether the database was busy.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.code().as_deref() == Some("DB_BUSY")
    }

    /// Reads a refusal with this code.
    ///
    /// # Errors
    /// The call was accepted, or refused for another reason.
    pub fn refused_with(&self, code: &str) -> Result<(), Failure> {
        self.tool()?;
        match self.code() {
            Some(found) if found == code => Ok(()),
            _ => Err(Failure::expected(format!("a refusal with {code}")).actual(self.shown())),
        }
    }

    /// Reads an accepted registration, in every detail that the page shows.
    ///
    /// # Errors
    /// It was refused, or lacks something.
    pub fn registered(&self) -> Result<Registered, Failure> {
        let wrong = |expected: &str| Failure::expected(expected).actual(self.shown());
        let answer = self.tool()?;
        let body = self
            .body()
            .ok_or_else(|| wrong("the answer's text to be JSON"))?;
        if answer.is_error || body["sucesso"] != true {
            return Err(wrong(
                "the transaction to be registered, with \"sucesso\": true",
            ));
        }
        let id = body["id"]
            .as_i64()
            .ok_or_else(|| wrong("a whole number as \"id\""))?;
        let shown = &body["normalizado"];
        let amount = shown
            .get("amount")
            .and_then(decimal)
            .ok_or_else(|| wrong("\"normalizado\" with a number as \"amount\""))?;
        let text = |name: &str| shown.get(name).and_then(Value::as_str).map(str::to_owned);
        let (date, kind) = text("date")
            .zip(text("type"))
            .ok_or_else(|| wrong("\"normalizado\" with \"date\" and \"type\""))?;
        if !body["avisos"].is_array() {
            return Err(wrong("a list as \"avisos\", empty where there are none"));
        }
        Ok(Registered {
            id,
            amount,
            date,
            kind,
        })
    }

    /// Reads the list.
    ///
    /// # Errors
    /// It was refused, or is no list of rows.
    pub fn rows(&self) -> Result<Vec<Row>, Failure> {
        let wrong = |expected: &str| Failure::expected(expected).actual(self.shown());
        let answer = self.tool()?;
        let body = match self.body() {
            Some(Value::Array(rows)) if !answer.is_error => rows,
            _ => return Err(wrong("a list of transactions")),
        };
        body.into_iter()
            .map(|row| match row {
                Value::Object(members) => {
                    let id = members.get("id").and_then(Value::as_i64);
                    let id = id.ok_or_else(|| wrong("a whole number as \"id\" of every row"))?;
                    Ok(Row { id, members })
                }
                _ => Err(wrong("every row to be an object")),
            })
            .collect()
    }
}

impl Row {
    /// The amount, with its sign.
    #[must_use]
    pub fn amount(&self) -> Option<Decimal> {
        decimal(self.members.get("amount")?)
    }

    /// A member that is a text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.members.get(name)?.as_str()
    }

    /// What is wrong with the shape of the row; none if it is that of the page.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let mut expected: Vec<&str> = FIELDS.into_iter().chain(["id"]).collect();
        let mut found: Vec<&str> = self.members.keys().map(String::as_str).collect();
        expected.sort_unstable();
        found.sort_unstable();
        if found != expected {
            return Some(format!("a row with the fields {}", found.join(", ")));
        }
        if !self.members["amount"].is_number() {
            return Some(format!("the amount {}", self.members["amount"]));
        }
        for name in ["type", "category", "description", "date"] {
            if !self.members[name].is_string() {
                return Some(format!("{name} as {}", self.members[name]));
            }
        }
        let identifier = &self.members["identifier"];
        if !identifier.is_string() && !identifier.is_null() {
            return Some(format!("identifier as {identifier}"));
        }
        match self.text("date") {
            Some(date) if date.len() == 10 && date.parse::<jiff::civil::Date>().is_ok() => None,
            date => Some(format!("the date {}", date.unwrap_or_default())),
        }
    }
}

impl Summary {
    /// Reads the text of the resource.
    ///
    /// # Errors
    /// It lacks a member of the page, or has one more.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let wrong = |expected: &str| Failure::expected(expected).actual(text);
        let body: Value =
            serde_json::from_str(text).map_err(|_| wrong("the summary to be JSON"))?;
        let figure = |name: &str| {
            let found = body.get(name).and_then(decimal);
            found.ok_or_else(|| wrong(&format!("a number as \"{name}\"")))
        };
        let period = body["period"]
            .as_str()
            .ok_or_else(|| wrong("a text as \"period\""))?;
        let by_category = body["expenses_by_category"]
            .as_object()
            .ok_or_else(|| wrong("an object as \"expenses_by_category\""))?
            .iter()
            .map(|(category, value)| Some((category.clone(), decimal(value)?)))
            .collect::<Option<_>>()
            .ok_or_else(|| wrong("numbers in \"expenses_by_category\""))?;
        Ok(Self {
            period: period.to_owned(),
            income: figure("total_income")?,
            expense: figure("total_expense")?,
            balance: figure("balance")?,
            by_category,
        })
    }
}

/// A JSON number as the decimal that is written on the wire.
fn decimal(value: &Value) -> Option<Decimal> {
    if !value.is_number() {
        return None;
    }
    figure(&value.to_string())
}

/// A figure as a feature or the wire writes it; none if it is none.
#[must_use]
pub fn figure(text: &str) -> Option<Decimal> {
    let plain = Decimal::from_str(text);
    plain
        .or_else(|_| Decimal::from_scientific(text))
        .ok()
        .map(|figure| figure.normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(is_error: bool, text: &str) -> Reply {
        Reply::Tool(ToolAnswer {
            tool: super::super::REGISTER.to_owned(),
            is_error,
            structured: None,
            text: text.to_owned(),
        })
    }

    const PAGE: &str = r#"{"sucesso": true, "id": 42, "normalizado": {"amount": 73.90, "date": "2026-06-23", "type": "despesa"}, "avisos": []}"#;

    #[test]
    fn the_pages_success_reads_as_one_and_nothing_less_does() {
        let registered = reply(false, PAGE).registered().unwrap();
        assert_eq!(
            (registered.id, registered.amount),
            (42, figure("73.9").unwrap())
        );
        for (wrong, named) in [
            (PAGE.replace("true", "\"true\""), "sucesso"),
            (PAGE.replace("42", "\"42\""), "\"id\""),
            (PAGE.replace("73.90", "\"73.90\""), "amount"),
            (PAGE.replace(", \"avisos\": []", ""), "avisos"),
        ] {
            let failure = reply(false, &wrong).registered().unwrap_err();
            assert!(failure.expected.contains(named), "{failure}");
        }
        assert!(reply(true, PAGE).registered().is_err());
    }

    #[test]
    fn a_code_is_found_in_json_and_in_words_and_never_in_a_success() {
        let duplicate =
            r#"{"sucesso": false, "code": "DUPLICATE", "id_existente": 17, "mensagem": "x"}"#;
        assert_eq!(reply(false, duplicate).code().as_deref(), Some("DUPLICATE"));
        let words = "Error executing tool: MISSING_FIELD category";
        assert_eq!(reply(true, words).code().as_deref(), Some("MISSING_FIELD"));
        assert_eq!(reply(false, PAGE).code(), None);
        assert!(reply(false, PAGE).refused_with("DB_BUSY").is_err());
    }

    #[test]
    fn a_row_has_the_fields_of_the_page_and_no_other() {
        let good = r#"{"id":1,"identifier":null,"type":"receita","amount":50.0,"category":"x","description":"y","date":"2026-05-05"}"#;
        let fault = |text: &str| reply(false, &format!("[{text}]")).rows().unwrap()[0].fault();
        assert_eq!(fault(good), None);
        for wrong in [
            good.replace("50.0", "\"50.0\""),
            good.replace("2026-05-05", "05/05/2026"),
            good.replace("\"identifier\":null,", ""),
            good.replace("\"id\":1", "\"id\":1,\"more\":2"),
        ] {
            assert!(fault(&wrong).is_some(), "{wrong}");
        }
    }

    #[test]
    fn figures_are_compared_by_value() {
        assert_eq!(figure("-73.90"), figure("-73.9"));
        assert_eq!(figure("1e2"), figure("100"));
        assert_eq!(figure("abc"), None);
    }
}
