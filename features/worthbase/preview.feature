Feature: A preview shows what a batch would do, and writes nothing

  Every write is a batch. An agent records rows, shows the preview to the person, and commits only after a yes. The preview
  must therefore tell the whole truth about the batch and leave no trace of its own.
  Source: Worthbase MCP page, "How do writes work: preview, commit, undo?".

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind     |
      | Cash | cash     |
      | Acme | security |

  @PREVIEW-001
  Rule: However often a batch is previewed, nothing that any tool can read changes

    Scenario: Twenty previews of one batch leave no trace, and the commit of the last one does
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 500.00 |
      And she has noted down every figure
      And the next batch opens the account "Broker" of kind brokerage
      And Ada's next batch opens the items
        | item | kind     | account |
        | Bolt | security | Broker  |
        | Till | cash     |         |
        | Home | property |         |
      When she previews 20 times
        | date       | entry     | item | to item | units | amount    |
        | 2024-01-10 | buy       | Bolt |         | 10    | 100.00    |
        | 2024-01-11 | transfer  | Cash | Till    |       | 50.00     |
        | 2024-01-12 | valuation | Home |         |       | 350000.00 |
        | 2024-01-12 | price     | Bolt |         |       | 12.50     |
        | 2024-01-12 | check     | Bolt |         | 10    |           |
      Then every preview has an id of its own
      And nothing has changed
      When she commits the preview
      Then the book has changed

  @PREVIEW-002
  Rule: A preview shows the net worth before, after and the change, each with its currency

    Scenario: A deposit of 40.25 into a book holding 100.00
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 100.00 |
      When she previews
        | date       | entry   | item | amount |
        | 2024-02-01 | deposit | Cash | 40.25  |
      Then the preview shows net worth going from 100.00 to 140.25 USD, a change of 40.25
      And Ada's net worth is 100.00 USD
      When she commits the preview
      Then Ada's net worth is 140.25 USD

    Scenario: A withdrawal shows a change below zero
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 100.00 |
      When she previews
        | date       | entry      | item | amount |
        | 2024-02-01 | withdrawal | Cash | 30.00  |
      Then the preview shows net worth going from 100.00 to 70.00 USD, a change of -30.00

  @PREVIEW-003 @COMMIT-002
  Rule: Every row handed in stands in the preview once, as new, duplicate or conflict, and what is stored is what was shown

    Scenario: Three new rows, two that are known and one that is known with another amount
      Given Ada has recorded
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 10.00  | A-1       |
        | 2024-01-03 | deposit | Cash | 20.00  | A-2       |
        | 2024-01-04 | deposit | Cash | 30.00  | A-3       |
      When she previews
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 10.00  | A-1       |
        | 2024-01-05 | deposit | Cash | 1.00   | A-4       |
        | 2024-01-03 | deposit | Cash | 20.00  | A-2       |
        | 2024-01-06 | deposit | Cash | 2.00   | A-5       |
        | 2024-01-04 | deposit | Cash | 31.00  | A-3       |
        | 2024-01-07 | deposit | Cash | 3.00   | A-6       |
      Then the preview counts 3 new, 2 duplicate and 1 conflicting rows
      And the preview lists the rows
        | list         | row | class     | reference | differs in |
        | transactions | 0   | duplicate | A-1       |            |
        | transactions | 1   | new       | A-4       |            |
        | transactions | 2   | duplicate | A-2       |            |
        | transactions | 3   | new       | A-5       |            |
        | transactions | 4   | conflict  | A-3       | amount     |
        | transactions | 5   | new       | A-6       |            |
      When she commits the preview
      Then the commit did what the preview showed
      And Ada's "Cash" has the transactions
        | date       | amount | reference |
        | 2024-01-02 | 10.00  | A-1       |
        | 2024-01-03 | 20.00  | A-2       |
        | 2024-01-04 | 30.00  | A-3       |
        | 2024-01-05 | 1.00   | A-4       |
        | 2024-01-06 | 2.00   | A-5       |
        | 2024-01-07 | 3.00   | A-6       |

  @PREVIEW-004 @ITEM-004
  Rule: One batch may hold accounts, items, transactions, transfers, valuations, prices and checks together

    Scenario: A first statement opens its account and its items and fills them, as one batch
      Given the next batch opens the account "Broker" of kind brokerage
      And Ada's next batch opens the items
        | item | kind     | account |
        | Bolt | security | Broker  |
        | Till | cash     | Broker  |
      When she previews
        | date       | entry     | item | to item | units | amount |
        | 2024-01-10 | buy       | Bolt |         | 10    | 100.00 |
        | 2024-01-10 | deposit   | Till |         |       | 80.00  |
        | 2024-01-11 | transfer  | Till | Cash    |       | 50.00  |
        | 2024-01-12 | valuation | Till |         |       | 31.00  |
        | 2024-01-12 | price     | Bolt |         |       | 12.50  |
        | 2024-01-12 | check     | Bolt |         | 10    |        |
      Then the preview announces
        | kind    | name   |
        | account | Broker |
        | item    | Bolt   |
        | item    | Till   |
      When she commits the preview
      Then Ada's "Bolt" has
        | transactions | prices | checks |
        | 1            | 1      | 1      |
      And Ada's "Till" has
        | transactions | transfers | valuations |
        | 1            | 1         | 1          |
      And every row of Ada's "Bolt" belongs to that one batch
      And every row of Ada's "Till" belongs to that one batch
      And Ada's overview counts 1 account and 4 items

  @PREVIEW-005 @PREVIEW-006 @ERR-007
  Rule: The preview announces the ids of new accounts and items, which exist from the commit on and not before

    Scenario: Announced ids are unknown until the commit and right after it
      Given the next batch opens the account "Bank" of kind bank
      And Ada's next batch opens the items
        | item    | kind | account |
        | Savings | cash | Bank    |
        | Wallet  | cash |         |
      When she previews
        | date       | entry   | item    | amount |
        | 2024-01-02 | deposit | Savings | 70.00  |
      Then the preview announces
        | kind    | name    |
        | account | Bank    |
        | item    | Savings |
        | item    | Wallet  |
      And Ada finds nothing under the announced ids
      When she commits the preview
      Then the commit did what the preview showed
      And Ada finds the items under the announced ids
      And Ada's "Savings" has the transactions
        | date       | entry   | amount |
        | 2024-01-02 | deposit | 70.00  |
      And Ada's "Wallet" has 0 transactions

  @PREVIEW-009
  Rule: A preview sees the committed ledger only, not other open previews

    Scenario: Units that only another preview would buy cannot be sold
      Given Ada has previewed "the buy"
        | date       | entry | item | units | amount  |
        | 2024-01-10 | buy   | Acme | 10    | 1000.00 |
      When she tries to preview
        | date       | entry | item | units | amount  |
        | 2024-02-10 | sell  | Acme | 10    | 1100.00 |
      Then she is refused with "oversell"
      And nothing has changed
      When she commits "the buy"
      And she previews
        | date       | entry | item | units | amount  |
        | 2024-02-10 | sell  | Acme | 10    | 1100.00 |
      Then the preview counts 1 new, 0 duplicate and 0 conflicting rows

  @PREVIEW-010
  Rule: One bad row refuses the whole batch and is named by its place

    Scenario: The fourth of five rows has units that are no number
      When Ada tries to preview
        | date       | entry | item | units | amount |
        | 2024-01-10 | buy   | Acme | 1     | 10.00  |
        | 2024-01-11 | buy   | Acme | 2     | 20.00  |
        | 2024-01-12 | buy   | Acme | 3     | 30.00  |
        | 2024-01-13 | buy   | Acme | abc   | 40.00  |
        | 2024-01-14 | buy   | Acme | 5     | 50.00  |
      Then she is refused with "invalid_decimal"
      And the refusal points at "transactions[3].units"
      And nothing has changed
      When she records
        | date       | entry | item | units | amount |
        | 2024-01-10 | buy   | Acme | 1     | 10.00  |
        | 2024-01-11 | buy   | Acme | 2     | 20.00  |
        | 2024-01-12 | buy   | Acme | 3     | 30.00  |
        | 2024-01-13 | buy   | Acme | 4     | 40.00  |
        | 2024-01-14 | buy   | Acme | 5     | 50.00  |
      Then Ada's "Acme" holds 15 units at a cost of 150.00 USD

  @PREVIEW-012
  Rule: A preview carries warnings apart from refusals and stays committable with them

    Scenario: Withdrawing more than the balance is warned about and can be committed
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 100.00 |
      When she previews
        | date       | entry      | item | amount |
        | 2024-02-01 | withdrawal | Cash | 150.00 |
      Then the preview warns of "negative_balance" on row 0 of the transactions
      When she commits the preview
      Then the balance of Ada's "Cash" is -50.00 USD

    Scenario: Withdrawing less than the balance is not warned about
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 100.00 |
      When she previews
        | date       | entry      | item | amount |
        | 2024-02-01 | withdrawal | Cash | 50.00  |
      Then the preview warns of nothing

  @PREVIEW-013 @LOT-015
  Rule: A backdated buy re-matches earlier sales, and the preview says which gains change

    Scenario: An older lot turns a gain of 50 into one of 75
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-02-01 | buy   | Acme | 10    | 100    |
        | 2024-03-01 | sell  | Acme | 5     | 100    |
      When she previews
        | date       | entry | item | units | amount |
        | 2024-01-01 | buy   | Acme | 10    | 50     |
      Then she is warned that the gain of the sale of 2024-03-01 on "Acme" changes from 50 to 75
      When she commits the preview
      Then Ada's "Acme" has the sales
        | date       | gain |
        | 2024-03-01 | 75   |
      And Ada's "Acme" has the open lots
        | acquired on | units | cost base |
        | 2024-01-01  | 5     | 25        |
        | 2024-02-01  | 10    | 100       |

  @PREVIEW-015
  Rule: Previewing the same input twice on the same ledger gives the same answer

    Scenario: Only ids and times differ between two previews of one batch
      Given Ada has previewed
        | date       | entry   | item | units | amount |
        | 2024-01-10 | buy     | Acme | 10    | 100.00 |
        | 2024-01-10 | deposit | Cash |       | 80.00  |
      When she previews the same batch again
      Then both previews say the same

  @contract @PREVIEW-016
  Rule: An empty batch is refused

    Scenario: A batch without rows is refused, and one price is enough
      When Ada tries to preview an empty batch
      Then she is refused with "invalid_input"
      And nothing has changed
      When Ada tries to preview a batch of empty lists
      Then she is refused with "invalid_input"
      And nothing has changed
      When she previews
        | date       | entry | item | amount |
        | 2024-01-10 | price | Acme | 12.50  |
      Then the preview counts 1 new, 0 duplicate and 0 conflicting rows

  @PREVIEW-007
  Rule: An id announced by a preview is unknown to every tool until the commit

    Scenario: A security that is only announced
      Given Ada's book holds the items
        | item | kind |
        | Loan | loan |
      And Ada's next batch opens the items
        | item | kind     |
        | Bolt | security |
      When she previews
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Bolt | 10    | 100    |
        | 2024-01-02 | price | Bolt |       | 10     |
      And she tries every tool on the announced item, beside the loan "Loan"
      Then each of these tools refuses it like an id that was never given out
      And nothing has changed
      When she commits the preview
      Then every tool takes Ada's "Bolt", beside the loan "Loan"

  @PREVIEW-011
  Rule: Recording at once gives the same result as preview and commit

    Scenario: Two books of equal content, and a switch in quotes
      Given Ben keeps a book in USD with the items
        | item | kind     |
        | Cash | cash     |
        | Acme | security |
      When Ada records
        | date       | entry   | item | units | amount |
        | 2024-01-02 | buy     | Acme | 10    | 100    |
        | 2024-01-02 | price   | Acme |       | 12     |
        | 2024-01-03 | deposit | Cash |       | 7.50   |
      Then the commit shows net worth going from 0 to 127.5 USD, a change of 127.5
      And the commit counts 3 new, 0 duplicate and 0 conflicting rows
      When Ben records at once
        | date       | entry   | item | units | amount |
        | 2024-01-02 | buy     | Acme | 10    | 100    |
        | 2024-01-02 | price   | Acme |       | 12     |
        | 2024-01-03 | deposit | Cash |       | 7.50   |
      Then the commit shows net worth going from 0 to 127.5 USD, a change of 127.5
      And the commit counts 3 new, 0 duplicate and 0 conflicting rows
      And the answer is no preview
      And the batch is listed once, as written by Ben
      And Ben's figures on 2024-01-31 are
        | assets | net worth | cash |
        | 127.5  | 127.5     | 7.5  |
      When Ben tries to record a deposit into "Cash" with dry_run false
      Then Ben is refused with "invalid_input"
      And nothing has changed

  @contract @isolated @needs-control @PREVIEW-014
  Rule: The preview states when it expires, thirty minutes after it was made, and nothing prolongs that

    Scenario: Of two previews the later one still commits
      Given Ben is an editor of Ada's book
      When Ada previews "the first"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 1      |
      Then the preview ends 30 minutes from now
      When 10 minutes pass
      And Ada previews "the second"
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 2      |
      Then the preview ends 30 minutes from now
      When 19 minutes pass
      And Ben tries to commit "the first"
      Then Ben is refused with "preview_not_found"
      When Ada previews
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 1      |
      And 2 minutes pass
      And Ada tries to commit "the first"
      Then Ada is refused with "preview_expired"
      And nothing has changed
      When Ada commits "the second"
      Then the balance of Ada's "Cash" is 2 USD

  @contract @PREVIEW-018
  Rule: Rows refer to records of the same batch by key, and a key is resolved inside that batch only

    Scenario Outline: <what>
      Given Ada's next batch opens the items
        | item | kind |
        | Till | cash |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Till | 1      |
      When she tries to preview
        | date       | entry   | item  | amount |
        | 2024-01-03 | deposit | <key> | 2      |
      Then she is refused with "not_found"
      And the refusal points at "transactions[0].item"
      And nothing has changed
      When she records
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Till | 2      |
      Then the balance of Ada's "Till" is 3 USD

      Examples:
        | what                        | key         |
        | The key of an earlier batch | key-1       |
        | A key that nobody defined   | no-such-key |

    Scenario: A key that is defined twice
      When Ada tries to open two items under one key
      Then she is refused with "invalid_input"
      And the refusal points at "items[1].key"
      And nothing has changed

  @contract @PREVIEW-017
  Rule: A batch holds at most 10,000 rows

    Scenario: One row too many, and ten
      When Ada tries to preview 10001 deposits of 0.01 into "Cash"
      Then she is refused with "invalid_input"
      And nothing has changed
      When Ada previews 10 deposits of 0.01 into "Cash"
      Then the preview counts 10 new, 0 duplicate and 0 conflicting rows

    @heavy
    Scenario: Ten thousand cents, and one more
      When Ada tries to preview 10001 deposits of 0.01 into "Cash"
      Then she is refused with "invalid_input"
      And nothing has changed
      When Ada previews 10000 deposits of 0.01 into "Cash"
      Then the preview counts 10000 new, 0 duplicate and 0 conflicting rows
      When she commits the preview
      Then the balance of Ada's "Cash" is 100.00 USD
