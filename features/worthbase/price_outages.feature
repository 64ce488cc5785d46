@isolated @needs-control
Feature: A market that is down or talks nonsense changes no price, and the run says so

  A price that cannot be had stays what it was, with its old date, until it is stale. It never becomes zero.
  Source: ledger rules s4; Worthbase MCP page, read tools (get_overview).

  Background:
    Given the stock market lists
      | symbol | currency | closes             |
      | ACME   | USD      | 12 on 2026-10-30   |
      | BOLT   | USD      | 20.5 on 2026-10-30 |
      | CROW   | USD      | 30 on 2026-10-30   |
    And the coin market lists
      | coin  | prices  |
      | specks | 0.5 USD |
    And Ada keeps a book in USD with the items
      | item   | kind     | symbol | coin   |
      | Acme   | security | ACME   |        |
      | Specks | crypto   |        | specks |
    And Ada has recorded
      | date       | entry | item   | units | amount |
      | 2026-10-01 | buy   | Acme   | 10    | 100    |
      | 2026-10-20 | price | Acme   |       | 10.50  |
      | 2026-10-01 | buy   | Specks | 10    | 4      |
      | 2026-10-20 | price | Specks |       | 0.4    |

  @PRICE-005
  Rule: A provider that is down or answers nonsense changes no price

    Scenario: Everything that can go wrong with the stock market
      When Ada has the prices refreshed while Yahoo Finance answers with each of
        | answer                          |
        | a refused connection            |
        | an error 429                    |
        | an error 500                    |
        | a page of HTML                  |
        | an empty body                   |
        | an empty document               |
        | a document cut in the middle    |
        | a null for a price              |
        | a price that is no number       |
        | a figure below zero             |
        | a price in another currency     |
      Then each run of Ada's book ended with errors about "Acme" alone
      And after each run Ada's "Acme" had the prices
        | date       | price |
        | 2026-10-20 | 10.50 |
      And "Acme" is flagged as stale in Ada's net worth on 2026-10-30
      And Ada's net worth is 110 USD
      When Ada has the prices refreshed
      Then the price run of Ada's book ends without errors
      And Ada's net worth is 125 USD

    @impatient
    Scenario: A price of another instrument, a flood, and no answer in time
      When Ada has the prices refreshed while Yahoo Finance answers with each of
        | answer                          |
        | the price of another instrument |
        | five megabytes of nonsense      |
        | an answer that takes too long   |
      Then each run of Ada's book ended with errors about "Acme" alone
      And after each run Ada's "Acme" had the prices
        | date       | price |
        | 2026-10-20 | 10.50 |

    Scenario: Everything that can go wrong with the market of coins
      When Ada has the prices refreshed while CoinGecko answers with each of
        | answer                          |
        | a refused connection            |
        | an error 429                    |
        | an error 500                    |
        | a page of HTML                  |
        | an empty body                   |
        | an empty document               |
        | a null for a price              |
        | a price that is no number       |
        | a figure below zero             |
        | the price of another instrument |
        | a price in another currency     |
      Then each run of Ada's book ended with errors about "Specks" alone
      And after each run Ada's "Specks" had the prices
        | date       | price |
        | 2026-10-20 | 0.4   |
      When Ada has the prices refreshed
      Then the price run of Ada's book ends without errors
      And Ada's net worth is 125 USD

  @PRICE-016
  Rule: One instrument without a price does not spoil the others

    Scenario: Three securities, one of which the market does not know
      Given Ada's book holds the items
        | item    | kind     | symbol  |
        | Bolt    | security | BOLT    |
        | Unheard | security | UNHEARD |
        | Crow    | security | CROW    |
      And Ada has recorded
        | date       | entry | item    | units | amount |
        | 2026-10-01 | buy   | Bolt    | 1     | 20     |
        | 2026-10-01 | buy   | Unheard | 1     | 20     |
        | 2026-10-01 | buy   | Crow    | 1     | 20     |
      When Ada refreshes the prices
      Then the price run of Ada's book ends with errors about "Unheard" alone
      And Ada's "Bolt" has the prices
        | date       | price |
        | 2026-10-30 | 20.5  |
      And Ada's "Crow" has the prices
        | date       | price |
        | 2026-10-30 | 30    |
      And Ada's "Unheard" has the prices
        | date | price |
