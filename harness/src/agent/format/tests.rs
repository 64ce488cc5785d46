//! Dates and numbers as files write them, read or refused.

use super::*;

fn order(cells: &[&str]) -> Result<DateOrder, FormatError> {
    date_order(cells.iter().zip(2..).map(|(cell, line)| (line, *cell)))
}

fn mark(cells: &[&str]) -> Result<DecimalMark, FormatError> {
    decimal_mark(cells.iter().zip(2..).map(|(cell, line)| (line, *cell)))
}

#[test]
fn one_date_past_the_twelfth_settles_the_column() {
    assert_eq!(
        order(&["01/02/2024", "", "01/13/2024"]),
        Ok(DateOrder::MonthFirst)
    );
    assert_eq!(
        order(&["01/02/2024", "13/01/2024"]),
        Ok(DateOrder::DayFirst)
    );
    assert_eq!(order(&["02.01.2024"]), Ok(DateOrder::DayFirst));
    assert_eq!(order(&["2024-01-02 10:00:00 UTC"]), Ok(DateOrder::DayFirst));
}

#[test]
fn a_column_that_fits_both_orders_is_refused_and_not_guessed() {
    assert_eq!(
        order(&["03/03/2024", "01/02/2024"]),
        Err(FormatError::AmbiguousDates {
            example: "01/02/2024".to_owned()
        })
    );
    assert_eq!(
        order(&["13/01/2024", "01/13/2024"]),
        Err(FormatError::MixedDates {
            line: 3,
            cell: "01/13/2024".to_owned()
        })
    );
}

#[test]
fn dates_are_read_in_every_written_order() {
    let expected = jiff::civil::date(2024, 2, 29);
    for (cell, order) in [
        ("2024-02-29", DateOrder::MonthFirst),
        ("2024-02-29T23:59:59Z", DateOrder::DayFirst),
        ("29.02.2024", DateOrder::DayFirst),
        ("29/2/2024", DateOrder::DayFirst),
        ("02/29/2024", DateOrder::MonthFirst),
    ] {
        assert_eq!(date((1, cell), order), Ok(expected), "{cell}");
    }
}

#[test]
fn impossible_dates_name_line_and_cell() {
    for cell in [
        "29.02.2023",
        "31/04/2024",
        "2024-13-01",
        "yesterday",
        "1.2",
        "01/02/24",
        "2024-1-",
        "١/٢/2024",
    ] {
        assert_eq!(
            date((9, cell), DateOrder::DayFirst),
            Err(FormatError::NotADate {
                line: 9,
                cell: cell.to_owned()
            })
        );
    }
}

#[test]
fn the_decimal_mark_is_found_from_any_telling_number() {
    assert_eq!(mark(&["1,234", "7", "1,234.5"]), Ok(DecimalMark::Point));
    assert_eq!(mark(&["1.234", "-45,90"]), Ok(DecimalMark::Comma));
    assert_eq!(mark(&["0.125"]), Ok(DecimalMark::Point));
    assert_eq!(mark(&["1.234.567"]), Ok(DecimalMark::Comma));
    assert_eq!(mark(&["7", ""]), Ok(DecimalMark::Point));
}

#[test]
fn numbers_that_fit_both_marks_are_refused_and_not_guessed() {
    assert_eq!(
        mark(&["1,234", "12"]),
        Err(FormatError::AmbiguousNumbers {
            example: "1,234".to_owned()
        })
    );
    assert_eq!(
        mark(&["1,5", "1.5"]),
        Err(FormatError::MixedNumbers {
            line: 3,
            cell: "1.5".to_owned()
        })
    );
    assert_eq!(
        mark(&["1.2.3,4.5"]),
        Err(FormatError::NotANumber {
            line: 2,
            cell: "1.2.3,4.5".to_owned()
        })
    );
}

#[test]
fn signs_currencies_and_grouping_are_taken_off_and_zeros_kept() {
    for (cell, mark, negative, digits) in [
        ("-2,351.20", DecimalMark::Point, true, "2351.20"),
        (
            "$38,510.4009204",
            DecimalMark::Point,
            false,
            "38510.4009204",
        ),
        ("(12.00)", DecimalMark::Point, true, "12.00"),
        ("1.085,00-", DecimalMark::Comma, true, "1085.00"),
        ("R$ 5,10", DecimalMark::Comma, false, "5.10"),
        ("+0.00350000", DecimalMark::Point, false, "0.00350000"),
        ("1'000.5", DecimalMark::Point, false, "1000.5"),
        ("007", DecimalMark::Point, false, "7"),
    ] {
        assert_eq!(
            number((1, cell), mark),
            Ok(Printed {
                negative,
                digits: digits.to_owned()
            }),
            "{cell}"
        );
    }
}

#[test]
fn what_is_no_number_names_line_and_cell() {
    for cell in [
        "", "-", "1,23.5", "12,34", "1.", ".5", "1e5", "1E5", "abc", "--1", "(5",
    ] {
        assert_eq!(
            number((4, cell), DecimalMark::Point),
            Err(FormatError::NotANumber {
                line: 4,
                cell: cell.to_owned()
            }),
            "{cell}"
        );
    }
}

#[test]
fn zero_is_seen_whatever_its_scale() {
    let zero = |cell| number((1, cell), DecimalMark::Point).unwrap().is_zero();
    assert!(zero("0.000"));
    assert!(!zero("0.001"));
}
