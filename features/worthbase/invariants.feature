Feature: What holds in every book, whatever was recorded in it

  Figures that meet agree to the last digit: parts and wholes, proceeds and costs, rows and positions, one tool and another.
  It is looked at in a book on which many tools have written, and in the books of the worked examples.

  @INVARIANT-001 @INVARIANT-005 @INVARIANT-007 @INVARIANT-008 @INVARIANT-009 @INVARIANT-010 @INVARIANT-015
  Rule: Parts add up to wholes, lots to positions, proceeds less costs to gains, in the book of every worked example

    Scenario Outline: The book of <example>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then every breakdown of Ada's book on <one day> adds up
      And every breakdown of Ada's book on <another> adds up
      And every breakdown of Ada's book on 2026-10-30 adds up
      And every breakdown of Ada's history at year ends from 2024-12-31 to 2025-12-31 adds up
      And each point of Ada's history at year ends from 2024-12-31 to 2025-12-31 is the net worth of its day
      And every gain in Ada's book is what it brought less what it cost
      And no cost was lost in Ada's book, and its lots are its positions
      And the units of every item in Ada's book follow from its rows
      And net worth was assets less liabilities in every answer
      And every figure shown so far is a decimal string, and money stands beside its currency
      And Ada's book lists a batch for each write and no other

      Examples: With prices
        | example                 | one day    | another    |
        | nw-mixed                | 2024-03-31 | 2024-06-30 |
        | nw-fx-as-of-report-date | 2024-03-31 | 2024-06-28 |
        | nw-split-and-price      | 2024-06-09 | 2024-06-10 |
        | hist-month-ends         | 2024-01-31 | 2024-04-30 |
        | xirr-fees-dividends     | 2023-12-31 | 2024-12-31 |
        | perf-transfer-neutral   | 2021-01-01 | 2021-12-31 |

    Scenario Outline: The lots of <example>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then every gain in Ada's book is what it brought less what it cost
      And no cost was lost in Ada's book, and its lots are its positions
      And the units of every item in Ada's book follow from its rows
      And net worth was assets less liabilities in every answer
      And every figure shown so far is a decimal string, and money stands beside its currency

      Examples:
        | example                  |
        | lots-fifo-fees           |
        | lots-specific            |
        | lots-split-between       |
        | lots-split-same-day-sale |
        | lots-same-day-buy-sell   |
        | lots-sell-all-rebuy      |
        | lots-crypto-18dp         |
        | lots-crypto-one-wei      |
        | lots-thirds-conserve     |
        | lots-total-cost-partial  |
        | lots-jpy                 |
        | lots-transfer-carries    |
        | fx-gain-in-base          |

  Rule: In a book on which many tools have written, reading changes nothing, and what is undone leaves no trace

    Background:
      Given Ada keeps a book in AUD
      And Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada's book knows the accounts
        | account | kind      |
        | Broker  | brokerage |
      And Ada's book holds the items
        | item   | kind     | currency | account | owners                 |
        | Acme   | security | AUD      | Broker  | Ada 33.33, Trust 66.67 |
        | VOO    | security | USD      |         | Trust 100              |
        | Cash   | cash     | AUD      | Broker  | Ada 100                |
        | Home   | property | AUD      |         | Ada 60, Trust 40       |
        | Loan   | loan     | AUD      |         | Ada 50, Trust 50       |
        | Offset | cash     | AUD      |         | Ada 100                |
      And Ada has recorded
        | date       | entry           | item   | to item | units | amount  | fees  | to | from |
        | 2024-01-02 | opening balance | Cash   |         |       | 5000.01 |       |    |      |
        | 2024-01-02 | buy             | Acme   |         | 3     | 1000    | 0.01  |    |      |
        | 2024-01-10 | price           | Acme   |         |       | 333.33  |       |    |      |
        | 2024-02-01 | buy             | VOO    |         | 1.5   | 700     | 3     |    |      |
        | 2024-02-01 | price           | VOO    |         |       | 490.10  |       |    |      |
        | 2024-02-05 | buy             | Home   |         |       | 800000  | 30000 |    |      |
        | 2024-02-05 | valuation       | Home   |         |       | 850000  |       |    |      |
        | 2024-02-05 | opening balance | Loan   |         |       | 600000  |       |    |      |
        | 2024-03-01 | opening balance | Offset |         |       | 20000   |       |    |      |
        | 2024-03-04 | split           | Acme   |         |       |         |       | 3  | 2    |
        | 2024-03-05 | price           | Acme   |         |       | 230     |       |    |      |
        | 2024-04-02 | dividend        | Acme   |         |       | 12.34   | 0.34  |    |      |
        | 2024-05-02 | sell            | Acme   |         | 1     | 251     | 1     |    |      |
        | 2024-06-03 | transfer        | Cash   | Loan    |       | 2100.55 |       |    |      |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2023-12-04 | buy   | Acme | 2     | 500    |
      And Ada has linked "Loan" to "Home" as "secured by"
      And she has linked "Offset" to "Loan" as "offset"
      And Ada has set the goal "House"
        | kind      | target | by         |
        | net worth | 500000 | 2030-06-30 |
      And Ada has tracked the loss "shares"
        | party | kind    | year | amount | used |
        | Ada   | capital | 2021 | 1000   | 300  |

    @INVARIANT-002 @INVARIANT-016
    Scenario: A batch on every item is committed and undone
      Given Ada has noted down every figure
      When Ada records "the probe"
        | date       | entry      | item   | units | amount | fees |
        | 2024-02-15 | buy        | Acme   | 2     | 700    | 1    |
        | 2024-05-03 | sell       | Acme   | 1.5   | 400    |      |
        | 2024-06-10 | sell       | VOO    | 0.5   | 260    |      |
        | 2024-06-11 | withdrawal | Cash   |       | 99.99  |      |
        | 2024-06-12 | valuation  | Home   |       | 900000 |      |
        | 2024-06-13 | interest   | Loan   |       | 1250   |      |
        | 2024-06-14 | deposit    | Offset |       | 5      |      |
        | 2024-06-15 | price      | Acme   |       | 1      |      |
      Then the book has changed
      When she undoes "the probe"
      Then every figure is as noted down
      And Ada's book lists a batch for each write and no other

    @INVARIANT-011 @INVARIANT-012
    Scenario: Every reading tool is asked twice
      When Ada asks every reading tool twice
      Then nothing has changed

    @INVARIANT-001 @INVARIANT-005 @INVARIANT-007 @INVARIANT-008 @INVARIANT-009 @INVARIANT-010 @INVARIANT-014 @INVARIANT-015
    Scenario: Shares, parts, lots and gains
      When Ada asks every reading tool twice
      Then the shares of all parties in Ada's book on 2024-01-31 add up to the whole
      And the shares of all parties in Ada's book on 2024-06-30 add up to the whole
      And gains and losses of all parties in Ada's book until 2024-12-31 add up to the whole
      And every breakdown of Ada's book on 2024-01-31 adds up
      And every breakdown of Ada's book on 2024-06-30 adds up
      And every breakdown of Ada's book on 2026-10-30 adds up
      And every breakdown of Ada's history at month ends from 2024-01-01 to 2024-12-31 adds up
      And each point of Ada's history at quarter ends from 2024-01-01 to 2024-12-31 is the net worth of its day
      And every gain in Ada's book is what it brought less what it cost
      And no cost was lost in Ada's book, and its lots are its positions
      And the units of every item in Ada's book follow from its rows
      And net worth was assets less liabilities in every answer
      And every figure shown so far is a decimal string, and money stands beside its currency

    @INVARIANT-004
    Scenario: Everything that the book shows is entered anew
      When Ben enters all that Ada's book shows into a new one
      Then Ben's book and Ada's show the same figures on 2024-01-31
      And Ben's book and Ada's show the same figures on 2024-06-30
      And Ben's book and Ada's show the same figures on 2026-10-30

    @INVARIANT-006
    Scenario: A write with each tool
      When Ada writes once with each of the tools
        | tool         |
        | record       |
        | commit       |
        | undo         |
        | void         |
        | reconcile    |
        | set_goal     |
        | save_party   |
        | save_account |
        | archive_item |
      Then each write said how far it moved the net worth of today
