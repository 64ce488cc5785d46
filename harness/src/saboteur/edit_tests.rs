//! Edits of exchanges: what they fit, what they change, and what they leave alone.

use super::*;
use axum::body::Bytes;
use http::{HeaderMap, Method, Uri};

fn edit(text: &str) -> Edit {
    toml::from_str(text).unwrap()
}

fn request(tool: &str, arguments: Value) -> Request {
    Request {
        method: Method::POST,
        uri: Uri::from_static("/mcp"),
        headers: HeaderMap::new(),
        body: Bytes::from(
            json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
                   "params": {"name": tool, "arguments": arguments}})
            .to_string(),
        ),
    }
}

fn answer(said: Value, refused: bool) -> Answer {
    Answer {
        status: StatusCode::OK,
        headers: HeaderMap::new(),
        body: Bytes::from(tool_answer(&request("x", json!({})), &said, refused).to_string()),
    }
}

fn said(answer: &Answer) -> Value {
    answer.json().unwrap()["result"]["structuredContent"].clone()
}

#[test]
fn an_edit_acts_only_on_what_it_fits() {
    let edit = edit(
        "tool = 'list_items'\ngiven = { '/kind' = 'cash' }\nchange = { remove = '/items/*/owners' }",
    );
    let healthy = || answer(json!({"items": [{"id": 1, "owners": []}]}), false);
    let mut changed = healthy();
    assert!(edit.on_answer(
        &request("list_items", json!({"kind": "cash"})),
        &mut changed
    ));
    assert_eq!(said(&changed), json!({"items": [{"id": 1}]}));
    for other in [
        request("list_items", json!({"kind": "loan"})),
        request("list_items", json!({})),
        request("get_item", json!({"kind": "cash"})),
    ] {
        assert!(!edit.on_answer(&other, &mut healthy()));
    }
}

#[test]
fn a_refusal_becomes_a_success_only_for_its_code() {
    let edit = edit("code = 'would_not_replay'\nchange = { accept = { done = true } }");
    let call = request("undo", json!({}));
    let mut refusal = answer(json!({"code": "would_not_replay"}), true);
    assert!(edit.on_answer(&call, &mut refusal));
    assert_eq!(said(&refusal), json!({"done": true}));
    assert_eq!(refusal.json().unwrap()["result"]["isError"], json!(false));
    assert_eq!(refusal.json().unwrap()["id"], json!(7));
    let mut other = answer(json!({"code": "not_found"}), true);
    assert!(!edit.on_answer(&call, &mut other));
}

#[test]
fn arguments_are_changed_before_the_server_sees_them_and_answers_are_not() {
    let edit = edit("part = 'arguments'\nchange = { set = { at = '/dry_run', to = false } }");
    let mut call = request("record", json!({"dry_run": true}));
    assert!(edit.on_request(&mut call));
    assert_eq!(
        call.json().unwrap()["params"]["arguments"],
        json!({"dry_run": false})
    );
    assert!(!edit.on_answer(&call, &mut answer(json!({"dry_run": true}), false)));
}

#[test]
fn decimals_keep_their_digits_when_they_are_moved() {
    let edit = edit("change = { add = { at = '/**/amount', by = '0.01' } }");
    let mut changed = answer(json!({"x": {"amount": "1.100"}, "amount": 3}), false);
    assert!(edit.on_answer(&request("x", json!({})), &mut changed));
    assert_eq!(said(&changed)["x"]["amount"], json!("1.110"));
    // A whole number cannot become 3.01.
    assert_eq!(said(&changed)["amount"], json!(3));
}

#[test]
fn a_second_call_is_made_of_the_first() {
    let edit = edit(
        "tool = 'reconcile'\nchange = { also = { tool = 'record', arguments = { transactions = [{ item = '$/item', amount = '1' }] } } }",
    );
    let call = request("reconcile", json!({"workspace": "ws_1", "item": "itm_1"}));
    let second = edit.follow_up(&call, &answer(json!({}), false)).unwrap();
    let params = second.json().unwrap()["params"].clone();
    assert_eq!(params["name"], json!("record"));
    assert_eq!(
        params["arguments"],
        json!({"transactions": [{"item": "itm_1", "amount": "1"}], "workspace": "ws_1"})
    );
    assert!(
        edit.follow_up(&request("void", json!({})), &answer(json!({}), false))
            .is_none()
    );
}

#[test]
fn an_edit_that_changes_nothing_was_not_reached() {
    let edit = edit("change = { drop_last = '/items' }");
    let call = request("x", json!({}));
    assert!(!edit.on_answer(&call, &mut answer(json!({"items": []}), false)));
}

#[test]
fn a_misspelled_condition_is_refused() {
    assert!(toml::from_str::<Edit>("tol = 'x'\nchange = { remove = '/x' }").is_err());
    assert!(toml::from_str::<Edit>("change = { remov = '/x' }").is_err());
    assert!(toml::from_str::<Edit>("change = { remove = 'x' }").is_err());
}
