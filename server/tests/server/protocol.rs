//! The protocol behind the door, in every revision that is served.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{REVISIONS, World, read};

const MODERN: &str = "2026-07-28";

#[tokio::test]
async fn every_revision_lists_and_calls_without_a_session() {
    let world = World::start().await;
    for revision in REVISIONS {
        let (status, answer) = world.call(revision, "tools/list", json!({})).await;
        assert_eq!(status, StatusCode::OK, "{revision}: {answer}");
        let tools = answer["result"]["tools"].as_array().unwrap();
        let names: Vec<_> = tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["who", "refuse"], "{revision}");
        assert_eq!(
            tools[0]["inputSchema"]["$defs"]["decimal"]["type"],
            "string"
        );
        assert_eq!(tools[0]["outputSchema"]["type"], "object");
        assert_eq!(tools[0]["annotations"]["readOnlyHint"], true);
        let call = json!({"name": "who", "arguments": {"text": "ü€😀", "amount": "0.10"}});
        let response = world
            .post(revision, "tools/call", call, Some(&world.token("ada")))
            .await;
        assert!(
            !response.headers().contains_key("mcp-session-id"),
            "{revision}"
        );
        assert_eq!(
            response.headers()["content-type"],
            "application/json",
            "{revision}"
        );
        assert_eq!(
            response.headers()["cache-control"],
            "no-store",
            "{revision}"
        );
        let (_, answer) = read(response).await;
        let result = &answer["result"];
        assert_eq!(
            result["structuredContent"]["arguments"]["text"], "ü€😀",
            "{revision}"
        );
        let text: Value =
            serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"], "{revision}");
        let modern = revision == MODERN;
        assert_eq!(result["resultType"] == "complete", modern, "{revision}");
        assert_eq!(
            result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "stub",
            modern,
            "{revision}"
        );
        assert_eq!(
            result["structuredContent"]["client"],
            if modern { "tester" } else { "client-1" }
        );
    }
}

#[tokio::test]
async fn the_opening_names_the_server_and_instructs() {
    let world = World::start().await;
    for (asked, answered) in [
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1900-01-01", "2025-11-25"),
    ] {
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let message =
            json!({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": params});
        let (status, answer) = world.raw(message.to_string()).await;
        assert_eq!((status, &answer["id"]), (StatusCode::OK, &json!("a")));
        assert_eq!(answer["result"]["protocolVersion"], answered);
        assert_eq!(answer["result"]["serverInfo"]["name"], "stub");
        assert_eq!(answer["result"]["instructions"], "Ask who.");
        assert!(answer["result"]["capabilities"]["tools"].is_object());
        assert!(
            answer["result"]["capabilities"]
                .get("completions")
                .is_none()
        );
    }
    let (_, answer) = world.call(MODERN, "server/discover", json!({})).await;
    assert_eq!(answer["result"]["supportedVersions"], json!(REVISIONS));
    assert_eq!(answer["result"]["instructions"], "Ask who.");
    let (status, answer) = world.call("2025-06-18", "ping", json!({})).await;
    assert_eq!((status, &answer["result"]), (StatusCode::OK, &json!({})));
}

#[tokio::test]
async fn refusals_of_tools_are_results_and_unknown_tools_are_not() {
    let world = World::start().await;
    for revision in REVISIONS {
        for (call, body) in [
            (
                json!({"name": "refuse"}),
                json!({"code": "refused", "message": "This tool always refuses.", "field": "nothing", "more": 1}),
            ),
            (
                json!({"name": "who", "arguments": {"amount": 5.5}}),
                json!({"code": "invalid_decimal", "message": "`amount`: Write the number as a string: \"5.5\".", "field": "amount"}),
            ),
            (
                json!({"name": "who", "arguments": {"user_id": "eve"}}),
                json!({"code": "invalid_input", "message": "`user_id` is not an argument here. Known are: text, amount.", "field": "user_id"}),
            ),
        ] {
            let (status, answer) = world.call(revision, "tools/call", call).await;
            assert_eq!(status, StatusCode::OK);
            assert_eq!(answer["result"]["isError"], true, "{revision}: {answer}");
            assert_eq!(answer["result"]["structuredContent"], body, "{revision}");
            assert_eq!(
                serde_json::from_str::<Value>(
                    answer["result"]["content"][0]["text"].as_str().unwrap()
                )
                .unwrap(),
                body
            );
        }
        let (_, answer) = world
            .call(revision, "tools/call", json!({"name": "no_such_tool"}))
            .await;
        assert_eq!(answer["error"]["code"], -32602, "{revision}: {answer}");
    }
}

#[tokio::test]
async fn wrong_parameters_unknown_methods_and_cursors_are_protocol_errors() {
    let world = World::start().await;
    for revision in REVISIONS {
        for (name, params, code) in [
            (
                "tools/call",
                json!({"name": "who", "arguments": []}),
                -32602,
            ),
            (
                "tools/call",
                json!({"name": "who", "arguments": "x"}),
                -32602,
            ),
            ("tools/list", json!({"cursor": "garbage"}), -32602),
            ("prompts/get", json!({"name": "nope"}), -32602),
            (
                "prompts/get",
                json!({"name": "greet", "arguments": {"nme": "x"}}),
                -32602,
            ),
            (
                "prompts/get",
                json!({"name": "greet", "arguments": {"name": "x".repeat(21)}}),
                -32602,
            ),
            ("nope/nope", json!({}), -32601),
        ] {
            let (status, answer) = world.call(revision, name, params.clone()).await;
            assert_eq!(
                answer["error"]["code"], code,
                "{revision} {name} {params}: {answer}"
            );
            assert_eq!(answer["id"], 1);
            if code == -32601 {
                assert_eq!(
                    status == StatusCode::NOT_FOUND,
                    revision == MODERN,
                    "{revision}"
                );
            }
        }
    }
    for params in [json!({}), json!({"name": 7})] {
        let (_, answer) = world.call("2025-11-25", "tools/call", params).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    let (status, answer) = world.call(MODERN, "ping", json!({})).await;
    assert_eq!(
        (status, &answer["error"]["code"]),
        (StatusCode::NOT_FOUND, &json!(-32601))
    );
}

#[tokio::test]
async fn texts_and_prompts_are_served_and_unknown_ones_refused() {
    let world = World::start().await;
    for revision in REVISIONS {
        let (_, answer) = world.call(revision, "resources/list", json!({})).await;
        assert_eq!(
            answer["result"]["resources"][0]["uri"], "guide://stub",
            "{answer}"
        );
        let (_, answer) = world
            .call(revision, "resources/read", json!({"uri": "guide://stub"}))
            .await;
        let contents =
            json!({"uri": "guide://stub", "mimeType": "text/markdown", "text": "# Stub"});
        assert_eq!(answer["result"]["contents"], json!([contents]), "{answer}");
        for uri in ["guide://nope", "file:///etc/passwd", "guide://stub/../x"] {
            let (_, answer) = world
                .call(revision, "resources/read", json!({ "uri": uri }))
                .await;
            assert_eq!(
                answer["error"]["code"],
                if revision == MODERN { -32602 } else { -32002 },
                "{answer}"
            );
        }
        let (_, answer) = world.call(revision, "prompts/list", json!({})).await;
        assert_eq!(answer["result"]["prompts"][0]["name"], "greet");
        let arguments = json!({"name": "greet", "arguments": {"name": "{{7*7}}"}});
        let (_, answer) = world.call(revision, "prompts/get", arguments).await;
        assert_eq!(
            answer["result"]["messages"][0]["content"]["text"], "Greet {{7*7}}",
            "{answer}"
        );
    }
}

#[tokio::test]
async fn what_is_no_message_is_refused_in_json() {
    let world = World::start().await;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    for (body, code) in [
        (b"{".to_vec(), -32700),
        (Vec::new(), -32700),
        (b"{'a':1}".to_vec(), -32700),
        (deep.into_bytes(), -32600),
        (b"{\"a\":\"\xff\"}".to_vec(), -32700),
        (format!("[{list}]").into_bytes(), -32600),
        (b"[]".to_vec(), -32600),
        (b"7".to_vec(), -32600),
        (
            br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call"}"#.to_vec(),
            -32600,
        ),
        (
            br#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#.to_vec(),
            -32600,
        ),
    ] {
        let shown = String::from_utf8_lossy(&body)
            .chars()
            .take(60)
            .collect::<String>();
        let (status, answer) = world.raw(body).await;
        assert_eq!(
            (status, &answer["error"]["code"]),
            (StatusCode::BAD_REQUEST, &json!(code)),
            "{shown}"
        );
        assert_eq!(answer["jsonrpc"], "2.0");
    }
    let (status, answer) = world.raw(vec![b' '; 4 * 1024 * 1024 + 1]).await;
    assert_eq!(
        (status, &answer["error"]["code"]),
        (StatusCode::PAYLOAD_TOO_LARGE, &json!(-32600))
    );
    assert_eq!(
        world
            .raw(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .await,
        (StatusCode::ACCEPTED, json!(""))
    );
    assert_eq!(world.raw(list).await.0, StatusCode::OK);
}

#[tokio::test]
async fn headers_are_judged_by_the_revision() {
    let world = World::start().await;
    let send = |request: reqwest::RequestBuilder| async {
        read(
            request
                .bearer_auth(world.token("ada"))
                .send()
                .await
                .unwrap(),
        )
        .await
    };
    let plain = || {
        world
            .client
            .post(world.url())
            .json(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}))
    };
    for version in ["1900-01-01", "abc", "2025-06-18 ; x", "2024-11-05"] {
        let (status, answer) = send(plain().header("mcp-protocol-version", version)).await;
        assert_eq!(
            (status, &answer["error"]["code"]),
            (StatusCode::BAD_REQUEST, &json!(-32600)),
            "{version}"
        );
    }
    let twice = plain()
        .header("mcp-protocol-version", "2025-06-18")
        .header("mcp-protocol-version", "2025-11-25");
    assert_eq!(send(twice).await.0, StatusCode::BAD_REQUEST);
    for (accept, status) in [("*/*", 200), ("application/json", 200), ("text/html", 406)] {
        assert_eq!(
            send(plain().header("accept", accept)).await.0.as_u16(),
            status,
            "{accept}"
        );
    }
    for (content_type, status) in [
        ("text/plain", 415),
        ("application/json; charset=utf-8", 200),
    ] {
        let request = world
            .client
            .post(world.url())
            .header("content-type", content_type);
        let request = request.body(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
        assert_eq!(send(request).await.0.as_u16(), status, "{content_type}");
    }
    for method in [
        reqwest::Method::GET,
        reqwest::Method::DELETE,
        reqwest::Method::OPTIONS,
    ] {
        let request = world
            .client
            .request(method, world.url())
            .bearer_auth(world.token("ada"));
        let response = request
            .header("accept", "text/event-stream")
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(response.headers()["allow"], "POST");
    }
    let mismatch = world
        .message(MODERN, "tools/call", json!({"name": "who"}))
        .header("mcp-name", "refuse");
    assert_eq!(send(mismatch).await.0, StatusCode::BAD_REQUEST);
    let unknown = world.message("1900-01-01", "tools/list", json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": "1900-01-01", "io.modelcontextprotocol/clientCapabilities": {}
    }}));
    let (status, answer) = send(unknown.header("mcp-method", "tools/list")).await;
    assert_eq!(
        (status, &answer["error"]["code"]),
        (StatusCode::BAD_REQUEST, &json!(-32022)),
        "{answer}"
    );
    assert_eq!(answer["error"]["data"]["requested"], "1900-01-01");
    let without_method = world.client.post(world.url()).header("mcp-protocol-version", MODERN).json(&json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
            "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}
        }}
    }));
    assert_eq!(send(without_method).await.1["error"]["code"], -32020);
}

#[tokio::test]
async fn a_stateless_request_says_everything_itself() {
    let world = World::start().await;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let send = async |headers: &[(&'static str, &str)], meta: Value| {
        let params = json!({"name": "who", "arguments": {}, "_meta": meta});
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
        let mut request = world
            .client
            .post(world.url())
            .bearer_auth(world.token("ada"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        read(request.json(&message).send().await.unwrap()).await
    };
    let version = ("mcp-protocol-version", MODERN);
    let method = ("mcp-method", "tools/call");
    let name = ("mcp-name", "who");
    let (status, answer) = send(&[version, method, name], meta.clone()).await;
    assert_eq!(
        (status, &answer["id"]),
        (StatusCode::OK, &json!(7)),
        "{answer}"
    );
    assert_eq!(
        send(
            &[version, method, ("mcp-name", "=?base64?d2hv?=")],
            meta.clone()
        )
        .await
        .0,
        StatusCode::OK
    );
    for (headers, code) in [
        (vec![version, method], -32020),
        (vec![version, name], -32020),
        (vec![version, ("mcp-method", "TOOLS/CALL"), name], -32020),
        (vec![version, ("mcp-method", "tools/list"), name], -32020),
        (vec![version, method, ("mcp-name", "refuse")], -32020),
        (
            vec![version, method, ("mcp-name", "=?base64?cmVmdXNl?=")],
            -32020,
        ),
        (
            vec![("mcp-protocol-version", "2025-11-25"), method, name],
            -32020,
        ),
    ] {
        let (status, answer) = send(&headers, meta.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{headers:?}: {answer}");
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(code), &json!(7)),
            "{headers:?}: {answer}"
        );
    }
    let incomplete = json!({"io.modelcontextprotocol/protocolVersion": MODERN});
    for meta in [incomplete, json!("x")] {
        let (status, answer) = send(&[version, method, name], meta).await;
        assert_eq!(
            (status, &answer["error"]["code"]),
            (StatusCode::BAD_REQUEST, &json!(-32602)),
            "{answer}"
        );
    }
}
