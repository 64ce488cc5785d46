Feature: A workspace is invisible to those who do not belong to it

  An id that belongs to somebody else must be answered like one that does not exist: anything else tells that it does.
  Source: Worthbase MCP page, "How does authentication work?" (a token acts as the signed-in user).

  Background:
    Given Ada keeps a book in USD
    And Ada's book knows the accounts
      | account | kind |
      | Bank    | bank |
    And Ada's book holds the items
      | item | kind | account |
      | Cash | cash | Bank    |
    And Ada has recorded "the deposit"
      | date       | entry   | item | amount |
      | 2024-01-02 | deposit | Cash | 700.77 |
    And Ada has previewed
      | date       | entry   | item | amount |
      | 2024-02-02 | deposit | Cash | 5      |
    And Ben keeps a book in USD with the items
      | item | kind |
      | Cash | cash |

  @ROLE-007
  Rule: A workspace the user does not belong to cannot be read or written, and its existence is not shown

    Scenario Outline: A stranger calls <tool> in it
      When Ben tries to open Ada's book with <tool>
      Then Ben is refused with "workspace_not_found"
      And the refusal reads like that of an id never given out
      And nothing has changed

      Examples:
        | tool          |
        | get_overview  |
        | get_net_worth |
        | list_items    |
        | get_item      |
        | list_batches  |
        | record        |
        | commit        |
        | undo          |
        | void          |
        | reconcile     |
        | save_party    |
        | save_account  |
        | members       |

    Scenario: Its own keeper reads it
      Then Ada's net worth is 700.77 USD
      And Ben's net worth is 0 USD

  @ROLE-010
  Rule: Ids of one workspace are not usable through another

    Scenario Outline: The <id> of a stranger's book
      When Ben tries to use the "<id>" of Ada's book
      Then Ben is refused with "<code>"
      And the refusal reads like that of an id never given out
      And nothing has changed

      Examples:
        | id                    | code              |
        | item read             | not_found         |
        | item of a row         | not_found         |
        | item of a check       | not_found         |
        | account of a new item | not_found         |
        | party of a new item   | not_found         |
        | party of a report     | not_found         |
        | transaction to void   | not_found         |
        | batch to undo         | not_found         |
        | batch to ask about    | not_found         |
        | preview to commit     | preview_not_found |

    Scenario: Ids of the own book work
      When Ben records
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 3      |
      Then the balance of Ben's "Cash" is 3 USD

  @ROLE-011
  Rule: A preview belongs to its user and workspace; anybody else gets the answer of an unknown preview

    Scenario: A stranger, and a viewer of the same book
      When Ben tries to use the "preview to commit" of Ada's book
      Then Ben is refused with "preview_not_found"
      And the refusal reads like that of an id never given out
      And nothing has changed
      Given Cleo is an editor of Ada's book
      When Cleo tries to commit the preview
      Then Cleo is refused with "preview_not_found"
      And nothing has changed
      When Ada commits the preview
      Then the balance of Ada's "Cash" is 705.77 USD

  @TRANSFER-012
  Rule: Both ends of a transfer must be the caller's own items of that workspace

    Scenario: A transfer into a stranger's account
      When Ben tries to transfer 1 from "Cash" to "Cash" of Ada's book
      Then Ben is refused with "not_found"
      And nothing has changed
      Given Ben's book holds the items
        | item | kind |
        | Till | cash |
      When Ben records
        | date       | entry    | item | to item | amount |
        | 2024-01-02 | transfer | Cash | Till    | 1      |
      Then the balance of Ben's "Till" is 1 USD

  @WSP-004
  Rule: A workspace argument that is not good never falls back to the default

    Scenario Outline: The workspace <argument>
      When Ada tries to use get_overview in the workspace '<argument>'
      Then Ada is refused with "<code>"
      And nothing has changed
      And Ada may use get_overview

      Examples:
        | argument                       | code                |
        | itm_01ARZ3NDEKTSV4RRFFQ69G5FAV | invalid_input       |
        | ws_01ARZ3NDEKTSV4RRFFQ69G5FAV  | workspace_not_found |
        | ws_01arz3ndektsv4rrffq69g5fav  | invalid_input       |
        |                                | invalid_input       |
        | null                           | invalid_input       |
        | ["ws_01"]                      | invalid_input       |
        | all                            | invalid_input       |
