Feature: Worked examples: debts, goals and losses

  Loans and what secures them, goals and their trends, losses carried forward. The figures come from lenders' own pages, from
  exact fractions and from the calendar; fixtures/golden/debt.json and goals_losses.json name the source of each.

  @DEBT-001 @DEBT-002 @DEBT-003 @DEBT-009
  Rule: An offset account lowers what is left of its loan, not the loan to value ratio

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example                   | what it shows         |
        | debt-lvr-two-loans-offset | two loans on one home |

  @DEBT-005
  Rule: Drawdowns, interest and fees add to a loan, repayments subtract

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example   | what it shows            |
        | debt-roll | a loan over three months |

  @DEBT-007
  Rule: A property without a value has no equity and no ratio

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example       | what it shows                 |
        | debt-no-value | a home that nobody has valued |

  @contract @DEBT-008
  Rule: A loan on several properties is shared out by value and counted once

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example             | what it shows         |
        | debt-two-securities | one loan on two homes |

  @contract @GOAL-001
  Rule: A goal shows its progress, its trend, and when the trend reaches it

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example      | what it shows     |
        | goal-on-pace | a million by 2034 |

  @contract @GOAL-004
  Rule: A debt goal counts downwards

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example        | what it shows                  |
        | goal-debt-late | debt free four months too late |

  @contract @GOAL-005
  Rule: A reached goal is on pace

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example      | what it shows     |
        | goal-reached | exactly a million |

  @LOSS-001 @LOSS-002 @NW-013
  Rule: Losses show what is left by party, and no net worth knows of them

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example        | what it shows               |
        | loss-remaining | three losses of two parties |
