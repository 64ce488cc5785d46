Feature: Worked examples: net worth over time

  Points stand at calendar ends, and each is the net worth of its day. The figures come from hledger's value reports and
  from a calendar; fixtures/golden/history.json names the source of each.

  @HIST-003 @HIST-004 @HIST-007
  Rule: Month ends include 29 February, and the last price carries forward

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example         | what it shows              |
        | hist-month-ends | one item with three prices |

  @HIST-002 @HIST-004
  Rule: Points without values are marked partial and name what is missing

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example      | what it shows                                |
        | hist-partial | a home bought in January and valued in March |

  @contract @HIST-005
  Rule: A point before the first row is partial, not a real zero

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example          | what it shows                        |
        | hist-nothing-yet | nothing before the tenth of February |

  @HIST-003
  Rule: Points are the calendar ends inside the range, both ends included

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example          | what it shows               |
        | hist-period-ends | quarters, years and a month |
