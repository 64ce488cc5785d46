Feature: Every write is on record: what, from where, by whom, with which client

  Source: Worthbase MCP page, "How do writes work: preview, commit, undo?" (provenance) and read tools (list_batches).

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind |
      | Cash | cash |

  @BATCH-001 @ERR-015
  Rule: list_batches shows recent writes newest first with source, user, client and status

    Scenario: Two imports, a check, a void and an undo
      Given the next batch comes from the csv file "march.csv"
      And Ada has recorded "the import of March"
        | date       | entry   | item | amount | reference |
        | 2024-03-01 | deposit | Cash | 10     | M-1       |
        | 2024-03-02 | deposit | Cash | 20     | M-2       |
      And the next batch comes from the csv file "april.csv"
      And Ada has recorded
        | date       | entry   | item | amount | reference |
        | 2024-03-02 | deposit | Cash | 20     | M-2       |
        | 2024-04-01 | deposit | Cash | 40     | A-1       |
      When Ada checks the "value" of "Cash" on 2024-04-30 against 70.00
      And she voids
        | date       | entry   | item |
        | 2024-04-01 | deposit | Cash |
      And she undoes "the import of March"
      Then Ada's book lists the batches, newest first
        | tool      | status    | source    | written by | client      |
        | void      | committed |           | Ada        | this client |
        | reconcile | committed |           | Ada        | this client |
        | record    | committed | april.csv | Ada        | this client |
        | record    | undone    | march.csv | Ada        | this client |
        | record    | committed |           | Ada        | this client |

  @contract @BATCH-008
  Rule: Counts of a batch equal what it wrote

    Scenario: Three new rows, two duplicates and a conflict
      Given Ada has recorded
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 10.00  | A-1       |
        | 2024-01-03 | deposit | Cash | 20.00  | A-2       |
        | 2024-01-04 | deposit | Cash | 30.00  | A-3       |
      When she records
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Cash | 10.00  | A-1       |
        | 2024-01-03 | deposit | Cash | 20.00  | A-2       |
        | 2024-01-04 | deposit | Cash | 31.00  | A-3       |
        | 2024-01-05 | deposit | Cash | 1.00   | A-4       |
        | 2024-01-06 | deposit | Cash | 2.00   | A-5       |
        | 2024-01-07 | deposit | Cash | 3.00   | A-6       |
      Then Ada's book lists the batches, newest first
        | new | duplicate | conflict |
        | 3   | 2         | 1        |
        | 3   | 0         | 0        |
        | 0   | 0         | 0        |

  @BATCH-004
  Rule: Undoing one batch touches nothing of another

    Scenario: Two documents share an item
      Given Ada's book holds the items
        | item | kind     |
        | Acme | security |
        | Home | property |
      And Ada has recorded
        | date       | entry     | item | units | amount |
        | 2024-01-02 | deposit   | Cash |       | 10.00  |
        | 2024-01-02 | valuation | Home |       | 1000   |
      And Ada has noted down every figure
      And Ada has recorded "the other document"
        | date       | entry   | item | units | amount |
        | 2024-01-03 | deposit | Cash |       | 5.00   |
        | 2024-01-03 | buy     | Acme | 1     | 10     |
      When she undoes "the other document"
      Then every figure is as noted down

  @TOOL-019
  Rule: Ids are prefixed ULIDs and every record shown carries its own

    Scenario: Every id that a book shows
      Given Ada's book knows the accounts
        | account | kind |
        | Bank    | bank |
      And Ada's book holds the items
        | item | kind     | account |
        | Acme | security | Bank    |
        | Home | property |         |
      And Ada has recorded
        | date       | entry     | item | units | amount |
        | 2024-01-02 | deposit   | Cash |       | 10.00  |
        | 2024-01-03 | buy       | Acme | 3     | 10     |
        | 2024-01-04 | sell      | Acme | 1     | 10     |
        | 2024-01-04 | price     | Acme |       | 10     |
        | 2024-01-02 | valuation | Home |       | 1000   |
        | 2024-01-02 | check     | Cash |       | 10     |
      When Ada notes down every figure
      Then every id shown so far is a prefixed ULID
      And without a workspace each of Ada's tools answers as in the default one
        | tool          |
        | get_overview  |
        | get_net_worth |
        | list_items    |
        | get_item      |
        | list_batches  |

  @BATCH-002
  Rule: Every ledger write makes exactly one batch; reads, previews and refusals make none

    Scenario: One write after another is counted
      Given Ada's book holds the items
        | item | kind     |
        | Home | property |
        | Loan | loan     |
      And Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      Then Ada's book lists 3 batches
      When she records
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 10     |
      Then Ada's book lists 4 batches
      When she records at once
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 10     |
      Then Ada's book lists 5 batches
      When she checks the "value" of "Cash" on 2024-01-31 against 20
      Then Ada's book lists 6 batches
      When she changes "Cash"
        | notes |
        | b     |
      Then Ada's book lists 7 batches
      When she splits "Cash" into "Ada 50, Trust 50"
      Then Ada's book lists 8 batches
      When she links "Loan" to "Home" as "secured by"
      Then Ada's book lists 9 batches
      When she archives "Home"
      Then Ada's book lists 10 batches
      When she voids
        | date       | entry   | item |
        | 2024-01-03 | deposit | Cash |
      Then Ada's book lists 11 batches
      When Ada sets the goal "A million"
        | kind      | target  | currency |
        | net worth | 1000000 | USD      |
      Then Ada's book lists 12 batches
      When Ada tracks the loss "the shop"
        | party | kind     | year | amount | used |
        | Ada   | business | 2021 | 100.00 | 10   |
      Then Ada's book lists 13 batches
      When she previews
        | date       | entry   | item | amount |
        | 2024-01-04 | deposit | Cash | 10     |
      And she tries to split "Cash" into "Ada 50"
      And she tries to link "Loan" to "Loan" as "secured by"
      And she tries to preview
        | date       | entry   | item | amount |
        | 2024-01-04 | deposit | Cash | 0      |
      And Ada notes down every figure
      Then Ada's book lists 13 batches

  @BATCH-005
  Rule: Ids are prefixed ULIDs, and the same record has the same id in every tool

    Scenario: A book with a little of everything
      Given Ada's book holds the items
        | item | kind     |
        | Acme | security |
        | Home | property |
      And Ada has previewed
        | date       | entry     | item | units | amount |
        | 2024-01-02 | deposit   | Cash |       | 10.00  |
        | 2024-01-03 | buy       | Acme | 3     | 10     |
        | 2024-01-04 | sell      | Acme | 1     | 10     |
        | 2024-01-04 | price     | Acme |       | 10     |
        | 2024-01-02 | valuation | Home |       | 1000   |
        | 2024-01-02 | check     | Cash |       | 10     |
      When she commits the preview
      Then the commit did what the preview showed
      When Ada notes down every figure
      Then every id shown so far is a prefixed ULID
      And every record shown so far has the same id in every tool

  @BATCH-006
  Rule: Pages of list_batches are disjoint and complete while writes go on

    Scenario: Twenty-five batches, ten a page
      Given Ada has recorded one by one
        | date       | entry   | item | amount |
        | 2024-01-01 | deposit | Cash | 1      |
        | 2024-01-02 | deposit | Cash | 1      |
        | 2024-01-03 | deposit | Cash | 1      |
        | 2024-01-04 | deposit | Cash | 1      |
        | 2024-01-05 | deposit | Cash | 1      |
        | 2024-01-06 | deposit | Cash | 1      |
        | 2024-01-07 | deposit | Cash | 1      |
        | 2024-01-08 | deposit | Cash | 1      |
        | 2024-01-09 | deposit | Cash | 1      |
        | 2024-01-10 | deposit | Cash | 1      |
        | 2024-01-11 | deposit | Cash | 1      |
        | 2024-01-12 | deposit | Cash | 1      |
        | 2024-01-13 | deposit | Cash | 1      |
        | 2024-01-14 | deposit | Cash | 1      |
        | 2024-01-15 | deposit | Cash | 1      |
        | 2024-01-16 | deposit | Cash | 1      |
        | 2024-01-17 | deposit | Cash | 1      |
        | 2024-01-18 | deposit | Cash | 1      |
        | 2024-01-19 | deposit | Cash | 1      |
        | 2024-01-20 | deposit | Cash | 1      |
        | 2024-01-21 | deposit | Cash | 1      |
        | 2024-01-22 | deposit | Cash | 1      |
        | 2024-01-23 | deposit | Cash | 1      |
        | 2024-01-24 | deposit | Cash | 1      |
      When Ada reads the batches 10 a page, with a deposit into "Cash" between the pages
      Then every batch from before stood on exactly one page

  @contract @BATCH-007
  Rule: The status filter shows committed or undone batches

    Scenario: Three committed and two undone
      Given Ada has recorded "one"
        | date       | entry   | item | amount |
        | 2024-01-01 | deposit | Cash | 1      |
      And Ada has recorded "two"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 1      |
      And Ada has recorded one by one
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 1      |
        | 2024-01-04 | deposit | Cash | 1      |
      And Ada has undone "one"
      And Ada has undone "two"
      Then Ada's book lists 3 committed batches when asked for those
      And Ada's book lists 2 undone batches when asked for those
      And Ada's book lists 5 batches
      When Ada tries to list the batches that are "half done"
      Then she is refused with "invalid_input"
      And the refusal points at "status"

  @BATCH-009
  Rule: The batch of an item is found from the item

    Scenario: Everything that was written about a house
      Given Ada's book holds the items
        | item | kind     |
        | Home | property |
        | Loan | loan     |
      And Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada has recorded
        | date       | entry     | item | amount |
        | 2024-01-02 | buy       | Home | 500    |
      And Ada has recorded
        | date       | entry     | item | amount |
        | 2024-01-03 | valuation | Home | 510    |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 510    |
      And Ada has linked "Loan" to "Home" as "secured by"
      And Ada has split "Home" into "Ada 50, Trust 50"
      And Ada has changed "Home"
        | notes |
        | b     |
      Then Ada's "Home" names the batches, newest first
        | tool        |
        | update_item |
        | set_owners  |
        | link_items  |
        | record      |
        | record      |
        | record      |

  @BATCH-010
  Rule: Provenance is not rewritten by later changes of people

    Scenario: An editor writes, becomes a viewer and is removed
      Given Ben is an editor of Ada's book
      And Ben has recorded
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 5      |
      When Ada makes Ben a viewer
      Then Ada's book still names the writers
        | batch  | written by |
        | commit | Ben        |
        | commit | Ada        |
      When Ada removes Ben
      Then Ada's book still names the writers
        | batch  | written by |
        | commit | Ben        |
        | commit | Ada        |

  @contract @BATCH-011
  Rule: Source fields come back as given

    Scenario: A file with its fingerprint and a note, and a fingerprint of another shape
      When Ada records a deposit into "Cash" from the source
        | kind | name      | sha256                                                           | note              |
        | csv  | march.csv | e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 | from Ada's drawer |
      Then Ada's last batch comes from the source
        | kind | name      | sha256                                                           | note              |
        | csv  | march.csv | e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 | from Ada's drawer |
      When Ada tries to record a deposit into "Cash" from the source
        | kind | name      | sha256 |
        | csv  | march.csv | abc    |
      Then she is refused with "invalid_input"
      And the refusal points at "source.sha256"
      And nothing has changed

  @BATCH-003
  Rule: Who wrote a batch and with which client comes from the connection, not from what is handed in

    Scenario: Two people, two clients, and a source that says otherwise
      Given Ben is an editor of Ada's book
      And the next batch comes from the csv file "written by Cleo with a spreadsheet.csv"
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 1      |
      And Ben has recorded
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 2      |
      When Ben goes on with a client called "second-client"
      And Ben records
        | date       | entry   | item | amount |
        | 2024-01-04 | deposit | Cash | 4      |
      Then Ada's book lists the batches, newest first
        | tool   | written by | client        |
        | record | Ben        | second-client |
        | record | Ben        | this client   |
        | record | Ada        | this client   |
        | record | Ada        | this client   |

    @contract
    Scenario: One client previews, another commits
      Given Ada has previewed
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 1      |
      When Ada goes on with a client called "second-client"
      And she commits the preview
      Then Ada's book lists the batches, newest first
        | tool   | written by | client        |
        | record | Ada        | second-client |
        | record | Ada        | this client   |
