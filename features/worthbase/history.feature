Feature: Net worth over time, at calendar ends, each point the net worth of its day

  Source: Worthbase MCP page, read tools (get_history). Which days are points, and what counts on them, is convention.

  @HIST-001 @HIST-006
  Rule: Each point is the net worth of its day, by whatever it is broken down, and its parts add up

    Scenario: Three years of cash, shares, a foreign fund, a home and a loan, with two owners
      Given Ada keeps a book in AUD
      And Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada's book knows the accounts
        | account | kind      |
        | Broker  | brokerage |
      And Ada's book holds the items
        | item | kind     | currency | account | owners                 |
        | Cash | cash     | AUD      | Broker  | Ada 100                |
        | VAS  | security | AUD      | Broker  | Ada 33.33, Trust 66.67 |
        | VOO  | security | USD      |         | Trust 100              |
        | Home | property | AUD      |         | Ada 60, Trust 40       |
        | Loan | loan     | AUD      |         | Ada 50, Trust 50       |
      When she records
        | date       | entry           | item | units | amount   | to | from |
        | 2022-01-15 | deposit         | Cash |       | 12500.50 |    |      |
        | 2022-02-01 | buy             | VAS  | 121   | 10500    |    |      |
        | 2022-02-01 | price           | VAS  |       | 90.01    |    |      |
        | 2022-05-02 | buy             | VOO  | 10.5  | 4900     |    |      |
        | 2022-08-01 | price           | VOO  |       | 400.13   |    |      |
        | 2022-09-01 | buy             | Home |       | 800000   |    |      |
        | 2022-09-01 | opening balance | Loan |       | 420000   |    |      |
        | 2023-01-10 | valuation       | Home |       | 850000   |    |      |
        | 2023-03-31 | repayment       | Loan |       | 7654.33  |    |      |
        | 2023-06-30 | price           | VAS  |       | 91.37    |    |      |
        | 2023-07-03 | split           | VAS  |       |          | 3  | 2    |
        | 2023-07-03 | price           | VAS  |       | 61.07    |    |      |
        | 2024-02-29 | sell            | VAS  | 30    | 1900     |    |      |
        | 2024-04-01 | price           | VOO  |       | 510.77   |    |      |
        | 2024-10-01 | valuation       | Home |       | 901000   |    |      |
      And she records
        | date       | entry   | item | amount |
        | 2022-03-15 | deposit | Cash | 99.50  |
      Then Ada's history at year ends from 2022-01-01 to 2024-12-31 shows
        | date       | liabilities | partial | missing |
        | 2022-12-31 | 420000      | yes     | Home    |
        | 2023-12-31 | 412345.67   | no      |         |
        | 2024-12-31 | 412345.67   | no      |         |
      And each point of Ada's history at quarter ends from 2022-01-01 to 2024-12-31 is the net worth of its day
      And every breakdown of Ada's history at month ends from 2022-01-01 to 2024-12-31 adds up

  @HIST-003
  Rule: Points are the calendar ends inside the range, both ends included

    Scenario: Rows on the last day of a month and on the first of the next
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      When she records
        | date       | entry   | item | amount |
        | 2024-02-29 | deposit | Cash | 100    |
        | 2024-03-01 | deposit | Cash | 7      |
        | 2024-03-31 | deposit | Cash | 5      |
        | 2024-04-01 | deposit | Cash | 9      |
      Then Ada's history at month ends from 2024-02-29 to 2024-03-31 shows
        | date       | net worth | partial |
        | 2024-02-29 | 100       | no      |
        | 2024-03-31 | 112       | no      |
      And Ada's history at quarter ends from 2024-02-29 to 2024-06-29 shows
        | date       | net worth |
        | 2024-03-31 | 112       |

  @HIST-004
  Rule: The change is the last point less the first

    Scenario: A point more in the middle changes nothing
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      When she records
        | date       | entry      | item | amount |
        | 2024-01-10 | deposit    | Cash | 1000   |
        | 2024-02-10 | deposit    | Cash | 500    |
        | 2024-03-10 | withdrawal | Cash | 250    |
      Then Ada's net worth at month ends from 2024-01-31 to 2024-03-31 moved by
        | change |
        | 250    |

    @contract
    Scenario Outline: The ratio over a first point of <first>
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
        | Loan | loan |
      When she records
        | date       | entry           | item | amount  |
        | 2024-01-10 | opening balance | Cash | 1000    |
        | 2024-01-10 | opening balance | Loan | <debt>  |
        | 2024-03-10 | deposit         | Cash | 250     |
      Then Ada's net worth at month ends from 2024-01-31 to 2024-03-31 moved by
        | change | ratio   |
        | 250    | <ratio> |

      Examples:
        | first | debt | ratio |
        | 500   | 500  | 0.5   |
        | 0     | 1000 | none  |
        | -200  | 1200 | none  |

  @HIST-008
  Rule: A backdated row moves every point from its date on and none before

    Scenario: A deposit of February that is found in April, and taken out again
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And she has recorded
        | date       | entry   | item | amount |
        | 2024-01-10 | deposit | Cash | 100    |
      And she has recorded
        | date       | entry   | item | amount |
        | 2024-03-10 | deposit | Cash | 50     |
      When she records
        | date       | entry   | item | amount |
        | 2024-02-15 | deposit | Cash | 5      |
      Then Ada's history at month ends from 2024-01-31 to 2024-03-31 shows
        | date       | net worth |
        | 2024-01-31 | 100       |
        | 2024-02-29 | 105       |
        | 2024-03-31 | 155       |
      When she voids
        | date       | entry   | item |
        | 2024-02-15 | deposit | Cash |
      Then Ada's history at month ends from 2024-01-31 to 2024-03-31 shows
        | date       | net worth |
        | 2024-01-31 | 100       |
        | 2024-02-29 | 100       |
        | 2024-03-31 | 150       |

  @HIST-009
  Rule: A point without an exchange rate is partial

    Scenario: Roubles, which the European Central Bank has not quoted since 1 March 2022
      Given Ada keeps a book in EUR with the items
        | item    | kind | currency |
        | Roubles | cash | RUB      |
      When she records
        | date       | entry           | item    | amount |
        | 2021-12-15 | opening balance | Roubles | 1000   |
      Then Ada's history at month ends from 2022-01-31 to 2022-04-30 shows
        | date       | net worth   | partial | missing |
        | 2022-01-31 | ≈ 11.530687 | no      |         |
        | 2022-02-28 | ≈ 8.659193  | no      |         |
        | 2022-03-31 | 0           | yes     | Roubles |
        | 2022-04-30 | 0           | yes     | Roubles |

  @HIST-010
  Rule: The history of a party is its share under the split of each date

    Scenario: 40 and 60 per cent from 2024 on
      Given Ada keeps a book in USD
      And Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada's book holds the items
        | item | kind | owners  |
        | Cash | cash | Ada 100 |
      And she has recorded
        | date       | entry           | item | amount |
        | 2023-01-01 | opening balance | Cash | 1000   |
      When she splits "Cash" into "Ada 40, Trust 60" from 2024-01-01 as a correction
      Then the history of the share of "Ada" in Ada's book at month ends from 2023-12-31 to 2024-01-31 shows
        | date       | net worth |
        | 2023-12-31 | 1000      |
        | 2024-01-31 | 400       |
      And the history of the share of "Trust" in Ada's book at month ends from 2023-12-31 to 2024-01-31 shows
        | date       | net worth |
        | 2023-12-31 | 0         |
        | 2024-01-31 | 600       |
      And Ada's history at month ends from 2023-12-31 to 2024-01-31 shows
        | date       | net worth |
        | 2023-12-31 | 1000      |
        | 2024-01-31 | 1000      |

  @contract @HIST-011
  Rule: A range that runs backwards, an unknown interval and an endless range are refused

    Scenario Outline: <interval> ends from <from> to <to>
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And she has recorded
        | date       | entry   | item | amount |
        | 2024-01-10 | deposit | Cash | 100    |
      When she tries to read a history at "<interval>" ends from "<from>" to "<to>"
      Then she is refused with "invalid_input"
      And the refusal points at "<field>"
      And nothing has changed
      And Ada's history at year ends from 2024-01-01 to 2024-12-31 shows
        | date       | net worth |
        | 2024-12-31 | 100       |

      Examples:
        | interval | from       | to         | field    |
        | month    | 2024-12-31 | 2024-01-01 | from     |
        | week     | 2024-01-01 | 2024-12-31 | interval |
        | month    | 2024-02-30 | 2024-12-31 | from     |
        | month    | 1900-01-01 | 2100-12-31 | from     |

  @contract @HIST-012
  Rule: A range without any point gives an empty list and no change

    Scenario: A February that does not reach its last day
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And she has recorded
        | date       | entry   | item | amount |
        | 2023-01-10 | deposit | Cash | 100    |
      Then Ada's history at month ends from 2023-02-01 to 2023-02-27 has no point and no change
      And Ada's history at month ends from 2023-02-01 to 2023-02-28 shows
        | date       | net worth |
        | 2023-02-28 | 100       |
