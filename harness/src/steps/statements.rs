//! Steps about statement files: the agent reads one, maps it by the server's guide, previews it and commits it.

use cucumber::{gherkin::Step, given, then, when};
use rust_decimal::Decimal;

use super::{
    book::{Currency, before, learn_names, lines},
    people::{Who, desk, meet},
};
use crate::{
    agent::{
        guide::Guide,
        import::{self, Account, Document, Known},
        statement, statement_file,
    },
    suite::{Failure, Scene},
    worthbase::{Answer, Call, Figure, Line, result::Recorded},
};

/// What a scenario remembers about statement files.
#[derive(Debug, Default)]
pub struct Statements {
    /// The document imported last and the account it belongs to.
    imported: Option<(Document, Account)>,
}

/// A file among the statements of the harness.
fn document(name: &str) -> Result<Document, Failure> {
    let bytes = statement_file(name)
        .ok_or_else(|| Failure::harness(format!("there is no statement file {name:?}")))?;
    Ok(Document {
        name: name.to_owned(),
        bytes: bytes.to_vec(),
        corrects: None,
    })
}

/// Reads the guide through the server's resource, maps the document by it, and previews the batch.
async fn preview_of(
    scene: &Scene,
    name: &str,
    document: &Document,
    account: &Account,
) -> Result<Answer, Failure> {
    let session = &scene.people.person(name)?.session;
    let guide = session.read_resource(import::GUIDE).await;
    let guide = guide.map_err(|problem| {
        Failure::expected(format!("the guide at {}", import::GUIDE)).actual(problem)
    })?;
    let expected = || Failure::expected(format!("{} becomes a batch", document.name));
    let guide = Guide::read(&guide).map_err(|problem| expected().actual(problem))?;
    let desk = desk(scene, name)?;
    let known = Known::ask(&desk).await?;
    let batch = import::batch_of(document, account, &guide, &known)
        .map_err(|problem| expected().actual(problem))?;
    desk.send(&Call::preview(&batch)).await
}

/// Previews a statement file of the harness without committing it.
///
/// # Errors
/// The file cannot be mapped by the server's guide, or the server refuses the batch.
pub async fn preview(
    scene: &Scene,
    name: &str,
    file: &str,
    kind: &str,
    account: &str,
    currency: &str,
) -> Result<Recorded, Failure> {
    let account = Account {
        name: account.to_owned(),
        kind: kind.to_owned(),
        currency: currency.to_owned(),
    };
    preview_of(scene, name, &document(file)?, &account)
        .await?
        .accepted()
}

/// Previews a document and commits it, as the agent does once its user has confirmed. A batch without a new row may be
/// refused by the commit: then there was nothing to do.
async fn import(
    scene: &mut Scene,
    name: &str,
    document: Document,
    account: Account,
) -> Result<(), Failure> {
    let previewed = preview_of(scene, name, &document, &account).await?;
    let preview: Recorded = previewed.accepted()?;
    let id = preview.preview_id.clone().unwrap_or_default();
    let committed = desk(scene, name)?.send(&Call::commit(&id)).await?;
    let nothing_new = preview.rows.iter().all(|row| row.class != "new");
    if nothing_new && committed.is_error {
        committed.refusal()?;
        scene.writing.last = Some(previewed);
    } else {
        let recorded: Recorded = committed.accepted()?;
        learn_names(scene, name, &recorded)?;
        scene.writing.remember_commit(committed, &recorded);
    }
    scene.writing.preview = Some(preview);
    scene.statements.imported = Some((document, account));
    Ok(())
}

/// Somebody's agent imports a statement file into an account of theirs, opened by the import where the book has none.
#[given(expr = "{person} has had {string} imported into the {word} account {string} in {currency}")]
#[when(expr = "{person} has {string} imported into the {word} account {string} in {currency}")]
async fn imports(
    scene: &mut Scene,
    who: Who,
    file: String,
    kind: String,
    account: String,
    currency: Currency,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let account = Account {
        name: account,
        kind,
        currency: currency.0,
    };
    import(scene, &name, document(&file)?, account).await
}

fn imported(scene: &Scene) -> Result<(Document, Account), Failure> {
    let imported = scene.statements.imported.clone();
    imported.ok_or_else(|| Failure::harness("nothing was imported before this sentence"))
}

/// The file imported last is imported once more, as it is.
#[when(expr = "{person} has the same file imported again")]
async fn imports_again(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (document, account) = imported(scene)?;
    import(scene, &name, document, account).await
}

/// The rows of the file imported last come in the opposite order and under another file name.
#[when(expr = "{person} has the same rows imported in the opposite order from a file {string}")]
async fn imports_reversed(scene: &mut Scene, who: Who, file: String) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (document, account) = imported(scene)?;
    let text = String::from_utf8_lossy(&document.bytes).into_owned();
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(rows) = lines.get_mut(1..) {
        rows.reverse();
    }
    let reversed = Document {
        name: file,
        bytes: lines.join("\n").into_bytes(),
        corrects: None,
    };
    import(scene, &name, reversed, account).await
}

/// Only the rows from one to another, counted from 1, of a file that begins with its header.
#[given(
    expr = "{person} has had rows {int} to {int} of {string} imported into the {word} account {string} in {currency}"
)]
#[when(
    expr = "{person} has rows {int} to {int} of {string} imported into the {word} account {string} in {currency}"
)]
#[expect(
    clippy::too_many_arguments,
    reason = "a sentence of the features has as many parts"
)]
async fn imports_part(
    scene: &mut Scene,
    who: Who,
    first: usize,
    last: usize,
    file: String,
    kind: String,
    account: String,
    currency: Currency,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let whole = document(&file)?;
    let text = String::from_utf8_lossy(&whole.bytes).into_owned();
    let kept = text
        .lines()
        .enumerate()
        .filter(|(line, _)| *line == 0 || (first..=last).contains(line));
    let kept: Vec<&str> = kept.map(|(_, line)| line).collect();
    let part = Document {
        bytes: kept.join("\n").into_bytes(),
        ..whole
    };
    let account = Account {
        name: account,
        kind,
        currency: currency.0,
    };
    import(scene, &name, part, account).await
}

/// The institution sends the statement again with one figure corrected. The figures are written as in the file.
#[when(
    expr = "{person} has a corrected copy imported in which line {int} says {string} instead of {string}"
)]
async fn imports_corrected(
    scene: &mut Scene,
    who: Who,
    line: usize,
    after: String,
    before: String,
) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (original, account) = imported(scene)?;
    let mut lines: Vec<Vec<u8>> = original
        .bytes
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let place = line.checked_sub(1).and_then(|index| lines.get_mut(index));
    let corrected =
        place.and_then(|line| Some((replaced(line, before.as_bytes(), after.as_bytes())?, line)));
    let Some((corrected, place)) = corrected else {
        return Err(
            Failure::expected(format!("{before:?} on line {line} of {}", original.name))
                .actual("it is not there"),
        );
    };
    *place = corrected;
    let copy = Document {
        name: original.name.clone(),
        bytes: lines.join(&b'\n'),
        corrects: Some(statement::sha256(&original.bytes)),
    };
    import(scene, &name, copy, account).await
}

/// `line` with the first `before` replaced; byte by byte, because the file's encoding is its own.
fn replaced(line: &[u8], before: &[u8], after: &[u8]) -> Option<Vec<u8>> {
    let place = line
        .windows(before.len().max(1))
        .position(|part| part == before)?;
    Some([&line[..place], after, &line[place + before.len()..]].concat())
}

/// What the book shows of each item: columns `item units cost base gain balance`. Units and balances agree to the last
/// digit, cost and gain to the cent, since how a lot's cost is divided is a convention below the cent.
#[then(expr = "{person}'s book agrees with the statement")]
async fn agrees_with_statement(scene: &mut Scene, who: Who, step: &Step) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let desk = desk(scene, &name)?;
    for line in lines(step) {
        let item = line.cell("item").unwrap_or_default();
        let id = before(scene, &name)?.items.get(item).cloned();
        let id = id.ok_or_else(|| {
            Failure::expected(format!("an item {item:?}")).actual("the import opened none")
        })?;
        let detail = desk.item(&id).await?;
        let held = &detail.item.position;
        let gains = Figure::sum(detail.sales.iter().map(|sale| &sale.gain));
        let gains = gains
            .map_err(|problem| Failure::expected("gains that can be added").actual(problem))?;
        let exactly = |one: &Figure, other: &Figure| one == other;
        let to_the_cent =
            |one: &Figure, other: &Figure| cents(one).is_some() && cents(one) == cents(other);
        check(&line, "units", held.units.as_ref(), exactly)?;
        check(&line, "balance", held.value.as_ref(), exactly)?;
        check(&line, "cost base", held.cost_base.as_ref(), to_the_cent)?;
        check(&line, "gain", Some(&gains), to_the_cent)?;
    }
    Ok(())
}

fn check(
    line: &Line,
    heading: &str,
    seen: Option<&Figure>,
    agree: impl Fn(&Figure, &Figure) -> bool,
) -> Result<(), Failure> {
    let Some(written) = line.cell(heading) else {
        return Ok(());
    };
    let stated = Figure::from_prose(written).map_err(|problem| {
        Failure::expected(format!("a figure under {heading:?}")).actual(problem)
    })?;
    if seen.is_some_and(|seen| agree(&stated, seen)) {
        return Ok(());
    }
    let item = line.cell("item").unwrap_or_default();
    let shown = seen.map_or("none", Figure::text);
    Err(Failure::expected(format!("{heading} of {item}: {written}")).actual(shown))
}

/// A figure rounded half-even to the cent, as a statement prints it.
fn cents(figure: &Figure) -> Option<Decimal> {
    figure
        .text()
        .parse::<Decimal>()
        .ok()
        .map(|figure| figure.round_dp(2))
}

/// The batch of the last import says which document it came from: its name and the SHA-256 of its bytes.
#[then(expr = "{person}'s last batch names the file and its fingerprint")]
async fn names_the_source(scene: &mut Scene, who: Who) -> Result<(), Failure> {
    let name = meet(scene, &who).await?;
    let (document, _) = imported(scene)?;
    let batches = desk(scene, &name)?.batches().await?;
    let source = batches.first().and_then(|batch| batch.source.clone());
    let source = source.unwrap_or_default();
    let digest = statement::sha256(&document.bytes);
    let kept = source["name"] == document.name.as_str() && source["sha256"] == digest.as_str();
    if kept && source["kind"] == "csv" {
        return Ok(());
    }
    Err(Failure::expected(format!("csv {} with SHA-256 {digest}", document.name)).actual(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_figure_of_a_line_is_replaced_and_the_rest_kept() {
        assert_eq!(
            replaced(b"K\xf6ln;-4,90;EUR", b"-4,90", b"-5,90"),
            Some(b"K\xf6ln;-5,90;EUR".to_vec())
        );
        assert_eq!(replaced(b"a;b", b"c", b"d"), None);
        assert_eq!(replaced(b"", b"c", b"d"), None);
    }

    #[test]
    fn figures_are_compared_to_the_cent_whatever_their_scale() {
        let figure = |text: &str| text.parse::<Figure>().unwrap();
        assert_eq!(cents(&figure("1233.225")), cents(&figure("1233.22")));
        assert_ne!(cents(&figure("1233.23")), cents(&figure("1233.22")));
    }

    #[test]
    fn every_statement_of_the_features_is_at_hand() {
        for name in [
            "us-broker-history-2024.csv",
            "german-bank-2024-h1.csv",
            "nubank-2026-05.csv",
            "crypto-exchange-1000.csv",
        ] {
            assert!(document(name).is_ok(), "{name}");
        }
    }
}
