Feature: Goals: how far a net worth or a debt has come, and when it will be there

  A goal shows its figure of the day, how far it moved in twelve months, the day on which that reaches the target, and
  whether that is in time.
  Source: Worthbase MCP page, read tools (get_goals) and write tools (set_goal). How a trend is measured is our contract.

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind |
      | Cash | cash |
      | Loan | loan |

  @contract @GOAL-001 @GOAL-007
  Rule: A goal shows its progress, its trend, a projected date and whether it is on pace, by the figures of the book

    Scenario: A net worth and a debt, both of the same book
      Given Ada has recorded
        | date       | entry           | item | amount |
        | 2023-06-30 | opening balance | Cash | 700000 |
        | 2023-06-30 | opening balance | Loan | 300000 |
        | 2024-06-30 | deposit         | Cash | 24000  |
        | 2024-06-30 | repayment       | Loan | 36000  |
      And Ada has set the goal "A million"
        | kind      | target  | by         |
        | net worth | 1000000 | 2034-06-30 |
      And she has set the goal "Debt free"
        | kind | target | by         |
        | debt | 0      | 2031-06-30 |
      Then Ada's goals on 2024-06-30 are
        | goal      | kind      | target  | by         | current | progress | trend  | monthly | projected  | on pace | reached |
        | A million | net worth | 1000000 | 2034-06-30 | 460000  | 0.46     | 60000  | 5000    | 2033-06-30 | yes     | no      |
        | Debt free | debt      | 0       | 2031-06-30 | 264000  | 0.12     | -36000 | -3000   | 2031-10-30 | no      | no      |
      And Ada's net worth on 2024-06-30 is 460,000 USD
      And Ada's total debt on 2024-06-30 is 264000

  @GOAL-002
  Rule: set_goal creates, changes and archives a goal, and each step can be undone

    Scenario: Created, changed and archived, then undone step by step
      Given Ada has recorded
        | date       | entry           | item | amount |
        | 2024-01-02 | opening balance | Cash | 500    |
      When Ada sets the goal "House" as "the goal"
        | kind      | target | by         |
        | net worth | 1000   | 2030-06-30 |
      And she sets the goal "House" as "the higher target"
        | target |
        | 2000   |
      Then Ada's goals on 2024-06-30 are
        | goal  | kind      | target | by         | current | progress |
        | House | net worth | 2000   | 2030-06-30 | 500     | 0.25     |
      When she sets the goal "House" as "the end"
        | archive |
        | yes     |
      Then Ada has no goal on 2024-06-30
      When she undoes "the end"
      Then Ada's goals on 2024-06-30 are
        | goal  | kind      | target | by         |
        | House | net worth | 2000   | 2030-06-30 |
      When she undoes "the higher target"
      Then Ada's goals on 2024-06-30 are
        | goal  | kind      | target | by         |
        | House | net worth | 1000   | 2030-06-30 |
      When she undoes "the goal"
      Then Ada has no goal on 2024-06-30

  @contract @GOAL-003
  Rule: A trend that leads away from the target has no projected date and is not on pace

    Scenario: 300 a year ago, 200 now, 1,000 to reach
      Given Ada has recorded
        | date       | entry           | item | amount |
        | 2023-06-30 | opening balance | Cash | 300    |
        | 2024-03-31 | withdrawal      | Cash | 100    |
      When Ada sets the goal "House"
        | kind      | target | by         |
        | net worth | 1000   | 2030-06-30 |
      Then Ada's goals on 2024-06-30 are
        | goal  | current | trend | projected | on pace | reached |
        | House | 200     | -100  | never     | no      | no      |

  @contract @GOAL-005
  Rule: A reached goal is on pace with progress 1

    Scenario: Exactly a million, and the last dollar of a debt
      Given Ada has recorded
        | date       | entry           | item | amount  |
        | 2023-06-30 | opening balance | Cash | 999500  |
        | 2023-06-30 | opening balance | Loan | 500     |
        | 2024-06-30 | deposit         | Cash | 500     |
        | 2024-06-30 | repayment       | Loan | 500     |
      And Ada has set the goal "A million"
        | kind      | target  | by         |
        | net worth | 1000000 | 2034-06-30 |
      When Ada sets the goal "Debt free"
        | kind | target | by         |
        | debt | 0      | 2031-06-30 |
      Then Ada's goals on 2024-06-30 are
        | goal      | current | progress | reached | on pace |
        | A million | 1000000 | 1        | yes     | yes     |
        | Debt free | 0       | 1        | yes     | yes     |

  @contract @GOAL-006
  Rule: Without enough complete history there is no trend, and a trend never begins at zero

    Scenario: A book of ten days
      Given Ada has recorded
        | date       | entry           | item | amount |
        | 2024-06-20 | opening balance | Cash | 1000   |
        | 2024-06-30 | deposit         | Cash | 100    |
      When Ada sets the goal "House"
        | kind      | target | by         |
        | net worth | 5000   | 2030-06-30 |
      Then Ada's goals on 2024-06-30 are
        | goal  | current | trend | monthly | projected | on pace |
        | House | 1100    | none  | none    | never     | unknown |

    Scenario: Shares that were first priced three months ago
      Given Ada's book holds the items
        | item | kind     |
        | Acme | security |
      And Ada has recorded
        | date       | entry           | item | units | amount |
        | 2023-01-02 | opening balance | Cash |       | 1000   |
        | 2023-01-02 | buy             | Acme | 10    | 500    |
        | 2024-03-15 | price           | Acme |       | 60     |
        | 2024-06-15 | price           | Acme |       | 90     |
      When Ada sets the goal "House"
        | kind      | target | by         |
        | net worth | 2500   | 2030-06-30 |
      Then Ada's goals on 2024-06-30 are
        | goal  | current | trend | monthly | projected  | on pace |
        | House | 1900    | 300   | 100     | 2024-12-30 | yes     |

  @contract @GOAL-008
  Rule: Other kinds, negative targets and impossible dates are refused

    Scenario Outline: A goal of kind <kind>, <target> by <by>
      When Ada tries to set the goal "House"
        | kind   | target   | by   |
        | <kind> | <target> | <by> |
      Then she is refused with "<code>"
      And the refusal points at "<field>"
      And nothing has changed
      And Ada has no goal on 2024-06-30
      When she sets the goal "House"
        | kind | target | by         |
        | debt | 0      | 2030-02-28 |
      Then Ada's goals on 2024-06-30 are
        | goal  | kind | target | by         |
        | House | debt | 0      | 2030-02-28 |

      Examples:
        | kind   | target | by         | code            | field  |
        | income | 0      | 2030-02-28 | invalid_input   | kind   |
        | debt   | -1     | 2030-02-28 | invalid_decimal | target |
        | debt   | 0      | 2030-02-30 | invalid_input   | by     |

  @contract @GOAL-009
  Rule: Without a target date nothing is on pace or late

    Scenario: A goal without a date
      Given Ada has recorded
        | date       | entry           | item | amount |
        | 2023-06-30 | opening balance | Cash | 400000 |
        | 2024-06-30 | deposit         | Cash | 60000  |
      When Ada sets the goal "A million"
        | kind      | target  |
        | net worth | 1000000 |
      Then Ada's goals on 2024-06-30 are
        | goal      | trend | projected  | on pace |
        | A million | 60000 | 2033-06-30 | unknown |
