Feature: Worked examples: gains and returns over a period

  The money-weighted return is the XIRR of spreadsheets. The figures come from the examples that Microsoft and a library's
  authors have published, from pyxirr, from mpmath at sixty digits and from LibreOffice; fixtures/golden/performance.json
  names the source of each, and the reports of users whose software got it wrong.

  @PERF-001
  Rule: The money-weighted return is the XIRR of spreadsheets

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example        | what it shows                                |
        | xirr-excel-doc | the example in the documentation of Excel    |
        | xirr-crate-doc | rows written out of the order of their dates |

  @PERF-002 @PERF-003
  Rule: Fees count in money in and out, and income in the gain

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example             | what it shows                      |
        | xirr-fees-dividends | two buys, a sale and two dividends |

  @PERF-005
  Rule: Years have 365 days, leap or not

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example        | what it shows              |
        | xirr-leap-year | ten per cent over 366 days |

  @contract @PERF-010
  Rule: A period starts with the value at the close of the day before

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example            | what it shows                         |
        | xirr-calendar-year | the year 2024 of a book begun in 2023 |

  @PERF-003 @PERF-011
  Rule: An income before later purchases does not distort the return

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example                   | what it shows                              |
        | xirr-dividend-before-buys | a dividend on one unit, then fourteen more |

  @PERF-003 @PERF-012
  Rule: A position closed and opened again keeps its gains right

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example                | what it shows                      |
        | perf-jnug-close-reopen | closed and opened again on one day |

  @PERF-004
  Rule: Where no rate exists there is a reason in its place, and the other figures are still there

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example         | what it shows              |
        | xirr-total-loss | everything is lost         |
        | xirr-same-day   | bought and sold on one day |
        | xirr-no-root    | money in, out and in again |

  @PERF-006
  Rule: Deep losses are solved

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example        | what it shows                   |
        | xirr-huge-loss | nine tenths lost in ninety days |

  @PERF-007
  Rule: Short periods are annualised as spreadsheets do

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example      | what it shows            |
        | xirr-one-day | five per cent in one day |

  @contract @PERF-008
  Rule: Rates above a thousand million are not quoted

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example               | what it shows              |
        | xirr-one-day-doubling | twice the money in one day |

  @contract @PERF-009
  Rule: With several rates there is none

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example        | what it shows                         |
        | xirr-two-roots | ten and twenty per cent both solve it |

  @PERF-013
  Rule: A transfer between own items is no flow of the whole

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example               | what it shows                         |
        | perf-transfer-neutral | bought in one item, held in the other |

  @contract @PERF-014
  Rule: Interest that stays in a cash item is income once

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example            | what it shows       |
        | perf-cash-interest | fifty on a thousand |
