//! Arguments checked one by one, and each deliberate defect at its own point.

use serde_json::json;

use super::*;
use crate::profiles::finanpy::refusal::Code;

/// 22:30 of 23 June in São Paulo.
fn night() -> Timestamp {
    "2026-06-24T01:30:00Z".parse().unwrap()
}

fn with(changes: Value) -> JsonObject {
    let mut arguments = json!({
        "type": "despesa", "amount": 73.90, "category": "transporte", "description": "Uber",
        "date": "2026-06-23", "identifier": "manual-2026-06-23-uber-001"
    });
    for (name, value) in changes.as_object().unwrap() {
        arguments[name] = value.clone();
    }
    arguments.as_object().unwrap().clone()
}

fn code(arguments: &JsonObject) -> (Code, Option<&'static str>) {
    match check(arguments, night(), &RegisteringRules::default()) {
        Err(Unfit::Refused(refusal)) => (refusal.code, refusal.campo),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn the_ride_of_the_page_is_answered_as_on_the_page() {
    let rules = RegisteringRules::default();
    let entry = check(&with(json!({})), night(), &rules).unwrap();
    assert_eq!(entry.row.amount.to_string(), "-73.90");
    let answer = serde_json::to_string(&entry.kept(27, &rules)).unwrap();
    assert_eq!(
        answer,
        r#"{"sucesso":true,"id":27,"normalizado":{"amount":73.90,"date":"2026-06-23","type":"despesa"},"avisos":[]}"#
    );
    let answer = serde_json::to_string(&duplicate(17, ExistingId::Named)).unwrap();
    assert_eq!(
        answer,
        r#"{"sucesso":false,"code":"DUPLICATE","id_existente":17,"mensagem":"Transação com este identifier já existe."}"#
    );
}

#[test]
fn four_fields_are_needed_and_named() {
    for field in ["type", "amount", "category", "description"] {
        let mut arguments = with(json!({}));
        arguments.shift_remove(field);
        assert_eq!(code(&arguments), (Code::MissingField, Some(field)));
    }
    assert_eq!(
        code(&with(json!({"category": 5}))),
        (Code::MissingField, Some("category"))
    );
}

#[test]
fn without_date_and_identifier_it_is_today_in_sao_paulo() {
    let arguments = with(json!({"date": null, "identifier": ""}));
    let row = check(&arguments, night(), &RegisteringRules::default())
        .unwrap()
        .row;
    assert_eq!((row.date.as_str(), row.identifier), ("2026-06-23", None));
    let utc = RegisteringRules {
        default_date: DefaultDate::Utc,
        ..RegisteringRules::default()
    };
    assert_eq!(
        check(&arguments, night(), &utc).unwrap().row.date,
        "2026-06-24"
    );
}

#[test]
fn every_wrong_value_has_the_code_of_the_page() {
    for value in ["Receita", "income", " despesa", ""] {
        assert_eq!(
            code(&with(json!({"type": value}))).0,
            Code::BadType,
            "{value:?}"
        );
    }
    for value in [
        json!(-1),
        json!(0),
        json!(-0.0),
        json!(0.004),
        json!("abc"),
        json!("73.90"),
        json!(null),
        json!(true),
        json!([1]),
        json!(1e300),
    ] {
        assert_eq!(
            code(&with(json!({"amount": value}))),
            (Code::InvalidAmount, Some("amount")),
            "{value}"
        );
    }
    for value in [
        json!("2026-06-24"),
        json!("23/06/2026"),
        json!(""),
        json!(20260623),
    ] {
        assert_eq!(
            code(&with(json!({"date": value}))).0,
            Code::InvalidDate,
            "{value}"
        );
    }
}

#[test]
fn rounding_and_unknown_fields_are_mentioned() {
    let entry = check(
        &with(json!({"amount": 1.005, "moeda": "BRL"})),
        night(),
        &RegisteringRules::default(),
    )
    .unwrap();
    assert_eq!(
        entry.warnings,
        [
            "amount arredondado de 1.005 para 1.01.",
            "Campo desconhecido ignorado: moeda."
        ]
    );
}

#[test]
fn a_defect_changes_its_own_point_only() {
    let cases = [
        (
            json!({"negative": "absolute"}),
            json!({"amount": -5}),
            "-5.00",
        ),
        (json!({"zero": "accepted"}), json!({"amount": 0}), "0.00"),
        (
            json!({"non_numeric": "coerced"}),
            json!({"amount": "12,50"}),
            "-12.50",
        ),
        (json!({"stored_sign": "positive"}), json!({}), "73.90"),
        (
            json!({"rounding": "binary"}),
            json!({"amount": 1.005}),
            "-1.00",
        ),
        (
            json!({"future_date": "judged_by_utc"}),
            json!({"date": "2026-06-24"}),
            "-73.90",
        ),
        (
            json!({"type_check": "case_folded"}),
            json!({"type": " Despesa"}),
            "-73.90",
        ),
    ];
    for (rules, arguments, expected) in cases {
        let arguments = with(arguments);
        let defective: RegisteringRules = serde_json::from_value(rules.clone()).unwrap();
        let row = check(&arguments, night(), &defective).unwrap().row;
        assert_eq!(row.amount.to_string(), expected, "{rules}");
        let correct = check(&arguments, night(), &RegisteringRules::default());
        assert_ne!(correct.ok().map(|entry| entry.row), Some(row), "{rules}");
    }
}
