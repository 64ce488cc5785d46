Feature: Rows in another currency are converted at the ECB rate of their day, and the rate is shown

  The European Central Bank publishes rates on working days. Where it publishes none, the last earlier rate counts; where
  there is none at all, nothing is invented.
  Source: Worthbase MCP page, "Why are numbers decimal strings?".

  Background:
    Given Ada keeps a book in AUD with the items
      | item    | kind | currency |
      | Dollars | cash | USD      |
      | Home    | cash | AUD      |

  @FX-001 @FX-002
  Rule: A row in another currency without a rate gets the ECB rate of its day, and the rate used is reported and kept

    Scenario: A Friday in June 2024
      When Ada previews
        | date       | entry   | item    | amount  | currency |
        | 2024-06-28 | deposit | Dollars | 1000.00 | USD      |
      Then the preview reports the rates
        | from | to  | rate                 | date       | source | amount  | base amount           |
        | USD  | AUD | ≈ 1.502008407286314806 | 2024-06-28 | ecb    | 1000.00 | ≈ 1502.008407286314806  |
      When she commits the preview
      Then the commit reports the rates
        | from | to  | rate                 | date       | source |
        | USD  | AUD | ≈ 1.502008407286314806 | 2024-06-28 | ecb    |
      And Ada's "Dollars" keeps the rates
        | from | to  | rate                 | date       | source |
        | USD  | AUD | ≈ 1.502008407286314806 | 2024-06-28 | ecb    |

    Scenario: Into euros the quotation itself is the rate
      Given Ben keeps a book in EUR with the items
        | item    | kind | currency |
        | Dollars | cash | USD      |
      When Ben previews
        | date       | entry   | item    | amount  |
        | 2024-06-28 | deposit | Dollars | 1070.50 |
      Then the preview reports the rates
        | from | to  | date       | source | base amount          |
        | USD  | EUR | 2024-06-28 | ecb    | ≈ 1000               |

  @FX-003
  Rule: On days without publication the last earlier rate is used and its own date shown

    Scenario: A Sunday
      When Ada previews
        | date       | entry   | item    | amount  |
        | 2024-06-30 | deposit | Dollars | 1000.00 |
      Then the preview reports the rates
        | from | to  | rate                 | date       | source | base amount           |
        | USD  | AUD | ≈ 1.502008407286314806 | 2024-06-28 | ecb    | ≈ 1502.008407286314806  |

    Scenario: Easter Monday goes back to Maundy Thursday
      Given Ben keeps a book in USD with the items
        | item   | kind | currency |
        | Pounds | cash | GBP      |
      When Ben previews
        | date       | entry   | item   | amount |
        | 2024-04-01 | deposit | Pounds | 250.00 |
      Then the preview reports the rates
        | from | to  | rate                 | date       | source | base amount         |
        | GBP  | USD | ≈ 1.264296573500175418 | 2024-03-28 | ecb    | ≈ 316.0741433750438545 |

  @FX-004
  Rule: A rate given with the row wins over the ECB

    Scenario: The bank's own rate
      When Ada previews
        | date       | entry   | item    | amount  | rate   |
        | 2024-06-28 | deposit | Dollars | 1000.00 | 1.5123 |
      Then the preview reports the rates
        | from | to  | rate   | date | source   | base amount |
        | USD  | AUD | 1.5123 |      | explicit | 1512.3      |

  @FX-005
  Rule: Without any rate the row is refused, not taken at 1 or at a much older rate

    Scenario Outline: <currency> on <day>, for which there is no rate
      Given Ben keeps a book in EUR with the items
        | item   | kind | currency   |
        | Abroad | cash | <currency> |
      When Ben tries to preview
        | date  | entry   | item   | amount |
        | <day> | deposit | Abroad | 1000   |
      Then he is refused with "fx_missing"
      And nothing has changed
      When Ben records
        | date  | entry   | item   | amount | rate  |
        | <day> | deposit | Abroad | 1000   | 0.011 |
      Then the commit reports the rates
        | from       | to  | rate  | date | source   | base amount |
        | <currency> | EUR | 0.011 |      | explicit | 11          |

      Examples:
        | currency | day        |
        | RUB      | 2024-01-15 |
        | USD      | 1998-06-01 |

    Scenario: The first publication of all is a rate
      Given Ben keeps a book in EUR with the items
        | item   | kind | currency |
        | Abroad | cash | USD      |
      When Ben previews
        | date       | entry   | item   | amount |
        | 1999-01-04 | deposit | Abroad | 1178.9 |
      Then the preview reports the rates
        | from | to  | date       | source | base amount |
        | USD  | EUR | 1999-01-04 | ecb    | ≈ 1000      |

  @contract @FX-006
  Rule: A publication more than seven days back does not count

    Scenario: The rouble seven and eight days after its last quotation
      Given Ben keeps a book in EUR with the items
        | item    | kind | currency |
        | Roubles | cash | RUB      |
        | Kuna    | cash | HRK      |
      When Ben previews
        | date       | entry   | item    | amount |
        | 2022-03-08 | deposit | Roubles | 1000   |
      Then the preview reports the rates
        | from | to  | date       | source |
        | RUB  | EUR | 2022-03-01 | ecb    |
      When Ben tries to preview
        | date       | entry   | item    | amount |
        | 2022-03-09 | deposit | Roubles | 1000   |
      Then he is refused with "fx_missing"
      And nothing has changed
      When Ben tries to preview
        | date       | entry   | item | amount |
        | 2023-01-09 | deposit | Kuna | 1000   |
      Then he is refused with "fx_missing"
      And nothing has changed
      When Ben previews
        | date       | entry   | item | amount | rate |
        | 2023-01-09 | deposit | Kuna | 1000   | 0.13 |
      Then the preview reports the rates
        | from | to  | rate | date | source   |
        | HRK  | EUR | 0.13 |      | explicit |

  @contract @FX-007
  Rule: Rates and conversions keep 18 places

    Scenario: Five thousand million rupiah
      Given Ben keeps a book in EUR with the items
        | item   | kind | currency |
        | Rupiah | cash | IDR      |
      When Ben previews
        | date       | entry   | item   | amount     |
        | 2024-06-28 | deposit | Rupiah | 5000000000 |
      Then the preview reports the rates
        | from | to  | date       | source | base amount           |
        | IDR  | EUR | 2024-06-28 | ecb    | ≈ 285923.254767341388 |

  @FX-011 @NW-018
  Rule: Totals over several currencies are converted, never added as they are, and the rates are listed

    Scenario: 100 euros and 100 dollars on 2024-06-28
      Given Ben keeps a book in EUR with the items
        | item    | kind | currency |
        | Euros   | cash | EUR      |
        | Dollars | cash | USD      |
      When Ben records
        | date       | entry   | item    | amount |
        | 2024-06-28 | deposit | Euros   | 100    |
        | 2024-06-28 | deposit | Dollars | 100    |
      Then Ben's figures on 2024-06-28 are
        | assets                 | net worth              | cash                   |
        | ≈ 193.4142923867351705 | ≈ 193.4142923867351705 | ≈ 193.4142923867351705 |
      And Ben's net worth on 2024-06-28 used the rates
        | from | to  | date       |
        | USD  | EUR | 2024-06-28 |

  @FX-012
  Rule: A currency without a rate on the report date makes the total partial and the item null

    Scenario: Roubles after their last quotation
      Given Ben keeps a book in EUR with the items
        | item    | kind | currency |
        | Euros   | cash | EUR      |
        | Roubles | cash | RUB      |
      When Ben records
        | date       | entry   | item    | amount | rate  |
        | 2024-01-15 | deposit | Roubles | 1000   | 0.011 |
        | 2024-01-15 | deposit | Euros   | 100    |       |
      Then "Roubles" is missing from Ben's net worth on 2024-01-31
      And Ben's net worth on 2024-01-31 is 100 EUR

  @FX-017
  Rule: EUR as base or row currency needs no second rate

    Scenario: Euros into dollars on the leap day
      Given Ben keeps a book in USD with the items
        | item  | kind | currency |
        | Euros | cash | EUR      |
      When Ben previews
        | date       | entry   | item  | amount |
        | 2024-02-29 | deposit | Euros | 1      |
      Then the preview reports the rates
        | from | to  | rate   | date       | source |
        | EUR  | USD | 1.0826 | 2024-02-29 | ecb    |

    Scenario: Dollars into euros on the leap day
      Given Ben keeps a book in EUR with the items
        | item    | kind | currency |
        | Dollars | cash | USD      |
      When Ben previews
        | date       | entry   | item    | amount |
        | 2024-02-29 | deposit | Dollars | 1.0826 |
      Then the preview reports the rates
        | from | to  | date       | source | rate                 |
        | USD  | EUR | 2024-02-29 | ecb    | ≈ 0.923702198411232218 |

  @FX-010 @isolated @needs-control
  Rule: A rate that changes between preview and commit is not used in silence

    Scenario: The bank restates its rates while a preview is open
      Given it is 2026-10-29 23:50:00 UTC
      And Ben keeps a book in AUD with the items
        | item    | kind | currency |
        | Dollars | cash | USD      |
      And Ben has recorded
        | date       | entry   | item    | amount |
        | 2026-10-28 | deposit | Dollars | 1      |
      When it is 2026-10-30 23:40:00 UTC
      And Ben previews
        | date       | entry   | item    | amount |
        | 2026-10-29 | deposit | Dollars | 100    |
      And the European Central Bank begins to answer with restated rates
      And 15 minutes pass
      And Ben commits the preview, if it still holds
      Then it was committed with the rates of the preview, or refused as stale

  @contract @FX-013
  Rule: The currency of a row may differ from its item's; the amount goes through the base currency

    Scenario: Euros onto a dollar account in an Australian book
      When Ada records
        | date       | entry   | item    | amount | currency |
        | 2024-06-28 | deposit | Dollars | 100    | EUR      |
        | 2024-06-28 | deposit | Home    | 100    | AUD      |
      Then Ada's "Dollars" keeps the rates
        | from | to  | rate                   | date       | source |
        | EUR  | AUD | 1.6079                 | 2024-06-28 | ecb    |
        | USD  | AUD | ≈ 1.502008407286314806 | 2024-06-28 | ecb    |
      And Ada's list of items shows
        | item    | value    | currency |
        | Dollars | ≈ 107.05 | USD      |
        | Home    | 100      | AUD      |

  @contract @FX-014
  Rule: A rate on a row in base currency is one, or absent

    Scenario: One and a half, one, and none
      When Ada tries to preview
        | date       | entry   | item | amount | rate |
        | 2024-06-28 | deposit | Home | 100    | 1.5  |
      Then she is refused with "invalid_input"
      And the refusal points at "transactions[0].fx_rate"
      And nothing has changed
      When Ada records
        | date       | entry   | item | amount | rate |
        | 2024-06-28 | deposit | Home | 100    | 1    |
      Then the balance of Ada's "Home" is 100 AUD
      When Ada records
        | date       | entry   | item | amount |
        | 2024-06-28 | deposit | Home | 100    |
      Then the balance of Ada's "Home" is 200 AUD

  @contract @FX-015
  Rule: Currencies are codes of ISO 4217 in capital letters, and no codes of pence

    Scenario: Six texts that are none
      Given Ben keeps a book in GBP with the items
        | item | kind |
        | Cash | cash |
      When Ben tries each of these as a currency
        | value |
        | "usd" |
        | "US$" |
        | "ZZZ" |
        | "GBX" |
        | "GBp" |
        | "BTC" |
      Then each value is refused with "invalid_input" and its field
      And nothing has changed
      And Ben may use "GBP" as a currency

  @FX-016 @isolated @impatient @needs-control
  Rule: While the source of rates is down, nothing is invented

    Scenario Outline: The bank answers with <outage>
      Given the European Central Bank answers with <outage>
      And it is 2026-11-01 12:00:00 UTC
      And Ben keeps a book in EUR with the items
        | item | kind | currency |
        | Cash | cash | USD      |
      When Ben tries to use record
      Then they are refused with "provider_unavailable", or converted at the published "≈ 0.924812725423101822"
      When Ben records
        | date       | entry   | item | amount | rate |
        | 2024-06-27 | deposit | Cash | 100    | 0.9  |
      Then the commit reports the rates
        | from | to  | rate | source   |
        | USD  | EUR | 0.9  | explicit |
      When the European Central Bank works again
      And Ben records
        | date       | entry   | item | amount  |
        | 2024-06-28 | deposit | Cash | 1070.50 |
      Then the balance of Ben's "Cash" is 1170.50 USD

      Examples:
        | outage                        |
        | an error 500                  |
        | a page of HTML                |
        | an answer that takes too long |

  @FX-009 @isolated @needs-control
  Rule: The rate of a committed row does not change afterwards

    Scenario: The bank restates a rate that a row was recorded with
      Given it is 2026-10-29 23:50:00 UTC
      And Ben keeps a book in AUD with the items
        | item    | kind | currency |
        | Dollars | cash | USD      |
        | Home    | cash | AUD      |
      And Ben has recorded
        | date       | entry   | item    | amount |
        | 2024-06-28 | deposit | Dollars | 100    |
      And Ben has recorded "the rest"
        | date       | entry   | item | amount |
        | 2024-06-28 | deposit | Home | 5      |
      When the European Central Bank begins to answer with restated rates
      And it is 2026-11-02 12:00:00 UTC
      And Ben undoes "the rest"
      Then Ben's "Dollars" keeps the rates
        | from | to  | rate                   | date       | source |
        | USD  | AUD | ≈ 1.502008407286314806 | 2024-06-28 | ecb    |
      When Ben previews
        | date       | entry   | item    | amount |
        | 2024-06-28 | deposit | Dollars | 100    |
      Then the preview reports the rates
        | from | to  | rate                   | date       | source |
        | USD  | AUD | ≈ 1.048543426222844497 | 2024-06-28 | ecb    |
