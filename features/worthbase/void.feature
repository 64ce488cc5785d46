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

  @VOID-007
  Rule: Rows that need each other can be voided together

    Scenario: The buy goes with the sale that needs it
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 4     | 500    |
      When she voids
        | date       | entry | item |
        | 2024-01-02 | buy   | Acme |
        | 2024-02-02 | sell  | Acme |
      Then Ada's "Acme" holds 0 units at a cost of 0 USD
      And Ada's "Acme" has 0 transactions

  @VOID-003 @VOID-011
  Rule: A void can be undone, and what it took away comes back with its id, digit for digit

    Scenario: A buy with everything, a price, a valuation and a sale of a named lot
      Given Ada has recorded
        | date       | entry     | item | units      | amount | fees | currency | rate | reference | note               |
        | 2024-01-05 | buy       | Acme | 0.00350000 | 10.50  | 0.10 | EUR      | 1.10 | ORD-1     | first wage of 2024 |
        | 2024-01-06 | price     | Acme |            | 12.50  |      |          |      | P-1       |                    |
        | 2024-01-06 | valuation | Home |            | 9000.0 |      |          |      | V-1       |                    |
      And Ada has recorded
        | date       | entry | item | units      | amount | lots                     |
        | 2024-02-05 | sell  | Acme | 0.00150000 | 6.00   | 0.00150000 of 2024-01-05 |
      And Ada has noted down every figure
      When she voids
        | date       | entry     | item |
        | 2024-02-05 | sell      | Acme |
        | 2024-01-05 | buy       | Acme |
        | 2024-01-06 | price     | Acme |
        | 2024-01-06 | valuation | Home |
      And that batch is called "the void"
      Then Ada's "Acme" has 0 transactions
      When she undoes "the void"
      Then every figure is as noted down

  @VOID-004
  Rule: After voiding a price or a value the earlier one counts again, and without any the value is missing, not zero

    Scenario: A price of February goes, then that of January
      Given Ada has recorded
        | date       | entry     | item | units | amount |
        | 2024-01-02 | buy       | Acme | 5     | 40     |
        | 2024-01-31 | price     | Acme |       | 10     |
        | 2024-02-29 | price     | Acme |       | 12     |
        | 2024-01-31 | valuation | Home |       | 1000   |
        | 2024-02-29 | valuation | Home |       | 1200   |
      When she voids
        | date       | entry     | item |
        | 2024-02-29 | price     | Acme |
        | 2024-02-29 | valuation | Home |
      Then Ada's breakdown by item on 2024-03-31 is
        | name | value | price date | value date |
        | Acme | 50    | 2024-01-31 | 2024-01-31 |
        | Home | 1000  |            | 2024-01-31 |
      When she voids
        | date       | entry | item |
        | 2024-01-31 | price | Acme |
      Then "Acme" is missing from Ada's net worth on 2024-03-31

  @contract @needs-control @VOID-005
  Rule: One unknown id refuses the whole call

    Scenario Outline: A good deposit together with <what>
      Given Ben keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ben has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 7      |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 10     |
      When Ada tries to void, together with <what>,
        | date       | entry   | item |
        | 2024-01-02 | deposit | Cash |
      Then she is refused with "<code>"
      And the refusal points at "transactions[1]"
      And nothing has changed
      When she voids
        | date       | entry   | item |
        | 2024-01-02 | deposit | Cash |
      Then Ada's "Cash" has 0 transactions

      Examples:
        | what                          | code          |
        | a row that never was          | not_found     |
        | a row of Ben's "Cash"         | not_found     |
        | the item "Cash" itself        | invalid_input |

  @contract @VOID-006
  Rule: A voided row cannot be voided again

    Scenario: A second void, and one row named twice
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 10     |
        | 2024-01-03 | deposit | Cash | 20     |
      When she voids
        | date       | entry   | item |
        | 2024-01-02 | deposit | Cash |
      And she tries to void the same rows again
      Then she is refused with "not_found"
      And nothing has changed
      When she voids
        | date       | entry   | item |
        | 2024-01-03 | deposit | Cash |
        | 2024-01-03 | deposit | Cash |
      Then the void shows net worth going from 20 to 0 USD, a change of -20
      And Ada's book lists 4 batches

  @contract @VOID-009
  Rule: Undoing a void whose row's batch was undone meanwhile brings no row back

    Scenario: The deposit is voided, its batch undone, and then the void
      Given Ada has recorded "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 10     |
      When she voids
        | date       | entry   | item |
        | 2024-01-02 | deposit | Cash |
      And that batch is called "the void"
      And she undoes "the deposit"
      And she undoes "the void"
      Then Ada's "Cash" has 0 transactions
      And Ada's net worth is 0 USD

    Scenario: The deposit is voided, and the void alone undone
      Given Ada has recorded "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 10     |
      When she voids
        | date       | entry   | item |
        | 2024-01-02 | deposit | Cash |
      And that batch is called "the void"
      And she undoes "the void"
      Then the balance of Ada's "Cash" is 10 USD

  @VOID-010
  Rule: void answers with net worth before and after, and is a batch with provenance

    Scenario: A deposit of 40 of 100 goes
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 60     |
        | 2024-01-03 | deposit | Cash | 40     |
      When she voids
        | date       | entry   | item |
        | 2024-01-03 | deposit | Cash |
      Then the void shows net worth going from 100 to 60 USD, a change of -40
      And the batch is listed once, as written by Ada
      And Ada's book lists the batches, newest first
        | tool   | status    | written by | client      |
        | void   | committed | Ada        | this client |
        | record | committed | Ada        | this client |
        | record | committed | Ada        | this client |
