@isolated @needs-process
Feature: A crash loses nothing that was committed and keeps nothing that was not

  A server process can die at any moment: the machine loses power, the system takes its memory, somebody deploys. The book
  is what was committed, no more and no less. Each scenario has a server process of its own with a store on disk, ends it
  with SIGKILL and starts it again on what it left behind.

  Out of scope: a disk that loses what it has confirmed.

  @CONC-004
  Rule: A crash leaves all of a batch or nothing of it

    Scenario: Killed between preview and commit, the book is as it was
      Given Ada keeps a book in AUD with the items
        | item | kind     |
        | Cash | cash     |
        | VAS  | security |
      And she has recorded
        | date       | entry   | item | amount |
        | 2024-01-15 | deposit | Cash | 500    |
      And she has previewed
        | date       | entry      | item | units | amount |
        | 2024-02-01 | buy        | VAS  | 4     | 360    |
        | 2024-02-01 | withdrawal | Cash |       | 360    |
      And she has noted down every figure
      When the server is killed and started again
      Then nothing has changed

    Scenario: A preview made before the crash is committed whole, or refused with a reason
      Given Ada keeps a book in AUD with the items
        | item | kind     |
        | Cash | cash     |
        | VAS  | security |
      And she has previewed
        | date       | entry      | item | units | amount |
        | 2024-01-15 | deposit    | Cash |       | 500    |
        | 2024-02-01 | buy        | VAS  | 4     | 360    |
        | 2024-02-01 | withdrawal | Cash |       | 360    |
      And the server has been killed and started again
      When she commits the preview made before the crash
      Then Ada's book holds the batch whole or not at all

    Scenario: Killed right after the commit, the batch is there whole
      Given Ada keeps a book in AUD with the items
        | item | kind     |
        | Cash | cash     |
        | VAS  | security |
      And she has recorded
        | date       | entry      | item | units | amount |
        | 2024-01-15 | deposit    | Cash |       | 500    |
        | 2024-02-01 | buy        | VAS  | 4     | 360    |
        | 2024-02-01 | withdrawal | Cash |       | 360    |
      And she has noted down every figure
      When the server is killed and started again
      Then nothing has changed
      And the balance of Ada's "Cash" is 140 AUD

    @rev-2026-07-28
    Scenario Outline: Killed <milliseconds> ms into the commit of 1,000 rows, the book holds all of them or none
      Given Ada keeps a book in USD
      When the server is killed <milliseconds> ms into Ada's commit of "crypto-exchange-1000.csv" to the exchange account "Exchange" in USD
      Then Ada's book holds the batch whole or not at all

      Examples:
        | milliseconds |
        | 1            |
        | 40           |
        | 150          |

    @heavy @rev-2026-07-28
    Scenario: Killed at twenty moments of commits of 2,000 rows, the books hold all of them or none
      When the server is killed at 20 moments of Ada's commits of 2000 deposits
      Then after each crash the book held the batch whole or not at all

  @IMPORT-012
  Rule: Stable references outlive the process

    Scenario: After a crash a statement is known in any order and under any name
      Given Ada keeps a book in BRL
      And she has had "nubank-2026-05.csv" imported into the bank account "Nubank" in BRL
      And she has noted down every figure
      And the server has been killed and started again
      When she has the same rows imported in the opposite order from a file "extrato.csv"
      Then the preview counts 0 new, 48 duplicate and 0 conflicting rows
      And every figure is as noted down

  @CONC-004 @heavy @rev-2026-07-28
  Rule: However often the server dies, what was answered for is there, and nothing is there in part

    Scenario: Killed 25 times during 200 commits
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      When Ada commits 200 batches of 5 deposits to "Cash" while the server is killed 25 times at random moments
      Then Ada's "Cash" holds every batch that was answered for, and no batch in part

  @CONC-014
  Rule: A store that cannot be written gives an error and no half state, and works again when it can

    Scenario: The disk is full when a preview is committed
      Given Ada keeps a book in AUD with the items
        | item | kind     |
        | Cash | cash     |
        | VAS  | security |
      And she has previewed
        | date       | entry      | item | units | amount |
        | 2024-01-15 | deposit    | Cash |       | 500    |
        | 2024-02-01 | buy        | VAS  | 4     | 360    |
        | 2024-02-01 | withdrawal | Cash |       | 360    |
      When the server's disk is full
      Then she cannot commit the preview
      When the server's disk has room again
      Then Ada's net worth is 0 AUD
      And Ada's book lists 1 batch
      When she commits the preview
      Then the balance of Ada's "Cash" is 140 AUD
