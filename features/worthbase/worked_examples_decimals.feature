Feature: Worked examples: decimals

  Money, units, prices and rates are decimal strings, so that nothing is lost to floating point. The examples of
  fixtures/golden/decimals.json try the grammar of these strings and sums and products that binary numbers get wrong.

  @DEC-002
  Rule: Stored decimals come back as they were given, zeros included

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      @contract
      Examples:
        | example    | what it shows                       |
        | dec-accept | nine spellings, from 0 to 28 digits |

  @DEC-005
  Rule: The grammar is plain digits with an optional fraction, at most 28 digits and 18 decimals

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      @contract
      Examples:
        | example    | what it shows                     |
        | dec-reject | 33 things that are no such string |

  Rule: Sums keep every digit

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      @DEC-006
      Examples:
        | example       | what it shows          |
        | dec-exact-sum | ten dimes and two more |

      @DEC-007
      Examples:
        | example       | what it shows                  |
        | dec-28-digits | a tenth of a cent on 28 digits |

  Rule: A product is rounded once, at 18 places

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      @contract @DEC-008
      Examples:
        | example     | what it shows                |
        | dec-product | 18 decimals times 8 decimals |
