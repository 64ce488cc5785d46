//! The named ways in which the proxy breaks a healthy server, one line of dispatch for each.

use http::{HeaderValue, StatusCode, header};
use serde_json::{Value, json};

use super::{
    challenge,
    exchange::{Answer, Request, each_object},
    figures,
    forge::Forge,
    offers, reports,
    wire_fault::WireFault,
};

/// What a fault may need to know about the run.
#[derive(Debug, Clone)]
pub struct Context {
    /// Issues tokens that the healthy server accepts, where the harness holds its authorization server.
    pub forge: Option<Forge>,
}

impl WireFault {
    /// Changes a request before the healthy server sees it. Returns whether it did.
    pub async fn on_request(self, request: &mut Request, context: &Context) -> bool {
        match self {
            Self::AnonymousAllowed => {
                if request.headers.contains_key(header::AUTHORIZATION) {
                    return false;
                }
                match &context.forge {
                    Some(forge) => match forge.entitled().await {
                        Some(token) => {
                            request.set_bearer(&token);
                            true
                        }
                        None => false,
                    },
                    None => false,
                }
            }
            Self::QueryTokenAccepted => take_query_token(request),
            Self::SchemeIgnored => ignore_scheme(request),
            Self::AnyAudience | Self::ExpiryIgnored | Self::AnyIssuer | Self::SignatureIgnored => {
                let (Some(forge), Some(token)) = (&context.forge, request.bearer()) else {
                    return false;
                };
                match forge.mend(token, self).await {
                    Some(mended) => {
                        request.set_bearer(&mended);
                        true
                    }
                    None => false,
                }
            }
            Self::RefusedYetDone => {
                let (Some(forge), Some(token)) = (&context.forge, request.bearer()) else {
                    return false;
                };
                for overlooked in [Self::AnyAudience, Self::ExpiryIgnored] {
                    if let Some(mended) = forge.mend(token, overlooked).await {
                        request.set_bearer(&mended);
                        return true;
                    }
                }
                false
            }
            Self::TokenPassedOn => match (&context.forge, request.bearer()) {
                (Some(forge), Some(token)) => forge.pass_on(token).await,
                _ => false,
            },
            Self::HeaderUrlFetched => match request.bearer() {
                Some(token) => super::forge::fetch_named_in(token).await,
                None => false,
            },
            Self::OriginUnchecked => request.headers.remove(header::ORIGIN).is_some(),
            Self::PreviewRecords => set_dry_run(request, "record"),
            Self::UndoPreviewExecutes => set_dry_run(request, "undo"),
            Self::NumbersAccepted => request.edit_arguments(figures::texts_for_numbers),
            Self::NegativesAccepted => request.edit_arguments(figures::without_signs),
            Self::ZeroRefused => request.edit_arguments(figures::sign_zeros),
            Self::CurrencyCaseIgnored => request.edit_arguments(offers::capital_currencies),
            Self::FilterIgnored => {
                request.tool().as_deref() == Some("list_items")
                    && request.edit_arguments(|arguments| remove(arguments, "kind"))
            }
            Self::PrefixIgnored => request.edit_arguments(offers::fitting_prefixes),
            Self::TextAsInteger => request.edit_arguments(figures::integers_for_texts),
            _ => reports::edit_request(self, request),
        }
    }

    /// Changes an answer before the client sees it; `served` is the request that the server saw, which may be another
    /// than the client's. Returns whether it did.
    pub fn on_answer(self, request: &Request, served: &Request, answer: &mut Answer) -> bool {
        if self == Self::RefusedYetDone && request.bearer() != served.bearer() {
            answer.status = StatusCode::UNAUTHORIZED;
            let challenge = HeaderValue::from_static("Bearer error=\"invalid_token\"");
            answer.headers.insert(header::WWW_AUTHENTICATE, challenge);
            answer.set_json(&json!({"error": "invalid_token"}));
            return true;
        }
        match answer.status {
            StatusCode::UNAUTHORIZED => self.on_refusal(request, answer),
            _ if request.uri.path().starts_with("/.well-known/") => {
                self.on_metadata(request, answer)
            }
            _ => self.on_http(request, answer) || self.on_result(request, answer),
        }
    }

    /// What the defect does next, unseen by the client.
    #[must_use]
    pub fn follow_up(self, request: &Request, answer: &Answer) -> Option<Request> {
        if self != Self::PreviewCommits || request.tool()? != "record" {
            return None;
        }
        let result = answer.json()?;
        let preview = result.pointer("/result/structuredContent/preview_id")?;
        let mut commit = request.clone();
        let mut message = commit.json()?;
        let workspace = message.pointer("/params/arguments/workspace").cloned();
        message["params"]["name"] = json!("commit");
        message["params"]["arguments"] = json!({ "preview_id": preview });
        if let Some(workspace) = workspace {
            message["params"]["arguments"]["workspace"] = workspace;
        }
        commit.set_json(&message);
        if commit.headers.contains_key("mcp-name") {
            commit
                .headers
                .insert("mcp-name", HeaderValue::from_static("commit"));
        }
        Some(commit)
    }

    fn on_refusal(self, request: &Request, answer: &mut Answer) -> bool {
        let headers = &mut answer.headers;
        match self {
            Self::ChallengeRemoved => headers.remove(header::WWW_AUTHENTICATE).is_some(),
            Self::ChallengeWithoutMetadata => challenge::edit(headers, |line| {
                line.replace("resource_metadata=", "x_metadata=")
            }),
            Self::ChallengeRelativeMetadata => {
                challenge::edit(headers, challenge::relative_metadata)
            }
            Self::ChallengeEchoesHost => {
                let host = request
                    .headers
                    .get("x-forwarded-host")
                    .or_else(|| request.headers.get(header::HOST))
                    .and_then(|host| host.to_str().ok())
                    .unwrap_or_default()
                    .to_owned();
                challenge::edit(headers, |line| challenge::replace_authority(line, &host))
            }
            Self::ChallengeRepeatsParameter => challenge::edit(headers, |line| {
                format!("{line}, realm=\"books\", realm=\"records\"")
            }),
            Self::ChallengeBlamesNobody if request.bearer().is_none() => {
                challenge::edit(headers, |line| format!("{line}, error=\"invalid_token\""))
            }
            Self::ChallengeWithoutErrorCode => {
                challenge::edit(headers, |line| line.replace("error=", "x_error="))
            }
            Self::UnauthorizedAs200 => {
                answer.status = StatusCode::OK;
                let id = request
                    .json()
                    .and_then(|message| message.get("id").cloned());
                answer.set_json(&json!({"jsonrpc": "2.0", "id": id,
                    "error": {"code": -32001, "message": "Unauthorized"}}));
                true
            }
            Self::UnauthorizedAs403 => {
                answer.status = StatusCode::FORBIDDEN;
                true
            }
            Self::LoginRedirect => {
                answer.status = StatusCode::FOUND;
                headers.insert(header::LOCATION, HeaderValue::from_static("/login"));
                true
            }
            Self::TokenInError => {
                let Some(token) = request.bearer() else {
                    return false;
                };
                let said =
                    json!({"error": "invalid_token", "message": format!("bad token {token}")});
                answer.set_json(&said);
                true
            }
            _ => false,
        }
    }

    fn on_metadata(self, request: &Request, answer: &mut Answer) -> bool {
        let path = request.uri.path();
        let of_resource = path.starts_with("/.well-known/oauth-protected-resource");
        let of_server = path.starts_with("/.well-known/oauth-authorization-server");
        let found = answer.status == StatusCode::OK;
        match self {
            Self::MetadataForAnyPath if of_resource && answer.status == StatusCode::NOT_FOUND => {
                let resource = path.trim_start_matches("/.well-known/oauth-protected-resource");
                answer.status = StatusCode::OK;
                answer.set_json(&json!({
                    "resource": format!("http://127.0.0.1{resource}"),
                    "authorization_servers": ["http://127.0.0.1"],
                }));
                true
            }
            Self::MetadataMissing if of_resource => missing(answer),
            Self::PassThroughMissing if of_server => missing(answer),
            Self::MetadataAsText if of_resource && found => {
                let text = HeaderValue::from_static("text/plain");
                answer.headers.insert(header::CONTENT_TYPE, text);
                true
            }
            Self::MetadataTrailingSlash if of_resource => answer.edit_json(|document| {
                if let Some(resource) = document["resource"].as_str() {
                    document["resource"] = json!(format!("{resource}/"));
                }
            }),
            Self::MetadataWithoutServers if of_resource => answer.edit_json(|document| {
                if let Some(members) = document.as_object_mut() {
                    members.remove("authorization_servers");
                }
            }),
            Self::MetadataAdvertisesQuery if of_resource && found => answer.edit_json(|document| {
                document["bearer_methods_supported"] = json!(["header", "query"]);
            }),
            Self::MetadataEmptyArray if of_resource && found => answer.edit_json(|document| {
                document["resource_signing_alg_values_supported"] = json!([]);
            }),
            Self::PassThroughRewritesIssuer if of_server && found => answer.edit_json(|document| {
                document["issuer"] = json!("http://127.0.0.1/rewritten");
            }),
            Self::PassThroughWithoutPkce if of_server => answer.edit_json(|document| {
                if let Some(members) = document.as_object_mut() {
                    members.remove("code_challenge_methods_supported");
                }
            }),
            _ => false,
        }
    }

    fn on_http(self, request: &Request, answer: &mut Answer) -> bool {
        let headers = &mut answer.headers;
        match self {
            Self::SessionIdIssued if answer.status == StatusCode::OK => {
                headers.insert("mcp-session-id", HeaderValue::from_static("session-1"));
                true
            }
            Self::AllowMissing if answer.status == StatusCode::METHOD_NOT_ALLOWED => {
                headers.remove(header::ALLOW).is_some()
            }
            Self::NotificationAnswered if answer.status == StatusCode::ACCEPTED => {
                answer.status = StatusCode::OK;
                headers.insert(
                    header::CONTENT_TYPE,
                    HeaderValue::from_static("application/json"),
                );
                answer.set_json(&json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
                true
            }
            Self::HtmlEverywhere if answer.status == StatusCode::NOT_FOUND => {
                answer.status = StatusCode::OK;
                headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
                answer.body = "<!doctype html><title>Welcome</title>".into();
                true
            }
            Self::PublicCache if request.bearer().is_some() => {
                let shared = HeaderValue::from_static("public, s-maxage=600");
                headers.insert(header::CACHE_CONTROL, shared);
                true
            }
            _ => false,
        }
    }

    fn on_result(self, request: &Request, answer: &mut Answer) -> bool {
        match request.rpc_method().as_deref() {
            Some("tools/list") => self.on_tool_list(answer),
            Some("tools/call") => self.on_tool_result(request, answer),
            Some("resources/read") => {
                answer.edit_result(|result| offers::edit_guide(self, request, result))
            }
            Some("prompts/get") => offers::edit_prompt(self, request, answer),
            Some("initialize") => self.on_initialize(request, answer),
            Some("server/discover") if self == Self::InstructionsMissing => {
                answer.edit_result(|result| {
                    result.remove("instructions");
                })
            }
            _ => false,
        }
    }

    fn on_initialize(self, request: &Request, answer: &mut Answer) -> bool {
        match self {
            Self::InstructionsMissing => answer.edit_result(|result| {
                result.remove("instructions");
            }),
            Self::UnknownVersionEchoed => {
                let asked = request
                    .json()
                    .and_then(|message| message.pointer("/params/protocolVersion").cloned());
                let Some(asked) = asked else { return false };
                answer.edit_result(|result| {
                    result.insert("protocolVersion".into(), asked);
                })
            }
            _ => false,
        }
    }

    fn on_tool_list(self, answer: &mut Answer) -> bool {
        let each_tool = |answer: &mut Answer, edit: &dyn Fn(&mut Value)| {
            answer.edit_result(|result| {
                if let Some(tools) = result.get_mut("tools").and_then(Value::as_array_mut) {
                    tools.iter_mut().for_each(edit);
                }
            })
        };
        match self {
            Self::AnnotationsMissing => each_tool(answer, &|tool| {
                if let Some(members) = tool.as_object_mut() {
                    members.remove("annotations");
                }
            }),
            Self::SchemaInvalid => each_tool(answer, &|tool| {
                tool["inputSchema"]["properties"] = json!({"x": {"type": "decimal"}});
            }),
            Self::ToolMissing => answer.edit_result(|result| {
                if let Some(tools) = result.get_mut("tools").and_then(Value::as_array_mut) {
                    tools.retain(|tool| tool["name"] != "get_losses");
                }
            }),
            Self::OpenWorldMissing => each_tool(answer, &|tool| {
                remove(&mut tool["annotations"], "openWorldHint");
            }),
            Self::ForceOffered => each_tool(answer, &|tool| {
                if tool["name"] == "undo" {
                    tool["inputSchema"]["properties"]["force"] = json!({"type": "boolean"});
                }
            }),
            Self::ToolListShuffled => answer.edit_result(|result| {
                if let Some(tools) = result.get_mut("tools").and_then(Value::as_array_mut) {
                    let places = tools.len().max(1);
                    tools.rotate_left(ulid::Ulid::new().random() as usize % places);
                }
            }),
            _ => false,
        }
    }

    fn on_tool_result(self, request: &Request, answer: &mut Answer) -> bool {
        let failed = answer
            .json()
            .and_then(|document| document.pointer("/result/isError")?.as_bool())
            .unwrap_or(false);
        match self {
            Self::UnknownToolSucceeds => answer.edit_json(|document| {
                let unknown = document.pointer("/error/code") == Some(&json!(-32602));
                if let (true, Some(members)) = (unknown, document.as_object_mut()) {
                    members.remove("error");
                    members.insert("result".into(), json!({"content": []}));
                }
            }),
            Self::ErrorFlagMissing if failed => answer.edit_result(|result| {
                result.insert("isError".into(), json!(false));
            }),
            Self::ErrorCodeMissing if failed => {
                answer.edit_tool_result(|said| remove(said, "code"))
            }
            Self::ErrorMessageEmpty if failed => {
                answer.edit_tool_result(|said| said["message"] = json!(""))
            }
            Self::ErrorFieldMissing if failed => {
                answer.edit_tool_result(|said| remove(said, "field"))
            }
            Self::ErrorAsProtocolError if failed => answer.edit_json(|document| {
                if let Some(members) = document.as_object_mut() {
                    let result = members.remove("result").unwrap_or_default();
                    let said = result.pointer("/structuredContent").cloned();
                    members.insert(
                        "error".into(),
                        json!({"code": -32000, "message": "refused", "data": said}),
                    );
                }
            }),
            Self::LimitAsHttp429 if failed => {
                let said = answer.json().unwrap_or_default();
                let limited =
                    said.pointer("/result/structuredContent/code") == Some(&json!("rate_limited"));
                if limited {
                    answer.status = StatusCode::TOO_MANY_REQUESTS;
                }
                limited
            }
            _ if failed => false,
            Self::OneToolScales if request.tool().as_deref() == Some("list_items") => answer
                .edit_tool_result(|said| {
                    each_object(said, &|members| figures::scale(members, &["value"]));
                }),
            Self::RatioAsPercent => answer.edit_tool_result(|said| {
                each_object(said, &|members| {
                    figures::scale(members, &["lvr", "ratio", "progress"])
                });
            }),
            Self::MinusZero => answer.edit_tool_result(figures::sign_zeros),
            Self::ExponentInOutput => answer.edit_tool_result(figures::exponents),
            Self::PageLosesItem => answer.edit_tool_result(|said| {
                if said["next_cursor"].is_string()
                    && let Some(items) = said["items"].as_array_mut()
                {
                    items.pop();
                }
            }),
            Self::OverviewStaleDiffers => answer.edit_tool_result(|said| {
                if let Some(items) = said.get_mut("stale_items").and_then(Value::as_array_mut) {
                    items.pop();
                }
            }),
            Self::LotMissing => answer.edit_tool_result(|said| {
                if let Some(lots) = said.get_mut("lots").and_then(Value::as_array_mut)
                    && !lots.is_empty()
                {
                    lots.remove(0);
                }
            }),
            Self::UndoneHidden => answer.edit_tool_result(offers::hide_undone),
            Self::ResultOffSchema => {
                answer.edit_tool_result(|said| *said = json!({"unexpected": 1}))
            }
            Self::DecimalsAsNumbers => answer.edit_tool_result(figures::numbers_for_decimals),
            Self::NumbersInTextCopy => answer.edit_text_copy(figures::numbers_for_decimals),
            Self::TrailingZerosCut => answer.edit_tool_result(figures::cut_trailing_zeros),
            Self::CurrencyMissing => answer.edit_tool_result(|said| {
                each_object(said, &|members| {
                    members.remove("currency");
                });
            }),
            Self::NetWorthMissingOnWrite if request.tool().as_deref() != Some("get_overview") => {
                answer.edit_tool_result(|said| {
                    if said.pointer("/net_worth/before").is_some() {
                        remove(said, "net_worth");
                    }
                })
            }
            _ => reports::edit_answer(self, request, answer),
        }
    }
}

fn missing(answer: &mut Answer) -> bool {
    answer.status = StatusCode::NOT_FOUND;
    answer.set_json(&json!({"error": "not_found"}));
    true
}

pub(super) fn remove(said: &mut Value, member: &str) {
    if let Some(members) = said.as_object_mut() {
        members.remove(member);
    }
}

/// Moves `access_token` from the query into the header.
fn take_query_token(request: &mut Request) -> bool {
    let token = request.uri.query().and_then(|query| {
        url::form_urlencoded::parse(query.as_bytes())
            .find(|(name, _)| name == "access_token")
            .map(|(_, token)| token.into_owned())
    });
    let (Some(token), Ok(path)) = (token, request.uri.path().parse()) else {
        return false;
    };
    request.uri = path;
    request.set_bearer(&token);
    true
}

/// Reads whatever stands behind the last blank of the header as a bearer token.
fn ignore_scheme(request: &mut Request) -> bool {
    let token = request
        .headers
        .get(header::AUTHORIZATION)
        .and_then(|line| line.to_str().ok())
        .and_then(|line| line.rsplit(' ').next())
        .map(str::to_owned);
    match token {
        Some(token) if request.bearer().is_none() && !token.is_empty() => {
            request.set_bearer(&token);
            true
        }
        _ => false,
    }
}

/// Turns a preview into the write itself.
fn set_dry_run(request: &mut Request, tool: &str) -> bool {
    if request.tool().as_deref() != Some(tool) {
        return false;
    }
    let Some(mut message) = request.json() else {
        return false;
    };
    message["params"]["arguments"]["dry_run"] = json!(false);
    request.set_json(&message);
    true
}
