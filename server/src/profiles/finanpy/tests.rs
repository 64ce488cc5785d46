//! The cash book as a whole, on a database in a temporary folder.

use std::path::Path;

use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tempfile::TempDir;

use super::*;
use crate::clock::SteeredClock;

/// 22:30 of 23 June in São Paulo.
const NIGHT: &str = "2026-06-24T01:30:00Z";

async fn book(folder: &Path, rules: Value) -> (Finanpy, std::sync::Arc<SteeredClock>) {
    let (clock, steering) = Clock::steered(NIGHT.parse().unwrap());
    let parts = FinanpyParts {
        folder: folder.to_owned(),
        clock,
        rules: serde_json::from_value(rules).unwrap(),
    };
    (Finanpy::open(parts).await.unwrap(), steering)
}

fn arguments(value: Value) -> JsonObject {
    value.as_object().unwrap().clone()
}

fn ride(changes: Value) -> JsonObject {
    let mut ride = arguments(json!({
        "type": "despesa", "amount": 73.90, "category": "transporte", "description": "Uber", "date": "2026-06-23"
    }));
    ride.extend(arguments(changes));
    ride
}

async fn registered(book: &Finanpy, changes: Value) -> Value {
    book.register(&ride(changes)).await.unwrap().value
}

async fn listed(book: &Finanpy, filter: Value) -> Vec<Value> {
    let answer = book.list(&arguments(filter)).await.unwrap();
    answer.value.as_array().unwrap().clone()
}

async fn connect(folder: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new()
        .filename(folder.join(FILE))
        .create_if_missing(true);
    SqliteConnection::connect_with(&options).await.unwrap()
}

fn code<T: std::fmt::Debug>(outcome: Result<T, Unanswered>) -> refusal::Code {
    match outcome.unwrap_err() {
        Unanswered::Refused(refusal) => refusal.code,
        Unanswered::Protocol(text) => panic!("{text}"),
    }
}

#[tokio::test]
async fn an_identifier_comes_once_and_none_never_collides() {
    let folder = TempDir::new().unwrap();
    let (book, _) = book(folder.path(), json!({})).await;
    let first = registered(&book, json!({"identifier": "a"})).await;
    assert_eq!(first["sucesso"], true);
    let second = registered(&book, json!({"identifier": "a", "amount": 5})).await;
    assert_eq!(second["code"], "DUPLICATE");
    assert_eq!(second["id_existente"], first["id"]);
    for identifier in [json!(null), json!(""), json!(null)] {
        let kept = registered(&book, json!({"identifier": identifier})).await;
        assert_eq!(kept["sucesso"], true);
    }
    let rows = listed(&book, json!({})).await;
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[0]["amount"], json!(-73.9));
}

#[tokio::test]
async fn filters_are_exact_and_all_hold() {
    let folder = TempDir::new().unwrap();
    let (book, _) = book(folder.path(), json!({})).await;
    for (category, date, kind) in [
        ("alimentacao", "2026-05-12", "despesa"),
        ("Alimentacao", "2026-05-13", "despesa"),
        ("alimentacao fora", "2026-05-14", "despesa"),
        ("alimentacao", "2026-06-01", "despesa"),
        ("alimentacao", "2026-05-02", "receita"),
        ("%", "2026-05-03", "despesa"),
    ] {
        registered(
            &book,
            json!({"category": category, "date": date, "type": kind}),
        )
        .await;
    }
    let filter = json!({"period": "2026-05", "category": "alimentacao", "type": "despesa"});
    let rows = listed(&book, filter).await;
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["date"], "2026-05-12");
    for (filter, count) in [
        (json!({}), 6),
        (json!({"period": "2026-05"}), 5),
        (json!({"category": "alimentacao"}), 3),
        (json!({"category": "%"}), 1),
        (json!({"category": "_"}), 0),
        (json!({"type": "receita"}), 1),
    ] {
        assert_eq!(listed(&book, filter.clone()).await.len(), count, "{filter}");
    }
    let dates: Vec<_> = listed(&book, json!({}))
        .await
        .iter()
        .map(|row| row["date"].as_str().unwrap().to_owned())
        .collect();
    assert!(dates.is_sorted(), "{dates:?}");
}

#[tokio::test]
async fn the_summary_is_this_months_in_sao_paulo_and_leaves_no_trace() {
    let folder = TempDir::new().unwrap();
    let (book, clock) = book(folder.path(), json!({})).await;
    registered(&book, json!({"date": "2026-05-31"})).await;
    registered(&book, json!({"amount": 0.1})).await;
    registered(&book, json!({"amount": 0.2, "category": "moradia"})).await;
    registered(&book, json!({"amount": 1000, "type": "receita"})).await;
    let before = std::fs::read(folder.path().join(FILE)).unwrap();
    assert_eq!(
        book.summary().await.unwrap(),
        r#"{"period":"2026-06","total_income":1000.00,"total_expense":0.30,"balance":999.70,"expenses_by_category":{"moradia":0.20,"transporte":0.10}}"#
    );
    assert_eq!(std::fs::read(folder.path().join(FILE)).unwrap(), before);
    // Half past eleven of 30 June there is July in UTC.
    clock.set("2026-07-01T02:30:00Z".parse().unwrap());
    assert!(
        book.summary()
            .await
            .unwrap()
            .contains(r#""total_expense":0.30"#)
    );
    clock.set("2026-07-01T03:00:00Z".parse().unwrap());
    assert_eq!(
        book.summary().await.unwrap(),
        r#"{"period":"2026-07","total_income":0.00,"total_expense":0.00,"balance":0.00,"expenses_by_category":{}}"#
    );
}

#[tokio::test]
async fn text_is_data() {
    let folder = TempDir::new().unwrap();
    let (book, _) = book(folder.path(), json!({})).await;
    let texts = [
        "x'); DROP TABLE transactions;--",
        "ação \"entre aspas\" 🍕",
        " two\nlines ",
        &"ç".repeat(1000),
    ];
    for text in texts {
        registered(
            &book,
            json!({"category": text, "description": text, "identifier": text}),
        )
        .await;
        let rows = listed(&book, json!({"category": text})).await;
        assert_eq!(rows.len(), 1);
        assert_eq!(
            (&rows[0]["description"], &rows[0]["identifier"]),
            (&json!(text), &json!(text))
        );
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_new_file_is_its_users_only_and_so_are_its_journals() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempDir::new().unwrap();
    let (book, _) = book(folder.path(), json!({})).await;
    registered(&book, json!({})).await;
    let mode = |name: &str| {
        let file = folder.path().join(name);
        std::fs::metadata(file).map(|found| found.permissions().mode() & 0o777)
    };
    assert_eq!(mode(FILE).unwrap(), 0o600);
    for other in std::fs::read_dir(folder.path()).unwrap() {
        let name = other.unwrap().file_name().into_string().unwrap();
        assert_eq!(mode(&name).unwrap(), 0o600, "{name}");
    }
}

#[tokio::test]
async fn a_database_of_another_program_works_and_stays_as_it_is() {
    let folder = TempDir::new().unwrap();
    let mut other = connect(folder.path()).await;
    sqlx::raw_sql(
        "CREATE TABLE transactions (id INTEGER PRIMARY KEY AUTOINCREMENT, identifier TEXT UNIQUE NOT NULL, type TEXT, amount REAL,
                                    category TEXT DEFAULT 'sem categoria', description TEXT, date TEXT);
         INSERT INTO transactions (id, identifier, type, amount, description, date)
         VALUES (1, '69fa0c39-ca20-4683-849a-85519872249a', 'receita', 50, 'Resgate RDB', '2026-05-05'),
                (7, '', 'despesa', -49.900000000000006, NULL, '2026-06-05')",
    )
    .execute(&mut other)
    .await
    .unwrap();
    let (book, _) = book(folder.path(), json!({})).await;
    let rows = book.list(&JsonObject::new()).await.unwrap();
    assert!(
        rows.text.starts_with(
            r#"[{"id":1,"identifier":"69fa0c39-ca20-4683-849a-85519872249a","type":"receita","amount":50.00,"category":"sem categoria","description":"Resgate RDB","date":"2026-05-05"}"#
        ),
        "{}",
        rows.text
    );
    // Its identifier must be filled, so a call without one gets one.
    assert_eq!(registered(&book, json!({})).await["id"], 8);
    assert_eq!(registered(&book, json!({})).await["id"], 9);
    assert!(
        book.summary()
            .await
            .unwrap()
            .contains(r#""total_expense":197.70"#)
    );
    let schema: Vec<(String,)> =
        sqlx::query_as("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
            .fetch_all(&mut other)
            .await
            .unwrap();
    assert_eq!(schema, [("transactions".to_owned(),)]);
}

#[tokio::test]
async fn a_table_of_another_kind_is_not_touched() {
    let folder = TempDir::new().unwrap();
    let mut other = connect(folder.path()).await;
    sqlx::raw_sql("CREATE TABLE transactions (id INTEGER, what TEXT)")
        .execute(&mut other)
        .await
        .unwrap();
    let parts = FinanpyParts {
        folder: folder.path().to_owned(),
        clock: Clock::System,
        rules: FinanpyRules::default(),
    };
    let problem = Finanpy::open(parts).await.unwrap_err().to_string();
    assert!(problem.contains("identifier"), "{problem}");
}

#[tokio::test]
async fn a_held_database_is_db_busy_within_seconds_and_nothing_is_stored() {
    let folder = TempDir::new().unwrap();
    let mut other = connect(folder.path()).await;
    sqlx::raw_sql("BEGIN EXCLUSIVE")
        .execute(&mut other)
        .await
        .unwrap();
    // Held from before the start.
    let (book, _) = book(folder.path(), json!({})).await;
    let started = std::time::Instant::now();
    let nothing = JsonObject::new();
    let ride = ride(json!({}));
    let (register, list, summary) =
        tokio::join!(book.register(&ride), book.list(&nothing), book.summary());
    // One second each, and time to spare on a busy machine.
    assert!(started.elapsed().as_secs() < 15);
    assert_eq!(code(register), refusal::Code::DbBusy);
    assert_eq!(code(list), refusal::Code::DbBusy);
    assert_eq!(summary.unwrap_err().code, refusal::Code::DbBusy);
    sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
    assert_eq!(listed(&book, json!({})).await.len(), 0);
    assert_eq!(registered(&book, json!({})).await["sucesso"], true);
}

#[tokio::test]
async fn two_openings_of_one_file_lose_nothing() {
    let folder = TempDir::new().unwrap();
    let (one, _) = book(folder.path(), json!({})).await;
    let (other, _) = book(folder.path(), json!({})).await;
    let write = |book: &'static str, number: usize| json!({"identifier": format!("shared-{number}"), "category": book});
    let mut kept = 0;
    for number in 0..25 {
        let (left, right) = (ride(write("one", number)), ride(write("other", number)));
        let (left, right) = tokio::join!(one.register(&left), other.register(&right));
        let answers = [left.unwrap().value, right.unwrap().value];
        kept += answers
            .iter()
            .filter(|answer| answer["sucesso"] == true)
            .count();
        assert!(
            answers.iter().any(|answer| answer["code"] == "DUPLICATE"),
            "{answers:?}"
        );
    }
    assert_eq!(kept, 25);
    assert_eq!(listed(&one, json!({})).await.len(), 25);
}

mod statements {
    use super::*;

    const STATEMENT: &str = "Data,Valor,Identificador,Descrição\n\
        05/05/2026,-50.00,69fa0c7e-1,Transferência Pix\n\
        06/05/2026,188.03,69fbee60-2,\"Resgate, RDB\"\n\
        31/02/2026,1.00,x,Não existe\n\
        07/05/2026,0.00,y,Zero\n\
        08/05/2026,-1.00,69fa0c7e-1,De novo\n\
        09/05/2026,-2.50,z,\"duas\nlinhas\"\n";

    async fn imported(folder: &Path, bytes: &[u8], rules: Value) -> Report {
        let file = folder.join("extrato.csv");
        std::fs::write(&file, bytes).unwrap();
        import(
            &file,
            folder,
            &serde_json::from_value(rules).unwrap(),
            |_| {},
        )
        .await
        .unwrap()
    }

    #[tokio::test]
    async fn what_can_be_read_is_kept_once_and_the_rest_is_named() {
        let folder = TempDir::new().unwrap();
        let report = imported(folder.path(), STATEMENT.as_bytes(), json!({})).await;
        assert_eq!((report.imported, report.known), (3, 1));
        let lines: Vec<_> = report.broken.iter().map(|broken| broken.line).collect();
        assert_eq!(lines, [4, 5]);
        let (book, _) = book(folder.path(), json!({})).await;
        let before = listed(&book, json!({})).await;
        assert_eq!(before[0]["amount"], json!(-50.0));
        assert_eq!(before[0]["date"], "2026-05-05");
        assert_eq!(before[0]["category"], "sem categoria");
        assert_eq!(before[1]["type"], "receita");
        assert_eq!(before[1]["description"], "Resgate, RDB");
        assert_eq!(before[2]["description"], "duas\nlinhas");
        let again = imported(folder.path(), STATEMENT.as_bytes(), json!({})).await;
        assert_eq!((again.imported, again.known), (0, 4));
        assert_eq!(listed(&book, json!({})).await, before);
    }

    #[tokio::test]
    async fn a_row_by_hand_is_not_written_over() {
        let folder = TempDir::new().unwrap();
        let (book, _) = book(folder.path(), json!({})).await;
        registered(&book, json!({"identifier": "69fa0c7e-1", "amount": 7})).await;
        let report = imported(folder.path(), STATEMENT.as_bytes(), json!({})).await;
        assert_eq!((report.imported, report.known), (2, 2));
        let rows = listed(&book, json!({"category": "transporte"})).await;
        assert_eq!(rows[0]["amount"], json!(-7.0));
    }

    #[tokio::test]
    async fn the_defects_of_the_import_can_be_seen() {
        let rows_with = async |rules: Value| {
            let folder = TempDir::new().unwrap();
            imported(folder.path(), STATEMENT.as_bytes(), rules.clone()).await;
            imported(folder.path(), STATEMENT.as_bytes(), rules).await;
            let (book, _) = book(folder.path(), json!({})).await;
            listed(&book, json!({})).await
        };
        let correct = rows_with(json!({})).await;
        for (name, value) in [
            ("date_order", "month_first"),
            ("sign", "lost"),
            ("category", "empty"),
            ("known", "stored_again"),
            ("broken", "stored_anyway"),
            ("broken", "ends_import"),
            ("encoding", "windows1252"),
        ] {
            let rows = rows_with(json!({"import": {name: value}})).await;
            assert_ne!(rows, correct, "{name} {value}");
        }
    }

    #[tokio::test]
    async fn a_hundred_thousand_rows_take_seconds() {
        let folder = TempDir::new().unwrap();
        let mut text = String::from("Data,Valor,Identificador,Descrição\n");
        for number in 0..100_000 {
            text.push_str(&format!(
                "{:02}/05/2026,-{}.{:02},id-{number},Compra no débito {number}\n",
                number % 28 + 1,
                number / 100 + 1,
                number % 100
            ));
        }
        let started = std::time::Instant::now();
        let report = imported(folder.path(), text.as_bytes(), json!({})).await;
        assert_eq!(report.imported, 100_000);
        let again = imported(folder.path(), text.as_bytes(), json!({})).await;
        assert_eq!((again.imported, again.known), (0, 100_000));
        // Far more than it takes: it is a bound against quadratic work, also unoptimized on a busy machine.
        assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    }
}
