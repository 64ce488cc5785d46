Feature: Net worth on a date counts what was held that day, at the last value known by then

  Source: Worthbase MCP page, read tools (get_net_worth). What counts on a date is convention: the latest price or valuation
  on or before the day, nothing dated after it.

  Rule: A mixed book on a Sunday

    @NW-001 @NW-004
    Scenario: Cash, shares, a foreign fund, bitcoin, a home and a loan on 2024-06-30
      Given Ada keeps a book in AUD with the items
        | item | kind     | currency |
        | Cash | cash     | AUD      |
        | VAS  | security | AUD      |
        | VOO  | security | USD      |
        | BTC  | crypto   | AUD      |
        | Home | property | AUD      |
        | Loan | loan     | AUD      |
      When she records
        | date       | entry           | item | units      | amount    |
        | 2024-01-15 | deposit         | Cash |            | 12500.50  |
        | 2024-02-01 | buy             | VAS  | 120        | 10500     |
        | 2024-02-01 | buy             | VOO  | 10.5       | 4900      |
        | 2024-03-01 | buy             | BTC  | 0.00350000 | 300       |
        | 2020-05-01 | buy             | Home |            | 700000    |
        | 2023-07-01 | opening balance | Loan |            | 420000    |
        | 2024-03-31 | repayment       | Loan |            | 7654.33   |
        | 2024-05-31 | price           | VAS  |            | 90.00     |
        | 2024-06-28 | price           | VAS  |            | 91.37     |
        | 2024-07-01 | price           | VAS  |            | 95.00     |
        | 2024-06-28 | price           | VOO  |            | 500.13    |
        | 2024-06-30 | price           | BTC  |            | 91234.56  |
        | 2024-03-31 | valuation       | Home |            | 850000    |
        | 2024-07-15 | valuation       | Home |            | 900000    |
      Then Ada's figures on 2024-06-30 are
        | assets                   | liabilities | net worth                | investable              | cash    | partial |
        | ≈ 881671.815339729098551 | 412345.67   | ≈ 469326.145339729098551 | ≈ 31671.815339729098551 | 12500.5 | no      |
      And Ada's breakdown by item on 2024-06-30 is
        | name | side      | value                | price date | value date |
        | Cash | asset     | 12500.5              |            | 2024-01-15 |
        | VAS  | asset     | 10964.4              | 2024-06-28 | 2024-06-28 |
        | VOO  | asset     | ≈ 7887.594379729099  | 2024-06-28 | 2024-06-28 |
        | BTC  | asset     | 319.32096            | 2024-06-30 | 2024-06-30 |
        | Home | asset     | 850000               |            | 2024-03-31 |
        | Loan | liability | 412345.67            |            | 2024-03-31 |
      And Ada's "VAS" is worth 11400 on 2024-07-01

  @NW-002
  Rule: It breaks down by class, kind, party, account or item, and every breakdown adds up

    Scenario: Items with and without an account, shared by two owners
      Given Ada keeps a book in USD
      And Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada's book knows the accounts
        | account | kind      |
        | Broker  | brokerage |
      And Ada's book holds the items
        | item | kind     | account | class | owners           |
        | Cash | cash     | Broker  |       | Ada 100          |
        | Acme | security | Broker  | bonds | Ada 50, Trust 50 |
        | Home | property |         |       | Ada 60, Trust 40 |
        | Loan | loan     |         |       | Trust 100        |
      When she records
        | date       | entry           | item | units | amount |
        | 2024-01-02 | deposit         | Cash |       | 100.01 |
        | 2024-01-02 | buy             | Acme | 3     | 30     |
        | 2024-01-02 | price           | Acme |       | 11.11  |
        | 2024-01-02 | valuation       | Home |       | 1000   |
        | 2024-01-02 | opening balance | Loan |       | 400    |
      Then Ada's breakdown by class on 2024-01-31 is
        | name     | side      | value  |
        | cash     | asset     | 100.01 |
        | bonds    | asset     | 33.33  |
        | property | asset     | 1000   |
        | debt     | liability | 400    |
      And Ada's breakdown by account on 2024-01-31 is
        | name    | side      | value  |
        | Broker  | asset     | 133.34 |
        | (none) | asset     | 1000   |
        | (none) | liability | 400    |
      And Ada's breakdown by party on 2024-01-31 is
        | name  | side      | value   |
        | Ada   | asset     | 716.675 |
        | Trust | asset     | 416.665 |
        | Trust | liability | 400     |
      And every breakdown of Ada's book on 2024-01-31 adds up

  @NW-003
  Rule: Nothing dated after the asked day counts, and the day itself does

    Scenario: A deposit and a price of the day and of the day after
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Cash | cash     |
        | Acme | security |
      When she records
        | date       | entry   | item | units | amount |
        | 2024-01-02 | buy     | Acme | 10    | 100    |
        | 2024-01-30 | price   | Acme |       | 10     |
        | 2024-01-31 | deposit | Cash |       | 5      |
        | 2024-01-31 | price   | Acme |       | 11     |
        | 2024-02-01 | deposit | Cash |       | 7      |
        | 2024-02-01 | price   | Acme |       | 12     |
      Then Ada's net worth on 2024-01-30 is 100 USD
      And Ada's net worth on 2024-01-31 is 115 USD
      And Ada's net worth on 2024-02-01 is 132 USD

  @NW-005 @POS-006
  Rule: A held item without any price is null and named, and the total is partial

    Scenario: Shares that nobody has priced
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Cash | cash     |
        | Acme | security |
      When she records
        | date       | entry   | item | units | amount |
        | 2024-01-01 | deposit | Cash |       | 500    |
        | 2024-01-02 | buy     | Acme | 10    | 1000   |
      Then "Acme" is missing from Ada's net worth on 2024-01-31
      And Ada's figures on 2024-01-31 are
        | assets | net worth | partial |
        | 500    | 500       | yes     |
      And Ada's list of items shows
        | item | value | unrealised gain | cost base |
        | Cash | 500   |                 |           |
        | Acme |       |                 | 1000      |

  @NW-006
  Rule: An item of which nothing is held needs no price

    Scenario: Shares that were sold
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Acme | security |
      When she records
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
        | 2024-01-09 | sell  | Acme | 10    | 900    |
      Then nothing is missing from Ada's net worth on 2024-01-31
      And Ada's net worth on 2024-01-31 is 0 USD

  @NW-007
  Rule: Values are converted at the rate of the report date

    Scenario: A price of February is converted at the rate of June
      Given Ada keeps a book in AUD with the items
        | item | kind     | currency |
        | Acme | security | USD      |
      When she records
        | date       | entry | item | units | amount |
        | 2024-02-29 | buy   | Acme | 10    | 1000   |
        | 2024-02-29 | price | Acme |       | 100    |
      Then Ada's figures on 2024-06-28 are
        | net worth              |
        | ≈ 1502.008407286314806 |

  @NW-008
  Rule: Prices before a split go with the units before it

    Scenario: Ten for one
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Acme | security |
      When she records
        | date       | entry | item | units | amount | to | from |
        | 2024-01-29 | buy   | Acme | 1     | 631.60 |    |      |
        | 2024-01-29 | price | Acme |       | 631.60 |    |      |
        | 2024-06-10 | split | Acme |       |        | 10 | 1    |
        | 2024-06-10 | price | Acme |       | 121.79 |    |      |
      Then Ada's net worth on 2024-06-09 is 631.6 USD
      And Ada's net worth on 2024-06-10 is 1217.9 USD

  @contract @NW-020
  Rule: Stale figures are flagged, still counted, and do not make a total partial

    Scenario: A valuation of the year before
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Home | property |
      When she records
        | date       | entry     | item | amount |
        | 2023-01-01 | valuation | Home | 500000 |
      Then Ada's figures on 2024-01-01 are
        | net worth | partial |
        | 500000    | no      |
      And "Home" is flagged as stale in Ada's net worth on 2024-01-01

  @NW-019
  Rule: A business or other item without valuation is missing, whatever was paid for it

    Scenario: A business bought for 590,000
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Shop | business |
      When she records
        | date       | entry | item | amount |
        | 2024-01-02 | buy   | Shop | 590000 |
      Then "Shop" is missing from Ada's net worth on 2024-01-31
      When she records
        | date       | entry     | item | amount |
        | 2024-01-31 | valuation | Shop | 600000 |
      Then Ada's "Shop" is worth 600000 on 2024-01-31
      And nothing is missing from Ada's net worth on 2024-01-31

  @NW-017
  Rule: The headline of the overview is the net worth of today

    Scenario: Also with an item that has no price
      Given Ada keeps a book in AUD with the items
        | item | kind     | currency |
        | Cash | cash     | AUD      |
        | VOO  | security | USD      |
        | Acme | security | AUD      |
        | Loan | loan     | AUD      |
      When she records
        | date       | entry           | item | units | amount |
        | 2024-01-02 | deposit         | Cash |       | 100.01 |
        | 2024-01-02 | buy             | VOO  | 1.5   | 600    |
        | 2024-01-02 | price           | VOO  |       | 500.13 |
        | 2024-01-02 | buy             | Acme | 1     | 10     |
        | 2024-01-02 | opening balance | Loan |       | 40     |
      Then the headline of Ada's overview is the net worth of today
