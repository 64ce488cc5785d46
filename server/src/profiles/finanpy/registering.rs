//! `registrar_transacao`: arguments checked one by one against the page, normalized, and kept at most once.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Number, Value};

use super::amount::{Amount, AmountError};
use super::calendar;
use super::refusal::Refusal;
use super::rules::{
    AbsentIdentifier, CategoryText, DefaultDate, ExistingId, FutureDate, MissingField,
    NegativeAmount, NonNumericAmount, NormalizedSign, RegisteringRules, StoredSign, SuccessAnswer,
    TypeCheck, ZeroAmount,
};
use super::store::NewRow;
use crate::mcp::JsonObject;

/// Income.
pub const INCOME: &str = "receita";
/// Expense.
pub const EXPENSE: &str = "despesa";
/// The category of a row that nobody gave one.
pub const UNCATEGORIZED: &str = "sem categoria";

/// The arguments there are.
const ARGUMENTS: [&str; 6] = [
    "type",
    "amount",
    "category",
    "description",
    "date",
    "identifier",
];

/// Why arguments are no transaction.
#[derive(Debug, PartialEq)]
pub enum Unfit {
    /// A refusal of the page.
    Refused(Refusal),
    /// An error of the protocol; only a defective rule answers so.
    Protocol(String),
}

impl From<Refusal> for Unfit {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A transaction that passed every check.
#[derive(Debug, PartialEq)]
pub struct Entry {
    /// As it is to be kept.
    pub row: NewRow,
    warnings: Vec<String>,
}

/// The answer to a transaction that was kept.
#[derive(Debug, PartialEq, Serialize)]
pub struct Kept {
    sucesso: bool,
    id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    normalizado: Option<Normalized>,
    #[serde(skip_serializing_if = "Option::is_none")]
    avisos: Option<Vec<String>>,
}

#[derive(Debug, PartialEq, Serialize)]
struct Normalized {
    amount: Amount,
    date: String,
    r#type: String,
}

/// The answer to a transaction that was there already.
#[derive(Debug, PartialEq, Serialize)]
pub struct Duplicate {
    sucesso: bool,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id_existente: Option<i64>,
    mensagem: &'static str,
}

impl Entry {
    /// The answer once it is kept as row `id`.
    pub fn kept(self, id: i64, rules: &RegisteringRules) -> Kept {
        let amount = match rules.normalized_sign {
            NormalizedSign::Absolute => self.row.amount.absolute(),
            NormalizedSign::AsStored => self.row.amount,
        };
        let normalized = Normalized {
            amount,
            date: self.row.date,
            r#type: self.row.kind,
        };
        Kept {
            sucesso: true,
            id,
            normalizado: (rules.answer != SuccessAnswer::WithoutNormalized).then_some(normalized),
            avisos: (rules.answer != SuccessAnswer::WithoutWarnings).then_some(self.warnings),
        }
    }
}

/// The answer when row `id` has the identifier already.
pub fn duplicate(id: i64, rule: ExistingId) -> Duplicate {
    Duplicate {
        sucesso: false,
        code: "DUPLICATE",
        id_existente: (rule == ExistingId::Named).then_some(id),
        mensagem: "Transação com este identifier já existe.",
    }
}

/// Checks the arguments of a call at the instant `now`.
///
/// # Errors
/// The first thing that is wrong: a missing field before its neighbours' values, then type, amount and date.
pub fn check(
    arguments: &JsonObject,
    now: Timestamp,
    rules: &RegisteringRules,
) -> Result<Entry, Unfit> {
    let arguments = with_defaults(arguments, rules.missing_field);
    for field in ["type", "amount", "category", "description"] {
        let absent = match arguments.get(field) {
            None => true,
            // An amount that is null is there, and no number.
            Some(Value::Null) => field != "amount",
            Some(_) => false,
        };
        if absent {
            return Err(match rules.missing_field {
                MissingField::ProtocolError => Unfit::Protocol(
                    "Input validation error: a required property is missing".to_owned(),
                ),
                MissingField::Named | MissingField::Defaulted => Refusal::missing(field).into(),
            });
        }
    }
    let category = category(text(&arguments, "category")?, rules.category)?;
    let description = text(&arguments, "description")?.to_owned();
    let kind = kind(arguments.get("type"), rules.type_check)?;
    let amount = amount(arguments.get("amount"), rules)?;
    let date = date(arguments.get("date"), now, rules)?;
    let identifier = match arguments.get("identifier") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) if text.is_empty() => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(_) => return Err(Refusal::not_a_text("identifier").into()),
    };
    let identifier = match rules.absent_identifier {
        AbsentIdentifier::NeverCollides => identifier,
        AbsentIdentifier::Collides => Some(identifier.unwrap_or_default()),
    };
    let mut warnings = Vec::new();
    if let Some(Value::Number(given)) = arguments.get("amount")
        && Amount::from_text(&given.to_string(), super::rules::Rounding::None) != Ok(amount)
    {
        warnings.push(format!("amount arredondado de {given} para {amount}."));
    }
    for unknown in arguments
        .keys()
        .filter(|name| !ARGUMENTS.contains(&name.as_str()))
    {
        let shown: String = unknown.chars().take(60).collect();
        warnings.push(format!("Campo desconhecido ignorado: {shown}."));
    }
    let stored = match rules.stored_sign {
        StoredSign::ByType if kind == EXPENSE => amount.negated(),
        StoredSign::ByType | StoredSign::Positive => amount,
    };
    Ok(Entry {
        row: NewRow {
            identifier,
            kind,
            amount: stored,
            category,
            description,
            date,
        },
        warnings,
    })
}

/// The arguments, completed where a defective rule does so.
fn with_defaults(arguments: &JsonObject, rule: MissingField) -> JsonObject {
    let mut arguments = arguments.clone();
    if rule == MissingField::Defaulted {
        for (field, default) in [
            ("type", Value::from(EXPENSE)),
            ("amount", Value::from(1)),
            ("category", Value::from(UNCATEGORIZED)),
            ("description", Value::from("")),
        ] {
            arguments.entry(field).or_insert(default);
        }
    }
    arguments
}

fn text<'a>(arguments: &'a JsonObject, field: &'static str) -> Result<&'a str, Refusal> {
    arguments
        .get(field)
        .and_then(Value::as_str)
        .ok_or_else(|| Refusal::not_a_text(field))
}

fn category(text: &str, rule: CategoryText) -> Result<String, Refusal> {
    match rule {
        CategoryText::AsGiven => Ok(text.to_owned()),
        CategoryText::Tidied => Ok(text.trim().to_lowercase()),
        CategoryText::Validated => {
            let plain = text
                .chars()
                .all(|character| character.is_ascii_alphabetic() || character == ' ');
            plain
                .then(|| text.to_owned())
                .ok_or_else(|| Refusal::missing("category"))
        }
    }
}

fn kind(value: Option<&Value>, rule: TypeCheck) -> Result<String, Refusal> {
    let text = value
        .and_then(Value::as_str)
        .ok_or_else(Refusal::bad_type)?;
    let read = match rule {
        TypeCheck::Exact => text.to_owned(),
        TypeCheck::CaseFolded => text.trim().to_lowercase(),
        TypeCheck::Unchecked => return Ok(text.to_owned()),
    };
    if read == INCOME || read == EXPENSE {
        Ok(read)
    } else {
        Err(Refusal::bad_type())
    }
}

/// The absolute amount.
fn amount(value: Option<&Value>, rules: &RegisteringRules) -> Result<Amount, Refusal> {
    let not_a_number = || Refusal::invalid_amount("deve ser um número");
    let number = match (value, rules.non_numeric) {
        (Some(Value::Number(number)), _) => number.clone(),
        (Some(value), NonNumericAmount::Coerced) => coerced(value).ok_or_else(not_a_number)?,
        _ => return Err(not_a_number()),
    };
    let amount = Amount::from_number(&number, rules.rounding).map_err(|error| match error {
        AmountError::NotANumber => not_a_number(),
        AmountError::TooLarge => Refusal::invalid_amount(
            "é grande demais para ser guardado com 2 casas decimais (máximo 9999999999999.99)",
        ),
    })?;
    if amount.is_negative() && rules.negative == NegativeAmount::Refused {
        return Err(Refusal::invalid_amount(
            "deve ser positivo: envie o valor absoluto, o sinal é inferido do type",
        ));
    }
    if amount.is_zero() && rules.zero == ZeroAmount::Refused {
        return Err(Refusal::invalid_amount(
            "deve ser maior que zero com 2 casas decimais",
        ));
    }
    Ok(amount.absolute())
}

/// What a defective rule takes for a number.
fn coerced(value: &Value) -> Option<Number> {
    match value {
        Value::Bool(yes) => Some(Number::from(u8::from(*yes))),
        Value::String(text) => Number::from_f64(text.trim().replace(',', ".").parse().ok()?),
        _ => None,
    }
}

fn date(
    value: Option<&Value>,
    now: Timestamp,
    rules: &RegisteringRules,
) -> Result<String, Refusal> {
    let today = calendar::date_in_sao_paulo(now);
    let text = match value {
        None | Some(Value::Null) => {
            let date = match rules.default_date {
                DefaultDate::SaoPaulo => today,
                DefaultDate::Utc => calendar::date_in_utc(now),
                DefaultDate::Machine => calendar::date_of_the_machine(now),
            };
            return Ok(date.to_string());
        }
        Some(Value::String(text)) => text,
        Some(_) => return Err(Refusal::invalid_date("deve ser um texto")),
    };
    let date = calendar::parse(text, rules.date_form, rules.impossible_date)
        .ok_or_else(|| Refusal::invalid_date("não é uma data do calendário em ISO 8601"))?;
    let future = match rules.future_date {
        FutureDate::Refused => date > today,
        FutureDate::Accepted => false,
        FutureDate::JudgedByUtc => date > calendar::date_in_utc(now),
        FutureDate::TodayToo => date >= today,
    };
    if future {
        return Err(Refusal::invalid_date("está no futuro"));
    }
    Ok(date.to_string())
}

#[cfg(test)]
mod tests;
