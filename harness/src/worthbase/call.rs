//! What is sent: one constructor for each tool, with the contract's names of tools and arguments.

use serde_json::{Map, Value, json};

use super::Batch;

/// One tool call, not yet sent. A [`super::Desk`] adds the workspace where the tool takes one.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Name of the tool.
    pub tool: &'static str,
    /// Its arguments, a JSON object.
    pub arguments: Map<String, Value>,
    /// Whether the tool acts in a workspace and therefore takes one.
    pub in_workspace: bool,
}

/// How a breakdown of net worth is grouped: `class`, `kind`, `party`, `account` or `item`.
pub type Grouping<'a> = Option<&'a str>;

impl Call {
    pub(super) fn new(tool: &'static str, arguments: Value) -> Self {
        let arguments = match arguments {
            Value::Object(fields) => fields
                .into_iter()
                .filter(|(_, value)| !value.is_null())
                .collect(),
            _ => Map::new(),
        };
        Self {
            tool,
            arguments,
            in_workspace: true,
        }
    }

    /// A call whose arguments stand together already: for sweeps over many tools.
    #[must_use]
    pub fn raw(tool: &'static str, arguments: Value) -> Self {
        Self::new(tool, arguments)
    }

    fn outside_workspaces(mut self) -> Self {
        self.in_workspace = false;
        self
    }

    /// The same call with one argument set as given, whatever the contract says about it: for calls that must be refused.
    #[must_use]
    pub fn with(mut self, argument: &str, value: Value) -> Self {
        self.arguments.insert(argument.to_owned(), value);
        self
    }

    /// Who am I, and which workspaces are mine?
    #[must_use]
    pub fn whoami() -> Self {
        Self::new("whoami", json!({})).outside_workspaces()
    }

    /// The book at a glance.
    #[must_use]
    pub fn get_overview() -> Self {
        Self::new("get_overview", json!({}))
    }

    /// Net worth at the close of `date` (today without one), for one party if named, with a breakdown if grouped.
    #[must_use]
    pub fn get_net_worth(date: Option<&str>, by: Grouping<'_>, party: Option<&str>) -> Self {
        Self::new(
            "get_net_worth",
            json!({ "date": date, "by": by, "party": party }),
        )
    }

    /// All items, the archived ones too.
    #[must_use]
    pub fn list_items(cursor: Option<&str>) -> Self {
        Self::new(
            "list_items",
            json!({ "include_archived": true, "cursor": cursor }),
        )
    }

    /// The items that are not archived.
    #[must_use]
    pub fn list_present_items() -> Self {
        Self::new("list_items", json!({}))
    }

    /// One item in full.
    #[must_use]
    pub fn get_item(item: &str) -> Self {
        Self::new("get_item", json!({ "item": item }))
    }

    /// The writes of the book, newest first, at most 100 a page.
    #[must_use]
    pub fn list_batches(cursor: Option<&str>) -> Self {
        Self::new("list_batches", json!({ "cursor": cursor, "limit": 100 }))
    }

    /// A batch, previewed: the switch is left out, because a preview is what `record` does unless told otherwise.
    #[must_use]
    pub fn preview(batch: &Batch) -> Self {
        Self::new("record", batch.arguments())
    }

    /// A batch recorded at once, without a preview.
    #[must_use]
    pub fn record_at_once(batch: &Batch) -> Self {
        Self::preview(batch).with("dry_run", json!(false))
    }

    /// A previewed batch becomes part of the book.
    #[must_use]
    pub fn commit(preview: &str) -> Self {
        Self::new("commit", json!({ "preview_id": preview }))
    }

    /// What undoing a batch would do; the switch is left out.
    #[must_use]
    pub fn preview_undo(batch: &str) -> Self {
        Self::new("undo", json!({ "batch": batch }))
    }

    /// A committed batch is taken back.
    #[must_use]
    pub fn undo(batch: &str) -> Self {
        Self::preview_undo(batch).with("dry_run", json!(false))
    }

    /// Rows are taken out of the book: ids of transactions (or transfers), valuations and prices.
    #[must_use]
    pub fn void(
        transactions: &[String],
        valuations: &[String],
        prices: &[String],
        reason: Option<&str>,
    ) -> Self {
        let list = |ids: &[String]| {
            if ids.is_empty() {
                Value::Null
            } else {
                json!(ids)
            }
        };
        let arguments = json!({
            "transactions": list(transactions), "valuations": list(valuations), "prices": list(prices), "reason": reason,
        });
        Self::new("void", arguments)
    }

    /// A statement's figure (`units`, `value` or `cost_base`) is compared with the calculated one of `date`.
    #[must_use]
    pub fn reconcile(item: &str, date: &str, measure: &str, figure: &str) -> Self {
        Self::new("reconcile", json!({ "item": item, "date": date })).with(measure, json!(figure))
    }

    /// Prices are to be fetched, in the background.
    #[must_use]
    pub fn refresh_prices() -> Self {
        Self::new("refresh_prices", json!({}))
    }

    /// Securities and coins by name or code.
    #[must_use]
    pub fn search_instruments(query: &str) -> Self {
        Self::new("search_instruments", json!({ "query": query }))
    }

    /// A workspace is made; without a currency the server's own default counts.
    #[must_use]
    pub fn create_workspace(name: &str, base_currency: Option<&str>) -> Self {
        Self::new(
            "save_workspace",
            json!({ "name": name, "base_currency": base_currency }),
        )
        .outside_workspaces()
    }

    /// The workspace of the desk gets another name.
    #[must_use]
    pub fn rename_workspace(name: &str) -> Self {
        Self::new("save_workspace", json!({ "name": name }))
    }

    /// A legal owner is added.
    #[must_use]
    pub fn add_party(name: &str, kind: &str) -> Self {
        Self::new("save_party", json!({ "name": name, "kind": kind }))
    }

    /// An account at an institution is added.
    #[must_use]
    pub fn add_account(name: &str, kind: &str) -> Self {
        Self::new("save_account", json!({ "name": name, "kind": kind }))
    }

    /// Members and invites of the workspace.
    #[must_use]
    pub fn list_members() -> Self {
        Self::new("members", json!({ "action": "list" }))
    }

    /// Somebody is invited by e-mail.
    #[must_use]
    pub fn invite(email: &str, role: &str) -> Self {
        Self::new(
            "members",
            json!({ "action": "invite", "email": email, "role": role }),
        )
    }

    /// A member gets another role.
    #[must_use]
    pub fn set_role(member: &str, role: &str) -> Self {
        Self::new(
            "members",
            json!({ "action": "set_role", "member": member, "role": role }),
        )
    }

    /// A member is tied to a party: that party is the member's own share.
    #[must_use]
    pub fn set_party(member: &str, party: &str) -> Self {
        Self::new(
            "members",
            json!({ "action": "set_party", "member": member, "party": party }),
        )
    }

    /// A member is removed.
    #[must_use]
    pub fn remove_member(member: &str) -> Self {
        Self::new("members", json!({ "action": "remove", "member": member }))
    }

    /// An open invite is taken back.
    #[must_use]
    pub fn revoke_invite(invite: &str) -> Self {
        Self::new("members", json!({ "action": "revoke", "invite": invite }))
    }

    /// An invite is accepted, by its code, its id, both or neither: exactly one is right.
    #[must_use]
    pub fn accept_invite(code: Option<&str>, invite: Option<&str>) -> Self {
        Self::new("accept_invite", json!({ "code": code, "invite": invite })).outside_workspaces()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_that_is_not_given_is_not_sent() {
        let call = Call::get_net_worth(Some("2024-06-30"), None, None);
        assert_eq!(
            Value::Object(call.arguments),
            json!({ "date": "2024-06-30" })
        );
    }

    #[test]
    fn a_preview_does_not_name_the_switch_and_undo_in_earnest_does() {
        assert!(
            !Call::preview_undo("bat_1")
                .arguments
                .contains_key("dry_run")
        );
        assert_eq!(Call::undo("bat_1").arguments["dry_run"], json!(false));
    }
}
