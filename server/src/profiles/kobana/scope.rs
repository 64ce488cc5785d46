//! The first axis: what the scope of a token reaches.

use crate::mcp::tool::{Axes, Kind};

use super::rules::{
    AllResource, LevelReach, MoneyScope, NeutralScope, PlainLevels, ReadingLevels, ScopeRules,
    ScopeWords, SilentScope, UnknownResource, WritingLevels,
};

/// The resource that stands for every family.
const EVERY_FAMILY: &str = "finance/all";
/// The resources that move money.
const DISPATCHES: &str = "finance/payable_dispatches";
const CHARGES: &str = "finance/receivable_charges";
const PAYABLES: &str = "finance/payables";
const RECEIVABLES: &str = "finance/receivables";
/// Every resource that a token of this service can name.
const KNOWN: [&str; 6] = [
    EVERY_FAMILY,
    PAYABLES,
    "finance/people",
    RECEIVABLES,
    DISPATCHES,
    CHARGES,
];

/// The scope of a token, taken apart: levels of access and resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scope {
    /// Whether the token has the claim at all.
    given: bool,
    levels: Vec<String>,
    resources: Vec<String>,
}

impl Scope {
    /// Takes `words` apart; `given` says whether there was a claim.
    pub(super) fn read(words: &[String], given: bool, rules: &ScopeRules) -> Self {
        let mut levels = Vec::new();
        let mut resources: Vec<String> = Vec::new();
        for word in words {
            if word.contains('/') {
                if rules.words == ScopeWords::InOrder {
                    levels.clear();
                }
                resources.push(word.clone());
                continue;
            }
            match rules.words {
                ScopeWords::AnyCase => levels.push(word.to_lowercase()),
                ScopeWords::Substring => levels.extend(
                    ["read", "write", "all"]
                        .into_iter()
                        .filter(|level| word.contains(level))
                        .map(str::to_owned),
                ),
                _ => levels.push(word.clone()),
            }
        }
        if rules.unknown == UnknownResource::Ignored {
            resources.retain(|resource| KNOWN.contains(&resource.as_str()));
        }
        Self {
            given,
            levels,
            resources,
        }
    }

    /// Whether the scope alone would let the tool run.
    pub(super) fn permits(&self, tool: &Axes, rules: &ScopeRules) -> bool {
        let silent = self.levels.is_empty() && self.resources.is_empty();
        match rules.silent {
            SilentScope::AbsentIsEverything if !self.given => return true,
            SilentScope::EmptyIsEverything if self.given && silent => return true,
            SilentScope::UnknownReads if self.resources.is_empty() && self.says_nothing() => {
                return !silent && tool.kind == Kind::Read;
            }
            _ => {}
        }
        if self.resources.is_empty() {
            return self.permits_plainly(tool, rules);
        }
        match (tool.kind, tool.resource.as_deref()) {
            (Kind::Read, None) => self.permits_neutral(rules),
            (Kind::Read, Some(resource)) => {
                let implied = rules.reach == LevelReach::ImpliedRead && self.levels.is_empty();
                self.covers(resource, rules) && (self.reads(rules) || implied)
            }
            (Kind::Write, resource) => {
                let covered = resource.is_some_and(|resource| self.covers(resource, rules));
                let granted = rules.all == AllResource::GrantsWrite
                    && self.names(EVERY_FAMILY)
                    && self.reads(rules);
                covered && (self.writes(tool, rules) || granted)
            }
            (Kind::Money, resource) => {
                resource.is_some_and(|resource| self.moves_money(resource, rules))
            }
        }
    }

    /// Whether the scope holds the level `all`.
    pub(super) fn has_all(&self) -> bool {
        self.has("all")
    }

    fn permits_plainly(&self, tool: &Axes, rules: &ScopeRules) -> bool {
        match tool.kind {
            Kind::Read => self.reads(rules),
            Kind::Write => {
                self.writes(tool, rules)
                    || rules.plain == PlainLevels::ReadWrites && self.has("read")
            }
            Kind::Money => match rules.plain {
                PlainLevels::AllMovesNoMoney => false,
                PlainLevels::WriteMovesMoney => self.has("all") || self.has("write"),
                _ => self.has("all"),
            },
        }
    }

    /// Tools that belong to no family: any resource of this service will do.
    fn permits_neutral(&self, rules: &ScopeRules) -> bool {
        let known = match rules.neutral {
            NeutralScope::AnyRead => self
                .resources
                .iter()
                .any(|resource| KNOWN.contains(&resource.as_str())),
            NeutralScope::AllResource => self.names(EVERY_FAMILY),
        };
        let implied = rules.reach == LevelReach::ImpliedRead && self.levels.is_empty();
        known && (self.reads(rules) || implied)
    }

    fn moves_money(&self, resource: &str, rules: &ScopeRules) -> bool {
        let strong = self.has("write") || self.has("all");
        let own = self.names(resource);
        match rules.money {
            MoneyScope::ReadIsEnough => own && (strong || self.has("read")),
            MoneyScope::AllOnly => own && self.has("all"),
            MoneyScope::DispatchesIgnored => own && strong && resource != DISPATCHES,
            MoneyScope::EitherResource => (self.names(DISPATCHES) || self.names(CHARGES)) && strong,
            MoneyScope::FinanceAllToo => (own || self.names(EVERY_FAMILY)) && strong,
            MoneyScope::PayablesWrite if resource == DISPATCHES => {
                (own || self.names(PAYABLES)) && strong
            }
            MoneyScope::PayablesAll if resource == DISPATCHES => {
                own && strong || self.names(PAYABLES) && self.has("all")
            }
            MoneyScope::ReceivablesWrite if resource == CHARGES => {
                (own || self.names(RECEIVABLES)) && strong
            }
            _ => own && strong,
        }
    }

    fn covers(&self, resource: &str, rules: &ScopeRules) -> bool {
        let all = rules.all != AllResource::Ignored && self.names(EVERY_FAMILY);
        let begins = rules.words == ScopeWords::ResourcePrefix
            && self
                .resources
                .iter()
                .any(|named| resource.starts_with(named.as_str()));
        self.names(resource) || all || begins || rules.reach == LevelReach::Everywhere
    }

    fn reads(&self, rules: &ScopeRules) -> bool {
        match rules.reading {
            ReadingLevels::Three => self.has("read") || self.has("write") || self.has("all"),
            ReadingLevels::ReadAlone => self.has("read"),
            ReadingLevels::WithoutAll => self.has("read") || self.has("write"),
            ReadingLevels::ExportToo => ["read", "write", "all", "export"]
                .iter()
                .any(|level| self.has(level)),
        }
    }

    fn writes(&self, tool: &Axes, rules: &ScopeRules) -> bool {
        let two = self.has("write") || self.has("all");
        match rules.writing {
            WritingLevels::Two => two,
            WritingLevels::DeleteToo => two || self.has("delete"),
            WritingLevels::ImportToo => two || self.has("import"),
            WritingLevels::ReadToo => two || self.has("read"),
            WritingLevels::CancelNeedsDelete => match tool.permission.as_deref() {
                Some(name) if name.ends_with(".cancel") => self.has("delete"),
                _ => two,
            },
        }
    }

    fn says_nothing(&self) -> bool {
        !["read", "write", "all", "delete", "import", "export"]
            .iter()
            .any(|level| self.has(level))
    }

    fn has(&self, level: &str) -> bool {
        self.levels.iter().any(|own| own == level)
    }

    fn names(&self, resource: &str) -> bool {
        self.resources.iter().any(|own| own == resource)
    }
}
