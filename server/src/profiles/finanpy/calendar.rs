//! Dates of the cash book: São Paulo's calendar, `YYYY-MM-DD` on the wire, `YYYY-MM` for a month.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::rules::{DateForm, ImpossibleDate};

/// The time zone of every date (its rules are compiled in, so that the machine's own tables do not matter).
const SAO_PAULO: TimeZone = jiff::tz::get!("America/Sao_Paulo");

/// The date in São Paulo at an instant.
pub fn date_in_sao_paulo(instant: Timestamp) -> Date {
    instant.to_zoned(SAO_PAULO).date()
}

/// The date in UTC at an instant; only defective rules ask for it.
pub fn date_in_utc(instant: Timestamp) -> Date {
    instant.to_zoned(TimeZone::UTC).date()
}

/// The date in the machine's own time zone at an instant; only defective rules ask for it.
pub fn date_of_the_machine(instant: Timestamp) -> Date {
    instant.to_zoned(TimeZone::system()).date()
}

/// The month of a date, `YYYY-MM`.
pub fn month(date: Date) -> String {
    format!("{:04}-{:02}", date.year(), date.month())
}

/// Whether a text is a month of the calendar, `YYYY-MM`.
pub fn is_month(text: &str) -> bool {
    let Some([year, month]) = numbers(text, '-', [4, 2]) else {
        return false;
    };
    year >= 1 && (1..=12).contains(&month)
}

/// Reads `YYYY-MM-DD`; other forms and dates that do not exist only where a defective rule accepts them.
pub fn parse(text: &str, form: DateForm, impossible: ImpossibleDate) -> Option<Date> {
    let text = match form {
        DateForm::DateTime => text.split_once(['T', ' ']).map_or(text, |(date, _)| date),
        DateForm::Strict | DateForm::Lenient => text,
    };
    let [year, month, day] = match form {
        DateForm::Strict | DateForm::DateTime => numbers(text, '-', [4, 2, 2])?,
        DateForm::Lenient => lenient(text)?,
    };
    match (date(year, month, day), impossible) {
        (None, ImpossibleDate::RolledOver) => rolled_over(year, month, day),
        (date, _) => date,
    }
}

/// Reads the `DD/MM/YYYY` of a statement.
pub fn parse_day_first(text: &str) -> Option<Date> {
    let [day, month, year] = numbers(text, '/', [2, 2, 4])?;
    date(year, month, day)
}

/// Reads `MM/DD/YYYY`; only a defective rule does.
pub fn parse_month_first(text: &str) -> Option<Date> {
    let [month, day, year] = numbers(text, '/', [2, 2, 4])?;
    date(year, month, day)
}

fn date(year: i32, month: i32, day: i32) -> Option<Date> {
    if year < 1 {
        return None;
    }
    Date::new(
        year.try_into().ok()?,
        month.try_into().ok()?,
        day.try_into().ok()?,
    )
    .ok()
}

fn rolled_over(year: i32, month: i32, day: i32) -> Option<Date> {
    let first = date(year, month, 1)?;
    first
        .checked_add(jiff::Span::new().try_days(i64::from(day) - 1).ok()?)
        .ok()
}

fn lenient(text: &str) -> Option<[i32; 3]> {
    if let Some([day, month, year]) = numbers(text, '/', [2, 2, 4]) {
        return Some([year, month, day]);
    }
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some([
            text[..4].parse().ok()?,
            text[4..6].parse().ok()?,
            text[6..].parse().ok()?,
        ]);
    }
    let mut parts = text.split('-').map(str::parse);
    let read = [
        parts.next()?.ok()?,
        parts.next()?.ok()?,
        parts.next()?.ok()?,
    ];
    parts.next().is_none().then_some(read)
}

/// Numbers of fixed widths, in ASCII digits, between separators.
fn numbers<const COUNT: usize>(
    text: &str,
    separator: char,
    widths: [usize; COUNT],
) -> Option<[i32; COUNT]> {
    let mut read = [0; COUNT];
    let mut parts = text.split(separator);
    for (number, width) in read.iter_mut().zip(widths) {
        let part = parts.next()?;
        if part.len() != width || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sao_paulo_is_three_hours_behind() {
        let night: Timestamp = "2026-06-24T01:30:00Z".parse().unwrap();
        assert_eq!(date_in_sao_paulo(night).to_string(), "2026-06-23");
        assert_eq!(date_in_utc(night).to_string(), "2026-06-24");
        let new_month: Timestamp = "2026-07-01T02:59:59Z".parse().unwrap();
        assert_eq!(month(date_in_sao_paulo(new_month)), "2026-06");
        // Summer time, which Brazil gave up in 2019: two hours.
        let summer: Timestamp = "2018-12-31T02:30:00Z".parse().unwrap();
        assert_eq!(date_in_sao_paulo(summer).to_string(), "2018-12-31");
    }

    #[test]
    fn only_the_iso_form_of_a_real_date_is_read() {
        let read = |text| parse(text, DateForm::Strict, ImpossibleDate::Refused);
        assert_eq!(read("2026-06-23"), Some(jiff::civil::date(2026, 6, 23)));
        assert_eq!(read("2024-02-29"), Some(jiff::civil::date(2024, 2, 29)));
        for text in [
            "23/06/2026",
            "2026-6-3",
            "20260603",
            "2026-02-30",
            "2026-13-01",
            "2026-00-10",
            "2026-06-00",
            "0000-01-01",
            "2026-06-23T10:00:00",
            " 2026-06-23",
            "2026-06-23\n",
            "+026-06-23",
            "２０２６-06-23",
            "",
            "hoje",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_wrong_forms_are_read_by_wrong_rules_only() {
        let june = Some(jiff::civil::date(2026, 6, 3));
        for text in ["03/06/2026", "2026-6-3", "20260603", "2026-06-03"] {
            assert_eq!(
                parse(text, DateForm::Lenient, ImpossibleDate::Refused),
                june,
                "{text}"
            );
        }
        assert_eq!(
            parse(
                "2026-06-03T10:00:00",
                DateForm::DateTime,
                ImpossibleDate::Refused
            ),
            june
        );
        assert_eq!(
            parse("2026-02-31", DateForm::Strict, ImpossibleDate::RolledOver),
            Some(jiff::civil::date(2026, 3, 3))
        );
        assert_eq!(parse_month_first("06/03/2026"), june);
    }

    #[test]
    fn a_month_is_four_digits_and_two() {
        assert!(is_month("2026-05"));
        for text in [
            "05-2026",
            "2026-5",
            "2026-13",
            "2026-00",
            "2026",
            "2026-05-01",
            "",
            "%",
            "2026-0_",
        ] {
            assert!(!is_month(text), "{text:?}");
        }
    }

    #[test]
    fn a_statement_writes_the_day_first() {
        assert_eq!(
            parse_day_first("05/06/2026"),
            Some(jiff::civil::date(2026, 6, 5))
        );
        for text in ["2026-06-05", "5/6/2026", "31/02/2026", "05/06/26", ""] {
            assert_eq!(parse_day_first(text), None, "{text:?}");
        }
    }
}
