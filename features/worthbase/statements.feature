Feature: A statement goes into the book once

  People hand their agent the files that banks, brokers and exchanges export: with lines before the header and prose after
  the last row, in local formats of dates and numbers, in old encodings. The agent reads the guide that the server offers,
  maps the columns by its aliases, previews one batch for the document and commits it. Every row carries a stable
  reference: the institution's own, or the document's fingerprint with the place of the row. That is what makes importing
  again harmless.

  The totals below were computed from the files with exact fractions, first in first out, by a program that knows no
  ledger. Units and balances agree to the last digit, cost and gain to the cent.

  Out of scope: figures inside PDF files and pictures, which an agent reads by other means.

  @ITEM-004
  Rule: An import opens the account and its items and records every row, and the book then agrees with the statement

    Scenario: A US broker's history: thousands in quotes, fees in two columns, a disclaimer at the end
      Given Ada keeps a book in USD
      When she has "us-broker-history-2024.csv" imported into the brokerage account "Broker" in USD
      Then the commit counts 25 new, 0 duplicate and 0 conflicting rows
      And Ada's book agrees with the statement
        | item        | units  | cost base | gain    | balance   |
        | VTI         | 52.185 | 12,509.69 | 0.00    |           |
        | AAPL        | 15.039 | 2,619.61  | -503.11 |           |
        | MSFT        | 3.125  | 1,234.43  | 417.12  |           |
        | SCHD        | 0      | 0.00      | 33.40   |           |
        | KO          | 0      | 0.00      | 162.96  |           |
        | Broker cash |        |           |         | 10,401.89 |

    Scenario: A German bank's account: Windows-1252, semicolons, decimal comma
      Given Ada keeps a book in EUR
      When she has "german-bank-2024-h1.csv" imported into the bank account "Girokonto" in EUR
      Then the commit counts 40 new, 0 duplicate and 0 conflicting rows
      And Ada's book agrees with the statement
        | item           | balance   |
        | Girokonto cash | 12,828.96 |

    Scenario: A Nubank statement: day before month, the sign tells money in from money out
      Given Ada keeps a book in BRL
      When she has "nubank-2026-05.csv" imported into the bank account "Nubank" in BRL
      Then the commit counts 48 new, 0 duplicate and 0 conflicting rows
      And Ada's book agrees with the statement
        | item        | balance   |
        | Nubank cash | -3,655.32 |

    @rev-2026-07-28
    Scenario: A crypto exchange's export: 1,000 rows, units with 18 decimals
      Given Ada keeps a book in USD
      When she has "crypto-exchange-1000.csv" imported into the exchange account "Exchange" in USD
      Then the commit counts 1000 new, 0 duplicate and 0 conflicting rows
      And Ada's book agrees with the statement
        | item | units                 | cost base | gain       |
        | ETH  | 0.606532184246985706  | 1,233.23  | 1,688.44   |
        | LINK | 26.442348151079108494 | 264.24    | -436.10    |
        | BTC  | 1.79357123            | 55,910.54 | -13,942.55 |

  @IMPORT-016
  Rule: Importing the same file again changes no figure: every row is a duplicate

    Scenario Outline: All <rows> rows of <file> are known the second time
      Given Ada keeps a book in <currency>
      And she has had "<file>" imported into the <kind> account "<account>" in <currency>
      And she has noted down every figure
      When she has the same file imported again
      Then the preview counts 0 new, <rows> duplicate and 0 conflicting rows
      And every figure is as noted down

      Examples:
        | file                       | kind      | account   | currency | rows |
        | us-broker-history-2024.csv | brokerage | Broker    | USD      | 25   |
        | german-bank-2024-h1.csv    | bank      | Girokonto | EUR      | 40   |
        | nubank-2026-05.csv         | bank      | Nubank    | BRL      | 48   |

      @rev-2026-07-28
      Examples: A thousand rows
        | file                     | kind     | account  | currency | rows |
        | crypto-exchange-1000.csv | exchange | Exchange | USD      | 1000 |

  @IMPORT-002
  Rule: One changed amount is one conflict: it is shown, nothing is overwritten and nothing is lost

    Scenario Outline: A corrected copy of <file> says <after> instead of <before>
      Given Ada keeps a book in <currency>
      And she has had "<file>" imported into the <kind> account "<account>" in <currency>
      And she has noted down every figure
      When she has a corrected copy imported in which line <line> says "<after>" instead of "<before>"
      Then the preview counts 0 new, <known> duplicate and 1 conflicting row
      And the conflict shows "amount" stored as "<stored>" and offered as "<offered>"
      And every figure is as noted down

      Examples:
        | file                       | kind      | account   | currency | known | line | before     | after      | stored    | offered   |
        | us-broker-history-2024.csv | brokerage | Broker    | USD      | 24    | 14   | 5,904.28   | 5,914.28   | 5909.40   | 5919.40   |
        | german-bank-2024-h1.csv    | bank      | Girokonto | EUR      | 39    | 15   | -4,90      | -5,90      | 4.90      | 5.90      |
        | nubank-2026-05.csv         | bank      | Nubank    | BRL      | 47    | 31   | 320.50     | 325.50     | 320.50    | 325.50    |

      @rev-2026-07-28
      Examples: A thousand rows
        | file                     | kind     | account  | currency | known | line | before     | after      | stored    | offered   |
        | crypto-exchange-1000.csv | exchange | Exchange | USD      | 999   | 428  | $167.86862 | $168.86862 | 167.86862 | 168.86862 |

  @IMPORT-013
  Rule: Overlapping statements add only the rows that are new

    Scenario: The middle of the month is exported twice
      Given Ada keeps a book in BRL
      And she has had rows 1 to 30 of "nubank-2026-05.csv" imported into the bank account "Nubank" in BRL
      When she has rows 21 to 48 of "nubank-2026-05.csv" imported into the bank account "Nubank" in BRL
      Then the commit counts 18 new, 10 duplicate and 0 conflicting rows
      And Ada's book agrees with the statement
        | item        | balance   |
        | Nubank cash | -3,655.32 |

  @IMPORT-012
  Rule: Neither the order of the rows nor the name of the file matters to a stable reference

    Scenario: The same rows, last day first, in a file with another name
      Given Ada keeps a book in BRL
      And she has had "nubank-2026-05.csv" imported into the bank account "Nubank" in BRL
      And she has noted down every figure
      When she has the same rows imported in the opposite order from a file "extrato.csv"
      Then the preview counts 0 new, 48 duplicate and 0 conflicting rows
      And every figure is as noted down

  @IMPORT-011
  Rule: References of one book mean nothing in another

    Scenario: One file goes into two books
      Given Ada keeps a book named "Private" in BRL
      And she has had "nubank-2026-05.csv" imported into the bank account "Nubank" in BRL
      And she keeps a book named "Shop" in BRL
      When she has "nubank-2026-05.csv" imported into the bank account "Nubank" in BRL
      Then the commit counts 48 new, 0 duplicate and 0 conflicting rows

  @BATCH-001
  Rule: A batch names the document it came from

    Scenario: The file's name and fingerprint are kept with the batch
      Given Ada keeps a book in EUR
      When she has "german-bank-2024-h1.csv" imported into the bank account "Girokonto" in EUR
      Then Ada's last batch names the file and its fingerprint
