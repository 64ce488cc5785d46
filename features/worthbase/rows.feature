Feature: The type of a row gives its direction; its amount is the statement's figure without fees

  Source: Worthbase MCP page, "Why are numbers decimal strings?" (amounts).

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind     |
      | Cash | cash     |
      | Loan | loan     |
      | Acme | security |

  @ROW-001
  Rule: The type gives the direction; amounts are always positive

    Scenario Outline: A <entry> of 100 takes <item> from 1000 to <after>
      Given Ada has recorded
        | date       | entry           | item | units | amount |
        | 2024-01-01 | opening balance | Cash |       | 1000   |
        | 2024-01-01 | opening balance | Loan |       | 1000   |
        | 2024-01-01 | opening balance | Acme | 10    | 1000   |
        | 2024-01-01 | price           | Acme |       | 100    |
      When she records
        | date       | entry   | item   | units   | amount |
        | 2024-02-01 | <entry> | <item> | <units> | 100    |
      Then Ada's "<item>" is worth <after> on 2024-02-01

      Examples:
        | entry      | item | units | after |
        | deposit    | Cash |       | 1100  |
        | withdrawal | Cash |       | 900   |
        | drawdown   | Loan |       | 1100  |
        | repayment  | Loan |       | 900   |
        | buy        | Acme | 1     | 1100  |
        | sell       | Acme | 1     | 900   |

  @ROW-002
  Rule: Fees are added to what a buy costs and taken from what a sale brings

    Scenario: Two buys and a sale with fees
      When Ada records
        | date       | entry | item | units | amount | fees |
        | 2024-01-10 | buy   | Acme | 100   | 1000   | 10   |
        | 2024-02-10 | buy   | Acme | 50    | 600    | 5    |
        | 2024-03-10 | sell  | Acme | 120   | 1809.5 | 9.5  |
      Then Ada's "Acme" holds 30 units at a cost of 363 USD
      And Ada's "Acme" has the sales
        | date       | net proceeds | cost base | gain |
        | 2024-03-10 | 1800         | 1252      | 548  |

  @ROW-003
  Rule: On loans drawdown, interest and fee add, repayment takes away

    Scenario: A loan over three months
      When Ada records
        | date       | entry           | item | amount  |
        | 2024-01-01 | opening balance | Loan | 300000  |
        | 2024-02-01 | drawdown        | Loan | 20000   |
        | 2024-02-29 | interest        | Loan | 1250.45 |
        | 2024-02-29 | fee             | Loan | 10      |
        | 2024-03-15 | repayment       | Loan | 2100    |
      Then Ada's "Loan" is worth 300000 on 2024-01-31
      And Ada's "Loan" is worth 321260.45 on 2024-02-29
      And Ada's "Loan" is worth 319160.45 on 2024-03-31

  @ROW-004
  Rule: A row that would take away more units than are held is refused, now or in the past

    Scenario: Ten units are held and the last place of an eighteenth digit more is sold
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      When she tries to preview
        | date       | entry | item | units                 | amount |
        | 2024-02-02 | sell  | Acme | 10.000000000000000001 | 1100   |
      Then she is refused with "oversell"
      And nothing has changed
      When she records
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 10    | 1100   |
      Then Ada's "Acme" holds 0 units at a cost of 0 USD

    Scenario: A backdated sale may not take what a later sale needs
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 6     | 60     |
        | 2024-03-02 | sell  | Acme | 5     | 70     |
      When she tries to preview
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 2     | 25     |
      Then she is refused with "would_not_replay"
      And the refusal names the "sell" of 2024-03-02 on Ada's "Acme"
      And nothing has changed
      When she records
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 1     | 12     |
      Then Ada's "Acme" holds 0 units at a cost of 0 USD

  @ROW-005
  Rule: A row may be dated before others; all later figures follow

    Scenario: A withdrawal of yesterday lowers today too, and voiding it raises both
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-01 | deposit | Cash | 10     |
      When she records
        | date       | entry      | item | amount |
        | 2024-01-30 | withdrawal | Cash | 5      |
      Then Ada's "Cash" is worth 10 on 2024-01-29
      And Ada's "Cash" is worth 5 on 2024-01-30
      And Ada's "Cash" is worth 5 on 2024-01-31
      When she voids
        | date       | entry      | item |
        | 2024-01-30 | withdrawal | Cash |
      Then Ada's "Cash" is worth 10 on 2024-01-30
      And Ada's "Cash" is worth 10 on 2024-01-31

    Scenario: A backdated buy changes the gain of a later sale
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-02-01 | buy   | Acme | 10    | 100    |
        | 2024-03-01 | sell  | Acme | 5     | 100    |
      When she records
        | date       | entry | item | units | amount |
        | 2024-01-01 | buy   | Acme | 10    | 50     |
      Then Ada's "Acme" has the sales
        | date       | gain |
        | 2024-03-01 | 75   |

  @ROW-006
  Rule: opening_balance sets a starting position with its cost and, for units, its acquisition date

    Scenario: Shares acquired in 2010 that the book holds from 2024 on
      When Ada records
        | date       | entry           | item | units | amount | acquired on |
        | 2024-01-01 | opening balance | Acme | 10    | 500    | 2010-01-01  |
        | 2024-01-01 | opening balance | Cash |       | 70     |             |
        | 2024-01-01 | opening balance | Loan |       | 30     |             |
        | 2010-01-01 | price           | Acme |       | 60     |             |
      Then Ada's "Acme" has the open lots
        | acquired on | units | cost base |
        | 2010-01-01  | 10    | 500       |
      And Ada's net worth on 2023-12-31 is 0 USD
      And Ada's net worth on 2024-01-01 is 640 USD

  @ROW-021
  Rule: Note, reference, currency and rate of a row are stored and shown with it

    Scenario: A row with everything
      When Ada records
        | date       | entry | item | units      | amount | fees | currency | rate   | reference | note               |
        | 2024-01-05 | buy   | Acme | 0.00350000 | 10.50  | 0.10 | USD      | 1      | ORD-1     | first wage of 2024 |
      Then Ada's "Acme" has the transactions
        | date       | entry | units      | amount | fees | currency | rate   | reference | note               |
        | 2024-01-05 | buy   | 0.00350000 | 10.50  | 0.10 | USD      | 1      | ORD-1     | first wage of 2024 |

  @ROW-023
  Rule: Rows are recorded together in one call whatever their order in the input

    Scenario: A sale written before its buy
      When Ada records
        | date       | entry | item | units | amount |
        | 2024-03-02 | sell  | Acme | 5     | 70     |
        | 2024-01-02 | buy   | Acme | 6     | 60     |
      Then Ada's "Acme" holds 1 units at a cost of 10 USD
      And Ada's "Acme" has the sales
        | date       | gain |
        | 2024-03-02 | 20   |

  @contract @ROW-015
  Rule: A valuation on a balance item resets the balance at the close of its day

    Scenario: The bank says 125.25 on the tenth
      When Ada records
        | date       | entry      | item | amount |
        | 2024-01-05 | deposit    | Cash | 100    |
        | 2024-01-10 | deposit    | Cash | 40     |
        | 2024-01-12 | withdrawal | Cash | 15     |
        | 2024-01-10 | valuation  | Cash | 125.25 |
      Then Ada's "Cash" is worth 100 on 2024-01-09
      And Ada's "Cash" is worth 125.25 on 2024-01-10
      And Ada's "Cash" is worth 110.25 on 2024-01-12

  @ROW-017
  Rule: A balance below zero is a warning, not a refusal, and the account keeps its side

    Scenario: An overdraft and an overpaid loan
      When Ada records
        | date       | entry           | item | amount |
        | 2024-01-05 | withdrawal      | Cash | 50     |
        | 2024-01-05 | opening balance | Loan | 100    |
        | 2024-01-06 | repayment       | Loan | 120    |
      Then the commit warns of "negative_balance"
      And Ada's figures on 2024-01-31 are
        | assets | liabilities | net worth |
        | -50    | -20         | -30       |

  @contract @ROW-018
  Rule: Rows are one-sided; with cash_item the same batch also moves the money

    Scenario: A buy with and without its money
      Given Ada has recorded
        | date       | entry           | item | amount |
        | 2024-01-01 | opening balance | Cash | 5000   |
      When she records
        | date       | entry | item | units | amount | fees |
        | 2024-01-02 | buy   | Acme | 10    | 1000   | 10   |
      Then the balance of Ada's "Cash" is 5000 USD
      When she records "the settled buy"
        | date       | entry | item | units | amount | fees | cash item |
        | 2024-01-03 | buy   | Acme | 10    | 1000   | 10   | Cash      |
      Then the balance of Ada's "Cash" is 3990 USD
      And Ada's "Acme" holds 20 units at a cost of 2020 USD
      When she undoes "the settled buy"
      Then the balance of Ada's "Cash" is 5000 USD
      And Ada's "Acme" holds 10 units at a cost of 1010 USD

    Scenario: The money of another currency is refused
      Given Ada's book holds the items
        | item  | kind | currency |
        | Euros | cash | EUR      |
      When she tries to preview
        | date       | entry | item | units | amount | cash item |
        | 2024-01-03 | buy   | Acme | 10    | 1000   | Euros     |
      Then she is refused with "currency_mismatch"
      And nothing has changed

  @contract @needs-control @ROW-016
  Rule: Dates are real calendar days, not later than tomorrow, and never shift

    Scenario Outline: The day <day> is refused
      When Ada tries to preview
        | date  | entry   | item | amount |
        | <day> | deposit | Cash | 1      |
      Then she is refused with "<code>"
      And the refusal points at "transactions[0].date"
      And nothing has changed

      Examples:
        | day                  | code           |
        | 2023-02-29           | invalid_input  |
        | 2024-13-01           | invalid_input  |
        | 31/02/2024           | invalid_input  |
        | 2024-1-5             | invalid_input  |
        | 2024-01-05T00:00:00Z | invalid_input  |
        | JSON ""              | invalid_input  |
        | 2026-11-01           | date_in_future |

    Scenario: The leap day and tomorrow, which is 2026-10-31, are stored as they were written
      When Ada records
        | date       | entry   | item | amount |
        | 2024-02-29 | deposit | Cash | 1      |
        | 2026-10-31 | deposit | Cash | 2      |
      Then Ada's "Cash" has the transactions
        | date       |
        | 2024-02-29 |
        | 2026-10-31 |

  @contract @ROW-024
  Rule: An unknown item is refused by its row

    Scenario: The third row names an item that never was
      When Ada tries to preview
        | date       | entry   | item                           | amount |
        | 2024-01-02 | deposit | Cash                           | 1      |
        | 2024-01-03 | deposit | Cash                           | 2      |
        | 2024-01-04 | deposit | itm_01ARZ3NDEKTSV4RRFFQ69G5FAV | 3      |
      Then she is refused with "not_found"
      And the refusal points at "transactions[2].item"
      And nothing has changed
      When she records
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 1      |
        | 2024-01-03 | deposit | Cash | 2      |
        | 2024-01-04 | deposit | Cash | 3      |
      Then the balance of Ada's "Cash" is 6 USD

  @contract @ROW-011
  Rule: Something valued as a whole is sold whole, once, and takes no row afterwards

    Scenario Outline: After the sale of 2024-03-01, <what>
      Given Ada's book holds the items
        | item | kind     |
        | Home | property |
      And Ada has recorded
        | date       | entry     | item | amount |
        | 2024-01-01 | buy       | Home | 500    |
        | 2024-01-01 | valuation | Home | 520    |
        | 2024-03-01 | sell      | Home | 600    |
      When she tries to preview
        | date       | entry   | item | amount |
        | 2024-03-02 | <entry> | Home | 50     |
      Then she is refused with "already_sold"
      And nothing has changed
      When she records
        | date       | entry       | item | amount |
        | 2024-02-01 | improvement | Home | 50     |
      Then Ada's "Home" has the sales
        | date       | net proceeds | cost base | gain |
        | 2024-03-01 | 600          | 550       | 50   |
      And Ada's net worth on 2024-03-01 is 0 USD

      Examples:
        | what            | entry       |
        | a second sale   | sell        |
        | an improvement  | improvement |
        | a valuation     | valuation   |

  @contract @ROW-013
  Rule: Units that come in unpaired bring their cost and date; units that go out unpaired realise nothing

    Scenario: Ten units of 2015 arrive, four leave
      When Ada records
        | date       | entry        | item | units | amount | acquired on |
        | 2024-01-02 | transfer in  | Acme | 10    | 200    | 2015-05-05  |
      Then Ada's "Acme" has the open lots
        | acquired on | units | cost base |
        | 2015-05-05  | 10    | 200       |
      When she records
        | date       | entry        | item | units |
        | 2024-02-02 | transfer out | Acme | 4     |
      Then Ada's "Acme" has the open lots
        | acquired on | units | cost base |
        | 2015-05-05  | 6     | 120       |
      And the gains of Ada's "Acme" add up to 0

  @contract @ROW-014
  Rule: Inside a day splits come first, then what adds, then income, then what takes away

    Scenario: Two buys and two sales of one day, in each of their 24 orders
      When Ada records, after the first, these rows in each of their orders, each on a new holding
        | date       | entry | units | amount |
        | 2024-01-02 | buy   | 5     | 50     |
        | 2024-01-03 | sell  | 5     | 70     |
        | 2024-01-03 | buy   | 5     | 60     |
        | 2024-01-03 | sell  | 5     | 80     |
        | 2024-01-03 | buy   | 10    | 120    |
      Then each of Ada's 24 holdings has 10 units at a cost of 120 and gains of 40

  @contract @ROW-019
  Rule: Each type is accepted on its kinds only

    Scenario: Every type on every kind
      When Ada previews a row of each type on each kind
        | type            | security | crypto | cash | property | business | other | retirement | loan | other_liability |
        | opening_balance | yes      | yes    | yes  | yes      | yes      | yes   | yes        | yes  | yes             |
        | buy             | yes      | yes    | no   | yes      | yes      | yes   | yes        | no   | no              |
        | improvement     | no       | no     | no   | yes      | yes      | yes   | yes        | no   | no              |
        | sell            | yes      | yes    | no   | yes      | yes      | yes   | yes        | no   | no              |
        | transfer_in     | yes      | yes    | no   | no       | no       | no    | no         | no   | no              |
        | transfer_out    | yes      | yes    | no   | no       | no       | no    | no         | no   | no              |
        | split           | yes      | yes    | no   | no       | no       | no    | no         | no   | no              |
        | dividend        | yes      | yes    | no   | yes      | yes      | yes   | yes        | no   | no              |
        | rent            | yes      | yes    | no   | yes      | yes      | yes   | yes        | no   | no              |
        | distribution    | yes      | yes    | no   | yes      | yes      | yes   | yes        | no   | no              |
        | interest        | yes      | yes    | yes  | yes      | yes      | yes   | yes        | yes  | yes             |
        | fee             | yes      | yes    | yes  | yes      | yes      | yes   | yes        | yes  | yes             |
        | deposit         | no       | no     | yes  | no       | no       | no    | no         | no   | no              |
        | withdrawal      | no       | no     | yes  | no       | no       | no    | no         | no   | no              |
        | drawdown        | no       | no     | no   | no       | no       | no    | no         | yes  | yes             |
        | repayment       | no       | no     | no   | no       | no       | no    | no         | yes  | yes             |
        | adjust_up       | no       | no     | yes  | no       | no       | no    | no         | yes  | yes             |
        | adjust_down     | no       | no     | yes  | no       | no       | no    | no         | yes  | yes             |
      Then each type is accepted on its kinds only
      And nothing has changed

  @contract @ROW-020
  Rule: A row missing a field of its type, or carrying one of another type, is refused

    Scenario Outline: A <entry> <what>
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-01 | buy   | Acme | 10    | 100    |
      When she tries to preview
        | date       | entry   | item   | units   | amount   | to   | from   | lots   |
        | 2024-01-02 | <entry> | <item> | <units> | <amount> | <to> | <from> | <lots> |
      Then she is refused with "invalid_input"
      And the refusal points at "transactions[0].<field>"
      And nothing has changed
      When she previews
        | date       | entry   | item   | units        | amount        | to | from        |
        | 2024-01-02 | <entry> | <item> | <units then> | <amount then> | <to> | <from then> |
      Then the preview counts 1 new, 0 duplicate and 0 conflicting rows

      Examples:
        | entry    | what               | item | units | amount | to | from | lots            | field  | units then | amount then | from then |
        | buy      | without units      | Acme |       | 100    |    |      |                 | units  | 1          | 100         |           |
        | split    | without its from   | Acme |       |        | 2  |      |                 | from   |            |             | 1         |
        | deposit  | with units         | Cash | 1     | 100    |    |      |                 | units  |            | 100         |           |
        | dividend | with lots          | Acme |       | 5      |    |      | 1 of 2024-01-01 | lots   |            | 5           |           |
        | split    | with an amount     | Acme |       | 5      | 2  | 1    |                 | amount |            |             | 1         |

  @contract @ROW-022
  Rule: A valuation or price in another currency than the item's is never taken at face value

    Scenario Outline: A <entry> of 100 in EUR on an item in USD
      Given Ada's book holds the items
        | item | kind     |
        | Home | property |
      When Ada tries to preview
        | date       | entry   | item   | amount | currency |
        | 2024-01-02 | <entry> | <item> | 100    | EUR      |
      Then she is refused with "currency_mismatch"
      And nothing has changed
      When she previews
        | date       | entry   | item   | amount | currency |
        | 2024-01-02 | <entry> | <item> | 100    | USD      |
      Then the preview counts 1 new, 0 duplicate and 0 conflicting rows

      Examples:
        | entry     | item |
        | price     | Acme |
        | valuation | Home |

  @ROW-009
  Rule: Interest and fee on a cash item move its balance

    Scenario: A quarter of a bank account
      When Ada records
        | date       | entry    | item | amount |
        | 2024-01-01 | deposit  | Cash | 1000   |
        | 2024-03-31 | interest | Cash | 12.5   |
        | 2024-03-31 | fee      | Cash | 10     |
      Then Ada's "Cash" is worth 1000 on 2024-03-30
      And Ada's "Cash" is worth 1002.5 on 2024-03-31

  @ROW-010
  Rule: Something bought as a whole costs what was paid with its fees, and improvements add to it

    Scenario: A house of 600,000, its stamp duty and a new roof
      Given Ada's book holds the items
        | item | kind     |
        | Home | property |
      When she records
        | date       | entry       | item | amount | fees  |
        | 2015-07-01 | buy         | Home | 600000 | 31500 |
        | 2018-03-01 | improvement | Home | 45000  |       |
        | 2024-06-30 | valuation   | Home | 980000 |       |
      Then Ada's list of items shows
        | item | value  | cost base | unrealised gain |
        | Home | 980000 | 676500    | 303500          |
        | Cash |        |           |                 |
        | Loan |        |           |                 |
        | Acme | 0      | 0         | 0               |

  @ROW-007 @ROW-008
  Rule: Income changes neither units nor cost, and a stand-alone fee is an expense, not cost

    Scenario Outline: A <entry> of 12 with fees of 2
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 100    |
        | 2024-01-02 | price | Acme |       | 10     |
      When she records
        | date       | entry   | item | amount | fees |
        | 2024-02-02 | <entry> | Acme | 12     | 2    |
      Then Ada's "Acme" has the open lots
        | acquired on | units | cost base |
        | 2024-01-02  | 10    | 100       |
      And Ada's performance from 2024-01-01 to 2024-12-31 is
        | money in | money out | income | gain |
        | 100      | 0         | 10     | 10   |

      Examples:
        | entry        |
        | dividend     |
        | interest     |
        | rent         |
        | distribution |

    Scenario: A fee of 10
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 100    |
        | 2024-01-02 | price | Acme |       | 10     |
      When she records
        | date       | entry | item | amount |
        | 2024-02-02 | fee   | Acme | 10     |
      Then Ada's "Acme" holds 10 units at a cost of 100 USD
      And Ada's performance from 2024-01-01 to 2024-12-31 is
        | money in | money out | income | gain |
        | 110      | 0         | 0      | -10  |

  @contract @ROW-012
  Rule: Adjustments move a balance without being a flow

    Scenario: A till of 100 holds 97
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 100    |
      When she records
        | date       | entry       | item | amount |
        | 2024-02-02 | adjust down | Cash | 3      |
      Then the balance of Ada's "Cash" is 97 USD
      And Ada's performance from 2024-01-01 to 2024-12-31 is
        | money in | money out | gain |
        | 100      | 0         | -3   |
