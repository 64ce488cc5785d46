//! The names of the ways in which the proxy breaks a healthy server.

use serde::{Deserialize, Serialize};

/// One defect that shows on the wire. The names are those of `features/faults/*.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WireFault {
    /// A request without credentials runs as somebody who is entitled.
    AnonymousAllowed,
    /// A token in the query counts like one in the header.
    QueryTokenAccepted,
    /// Any scheme in front of a token counts as Bearer.
    SchemeIgnored,
    /// A token for another audience is honoured.
    AnyAudience,
    /// An expired token is honoured.
    ExpiryIgnored,
    /// A token of another issuer is honoured.
    AnyIssuer,
    /// A token whose signature does not verify is honoured.
    SignatureIgnored,
    /// The 401 has no challenge.
    ChallengeRemoved,
    /// The challenge does not name the metadata document.
    ChallengeWithoutMetadata,
    /// The challenge names the metadata by a relative URL.
    ChallengeRelativeMetadata,
    /// The challenge builds its URL from the request's Host.
    ChallengeEchoesHost,
    /// The challenge repeats a parameter.
    ChallengeRepeatsParameter,
    /// The challenge claims an invalid token although none was sent.
    ChallengeBlamesNobody,
    /// The challenge of a bad token has no error code.
    ChallengeWithoutErrorCode,
    /// The refusal is a 200 that carries a JSON-RPC error.
    #[serde(rename = "unauthorized-as-200")]
    UnauthorizedAs200,
    /// The refusal is a 403.
    #[serde(rename = "unauthorized-as-403")]
    UnauthorizedAs403,
    /// The refusal redirects to a login page.
    LoginRedirect,
    /// The metadata document is not there.
    MetadataMissing,
    /// The metadata document is served as text.
    MetadataAsText,
    /// The resource in the metadata has a slash too many.
    MetadataTrailingSlash,
    /// The metadata names no authorization server.
    MetadataWithoutServers,
    /// The metadata advertises tokens in the query.
    MetadataAdvertisesQuery,
    /// The metadata holds an empty array.
    MetadataEmptyArray,
    /// The metadata answers for paths that are no resource.
    MetadataForAnyPath,
    /// The passed-through authorization server metadata has another issuer.
    PassThroughRewritesIssuer,
    /// The passed-through authorization server metadata is not there.
    PassThroughMissing,
    /// The passed-through metadata does not say S256.
    PassThroughWithoutPkce,
    /// Foreign origins are served.
    OriginUnchecked,
    /// Answers carry a session id.
    SessionIdIssued,
    /// A 405 does not say what is allowed.
    AllowMissing,
    /// A notification is answered with a result.
    NotificationAnswered,
    /// A path that does not exist answers with an HTML page and 200.
    HtmlEverywhere,
    /// Answers to signed-in people may be stored by shared caches.
    PublicCache,
    /// Tools lack their annotations.
    AnnotationsMissing,
    /// The order of tools differs from call to call.
    ToolListShuffled,
    /// Input schemas are not valid JSON Schema.
    SchemaInvalid,
    /// Results do not match the published output schema.
    ResultOffSchema,
    /// A tool that does not exist answers as if it had run.
    UnknownToolSucceeds,
    /// Decimals leave as JSON numbers.
    DecimalsAsNumbers,
    /// Decimals leave as JSON numbers in the text copy alone.
    NumbersInTextCopy,
    /// Trailing zeros of stored decimals are cut.
    TrailingZerosCut,
    /// Amounts lack their currency.
    CurrencyMissing,
    /// Errors lack the flag that marks them.
    ErrorFlagMissing,
    /// Errors lack a code.
    ErrorCodeMissing,
    /// Errors say nothing.
    ErrorMessageEmpty,
    /// Errors do not name the field at fault.
    ErrorFieldMissing,
    /// Tool errors arrive as protocol errors.
    ErrorAsProtocolError,
    /// Writes do not show net worth before and after.
    NetWorthMissingOnWrite,
    /// A preview is committed behind the user's back.
    PreviewCommits,
    /// A preview is recorded at once.
    PreviewRecords,
    /// The preview of an undo undoes.
    UndoPreviewExecutes,
    /// An unknown protocol version is echoed.
    UnknownVersionEchoed,
    /// The server has no instructions.
    InstructionsMissing,
    /// The token stands in an error text.
    TokenInError,
    /// A limit is answered with status 429.
    #[serde(rename = "limit-as-http-429")]
    LimitAsHttp429,
    /// A JSON number counts as a decimal.
    NumbersAccepted,
    /// A negative figure counts as its positive.
    NegativesAccepted,
    /// A text counts as a whole number.
    TextAsInteger,
    /// Zero is refused everywhere.
    ZeroRefused,
    /// Currencies in small letters are taken.
    CurrencyCaseIgnored,
    /// A filter of the list counts for nothing.
    FilterIgnored,
    /// A page of the list lacks its last item.
    PageLosesItem,
    /// The overview names fewer stale items than the list.
    OverviewStaleDiffers,
    /// An item lacks its oldest open lot.
    LotMissing,
    /// The prefix of an id does not count.
    PrefixIgnored,
    /// One of the tools is not listed.
    ToolMissing,
    /// No tool says whether it reaches out into the world.
    OpenWorldMissing,
    /// An undo can be forced.
    ForceOffered,
    /// The guide says nothing.
    GuideEmpty,
    /// The guide has no worked examples.
    GuideWithoutExamples,
    /// The guide has no aliases.
    GuideWithoutAliases,
    /// The guide's examples have JSON numbers.
    GuideWithNumbers,
    /// The guide names its reader.
    GuideNamesReader,
    /// A prompt commits without asking.
    PromptCommitsUnasked,
    /// A prompt needs the argument that it calls optional.
    PromptRequiresDescription,
    /// The monthly update does not look for what is stale.
    UpdateWithoutStale,
    /// One tool shows a hundred times the value.
    OneToolScales,
    /// Ratios are written as percentages.
    RatioAsPercent,
    /// A zero has a sign.
    MinusZero,
    /// Small figures have an exponent.
    ExponentInOutput,
    /// What was undone is not listed any more.
    UndoneHidden,
    /// A history that runs backwards is turned round.
    HistorySwapsDates,
    /// A range without points moves by zero.
    EmptyRangeMovesByZero,
    /// A simulated sale without units is of one.
    SimulatesOneUnit,
    /// Part of something valued as a whole is taken for all of it.
    PartsAreWhole,
    /// Of an amount and a price the amount is taken.
    AmountBeatsPrice,
    /// A simulated sale estimates a tax.
    TaxEstimated,
    /// A kind of goal or loss that nobody knows is taken for another.
    PlanKindsUnchecked,
    /// A grouping that nobody knows is left out.
    UnknownGroupIgnored,
    /// Only loans with a link are listed.
    UnlinkedLoanHidden,
    /// Each kind of loss shows what is left of all kinds.
    LossKindsTogether,
    /// What is left of a loss is all of it, whatever was used.
    UsedNotTakenOff,
    /// A goal that is reached is not on pace.
    ReachedNotOnPace,
    /// A goal without a date is on pace.
    OnPaceWithoutDate,
    /// The return on nothing is zero.
    NothingInvestedIsZero,
    /// A write says the whole net worth in place of the difference.
    WriteSaysTheWhole,
    /// An answer differs from call to call.
    ReadsDiffer,
    /// A call with a bad token is carried out, and refused.
    RefusedYetDone,
    /// The client's token is sent to a provider.
    TokenPassedOn,
    /// An address in a token's header is fetched.
    HeaderUrlFetched,
}
