Feature: A transfer moves between two own items and is nobody's gain

  Source: Worthbase MCP page, write tools (record: transfers). A transfer is one record on both its items.

  Background:
    Given Ada keeps a book in AUD with the items
      | item    | kind |
      | Cash    | cash |
      | Savings | cash |
      | Loan    | loan |

  @TRANSFER-001
  Rule: One transfer moves both items under one record and one batch

    Scenario: 100 from the account to the savings
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 250    |
      When she records
        | date       | entry    | item | to item | amount |
        | 2024-02-01 | transfer | Cash | Savings | 100    |
      Then Ada's "Cash" and "Savings" show the same transfer
      And the balance of Ada's "Cash" is 150 AUD
      And the balance of Ada's "Savings" is 100 AUD

  @TRANSFER-002
  Rule: A transfer between own items of one currency leaves net worth as it is

    Scenario: A repayment out of cash
      Given Ada has recorded
        | date       | entry           | item | amount |
        | 2024-01-01 | opening balance | Cash | 5000   |
        | 2024-01-01 | opening balance | Loan | 3000   |
      When she records
        | date       | entry    | item | to item | amount  |
        | 2024-02-01 | transfer | Cash | Loan    | 1200.50 |
      Then Ada's figures on 2024-01-31 are
        | assets | liabilities | net worth |
        | 5000   | 3000        | 2000      |
      And Ada's figures on 2024-02-01 are
        | assets | liabilities | net worth |
        | 3799.5 | 1799.5      | 2000      |

  @TRANSFER-003 @LOT-014
  Rule: Units moved take their lots along, with cost and acquisition date, and realise nothing

    Scenario: Fifteen units to another broker, sold there in the order of first acquisition
      Given Ada's book holds the items
        | item   | kind     |
        | Acme A | security |
        | Acme B | security |
      And Ada has recorded
        | date       | entry | item   | units | amount |
        | 2020-01-01 | buy   | Acme A | 10    | 100    |
        | 2021-01-01 | buy   | Acme A | 10    | 200    |
        | 2021-06-01 | buy   | Acme B | 5     | 150    |
      When she records
        | date       | entry    | item   | to item | units | amount |
        | 2022-01-01 | transfer | Acme A | Acme B  | 15    |        |
        | 2023-01-01 | sell     | Acme B |         | 12    | 600    |
      Then Ada's "Acme A" has the open lots
        | acquired on | units | cost base |
        | 2021-01-01  | 5     | 100       |
      And Ada's "Acme B" has the open lots
        | acquired on | units | cost base |
        | 2021-01-01  | 3     | 60        |
        | 2021-06-01  | 5     | 150       |
      And the sale of Ada's "Acme B" on 2023-01-01 took the lots
        | acquired on | units | cost base | net proceeds | gain |
        | 2020-01-01  | 10    | 100       | 500          | 400  |
        | 2021-01-01  | 2     | 40        | 100          | 60   |

  @TRANSFER-006
  Rule: Cash to loan repays, loan to cash draws down, cash to cash moves

    Scenario Outline: 50 from <from> to <to>
      Given Ada has recorded
        | date       | entry           | item    | amount |
        | 2024-01-01 | opening balance | Cash    | 1000   |
        | 2024-01-01 | opening balance | Savings | 1000   |
        | 2024-01-01 | opening balance | Loan    | 1000   |
      When she records
        | date       | entry    | item   | to item | amount |
        | 2024-02-01 | transfer | <from> | <to>    | 50     |
      Then Ada's breakdown by item on 2024-02-01 is
        | name    | side      | value     |
        | Cash    | asset     | <cash>    |
        | Savings | asset     | <savings> |
        | Loan    | liability | <loan>    |

      Examples:
        | from | to      | cash | savings | loan |
        | Cash | Loan    | 950  | 1000    | 950  |
        | Loan | Cash    | 1050 | 1000    | 1050 |
        | Cash | Savings | 950  | 1050    | 1000 |

  @TRANSFER-008 @VOID-008
  Rule: Undo and void treat a transfer as a whole

    Scenario: A voided and an undone transfer give both balances back
      Given Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 250    |
      And she has recorded "the transfer"
        | date       | entry    | item | to item | amount |
        | 2024-02-01 | transfer | Cash | Savings | 100    |
      And she has recorded
        | date       | entry    | item | to item | amount |
        | 2024-03-01 | transfer | Cash | Savings | 30     |
      When she voids
        | date       | entry    | item |
        | 2024-03-01 | transfer | Cash |
      Then the balance of Ada's "Cash" is 150 AUD
      And the balance of Ada's "Savings" is 100 AUD
      When she undoes "the transfer"
      Then the balance of Ada's "Cash" is 250 AUD
      And Ada's "Savings" has
        | transfers |
        | 0         |
      And Ada's net worth is 250 AUD

    Scenario: Voiding a deposit leaves the transfer
      Given Ada has recorded
        | date       | entry    | item | to item | amount |
        | 2024-01-02 | deposit  | Cash |         | 250    |
        | 2024-02-01 | transfer | Cash | Savings | 100    |
      When she voids
        | date       | entry   | item |
        | 2024-01-02 | deposit | Cash |
      Then the balance of Ada's "Cash" is -100 AUD
      And the balance of Ada's "Savings" is 100 AUD

  @TRANSFER-010
  Rule: A transfer between items of different owners moves the shares by party and no total

    Scenario: 100 from Ada's account to the trust's
      Given Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada's book holds the items
        | item  | kind | owners    |
        | Purse | cash | Ada 100   |
        | Chest | cash | Trust 100 |
      And Ada has recorded
        | date       | entry   | item  | amount |
        | 2024-01-02 | deposit | Purse | 250    |
      When she records
        | date       | entry    | item  | to item | amount |
        | 2024-02-01 | transfer | Purse | Chest   | 100    |
      Then Ada's breakdown by party on 2024-02-01 is
        | name  | side  | value |
        | Ada   | asset | 150   |
        | Trust | asset | 100   |
      And Ada's net worth on 2024-02-01 is 250 AUD

  @contract @TRANSFER-005
  Rule: Between currencies both amounts are given, and only the difference in rates shows in net worth

    Scenario: 100 dollars become 150 Australian dollars
      Given Ada's book holds the items
        | item    | kind | currency |
        | Dollars | cash | USD      |
      When Ada records
        | date       | entry   | item    | amount |
        | 2024-06-27 | deposit | Dollars | 100    |
      Then Ada's figures on 2024-06-28 are
        | net worth            |
        | ≈ 150.20084072863148 |
      When she tries to preview
        | date       | entry    | item    | to item | amount |
        | 2024-06-28 | transfer | Dollars | Cash    | 100    |
      Then she is refused with "currency_mismatch"
      And nothing has changed
      When she records
        | date       | entry    | item    | to item | amount | to amount |
        | 2024-06-28 | transfer | Dollars | Cash    | 100    | 150       |
      Then Ada's net worth on 2024-06-28 is 150 AUD
      And Ada's breakdown by item on 2024-06-28 is
        | name    | side      | value |
        | Dollars | asset     | 0     |
        | Cash    | asset     | 150   |
      When she records
        | date       | entry    | item | to item | amount |
        | 2024-06-28 | transfer | Cash | Savings | 10     |
      Then the balance of Ada's "Savings" is 10 AUD

  @contract @TRANSFER-007
  Rule: Transfers to the same item, between unlike holdings, or of more units than held are refused

    Scenario Outline: <what>
      Given Ada's book holds the items
        | item   | kind     |
        | Acme A | security |
        | Acme B | security |
        | Coin   | crypto   |
      And Ada has recorded
        | date       | entry   | item   | units | amount |
        | 2024-01-01 | buy     | Acme A | 10    | 100    |
        | 2024-01-01 | deposit | Cash   |       | 100    |
      When she tries to preview
        | date       | entry    | item   | to item | units   | amount   |
        | 2024-02-01 | transfer | <from> | <to>    | <units> | <amount> |
      Then she is refused with "<code>"
      And nothing has changed
      When she records
        | date       | entry    | item   | to item | units |
        | 2024-02-01 | transfer | Acme A | Acme B  | 10    |
      Then Ada's "Acme B" holds 10 units at a cost of 100 AUD

      Examples:
        | what                        | from   | to     | units | amount | code          |
        | Shares to themselves        | Acme A | Acme A | 5     |        | invalid_input |
        | Shares to a coin            | Acme A | Coin   | 5     |        | invalid_input |
        | Shares to cash, by units    | Acme A | Cash   | 5     |        | invalid_input |
        | Eleven of ten shares        | Acme A | Acme B | 11    |        | oversell      |

  @TRANSFER-011
  Rule: A sale after a transfer keeps the original buy from being undone

    Scenario: Bought here, moved there, sold there
      Given Ada's book holds the items
        | item   | kind     |
        | Acme A | security |
        | Acme B | security |
      And Ada has recorded "the buy"
        | date       | entry | item   | units | amount |
        | 2024-01-01 | buy   | Acme A | 10    | 100    |
      And she has recorded "the transfer"
        | date       | entry    | item   | to item | units |
        | 2024-02-01 | transfer | Acme A | Acme B  | 10    |
      And she has recorded "the sale"
        | date       | entry | item   | units | amount |
        | 2024-03-01 | sell  | Acme B | 10    | 150    |
      When she tries to undo "the buy"
      Then she is refused with "would_not_replay"
      And nothing has changed
      When she undoes "the sale"
      And she undoes "the transfer"
      And she undoes "the buy"
      Then Ada's "Acme A" holds 0 units at a cost of 0 AUD

  @contract @TRANSFER-009
  Rule: Named lots may be moved, and parts of lots divide their cost by units

    Scenario: Five of the younger ten, then more than are left
      Given Ada's book holds the items
        | item   | kind     |
        | Acme A | security |
        | Acme B | security |
      And Ada has recorded
        | date       | entry | item   | units | amount |
        | 2020-01-01 | buy   | Acme A | 10    | 100    |
        | 2021-01-01 | buy   | Acme A | 10    | 200    |
      When she tries to preview
        | date       | entry    | item   | to item | units | lots             |
        | 2022-01-01 | transfer | Acme A | Acme B  | 15    | 15 of 2021-01-01 |
      Then she is refused with "lot_exceeded"
      And nothing has changed
      When she records "the five"
        | date       | entry    | item   | to item | units | lots            |
        | 2022-01-01 | transfer | Acme A | Acme B  | 5     | 5 of 2021-01-01 |
      Then Ada's "Acme A" has the open lots
        | acquired on | units | cost base |
        | 2020-01-01  | 10    | 100       |
        | 2021-01-01  | 5     | 100       |
      And Ada's "Acme B" has the open lots
        | acquired on | units | cost base |
        | 2021-01-01  | 5     | 100       |
      When she undoes "the five"
      And she records
        | date       | entry    | item   | to item | units | lots             |
        | 2022-01-01 | transfer | Acme A | Acme B  | 10    | 10 of 2021-01-01 |
      Then Ada's "Acme A" has the open lots
        | acquired on | units | cost base |
        | 2020-01-01  | 10    | 100       |
      And Ada's "Acme B" has the open lots
        | acquired on | units | cost base |
        | 2021-01-01  | 10    | 200       |

  @TRANSFER-004
  Rule: For the total return a transfer between own items is no flow

    Scenario: A hundred moves to the savings after half a year and earns ten
      Given Ada has recorded
        | date       | entry    | item    | to item | amount |
        | 2023-01-01 | deposit  | Cash    |         | 100    |
        | 2023-07-01 | transfer | Cash    | Savings | 100    |
        | 2024-01-01 | interest | Savings |         | 10     |
      Then Ada's performance until 2024-01-01 is
        | money in | money out | end | gain | annual return |
        | 100      | 0         | 110 | 10   | 0.1           |
