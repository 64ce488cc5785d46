//! The store on its own: appends on a head, two connections on one file, a file that survives.

use jiff::Timestamp;
use tempfile::TempDir;

use super::*;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

fn entry(kind: EntryKind, batch: &str, preview: Option<&str>) -> NewEntry {
    NewEntry {
        kind,
        batch: batch.to_owned(),
        at: at(1),
        provenance: "{}".to_owned(),
        changes: Some("[]".to_owned()),
        preview: preview.map(str::to_owned),
    }
}

async fn with_workspace(location: &StoreLocation) -> Store {
    let store = Store::open(location).await.unwrap();
    let ada = store
        .meet("ada", "usr_1", "ada@example.test", "Ada")
        .await
        .unwrap();
    store
        .create_workspace(&NewWorkspace {
            id: "ws_1".to_owned(),
            name: "Home".to_owned(),
            base_currency: "AUD".to_owned(),
            creator: ada.id,
            party: "pty_1".to_owned(),
            founding: entry(EntryKind::Founding, "bat_0", None),
        })
        .await
        .unwrap();
    store
}

async fn keep(store: &Store, id: &str) {
    store
        .keep_preview(
            &Preview {
                id: id.to_owned(),
                workspace: "ws_1".to_owned(),
                person: "usr_1".to_owned(),
                expires_at: at(1800),
                body: "{}".to_owned(),
                batch: None,
            },
            at(0),
        )
        .await
        .unwrap();
}

#[tokio::test]
async fn an_append_on_an_old_head_writes_nothing() {
    let store = with_workspace(&StoreLocation::Memory).await;
    let first = entry(EntryKind::Batch, "bat_1", None);
    assert_eq!(store.append("ws_1", 0, &first).await.unwrap(), 1);
    let second = entry(EntryKind::Batch, "bat_2", None);
    assert!(matches!(
        store.append("ws_1", 0, &second).await,
        Err(AppendError::HeadMoved)
    ));
    let entries = store.entries_after("ws_1", -1).await.unwrap();
    let seen: Vec<_> = entries
        .iter()
        .map(|entry| (entry.number, entry.kind, entry.batch.as_str()))
        .collect();
    assert_eq!(
        seen,
        [
            (0, EntryKind::Founding, "bat_0"),
            (1, EntryKind::Batch, "bat_1")
        ]
    );
}

#[tokio::test]
async fn a_preview_becomes_one_batch_only() {
    let store = with_workspace(&StoreLocation::Memory).await;
    keep(&store, "prv_1").await;
    let committed = entry(EntryKind::Batch, "bat_1", Some("prv_1"));
    store.append("ws_1", 0, &committed).await.unwrap();
    assert_eq!(
        store
            .preview("prv_1")
            .await
            .unwrap()
            .unwrap()
            .batch
            .as_deref(),
        Some("bat_1")
    );
    match store.append("ws_1", 1, &committed).await {
        Err(AppendError::AlreadyCommitted(batch)) => assert_eq!(batch, "bat_1"),
        other => panic!("expected already committed, got {other:?}"),
    }
}

#[tokio::test]
async fn two_openings_of_one_file_race_for_one_head() {
    let folder = TempDir::new().unwrap();
    let location = StoreLocation::File(folder.path().join("book.sqlite"));
    let one = with_workspace(&location).await;
    let other = Store::open(&location).await.unwrap();
    for head in 0..20 {
        let (mine, yours) = (format!("bat_a{head}"), format!("bat_b{head}"));
        let (first, second) = (
            entry(EntryKind::Batch, &mine, None),
            entry(EntryKind::Batch, &yours, None),
        );
        let (first, second) = tokio::join!(
            one.append("ws_1", head, &first),
            other.append("ws_1", head, &second)
        );
        let wins = [first, second]
            .iter()
            .filter(|result| result.is_ok())
            .count();
        assert_eq!(wins, 1, "round {head}");
    }
    assert_eq!(one.entries_after("ws_1", 0).await.unwrap().len(), 20);
}

#[tokio::test]
async fn a_file_opened_again_holds_everything() {
    let folder = TempDir::new().unwrap();
    let location = StoreLocation::File(folder.path().join("book.sqlite"));
    let store = with_workspace(&location).await;
    keep(&store, "prv_1").await;
    drop(store);
    let again = Store::open(&location).await.unwrap();
    let memberships = again.memberships("usr_1").await.unwrap();
    assert_eq!(memberships.len(), 1);
    assert_eq!(memberships[0].role, "admin");
    assert_eq!(memberships[0].party.as_deref(), Some("pty_1"));
    assert_eq!(again.preview("prv_1").await.unwrap().unwrap().batch, None);
}

#[tokio::test]
async fn the_last_admin_stays_also_when_two_leave_at_once() {
    let store = with_workspace(&StoreLocation::Memory).await;
    store
        .meet("bob", "usr_2", "bob@example.test", "Bob")
        .await
        .unwrap();
    store
        .keep_invite(&NewInvite {
            id: "inv_1".to_owned(),
            workspace: "ws_1".to_owned(),
            email: "bob@example.test".to_owned(),
            role: "admin".to_owned(),
            code_digest: "digest".to_owned(),
            invited_by: "usr_1".to_owned(),
            expires_at: at(600),
        })
        .await
        .unwrap();
    let invite = store.invite("digest").await.unwrap().unwrap();
    let accepted = store
        .accept_invite(invite.clone(), "usr_2", at(2), true)
        .await
        .unwrap();
    assert_eq!(accepted.role, "admin");
    assert!(matches!(
        store.accept_invite(invite, "usr_2", at(3), true).await,
        Err(InviteError::Gone)
    ));
    let (ada, bob) = tokio::join!(
        store.change_member("ws_1", "usr_1", Some("viewer"), true),
        store.change_member("ws_1", "usr_2", None, true)
    );
    assert_eq!([ada, bob].iter().filter(|result| result.is_ok()).count(), 1);
}

#[tokio::test]
async fn old_previews_are_forgotten_and_the_batches_of_old_ones_are_not() {
    let store = with_workspace(&StoreLocation::Memory).await;
    keep(&store, "prv_1").await;
    keep(&store, "prv_2").await;
    let committed = entry(EntryKind::Batch, "bat_1", Some("prv_1"));
    store.append("ws_1", 0, &committed).await.unwrap();
    let next = Preview {
        id: "prv_3".to_owned(),
        workspace: "ws_1".to_owned(),
        person: "usr_1".to_owned(),
        expires_at: at(9000),
        body: "{}".to_owned(),
        batch: None,
    };
    store.keep_preview(&next, at(1801)).await.unwrap();
    let kept = store.preview("prv_1").await.unwrap().unwrap();
    assert_eq!(
        (kept.body.as_str(), kept.batch.as_deref()),
        ("", Some("bat_1"))
    );
    assert_eq!(store.preview("prv_2").await.unwrap(), None);
    assert!(store.preview("prv_3").await.unwrap().is_some());
}

#[tokio::test]
async fn a_limit_is_used_up_and_comes_back_with_the_next_window() {
    let store = Store::open(&StoreLocation::Memory).await.unwrap();
    let window = jiff::SignedDuration::from_secs(60);
    let take = async |second| {
        store
            .take("search usr_1", at(second), window, 2)
            .await
            .unwrap()
    };
    assert_eq!((take(0).await, take(10).await), (None, None));
    assert_eq!(take(20).await, Some(jiff::SignedDuration::from_secs(40)));
    assert_eq!(take(59).await, Some(jiff::SignedDuration::from_secs(1)));
    assert_eq!((take(60).await, take(61).await), (None, None));
    assert!(take(62).await.is_some());
    // A clock that was set back does not lock anybody out.
    assert_eq!(take(5).await, None);
}

#[tokio::test]
async fn of_many_at_once_one_begins_a_run_and_a_file_of_the_first_version_is_brought_up() {
    let folder = TempDir::new().unwrap();
    let location = StoreLocation::File(folder.path().join("book.sqlite"));
    let store = with_workspace(&location).await;
    sqlx::raw_sql(
        "DROP TABLE fetched_prices; DROP TABLE price_runs; DROP TABLE limits; DROP INDEX previews_by_expiry; PRAGMA user_version = 1",
    )
    .execute(&store.pool)
    .await
    .unwrap();
    drop(store);
    let one = Store::open(&location).await.unwrap();
    let other = Store::open(&location).await.unwrap();
    let begin = async |store: &Store, second| {
        let limit = Some(at(second - 100));
        store
            .begin_price_run("ws_1", at(second), limit)
            .await
            .unwrap()
    };
    let (first, second) = tokio::join!(begin(&one, 1000), begin(&other, 1000));
    assert!(first != second);
    assert!(!begin(&one, 1050).await && begin(&one, 1101).await);
    let price = NewPrice {
        id: "prc_1".to_owned(),
        item: "itm_1".to_owned(),
        date: "2026-10-30".to_owned(),
        price: "1.50".to_owned(),
        currency: "AUD".to_owned(),
        provider: "yahoo".to_owned(),
    };
    let run = PriceRun {
        started_at: at(1101),
        finished_at: Some(at(1102)),
        status: "finished".to_owned(),
        errors: "[]".to_owned(),
    };
    one.end_price_run("ws_1", &run, &[price]).await.unwrap();
    assert_eq!(other.price_run("ws_1").await.unwrap(), Some(run));
    let prices = other.prices_after("ws_1", -1).await.unwrap();
    assert_eq!(prices.len(), 1);
    assert_eq!(
        other.prices_after("ws_1", prices[0].number).await.unwrap(),
        []
    );
}

#[tokio::test]
async fn a_later_schema_is_left_alone() {
    let folder = TempDir::new().unwrap();
    let location = StoreLocation::File(folder.path().join("book.sqlite"));
    let store = with_workspace(&location).await;
    sqlx::raw_sql("PRAGMA user_version = 9")
        .execute(&store.pool)
        .await
        .unwrap();
    drop(store);
    assert!(matches!(
        Store::open(&location).await,
        Err(StoreError::SchemaVersion { found: 9 })
    ));
}
