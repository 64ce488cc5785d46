Feature: Items are shown with what they are, what they cost and what they are worth

  Source: Worthbase MCP page, read tools (list_items, get_item, get_overview).

  @POS-001 @POS-003
  Rule: Every asset and liability is listed with its position; value is units times price, unrealised gain is value less cost

    Scenario: One item of each kind
      Given Ada keeps a book in USD with the items
        | item     | kind            | notes           |
        | Acme     | security        | at the broker   |
        | Bitcoin  | crypto          |                 |
        | Cash     | cash            |                 |
        | Home     | property        | 12 Example Road |
        | Shop     | business        |                 |
        | Painting | other           |                 |
        | Pension  | retirement      |                 |
        | Mortgage | loan            |                 |
        | Card     | other_liability |                 |
      When she records
        | date       | entry           | item     | units      | amount    | fees |
        | 2024-01-10 | buy             | Acme     | 100        | 1000      | 10   |
        | 2026-10-29 | price           | Acme     |            | 12.50     |      |
        | 2024-01-10 | opening balance | Bitcoin  | 0.00350000 | 100       |      |
        | 2026-10-29 | price           | Bitcoin  |            | 60000     |      |
        | 2026-10-29 | deposit         | Cash     |            | 500.00    |      |
        | 2024-01-10 | buy             | Home     |            | 300000    | 1000 |
        | 2026-10-01 | valuation       | Home     |            | 350000    |      |
        | 2024-01-10 | opening balance | Shop     |            | 4000      |      |
        | 2026-10-01 | valuation       | Shop     |            | 5000      |      |
        | 2024-01-10 | opening balance | Painting |            | 200       |      |
        | 2026-10-01 | valuation       | Painting |            | 250       |      |
        | 2024-01-10 | opening balance | Pension  |            | 900       |      |
        | 2023-10-01 | valuation       | Pension  |            | 1000      |      |
        | 2026-10-01 | opening balance | Mortgage |            | 200000    |      |
        | 2026-10-01 | opening balance | Card     |            | 30        |      |
      Then Ada's list of items shows
        | item     | kind            | units  | price | value  | cost base | unrealised gain | stale | notes           |
        | Acme     | security        | 100    | 12.5  | 1250   | 1010      | 240             | no    | at the broker   |
        | Bitcoin  | crypto          | 0.0035 | 60000 | 210    | 100       | 110             | no    |                 |
        | Cash     | cash            |        |       | 500    |           |                 | no    |                 |
        | Home     | property        |        |       | 350000 | 301000    | 49000           | no    | 12 Example Road |
        | Shop     | business        |        |       | 5000   | 4000      | 1000            | no    |                 |
        | Painting | other           |        |       | 250    | 200       | 50              | no    |                 |
        | Pension  | retirement      |        |       | 1000   | 900       | 100             | yes   |                 |
        | Mortgage | loan            |        |       | 200000 |           |                 | no    |                 |
        | Card     | other_liability |        |       | 30     |           |                 | no    |                 |
      And Ada's "Mortgage" is owned by
        | party | percent |
        | Ada   | 100     |

  @POS-011
  Rule: Figures of a foreign item are in its currency, and base figures are labelled as such

    Scenario: A dollar fund in an Australian book
      Given Ada keeps a book in AUD with the items
        | item | kind     | currency |
        | VOO  | security | USD      |
      When she records
        | date       | entry | item | units | amount |
        | 2024-02-01 | buy   | VOO  | 10.5  | 4900   |
        | 2024-06-28 | price | VOO  |       | 500.13 |
      Then Ada's list of items shows
        | item | price  | value    | cost base | currency | base currency |
        | VOO  | 500.13 | 5251.365 | 4900      | USD      | AUD           |

  @POS-013
  Rule: The dates of the price and of the value are shown and are those used

    Scenario: A price of May and a valuation of March, asked for in June
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Acme | security |
        | Home | property |
      When she records
        | date       | entry     | item | units | amount |
        | 2024-02-01 | buy       | Acme | 10    | 90     |
        | 2024-05-31 | price     | Acme |       | 9      |
        | 2024-06-29 | price     | Acme |       | 10     |
        | 2024-03-31 | valuation | Home |       | 850000 |
      Then Ada's breakdown by item on 2024-06-28 is
        | name | value  | price date | value date |
        | Acme | 90     | 2024-05-31 | 2024-05-31 |
        | Home | 850000 |            | 2024-03-31 |

  @POS-014
  Rule: Balances on a date are those of the close of the day

    Scenario: Three movements of one day
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      When she records
        | date       | entry      | item | amount |
        | 2024-01-05 | deposit    | Cash | 100    |
        | 2024-01-05 | withdrawal | Cash | 30     |
        | 2024-01-05 | interest   | Cash | 1      |
      Then Ada's net worth on 2024-01-04 is 0 USD
      And Ada's "Cash" is worth 71 on 2024-01-05
      And the balance of Ada's "Cash" is 71 USD

  @POS-004
  Rule: The overview gives parties, accounts, counts, net worth, stale items, open mismatches, price run and recent batches

    Scenario: A book with one of each, read by its keeper and by a viewer
      Given Ada keeps a book in USD
      And Ada's book knows the accounts
        | account | kind |
        | Bank    | bank |
      And Ada's book holds the items
        | item | kind     | account |
        | Cash | cash     | Bank    |
        | Home | property |         |
        | Loan | loan     |         |
      And Ada has recorded
        | date       | entry           | item | amount |
        | 2026-10-29 | deposit         | Cash | 100    |
        | 2023-01-01 | valuation       | Home | 1000   |
        | 2026-10-29 | opening balance | Loan | 400    |
        | 2026-10-29 | check           | Cash | 90     |
      And Ben is a viewer of Ada's book
      Then Ada's overview is complete
        | parties | accounts | assets | liabilities | net worth | stale | mismatches | price run | batches |
        | Ada     | Bank     | 2      | 1           | 700       | Home  | Cash       | never     | 3       |
      And Ben's overview is complete
        | parties | accounts | assets | liabilities | net worth | stale | mismatches | price run | batches |
        | Ada     | Bank     | 2      | 1           | 700       | Home  | Cash       | never     | 3       |
      And the headline of Ada's overview is the net worth of today

  @POS-005
  Rule: Open lots add up to the units and the cost of the position

    Scenario: Three purchases, a sale and a split
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Acme | security |
      When she records
        | date       | entry | item | units | amount | fees |
        | 2024-01-10 | buy   | Acme | 7     | 100    | 1    |
        | 2024-02-10 | buy   | Acme | 11    | 200    | 2    |
        | 2024-03-10 | buy   | Acme | 13    | 300    | 3    |
        | 2024-04-10 | sell  | Acme | 10    | 250    | 4    |
      Then the cost of Ada's "Acme" adds up to the 606 paid
      When she records
        | date       | entry | item | to | from |
        | 2024-05-10 | split | Acme | 3  | 2    |
      Then the cost of Ada's "Acme" adds up to the 606 paid
      And Ada's "Acme" has the open lots
        | acquired on | units |
        | 2024-02-10  | 12    |
        | 2024-03-10  | 19.5  |

  @contract @POS-007 @POS-008
  Rule: A price older than seven days and another figure older than ninety is stale, in the overview as in the list

    Scenario: Seven and eight days, ninety and ninety-one, on 2026-10-30
      Given Ada keeps a book in USD with the items
        | item     | kind     |
        | Fresh    | security |
        | Old      | security |
        | Sold     | security |
        | Home     | property |
        | Cottage  | property |
      When she records
        | date       | entry           | item    | units | amount |
        | 2024-01-10 | buy             | Fresh   | 1     | 1      |
        | 2026-10-23 | price           | Fresh   |       | 2      |
        | 2024-01-10 | buy             | Old     | 1     | 1      |
        | 2026-10-22 | price           | Old     |       | 2      |
        | 2024-01-10 | buy             | Sold    | 1     | 1      |
        | 2024-01-11 | sell            | Sold    | 1     | 1      |
        | 2024-01-11 | price           | Sold    |       | 2      |
        | 2026-08-01 | valuation       | Home    |       | 100    |
        | 2026-07-31 | valuation       | Cottage |       | 100    |
      Then Ada's list of items shows
        | item    | stale |
        | Fresh   | no    |
        | Old     | yes   |
        | Sold    | no    |
        | Home    | no    |
        | Cottage | yes   |
      And Ada's overview and list flag as stale
        | item    | dated      |
        | Old     | 2026-10-22 |
        | Cottage | 2026-07-31 |

  @POS-009
  Rule: Filters by kind, class, party and account give exactly the items that fit

    Scenario: Two kinds, classes, parties and accounts
      Given Ada keeps a book in USD
      And Ada's book knows the accounts
        | account | kind      |
        | Bank    | bank      |
        | Broker  | brokerage |
      And Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada's book holds the items
        | item  | kind     | class  | account | owners           |
        | Cash  | cash     |        | Bank    | Ada 100          |
        | Till  | cash     |        | Bank    | Ada 50, Trust 50 |
        | Acme  | security | growth | Broker  | Trust 100        |
        | Bolt  | security | income | Broker  | Ada 100          |
        | House | property |        |         | Ada 50, Trust 50 |
      Then each filter of Ada's list gives exactly the items that fit
      When Ada tries to list the items of an unknown party
      Then Ada is refused with "not_found"
      And nothing has changed
      When Ada tries to list the items of an unknown account
      Then Ada is refused with "not_found"
      And nothing has changed

  @POS-010
  Rule: Pages are disjoint and complete, also while others write

    Scenario: Twenty-five items in pages of ten
      Given Ada keeps a book in USD
      When Ada opens 25 cash items
      Then Ada reads 25 items in pages of 10, each once, while others are opened

  @contract @POS-012 @isolated @needs-control
  Rule: Of two prices of one day the manual beats the fetched, else the later recorded wins

    Scenario: Fetched first, and recorded first
      Given the stock market lists
        | symbol | currency | closes           |
        | ACME   | USD      | 10 on 2026-10-30 |
        | BOLT   | USD      | 10 on 2026-10-30 |
      And Ada keeps a book in USD with the items
        | item | kind     | symbol |
        | Acme | security | ACME   |
        | Bolt | security | BOLT   |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2026-10-01 | buy   | Acme | 1     | 1      |
        | 2026-10-01 | buy   | Bolt | 1     | 1      |
        | 2026-10-30 | price | Bolt |       | 11     |
      When Ada has the prices refreshed
      Then Ada's "Bolt" is priced at 11 on 2026-10-30
      And Ada's "Acme" is priced at 10 on 2026-10-30
      When Ada records
        | date       | entry | item | amount |
        | 2026-10-30 | price | Acme | 11     |
      Then Ada's "Acme" is priced at 11 on 2026-10-30
      When Ada records
        | date       | entry | item | amount |
        | 2026-10-30 | price | Acme | 12     |
      Then Ada's "Acme" is priced at 12 on 2026-10-30
      When Ada voids
        | date       | entry | item | amount |
        | 2026-10-30 | price | Acme | 12     |
      Then Ada's "Acme" is priced at 11 on 2026-10-30

  @contract @POS-015
  Rule: The realised gain of each sale can be read on its row

    Scenario: Two sales, the second of two lots
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Acme | security |
      When she records
        | date       | entry | item | units | amount | fees |
        | 2024-01-10 | buy   | Acme | 10    | 100    | 2    |
        | 2024-02-10 | buy   | Acme | 10    | 200    | 2    |
        | 2024-03-10 | sell  | Acme | 5     | 100    | 1    |
        | 2024-04-10 | sell  | Acme | 10    | 300    | 3    |
      Then Ada's "Acme" has the sales
        | date       | net proceeds | cost base | gain |
        | 2024-03-10 | 99           | 51        | 48   |
        | 2024-04-10 | 297          | 152       | 145  |
      And the sale of Ada's "Acme" on 2024-04-10 took the lots
        | acquired on | units | cost base | net proceeds | gain |
        | 2024-01-10  | 5     | 51        | 148.5        | 97.5 |
        | 2024-02-10  | 5     | 101       | 148.5        | 47.5 |

  @POS-002
  Rule: An item is shown with its position, owners, links, rows, prices, lots, checks and the batches that wrote them

    Scenario: A home and a fund with one of everything
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Home | property |
        | Loan | loan     |
        | Old  | security |
        | Fund | security |
      And Ada has recorded
        | date       | entry     | item | units | amount |
        | 2024-01-10 | buy       | Home |       | 300000 |
        | 2024-01-31 | valuation | Home |       | 310000 |
        | 2024-01-10 | buy       | Fund | 10    | 1000   |
        | 2024-01-10 | buy       | Old  | 5     | 400    |
        | 2024-01-31 | price     | Fund |       | 110    |
      And Ada has recorded
        | date       | entry    | item | to item | units |
        | 2024-02-01 | transfer | Old  | Fund    | 5     |
      And Ada has linked "Loan" to "Home" as "secured by"
      And Ada has changed "Home"
        | notes |
        | a     |
      When Ada checks the "units" of "Fund" on 2024-02-29 against 15
      Then Ada's "Home" has
        | transactions | transfers | valuations | prices | checks |
        | 1            | 0         | 1          | 0      | 0      |
      And Ada's "Home" has the links
        | from | relation   | to   |
        | Loan | secured by | Home |
      And Ada's "Home" is owned by
        | party | percent |
        | Ada   | 100     |
      And Ada's "Home" names the batches, newest first
        | tool        |
        | update_item |
        | link_items  |
        | record      |
        | record      |
      And Ada's "Fund" has
        | transactions | transfers | valuations | prices | checks |
        | 1            | 1         | 0          | 1      | 1      |
      And Ada's "Fund" has the open lots
        | acquired on | units | cost base |
        | 2024-01-10  | 10    | 1000      |
        | 2024-01-10  | 5     | 400       |
      And Ada's "Fund" names the batches, newest first
        | tool      |
        | reconcile |
        | record    |
        | record    |
        | record    |
