Feature: One person's share of all their books, and net worth without a date

  Source: Worthbase MCP page, read tools (get_net_worth; with "all" the user's own share over all their workspaces) and "How
  does authentication work?" (a workspace needs an active trial or subscription).

  @NW-010
  Rule: "All" gives the user's own share over all their workspaces

    Scenario: A quarter of one book, all the cash and half the loan of another
      Given Ada keeps a book in USD
      And Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada's book holds the items
        | item | kind | owners           |
        | Cash | cash | Ada 25, Trust 75 |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 800    |
      And Ben is a viewer of Ada's book
      And Ada has tied Ben to the party "Trust"
      And Ada keeps a book named "Second" in USD
      And Ada's book knows the parties
        | party | kind       |
        | Eve   | individual |
      And Ada's book holds the items
        | item | kind | owners         |
        | Till | cash | Ada 100        |
        | Loan | loan | Ada 50, Eve 50 |
      When Ada records
        | date       | entry           | item | amount |
        | 2024-01-02 | deposit         | Till | 300    |
        | 2024-01-02 | opening balance | Loan | 100    |
      Then Ada's share of all books on 2024-01-31 is
        | assets | liabilities | net worth | currency | partial |
        | 500    | 50          | 450       | USD      | no      |
      And Ben's share of all books on 2024-01-31 is
        | assets | liabilities | net worth | currency |
        | 600    | 0           | 600       | USD      |

  @contract @NW-011
  Rule: "All" converts each workspace into the default workspace's currency at the date, and lists the rates

    Scenario: A book in US dollars, and one in Australian dollars
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 100    |
      And Ada keeps a book named "Second" in AUD
      And Ada's book holds the items
        | item | kind |
        | Till | cash |
      When Ada records
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Till | 1000   |
      Then Ada's share of all books on 2024-06-28 is
        | net worth    | currency |
        | ≈ 765.775235 | USD      |
      And Ada's share of all books on 2024-06-28 comes from
        | book       | included | net worth | currency |
        | Ada's book | yes      | 100       | USD      |
        | Second     | yes      | 1000      | AUD      |
      And Ada's share of all books on 2024-06-28 used the rates
        | from | to  | date       | rate       |
        | AUD  | USD | 2024-06-28 | ≈ 0.665775 |

  @NW-012
  Rule: "All" leaves out, by name, workspaces that may not be read

    Scenario: The subscription of one of two books lapses, and is renewed
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 100    |
      And Ada keeps a book named "Second" in USD
      And Ada's book holds the items
        | item | kind |
        | Till | cash |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Till | 1000   |
      When the subscription of Ada's book becomes "canceled"
      Then Ada's share of all books on 2024-01-31 is
        | net worth | currency |
        | 100       | USD      |
      And Ada's share of all books on 2024-01-31 comes from
        | book       | included | net worth | currency |
        | Ada's book | yes      | 100       | USD      |
        | Second     | no       |           |          |
      When the subscription of Ada's book becomes "active"
      Then Ada's share of all books on 2024-01-31 is
        | net worth | currency |
        | 1100      | USD      |

  @NW-014
  Rule: Cash includes offset accounts, and what is investable is gross of debt

    Scenario: A home, its loan and the offset account of the loan
      Given Ada keeps a book in AUD with the items
        | item   | kind     |
        | Home   | property |
        | Loan   | loan     |
        | Offset | cash     |
      And Ada has linked "Loan" to "Home" as "secured by"
      And she has linked "Offset" to "Loan" as "offset"
      When she records
        | date       | entry           | item   | amount |
        | 2024-01-02 | valuation       | Home   | 700000 |
        | 2024-01-02 | opening balance | Loan   | 200000 |
        | 2024-01-02 | opening balance | Offset | 30000  |
      Then Ada's figures on 2024-01-31 are
        | assets | liabilities | net worth | investable | cash  |
        | 730000 | 200000      | 530000    | 30000      | 30000 |

  @isolated @NW-015
  Rule: Without a date the figure is of today, by the clock of the server

    Scenario: A minute before midnight, and a minute after it
      Given it is 2026-10-31 23:59:00 UTC
      And Ada keeps a book in USD with the items
        | item | kind     |
        | Cash | cash     |
        | Acme | security |
      When she records
        | date       | entry   | item | units | amount |
        | 2026-10-31 | deposit | Cash |       | 100    |
        | 2026-10-31 | buy     | Acme | 1     | 10     |
        | 2026-10-31 | price   | Acme |       | 10     |
        | 2026-11-01 | deposit | Cash |       | 7      |
        | 2026-11-01 | price   | Acme |       | 12     |
      Then Ada's net worth without a date is 110, of 2026-10-31
      When it is 2026-11-01 00:01:00 UTC
      Then Ada's net worth without a date is 119, of 2026-11-01

  @contract @NW-016
  Rule: Impossible dates, and groups and parties that nobody knows, are refused

    Scenario Outline: The <argument> <value>
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-02-29 | deposit | Cash | 100    |
      When she tries to read the net worth with the <argument> "<value>"
      Then she is refused with "<code>"
      And the refusal points at "<argument>"
      And nothing has changed
      And Ada's net worth on 2024-02-29 is 100 USD

      Examples:
        | argument | value                          | code          |
        | date     | 2024-02-30                     | invalid_input |
        | by       | owner                          | invalid_input |
        | party    | pty_00000000000000000000000000 | not_found     |
