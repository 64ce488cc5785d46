//! Everything the reading tools show of one book, as text: two snapshots that are equal mean that nothing has changed.

use std::sync::Arc;

use serde_json::Value;

use super::{Answer, Call, Desk};
use crate::suite::Failure;

/// The days on which net worth is read, with the grouping: the items of today stand in the overview and the list.
const NET_WORTHS: [(Option<&str>, &str); 2] = [(Some("2024-06-30"), "item"), (None, "party")];
/// Members that tell who wrote what and when, not what the book says.
const PROVENANCE: [&str; 2] = ["recent_batches", "batches"];
/// Members that tell what was compared with a statement.
const CHECKS: [&str; 2] = ["reconciliations", "open_mismatches"];

/// What the reading tools showed: the name of each question with the body of its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pages: Vec<(String, String)>,
}

impl Snapshot {
    /// Asks every reading tool: overview, net worth by item on a day of the past and by party today, all items, each
    /// item, all batches.
    ///
    /// # Errors
    /// A reading tool gave no answer or refused.
    pub async fn take(desk: &Desk) -> Result<Self, Failure> {
        let mut pages = Vec::new();
        let mut read = async |question: String, call: Call| -> Result<Arc<Value>, Failure> {
            let answer: Answer = desk.send(&call).await?;
            answer.is_accepted()?;
            pages.push((question, answer.body.to_string()));
            Ok(answer.body)
        };
        read("get_overview".to_owned(), Call::get_overview()).await?;
        for (day, by) in NET_WORTHS {
            let question = format!("get_net_worth on {} by {by}", day.unwrap_or("today"));
            read(question, Call::get_net_worth(day, Some(by), None)).await?;
        }
        let mut cursor: Option<String> = None;
        let mut items = Vec::new();
        loop {
            let page = read("list_items".to_owned(), Call::list_items(cursor.as_deref())).await?;
            let listed = page["items"].as_array().into_iter().flatten();
            items.extend(listed.filter_map(|item| item["id"].as_str().map(str::to_owned)));
            cursor = page["next_cursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        for item in items {
            read(format!("get_item {item}"), Call::get_item(&item)).await?;
        }
        loop {
            let page = read(
                "list_batches".to_owned(),
                Call::list_batches(cursor.as_deref()),
            )
            .await?;
            cursor = page["next_cursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                return Ok(Self { pages });
            }
        }
    }

    /// The overview and the first page of batches alone: enough to see that a write happened, for checks that look often.
    ///
    /// # Errors
    /// A reading tool gave no answer or refused.
    pub async fn glance(desk: &Desk) -> Result<Self, Failure> {
        let mut pages = Vec::new();
        for call in [Call::get_overview(), Call::list_batches(None)] {
            let body: Value = desk.send(&call).await?.accepted()?;
            pages.push((call.tool.to_owned(), body.to_string()));
        }
        Ok(Self { pages })
    }

    /// The same snapshot without who wrote what and when: what is left must be equal after a write that was undone.
    #[must_use]
    pub fn figures_alone(&self) -> Self {
        let read = self
            .pages
            .iter()
            .filter(|(question, _)| question != "list_batches");
        let pages = read.map(|(question, text)| {
            let mut body: Value = serde_json::from_str(text).unwrap_or_default();
            if let Some(fields) = body.as_object_mut() {
                fields.retain(|name, _| !PROVENANCE.contains(&name.as_str()));
            }
            (question.clone(), body.to_string())
        });
        Self {
            pages: pages.collect(),
        }
    }

    /// The same snapshot without provenance and without the statement figures that were checked.
    #[must_use]
    pub fn without_checks(&self) -> Self {
        let mut figures = self.figures_alone();
        for (_, text) in &mut figures.pages {
            let mut body: Value = serde_json::from_str(text).unwrap_or_default();
            if let Some(fields) = body.as_object_mut() {
                fields.retain(|name, _| !CHECKS.contains(&name.as_str()));
            }
            *text = body.to_string();
        }
        figures
    }

    /// What the list of items and the items themselves show, without one field of one item and without who wrote what.
    #[must_use]
    pub fn items_without(&self, item: &str, field: &str) -> Self {
        let shown = self.pages.iter().filter(|(question, _)| {
            question.starts_with("get_item ") || question.starts_with("list_items")
        });
        let pages = shown.map(|(question, text)| {
            let mut body: Value = serde_json::from_str(text).unwrap_or_default();
            strip(&mut body, item, field);
            (question.clone(), body.to_string())
        });
        Self {
            pages: pages.collect(),
        }
    }

    /// The first thing that reads differently in `later`: the question, what stood there and what stands there now.
    #[must_use]
    pub fn first_difference(&self, later: &Self) -> Option<String> {
        let places = self.pages.len().max(later.pages.len());
        (0..places).find_map(
            |place| match (self.pages.get(place), later.pages.get(place)) {
                (Some(before), Some(after)) if before == after => None,
                (Some((question, before)), Some((_, after))) => {
                    let (before, after) = around_difference(before, after);
                    Some(format!("{question}: …{before}… became …{after}…"))
                }
                (Some((question, _)), None) => Some(format!("{question} is gone")),
                (None, Some((question, _))) => Some(format!("{question} is new")),
                (None, None) => None,
            },
        )
    }
}

/// Takes away the batches everywhere, and `field` where the item of that id is shown.
fn strip(value: &mut Value, item: &str, field: &str) {
    match value {
        Value::Object(members) => {
            members.shift_remove("batches");
            if members.get("id").is_some_and(|id| id == item) {
                members.shift_remove(field);
            }
            members
                .values_mut()
                .for_each(|inner| strip(inner, item, field));
        }
        Value::Array(elements) => elements
            .iter_mut()
            .for_each(|inner| strip(inner, item, field)),
        _ => {}
    }
}

/// The two texts around the first character that differs.
fn around_difference<'a>(before: &'a str, after: &'a str) -> (&'a str, &'a str) {
    let same = before
        .char_indices()
        .zip(after.chars())
        .find(|((_, one), other)| one != other);
    let start = same.map_or(before.len().min(after.len()), |((place, _), _)| place);
    (window(before, start), window(after, start))
}

fn window(text: &str, middle: usize) -> &str {
    let (mut from, mut to) = (
        middle.saturating_sub(60).min(text.len()),
        (middle + 60).min(text.len()),
    );
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    while !text.is_char_boundary(to) {
        to += 1;
    }
    &text[from..to]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(pages: &[(&str, &str)]) -> Snapshot {
        Snapshot {
            pages: pages
                .iter()
                .map(|(question, text)| ((*question).to_owned(), (*text).to_owned()))
                .collect(),
        }
    }

    #[test]
    fn one_more_zero_in_one_figure_is_a_difference_and_is_named() {
        let before = snapshot(&[
            ("get_overview", r#"{"net_worth":"100.0"}"#),
            ("list_batches", r#"{"batches":[]}"#),
        ]);
        let after = snapshot(&[
            ("get_overview", r#"{"net_worth":"100.00"}"#),
            ("list_batches", r#"{"batches":[]}"#),
        ]);
        let difference = before.first_difference(&after);
        assert!(
            difference
                .is_some_and(|text| text.starts_with("get_overview: ") && text.contains("100.00"))
        );
        assert_eq!(before.first_difference(&before.clone()), None);
    }

    #[test]
    fn a_new_item_is_a_difference() {
        let before = snapshot(&[("get_overview", "{}")]);
        let after = snapshot(&[("get_overview", "{}"), ("get_item itm_1", "{}")]);
        assert_eq!(
            before.first_difference(&after),
            Some("get_item itm_1 is new".to_owned())
        );
        assert_eq!(
            after.first_difference(&before),
            Some("get_item itm_1 is gone".to_owned())
        );
    }

    #[test]
    fn who_wrote_is_set_aside_and_figures_are_not() {
        let before = snapshot(&[
            (
                "get_item itm_1",
                r#"{"units":"1","batches":[{"id":"bat_1"}]}"#,
            ),
            ("list_batches", "{}"),
        ]);
        let undone = snapshot(&[
            ("get_item itm_1", r#"{"units":"1","batches":[]}"#),
            ("list_batches", r#"{"batches":[1]}"#),
        ]);
        let wrong = snapshot(&[("get_item itm_1", r#"{"units":"2","batches":[]}"#)]);
        assert_ne!(before, undone);
        assert_eq!(before.figures_alone(), undone.figures_alone());
        assert_ne!(before.figures_alone(), wrong.figures_alone());
    }

    #[test]
    fn a_difference_inside_a_wide_character_is_shown_whole() {
        let (before, after) = around_difference("käse", "kåse");
        assert_eq!((before, after), ("käse", "kåse"));
    }
}
