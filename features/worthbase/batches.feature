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
