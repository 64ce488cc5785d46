Feature: Importing a statement again stores nothing twice and changes nothing silently

  Each row carries the reference of its source: an order number, or the hash of the file and the place of the row. Files
  overlap and are imported again; the references decide what is new.
  Source: Worthbase MCP page, "How do writes work: preview, commit, undo?" (idempotent imports).

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind     |
      | Cash | cash     |
      | Acme | security |
      | Home | property |

  @IMPORT-001 @ERR-014
  Rule: Importing a file again skips the rows already recorded

    Scenario: A file with one known and one new order adds the new one
      Given Ada has recorded
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-1     |
      When she previews
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-1     |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-2     |
      Then the preview lists the rows
        | row | class     | reference |
        | 0   | duplicate | ORD-1     |
        | 1   | new       | ORD-2     |
      When she commits the preview
      Then Ada's "Acme" holds 20 units at a cost of 2000 USD
      And Ada's "Acme" has 2 transactions

  @IMPORT-002
  Rule: A row with a known reference but other content is shown as a conflict, and the stored row stays

    Scenario: An order that is known with another amount
      Given Ada has recorded
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-1     |
      When she previews
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1001.00 | ORD-1     |
      Then the preview lists the rows
        | row | class    | reference | differs in |
        | 0   | conflict | ORD-1     | amount     |
      And the conflict shows "amount" stored as "1000.00" and offered as "1001.00"
      And Ada's "Acme" holds 10 units at a cost of 1000 USD
      And Ada's "Acme" has 1 transaction

    Scenario: Committing the conflict with a new row writes the new row alone
      Given Ada has recorded
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-1     |
      And she has previewed
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1001.00 | ORD-1     |
        | 2024-01-03 | buy   | Acme | 1     | 7.00    | ORD-2     |
      When she commits the preview
      Then the commit counts 1 new, 0 duplicate and 1 conflicting rows
      And Ada's "Acme" has the transactions
        | date       | amount  | reference |
        | 2024-01-02 | 1000.00 | ORD-1     |
        | 2024-01-03 | 7.00    | ORD-2     |

  @IMPORT-003
  Rule: The same reference twice in one batch is stored once

    Scenario: An order that a file lists twice
      When Ada records
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-1     |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-1     |
      Then the commit lists the rows
        | row | class     | reference |
        | 0   | new       | ORD-1     |
        | 1   | duplicate | ORD-1     |
      And Ada's "Acme" holds 10 units at a cost of 1000 USD
      And Ada's "Acme" has 1 transaction

  @IMPORT-004
  Rule: Rows that are equal but carry different references are different rows

    Scenario: Two fills of one order stay two, and both are known afterwards
      Given Ada has recorded
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-1     |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-2     |
      When she previews
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-1     |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-2     |
      Then the preview counts 0 new, 2 duplicate and 0 conflicting rows
      And Ada's "Acme" holds 20 units at a cost of 2000 USD
      And Ada's "Acme" has 2 transactions

  @IMPORT-005
  Rule: One reference with different contents inside one batch is a conflict already in the preview

    Scenario: Three amounts under one reference
      When Ada previews
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 10.00  | 000001    |
        | 2024-01-02 | deposit | Cash | 25.50  | 000001    |
        | 2024-01-02 | deposit | Cash | 99.00  | 000001    |
      Then the preview lists the rows
        | row | class    | reference |
        | 0   | new      | 000001    |
        | 1   | conflict | 000001    |
        | 2   | conflict | 000001    |
      When she commits the preview
      Then the commit did what the preview showed
      And the balance of Ada's "Cash" is 10.00 USD

  @IMPORT-006
  Rule: After undo the reference is free again

    Scenario: An undone order can be recorded with another amount
      Given Ada has recorded "the first import"
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-1     |
      And she has undone "the first import"
      When she records
        | date       | entry | item | units | amount | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1200   | ORD-1     |
      Then the commit counts 1 new, 0 duplicate and 0 conflicting rows
      And Ada's "Acme" holds 10 units at a cost of 1200 USD
      And Ada's "Acme" has 1 transaction

    Scenario: An undone file is new in whole
      Given Ada has recorded "the file"
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 1      | F-0       |
        | 2024-01-03 | deposit | Cash | 2      | F-1       |
        | 2024-01-04 | deposit | Cash | 3      | F-2       |
      And she has undone "the file"
      When she records
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 1      | F-0       |
        | 2024-01-03 | deposit | Cash | 2      | F-1       |
        | 2024-01-04 | deposit | Cash | 3      | F-2       |
      Then the commit counts 3 new, 0 duplicate and 0 conflicting rows

  @IMPORT-011
  Rule: References of one workspace mean nothing in another

    Scenario: The same file into two books
      Given Ada has recorded
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 1      | F-0       |
      And she keeps a book named "Second" in USD
      And Ada's book holds the items
        | item | kind |
        | Cash | cash |
      When she records
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 1      | F-0       |
      Then the commit counts 1 new, 0 duplicate and 0 conflicting rows

  @IMPORT-013
  Rule: Overlapping statements add only the rows that are new

    Scenario: January to May, then April to August
      Given Ada has recorded
        | date       | entry   | item | amount | reference |
        | 2024-01-31 | deposit | Cash | 1      | S-1       |
        | 2024-02-29 | deposit | Cash | 2      | S-2       |
        | 2024-03-31 | deposit | Cash | 4      | S-3       |
        | 2024-04-30 | deposit | Cash | 8      | S-4       |
        | 2024-05-31 | deposit | Cash | 16     | S-5       |
      When she records
        | date       | entry   | item | amount | reference |
        | 2024-04-30 | deposit | Cash | 8      | S-4       |
        | 2024-05-31 | deposit | Cash | 16     | S-5       |
        | 2024-06-30 | deposit | Cash | 32     | S-6       |
        | 2024-07-31 | deposit | Cash | 64     | S-7       |
        | 2024-08-31 | deposit | Cash | 128    | S-8       |
      Then the commit counts 3 new, 2 duplicate and 0 conflicting rows
      And Ada's "Cash" has 8 transactions
      And the balance of Ada's "Cash" is 255 USD

  @IMPORT-014
  Rule: Transfers, valuations and prices are idempotent by their reference too

    Scenario: A statement with one of each is imported twice
      Given Ada's book holds the items
        | item | kind |
        | Till | cash |
      And Ada has recorded
        | date       | entry     | item | to item | amount | reference |
        | 2024-01-02 | transfer  | Cash | Till    | 5      | T-1       |
        | 2024-01-02 | valuation | Home |         | 1000   | V-1       |
        | 2024-01-02 | price     | Acme |         | 12     | P-1       |
      And she has noted down every figure
      When she records
        | date       | entry     | item | to item | amount | reference |
        | 2024-01-02 | transfer  | Cash | Till    | 5      | T-1       |
        | 2024-01-02 | valuation | Home |         | 1000   | V-1       |
        | 2024-01-02 | price     | Acme |         | 12     | P-1       |
      Then the commit counts 0 new, 3 duplicate and 0 conflicting rows
      And every figure is as noted down

  @IMPORT-016
  Rule: A batch of nothing but duplicates changes no figure

    Scenario: The whole file once more
      Given Ada has recorded
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 1      | F-0       |
        | 2024-01-03 | deposit | Cash | 2      | F-1       |
      And she has noted down every figure
      When she records
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 1      | F-0       |
        | 2024-01-03 | deposit | Cash | 2      | F-1       |
      Then the commit shows net worth going from 3 to 3 USD, a change of 0
      And every figure is as noted down
      And Ada's "Cash" has 2 transactions

  @contract @IMPORT-008
  Rule: Spelling of numbers and the note are not content

    Scenario: The same order with other zeros, a note, fees of nothing and its currency named
      Given Ada has recorded
        | date       | entry | item | units | amount | reference |
        | 2024-01-02 | buy   | Acme | 5     | 50.00  | ORD-1     |
      When she previews
        | date       | entry | item | units | amount | fees | currency | reference | note      |
        | 2024-01-02 | buy   | Acme | 5.00  | 50     | 0    | USD      | ORD-1     | as before |
      Then the preview counts 0 new, 1 duplicate and 0 conflicting rows

  @contract @IMPORT-010
  Rule: References are scoped to the account of the item

    Scenario: Two accounts use the same order number
      Given Ada's book knows the accounts
        | account | kind      |
        | First   | brokerage |
        | Second  | brokerage |
      And Ada's book holds the items
        | item | kind     | account |
        | Bolt | security | First   |
        | Gear | security | Second  |
      And Ada has recorded
        | date       | entry | item | units | amount | reference |
        | 2024-01-02 | buy   | Bolt | 10    | 1000   | ORD-1     |
      When she records
        | date       | entry | item | units | amount | reference |
        | 2024-01-02 | buy   | Gear | 10    | 1000   | ORD-1     |
      Then the commit counts 1 new, 0 duplicate and 0 conflicting rows
      And Ada's "Bolt" holds 10 units at a cost of 1000 USD
      And Ada's "Gear" holds 10 units at a cost of 1000 USD

  @contract @IMPORT-017
  Rule: A preview reserves no reference

    Scenario: Of two previews of one reference the second commit is stale
      Given Ada has previewed "one"
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 1      | F-0       |
      And she has previewed "two"
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 1      | F-0       |
      When she commits "one"
      And she tries to commit "two"
      Then she is refused with "preview_stale"
      And nothing has changed
      When she previews the same batch again
      Then the preview counts 0 new, 1 duplicate and 0 conflicting rows

  @contract @IMPORT-018
  Rule: Rows without reference are never taken for duplicates, only warned about

    Scenario: The same deposit twice without a reference
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 1      |
      When she previews
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 1      |
      Then the preview warns of "possible_duplicate"
      And the preview counts 1 new, 0 duplicate and 0 conflicting rows
      When she commits the preview
      Then Ada's "Cash" has 2 transactions

  @contract @IMPORT-007
  Rule: After void the reference is free again, and the void can then no longer be undone

    Scenario: A voided order comes with another amount
      Given Ada has recorded
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-1     |
      When she voids
        | date       | entry | item |
        | 2024-01-02 | buy   | Acme |
      And that batch is called "the void"
      And she records
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1001.00 | ORD-1     |
      Then the commit counts 1 new, 0 duplicate and 0 conflicting rows
      When she tries to undo "the void"
      Then she is refused with "would_not_replay"
      And nothing has changed
      And Ada's "Acme" has the transactions
        | date       | amount  | reference |
        | 2024-01-02 | 1001.00 | ORD-1     |

    Scenario: The void is undone before the order comes again
      Given Ada has recorded
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1000.00 | ORD-1     |
      When she voids
        | date       | entry | item |
        | 2024-01-02 | buy   | Acme |
      And that batch is called "the void"
      And she undoes "the void"
      And she previews
        | date       | entry | item | units | amount  | reference |
        | 2024-01-02 | buy   | Acme | 10    | 1001.00 | ORD-1     |
      Then the preview counts 0 new, 0 duplicate and 1 conflicting rows

  @contract @IMPORT-009
  Rule: A changed type, item, date, figure, currency, rate, ratio or choice of lots is a conflict

    Scenario Outline: A known buy comes again with another <field>
      Given Ada's book holds the items
        | item | kind     |
        | Bolt | security |
      And Ada has recorded
        | date       | entry | item | units | amount | fees | currency | rate | reference |
        | 2024-01-02 | buy   | Acme | 10    | 500.00 | 5.00 | EUR      | 1.10 | ORD-1     |
      When she previews
        | date   | entry | item   | units   | amount   | fees   | currency   | rate   | reference |
        | <date> | buy   | <item> | <units> | <amount> | <fees> | <currency> | <rate> | ORD-1     |
      Then the preview lists the rows
        | row | class    | reference | differs in |
        | 0   | conflict | ORD-1     | <field>    |
      And the conflict shows "<field>" stored as "<stored>" and offered as "<offered>"
      And Ada's "Acme" has the transactions
        | date       | units | amount | fees | currency | rate |
        | 2024-01-02 | 10    | 500.00 | 5.00 | EUR      | 1.10 |
      When she previews
        | date       | entry | item | units | amount | fees | currency | rate | reference |
        | 2024-01-02 | buy   | Acme | 10    | 500.00 | 5.00 | EUR      | 1.10 | ORD-1     |
      Then the preview counts 0 new, 1 duplicate and 0 conflicting rows

      Examples:
        | field    | date       | item | units | amount | fees | currency | rate | stored     | offered    |
        | date     | 2024-01-03 | Acme | 10    | 500.00 | 5.00 | EUR      | 1.10 | 2024-01-02 | 2024-01-03 |
        | item     | 2024-01-02 | Bolt | 10    | 500.00 | 5.00 | EUR      | 1.10 | Acme       | Bolt       |
        | units    | 2024-01-02 | Acme | 11    | 500.00 | 5.00 | EUR      | 1.10 | 10         | 11         |
        | amount   | 2024-01-02 | Acme | 10    | 501.00 | 5.00 | EUR      | 1.10 | 500.00     | 501.00     |
        | fees     | 2024-01-02 | Acme | 10    | 500.00 | 6.00 | EUR      | 1.10 | 5.00       | 6.00       |
        | currency | 2024-01-02 | Acme | 10    | 500.00 | 5.00 | GBP      | 1.10 | EUR        | GBP        |
        | fx_rate  | 2024-01-02 | Acme | 10    | 500.00 | 5.00 | EUR      | 1.20 | 1.10       | 1.20       |

    Scenario: A deposit becomes interest, a split another split, and a sale takes another lot
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 100    |
        | 2024-01-03 | buy   | Acme | 10    | 200    |
      And Ada has recorded
        | date       | entry   | item | units | amount | to | from | lots            | reference |
        | 2024-02-02 | deposit | Cash |       | 7      |    |      |                 | ORD-1     |
        | 2024-02-02 | sell    | Acme | 4     | 60     |    |      | 4 of 2024-01-02 | ORD-2     |
        | 2024-02-03 | split   | Acme |       |        | 2  | 1    |                 | ORD-3     |
      When she previews
        | date       | entry    | item | units | amount | to | from | lots            | reference |
        | 2024-02-02 | interest | Cash |       | 7      |    |      |                 | ORD-1     |
        | 2024-02-02 | sell     | Acme | 4     | 60     |    |      | 4 of 2024-01-03 | ORD-2     |
        | 2024-02-03 | split    | Acme |       |        | 3  | 1    |                 | ORD-3     |
      Then the preview lists the rows
        | row | class    | reference | differs in |
        | 0   | conflict | ORD-1     | type       |
        | 1   | conflict | ORD-2     | lots       |
        | 2   | conflict | ORD-3     | to         |
      And the conflict shows "type" stored as "deposit" and offered as "interest"
      And the conflict shows "to" stored as "2" and offered as "3"

  @IMPORT-015
  Rule: An import changes no earlier row

    Scenario: The rent of February looks like that of January
      Given Ada has recorded
        | date       | entry   | item | amount | reference | note         |
        | 2024-01-31 | deposit | Cash | 900.00 | R-1       | rent January |
        | 2024-01-31 | deposit | Cash | 900.00 |           | no reference |
      When she records
        | date       | entry   | item | amount | reference | note          |
        | 2024-02-29 | deposit | Cash | 900.00 | R-2       | rent February |
        | 2024-02-29 | deposit | Cash | 900.0  |           | no reference  |
      Then Ada's "Cash" has the transactions
        | date       | amount | reference | note          |
        | 2024-01-31 | 900.00 | R-1       | rent January  |
        | 2024-01-31 | 900.00 |           | no reference  |
        | 2024-02-29 | 900.00 | R-2       | rent February |
        | 2024-02-29 | 900.0  |           | no reference  |

  @contract @IMPORT-019
  Rule: References are compared exactly, and an empty or endless one is refused

    Scenario: Small letters and a blank make other references
      Given Ada has recorded
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 1      | ORD-1     |
      When she previews
        | date       | entry   | item | amount | reference      |
        | 2024-01-02 | deposit | Cash | 1      | ORD-1          |
        | 2024-01-02 | deposit | Cash | 1      | ord-1          |
        | 2024-01-02 | deposit | Cash | 1      | JSON "ORD-1 "  |
      Then the preview lists the rows
        | row | class     |
        | 0   | duplicate |
        | 1   | new       |
        | 2   | new       |
      When she tries to preview
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 1      | JSON ""   |
      Then she is refused with "invalid_input"
      And the refusal points at "transactions[0].external_ref"
      And nothing has changed
      When she tries to preview a deposit into "Cash" with a reference of 10000 characters
      Then she is refused with "invalid_input"
      And the refusal points at "transactions[0].external_ref"
      And nothing has changed

  @IMPORT-021
  Rule: A reference stays known when its item is renamed or moved to another class

    Scenario: Acme has another name and class when its order comes again
      Given Ada has recorded
        | date       | entry | item | units | amount | reference |
        | 2024-01-02 | buy   | Acme | 10    | 100    | ORD-1     |
      And Ada has changed "Acme"
        | name         | class        |
        | Acme Limited | alternatives |
      When she previews
        | date       | entry | item | units | amount | reference |
        | 2024-01-02 | buy   | Acme | 10    | 100    | ORD-1     |
      Then the preview counts 0 new, 1 duplicate and 0 conflicting rows

    @contract
    Scenario: Acme is archived when its order comes again
      Given Ada has recorded
        | date       | entry | item | units | amount | reference |
        | 2024-01-02 | buy   | Acme | 10    | 100    | ORD-1     |
      And Ada has archived "Acme"
      When she previews
        | date       | entry | item | units | amount | reference |
        | 2024-01-02 | buy   | Acme | 10    | 100    | ORD-1     |
      Then the preview counts 0 new, 1 duplicate and 0 conflicting rows

  @contract @heavy @IMPORT-022
  Rule: A file of 10,000 rows is imported and imported again with exact counts

    Scenario: Ten thousand deposits, twice, then one of them changed
      When Ada previews 10000 deposits of 0.01 into "Cash"
      Then the preview counts 10000 new, 0 duplicate and 0 conflicting rows
      When she commits the preview
      And she previews the same batch again
      Then the preview counts 0 new, 10000 duplicate and 0 conflicting rows
      When she previews them again, the last of 0.02
      Then the preview counts 0 new, 9999 duplicate and 1 conflicting rows
      And the balance of Ada's "Cash" is 100.00 USD

  @IMPORT-020 @isolated @needs-control
  Rule: A row recorded at the official rate is known on a later import, even if the source of rates answers otherwise by then

    Scenario: The bank restates its rates between two imports
      Given it is 2026-10-29 23:50:00 UTC
      And Ben keeps a book in AUD with the items
        | item    | kind | currency |
        | Dollars | cash | USD      |
      And Ben has recorded
        | date       | entry   | item    | amount | reference |
        | 2024-06-28 | deposit | Dollars | 100    | D-1       |
      When the European Central Bank begins to answer with restated rates
      And it is 2026-11-02 12:00:00 UTC
      And Ben previews
        | date       | entry   | item    | amount | reference |
        | 2024-06-28 | deposit | Dollars | 100    | D-1       |
        | 2024-06-28 | deposit | Dollars | 100    | D-2       |
      Then the preview lists the rows
        | reference | class     |
        | D-1       | duplicate |
        | D-2       | new       |
      When Ben commits the preview
      Then Ben's "Dollars" keeps the rates
        | from | to  | rate                   | date       | source |
        | USD  | AUD | ≈ 1.502008407286314806 | 2024-06-28 | ecb    |
        | USD  | AUD | ≈ 1.048543426222844497 | 2024-06-28 | ecb    |
