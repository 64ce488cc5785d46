Feature: Worked examples: imports, undo and previews

  Writes are batches: imported again they add nothing, undone they leave nothing, and a preview is committed only as it was
  shown. The examples of fixtures/golden/batches.json are books written in several steps, each with the state it must leave.

  @IMPORT-001
  Rule: Importing again skips the rows already recorded

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example       | what it shows          |
        | idem-reimport | one row known, one new |

  @IMPORT-002
  Rule: A known reference with other content is a conflict, and the stored row stays

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example       | what it shows                |
        | idem-conflict | 1,001.00 instead of 1,000.00 |

  @IMPORT-003
  Rule: The same reference twice in one batch is stored once

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example           | what it shows              |
        | idem-within-batch | one order, handed in twice |

  @IMPORT-004
  Rule: Rows that are equal but carry different references are different rows

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example            | what it shows               |
        | idem-twins-are-two | two equal orders of one day |

  @IMPORT-006
  Rule: After undo a reference is free again

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example             | what it shows                   |
        | idem-ref-after-undo | the corrected order is recorded |

  @IMPORT-010
  Rule: References are scoped to the item's account

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      @contract
      Examples:
        | example            | what it shows            |
        | idem-other-account | two brokers number alike |

  @UNDO-003
  Rule: undo is refused when a later row needs what it would remove

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example         | what it shows                |
        | undo-needed-buy | a purchase that a sale needs |

  @VOID-002
  Rule: void follows the same rule as undo

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example         | what it shows                |
        | void-needed-buy | a purchase that a sale needs |

  @COMMIT-003
  Rule: A preview whose outcome has changed is refused as stale

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example       | what it shows                        |
        | preview-stale | an earlier purchase changes the gain |

  @COMMIT-004
  Rule: An unrelated batch does not make a preview stale

    Scenario Outline: <example>: <what it shows>
      Given Ada keeps the book of the worked example "<example>"
      When she works it through with the server's tools
      Then the server shows what the example says

      Examples:
        | example           | what it shows       |
        | preview-unrelated | a deposit elsewhere |
