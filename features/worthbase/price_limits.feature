Feature: Prices may be asked for once in fifteen minutes per workspace, whoever asks

  Source: Worthbase MCP page, "What do errors and limits look like?".

  @PRICE-002 @PRICE-014 @ERR-008 @ERR-010 @isolated @needs-control
  Rule: One run in fifteen minutes, counted for the workspace, with the right time to wait, refused as a tool error

    Scenario: Two editors of one book, and another book
      Given Ben keeps a book in USD with the items
        | item | kind |
        | Till | cash |
      And Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Cleo is an editor of Ada's book
      When Ada refreshes the prices
      Then the price run of Ada's book ends without errors
      When 5 minutes pass
      And Cleo tries to refresh the prices
      Then Cleo is refused with "rate_limited"
      And the refusal is well formed
      And she is told to wait 600 seconds
      And nothing has changed
      When Ben refreshes the prices
      Then the price run of Ben's book ends without errors
      When 599 seconds pass
      And Ada tries to refresh the prices
      Then Ada is refused with "rate_limited"
      And nothing has changed
      When 1 second passes
      And Cleo refreshes the prices
      Then the price run of Cleo's book ends without errors

    Scenario: One person with two books
      Given Ada keeps a book named "First" in USD
      And Ada has had the prices refreshed
      And Ada keeps a book named "Second" in USD
      When Ada refreshes the prices
      Then the price run of Ada's book ends without errors

  @PRICE-015 @isolated @needs-control
  Rule: Of many refreshes at once one starts a run

    Scenario: Twenty at once
      Given the stock market lists
        | symbol | currency | closes           |
        | ACME   | USD      | 12 on 2026-10-30 |
      And Ada keeps a book in USD with the items
        | item | kind     | symbol |
        | Acme | security | ACME   |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2026-10-01 | buy   | Acme | 10    | 100    |
      When Ada refreshes the prices from 20 connections at once
      Then exactly one of them is accepted
      And the others are refused with "rate_limited"
      And the price run of Ada's book ends without errors
      And Yahoo Finance was asked once for each of "ACME" and for nothing else
      And Ada's net worth is 120 USD
