Feature: Debts: loans with what secures and offsets them, and what that leaves of each property

  Source: Worthbase MCP page, read tools (get_debt_report). That a ratio is gross of offsets is the practice of lenders.

  @DEBT-001 @DEBT-002 @DEBT-003
  Rule: Every loan and every property is listed, linked or not

    Scenario: Two loans on a home, one of them with an offset account, a loan beside them and a house without debt
      Given Ada keeps a book in AUD with the items
        | item    | kind     |
        | Home    | property |
        | Cottage | property |
        | Main    | loan     |
        | Top-up  | loan     |
        | Margin  | loan     |
        | Shares  | security |
        | Offset  | cash     |
      And she has recorded
        | date       | entry           | item    | amount |
        | 2024-01-01 | valuation       | Home    | 800000 |
        | 2024-01-01 | valuation       | Cottage | 300000 |
        | 2024-01-01 | opening balance | Main    | 400000 |
        | 2024-01-01 | opening balance | Top-up  | 150000 |
        | 2024-01-01 | opening balance | Margin  | 25000  |
        | 2024-01-01 | opening balance | Offset  | 60000  |
      When she links "Main" to "Home" as "secured by"
      And she links "Top-up" to "Home" as "secured by"
      And she links "Offset" to "Main" as "offset"
      And she links "Top-up" to "Shares" as "funds"
      Then Ada's loans on 2024-06-30 are
        | loan   | balance | offsets | offset | net of offset | secured by | funds  |
        | Main   | 400000  | Offset  | 60000  | 340000        | Home       |        |
        | Top-up | 150000  |         | 0      | 150000        | Home       | Shares |
        | Margin | 25000   |         | 0      | 25000         |            |        |
      And Ada's properties on 2024-06-30 are
        | property | value  | secured debt | equity | LVR    |
        | Home     | 800000 | 550000       | 250000 | 0.6875 |
        | Cottage  | 300000 | 0            | 300000 | 0      |
      And Ada's total debt on 2024-06-30 is 575000

  @DEBT-004
  Rule: An offset lowers what is left of its loan to zero at most, and stays an asset

    Scenario: 30,000 on the account, 20,000 on the loan
      Given Ada keeps a book in AUD with the items
        | item   | kind |
        | Loan   | loan |
        | Offset | cash |
      And she has recorded
        | date       | entry           | item   | amount |
        | 2024-01-01 | opening balance | Loan   | 20000  |
        | 2024-01-01 | opening balance | Offset | 30000  |
      When she links "Offset" to "Loan" as "offset"
      Then Ada's loans on 2024-06-30 are
        | loan | balance | net of offset |
        | Loan | 20000   | 0             |
      And Ada's figures on 2024-06-30 are
        | assets | liabilities | net worth | cash  |
        | 30000  | 20000       | 10000     | 30000 |

  @DEBT-005
  Rule: Balances follow the rows of the loan to the date

    Scenario: The day before, the day of and the day after a repayment
      Given Ada keeps a book in AUD with the items
        | item | kind |
        | Loan | loan |
      When she records
        | date       | entry           | item | amount  |
        | 2024-01-01 | opening balance | Loan | 300000  |
        | 2024-02-01 | drawdown        | Loan | 20000   |
        | 2024-02-29 | interest        | Loan | 1250.45 |
        | 2024-02-29 | fee             | Loan | 10      |
        | 2024-03-15 | repayment       | Loan | 2100    |
      Then Ada's loans on 2024-01-31 are
        | loan | balance |
        | Loan | 300000  |
      And Ada's loans on 2024-02-29 are
        | loan | balance   |
        | Loan | 321260.45 |
      And Ada's loans on 2024-03-14 are
        | loan | balance   |
        | Loan | 321260.45 |
      And Ada's loans on 2024-03-15 are
        | loan | balance   |
        | Loan | 319160.45 |

  Rule: Debt and value make equity and the loan to value ratio, whatever comes out

    Background:
      Given Ada keeps a book in AUD with the items
        | item | kind     |
        | Home | property |
        | Loan | loan     |

    @DEBT-006
    Scenario: More debt than value
      Given Ada has linked "Loan" to "Home" as "secured by"
      When she records
        | date       | entry           | item | amount |
        | 2024-01-01 | opening balance | Loan | 250000 |
        | 2024-01-01 | valuation       | Home | 200000 |
      Then Ada's properties on 2024-06-30 are
        | property | value  | secured debt | equity | LVR  |
        | Home     | 200000 | 250000       | -50000 | 1.25 |

    @DEBT-007
    Scenario: No value yet, then a value of 0
      Given Ada has linked "Loan" to "Home" as "secured by"
      When she records
        | date       | entry           | item | amount |
        | 2024-01-01 | opening balance | Loan | 410000 |
        | 2024-09-01 | valuation       | Home | 0      |
      Then Ada's properties on 2024-06-30 are
        | property | value | secured debt | equity | LVR  |
        | Home     | none  | 410000       | none   | none |
      And Ada's properties on 2024-09-30 are
        | property | value | secured debt | equity  | LVR  |
        | Home     | 0     | 410000       | -410000 | none |

    @DEBT-011
    Scenario: A loan that is repaid, and then archived
      Given Ada has linked "Loan" to "Home" as "secured by"
      When she records
        | date       | entry           | item | amount |
        | 2024-01-01 | opening balance | Loan | 100000 |
        | 2024-01-01 | valuation       | Home | 200000 |
        | 2024-05-01 | repayment       | Loan | 100000 |
      Then Ada's loans on 2024-06-30 are
        | loan | balance |
        | Loan | 0       |
      And Ada's properties on 2024-06-30 are
        | property | secured debt | equity | LVR |
        | Home     | 0            | 200000 | 0   |
      When she archives "Loan" on 2024-07-01
      Then Ada has no loan on 2024-07-01
      And Ada's loans on 2024-06-30 are
        | loan | balance |
        | Loan | 0       |
      And Ada's total debt on 2024-07-01 is 0

  @contract @DEBT-008
  Rule: A loan on several properties is shared out by value and counted once

    Scenario: 600,000 on homes of 500,000 and 300,000
      Given Ada keeps a book in AUD with the items
        | item  | kind     |
        | First | property |
        | Other | property |
        | Loan  | loan     |
      And Ada has linked "Loan" to "First" as "secured by"
      And Ada has linked "Loan" to "Other" as "secured by"
      When she records
        | date       | entry           | item  | amount |
        | 2024-01-01 | opening balance | Loan  | 600000 |
        | 2024-01-01 | valuation       | First | 500000 |
        | 2024-01-01 | valuation       | Other | 300000 |
      Then Ada's properties on 2024-06-30 are
        | property | secured debt | equity | LVR  |
        | First    | 375000       | 125000 | 0.75 |
        | Other    | 225000       | 75000  | 0.75 |
      And Ada's total debt on 2024-06-30 is 600000

  @DEBT-009 @DEBT-010
  Rule: Foreign loans are converted at the report date, and the total is what the loans are in the net worth

    Scenario: A loan in US dollars on an Australian home, a euro account that offsets it, and a debt that is no loan
      Given Ada keeps a book in AUD with the items
        | item   | kind            | currency |
        | Home   | property        | AUD      |
        | Loan   | loan            | USD      |
        | Local  | loan            | AUD      |
        | Tab    | other_liability | AUD      |
        | Euros  | cash            | EUR      |
      And Ada has linked "Loan" to "Home" as "secured by"
      And Ada has linked "Euros" to "Loan" as "offset"
      When she records
        | date       | entry           | item  | amount |
        | 2024-01-02 | valuation       | Home  | 800000 |
        | 2024-01-02 | opening balance | Loan  | 100000 |
        | 2024-01-02 | opening balance | Local | 5000   |
        | 2024-01-02 | opening balance | Tab   | 700    |
        | 2024-01-02 | opening balance | Euros | 1000   |
        | 2024-05-02 | repayment       | Loan  | 10000  |
      Then Ada's loans on 2024-02-29 are
        | loan  | balance | currency | offset | net of offset | in base         | base currency |
        | Loan  | 100000  | USD      | 1082.6 | 98917.4       | ≈ 154110.474783 | AUD           |
        | Local | 5000    | AUD      | 0      | 5000          | 5000            | AUD           |
      And Ada's properties on 2024-02-29 are
        | property | in base | secured debt    | equity          |
        | Home     | 800000  | ≈ 154110.474783 | ≈ 645889.525217 |
      And Ada's loans on 2024-06-28 are
        | loan  | balance | currency | offset | net of offset | in base         |
        | Loan  | 90000   | USD      | 1070.5 | 88929.5       | ≈ 135180.756656 |
        | Local | 5000    | AUD      | 0      | 5000          | 5000            |
      And Ada's total debt on 2024-01-31 is what the loans are in the net worth
      And Ada's total debt on 2024-02-29 is what the loans are in the net worth
      And Ada's total debt on 2024-06-28 is what the loans are in the net worth
