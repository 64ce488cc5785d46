Feature: Void takes out single rows, and only where the ledger still replays without them

  Undo takes back a whole batch; void takes out the rows it names. Both are batches or marks of their own and delete nothing.
  Source: Worthbase MCP page, write tools (void).

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind     |
      | Cash | cash     |
      | Acme | security |
      | Home | property |

  @VOID-001
  Rule: void removes the named transactions, valuations or prices and nothing else

    Scenario: One deposit of three, one valuation and one price go; their neighbours stay
      Given Ada has recorded
        | date       | entry     | item | units | amount |
        | 2024-01-02 | deposit   | Cash |       | 10     |
        | 2024-01-03 | deposit   | Cash |       | 20     |
        | 2024-01-04 | deposit   | Cash |       | 40     |
        | 2024-01-02 | buy       | Acme | 5     | 50     |
        | 2024-01-05 | price     | Acme |       | 11     |
        | 2024-01-06 | price     | Acme |       | 99     |
        | 2024-01-05 | valuation | Home |       | 1000   |
        | 2024-01-06 | valuation | Home |       | 9000   |
      When she voids
        | date       | entry     | item |
        | 2024-01-03 | deposit   | Cash |
        | 2024-01-06 | price     | Acme |
        | 2024-01-06 | valuation | Home |
      Then the void shows net worth going from 9565 to 1105 USD, a change of -8460
      And Ada's breakdown by item on 2024-02-01 is
        | name | side  | value |
        | Cash | asset | 50    |
        | Acme | asset | 55    |
        | Home | asset | 1000  |
      And Ada's "Cash" has the transactions
        | date       | amount |
        | 2024-01-02 | 10     |
        | 2024-01-04 | 40     |

  @VOID-002
  Rule: void is refused when the ledger would not replay without the row

    Scenario: The buy behind a sale cannot be voided alone
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 4     | 500    |
      When she tries to void
        | date       | entry | item |
        | 2024-01-02 | buy   | Acme |
      Then she is refused with "would_not_replay"
      And the refusal names the "sell" of 2024-02-02 on Ada's "Acme"
      And nothing has changed
      When she voids
        | date       | entry | item |
        | 2024-01-02 | buy   | Acme |
        | 2024-02-02 | sell  | Acme |
      Then Ada's "Acme" holds 0 units at a cost of 0 USD
      And Ada's "Acme" has 0 transactions
