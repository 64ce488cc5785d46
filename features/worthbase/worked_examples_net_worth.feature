Feature: Worked examples: net worth, owners and statement figures

  Net worth on a day is what the book held that day, at the prices, valuations and rates of that day or the last before it.
  The figures come from hledger, beancount and exact fractions; fixtures/golden/networth.json, ownership.json and
  reconcile.json name the source of each.

  @NW-001 @NW-004
  Rule: Net worth has five figures, and each item counts at its latest price or valuation of that day

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example  | what it shows                 |
        | nw-mixed | six kinds of item on a Sunday |

  @NW-005
  Rule: A held item without any price is null and named, and the total is partial

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example          | what it shows                      |
        | nw-missing-price | cost does not stand in for a price |

  @NW-006
  Rule: An item of which nothing is held needs no price

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example                    | what it shows |
        | nw-sold-out-needs-no-price | sold out      |

  @NW-007
  Rule: Values are converted at the rate of the report date

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example                 | what it shows            |
        | nw-fx-as-of-report-date | an old price, a new rate |

  @NW-008
  Rule: Prices before a split go with the units before it

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example            | what it shows                        |
        | nw-split-and-price | 10 for 1, the day before and the day |

  @ROW-015
  Rule: A valuation resets the balance of a cash item at the close of its day

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      @contract
      Examples:
        | example           | what it shows                         |
        | nw-manual-balance | a counted balance between two entries |

  @TRANSFER-002
  Rule: A transfer moves money and leaves net worth alone

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example                  | what it shows                     |
        | nw-transfer-cash-to-loan | a repayment from the bank account |

  @NW-020
  Rule: An old valuation is flagged, still counted, and does not make the total partial

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      @contract
      Examples:
        | example  | what it shows            |
        | nw-stale | a home valued a year ago |

  @OWN-004
  Rule: The parties' shares add up exactly to the whole

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example    | what it shows           |
        | own-thirds | thirds of an odd amount |

  @contract @OWN-006
  Rule: A new split counts from its date, and a correction replaces the past

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example              | what it shows                                |
        | own-change-over-time | 40 to 60 from 2024 on, then 100 to the other |

  @OWN-001
  Rule: An ownership split that does not add up to 100 is refused

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example     | what it shows     |
        | own-not-100 | three times 33.33 |

  @RECON-001
  Rule: A statement's figure is compared with the calculated one of that day

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example         | what it shows               |
        | rec-units-match | units, whatever their zeros |

      @contract
      Examples: Values at the decimals that the statement prints
        | example                   | what it shows               |
        | rec-value-statement-scale | 485.15241 printed as 485.15 |
