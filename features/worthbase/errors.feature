Feature: An error says what is wrong, where, and what to do

  Source: Worthbase MCP page, "What do errors and limits look like?".

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind     |
      | Cash | cash     |
      | Acme | security |

  @ERR-001 @ERR-002 @every-revision
  Rule: Errors are tool errors with a JSON body: a machine-readable code and a message that says how to fix the problem

    Scenario Outline: <what>
      Given Ada has recorded
        | date       | entry   | item | units | amount |
        | 2024-01-02 | buy     | Acme | 10    | 100    |
        | 2024-01-02 | deposit | Cash |       | 100    |
      When she tries to preview
        | date   | entry   | item   | units   | amount   | currency   |
        | <date> | <entry> | <item> | <units> | <amount> | <currency> |
      Then she is refused with "<code>"
      And the refusal is well formed
      And nothing has changed

      Examples:
        | what                         | date       | entry   | item                           | units | amount | currency | code            |
        | More sold than held          | 2024-02-02 | sell    | Acme                           | 11    | 100    |          | oversell        |
        | An amount that is no decimal | 2024-02-02 | deposit | Cash                           |       | ten    |          | invalid_decimal |
        | An item that does not exist  | 2024-02-02 | deposit | itm_01ARZ3NDEKTSV4RRFFQ69G5FAV |       | 1      |          | not_found       |
        | A type that does not exist   | 2024-02-02 | gift    | Cash                           |       | 1      |          | invalid_input   |
        | No rate for the currency     | 1998-06-01 | deposit | Cash                           |       | 1      | EUR      | fx_missing      |

  @ERR-003
  Rule: field names the faulty field where one is at fault

    Scenario: A day that does not exist
      When Ada tries to preview
        | date       | entry   | item | amount |
        | 2024-02-30 | deposit | Cash | 1      |
      Then she is refused with "invalid_input"
      And the refusal points at "transactions[0].date"
      And nothing has changed
      When she records
        | date       | entry   | item | amount |
        | 2024-02-29 | deposit | Cash | 1      |
      Then the balance of Ada's "Cash" is 1 USD

    Scenario: A kind that does not exist
      When Ada tries to open the items
        | item  | kind  |
        | Horse | horse |
      Then she is refused with "invalid_input"
      And the refusal points at "items[0].kind"
      And nothing has changed
      When she opens the items
        | item  | kind  |
        | Horse | other |
      Then Ada's overview counts 0 accounts and 3 items

    Scenario: Owners that do not add up to 100
      When Ada tries to open the items
        | item | kind     | owners   |
        | Home | property | Ada 99.9 |
      Then she is refused with "owners_not_100"
      And the refusal points at "items[0].owners"
      And nothing has changed
      When she opens the items
        | item | kind     | owners  |
        | Home | property | Ada 100 |
      Then Ada's overview counts 0 accounts and 3 items

  @PREVIEW-008
  Rule: A preview refuses whatever recording at once would refuse, with the same code

    Scenario Outline: <what>, previewed and recorded at once
      When Ada tries to preview
        | date   | entry   | item   | units   | amount   | currency   |
        | <date> | <entry> | <item> | <units> | <amount> | <currency> |
      Then she is refused with "<code>"
      And nothing has changed
      When she tries to record at once
        | date   | entry   | item   | units   | amount   | currency   |
        | <date> | <entry> | <item> | <units> | <amount> | <currency> |
      Then she is refused with "<code>"
      And both refusals say the same
      And nothing has changed

      Examples:
        | what                        | date       | entry   | item                           | units | amount | currency | code            |
        | More sold than held         | 2024-02-02 | sell    | Acme                           | 1     | 100    |          | oversell        |
        | An item that does not exist | 2024-02-02 | deposit | itm_01ARZ3NDEKTSV4RRFFQ69G5FAV |       | 1      |          | not_found       |
        | A day that does not exist   | 2024-02-30 | deposit | Cash                           |       | 1      |          | invalid_input   |
        | A negative amount           | 2024-02-02 | deposit | Cash                           |       | -1     |          | invalid_decimal |
        | A currency without a rate   | 1998-06-01 | deposit | Cash                           |       | 1      | EUR      | fx_missing      |

    Scenario: Owners of 99.99, previewed and recorded at once
      When Ada tries to open the items
        | item | kind     | owners    |
        | Home | property | Ada 99.99 |
      Then she is refused with "owners_not_100"
      And nothing has changed
      When she tries to open at once the items
        | item | kind     | owners    |
        | Home | property | Ada 99.99 |
      Then she is refused with "owners_not_100"
      And both refusals say the same
      And nothing has changed

    Scenario: What is right is taken both ways
      When Ada previews
        | date       | entry   | item | amount |
        | 2024-02-02 | deposit | Cash | 1      |
      And she commits the preview
      And she records at once
        | date       | entry   | item | amount |
        | 2024-02-02 | deposit | Cash | 1      |
      Then the balance of Ada's "Cash" is 2 USD

  @INVARIANT-003
  Rule: A refused call leaves every figure and list as it was

    Every refusal in every feature is followed by "nothing has changed": the whole book is read before the call and after it.

    Scenario: One refusal of each writing tool
      Given Ada has recorded "the buy"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 100    |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 10    | 100    |
      When she tries to record at once
        | date       | entry | item | units | amount |
        | 2024-03-02 | sell  | Acme | 1     | 100    |
      Then she is refused with "oversell"
      And nothing has changed
      When she tries to commit a preview that never was
      Then she is refused with "preview_not_found"
      And nothing has changed
      When she tries to undo "the buy"
      Then she is refused with "would_not_replay"
      And nothing has changed
      When she tries to void
        | date       | entry | item |
        | 2024-01-02 | buy   | Acme |
      Then she is refused with "would_not_replay"
      And nothing has changed
      When she tries to check the "units and value" of "Acme" on 2024-01-31 against 10
      Then she is refused with "invalid_input"
      And nothing has changed

  @ERR-006
  Rule: record only previews unless told otherwise

    Scenario: Without the switch nothing is written
      Given Ada has noted down every figure
      When she previews
        | date       | entry   | item | amount |
        | 2024-02-02 | deposit | Cash | 1      |
      Then nothing has changed
      When she records at once
        | date       | entry   | item | amount |
        | 2024-02-02 | deposit | Cash | 1      |
      Then the book has changed

  @contract @SAFE-007
  Rule: Unknown arguments are refused

    Scenario Outline: <argument> given to <tool>
      Given Ada has recorded "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 1      |
      And Ada has previewed
        | date       | entry   | item | amount |
        | 2024-02-02 | deposit | Cash | 5      |
      When she tries to use <tool> with the argument "<argument>"
      Then she is refused with "invalid_input"
      And nothing has changed
      And Ada may use <tool>

      Examples:
        | tool          | argument |
        | whoami        | user_id  |
        | get_overview  | admin    |
        | get_net_worth | force    |
        | list_items    | admin    |
        | get_item      | force    |
        | list_batches  | user_id  |
        | record        | dryRun   |
        | commit        | confirm  |
        | undo          | force    |
        | void          | force    |
        | reconcile     | confirm  |
        | save_party    | admin    |
        | save_account  | admin    |
        | members       | force    |
        | save_workspace | owner   |

    Scenario: force given to accept_invite
      Given Ada has invited Ben as viewer
      When Ben tries to accept Ben's invite with the argument "force"
      Then Ben is refused with "invalid_input"
      And nothing has changed
      When Ben accepts the invite by its code
      Then Ben is a viewer of the book

  @ERR-011
  Rule: Every write says net worth before and after

    Scenario: One write of each tool
      Given Ada keeps a book "Heron" in USD that holds one of everything, at 7919 each
      Then each of these writes of Ada to "Heron" shows net worth before and after
        | place              |
        | commit             |
        | undo               |
        | reconcile          |
        | update_item, item  |
        | link_items, from   |
        | void, price        |
        | set_goal           |
        | set_loss           |
        | archive_item       |

  @ERR-016
  Rule: Nothing is deleted: what was undone, voided or archived can still be read

    Scenario: A batch, a row and an item that count no more
      Given Ada keeps a book "Heron" in USD that holds one of everything, at 7919 each
      Then Ada may use the ids of "Heron" at each of these places
        | place             |
        | undo              |
        | void, transaction |
        | archive_item      |
      And Ada still finds in "Heron" what was undone and archived
