Feature: Sales take their cost from lots, oldest first or as named, and nothing of it is lost

  Each purchase is a lot with its day, its units and everything that was paid for it. A sale takes units from lots; its gain
  is what it brought less what those units cost.
  Source: Worthbase MCP page, read tools (get_item, simulate_sale: FIFO or specific lots).

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind     |
      | Acme | security |

  Rule: Without named lots a sale takes the oldest lots first; named lots override that

    @LOT-001
    Scenario: The oldest lots first, by acquisition date
      When Ada records
        | date       | entry | item | units | amount |
        | 2012-07-01 | buy   | Acme | 3000  | 21000  |
        | 2007-07-01 | buy   | Acme | 1000  | 5000   |
        | 2016-01-01 | sell  | Acme | 1500  | 12000  |
      Then the sale of Ada's "Acme" on 2016-01-01 took the lots
        | acquired on | units | cost base | net proceeds | gain |
        | 2007-07-01  | 1000  | 5000      | 8000         | 3000 |
        | 2012-07-01  | 500   | 3500      | 4000         | 500  |
      And Ada's "Acme" has the open lots
        | acquired on | units | cost base |
        | 2012-07-01  | 2500  | 17500     |

    @LOT-002
    Scenario: The lot that the sale names
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2007-07-01 | buy   | Acme | 1000  | 5000   |
        | 2012-07-01 | buy   | Acme | 3000  | 21000  |
      When she records
        | date       | entry | item | units | amount | lots               |
        | 2016-01-01 | sell  | Acme | 1500  | 12000  | 1500 of 2012-07-01 |
      Then Ada's "Acme" has the sales
        | date       | cost base | gain |
        | 2016-01-01 | 10500     | 1500 |
      And Ada's "Acme" has the open lots
        | acquired on | units | cost base |
        | 2007-07-01  | 1000  | 5000      |
        | 2012-07-01  | 1500  | 10500     |

  @LOT-003
  Rule: Selling everything leaves exactly zero, whatever the digits

    Scenario: Two odd parts of one coin
      When Ada records
        | date       | entry | item | units                | amount |
        | 2024-01-02 | buy   | Acme | 0.123456789012345678 | 250    |
        | 2024-01-03 | buy   | Acme | 0.876543210987654322 | 1750   |
        | 2024-02-02 | sell  | Acme | 1                    | 3000   |
      Then Ada's "Acme" holds 0 units at a cost of 0 USD
      And Ada's "Acme" has no open lots
      And Ada's "Acme" has the sales
        | date       | net proceeds | cost base | gain |
        | 2024-02-02 | 3000         | 2000      | 1000 |

  @LOT-004
  Rule: Cost taken by sales and cost left in lots add up to what was paid

    Scenario: Thirds of 1000.01
      When Ada records
        | date       | entry | item | units | amount | fees |
        | 2024-01-02 | buy   | Acme | 3     | 1000   | 0.01 |
        | 2024-02-02 | sell  | Acme | 1     | 400    |      |
        | 2024-03-02 | sell  | Acme | 1     | 400    |      |
      Then the cost of Ada's "Acme" adds up to the 1000.01 paid
      When she records
        | date       | entry | item | units | amount |
        | 2024-04-02 | sell  | Acme | 1     | 400    |
      Then the cost of Ada's "Acme" adds up to the 1000.01 paid
      And Ada's "Acme" holds 0 units at a cost of 0 USD

    Scenario: A part of a lot that was bought by its total
      When Ada records
        | date       | entry | item | units       | amount    |
        | 2017-12-03 | buy   | Acme | 0.923641233 | 590645.78 |
        | 2017-12-29 | sell  | Acme | 0.02        | 100000    |
      Then the cost of Ada's "Acme" adds up to the 590645.78 paid

  @LOT-012
  Rule: The last unit in the last place can stay and be sold

    Scenario: One coin and one eighteenth digit
      When Ada records
        | date       | entry | item | units                | amount |
        | 2024-01-02 | buy   | Acme | 1.000000000000000001 | 2000   |
        | 2024-02-02 | sell  | Acme | 1                    | 3000   |
      Then the cost of Ada's "Acme" adds up to the 2000 paid
      When she records
        | date       | entry | item | units                | amount |
        | 2024-03-02 | sell  | Acme | 0.000000000000000001 | 0.01   |
      Then Ada's "Acme" holds 0 units at a cost of 0 USD
      And the cost of Ada's "Acme" adds up to the 2000 paid
      And the gains of Ada's "Acme" add up to 1000.01

  @LOT-006
  Rule: The cost of a lot is the total paid, not a rounded unit price times units

    Scenario: Two fills of 7.01 units for 19.99 each
      When Ada records
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 7.01  | 19.99  |
        | 2024-01-03 | buy   | Acme | 7.01  | 19.99  |
        | 2024-02-02 | sell  | Acme | 14.02 | 50.00  |
      Then Ada's "Acme" has the sales
        | date       | cost base | gain  |
        | 2024-02-02 | 39.98     | 10.02 |

  @LOT-009
  Rule: Buys of a day can be sold on that day

    Scenario: The sale stands above the buy
      When Ada records
        | date       | entry | item | units | amount |
        | 2020-03-16 | sell  | Acme | 10    | 1200   |
        | 2020-03-16 | buy   | Acme | 10    | 1000   |
      Then Ada's "Acme" has the sales
        | date       | gain |
        | 2020-03-16 | 200  |
      And Ada's "Acme" has no open lots

  @LOT-010
  Rule: Sold lots never influence a later purchase

    Scenario: Sold out and bought again
      When Ada records
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
        | 2024-02-02 | sell  | Acme | 10    | 1100   |
        | 2024-03-02 | buy   | Acme | 10    | 3000   |
      Then Ada's "Acme" holds 10 units at a cost of 3000 USD

  @LOT-011
  Rule: A sale may bring in less than its fees

    Scenario: A thousandth of a unit
      When Ada records
        | date       | entry | item | units | amount | fees |
        | 2024-01-02 | buy   | Acme | 1     | 200    |      |
        | 2024-02-02 | sell  | Acme | 0.001 | 0.10   | 2.00 |
      Then Ada's "Acme" has the sales
        | date       | net proceeds | cost base | gain  |
        | 2024-02-02 | -1.90        | 0.2       | -2.10 |

  @LOT-013
  Rule: Lot arithmetic has no minor unit

    Scenario: Yen with halves
      Given Ben keeps a book in JPY with the items
        | item   | kind     |
        | Toyota | security |
      When Ben records
        | date       | entry | item   | units | amount | fees |
        | 2024-01-02 | buy   | Toyota | 100   | 250000 | 275  |
        | 2024-02-02 | sell  | Toyota | 30    | 90000  | 99   |
      Then Ben's "Toyota" holds 70 units at a cost of 175192.5 JPY
      And Ben's "Toyota" has the sales
        | date       | gain    |
        | 2024-02-02 | 14818.5 |

  @contract @LOT-008
  Rule: A split counts from the start of its day, also for a sale written above it

    Scenario: Twenty for one on the day of a sale
      When Ada records
        | date       | entry | item | units | amount   | to | from |
        | 2024-06-01 | buy   | Acme | 11    | 15793.25 |    |      |
        | 2024-06-10 | sell  | Acme | 100   | 9622.32  |    |      |
        | 2024-06-10 | split | Acme |       |          | 20 | 1    |
      Then Ada's "Acme" holds 120 units at a cost of 8614.5 USD
      And Ada's "Acme" has the sales
        | date       | gain    |
        | 2024-06-10 | 2443.57 |

  @LOT-007
  Rule: A split scales the units of each lot and keeps its cost and date

    Scenario: Three for two between two buys
      When Ada records
        | date       | entry | item | units | amount | to | from |
        | 2024-01-05 | buy   | Acme | 100   | 3000   |    |      |
        | 2024-02-01 | split | Acme |       |        | 3  | 2    |
        | 2024-03-01 | buy   | Acme | 50    | 1100   |    |      |
        | 2024-04-01 | sell  | Acme | 160   | 4000   |    |      |
      Then Ada's "Acme" has the open lots
        | acquired on | units | cost base |
        | 2024-03-01  | 40    | 880       |
      And the sale of Ada's "Acme" on 2024-04-01 took the lots
        | acquired on | units | cost base | net proceeds | gain |
        | 2024-01-05  | 150   | 3000      | 3750         | 750  |
        | 2024-03-01  | 10    | 220       | 250          | 30   |

    Scenario: One for ten, and the fraction is paid out
      When Ada records
        | date       | entry | item | units | amount | to | from |
        | 2024-01-05 | buy   | Acme | 105   | 1050   |    |      |
        | 2024-02-01 | split | Acme |       |        | 1  | 10   |
        | 2024-02-01 | sell  | Acme | 0.5   | 52     |    |      |
      Then Ada's "Acme" holds 10 units at a cost of 1000 USD
      And Ada's "Acme" has the sales
        | date       | gain |
        | 2024-02-01 | 2    |

    @isolated @needs-process
    Scenario: A split counts once, also after ten further batches and a crash
      Given Ada's book holds the items
        | item | kind |
        | Cash | cash |
      And Ada has recorded
        | date       | entry | item | units | amount | to | from |
        | 2024-01-05 | buy   | Acme | 100   | 3000   |    |      |
        | 2024-02-01 | split | Acme |       |        | 3  | 2    |
      And Ada has recorded one by one
        | date       | entry   | item | amount |
        | 2024-03-01 | deposit | Cash | 1      |
        | 2024-03-02 | deposit | Cash | 1      |
        | 2024-03-03 | deposit | Cash | 1      |
        | 2024-03-04 | deposit | Cash | 1      |
        | 2024-03-05 | deposit | Cash | 1      |
        | 2024-03-06 | deposit | Cash | 1      |
        | 2024-03-07 | deposit | Cash | 1      |
        | 2024-03-08 | deposit | Cash | 1      |
        | 2024-03-09 | deposit | Cash | 1      |
        | 2024-03-10 | deposit | Cash | 1      |
      Then Ada's "Acme" has the open lots
        | acquired on | units | cost base |
        | 2024-01-05  | 150   | 3000      |
      When the server is killed and started again
      Then Ada's "Acme" has the open lots
        | acquired on | units | cost base |
        | 2024-01-05  | 150   | 3000      |

  @LOT-017
  Rule: Naming more than a lot holds is refused

    Scenario: Fifteen of a lot of ten
      Given Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
        | 2024-01-03 | buy   | Acme | 10    | 1000   |
      When she tries to preview
        | date       | entry | item | units | amount | lots             |
        | 2024-02-02 | sell  | Acme | 15    | 1700   | 15 of 2024-01-02 |
      Then she is refused with "lot_exceeded"
      And nothing has changed
      When she records
        | date       | entry | item | units | amount | lots                              |
        | 2024-02-02 | sell  | Acme | 15    | 1700   | 10 of 2024-01-02, 5 of 2024-01-03 |
      Then Ada's "Acme" has the open lots
        | acquired on | units | cost base |
        | 2024-01-03  | 5     | 500       |

  @contract @LOT-018
  Rule: Unknown lots, lots acquired after the sale, lots of another item and sums that miss the units are refused

    Scenario Outline: A sale of 5 on 2024-02-02 that names <what>
      Given Ada's book holds the items
        | item | kind     |
        | Bolt | security |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
        | 2024-03-02 | buy   | Acme | 10    | 1000   |
        | 2024-01-04 | buy   | Bolt | 10    | 1000   |
      When she tries to sell 5 of "Acme" on 2024-02-02 from <units> of the lot of <day> on "<item>"
      Then she is refused with "<code>"
      And the refusal points at "transactions[0].lots"
      And nothing has changed
      When she records
        | date       | entry | item | units | amount | lots            |
        | 2024-02-02 | sell  | Acme | 5     | 600    | 5 of 2024-01-02 |
      Then Ada's "Acme" holds 15 units at a cost of 1500 USD

      Examples:
        | what                           | units | day        | item | code               |
        | a lot acquired after the sale  | 5     | 2024-03-02 | Acme | unknown_lot        |
        | a lot of another item          | 5     | 2024-01-04 | Bolt | unknown_lot        |
        | a lot that never was           | 5     | 1999-01-01 | Acme | unknown_lot        |
        | fewer units than it sells      | 4     | 2024-01-02 | Acme | lots_do_not_add_up |

  @LOT-020
  Rule: A buy whose lot a later sale names cannot be undone, though other units would suffice

    Scenario: The sale names the first buy
      Given Ada has recorded "the first buy"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-01-03 | buy   | Acme | 10    | 1100   |
      And she has recorded
        | date       | entry | item | units | amount | lots            |
        | 2024-02-02 | sell  | Acme | 5     | 700    | 5 of 2024-01-02 |
      When she tries to undo "the first buy"
      Then she is refused with "would_not_replay"
      And nothing has changed

    Scenario: The sale names no lot
      Given Ada has recorded "the first buy"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-01-03 | buy   | Acme | 10    | 1100   |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-02-02 | sell  | Acme | 5     | 700    |
      When she undoes "the first buy"
      Then Ada's "Acme" holds 5 units at a cost of 550 USD

  @contract @LOT-021
  Rule: Net proceeds over several lots are shared by units, and the last lot takes the rest

    Scenario: Fees and two lots
      When Ada records
        | date       | entry | item | units | amount | fees |
        | 2024-01-10 | buy   | Acme | 100   | 1000   | 10   |
        | 2024-02-10 | buy   | Acme | 50    | 600    | 5    |
        | 2024-03-10 | sell  | Acme | 120   | 1809.5 | 9.5  |
      Then the sale of Ada's "Acme" on 2024-03-10 took the lots
        | acquired on | units | cost base | net proceeds | gain |
        | 2024-01-10  | 100   | 1010      | 1500         | 490  |
        | 2024-02-10  | 20    | 242       | 300          | 58   |

    Scenario: Eighteen digits and two lots
      When Ada records
        | date       | entry | item | units                | amount |
        | 2024-01-02 | buy   | Acme | 0.123456789012345678 | 250    |
        | 2024-01-03 | buy   | Acme | 0.876543210987654322 | 1750   |
        | 2024-02-02 | sell  | Acme | 1                    | 3000   |
      Then the sale of Ada's "Acme" on 2024-02-02 took the lots
        | acquired on | units                | cost base | net proceeds         | gain                |
        | 2024-01-02  | 0.123456789012345678 | 250       | 370.370367037037034  | 120.370367037037034 |
        | 2024-01-03  | 0.876543210987654322 | 1750      | 2629.629632962962966 | 879.629632962962966 |

  @LOT-005
  Rule: A part of a lot takes its cost by units, fees included

    Scenario: Thirty of fifty units that cost 45 and 5 of fees
      When Ada records
        | date       | entry | item | units | amount | fees |
        | 2024-01-02 | buy   | Acme | 50    | 45     | 5    |
        | 2024-02-02 | sell  | Acme | 30    | 60     |      |
      Then the sale of Ada's "Acme" on 2024-02-02 took the lots
        | acquired on | units | cost base | net proceeds | gain |
        | 2024-01-02  | 30    | 30        | 60           | 30   |
      And Ada's "Acme" holds 20 units at a cost of 20 USD

    Scenario: A unit cost without end
      When Ada records
        | date       | entry | item | units       | amount    |
        | 2017-12-03 | buy   | Acme | 0.923641233 | 590645.78 |
        | 2017-12-29 | sell  | Acme | 0.02        | 100000    |
      Then Ada's "Acme" has the sales
        | date       | cost base            |
        | 2017-12-29 | ≈ 12789.506550753998 |
      And the cost of Ada's "Acme" adds up to the 590645.78 paid

  @contract @LOT-016
  Rule: A sale with named lots keeps them whatever is backdated

    Scenario: A buy of 2006 turns up after two sales of 2016
      Given Ada's book holds the items
        | item | kind     |
        | Bolt | security |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2007-07-01 | buy   | Acme | 1000  | 5000   |
        | 2012-07-01 | buy   | Acme | 3000  | 21000  |
        | 2007-07-01 | buy   | Bolt | 1000  | 5000   |
        | 2012-07-01 | buy   | Bolt | 3000  | 21000  |
      And Ada has recorded
        | date       | entry | item | units | amount | lots               |
        | 2016-01-01 | sell  | Acme | 1500  | 12000  | 1500 of 2012-07-01 |
        | 2016-01-01 | sell  | Bolt | 1500  | 12000  |                    |
      When she records
        | date       | entry | item | units | amount |
        | 2006-07-01 | buy   | Acme | 1500  | 3000   |
        | 2006-07-01 | buy   | Bolt | 1500  | 3000   |
      Then the sale of Ada's "Acme" on 2016-01-01 took the lots
        | acquired on | units | cost base | gain |
        | 2012-07-01  | 1500  | 10500     | 1500 |
      And the sale of Ada's "Bolt" on 2016-01-01 took the lots
        | acquired on | units | cost base | gain |
        | 2006-07-01  | 1500  | 3000      | 9000 |

  @contract @LOT-019
  Rule: A lot keeps its id through partial sales, splits and replays

    Scenario: A sale, a split and an undo elsewhere, then the buy itself is undone
      Given Ada's book holds the items
        | item | kind |
        | Cash | cash |
      And Ada has recorded "the older buy"
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 100    |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-03 | buy   | Acme | 10    | 200    |
      And Ada has recorded "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 5      |
      And Ada has noted the lots of "Acme"
      When she records
        | date       | entry | item | units | amount | to | from | lots            |
        | 2024-02-02 | sell  | Acme | 4     | 60     |    |      | 4 of 2024-01-03 |
        | 2024-03-02 | split | Acme |       |        | 2  | 1    |                 |
      And she undoes "the deposit"
      Then the open lots of Ada's "Acme" have the ids noted
      When she previews
        | date       | entry | item | units | amount | lots            |
        | 2024-04-02 | sell  | Acme | 1     | 60     | 1 of 2024-01-02 |
      And she undoes "the older buy"
      And she tries to preview the same batch again
      Then she is refused with "unknown_lot"
      And nothing has changed
