Feature: Undo takes back a whole batch, or says why it cannot

  Undo replays the ledger without the batch. There is no force option: what later rows need stays until they are gone.
  Source: Worthbase MCP page, "How do writes work: preview, commit, undo?" (safe undo).

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind     |
      | Cash | cash     |
      | Acme | security |
      | Home | property |

  @UNDO-001 @UNDO-017 @ERR-006
  Rule: Without further argument undo only shows what would go, with net worth before and after

    Scenario: What undoing a first statement would remove
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-01 | deposit | Cash | 100    |
      And Ada's next batch opens the items
        | item | kind     |
        | Bolt | security |
      And she has recorded "the statement"
        | date       | entry     | item | units | amount |
        | 2024-01-02 | buy       | Bolt | 10    | 1000   |
        | 2024-01-02 | valuation | Home |       | 350000 |
        | 2024-01-03 | price     | Bolt |       | 100    |
      When she asks what undoing "the statement" would do
      Then the undo shows net worth going from 351100 to 100 USD, a change of -351000
      And the undo lists what goes
        | kind        | number |
        | item        | 1      |
        | transaction | 1      |
        | valuation   | 1      |
        | price       | 1      |
      And nothing has changed
      When she undoes "the statement"
      Then the undo shows net worth going from 351100 to 100 USD, a change of -351000
      And Ada's net worth is 100 USD

  @UNDO-002
  Rule: Carried out, undo gives back every figure as it was before the batch, digit for digit

    Scenario: A batch over three items on three days is taken back
      Given Ada has recorded
        | date       | entry     | item | units      | amount    |
        | 2024-01-02 | deposit   | Cash |            | 500.00    |
        | 2024-01-03 | buy       | Acme | 0.00350000 | 100.10    |
        | 2024-01-04 | valuation | Home |            | 350000.00 |
        | 2024-01-31 | price     | Acme |            | 12.50     |
      And she has noted down every figure
      When she records "the month"
        | date       | entry      | item | units      | amount    |
        | 2024-01-02 | withdrawal | Cash |            | 20.00     |
        | 2024-02-01 | sell       | Acme | 0.00150000 | 60.00     |
        | 2024-02-02 | price      | Acme |            | 13.00     |
        | 2024-03-01 | valuation  | Home |            | 360000.00 |
      Then the book has changed
      When she undoes "the month"
      Then every figure is as noted down

  @UNDO-003 @ERR-013
  Rule: undo is refused when a later row needs what it would remove, and then changes nothing

    Scenario: The buy behind a sale cannot be undone before the sale
      Given Ada has recorded "the buy"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      And she has recorded "the sale"
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 10    | 1100   |
      When she tries to ask what undoing "the buy" would do
      Then she is refused with "would_not_replay"
      And the refusal names the "sell" of 2024-02-02 on Ada's "Acme"
      And nothing has changed
      When she tries to undo "the buy"
      Then she is refused with "would_not_replay"
      And the refusal names the "sell" of 2024-02-02 on Ada's "Acme"
      And nothing has changed
      When she undoes "the sale"
      And she undoes "the buy"
      Then Ada's "Acme" holds 0 units at a cost of 0 USD
      And Ada's "Acme" has 0 transactions

    Scenario: An argument that would force the undo is refused
      Given Ada has recorded "the buy"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 10    | 1100   |
      When she tries to force the undo of "the buy"
      Then she is refused with "invalid_input"
      And nothing has changed
      And the tool undo offers Ada no argument "force"

  @UNDO-004
  Rule: undo takes back whole batches, never parts

    Scenario: Two accounts, two items and their rows go together
      Given the next batch opens the account "Broker" of kind brokerage
      And the next batch opens the account "Bank" of kind bank
      And Ada's next batch opens the items
        | item | kind     | account |
        | Bolt | security | Broker  |
        | Till | cash     | Bank    |
      When she records "the statement"
        | date       | entry    | item | to item | units | amount |
        | 2024-01-02 | buy      | Bolt |         | 1     | 10     |
        | 2024-01-03 | buy      | Bolt |         | 2     | 20     |
        | 2024-01-04 | buy      | Acme |         | 3     | 30     |
        | 2024-01-05 | transfer | Till | Cash    |       | 5      |
        | 2024-01-06 | price    | Acme |         |       | 12     |
      Then Ada's overview counts 2 accounts and 5 items
      When she undoes "the statement"
      Then Ada's overview counts 0 accounts and 3 items
      And Ada's book shows no "Bolt"
      And Ada's book shows no "Till"
      And Ada's "Acme" has
        | transactions | prices |
        | 0            | 0      |
      And Ada's "Cash" has
        | transactions | transfers |
        | 0            | 0         |

  @UNDO-005
  Rule: A buy whose units other lots can supply may be undone, and sales are then matched anew

    Scenario: The sale falls back on the dearer lot
      Given Ada has recorded "the cheap buy"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 4     | 40     |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-01-03 | buy   | Acme | 4     | 100    |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 4     | 200    |
      When she asks what undoing "the cheap buy" would do
      Then she is warned that the gain of the sale of 2024-02-02 on "Acme" changes from 160 to 100
      When she undoes "the cheap buy"
      Then Ada's "Acme" has the sales
        | date       | gain |
        | 2024-02-02 | 100  |
      And Ada's "Acme" holds 0 units at a cost of 0 USD

  @UNDO-012
  Rule: Valuations, prices and checks of an undone batch stop counting and the earlier ones count again

    Scenario: The older valuation comes back and the mismatch goes
      Given Ada has recorded
        | date       | entry           | item | amount |
        | 2024-01-01 | opening balance | Home | 90     |
        | 2024-01-01 | valuation       | Home | 100    |
      When she records "the new valuation"
        | date       | entry     | item | amount |
        | 2024-02-01 | valuation | Home | 130    |
        | 2024-02-01 | check     | Home | 150    |
      Then Ada's overview lists the open mismatches
        | item | date       | figure | statement | calculated |
        | Home | 2024-02-01 | value  | 150       | 130        |
      When she undoes "the new valuation"
      Then Ada's list of items shows
        | item | value | cost base | unrealised gain |
        | Home | 100   | 90        | 10              |
        | Cash |       |           |                 |
        | Acme | 0     | 0         | 0               |
      And Ada's overview lists no open mismatch

  @UNDO-013
  Rule: The undo of a split is judged by replay like any other row

    Scenario: A split that a sale needs stays until the sale is undone
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      And she has recorded "the split"
        | date       | entry | item | to | from |
        | 2024-02-01 | split | Acme | 2  | 1    |
      And she has recorded "the sale"
        | date       | entry | item | units | amount |
        | 2024-03-01 | sell  | Acme | 15    | 1100   |
      When she tries to undo "the split"
      Then she is refused with "would_not_replay"
      And the refusal names the "sell" of 2024-03-01 on Ada's "Acme"
      And nothing has changed
      When she undoes "the sale"
      And she undoes "the split"
      Then Ada's "Acme" holds 10 units at a cost of 1000 USD

  @UNDO-014
  Rule: Items created by a batch cannot be undone while other batches have rows on them

    Scenario: The batch that opened an item waits for the rows on it
      Given Ada's next batch opens the items
        | item | kind |
        | Till | cash |
      And she has recorded "the opening"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Till | 5      |
      And she has recorded "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Till | 7      |
      When she tries to undo "the opening"
      Then she is refused with "would_not_replay"
      And nothing has changed
      When she undoes "the deposit"
      And she undoes "the opening"
      Then Ada's book shows no "Till"

  @UNDO-016
  Rule: undo works on the ledger as it is when carried out, not as it was at its preview

    Scenario: A sale that comes between keeps the buy
      Given Ada has recorded "the buy"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      When she asks what undoing "the buy" would do
      And she records "the sale"
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 10    | 1100   |
      And she tries to undo "the buy"
      Then she is refused with "would_not_replay"
      And nothing has changed
      When she undoes "the sale"
      And she undoes "the buy"
      Then Ada's "Acme" has 0 transactions

  @UNDO-018
  Rule: An undone batch stays on the list, marked as undone

    Scenario: The list keeps what was undone
      Given Ada has recorded "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 5      |
      When she undoes "the deposit"
      Then Ada's book lists the batches, newest first
        | tool   | status    | written by | new |
        | record | undone    | Ada        | 1   |
        | record | committed | Ada        | 0   |

  @contract @UNDO-009
  Rule: A batch is undone at most once

    Scenario: The second undo is refused, and another batch can be undone
      Given Ada has recorded "the first"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 5      |
      And she has recorded "the second"
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 7      |
      And she has undone "the first"
      When she tries to undo "the first"
      Then she is refused with "already_undone"
      And nothing has changed
      When she undoes "the second"
      Then Ada's "Cash" has 0 transactions

  @contract @UNDO-011
  Rule: The refusal names the first row that no longer replays: id, date and reason

    Scenario: Of two later sales the earlier one is named
      Given Ada has recorded "the buy"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-03-02 | sell  | Acme | 4     | 500    |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 6     | 700    |
      When she tries to undo "the buy"
      Then she is refused with "would_not_replay"
      And the refusal names the "sell" of 2024-02-02 on Ada's "Acme"
      And the refusal gives the reason "oversell"
      And nothing has changed

  @UNDO-006
  Rule: Updates, owners, links, archives, voids and checks are batches that undo reverses

    Scenario: One after the other is written and undone
      Given Ada's book holds the items
        | item | kind |
        | Loan | loan |
      And Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada has recorded
        | date       | entry           | item | amount |
        | 2024-01-01 | deposit         | Cash | 100    |
        | 2024-01-01 | opening balance | Loan | 40     |
        | 2024-01-01 | valuation       | Home | 500    |
      And Ada has noted down every figure
      When she changes "Cash"
        | name | class  | notes |
        | Till | liquid | b     |
      And that batch is called "the change"
      And she undoes "the change"
      Then every figure is as noted down
      When she splits "Cash" into "Ada 50, Trust 50"
      And that batch is called "the split"
      And she undoes "the split"
      Then every figure is as noted down
      When she links "Loan" to "Home" as "secured by"
      And that batch is called "the link"
      And she undoes "the link"
      Then every figure is as noted down
      When she archives "Home"
      And that batch is called "the archive"
      And she undoes "the archive"
      Then every figure is as noted down
      When she voids
        | date       | entry   | item |
        | 2024-01-01 | deposit | Cash |
      And that batch is called "the void"
      And she undoes "the void"
      Then every figure is as noted down
      When she checks the "value" of "Cash" on 2024-01-31 against 99
      And that batch is called "the check"
      Then Ada's overview lists the open mismatches
        | item | date       | figure | statement | calculated |
        | Cash | 2024-01-31 | value  | 99        | 100        |
      When she undoes "the check"
      Then every figure is as noted down
      When she links "Loan" to "Home" as "secured by"
      And she notes down every figure
      And she unlinks "Loan" from "Home" as "secured by"
      And that batch is called "the removal"
      And she undoes "the removal"
      Then every figure is as noted down

    Scenario: A goal and a loss are set and undone
      When Ada sets the goal "A million"
        | kind      | target  | currency |
        | net worth | 1000000 | USD      |
      And Ada undoes "A million"
      Then Ada has no goal on 2024-06-30
      When Ada tracks the loss "the shop"
        | party | kind     | year | amount | used |
        | Ada   | business | 2021 | 100.00 | 10   |
      And Ada undoes "the shop"
      Then Ada's losses are none

  @UNDO-007 @UNDO-008
  Rule: Undo gives back the former value digit for digit, and an older undo leaves a newer change in force

    Scenario: Notes, names and owners
      Given Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada's book holds the items
        | item  | kind | notes | owners                   |
        | Chest | cash | a     | Ada 33.330, Trust 66.670 |
      When she changes "Chest"
        | notes | name   |
        | b     | Coffer |
      And that batch is called "the first change"
      And she splits "Chest" into "Ada 50.00, Trust 50.00" as a correction
      And that batch is called "the first split"
      And she changes "Chest"
        | name |
        | Safe |
      And that batch is called "the second change"
      And she splits "Chest" into "Ada 10.0, Trust 90.0" as a correction
      And that batch is called "the second split"
      And she undoes "the first change"
      And she undoes "the first split"
      Then Ada's "Chest" is described as
        | name | notes |
        | Safe | a     |
      And Ada's "Chest" is owned by
        | party | percent |
        | Ada   | 10.0    |
        | Trust | 90.0    |
      When she undoes "the second change"
      And she undoes "the second split"
      Then Ada's "Chest" is described as
        | name  | notes |
        | Chest | a     |
      And Ada's "Chest" is owned by
        | party | percent |
        | Ada   | 33.330  |
        | Trust | 66.670  |

    Scenario: What was used of a loss
      Given Ada has tracked the loss "the shop"
        | party | kind     | year | amount | used  |
        | Ada   | business | 2021 | 100.00 | 10.00 |
      When Ada tracks the loss "the shop" as "twelve"
        | used  |
        | 12.00 |
      And Ada tracks the loss "the shop" as "thirteen"
        | used  |
        | 13.00 |
      And Ada undoes "twelve"
      Then Ada's losses are
        | party | used  |
        | Ada   | 13.00 |
      When Ada undoes "thirteen"
      Then Ada's losses are
        | party | used  |
        | Ada   | 10.00 |

  @UNDO-015
  Rule: A row skipped as a duplicate belongs to the batch that stored it

    Scenario: Two files that overlap
      Given Ada has recorded "the first file"
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 10     | R-1       |
      And she has recorded "the second file"
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 10     | R-1       |
        | 2024-01-03 | deposit | Cash | 20     | R-2       |
      When she undoes "the second file"
      Then Ada's "Cash" has the transactions
        | date       | amount | reference |
        | 2024-01-02 | 10     | R-1       |
      When she undoes "the first file"
      Then Ada's "Cash" has 0 transactions
      When she previews
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 10     | R-1       |
        | 2024-01-03 | deposit | Cash | 20     | R-2       |
      Then the preview counts 2 new, 0 duplicate and 0 conflicting rows

  @contract @UNDO-020
  Rule: Parties and accounts cannot be undone while something uses them

    Scenario: A trust that owns half the cash, and a bank that keeps it
      Given Ada has added the party "Trust" of kind trust
      And that batch is called "the trust"
      And Ada has added the account "Bank" of kind bank
      And that batch is called "the bank"
      And Ada has split "Cash" into "Ada 50, Trust 50"
      And that batch is called "the split"
      And Ada has changed "Cash"
        | account |
        | Bank    |
      And that batch is called "the move"
      When she tries to undo "the trust"
      Then she is refused with "would_not_replay"
      And nothing has changed
      When she tries to undo "the bank"
      Then she is refused with "would_not_replay"
      And nothing has changed
      When she undoes "the split"
      And she undoes "the trust"
      And she undoes "the move"
      And she undoes "the bank"
      Then Ada's overview lists the parties
        | party | kind       |
        | Ada   | individual |
      And Ada's overview counts 0 accounts and 3 items

  @contract @needs-control @UNDO-010
  Rule: Unknown and foreign batch ids are refused alike, asked about or carried out

    Scenario Outline: The <id> of Ben's book
      Given Ben keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ben has recorded "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 5      |
      When Ada tries to use the "<id>" of Ben's book
      Then she is refused with "not_found"
      And the refusal reads like that of an id never given out
      And nothing has changed
      When Ben undoes "the deposit"
      Then Ben's "Cash" has 0 transactions

      Examples:
        | id                 |
        | batch to undo      |
        | batch to ask about |

  @UNDO-019 @isolated @needs-control
  Rule: An undo is exact although the rates and the day have changed since the commit

    Scenario: The bank restates its rates between a commit and its undo
      Given it is 2026-10-29 23:50:00 UTC
      And Ben keeps a book in AUD with the items
        | item    | kind     | currency |
        | Dollars | cash     | USD      |
        | Fund    | security | USD      |
      And Ben has recorded
        | date       | entry   | item    | units | amount |
        | 2024-06-28 | deposit | Dollars |       | 100    |
        | 2024-06-28 | buy     | Fund    | 10    | 50     |
      And Ben has recorded "the rest"
        | date       | entry   | item    | units | amount |
        | 2024-06-28 | deposit | Dollars |       | 50     |
        | 2024-06-28 | buy     | Fund    | 10    | 70     |
      When the European Central Bank begins to answer with restated rates
      And it is 2026-11-02 12:00:00 UTC
      And Ben undoes "the rest"
      Then the balance of Ben's "Dollars" is 100 USD
      And Ben's "Dollars" keeps the rates
        | from | to  | rate                   | date       | source |
        | USD  | AUD | ≈ 1.502008407286314806 | 2024-06-28 | ecb    |
      And Ben's "Fund" holds 10 units at a cost of 50 USD
      And Ben's "Fund" keeps the rates
        | from | to  | rate                   | date       | source |
        | USD  | AUD | ≈ 1.502008407286314806 | 2024-06-28 | ecb    |
