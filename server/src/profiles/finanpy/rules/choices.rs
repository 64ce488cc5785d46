//! The values that each choice of the cash book can take: first the one the page promises, then the deliberate defects.

use serde::{Deserialize, Serialize};

use crate::rules::define_choices;

define_choices! {
    /// Which arguments the input schema demands.
    RequiredFields {
        /// `type`, `amount`, `category` and `description`.
        Four,
        /// Defect: `date` too.
        DateToo,
        /// Defect: `identifier` too.
        IdentifierToo,
        /// Defect: `category` may be left out.
        WithoutCategory,
    }
    /// An argument that is missing although it is required.
    MissingField {
        /// MISSING_FIELD that names it.
        Named,
        /// Defect: some default is stored.
        Defaulted,
        /// Defect: an error of the protocol without the page's code.
        ProtocolError,
    }
    /// Which types are accepted.
    TypeCheck {
        /// `receita` and `despesa`, exactly.
        Exact,
        /// Defect: in any case, and with blanks around.
        CaseFolded,
        /// Defect: anything.
        Unchecked,
    }
    /// How an amount becomes two places.
    Rounding {
        /// Half up on the shortest decimal that reads back as the number on the wire: 1.005 gives 1.01.
        HalfUp,
        /// Defect: half to even: 0.125 gives 0.12.
        Bankers,
        /// Defect: on the binary value, as languages round by themselves: 1.005 gives 1.00.
        Binary,
        /// Defect: not at all.
        None,
    }
    /// A negative amount.
    NegativeAmount {
        /// INVALID_AMOUNT.
        Refused,
        /// Defect: its absolute value is stored.
        Absolute,
    }
    /// An amount that is zero, also after rounding.
    ZeroAmount {
        /// INVALID_AMOUNT.
        Refused,
        /// Defect: stored.
        Accepted,
    }
    /// An amount that is no JSON number.
    NonNumericAmount {
        /// INVALID_AMOUNT.
        Refused,
        /// Defect: made into one where that is possible: `"12.50"`, `true`.
        Coerced,
    }
    /// The sign in the database.
    StoredSign {
        /// Negative for `despesa`, positive for `receita`.
        ByType,
        /// Defect: always positive.
        Positive,
    }
    /// The sign of `normalizado.amount`.
    NormalizedSign {
        /// The absolute value.
        Absolute,
        /// Defect: as it is stored.
        AsStored,
    }
    /// How a date may be written.
    DateForm {
        /// `YYYY-MM-DD` only.
        Strict,
        /// Defect: also `DD/MM/YYYY`, `YYYY-M-D` and `YYYYMMDD`.
        Lenient,
        /// Defect: also with a time of day.
        DateTime,
    }
    /// A date that the calendar does not have.
    ImpossibleDate {
        /// INVALID_DATE.
        Refused,
        /// Defect: rolled over into the next month.
        RolledOver,
    }
    /// A date that has not come yet.
    FutureDate {
        /// INVALID_DATE, from tomorrow in São Paulo on.
        Refused,
        /// Defect: accepted.
        Accepted,
        /// Defect: judged by the date in UTC.
        JudgedByUtc,
        /// Defect: today is refused too.
        TodayToo,
    }
    /// The date of a call without one.
    DefaultDate {
        /// Today in São Paulo.
        SaoPaulo,
        /// Defect: today in UTC.
        Utc,
        /// Defect: today in the machine's own time zone.
        Machine,
    }
    /// The text of the category.
    CategoryText {
        /// Any text, as it was given.
        AsGiven,
        /// Defect: in lower case, without blanks around.
        Tidied,
        /// Defect: other than ASCII letters and blanks are refused.
        Validated,
    }
    /// An identifier that is in the database already.
    DuplicateIdentifier {
        /// DUPLICATE, and nothing is stored.
        Refused,
        /// Defect: the transaction is stored again.
        StoredAgain,
        /// Defect: it takes the place of the first one.
        Overwritten,
        /// Defect: it is looked for before the lock is taken, so that another process can come between.
        CheckedFirst,
    }
    /// Whether a duplicate names the row it meets.
    ExistingId {
        /// `id_existente`.
        Named,
        /// Defect: left out.
        Missing,
    }
    /// Calls without an identifier.
    AbsentIdentifier {
        /// Are all stored.
        NeverCollides,
        /// Defect: the second one is a duplicate of the first.
        Collides,
    }
    /// What a success says.
    SuccessAnswer {
        /// `sucesso`, `id`, `normalizado`, `avisos`.
        Complete,
        /// Defect: `normalizado` is left out.
        WithoutNormalized,
        /// Defect: `avisos` is left out.
        WithoutWarnings,
    }
    /// How texts get into the database.
    TextPassing {
        /// As values, which are never read as SQL.
        Bound,
        /// Defect: written between quotes into the statement.
        Spliced,
    }
    /// How filters work together.
    FilterJoin {
        /// A row must satisfy all of them.
        All,
        /// Defect: one is enough.
        Any,
    }
    /// Which filter does nothing.
    IgnoredFilter {
        /// None.
        None,
        /// Defect: `period`.
        Period,
        /// Defect: `category`.
        Category,
        /// Defect: `type`.
        Type,
    }
    /// A period that is not `YYYY-MM`.
    PeriodForm {
        /// INVALID_PERIOD.
        Checked,
        /// Defect: compared with the beginning of the dates as it is.
        Unchecked,
    }
    /// A type that is neither `receita` nor `despesa`.
    TypeFilterForm {
        /// BAD_TYPE.
        Checked,
        /// Defect: an empty list.
        Unchecked,
    }
    /// How a category is compared.
    CategoryMatch {
        /// Exactly.
        Exact,
        /// Defect: as a pattern with `%` and `_`, anywhere in the name.
        Pattern,
        /// Defect: without regard to case.
        CaseFolded,
    }
    /// The answer when nothing fits.
    EmptyList {
        /// `[]`.
        List,
        /// Defect: an error.
        Refusal,
        /// Defect: `null`.
        Null,
    }
    /// The members of a row.
    RowShape {
        /// All seven.
        Complete,
        /// Defect: without `identifier`.
        WithoutIdentifier,
        /// Defect: `amount` is a string.
        AmountAsText,
    }
    /// How a row writes its date.
    RowDate {
        /// `YYYY-MM-DD`.
        Iso,
        /// Defect: `DD/MM/YYYY`.
        DayFirst,
    }
    /// The form of `structuredContent`.
    StructuredList {
        /// An object around the list in the revisions that know only objects.
        OfTheRevision,
        /// Defect: the bare list in every revision.
        AlwaysBare,
    }
    /// The form of the text beside it.
    ListText {
        /// The bare list, as the page shows it.
        Bare,
        /// Defect: whatever `structuredContent` is.
        OfTheStructured,
    }
    /// Which rows count.
    SummaryRows {
        /// Those of the present month.
        CurrentMonth,
        /// Defect: all.
        All,
    }
    /// Where the present month is read.
    SummaryMonth {
        /// In São Paulo.
        SaoPaulo,
        /// Defect: in UTC.
        Utc,
    }
    /// The sign of what was spent.
    SummaryExpense {
        /// Positive.
        Positive,
        /// Defect: negative, as it is stored.
        Negative,
    }
    /// What the balance is.
    Balance {
        /// Income less expenses.
        Difference,
        /// Defect: income and expenses together.
        Sum,
    }
    /// When the figures are taken.
    Snapshot {
        /// At every read.
        Fresh,
        /// Defect: at the first read.
        Cached,
    }
    /// What reading leaves behind.
    SummaryEffect {
        /// Nothing.
        Reads,
        /// Defect: a row in the database.
        Writes,
    }
    /// A month without transactions.
    EmptyMonth {
        /// Zeros and no categories.
        Zeros,
        /// Defect: an error.
        Refusal,
    }
    /// Which number of a date comes first.
    CsvDateOrder {
        /// The day.
        DayFirst,
        /// Defect: the month, where that gives a date.
        MonthFirst,
    }
    /// What the sign of a value does.
    CsvSign {
        /// It gives the type and is stored.
        GivesType,
        /// Defect: it is lost, everything is income.
        Lost,
    }
    /// The category of imported rows.
    CsvCategory {
        /// `sem categoria`.
        Uncategorized,
        /// Defect: empty.
        Empty,
    }
    /// A row whose identifier is in the database already.
    KnownIdentifier {
        /// Skipped and counted.
        Skipped,
        /// Defect: stored again.
        StoredAgain,
        /// Defect: it takes the place of the first one.
        Overwritten,
    }
    /// A row that cannot be read.
    BrokenRow {
        /// Reported with line and reason; the rest is imported.
        Reported,
        /// Defect: stored with whatever could be read.
        StoredAnyway,
        /// Defect: the rest of the file is left out without a word.
        EndsImport,
    }
    /// How bytes become text.
    CsvEncoding {
        /// By byte order mark, else UTF-8 where that fits, else Windows-1252.
        Detected,
        /// Defect: always as Windows-1252.
        Windows1252,
    }
    /// What stands on stdout before the first answer.
    Greeting {
        /// Nothing.
        Nothing,
        /// Defect: a banner.
        Banner,
        /// Defect: a list of the tools that nobody asked for.
        Manifest,
    }
    /// Where the log goes.
    LogStream {
        /// To stderr.
        Stderr,
        /// Defect: to stdout, a line for every call.
        Stdout,
    }
    /// Whether texts of transactions are logged.
    LoggedTexts {
        /// Never.
        Never,
        /// Defect: the description of every new transaction, as a warning.
        Descriptions,
    }
    /// The end of stdin.
    EndOfInput {
        /// Ends the process.
        Exits,
        /// Defect: the process stays.
        Stays,
    }
    /// A line that is no message.
    BadLine {
        /// Is answered with an error, and the next one is read.
        Answered,
        /// Defect: ends the process.
        EndsProcess,
    }
    /// A database that another process holds.
    BusyDatabase {
        /// DB_BUSY after about a second.
        DbBusy,
        /// Defect: an error that does not say what is wrong.
        Generic,
        /// Defect: the call waits for a minute.
        Waits,
    }
    /// Who may read a new database.
    FileMode {
        /// The user that runs the server.
        OwnerOnly,
        /// Defect: everybody.
        WorldReadable,
    }
    /// Where the database is.
    DataFolder {
        /// In the folder that was named, else in the program's own.
        AsNamed,
        /// Defect: in the working directory.
        WorkingDirectory,
    }
    /// What is announced.
    Announced {
        /// Two tools and one resource.
        Everything,
        /// Defect: `listar_transacoes` is missing.
        WithoutListing,
        /// Defect: the resource is missing.
        WithoutResource,
        /// Defect: the resource is announced as a template.
        ResourceAsTemplate,
    }
    /// Whether there is a network port.
    Network {
        /// There is none.
        None,
        /// Defect: a port on the loopback interface.
        OpensPort,
    }
    /// How a message is written down.
    LineForm {
        /// As one line in UTF-8.
        OneLine,
        /// Defect: line breaks in texts are written as they are, so that a message is several lines.
        RawBreaks,
        /// Defect: in Latin-1, as a program writes that follows the machine's locale.
        Latin1,
    }
    /// Which ids answers have.
    AnswerIds {
        /// Those of their requests.
        OfTheirRequests,
        /// Defect: that of the request that came last and has none yet.
        LatestFirst,
    }
    /// Whether the server asks the client for something.
    ServerRequests {
        /// It does not.
        None,
        /// Defect: it asks for the client's folders after its first answer.
        AsksForRoots,
    }
    /// The question of a client that speaks both eras, `server/discover`.
    Discovery {
        /// Is answered.
        Answered,
        /// Defect: is not answered.
        Silent,
        /// Defect: ends the process.
        EndsProcess,
    }
    /// What a refusal looks like.
    RefusalForm {
        /// A JSON object with `code`.
        Json,
        /// Defect: a sentence.
        Text,
        /// Defect: a traceback.
        Traceback,
    }
}
