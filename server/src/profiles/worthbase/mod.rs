//! The wealth ledger profile: tools over a fold of batches, one workspace per household.

mod access;
mod arguments;
mod aside;
mod asking;
mod contract;
mod currencies;
mod cursor;
mod draft;
mod faults;
mod history;
mod identifiers;
mod neighbours;
mod presentation;
mod prices;
mod rates;
mod rows;
mod shown;
mod texts;
mod tools;
mod writing;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use serde_json::Value;

use crate::StoreLocation;
use crate::auth::Caller;
use crate::clock::Clock;
use crate::mcp::fault::Fault;
use crate::mcp::tool::{ToolDefinition, ToolTable};
use crate::mcp::{Client, JsonObject, Profile, PromptDefinition, ResourceDefinition};
use crate::providers::{
    CoinGecko, EuropeanCentralBank, SubscriptionDirectory, UserDirectory, YahooFinance,
};
use crate::rules::{Neighbours, Rules, StoredTexts};
use crate::store::Store;
use access::Gate;
use arguments::text;
use cursor::Cursors;
use history::Books;
use prices::{Market, Prices};

/// What the profile is built from.
#[derive(Debug)]
pub struct WorthbaseParts {
    /// Where its data lives.
    pub store: StoreLocation,
    /// Who a subject is.
    pub users: UserDirectory,
    /// Who has paid.
    pub subscriptions: SubscriptionDirectory,
    /// Exchange rates.
    pub rates: Arc<EuropeanCentralBank>,
    /// Prices of listed securities.
    pub yahoo: YahooFinance,
    /// Prices of coins.
    pub coingecko: CoinGecko,
    /// The time.
    pub clock: Clock,
    /// The choices.
    pub rules: Rules,
}

/// Why the profile could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpenError(pub String);

impl OpenError {
    fn because(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// The profile.
#[derive(Debug)]
pub struct Worthbase {
    store: Store,
    gate: Arc<Gate>,
    books: Arc<Books>,
    prices: Prices,
    bank: Arc<EuropeanCentralBank>,
    cursors: Cursors,
    rules: Arc<Rules>,
    tools: Arc<ToolTable>,
    resources: Vec<ResourceDefinition>,
    prompts: Vec<PromptDefinition>,
}

impl Worthbase {
    /// Opens the store and builds the profile.
    ///
    /// # Errors
    /// When the store cannot be opened or a contract file is broken.
    pub async fn open(parts: WorthbaseParts) -> Result<Arc<dyn Profile>, OpenError> {
        let tools = contract::tool_table().map_err(OpenError::because)?;
        let store = Store::open(&parts.store)
            .await
            .map_err(OpenError::because)?;
        let fresh = cursor::random::<32>()
            .ok_or_else(|| OpenError("the system gives no random bytes".to_owned()))?;
        let key = store
            .key("cursors", &fresh)
            .await
            .map_err(OpenError::because)?;
        let rules = Arc::new(parts.rules);
        let gate = Arc::new(Gate::new(
            store.clone(),
            parts.users,
            parts.subscriptions,
            parts.clock.clone(),
            rules.access.clone(),
        ));
        let books = Arc::new(Books::new(store.clone(), Arc::clone(&rules)));
        let prices = Prices::new(Market {
            store: store.clone(),
            books: Arc::clone(&books),
            gate: Arc::clone(&gate),
            yahoo: parts.yahoo,
            coingecko: parts.coingecko,
            clock: parts.clock,
            rules: Arc::clone(&rules),
        });
        Ok(Arc::new(Self {
            books,
            prices,
            store,
            gate,
            bank: parts.rates,
            cursors: Cursors::new(key, rules.access.cursors),
            rules,
            tools,
            resources: texts::resources(),
            prompts: texts::prompts(),
        }))
    }

    async fn answer(
        &self,
        caller: &Caller,
        client: Client,
        tool: &ToolDefinition,
        arguments: JsonObject,
    ) -> Result<Value, Fault> {
        let visitor = self.gate.identify(caller, client).await?;
        let all = tool.name == "get_net_worth" && text(&arguments, "workspace") == Some("all");
        match tool.name.as_str() {
            "whoami" => return tools::workspaces::whoami(self, &visitor).await,
            "save_workspace" => {
                return tools::workspaces::save_workspace(self, &visitor, &arguments).await;
            }
            "accept_invite" => {
                return tools::invites::accept_invite(self, &visitor, &arguments).await;
            }
            "get_net_worth" if all => {
                return tools::net_worth::get_own_share(self, &visitor, &arguments).await;
            }
            _ => {}
        }
        let desk = self
            .gate
            .admit(visitor, tool, text(&arguments, "workspace"))
            .await?;
        // Who asks for prices gets them; no second run beside that one.
        if tool.name != "refresh_prices" {
            self.prices.keep_fresh(&desk);
        }
        match tool.name.as_str() {
            "get_overview" => tools::overview::get_overview(self, &desk).await,
            "get_net_worth" => tools::net_worth::get_net_worth(self, &desk, &arguments).await,
            "get_history" => tools::history::get_history(self, &desk, arguments).await,
            "get_performance" => tools::performance::get_performance(self, &desk, arguments).await,
            "get_debt_report" => tools::debts::get_debt_report(self, &desk, &arguments).await,
            "get_goals" => tools::goals::get_goals(self, &desk, &arguments).await,
            "get_losses" => tools::losses::get_losses(self, &desk).await,
            "simulate_sale" => tools::selling::simulate_sale(self, &desk, arguments).await,
            "list_items" => tools::items::list_items(self, &desk, &arguments).await,
            "get_item" => tools::items::get_item(self, &desk, &arguments).await,
            "search_instruments" => {
                tools::instruments::search_instruments(self, &desk, &arguments).await
            }
            "refresh_prices" => tools::instruments::refresh_prices(self, &desk).await,
            "list_batches" => tools::batches::list_batches(self, &desk, &arguments).await,
            "record" => tools::recording::record(self, &desk, arguments).await,
            "commit" => tools::committing::commit(self, &desk, &arguments).await,
            "undo" => tools::undoing::undo(self, &desk, &arguments).await,
            "reconcile" => tools::reconciling::reconcile(self, &desk, arguments).await,
            "update_item" => tools::updating::update_item(self, &desk, arguments).await,
            "set_owners" => tools::updating::set_owners(self, &desk, arguments).await,
            "link_items" => tools::updating::link_items(self, &desk, arguments).await,
            "archive_item" => tools::updating::archive_item(self, &desk, arguments).await,
            "void" => tools::voiding::void(self, &desk, &arguments).await,
            "set_goal" => tools::goals::set_goal(self, &desk, arguments).await,
            "set_loss" => tools::losses::set_loss(self, &desk, arguments).await,
            "save_party" => tools::parties::save_party(self, &desk, arguments).await,
            "save_account" => tools::parties::save_account(self, &desk, arguments).await,
            "members" => tools::members::members(self, &desk, &arguments).await,
            name => {
                tracing::error!(name, "a tool of the table has no code");
                Err(Fault::internal())
            }
        }
    }
}

impl Profile for Worthbase {
    fn name(&self) -> &str {
        "worthbase"
    }

    fn title(&self) -> &str {
        "Worthbase"
    }

    fn instructions(&self) -> &str {
        texts::INSTRUCTIONS
    }

    fn tools(&self) -> &ToolTable {
        &self.tools
    }

    fn call<'a>(
        &'a self,
        caller: Caller,
        client: Client,
        tool: &'a ToolDefinition,
        arguments: JsonObject,
    ) -> BoxFuture<'a, Result<Value, Fault>> {
        async move {
            let rules = &self.rules.presentation;
            let mixes = self.rules.access.neighbours != Neighbours::Unknown
                || rules.stored_texts != StoredTexts::InData;
            let answer = if mixes {
                let answer = self
                    .answer(&caller, client.clone(), tool, arguments.clone())
                    .await;
                let call = neighbours::Call {
                    caller: &caller,
                    client,
                    tool,
                    arguments,
                };
                neighbours::mixed(self, call, answer).await
            } else {
                self.answer(&caller, client, tool, arguments).await
            };
            match answer {
                Ok(value) => Ok(presentation::answer(value, rules)),
                Err(fault) => Err(presentation::refusal(fault, rules)),
            }
        }
        .boxed()
    }

    fn resources(&self) -> &[ResourceDefinition] {
        &self.resources
    }

    fn prompts(&self) -> &[PromptDefinition] {
        &self.prompts
    }

    fn prompt(&self, name: &str, arguments: &BTreeMap<String, String>) -> String {
        texts::prompt(name, arguments)
    }
}

#[cfg(test)]
mod tests;
