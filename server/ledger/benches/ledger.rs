//! How the ledger grows: each question on the same kind of book with 1,000, 10,000 and 100,000 rows.
//!
//! `cargo bench -p proofmark-ledger`; time that grows tenfold with the rows is the aim, and `history` stays near it because a
//! point does not replay the book.

mod book;

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use proofmark_ledger::fx::EcbTable;
use proofmark_ledger::{
    Draft, HistoryQuery, Interval, Ledger, NetWorthQuery, PerformanceQuery, Rules,
};

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

fn replayed(batches: Vec<proofmark_ledger::Batch>) -> Ledger {
    let base = "USD".parse().expect("a currency");
    Ledger::replay(base, batches, &Rules::default()).expect("a book that replays")
}

fn growth(criterion: &mut Criterion) {
    let rates = EcbTable::default();
    for size in SIZES {
        let batches = book::batches(size);
        let ledger = replayed(batches.clone());
        let mut group = criterion.benchmark_group(format!("{size} rows"));
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(500))
            .measurement_time(Duration::from_secs(3))
            .throughput(Throughput::Elements(size as u64));
        group.bench_function(BenchmarkId::from_parameter("replay"), |bencher| {
            bencher.iter_batched(
                || batches.clone(),
                |batches| black_box(replayed(batches)),
                criterion::BatchSize::LargeInput,
            );
        });
        group.bench_function(BenchmarkId::from_parameter("net worth"), |bencher| {
            let query = NetWorthQuery::on(book::LAST);
            bencher.iter(|| black_box(ledger.net_worth(&query, &rates)));
        });
        group.bench_function(BenchmarkId::from_parameter("120 month ends"), |bencher| {
            let query = HistoryQuery {
                from: book::FIRST,
                to: book::LAST,
                interval: Interval::Month,
                party: None,
                by: None,
            };
            bencher.iter(|| black_box(ledger.history(&query, &rates)));
        });
        group.bench_function(BenchmarkId::from_parameter("performance"), |bencher| {
            let query = PerformanceQuery {
                from: None,
                to: book::LAST,
                item: None,
                party: None,
            };
            bencher.iter(|| black_box(ledger.performance(&query, &rates)));
        });
        group.bench_function(
            BenchmarkId::from_parameter("undo of the last batch"),
            |bencher| {
                let last = batches.last().expect("a batch").id.clone();
                bencher.iter(|| black_box(ledger.without(&last)));
            },
        );
        group.bench_function(BenchmarkId::from_parameter("one more row"), |bencher| {
            let deposit = serde_json::json!({"transaction": {
                "id": "txn_more", "item": "C0", "type": "deposit", "date": book::LAST, "amount": "1",
            }});
            let draft = Draft {
                batch: "bat_more".into(),
                today: book::LAST,
                changes: vec![serde_json::from_value(deposit).expect("a change")],
            };
            bencher.iter(|| black_box(ledger.assess(&draft, &rates)));
        });
        group.finish();
    }
}

criterion_group!(benches, growth);
criterion_main!(benches);
