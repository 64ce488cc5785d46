//! The currencies a workspace, account or item may be kept in: ISO 4217, the ones in use and those the European Central Bank has quoted.

use super::arguments::missing;
use crate::mcp::fault::Fault;

/// Sorted, so that it can be searched.
const KNOWN: [&str; 176] = [
    "AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT",
    "BGN", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD",
    "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CUP", "CVE", "CYP", "CZK", "DJF", "DKK", "DOP",
    "DZD", "EEK", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD",
    "GNF", "GTQ", "GYD", "HKD", "HNL", "HRK", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR",
    "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT",
    "LAK", "LBP", "LKR", "LRD", "LSL", "LTL", "LVL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK",
    "MNT", "MOP", "MRU", "MTL", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO",
    "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "ROL",
    "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SIT", "SKK",
    "SLE", "SLL", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND",
    "TOP", "TRL", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VED", "VES",
    "VND", "VUV", "WST", "XAF", "XAG", "XAU", "XCD", "XCG", "XDR", "XOF", "XPD", "XPF", "XPT",
    "XSU", "XUA", "YER", "ZAR", "ZMW", "ZWG", "ZWL",
];

/// Whether `code` is one of them.
fn is_known(code: &str) -> bool {
    KNOWN.binary_search(&code).is_ok()
}

/// Refuses a code that is none of them.
///
/// # Errors
/// `invalid_input` on `field`.
pub(super) fn check(code: &str, field: &str) -> Result<(), Fault> {
    if is_known(code) {
        return Ok(());
    }
    Err(missing(
        field,
        "This is no currency this server knows. Use an ISO 4217 code, such as EUR, USD or AUD.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_knows_codes_only() {
        assert!(KNOWN.is_sorted());
        assert!(
            ["EUR", "AUD", "JPY", "KWD", "BRL"]
                .iter()
                .all(|code| is_known(code))
        );
        assert!(!["ZZZ", "eur", "", "EURO"].iter().any(|code| is_known(code)));
    }
}
