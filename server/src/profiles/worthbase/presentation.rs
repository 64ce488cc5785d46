//! The last thing that happens to an answer: how decimals, currencies, texts and refusals are written.
//!
//! The default writes everything as the tools made it. Every other choice is a deliberate defect, applied here and nowhere else.

use serde_json::{Map, Number, Value};

use crate::mcp::fault::Fault;
use crate::rules::{
    CurrencyStyle, DecimalStyle, FaultCode, FaultField, NetWorthChange, PresentationRules,
    TextStyle,
};

/// The members of answers that hold a decimal.
const DECIMALS: [&str; 60] = [
    "after",
    "amount",
    "assets",
    "balance",
    "base_amount",
    "before",
    "calculated",
    "cash",
    "change",
    "cost_base",
    "cost_base_base",
    "current",
    "difference",
    "end_value",
    "equity",
    "fees",
    "from",
    "fx_rate",
    "gain",
    "gain_base",
    "gross_proceeds",
    "held",
    "income",
    "investable",
    "liabilities",
    "lvr",
    "money_in",
    "money_out",
    "net_of_offset",
    "net_proceeds",
    "net_proceeds_base",
    "net_worth",
    "offered",
    "offset",
    "percent",
    "price",
    "progress",
    "rate",
    "ratio",
    "remaining",
    "retained_income",
    "secured_debt",
    "simple_return",
    "start_value",
    "statement",
    "stored",
    "target",
    "to",
    "to_amount",
    "total",
    "total_debt",
    "trend_12m",
    "trend_monthly",
    "units",
    "unrealised_gain",
    "unrealised_gain_base",
    "used",
    "value",
    "value_base",
    "xirr",
];

/// The members of answers that hold text of people or documents.
const TEXTS: [&str; 6] = ["name", "notes", "note", "external_ref", "subtype", "class"];

/// An answer as it goes out.
pub(super) fn answer(mut value: Value, rules: &PresentationRules) -> Value {
    if *rules == PresentationRules::default() {
        return value;
    }
    if let Some(change) = value.get_mut("net_worth") {
        net_worth_change(change, rules.net_worth_change);
    }
    if rules.net_worth_change == NetWorthChange::Missing
        && value.get("net_worth").is_some_and(Value::is_object)
        && let Some(members) = value.as_object_mut()
    {
        members.shift_remove("net_worth");
    }
    walk(&mut value, rules);
    value
}

/// A refusal as it goes out.
pub(super) fn refusal(mut fault: Fault, rules: &PresentationRules) -> Fault {
    match rules.fault_code {
        FaultCode::PerCause => {}
        FaultCode::Generic => fault.code = "error".into(),
        FaultCode::Empty => fault.code = "".into(),
    }
    if rules.fault_field == FaultField::Missing {
        fault.field = None;
    }
    fault
}

/// Only the figures of a write have before and after; those of a read are left alone.
fn net_worth_change(change: &mut Value, style: NetWorthChange) {
    let Some(change) = change
        .as_object_mut()
        .filter(|change| change.contains_key("before"))
    else {
        return;
    };
    match style {
        NetWorthChange::Reported | NetWorthChange::Missing => {}
        NetWorthChange::WrongSign => {
            if let Some(text) = change.get("change").and_then(Value::as_str) {
                let turned = text
                    .strip_prefix('-')
                    .map_or_else(|| format!("-{text}"), str::to_owned);
                change.insert("change".to_owned(), Value::String(turned));
            }
        }
        NetWorthChange::Swapped => {
            let (before, after) = (change.get("before").cloned(), change.get("after").cloned());
            change.insert("before".to_owned(), after.unwrap_or_default());
            change.insert("after".to_owned(), before.unwrap_or_default());
        }
        NetWorthChange::NotReplayed => {
            let before = change.get("before").cloned();
            change.insert("after".to_owned(), before.unwrap_or_default());
        }
    }
}

fn walk(value: &mut Value, rules: &PresentationRules) {
    match value {
        Value::Object(members) => {
            if rules.currencies == CurrencyStyle::LeftOut {
                members.shift_remove("currency");
                members.shift_remove("base_currency");
            }
            walk_members(members, rules);
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| walk(element, rules)),
        _ => {}
    }
}

fn walk_members(members: &mut Map<String, Value>, rules: &PresentationRules) {
    for (name, value) in members.iter_mut() {
        match value {
            Value::String(text) if DECIMALS.contains(&name.as_str()) && is_decimal(text) => {
                *value = decimal(text, rules.decimals);
            }
            Value::String(text) if TEXTS.contains(&name.as_str()) => {
                *value = Value::String(styled(text, rules.texts));
            }
            value => walk(value, rules),
        }
    }
}

fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    unsigned.starts_with(|first: char| first.is_ascii_digit())
        && unsigned
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn decimal(text: &str, style: DecimalStyle) -> Value {
    match style {
        DecimalStyle::Text => Value::String(text.to_owned()),
        DecimalStyle::Number => text
            .parse()
            .ok()
            .and_then(Number::from_f64)
            .map_or_else(|| Value::String(text.to_owned()), Value::Number),
        DecimalStyle::Trimmed if text.contains('.') => {
            Value::String(text.trim_end_matches('0').trim_end_matches('.').to_owned())
        }
        DecimalStyle::Trimmed => Value::String(text.to_owned()),
        DecimalStyle::TwoPlaces => {
            let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
            let cents: String = fraction.chars().chain("00".chars()).take(2).collect();
            Value::String(format!("{whole}.{cents}"))
        }
    }
}

fn styled(text: &str, style: TextStyle) -> String {
    match style {
        TextStyle::AsGiven => text.to_owned(),
        TextStyle::Cut => text.chars().take(100).collect(),
        TextStyle::Composed => text.replace("e\u{301}", "\u{e9}"),
        TextStyle::Trimmed => text.trim().to_owned(),
        TextStyle::Escaped => text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(rules: &str, value: Value) -> Value {
        answer(value, &serde_json::from_str(rules).unwrap())
    }

    #[test]
    fn the_default_writes_what_the_tool_made() {
        let made = json!({"net_worth": {"before": "1.50", "after": "2", "change": "0.50", "currency": "AUD"}, "name": " <b> "});
        assert_eq!(written("{}", made.clone()), made);
    }

    #[test]
    fn each_defect_shows() {
        let made = json!({"rates": [{"from": "USD", "to": "AUD", "rate": "1.50"}], "name": " <b> ", "currency": "AUD"});
        assert_eq!(
            written(r#"{"decimals":"number"}"#, made.clone())["rates"][0],
            json!({"from": "USD", "to": "AUD", "rate": 1.5})
        );
        assert_eq!(
            written(r#"{"decimals":"trimmed"}"#, made.clone())["rates"][0]["rate"],
            "1.5"
        );
        assert_eq!(
            written(r#"{"texts":"trimmed"}"#, made.clone())["name"],
            "<b>"
        );
        assert_eq!(
            written(r#"{"currencies":"left_out"}"#, made).get("currency"),
            None
        );
        let change = json!({"net_worth": {"before": "1", "after": "3", "change": "2"}});
        assert_eq!(
            written(r#"{"net_worth_change":"wrong_sign"}"#, change.clone())["net_worth"]["change"],
            "-2"
        );
        assert_eq!(
            written(r#"{"net_worth_change":"swapped"}"#, change.clone())["net_worth"]["before"],
            "3"
        );
        assert_eq!(
            written(r#"{"net_worth_change":"missing"}"#, change).get("net_worth"),
            None
        );
        let fault = Fault::new("oversell", "Sell less.").at("transactions[0].units");
        let rules =
            serde_json::from_str(r#"{"fault_code":"generic","fault_field":"missing"}"#).unwrap();
        assert_eq!(
            refusal(fault, &rules).body(),
            json!({"code": "error", "message": "Sell less."})
        );
    }
}
