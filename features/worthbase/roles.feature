Feature: Viewers read, editors write data, admins also manage parties, accounts and members

  A token acts as its user, with that user's role in each workspace; the role is looked up at every call.
  Source: Worthbase MCP page, "How does authentication work?" and "Which tools does the server expose?".

  Rule: Each role may use exactly its tools

    A tool that is refused leaves the book as it was: its overview and its batches are read again after each refusal.

    Scenario Outline: A member with the role <role>
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Cash | cash     |
        | Acme | security |
        | Loan | loan     |
      And Ada has recorded
        | date       | entry   | item | units | amount |
        | 2024-01-01 | deposit | Cash |       | 90     |
        | 2024-01-01 | buy     | Acme | 5     | 50     |
        | 2024-01-01 | price   | Acme |       | 11     |
      And Ada has recorded "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 10     |
      And Ben is a <role> of Ada's book
      And <previewer> has previewed
        | date       | entry   | item | amount |
        | 2024-02-02 | deposit | Cash | 5      |
      When Ben tries each tool in Ada's book
        | tool                 |
        | whoami               |
        | get_overview         |
        | get_net_worth        |
        | get_history          |
        | list_items           |
        | get_item             |
        | get_performance      |
        | get_debt_report      |
        | get_goals            |
        | get_losses           |
        | simulate_sale        |
        | list_batches         |
        | search_instruments   |
        | record               |
        | commit               |
        | record at once       |
        | ask about undo       |
        | reconcile            |
        | update_item          |
        | set_owners           |
        | link_items           |
        | set_goal             |
        | set_loss             |
        | refresh_prices       |
        | archive_item         |
        | record a new account |
        | save_party           |
        | save_account         |
        | members              |
        | rename the workspace |
        | undo                 |
        | void                 |
        | create a workspace   |
      Then each tool answered as it does for a <role>
        | tool                 | viewer | editor | admin |
        | whoami               | yes    | yes    | yes   |
        | get_overview         | yes    | yes    | yes   |
        | get_net_worth        | yes    | yes    | yes   |
        | get_history          | yes    | yes    | yes   |
        | list_items           | yes    | yes    | yes   |
        | get_item             | yes    | yes    | yes   |
        | get_performance      | yes    | yes    | yes   |
        | get_debt_report      | yes    | yes    | yes   |
        | get_goals            | yes    | yes    | yes   |
        | get_losses           | yes    | yes    | yes   |
        | simulate_sale        | yes    | yes    | yes   |
        | list_batches         | yes    | yes    | yes   |
        | search_instruments   | yes    | yes    | yes   |
        | record               | no     | yes    | yes   |
        | commit               | no     | yes    | yes   |
        | record at once       | no     | yes    | yes   |
        | ask about undo       | no     | yes    | yes   |
        | reconcile            | no     | yes    | yes   |
        | update_item          | no     | yes    | yes   |
        | set_owners           | no     | yes    | yes   |
        | link_items           | no     | yes    | yes   |
        | set_goal             | no     | yes    | yes   |
        | set_loss             | no     | yes    | yes   |
        | refresh_prices       | no     | yes    | yes   |
        | archive_item         | no     | yes    | yes   |
        | record a new account | no     | no     | yes   |
        | save_party           | no     | no     | yes   |
        | save_account         | no     | no     | yes   |
        | members              | no     | no     | yes   |
        | rename the workspace | no     | no     | yes   |
        | undo                 | no     | yes    | yes   |
        | void                 | no     | yes    | yes   |
        | create a workspace   | yes    | yes    | yes   |

      @ROLE-003
      Examples: Reads, and nothing else
        | role   | previewer |
        | viewer | Ada       |

      @ROLE-004 @ROLE-006
      Examples: Writes data
        | role   | previewer |
        | editor | Ben       |

      @ROLE-005
      Examples: Manages
        | role  | previewer |
        | admin | Ben       |

  @ROLE-001
  Rule: Rights are looked up per workspace: what a user may do in one says nothing about another

    Scenario: Admin of one book, viewer of another
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ben is a viewer of Ada's book
      When Ben tries to record at once
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 10     |
      Then Ben is refused with "forbidden"
      And nothing has changed
      Given Ben keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      When Ben records at once
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 10     |
      Then the balance of Ben's "Cash" is 10 USD

  @ROLE-002 @MEMBER-006
  Rule: The role is checked on every call, so a change counts at once, in both directions

    Scenario: An editor is made a viewer between two calls, and an editor again
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ben is a viewer of Ada's book
      And Ada has made Ben an editor
      When Ben records
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 10     |
      And Ada makes Ben a viewer
      And Ben tries to preview
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 20     |
      Then Ben is refused with "forbidden"
      And nothing has changed
      And Ben's net worth is 10 USD

  @ROLE-008
  Rule: Without an active trial or subscription a workspace can be neither read nor changed

    Scenario Outline: A subscription that is <state>
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ada has recorded "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 10     |
      And Ada has previewed
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 5      |
      And Ada has noted down every figure
      And the subscription of Ada's book is "<state>"
      When Ada tries to use <tool>
      Then Ada is refused with "subscription_required"
      And Ada may use whoami
      And Ada may use save_workspace
      When the subscription of Ada's book becomes "active"
      Then nothing has changed
      And Ada may use get_overview

      Examples:
        | state    | tool          |
        | canceled | get_overview  |
        | canceled | get_net_worth |
        | past due | list_items    |
        | past due | get_item      |
        | expired  | list_batches  |
        | expired  | record        |
        | expired  | commit        |
        | canceled | undo          |
        | canceled | void          |
        | canceled | reconcile     |
        | past due | save_party    |
        | past due | save_account  |
        | past due | members       |

    Scenario: Another, active workspace of the same user still works
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And the subscription of Ada's book is "canceled"
      When Ada tries to use get_overview
      Then Ada is refused with "subscription_required"
      Given Ada keeps a book named "Second" in USD
      Then Ada may use get_overview
