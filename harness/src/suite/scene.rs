//! The scene: everything one scenario knows, made fresh for each.

use std::sync::Arc;

use cucumber::World;

use super::Environment;
use crate::{
    client::{Recorder, Revision},
    steps::{
        batches::BatchPages, book::Book, contests::Contests, crash_series::CrashSeries,
        differences::Differences, discovery::Discovery, durability::Durability, finanpy::CashBook,
        guide::Guidance, invite_codes::InviteCodes, kobana::Office, lots::Lots, people::People,
        plans::Plans, previews::Previews, prices::Pricing, protocol::Protocol, reading::Reading,
        row_types::RowTypes, selling::Selling, statements::Statements, strangers::Strangers,
        sweeps::Sweeps, tokens::Tokens, worked_examples::WorkedExamples, writing::Writing,
    },
    target::Running,
};

/// The world of one scenario. Each file of steps owns the part of the same name.
#[derive(Debug, World)]
#[world(init = Self::alone)]
pub struct Scene {
    /// The server under test and its mocks.
    pub environment: Arc<Environment>,
    /// The revision of the protocol this run of the scenario speaks.
    pub revision: Revision,
    /// Every exchange of this scenario.
    pub recorder: Recorder,
    /// The server process of an `@isolated` scenario, which it may kill and start again.
    pub running: Option<Running>,
    /// Of [`crate::steps::discovery`].
    pub discovery: Discovery,
    /// Of [`crate::steps::tokens`].
    pub tokens: Tokens,
    /// Of [`crate::steps::protocol`].
    pub protocol: Protocol,
    /// Of [`crate::steps::book`].
    pub book: Book,
    /// Of [`crate::steps::writing`].
    pub writing: Writing,
    /// Of [`crate::steps::reading`].
    pub reading: Reading,
    /// Of [`crate::steps::differences`].
    pub differences: Differences,
    /// Of [`crate::steps::plans`].
    pub plans: Plans,
    /// Of [`crate::steps::selling`].
    pub selling: Selling,
    /// Of [`crate::steps::people`].
    pub people: People,
    /// Of [`crate::steps::prices`].
    pub pricing: Pricing,
    /// Of [`crate::steps::batches`].
    pub batch_pages: BatchPages,
    /// Of [`crate::steps::contests`].
    pub contests: Contests,
    /// Of [`crate::steps::previews`].
    pub previews: Previews,
    /// Of [`crate::steps::lots`].
    pub lots: Lots,
    /// Of [`crate::steps::row_types`].
    pub row_types: RowTypes,
    /// Of [`crate::steps::statements`].
    pub statements: Statements,
    /// Of [`crate::steps::strangers`].
    pub strangers: Strangers,
    /// Of [`crate::steps::sweeps`].
    pub sweeps: Sweeps,
    /// Of [`crate::steps::guide`].
    pub guidance: Guidance,
    /// Of [`crate::steps::worked_examples`].
    pub worked_examples: WorkedExamples,
    /// Of [`crate::steps::durability`].
    pub durability: Durability,
    /// Of [`crate::steps::crash_series`].
    pub crash_series: CrashSeries,
    /// Of [`crate::steps::kobana`].
    pub office: Office,
    /// Of [`crate::steps::invite_codes`].
    pub invite_codes: InviteCodes,
    /// Of [`crate::steps::finanpy`].
    pub cash_book: CashBook,
}

/// A scene cannot make itself: the suite gives it its environment.
#[derive(Debug, thiserror::Error)]
#[error("a scene is made by the suite, which knows the environment")]
pub struct NoEnvironment;

impl Scene {
    /// A fresh scene in `environment`, speaking `revision`.
    #[must_use]
    pub fn new(environment: Arc<Environment>, revision: Revision) -> Self {
        Self {
            environment,
            revision,
            recorder: Recorder::default(),
            running: None,
            discovery: Discovery::default(),
            tokens: Tokens::default(),
            protocol: Protocol::default(),
            book: Book::default(),
            writing: Writing::default(),
            reading: Reading::default(),
            differences: Differences::default(),
            plans: Plans::default(),
            selling: Selling::default(),
            people: People::default(),
            pricing: Pricing::default(),
            batch_pages: BatchPages::default(),
            contests: Contests::default(),
            previews: Previews::default(),
            lots: Lots::default(),
            row_types: RowTypes::default(),
            statements: Statements::default(),
            strangers: Strangers::default(),
            sweeps: Sweeps::default(),
            guidance: Guidance::default(),
            worked_examples: WorkedExamples::default(),
            durability: Durability::default(),
            crash_series: CrashSeries::default(),
            office: Office::default(),
            invite_codes: InviteCodes::default(),
            cash_book: CashBook::default(),
        }
    }

    fn alone() -> Result<Self, NoEnvironment> {
        Err(NoEnvironment)
    }
}
