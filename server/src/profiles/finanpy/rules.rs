//! The cash book's choices as one value: the default is what the published page promises, every other value breaks one promise.

mod choices;

use serde::{Deserialize, Serialize};

pub use choices::*;

/// Every choice of the cash book.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FinanpyRules {
    /// `registrar_transacao`.
    pub registering: RegisteringRules,
    /// `listar_transacoes`.
    pub listing: ListingRules,
    /// `resumo_financeiro_atual`.
    pub summary: SummaryRules,
    /// The import of a statement.
    pub import: ImportRules,
    /// What a refusal looks like.
    pub refusals: RefusalForm,
    /// The process and its file.
    pub process: ProcessRules,
}

/// How a transaction is checked, normalized and kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RegisteringRules {
    /// Which arguments the input schema demands.
    pub required: RequiredFields,
    /// An argument that is missing although it is required.
    pub missing_field: MissingField,
    /// Which types are accepted.
    pub type_check: TypeCheck,
    /// How an amount becomes two places.
    pub rounding: Rounding,
    /// A negative amount.
    pub negative: NegativeAmount,
    /// An amount that is zero, also after rounding.
    pub zero: ZeroAmount,
    /// An amount that is no JSON number.
    pub non_numeric: NonNumericAmount,
    /// The sign in the database.
    pub stored_sign: StoredSign,
    /// The sign of `normalizado.amount`.
    pub normalized_sign: NormalizedSign,
    /// How a date may be written.
    pub date_form: DateForm,
    /// A date that the calendar does not have.
    pub impossible_date: ImpossibleDate,
    /// A date that has not come yet.
    pub future_date: FutureDate,
    /// The date of a call without one.
    pub default_date: DefaultDate,
    /// The text of the category.
    pub category: CategoryText,
    /// An identifier that is in the database already.
    pub duplicate: DuplicateIdentifier,
    /// Whether a duplicate names the row it meets.
    pub existing_id: ExistingId,
    /// Calls without an identifier.
    pub absent_identifier: AbsentIdentifier,
    /// What a success says.
    pub answer: SuccessAnswer,
    /// How texts get into the database.
    pub texts: TextPassing,
}

/// What is listed, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ListingRules {
    /// How filters work together.
    pub filters: FilterJoin,
    /// Which filter does nothing.
    pub ignored: IgnoredFilter,
    /// A period that is not `YYYY-MM`.
    pub period_form: PeriodForm,
    /// A type that is neither `receita` nor `despesa`.
    pub type_form: TypeFilterForm,
    /// How a category is compared.
    pub category_match: CategoryMatch,
    /// The answer when nothing fits.
    pub empty: EmptyList,
    /// The members of a row.
    pub row: RowShape,
    /// How a row writes its date.
    pub row_date: RowDate,
    /// The form of `structuredContent`.
    pub structured: StructuredList,
    /// The form of the text beside it.
    pub text: ListText,
}

/// What the month looks like.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SummaryRules {
    /// Which rows count.
    pub rows: SummaryRows,
    /// Where the present month is read.
    pub month: SummaryMonth,
    /// The sign of what was spent.
    pub expense_sign: SummaryExpense,
    /// What the balance is.
    pub balance: Balance,
    /// When the figures are taken.
    pub snapshot: Snapshot,
    /// What reading leaves behind.
    pub effect: SummaryEffect,
    /// A month without transactions.
    pub empty_month: EmptyMonth,
}

/// How a statement is read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImportRules {
    /// Which number of a date comes first.
    pub date_order: CsvDateOrder,
    /// What the sign of a value does.
    pub sign: CsvSign,
    /// The category of imported rows.
    pub category: CsvCategory,
    /// A row whose identifier is in the database already.
    pub known: KnownIdentifier,
    /// A row that cannot be read.
    pub broken: BrokenRow,
    /// How bytes become text.
    pub encoding: CsvEncoding,
}

/// How the process behaves towards the client that started it, and what it does with its file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProcessRules {
    /// What stands on stdout before the first answer.
    pub greeting: Greeting,
    /// Where the log goes.
    pub log: LogStream,
    /// Whether texts of transactions are logged.
    pub logged_texts: LoggedTexts,
    /// The end of stdin.
    pub end_of_input: EndOfInput,
    /// A line that is no message.
    pub bad_line: BadLine,
    /// A database that another process holds.
    pub busy: BusyDatabase,
    /// Who may read a new database.
    pub file_mode: FileMode,
    /// Where the database is.
    pub data_folder: DataFolder,
    /// What is announced.
    pub announced: Announced,
    /// Whether there is a network port.
    pub network: Network,
    /// How a message is written down.
    pub line_form: LineForm,
    /// Which ids answers have.
    pub answer_ids: AnswerIds,
    /// Whether the server asks the client for something.
    pub requests: ServerRequests,
    /// The question of a client that speaks both eras.
    pub discovery: Discovery,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    #[test]
    fn nothing_said_is_what_the_page_promises() {
        let rules: Rules = serde_json::from_str("{}").unwrap();
        assert_eq!(rules.finanpy, FinanpyRules::default());
    }

    #[test]
    fn a_broken_promise_is_another_value() {
        let rules: Rules = serde_json::from_str(
            r#"{"finanpy": {"registering": {"rounding": "bankers"}, "summary": {"rows": "all"}}}"#,
        )
        .unwrap();
        assert_eq!(rules.finanpy.registering.rounding, Rounding::Bankers);
        assert_eq!(rules.finanpy.summary.rows, SummaryRows::All);
        assert_eq!(rules.finanpy.listing, ListingRules::default());
        assert!(serde_json::from_str::<Rules>(r#"{"finanpy": {"rounding": "bankers"}}"#).is_err());
    }
}
