Feature: Prices are fetched in the background, when somebody asks and once a day unasked

  Prices of listed securities come from Yahoo Finance, those of coins from CoinGecko. A fetched price is dated with the day
  of the trade, keeps its digits, and stands in the item's currency or not at all.
  Source: Worthbase MCP page, write tools (refresh_prices) and read tools (get_overview).

  @PRICE-001 @isolated @needs-control
  Rule: A refresh is answered at once, goes on in the background, and get_overview shows how it goes

    Scenario: The market takes two seconds to answer
      Given the stock market lists
        | symbol | currency | closes                             |
        | ACME   | USD      | 12.50 on 2026-10-29, 13 on 2026-10-30 |
      And Ada keeps a book in USD with the items
        | item | kind     | symbol |
        | Acme | security | ACME   |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2026-10-01 | buy   | Acme | 10    | 100    |
        | 2026-10-01 | price | Acme |       | 10     |
      And Yahoo Finance answers with an answer after two seconds
      When Ada refreshes the prices
      Then the refresh was answered within 1 second
      And the overview of Ada's book shows a price run that is running
      And Ada's net worth is 100 USD
      And the price run of Ada's book ends without errors
      And Ada's net worth is 130 USD

  @isolated @needs-control
  Rule: A run asks for what this workspace holds, takes the market's figures as they are, and writes nothing but prices

    Background:
      Given the stock market lists
        | symbol | currency | closes                                |
        | ACME   | USD      | 12 on 2026-10-29, 123456789.123456789 on 2026-10-30 |
        | TENTH  | USD      | 0.1 on 2026-10-30                     |
        | PENCE  | GBp      | 400 on 2026-10-30                     |
        | SOLD   | USD      | 7 on 2026-10-30                       |
        | GONE   | USD      | 8 on 2026-10-30                       |
        | NEXT   | USD      | 9 on 2026-10-30                       |
        | DOLLAR | USD      | 500 on 2026-10-30                     |
      And the coin market lists
        | coin  | symbol | prices      |
        | specks | spk    | 2e-05 USD   |
      And Ben keeps a book in USD with the items
        | item      | kind     | symbol |
        | Neighbour | security | NEXT   |
      And Ben has recorded
        | date       | entry | item      | units | amount |
        | 2026-10-01 | buy   | Neighbour | 1     | 1      |
      And Ada keeps a book in USD with the items
        | item     | kind     | symbol | coin   | currency |
        | Acme     | security | ACME   |        | USD      |
        | Tenth    | security | TENTH  |        | USD      |
        | Penny    | security | PENCE  |        | GBP      |
        | Mismatch | security | DOLLAR |        | GBP      |
        | Specks   | crypto   |        | specks | USD      |
        | Sold out | security | SOLD   |        | USD      |
        | Put away | security | GONE   |        | USD      |
        | Nameless | security |        |        | USD      |
      And Ada has recorded
        | date       | entry | item     | units | amount |
        | 2026-10-01 | buy   | Acme     | 1     | 1      |
        | 2026-10-01 | buy   | Tenth    | 1     | 1      |
        | 2026-10-01 | buy   | Penny    | 1     | 1      |
        | 2026-10-01 | buy   | Mismatch | 1     | 1      |
        | 2026-10-01 | buy   | Specks   | 1     | 1      |
        | 2026-10-01 | buy   | Sold out | 1     | 1      |
        | 2026-10-02 | sell  | Sold out | 1     | 1      |
        | 2026-10-01 | buy   | Put away | 1     | 1      |
        | 2026-10-01 | buy   | Nameless | 1     | 1      |
      And Ada has archived "Put away"

    @PRICE-006 @PRICE-007 @PRICE-017
    Scenario: Eight items, of which four have a price on the market
      When Ada refreshes the prices
      Then the price run of Ada's book ends with errors about "Mismatch" alone
      And Ada's "Acme" has the prices
        | date       | price               |
        | 2026-10-30 | 123456789.123456789 |
      And Ada's "Tenth" has the prices
        | date       | price |
        | 2026-10-30 | 0.1   |
      And Ada's "Specks" has the prices
        | date       | price   |
        | 2026-10-30 | 0.00002 |
      And Ada's "Penny" is priced at 4 on 2026-10-30
      And Ada's "Mismatch" has the prices
        | date | price |
      And Yahoo Finance was asked once for each of "ACME, TENTH, PENCE, DOLLAR" and for nothing else
      And CoinGecko was asked once for each of "specks" and for nothing else
      And no service ever saw a token of Ada

    @PRICE-012 @contract
    Scenario: A preview that was open before the run can be committed after it
      Given Ada has previewed
        | date       | entry | item | units | amount |
        | 2026-10-05 | buy   | Acme | 2     | 2      |
      And Ada has had the prices refreshed
      Then Ada's book lists 3 batches
      When Ada commits the preview
      Then Ada's book lists 4 batches
      And Ada's "Acme" holds 3 units at a cost of 3 USD

    @PRICE-013
    Scenario: A fetched price that is voided counts no more, and may come again
      Given Ada has recorded
        | date       | entry | item | amount |
        | 2026-10-20 | price | Acme | 5      |
      And Ada has had the prices refreshed
      Then Ada's "Acme" is priced at 123456789.123456789 on 2026-10-30
      When Ada voids
        | date       | entry | item |
        | 2026-10-30 | price | Acme |
      Then Ada's "Acme" is priced at 5 on 2026-10-20
      When 15 minutes pass
      And Ada has the prices refreshed
      Then Ada's "Acme" is priced at 123456789.123456789 on 2026-10-30

  @PRICE-008 @isolated @needs-control
  Rule: A fetched price carries the day of the trade, not the day on which it was fetched

    Scenario: Fetched on a Sunday
      Given it is 2026-11-01 12:00:00 UTC
      And the stock market lists
        | symbol | currency | time zone        | closes                                |
        | ACME   | USD      | America/New_York | 12 on 2026-10-29, 13.5 on 2026-10-30  |
      And Ada keeps a book in USD with the items
        | item | kind     | symbol |
        | Acme | security | ACME   |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2026-10-01 | buy   | Acme | 10    | 100    |
        | 2026-10-01 | price | Acme |       | 10     |
      When Ada refreshes the prices
      Then the price run of Ada's book ends without errors
      And Ada's "Acme" has the prices
        | date       | price |
        | 2026-10-01 | 10    |
        | 2026-10-30 | 13.5  |
      And Ada's net worth on 2026-10-29 is 100 USD
      And Ada's net worth on 2026-10-30 is 135 USD

  @PRICE-004 @isolated @needs-control
  Rule: Prices are fetched once a day without being asked, beside the runs that are asked for

    Scenario: A day passes, and on it somebody asks as well
      Given the stock market lists
        | symbol | currency | closes                             |
        | ACME   | USD      | 13 on 2026-10-30, 14.5 on 2026-10-31 |
      And Ada keeps a book in USD with the items
        | item | kind     | symbol |
        | Acme | security | ACME   |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2026-10-01 | buy   | Acme | 10    | 100    |
      When 1 day passes
      Then a price run of Ada's book that nobody asked for ends without errors
      And Yahoo Finance was asked once for each of "ACME" and for nothing else
      And Ada's "Acme" has the prices
        | date       | price |
        | 2026-10-31 | 14.5  |
      When Ada refreshes the prices
      Then the price run of Ada's book ends without errors
      When Ada tries to refresh the prices
      Then she is refused with "rate_limited"
      And nothing has changed
