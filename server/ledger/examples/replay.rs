//! A cold start on a long book, as a program of its own, so that it can be timed beside other programs.
//!
//! `replay write FOLDER ROWS` writes the same book as `book.jsonl` (a batch per line, the form a server stores) and
//! `book.journal` (for hledger); `replay worth FILE DATE` and `replay months FILE` read the first and print net worth on a
//! day, or on 120 month ends.

#[path = "../benches/book/mod.rs"]
mod book;
#[path = "../benches/book/journal.rs"]
mod journal;

use std::error::Error;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};

use proofmark_ledger::fx::EcbTable;
use proofmark_ledger::{Batch, HistoryQuery, Interval, Ledger, NetWorth, NetWorthQuery, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["write", folder, rows] => write(folder, rows.parse()?),
        ["worth", file, day] => {
            let ledger = read(file)?;
            let query = NetWorthQuery::on(day.parse()?);
            print(&ledger.net_worth(&query, &EcbTable::default())?);
            Ok(())
        }
        ["months", file] => {
            let ledger = read(file)?;
            let query = HistoryQuery {
                from: book::FIRST,
                to: book::LAST,
                interval: Interval::Month,
                party: None,
                by: None,
            };
            let history = ledger.history(&query, &EcbTable::default())?;
            history.points.iter().for_each(print);
            Ok(())
        }
        _ => Err(
            "use: replay write FOLDER ROWS, replay worth FILE DATE, or replay months FILE".into(),
        ),
    }
}

fn write(folder: &str, rows: usize) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let mut file = std::io::BufWriter::new(fs::File::create(format!("{folder}/book.jsonl"))?);
    for batch in book::batches(rows) {
        serde_json::to_writer(&mut file, &batch)?;
        file.write_all(b"\n")?;
    }
    file.flush()?;
    fs::write(format!("{folder}/book.journal"), journal::journal(rows))?;
    Ok(())
}

fn read(path: &str) -> Result<Ledger, Box<dyn Error>> {
    let lines = BufReader::new(fs::File::open(path)?).lines();
    let batches = lines
        .map(|line| Ok(serde_json::from_str(&line?)?))
        .collect::<Result<Vec<Batch>, Box<dyn Error>>>()?;
    Ok(Ledger::replay("USD".parse()?, batches, &Rules::default())?)
}

fn print(point: &NetWorth) {
    println!("{} {}", point.date, point.net_worth);
}
