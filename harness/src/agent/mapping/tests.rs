//! Statements read by a guide, whole files and single broken rows.

use super::*;
use crate::agent::{guide::tests::GUIDE, statement};

fn entries(text: &str) -> Result<Vec<Entry>, MappingError> {
    let guide = Guide::read(GUIDE).unwrap();
    let statement = statement::read(text.as_bytes(), &|cells| guide.header_score(cells)).unwrap();
    read_entries(&statement, &guide)
}

#[test]
fn a_purchase_is_recorded_before_fees_and_fee_columns_are_added_up() {
    let entries = entries(
        "Run Date,Action,Symbol,Quantity,Commission ($),Fees ($),Amount ($),Settlement Date\n\
         01/31/2024,YOU BOUGHT APPLE (AAPL),AAPL,10,4.95,0.05,\"-1,005.00\",02/02/2024\n\
         02/01/2024,YOU SOLD APPLE (AAPL),AAPL,-5,4.95,,595.05,02/05/2024\n",
    )
    .unwrap();
    assert_eq!(entries[0].date, jiff::civil::date(2024, 1, 31));
    assert_eq!(entries[0].row_type, "buy");
    assert_eq!(entries[0].amount.as_deref(), Some("1000.00"));
    assert_eq!(entries[0].fees.as_deref(), Some("5.00"));
    assert_eq!(entries[1].amount.as_deref(), Some("600.00"));
    assert_eq!(entries[1].units.as_deref(), Some("5"));
}

#[test]
fn the_sign_tells_money_in_from_money_out_where_a_statement_has_no_units() {
    let entries = entries(
        "Datum;Vorgang;Betrag\n31.01.2024;Lastschrift;-1.045,90\n31.01.2024;Gutschrift;12,00\n",
    )
    .unwrap();
    assert_eq!(entries[0].row_type, "withdrawal");
    assert_eq!(entries[0].amount.as_deref(), Some("1045.90"));
    assert_eq!(entries[0].note.as_deref(), Some("Lastschrift"));
    assert_eq!(entries[1].row_type, "deposit");
    assert_eq!((entries[1].index, entries[1].line), (1, 3));
}

#[test]
fn units_sent_away_carry_no_amount() {
    let entries =
        entries("Datum,Action,Symbol,Quantity,Subtotal\n2024-01-31,Send,ETH,-0.5,$900.00\n")
            .unwrap();
    assert_eq!(entries[0].amount, None);
    assert_eq!(entries[0].units.as_deref(), Some("0.5"));
}

#[test]
fn words_that_the_guide_does_not_know_are_named_with_their_line() {
    assert_eq!(
        entries("Datum,Action,Symbol,Quantity,Subtotal\n2024-01-31,Airdrop,ETH,1,1.00\n"),
        Err(MappingError::UnknownType {
            line: 2,
            words: "Airdrop".to_owned()
        })
    );
}

#[test]
fn what_a_row_needs_and_lacks_is_named_with_its_line() {
    let missing = |line, row_type: &str, what| {
        Err(MappingError::Missing {
            line,
            row_type: row_type.to_owned(),
            what,
        })
    };
    let head = "Datum,Action,Symbol,Quantity,Subtotal\n2024-01-31,Buy,ETH,1,1.00\n";
    assert_eq!(
        entries(&format!("{head}2024-02-01,Buy,ETH,,5.00\n")),
        missing(3, "buy", "units")
    );
    assert_eq!(
        entries(&format!("{head}2024-02-01,Sell,,1,5.00\n")),
        missing(3, "sell", "a symbol")
    );
    assert_eq!(
        entries(&format!("{head}2024-02-01,Sell,ETH,1,\n")),
        missing(3, "sell", "an amount")
    );
}

#[test]
fn a_bad_cell_is_named_with_its_line() {
    assert_eq!(
        entries("Datum;Betrag\n31.01.2024;1,50\n30.02.2024;2,50\n"),
        Err(MappingError::Format(FormatError::NotADate {
            line: 3,
            cell: "30.02.2024".to_owned()
        }))
    );
    assert_eq!(
        entries("Datum;Betrag\n31.01.2024;1,50\n01.02.2024;zwei\n"),
        Err(MappingError::Format(FormatError::NotANumber {
            line: 3,
            cell: "zwei".to_owned()
        }))
    );
}

#[test]
fn two_currency_columns_must_agree() {
    assert_eq!(
        entries("Datum;Betrag;Währung;Währung\n31.01.2024;1,50;EUR;EUR\n").unwrap()[0]
            .currency
            .as_deref(),
        Some("EUR")
    );
    assert!(matches!(
        entries("Datum;Betrag;Währung;Währung\n31.01.2024;1,50;EUR;USD\n"),
        Err(MappingError::Disagreement { line: 2, .. })
    ));
}

#[test]
fn fees_greater_than_the_money_that_moved_cannot_be_taken_apart() {
    let result = entries(
        "Datum,Action,Symbol,Quantity,Fees ($),Amount ($)\n2024-01-31,Buy,ETH,1,7.00,-5.00\n",
    );
    assert_eq!(
        result,
        Err(MappingError::Unworkable {
            line: 2,
            net: "5.00".to_owned(),
            fees: "7.00".to_owned()
        })
    );
}

/// Entries of a statement that comes with the harness.
fn entries_of(file: &str) -> Vec<Entry> {
    let guide = Guide::read(GUIDE).unwrap();
    let bytes = crate::agent::statement_file(file).unwrap();
    let statement = statement::read(bytes, &|cells| guide.header_score(cells)).unwrap();
    read_entries(&statement, &guide).unwrap()
}

/// Money that came in less money that went out, over the rows that move an account's money.
fn balance(entries: &[Entry]) -> Decimal {
    let signed = entries.iter().map(|entry| {
        let amount = entry.amount.as_deref().and_then(exact).unwrap();
        if takes_money_out(&entry.row_type) == Some(true) {
            -amount
        } else {
            amount
        }
    });
    signed.sum()
}

#[test]
fn account_statements_add_up_to_the_change_that_the_bank_prints() {
    let german = entries_of("german-bank-2024-h1.csv");
    assert_eq!(german.len(), 40);
    assert_eq!(balance(&german).to_string(), "12828.96");
    assert!(
        german
            .iter()
            .any(|entry| entry.note.as_deref() == Some("Miete Wohnung 3. OG, Königstraße 17"))
    );
    let nubank = entries_of("nubank-2026-05.csv");
    assert_eq!(nubank.len(), 48);
    assert_eq!(balance(&nubank).to_string(), "-3655.32");
    assert!(nubank.iter().all(|entry| entry.external_ref.is_some()));
}

#[test]
fn a_brokers_history_is_read_whole_between_preamble_and_disclaimer() {
    let entries = entries_of("us-broker-history-2024.csv");
    let of = |row_type: &str| {
        entries
            .iter()
            .filter(|entry| entry.row_type == row_type)
            .count()
    };
    assert_eq!(entries.len(), 25);
    assert_eq!(
        (
            of("buy"),
            of("sell"),
            of("dividend"),
            of("deposit"),
            of("withdrawal")
        ),
        (10, 4, 8, 2, 1)
    );
    let sale = entries
        .iter()
        .find(|entry| entry.row_type == "sell" && entry.symbol.as_deref() == Some("AAPL"));
    assert_eq!(
        sale.and_then(|sale| sale.amount.as_deref()),
        Some("5909.40")
    );
    assert_eq!(sale.and_then(|sale| sale.fees.as_deref()), Some("5.12"));
}

#[test]
fn an_exchanges_thousand_rows_keep_all_18_decimals() {
    let entries = entries_of("crypto-exchange-1000.csv");
    assert_eq!(entries.len(), 1000);
    let last = entries
        .iter()
        .find(|entry| entry.symbol.as_deref() == Some("LINK") && entry.row_type == "buy");
    assert_eq!(
        last.and_then(|buy| buy.units.as_deref()),
        Some("8.206986104290082800")
    );
    assert_eq!(last.and_then(|buy| buy.amount.as_deref()), Some("91.44999"));
}

#[test]
fn a_direct_debit_paid_back_is_money_in_whatever_its_name() {
    let entries =
        entries("Datum;Vorgang;Betrag\n31.01.2024;Fee;-1,50\n31.01.2024;Fee;1,50\n").unwrap();
    assert_eq!(entries[0].row_type, "fee");
    assert_eq!(entries[1].row_type, "deposit");
}
