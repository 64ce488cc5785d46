Feature: Performance: what a period brought, item by item and in total

  Money put in and taken out, income, gain, and the return on it, in the currency of the book. An owner's money counts from
  the day it goes in, fees with it.
  Source: Worthbase MCP page, read tools (get_performance). How flows count is convention where the page is silent.

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind     |
      | Acme | security |
      | Bolt | security |

  @PERF-002 @PERF-003
  Rule: Every money figure of the items adds up to the whole, and the gain follows from the figures beside it

    Scenario: Two items, one with income and a sale
      When Ada records
        | date       | entry    | item | units | amount | fees |
        | 2024-01-02 | buy      | Acme | 10    | 1000   | 5    |
        | 2024-01-02 | buy      | Bolt | 20    | 400    | 2    |
        | 2024-03-01 | dividend | Acme |       | 30     | 1    |
        | 2024-05-02 | fee      | Acme |       | 7      |      |
        | 2024-06-03 | sell     | Acme | 4     | 480    | 3    |
        | 2024-12-31 | price    | Acme |       | 130    |      |
        | 2024-12-31 | price    | Bolt |       | 18     |      |
      Then Ada's performance by item until 2024-12-31 is
        | item | start | end | money in | money out | income | gain | simple return |
        | Acme | 0     | 780 | 1012     | 477       | 29     | 274  | 0.2707509881  |
        | Bolt | 0     | 360 | 402      | 0         | 0      | -42  | -0.1044776119 |
      And Ada's performance until 2024-12-31 is
        | start | end  | money in | money out | income | gain | simple return |
        | 0     | 1140 | 1414     | 477       | 29     | 232  | 0.1640735502  |
      And the items of Ada's performance from 2024-01-01 to 2024-12-31 add up to the whole
      And the items of Ada's performance from 2024-06-03 to 2024-12-31 add up to the whole

  @PERF-005
  Rule: Years have 365 days, leap or not

    Scenario: Ten per cent over exactly 365 days with a 29 February among them
      When Ada records
        | date       | entry | item | units | amount |
        | 2023-07-01 | buy   | Acme | 10    | 1000   |
        | 2024-06-30 | price | Acme |       | 110    |
      Then Ada's performance until 2024-06-30 is
        | gain | annual return |
        | 100  | ≈ 0.1         |

  @PERF-006
  Rule: Deep losses are solved

    Scenario Outline: <paid> on <bought> is worth <left> on <day>
      When Ada records
        | date     | entry | item | units | amount |
        | <bought> | buy   | Acme | 1     | <paid> |
        | <day>    | price | Acme |       | <left> |
      Then Ada's performance until <day> is
        | annual return |
        | ≈ <rate>      |

      Examples:
        | paid   | bought     | left    | day        | rate      |
        | 713.07 | 2020-03-04 | 555.33  | 2020-03-17 | -0.999106 |
        | 4000   | 2014-02-27 | 2050.20 | 2015-03-06 | -0.480963 |

  @PERF-013
  Rule: Transfers between own items are flows of the items, not of the whole

    Scenario: Both items are priced on the day of the transfer
      When Ada records
        | date       | entry    | item | to item | units | amount |
        | 2020-01-01 | buy      | Acme |         | 10    | 100    |
        | 2021-01-01 | price    | Acme |         |       | 11     |
        | 2021-01-01 | price    | Bolt |         |       | 11     |
        | 2021-01-01 | transfer | Acme | Bolt    | 10    |        |
        | 2021-12-31 | price    | Bolt |         |       | 12.10  |
      Then Ada's performance by item until 2021-12-31 is
        | item | start | end | money in | money out | gain |
        | Acme | 0     | 0   | 100      | 110       | 10   |
        | Bolt | 0     | 121 | 110      | 0         | 11   |
      And Ada's performance until 2021-12-31 is
        | start | end | money in | money out | gain | annual return |
        | 0     | 121 | 100      | 0         | 21   | ≈ 0.1         |

    @contract
    Scenario: The item that receives has no price on that day, and takes the other's
      When Ada records
        | date       | entry    | item | to item | units | amount |
        | 2020-01-01 | buy      | Acme |         | 10    | 100    |
        | 2021-01-01 | price    | Acme |         |       | 11     |
        | 2021-01-01 | transfer | Acme | Bolt    | 10    |        |
        | 2021-12-31 | price    | Bolt |         |       | 12.10  |
      Then Ada's performance by item until 2021-12-31 is
        | item | end | money in | money out |
        | Acme | 0   | 100      | 110       |
        | Bolt | 121 | 110      | 0         |

  @PERF-015
  Rule: Each flow is converted at its own date, and values at theirs

    Scenario: Dollars bought in February and valued in June, in a book kept in Australian dollars
      Given Ben keeps a book in AUD with the items
        | item | kind     | currency |
        | VOO  | security | USD      |
      When Ben records
        | date       | entry | item | units | amount |
        | 2024-02-29 | buy   | VOO  | 5     | 500    |
        | 2024-06-28 | price | VOO  |       | 120    |
      Then Ben's performance until 2024-06-28 is
        | money in     | end          | gain         |
        | ≈ 770.552374 | ≈ 901.205044 | ≈ 130.652670 |

  @PERF-016
  Rule: Gains realised on an item stay in the whole after it is archived

    Background:
      Given Ada has recorded
        | date       | entry    | item | units | amount |
        | 2024-01-02 | buy      | Acme | 10    | 1000   |
        | 2024-01-02 | buy      | Bolt | 10    | 1000   |
        | 2024-02-01 | sell     | Acme | 10    | 1100   |
        | 2024-03-01 | sell     | Bolt | 5     | 600    |
        | 2024-04-02 | dividend | Bolt |       | 20     |
        | 2024-06-28 | price    | Bolt |       | 130    |

    Scenario: One sold out, one sold in half
      Then Ada's performance until 2024-06-30 is
        | money in | money out | income | end | gain |
        | 2000     | 1700      | 20     | 650 | 370  |
      When Ada archives "Acme" on 2024-07-01
      And she archives "Bolt" on 2024-07-01
      Then Ada's performance until 2024-06-30 is
        | money in | money out | income | end | gain |
        | 2000     | 1700      | 20     | 650 | 370  |
      And Ada's performance from 2024-02-01 to 2024-02-29 is
        | money in | money out | income |
        | 0        | 1100      | 0      |

    @contract
    Scenario: What was archived with a value was taken out at that value
      Then Ada's performance until 2024-12-31 is
        | money in | money out | income | end | gain |
        | 2000     | 1700      | 20     | 650 | 370  |
      When Ada archives "Acme" on 2024-07-01
      And she archives "Bolt" on 2024-07-01
      Then Ada's performance until 2024-12-31 is
        | money in | money out | income | end | gain |
        | 2000     | 2350      | 20     | 0   | 370  |

  @PERF-017
  Rule: The gains of two adjoining periods are the gain of both together

    Scenario: Rows on the last day of one period and on the first of the next
      When Ada records
        | date       | entry    | item | units | amount | fees |
        | 2023-06-01 | buy      | Acme | 10    | 1000   |      |
        | 2023-12-31 | price    | Acme |       | 110    |      |
        | 2023-12-31 | buy      | Acme | 5     | 550    | 1    |
        | 2024-01-01 | dividend | Acme |       | 10     |      |
        | 2024-01-01 | sell     | Acme | 3     | 330    | 1    |
        | 2024-12-31 | price    | Acme |       | 120    |      |
      Then Ada's performance from 2023-01-01 to 2023-12-31 is
        | start | end  | money in | money out | income | gain |
        | 0     | 1650 | 1551     | 0         | 0      | 99   |
      And Ada's performance from 2024-01-01 to 2024-12-31 is
        | start | end  | money in | money out | income | gain |
        | 1650  | 1440 | 0        | 329       | 10     | 129  |
      And Ada's performance from 2023-01-01 to 2024-12-31 is
        | start | end  | money in | money out | income | gain |
        | 0     | 1440 | 1551     | 329       | 10     | 228  |

  @PERF-018
  Rule: After one deposit and no other flow, the annual return over 365 days is the simple return

    Scenario: 1,000 becomes 1,100 in the year 2025
      When Ada records
        | date       | entry | item | units | amount |
        | 2025-01-01 | buy   | Acme | 10    | 1000   |
        | 2026-01-01 | price | Acme |       | 110    |
      Then Ada's performance until 2026-01-01 is
        | simple return | annual return |
        | 0.1           | ≈ 0.1         |

  @PERF-019
  Rule: Debts are no investments

    Scenario: A loan with interest beside shares
      Given Ada's book holds the items
        | item | kind |
        | Loan | loan |
      When she records
        | date       | entry           | item | units | amount |
        | 2024-01-02 | buy             | Acme | 10    | 1000   |
        | 2024-01-02 | opening balance | Loan |       | 500    |
        | 2024-06-03 | interest        | Loan |       | 10     |
        | 2024-07-01 | drawdown        | Loan |       | 100    |
        | 2024-12-31 | price           | Acme |       | 120    |
      Then Ada's performance by item until 2024-12-31 is
        | item | start | end  | money in | money out | income | gain |
        | Acme | 0     | 1200 | 1000     | 0         | 0      | 200  |
      And Ada's performance until 2024-12-31 is
        | start | end  | money in | money out | income | gain |
        | 0     | 1200 | 1000     | 0         | 0      | 200  |

  @contract @PERF-020
  Rule: By party all money is shared by percentage, and the rate stays

    Scenario: 60 and 40 per cent
      Given Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada's book holds the items
        | item | kind     | owners           |
        | Cube | security | Ada 60, Trust 40 |
      When she records
        | date       | entry    | item | units | amount | fees  |
        | 2023-01-16 | buy      | Cube | 100   | 10000  | 19.95 |
        | 2023-06-15 | dividend | Cube |       | 150    |       |
        | 2023-09-20 | buy      | Cube | 50    | 5500   | 19.95 |
        | 2023-12-29 | price    | Cube |       | 112    |       |
        | 2024-02-10 | sell     | Cube | 30    | 3600   | 19.95 |
        | 2024-06-14 | dividend | Cube |       | 180    |       |
        | 2024-12-31 | price    | Cube |       | 125    |       |
      Then Ada's performance until 2024-12-31 is
        | end   | money in | money out | income | gain    | annual return |
        | 15000 | 15539.9  | 3580.05   | 330    | 3370.15 | ≈ 0.136872679 |
      And the performance of the share of "Ada" in Ada's book until 2024-12-31 is
        | end  | money in | money out | income | gain    | annual return |
        | 9000 | 9323.94  | 2148.03   | 198    | 2022.09 | ≈ 0.136872679 |
      And the performance of the share of "Trust" in Ada's book until 2024-12-31 is
        | end  | money in | money out | income | gain    | annual return |
        | 6000 | 6215.96  | 1432.02   | 132    | 1348.06 | ≈ 0.136872679 |

  @PERF-021
  Rule: Without an end value there is no gain and no rate, and the item is named

    Scenario: Shares that nobody has priced, beside cash
      Given Ada's book holds the items
        | item | kind |
        | Cash | cash |
      When she records
        | date       | entry   | item | units | amount |
        | 2024-01-01 | deposit | Cash |       | 500    |
        | 2024-01-02 | buy     | Acme | 10    | 1000   |
      Then Ada's performance by item until 2024-01-31 is
        | item | end | money in | gain | annual return |
        | Cash | 500 | 500      | 0    | ≈ 0           |
        | Acme |     | 1000     |      |               |
      And Ada's performance until 2024-01-31 is
        | end  | gain | simple return | annual return |
        | none | none | none          | none          |
      And "Acme" is missing from Ada's performance until 2024-01-31

  @contract @PERF-022
  Rule: There is no simple return where nothing was invested

    Scenario: An item that was bought after the period
      When Ada records
        | date       | entry | item | units | amount |
        | 2025-01-02 | buy   | Acme | 10    | 1000   |
        | 2025-01-02 | price | Acme |       | 100    |
      Then the performance of Ada's "Acme" from 2024-01-01 to 2024-12-31 is
        | start | end | money in | money out | gain | simple return | annual return |
        | 0     | 0   | 0        | 0         | 0    | none          | none          |
      And the performance of Ada's "Acme" from 2024-01-01 to 2025-01-02 is
        | start | end  | money in | gain | simple return |
        | 0     | 1000 | 1000     | 0    | 0             |
