Feature: A user makes workspaces, and acts in their default one unless another is named

  Source: Worthbase MCP page, read tools (whoami) and write tools (save_workspace).

  @WSP-001
  Rule: whoami shows the user, workspaces with roles, the default workspace and waiting invites

    Scenario: Two workspaces and one invite
      Given Ada keeps a book named "Home" in USD
      And Ada keeps a book named "Firm" in EUR
      And Ben keeps a book named "Family" in AUD
      And Ben has invited Ada as viewer
      Then Ada sees the workspaces
        | name | role  | currency |
        | Home | admin | USD      |
        | Firm | admin | EUR      |
      And Ada's default workspace is one of them
      And 1 invite waits for Ada
      And Ben sees the workspaces
        | name   | role  | currency |
        | Family | admin | AUD      |
      And 0 invites wait for Ben

  @WSP-002
  Rule: save_workspace creates a workspace or renames one

    Scenario: A new workspace is empty and usable at once; renamed it keeps its figures
      Given Ada keeps a book named "Old" in USD
      Then Ada's net worth is 0 USD
      And Ada's overview counts 0 accounts and 0 items
      Given Ada's book holds the items
        | item | kind |
        | Cash | cash |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 12.50  |
      When Ada renames the book to "New"
      Then Ada sees the workspaces
        | name | role  | currency |
        | New  | admin | USD      |
      And Ada's net worth is 12.50 USD
      And the balance of Ada's "Cash" is 12.50 USD

  @WSP-003
  Rule: Without workspace every tool acts in the caller's own default

    Scenario: Two users with different defaults
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 11     |
      And Ben keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ben has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 13     |
      Then without a workspace each of Ada's tools answers as in the default one
        | tool          |
        | get_overview  |
        | get_net_worth |
        | list_items    |
        | get_item      |
        | list_batches  |
      And without a workspace each of Ben's tools answers as in the default one
        | tool          |
        | get_overview  |
        | get_net_worth |
        | list_items    |
        | get_item      |
        | list_batches  |
      And Ada's net worth is 11 USD
      And Ben's net worth is 13 USD
      Given Ada keeps a book named "Second" in USD
      Then Ada's net worth is 0 USD

  @contract @WSP-006
  Rule: The base currency is fixed at creation

    Scenario: Another currency for an existing book, and a currency that is none
      Given Ada keeps a book named "Home" in USD
      When Ada tries to rename the book to "Home" in EUR
      Then Ada is refused with "invalid_input"
      And nothing has changed
      When Ada tries to make a book in ZZZ
      Then Ada is refused with "invalid_input"
      And nothing has changed
      When Ada renames the book to "House"
      Then Ada sees the workspaces
        | name  | currency |
        | House | USD      |

  @contract @WSP-007
  Rule: The creator is its admin, and a new workspace is on trial

    Scenario: A first workspace
      Given Ada keeps a book named "Home" in USD
      Then Ada sees the workspaces
        | name | role  | subscription |
        | Home | admin | trialing     |

  @WSP-008
  Rule: A user without workspace is told to create one and sees nobody's data

    Scenario: The first call of a new user
      Given Ada keeps a book in USD
      And Ben has signed in
      When Ben tries to read an overview without any book
      Then Ben is refused with "workspace_not_found"
      And Ben sees no workspace
      Given Ben keeps a book in USD
      Then Ben may use get_overview

  @WSP-011
  Rule: Workspace names are free text, kept as given, and need not be unique

    Scenario: Two books of one name, and one in other letters
      Given Ada keeps a book named "Home" in USD
      And Ada keeps a book named "Home" in USD
      And Ada keeps a book named "Größe 家 🏠" in USD
      Then Ada sees the workspaces
        | name      |
        | Home      |
        | Home      |
        | Größe 家 🏠 |
      When Ada tries to rename the book to ""
      Then Ada is refused with "invalid_input"
      And nothing has changed
      When Ada renames the book to "x"
      Then Ada sees the workspaces
        | name |
        | Home |
        | Home |
        | x    |

  @WSP-009
  Rule: Losing the default workspace never makes it readable by leaving the workspace out

    Scenario: Removed from the book that was the default, with and without a book of one's own
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ben is a viewer of Ada's book
      And Cleo is a viewer of Ada's book
      Then Ben's default workspace is the book before them
      And without a workspace each of Ben's tools answers as in the default one
        | tool         |
        | get_overview |
      And without a workspace each of Cleo's tools answers as in the default one
        | tool         |
        | get_overview |
      Given Ben keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      When Ada removes Ben
      And Ada removes Cleo
      Then Ben's default workspace is the book before them
      And without a workspace each of Ben's tools answers as in the default one
        | tool          |
        | get_overview  |
        | get_net_worth |
        | list_items    |
        | get_item      |
        | list_batches  |
      When Cleo tries to read an overview without any book
      Then Cleo is refused with "workspace_not_found"
      And Cleo sees no workspace

  @WSP-003
  Rule: A further workspace does not change where calls without one go

    Scenario: A second book, and membership of a third
      Given Ada keeps a book named "First" in USD
      And Ada keeps a book named "Second" in USD
      And Ben keeps a book in USD
      And Ada is a viewer of Ben's book
      Then Ada's default workspace is the one named "First"

  @WSP-010
  Rule: Workspaces share no names, references, parties, prices or batches

    Scenario: The same names and references in two books of one person
      Given Ada keeps a book named "First" in USD
      And Ada's book knows the accounts
        | account | kind |
        | Bank    | bank |
      And Ada's book holds the items
        | item | kind     | account |
        | Cash | cash     | Bank    |
        | Acme | security | Bank    |
      And Ada has recorded
        | date       | entry   | item | amount | units | reference |
        | 2024-01-02 | deposit | Cash | 11     |       | ref-1     |
        | 2024-01-02 | buy     | Acme | 100    | 10    | ref-2     |
        | 2024-01-02 | price   | Acme | 12     |       | ref-3     |
      And Ada keeps a book named "Second" in USD
      And Ada has noted down every figure
      And Ada's book knows the accounts
        | account | kind |
        | Bank    | bank |
      And Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada's book holds the items
        | item | kind     | account | owners |
        | Cash | cash     | Bank    | Trust 100 |
        | Acme | security | Bank    | Trust 100 |
      And Ada has recorded
        | date       | entry   | item | amount | units | reference |
        | 2024-01-02 | deposit | Cash | 13     |       | ref-1     |
        | 2024-01-02 | buy     | Acme | 50     | 10    | ref-2     |
        | 2024-01-02 | price   | Acme | 6      |       | ref-3     |
      Then only the book before Ada has changed
      And Ada's net worth is 73 USD

  @ROLE-012 @TOOL-020
  Rule: workspace all gives the caller's own share over all their workspaces, and nothing of anybody else's

    Scenario: A whole book, and half of a house in another
      Given Ada keeps a book named "First" in USD
      And Ada's book holds the items
        | item | kind |
        | Cash | cash |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 1000   |
      And Ada keeps a book named "Second" in USD
      And Ada's book knows the parties
        | party  | kind       |
        | Spouse | individual |
      And Ada's book holds the items
        | item  | kind     | owners             |
        | House | property | Ada 50, Spouse 50  |
        | Loan  | loan     | Ada 25, Spouse 75  |
      And Ada has recorded
        | date       | entry           | item  | amount |
        | 2024-01-02 | valuation       | House | 600    |
        | 2024-01-02 | opening balance | Loan  | 200    |
      And Ben keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ben has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 77777  |
      Then Ada's own share of all workspaces on 2024-06-30 is
        | assets | liabilities | net worth | currency |
        | 1300   | 50          | 1250      | USD      |
      And Ben's own share of all workspaces on 2024-06-30 is
        | assets | liabilities | net worth | currency |
        | 77777  | 0           | 77777     | USD      |
