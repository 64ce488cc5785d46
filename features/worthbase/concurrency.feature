Feature: Calls that meet do not write twice and do not contradict each other

  Agents retry, and people use several clients. What is written once must stay once.
  Source: Worthbase MCP page, "How do writes work: preview, commit, undo?" (a single transaction).

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind     |
      | Cash | cash     |
      | Acme | security |

  @CONC-001
  Rule: Twenty commits of one preview at once write once

    Scenario: Twenty connections
      Given Ada has previewed
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 40.25  |
      When Ada commits the preview from 20 connections at once
      Then exactly one of them is accepted
      And the others are refused with "already_committed"
      And the balance of Ada's "Cash" is 40.25 USD
      And Ada's "Cash" has 1 transaction
      And Ada's book lists 2 batches

  @CONC-003
  Rule: After a lost answer the same commit can be sent again without writing twice

    Scenario: The connection breaks after the commit was sent
      Given Ada has previewed
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 40.25  |
      When Ada commits the preview, loses the answer, and commits it again
      Then the answer names the batch that was written
      And the batch is listed once, as written by Ada
      And the balance of Ada's "Cash" is 40.25 USD
      And Ada's "Cash" has 1 transaction

  @CONC-005
  Rule: Unrelated previews commit side by side without false staleness

    Scenario: Ten deposits into ten accounts
      Given Ada has previewed a deposit of 1 into each of 10 new accounts
      When Ada commits all previews at once
      Then all of them are accepted
      And Ada's net worth is 10 USD

  @CONC-006
  Rule: The same file imported ten times at once is stored once

    Scenario: Three rows, ten connections
      When Ada imports these rows from 10 connections at once
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 1      | F-0       |
        | 2024-01-03 | deposit | Cash | 2      | F-1       |
        | 2024-01-04 | deposit | Cash | 4      | F-2       |
      Then Ada's "Cash" has 3 transactions
      And the balance of Ada's "Cash" is 7 USD
      When she previews
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 1      | F-0       |
        | 2024-01-03 | deposit | Cash | 2      | F-1       |
        | 2024-01-04 | deposit | Cash | 4      | F-2       |
      Then the preview counts 0 new, 3 duplicate and 0 conflicting rows

  @CONC-008
  Rule: Two undos of one batch undo once

    Scenario: Twenty connections
      Given Ada has recorded "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 5      |
      When Ada undoes "the deposit" from 20 connections at once
      Then exactly one of them is accepted
      And the others are refused with "already_undone"
      And one undo was carried out
      And Ada's "Cash" has 0 transactions

  @CONC-002
  Rule: Two previews that cannot both hold are not both committed

    Scenario: Twenty rounds of two sales of six out of ten
      When in 20 rounds Ada buys 10 units and commits two previewed sales of 6 at once
      Then in every round one sale is accepted and the other is refused with "preview_stale, oversell"
      And in every round 4 units are left of Ada's

  @CONC-007
  Rule: An undo and a commit that needs the undone rows do not both succeed

    Scenario: A buy and the sale of its units, twenty rounds
      When in 20 rounds Ada undoes a buy and commits the previewed sale of its units at once
      Then in every round one of the two is accepted, and Ada's book holds what it left

  @CONC-009
  Rule: Reads during commits see the ledger before or after

    Scenario: A transfer comes and goes while the net worth is read
      Given Ada's book holds the items
        | item | kind |
        | Till | cash |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 100    |
        | 2024-01-02 | deposit | Till | 1      |
      When Ada records and undoes a transfer of 40 from "Cash" to "Till" 10 times, while the net worth is read
      Then every net worth that was read is 101

  @CONC-010
  Rule: Direct writes at once on one item are all kept, in some order

    Scenario: Ten notes on one account
      When Ada changes the notes of "Cash" from 10 connections at once
      Then all of them are accepted
      And Ada's book lists 11 batches
      And the notes of Ada's "Cash" are those of the newest batch, and undo goes back through all of them

  @contract @CONC-011
  Rule: A direct write sent twice with references is stored once

    Scenario: With references once, without them twice and warned about
      When Ada records at once
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 5      | F-0       |
      And Ada records at once
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 5      | F-0       |
      Then the commit counts 0 new, 1 duplicate and 0 conflicting rows
      And Ada's "Cash" has 1 transaction
      When Ada records at once
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 7      |
      And Ada records at once
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 7      |
      Then the commit warns of "possible_duplicate"
      And Ada's "Cash" has 3 transactions

  @needs-control @CONC-012
  Rule: Two admins demoting each other leave one admin

    Scenario: Twenty rounds
      Given Ben is an admin of Ada's book
      When in 20 rounds Ada and Ben make each other viewers at once
      Then every round left an admin

  @needs-control @CONC-013
  Rule: An invite accepted twice at once gives one membership

    Scenario: Twenty connections
      Given Ada has invited Ben as editor
      When Ben accepts the invite from 20 connections at once
      Then exactly one of them is accepted
      And Ada sees the members
        | name | role   | state  |
        | Ada  | admin  | member |
        | Ben  | editor | member |

  @contract @CONC-015 @isolated @two-processes
  Rule: Several processes on one store act as one

    Scenario: What one process previewed the other commits, once
      Given Ada has previewed
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 40.25  |
      When Ada commits the preview from 20 connections at once
      Then exactly one of them is accepted
      And the others are refused with "already_committed"
      And the balance of Ada's "Cash" is 40.25 USD
      And Ada's book lists 2 batches

    Scenario: Sales that cannot both hold, in two processes at once
      When in 5 rounds Ada buys 10 units and commits two previewed sales of 6 at once
      Then in every round one sale is accepted and the other is refused with "preview_stale, oversell"
      And in every round 4 units are left of Ada's

    @needs-control
    Scenario: A limit is counted in both together
      When Ada searches the market until it is enough
      Then 30 of her searches were answered
