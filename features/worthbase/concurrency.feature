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
