Feature: A commit saves what was previewed, once and only if it still holds

  Between preview and commit the ledger may change. The commit must then either do exactly what the person saw, or refuse.
  Source: Worthbase MCP page, "How do writes work: preview, commit, undo?".

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind     |
      | Cash | cash     |
      | Acme | security |

  @COMMIT-001
  Rule: commit saves the previewed batch under one batch id and answers with net worth before and after

    Scenario: A committed deposit is one batch with one row
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 100.00 |
      And she has previewed
        | date       | entry   | item | amount |
        | 2024-02-01 | deposit | Cash | 40.25  |
      When she commits the preview
      Then the commit shows net worth going from 100.00 to 140.25 USD, a change of 40.25
      And the batch is listed once, as written by Ada
      And Ada's "Cash" has the transactions
        | date       | entry   | amount |
        | 2024-01-02 | deposit | 100.00 |
        | 2024-02-01 | deposit | 40.25  |

  @COMMIT-003 @ERR-004
  Rule: A preview is stale when the ledger changed so that the batch now has another result

    Scenario: A backdated buy changes the gain of a previewed sale
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      And she has previewed "the sale"
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 10    | 1100   |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-01-01 | buy   | Acme | 10    | 500    |
      When she tries to commit "the sale"
      Then she is refused with "preview_stale"
      And nothing has changed
      And Ada's "Acme" holds 20 units at a cost of 1500 USD
      When she records
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 10    | 1100   |
      Then Ada's "Acme" has the sales
        | date       | cost base | gain |
        | 2024-02-02 | 500       | 600  |

  @COMMIT-004 @ERR-004
  Rule: A change elsewhere that leaves the result of the batch alone does not make its preview stale

    Scenario: A deposit of 50 moves before and after alike
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 100    |
        | 2024-01-02 | price   | Acme | 110    |
      When she previews "the buy"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      Then the preview shows net worth going from 100 to 1200 USD, a change of 1100
      When she records
        | date       | entry   | item | amount |
        | 2024-01-05 | deposit | Cash | 50     |
      And she commits "the buy"
      Then the commit shows net worth going from 150 to 1250 USD, a change of 1100
      And Ada's "Acme" holds 10 units at a cost of 1000 USD

  @COMMIT-005
  Rule: A preview is stale when one of its new rows has become a duplicate or a conflict

    Scenario Outline: The reference of a previewed buy was recorded meanwhile with <amount>
      Given Ada has previewed "the buy"
        | date       | entry | item | units | amount | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1000   | ORD-1     |
      And she has recorded
        | date       | entry | item | units | amount   | reference |
        | 2024-01-02 | buy   | Acme | 10    | <amount> | ORD-1     |
      When she tries to commit "the buy"
      Then she is refused with "preview_stale"
      And nothing has changed
      And Ada's "Acme" has 1 transaction
      When she previews the same batch again
      Then the preview counts 0 new, <duplicate> duplicate and <conflict> conflicting rows

      Examples:
        | amount | duplicate | conflict |
        | 1000   | 1         | 0        |
        | 1001   | 0         | 1        |

  @COMMIT-009
  Rule: Committing one preview twice never writes twice

    Scenario: The second commit of a deposit adds nothing
      Given Ada has previewed
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 40.25  |
      And she has committed the preview
      When she tries to commit the preview
      Then she is refused with "already_committed"
      And nothing has changed
      And the balance of Ada's "Cash" is 40.25 USD

  @COMMIT-013
  Rule: A stale preview costs nothing, and neither does an expired one

    Scenario: After a stale preview the same rows are new and can be committed
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      And she has previewed "the sale"
        | date       | entry | item | units | amount | reference |
        | 2024-02-02 | sell  | Acme | 10    | 1100   | ORD-9     |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-01-01 | buy   | Acme | 10    | 500    |
      When she tries to commit "the sale"
      Then she is refused with "preview_stale"
      When she previews
        | date       | entry | item | units | amount | reference |
        | 2024-02-02 | sell  | Acme | 10    | 1100   | ORD-9     |
      Then the preview counts 1 new, 0 duplicate and 0 conflicting rows
      When she commits the preview
      Then Ada's "Acme" holds 10 units at a cost of 1000 USD

    @isolated @needs-control
    Scenario: After an expired preview the same rows are new and can be committed
      Given Ada has previewed
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 40.25  | ORD-9     |
      And 31 minutes have passed
      When she tries to commit the preview
      Then she is refused with "preview_expired"
      When she previews the same batch again
      Then the preview counts 1 new, 0 duplicate and 0 conflicting rows
      When she commits the preview
      Then the balance of Ada's "Cash" is 40.25 USD

  @isolated @needs-control @ERR-005
  Rule: A preview can be committed for 30 minutes

    Scenario: After 29 minutes the preview still commits
      Given Ada has previewed
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 40.25  |
      And 29 minutes have passed
      When she commits the preview
      Then the balance of Ada's "Cash" is 40.25 USD

    Scenario: After 31 minutes the preview is refused and nothing is saved
      Given Ada has previewed
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 40.25  |
      And 31 minutes have passed
      When she tries to commit the preview
      Then she is refused with "preview_expired"
      And nothing has changed
      And Ada's "Cash" has 0 transactions

  @COMMIT-014
  Rule: If a commit cannot store everything it stores nothing, and the next small commit works

    Scenario: A sale in the third row became impossible
      Given Ada has recorded "the first buy"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      And Ada's next batch opens the items
        | item | kind |
        | Till | cash |
      And she has previewed "the month"
        | date       | entry   | item | units | amount |
        | 2024-02-01 | deposit | Till |       | 5      |
        | 2024-02-01 | deposit | Cash |       | 7      |
        | 2024-02-02 | sell    | Acme | 10    | 1100   |
        | 2024-02-03 | price   | Acme |       | 110    |
      And she has undone "the first buy"
      When she tries to commit "the month"
      Then she is refused with "preview_stale"
      And nothing has changed
      And Ada's book shows no "Till"
      And Ada's "Cash" has 0 transactions
      When she records
        | date       | entry   | item | amount |
        | 2024-02-01 | deposit | Cash | 7      |
      Then the balance of Ada's "Cash" is 7 USD

  @contract @COMMIT-016
  Rule: commit takes nothing but the id of the preview and the workspace

    Scenario Outline: A commit that also brings <argument> is refused, and the preview stays open
      Given Ada has previewed
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 40.25  |
      When she tries to commit the preview with <argument> beside its id
      Then she is refused with "invalid_input"
      And nothing has changed
      When she commits the preview
      Then the balance of Ada's "Cash" is 40.25 USD

      Examples:
        | argument     |
        | transactions |
        | amount       |
        | dry_run      |
        | force        |

  @COMMIT-006
  Rule: A preview is refused when a record that it needs went away

    Scenario Outline: <what> between preview and commit of its sale
      Given Ada's next batch opens the items
        | item | kind     |
        | Bolt | security |
      And Ada has recorded "the opening"
        | date       | entry | item | units | amount |
        | 2024-01-01 | price | Bolt |       | 100    |
      And Ada has recorded "the buy"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Bolt | 10    | 1000   |
      And Ada has previewed "the sale"
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Bolt | 10    | 1100   |
      When <act>
      And she tries to commit "the sale"
      Then she is refused with "preview_stale"
      And nothing has changed

      Examples:
        | what                | act                     |
        | The buy is undone   | Ada undoes "the buy"    |
        | The item is put away | Ada archives "Bolt"    |

    Scenario: The buy is voided, then everything is undone
      Given Ada's next batch opens the items
        | item | kind     |
        | Bolt | security |
      And Ada has recorded "the opening"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Bolt | 10    | 1000   |
      And Ada has previewed "the sale"
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Bolt | 10    | 1100   |
      When she voids
        | date       | entry | item |
        | 2024-01-02 | buy   | Bolt |
      And that batch is called "the void"
      And she tries to commit "the sale"
      Then she is refused with "preview_stale"
      And nothing has changed
      When she undoes "the void"
      And she undoes "the opening"
      And she tries to commit "the sale"
      Then she is refused with "preview_stale"
      And nothing has changed

    Scenario: Nothing went away
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      And Ada has previewed "the sale"
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 10    | 1100   |
      When she commits "the sale"
      Then Ada's "Acme" holds 0 units at a cost of 0 USD

  @contract @COMMIT-007
  Rule: A preview is stale by what changes its own result, and by nothing else

    Scenario Outline: <what> makes the preview of a sale of ten stale
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-10 | buy   | Acme | 20    | 2000   |
        | 2024-01-10 | price | Acme |       | 100    |
      And Ada has previewed "the sale"
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 10    | 1100   |
      When she records
        | date  | entry   | item | units   | amount   | to   | from   |
        | <day> | <entry> | Acme | <units> | <amount> | <to> | <from> |
      And she tries to commit "the sale"
      Then she is refused with "preview_stale"
      And nothing has changed

      Examples:
        | what                       | day        | entry | units | amount | to | from |
        | An earlier buy             | 2024-01-02 | buy   | 10    | 500    |    |      |
        | A later buy                | 2024-01-20 | buy   | 10    | 900    |    |      |
        | A price written by hand    | 2024-03-01 | price |       | 150    |    |      |
        | A split                    | 2024-01-15 | split |       |        | 2  | 1    |

    Scenario: Nine changes that leave the sale as it was
      Given Ada's book holds the items
        | item | kind     |
        | Bolt | security |
        | Loan | loan     |
      And Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-10 | buy   | Acme | 20    | 2000   |
        | 2024-01-10 | price | Acme |       | 100    |
      When Ada previews "the sale"
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 10    | 1100   |
      Then the preview shows net worth going from 2000 to 1000 USD, a change of -1000
      When she records
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Bolt | 10    | 500    |
      And she records
        | date       | entry | item | amount |
        | 2024-01-31 | price | Bolt | 60     |
      And she changes "Acme"
        | notes |
        | seen  |
      And she changes "Acme"
        | name         |
        | Acme Limited |
      And she links "Loan" to "Acme" as "funds"
      And she splits "Acme" into "Ada 50, Trust 50"
      And Ada sets the goal "A million"
        | kind      | target  | currency |
        | net worth | 1000000 | USD      |
      And Ada tracks the loss "the shop"
        | party | kind     | year | amount | used |
        | Ada   | business | 2021 | 100.00 | 10   |
      And she commits "the sale"
      Then the commit shows net worth going from 2600 to 1600 USD, a change of -1000

  @contract @COMMIT-010
  Rule: A second commit answers already_committed and names the batch it became

    @isolated @needs-process
    Scenario: The same preview after a further one, and after a crash
      Given Ada has previewed
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 40.25  |
      And she has committed the preview
      When she tries to commit the preview
      Then she is refused with "already_committed"
      And the refusal names the batch that the preview became
      And nothing has changed
      When the server is killed and started again
      And she tries to commit the preview
      Then she is refused with "already_committed"
      And the refusal names the batch that the preview became
      And nothing has changed
      When she previews
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 1      |
      And she commits the preview
      Then the balance of Ada's "Cash" is 41.25 USD

    @heavy
    Scenario: The same preview after two thousand others
      Given Ada has previewed "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 40.25  |
      When she commits "the deposit"
      And she previews 2000 times
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 1      |
      And she tries to commit "the deposit"
      Then she is refused with "already_committed"
      And the refusal names the batch that the preview became
      And nothing has changed

  @contract @COMMIT-011
  Rule: Unknown, malformed, expired and foreign preview ids are refused without saying which data exist

    Scenario: The preview of another workspace reads like one that never was
      Given Ben keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ben has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 7      |
      And Ben has previewed
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 8      |
      When Ada tries to use the "preview to commit" of Ben's book
      Then she is refused with "preview_not_found"
      And the refusal reads like that of an id never given out
      And nothing has changed
      When Ben commits the preview
      Then the balance of Ben's "Cash" is 15 USD

    Scenario Outline: The id "<id>" is none of a preview
      When Ada tries to commit the id "<id>"
      Then she is refused with "invalid_input"
      And the refusal points at "preview_id"
      And nothing has changed

      Examples:
        | id                             |
        | bat_01ARZ3NDEKTSV4RRFFQ69G5FAV |
        |                                |

    @isolated @needs-control
    Scenario: An expired preview says so
      Given Ada has previewed
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 40.25  |
      And 31 minutes have passed
      When she tries to commit the preview
      Then she is refused with "preview_expired"
      And nothing has changed

  @COMMIT-012
  Rule: A preview made in one workspace is never committed into another

    Scenario: A preview of the second book
      Given Ada keeps a book named "Second" in USD
      And Ada's book holds the items
        | item | kind |
        | Till | cash |
      And Ada has previewed
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Till | 8      |
      When she commits the preview without naming a book
      Then the first book has not changed
      When she previews
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Till | 5      |
      And she tries to commit the preview in the first book
      Then she is refused with "preview_not_found"
      And nothing has changed
      When she commits the preview
      Then the batch is listed once, as written by Ada

  @contract @COMMIT-015
  Rule: A preview with conflicts says that its other rows will be written, and the commit writes those and lists the conflicts

    Scenario: A changed order comes with a new one
      Given Ada has recorded
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-1     |
      When she previews
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1001.00 | ORD-1     |
        | 2024-01-03 | buy   | Acme | 1     | 7.00    | ORD-2     |
      Then the preview warns of "conflicts_skipped"
      And the preview counts 1 new, 0 duplicate and 1 conflicting rows
      When she commits the preview
      Then the commit lists the rows
        | row | class    | reference | differs in |
        | 0   | conflict | ORD-1     | amount     |
        | 1   | new      | ORD-2     |            |
      And Ada's "Acme" holds 11 units at a cost of 1007 USD

  @COMMIT-017
  Rule: commit is for previews of record; a preview of undo is carried out by undo itself

    Scenario: Asked first, then carried out
      Given Ada has recorded "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 40.25  |
      When she asks what undoing "the deposit" would do
      Then the answer is no preview
      When she undoes "the deposit"
      Then Ada's "Cash" has 0 transactions

  @contract @COMMIT-008 @isolated @needs-control
  Rule: A price fetched between preview and commit does not make the preview stale

    Scenario: The market moves while a preview is open
      Given the stock market lists
        | symbol | currency | closes                                |
        | ACME   | USD      | 12.50 on 2026-10-29, 13 on 2026-10-30 |
      And Ben keeps a book in USD with the items
        | item | kind     | symbol |
        | Acme | security | ACME   |
      And Ben has recorded
        | date       | entry | item | units | amount |
        | 2026-10-01 | buy   | Acme | 10    | 100    |
        | 2026-10-01 | price | Acme |       | 10     |
      And Ben has previewed
        | date       | entry | item | units | amount |
        | 2026-10-02 | buy   | Acme | 10    | 100    |
      When Ben has the prices refreshed
      And Ben commits the preview
      Then the commit shows net worth going from 130 to 260 USD, a change of 130
      And Ben's net worth is 260 USD
