@isolated @needs-control
Feature: What a workspace is paid for and who belongs to it is asked at every call, and no answer means no

  Source: Worthbase MCP page, "How does authentication work?".

  Background:
    Given it is 2026-10-30 23:59:30 UTC
    And Ada keeps a book in USD with the items
      | item | kind |
      | Cash | cash |
    And Ada has recorded
      | date       | entry   | item | amount |
      | 2024-01-01 | deposit | Cash | 90     |
    And Ada has recorded "the deposit"
      | date       | entry   | item | amount |
      | 2024-01-02 | deposit | Cash | 10     |
    And Ada has previewed
      | date       | entry   | item | amount |
      | 2024-02-02 | deposit | Cash | 5      |

  @ISO-012 @impatient
  Rule: A directory that fails closes the workspace, and opens it again when it works

    Scenario: The user directory
      When Ada tries every tool of the book while the user directory answers with each of
        | answer                       |
        | a refused connection         |
        | an error 500                 |
        | a page of HTML               |
        | an empty document            |
        | a bare null                  |
        | an answer that takes too long |
      Then every one of them is refused with "provider_unavailable"
      And nothing has changed
      When Ada commits the preview
      Then the balance of Ada's "Cash" is 105 USD

    Scenario: The subscription directory
      When Ada tries every tool of the book while the subscription directory answers with each of
        | answer                       |
        | a refused connection         |
        | an error 500                 |
        | a page of HTML               |
        | an empty document            |
        | a bare null                  |
        | an answer that takes too long |
      Then every one of them is refused with "provider_unavailable"
      And nothing has changed
      When Ada commits the preview
      Then the balance of Ada's "Cash" is 105 USD

  @WSP-005
  Rule: A workspace lapses and returns with its subscription at the next call, complete

    Scenario: Canceled, not paid, and a trial that ended a second ago
      Given Ada has noted down every figure
      When the subscription of Ada's book becomes "canceled"
      And Ada tries every tool of the book
      Then every one of them is refused with "subscription_required"
      When the subscription of Ada's book becomes "active"
      Then nothing has changed
      When the subscription of Ada's book becomes "past due"
      And Ada tries every tool of the book
      Then every one of them is refused with "subscription_required"
      When the trial of Ada's book ends on 2026-10-30
      Then nothing has changed
      When 29 seconds pass
      Then Ada may use get_overview
      When 1 second passes
      And Ada tries every tool of the book
      Then every one of them is refused with "subscription_required"
      When the subscription of Ada's book becomes "active"
      And Ada commits the preview
      Then the balance of Ada's "Cash" is 105 USD
      And Ada's book lists 4 batches

    Scenario: Another, active book of the same person goes on
      Given the subscription of Ada's book is "canceled"
      When Ada tries every tool of the book
      Then every one of them is refused with "subscription_required"
      Given Ada keeps a book named "Second" in USD
      Then Ada's net worth is 0 USD
