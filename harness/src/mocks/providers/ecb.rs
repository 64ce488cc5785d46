//! The European Central Bank's reference rates: the whole history as CSV and the newest day as XML, up to the clock's day.

use std::fmt::Write as _;
use std::sync::OnceLock;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::mocks::answer::{Answer, Question};
use crate::mocks::breakage::Breakage;

/// Path of the history.
pub const HISTORY_PATH: &str = "/stats/eurofxref/eurofxref-hist.csv";

/// Path of the newest day.
pub const DAILY_PATH: &str = "/stats/eurofxref/eurofxref-daily.xml";

/// The bank's own file, newest day first.
const HISTORY: &str = include_str!("../../../../fixtures/rates/eurofxref-hist.csv");

/// Answers a request at `now`. Days after the clock's day are not published yet.
#[must_use]
pub fn answer(question: &Question, breakage: Option<&Breakage>, now: Timestamp) -> Answer {
    let today = now.to_zoned(TimeZone::UTC).date();
    match (question.method.as_str(), question.path.as_str()) {
        ("GET", HISTORY_PATH) => Answer::text(200, "text/csv", history(breakage, today)),
        ("GET", DAILY_PATH) => Answer::text(200, "text/xml", daily(breakage, today)),
        _ => Answer::text(
            404,
            "text/html",
            "<html><head><title>404 Not Found</title></head></html>",
        ),
    }
}

fn history(breakage: Option<&Breakage>, today: Date) -> String {
    let rows = match breakage {
        Some(Breakage::Nothing) => "",
        _ => published(today),
    };
    let rows = match breakage {
        Some(Breakage::Negative) => rows
            .replace(',', ",-")
            .replace(",-\n", ",\n")
            .replace(",-N/A", ",N/A"),
        Some(Breakage::Restated) => rows
            .replace(',', ",1")
            .replace(",1\n", ",\n")
            .replace(",1N/A", ",N/A"),
        _ => rows.to_owned(),
    };
    format!("{}\n{rows}", header())
}

fn daily(breakage: Option<&Breakage>, today: Date) -> String {
    let newest = published(today).lines().next().unwrap_or_default();
    let mut fields = newest.split(',');
    let date = fields.next().unwrap_or_default();
    let sign = match breakage {
        Some(Breakage::Negative) => "-",
        Some(Breakage::Restated) => "1",
        _ => "",
    };
    let mut cubes = String::new();
    if breakage != Some(&Breakage::Nothing) {
        for (currency, rate) in header()
            .split(',')
            .skip(1)
            .zip(fields)
            .filter(|(_, rate)| !rate.is_empty() && *rate != "N/A")
        {
            // Writing to a String cannot fail.
            let _ = writeln!(
                cubes,
                "\t\t\t<Cube currency='{currency}' rate='{sign}{rate}'/>"
            );
        }
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <gesmes:Envelope xmlns:gesmes=\"http://www.gesmes.org/xml/2002-08-01\" xmlns=\"http://www.ecb.int/vocabulary/2002-08-01/eurofxref\">\n\
         \t<gesmes:subject>Reference rates</gesmes:subject>\n\
         \t<gesmes:Sender>\n\t\t<gesmes:name>European Central Bank</gesmes:name>\n\t</gesmes:Sender>\n\
         \t<Cube>\n\t\t<Cube time='{date}'>\n{cubes}\t\t</Cube>\n\t</Cube>\n</gesmes:Envelope>"
    )
}

fn header() -> &'static str {
    HISTORY.lines().next().unwrap_or_default()
}

/// The rows up to `today`, newest first.
fn published(today: Date) -> &'static str {
    // Most runs never move the clock back, so the newest day is worth remembering.
    static NEWEST: OnceLock<Option<Date>> = OnceLock::new();
    let rows = HISTORY.split_once('\n').map_or("", |(_, rows)| rows);
    if NEWEST
        .get_or_init(|| date_of(rows))
        .is_some_and(|newest| newest <= today)
    {
        return rows;
    }
    let mut rest = rows;
    while !rest.is_empty() && date_of(rest).is_none_or(|date| date > today) {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest
}

fn date_of(row: &str) -> Option<Date> {
    row.split(',').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(path: &str, now: &str, breakage: Option<&Breakage>) -> String {
        let question = Question {
            method: "GET".to_owned(),
            path: path.to_owned(),
            query: None,
            headers: Vec::new(),
            body: Vec::new(),
        };
        String::from_utf8(answer(&question, breakage, now.parse().unwrap()).body).unwrap()
    }

    #[test]
    fn publishes_nothing_from_the_future() {
        let history = asked(HISTORY_PATH, "2026-10-29T12:00:00Z", None);
        let mut lines = history.lines();
        assert!(lines.next().unwrap().starts_with("Date,USD,JPY,"));
        assert!(lines.next().unwrap().starts_with("2026-10-29,1.113,"));
        // A Sunday shows the Friday before.
        assert!(
            asked(DAILY_PATH, "2026-10-25T12:00:00Z", None).contains("<Cube time='2026-10-23'>")
        );
    }

    #[test]
    fn the_daily_page_has_the_banks_shape() {
        let page = asked(DAILY_PATH, "2026-10-30T12:00:00Z", None);
        assert!(
            page.contains("<Cube currency='USD' rate='1.1172'/>"),
            "{page}"
        );
        assert!(!page.contains("N/A"));
    }

    #[test]
    fn a_broken_bank_shows_it() {
        let history = asked(
            HISTORY_PATH,
            "2026-10-30T12:00:00Z",
            Some(&Breakage::Negative),
        );
        assert!(
            history
                .lines()
                .nth(1)
                .unwrap()
                .starts_with("2026-10-30,-1.1172,-175.68,N/A")
        );
        assert_eq!(
            asked(
                HISTORY_PATH,
                "2026-10-30T12:00:00Z",
                Some(&Breakage::Nothing)
            )
            .lines()
            .count(),
            1
        );
    }
}
