Feature: Worked examples: exchange rates

  A row in another currency without a rate gets the euro reference rate of its day, crossed through the euro. Rates and
  results come from the European Central Bank's own history file, divided with exact fractions; see fixtures/golden/fx.json.

  @FX-001 @FX-002
  Rule: A row in another currency without a rate gets the official rate of its day, and the rate is reported

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example            | what it shows                               |
        | fx-usd-aud-weekday | dollars into Australian dollars on a Friday |

  @FX-003
  Rule: On days without publication the last earlier rate is used and its own date shown

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example          | what it shows                       |
        | fx-sunday        | Sunday takes Friday                 |
        | fx-easter-monday | Easter Monday takes Maundy Thursday |

  @FX-004
  Rule: A rate given with the row wins

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example          | what it shows                    |
        | fx-explicit-wins | 1.5123 against the official rate |

  Rule: Without any rate the row is refused, not taken at a much older rate

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      @contract @FX-006
      Examples:
        | example         | what it shows                           |
        | fx-discontinued | roubles, two years after the last quote |

  @FX-008
  Rule: Cost and proceeds in base currency use the rate of their own dates

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example         | what it shows                           |
        | fx-gain-in-base | a gain of 200 USD in Australian dollars |
