Feature: Worked examples: lots and realised gains

  What a sale costs depends on which lots it takes and how a part of a lot is divided. The figures below come from tools
  that share no code with any server: beancount, examples that a tax office has published, and exact fractions. Each example
  states its book, its question and its source in fixtures/golden/lots.json.

  @LOT-001 @ROW-002
  Rule: Without named lots a sale takes the oldest lots first, with the fees in cost and proceeds

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example        | what it shows                            |
        | lots-fifo-fees | two lots, fees on both sides             |
        | lots-ato-boris | the example of the Australian tax office |

  @LOT-002
  Rule: Named lots override the default order

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example       | what it shows            |
        | lots-specific | the younger lot is named |

  @LOT-007
  Rule: A split scales the units of each lot and keeps its cost and date

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example            | what it shows                       |
        | lots-split-between | 3 for 2 between purchase and sale   |
        | lots-reverse-split | 1 for 10, the fraction paid in cash |

      @LOT-008 @contract
      Examples: The split counts from the start of its day
        | example                  | what it shows                   |
        | lots-split-same-day-sale | the sale stands above the split |

  @LOT-009
  Rule: What is bought on a day can be sold on that day

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example                | what it shows             |
        | lots-same-day-buy-sell | the sale is written first |

  @LOT-010
  Rule: Sold lots never influence a later purchase

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example             | what it shows             |
        | lots-sell-all-rebuy | sold out and bought again |

  @LOT-003
  Rule: Selling everything leaves exactly zero, whatever the digits

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example          | what it shows          |
        | lots-crypto-18dp | units with 18 decimals |

  @LOT-004
  Rule: Cost taken by sales and cost left in lots add up to what was paid

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      @LOT-012
      Examples: The last unit in the last place
        | example             | what it shows        |
        | lots-crypto-one-wei | it stays and is sold |

      Examples: Costs that do not divide
        | example                 | what it shows           |
        | lots-thirds-conserve    | thirds of 1,000.01      |
        | lots-total-cost-partial | a unit cost without end |

  @LOT-013
  Rule: Lot arithmetic has no minor unit

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example  | what it shows      |
        | lots-jpy | fractions of a yen |

  @LOT-014 @TRANSFER-003
  Rule: A transfer carries lots with their cost and their first day of acquisition

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example               | what it shows                        |
        | lots-transfer-carries | older lots arrive and are sold first |

  @LOT-015 @PREVIEW-013
  Rule: A backdated purchase re-matches earlier sales, and the preview says so

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example            | what it shows           |
        | lots-backdated-buy | a gain of 50 becomes 75 |

  @ROW-004
  Rule: A sale cannot take what is not there

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example               | what it shows                 |
        | lots-oversell         | 10^-18 more than is held      |

      @LOT-017
      Examples: Nor more than a named lot holds
        | example               | what it shows                 |
        | lots-specific-exceeds | more than the named lot holds |

  @SALE-001 @SALE-003 @SALE-013
  Rule: A whole property can be sold in thought, and leaves no trace

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example                | what it shows                     |
        | lots-simulate-property | improvements and fees, two owners |

  @SALE-001 @SALE-005
  Rule: A sale in thought without a price takes the latest on or before its day

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example                     | what it shows                                   |
        | lots-simulate-default-price | a price two days before, another two days after |

  @SALE-002
  Rule: What is simulated is what happens

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she simulates each of its sales before making it
      Then each sale came out as it was simulated

      Examples:
        | example               | what it shows                        |
        | lots-fifo-fees        | two lots, fees on both sides         |
        | lots-specific         | the younger lot is named             |
        | lots-split-between    | 3 for 2 between purchase and sale    |
        | lots-transfer-carries | older lots arrive and are sold first |
        | lots-jpy              | fractions of a yen                   |
