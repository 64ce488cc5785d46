Feature: A statement's figure is compared with the book's, and the result is recorded

  Source: Worthbase MCP page, write tools (reconcile).

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind     |
      | Acme | security |
      | Cash | cash     |
    And Ada has recorded
      | date       | entry   | item | units | amount | fees |
      | 2024-01-02 | buy     | Acme | 10.5  | 1000   | 10   |
      | 2024-02-02 | buy     | Acme | 0.123 | 9      |      |
      | 2024-01-31 | price   | Acme |       | 45.67  |      |
      | 2024-01-31 | deposit | Cash |       | 80     |      |

  @RECON-001 @RECON-002
  Rule: The figure of a day is recorded as match or mismatch, and the check changes no figure

    Scenario: Two matches and a mismatch, each shown on the item
      When Ada checks the "units" of "Acme" on 2024-01-31 against 10.500
      Then the check is a match with a difference of 0
      And every figure is as noted down but for the check
      When Ada checks the "units" of "Acme" on 2024-02-02 against 10.623
      Then the check is a match with a difference of 0
      When Ada checks the "units" of "Acme" on 2024-02-01 against 10.623
      Then the check is a mismatch with a difference of 0.123
      And every figure is as noted down but for the check
      And Ada's "Acme" shows the checks
        | date       | figure | statement | calculated | status   |
        | 2024-01-31 | units  | 10.5      | 10.5       | match    |
        | 2024-02-02 | units  | 10.623    | 10.623     | match    |
        | 2024-02-01 | units  | 10.623    | 10.5       | mismatch |
      And Ada's book lists 5 batches

  @RECON-003
  Rule: Cost base is compared with fees included

    Scenario: A cost of 1019 with the fees, 1009 without
      When Ada checks the "cost base" of "Acme" on 2024-02-02 against 1019.00
      Then the check is a match with a difference of 0
      When Ada checks the "cost base" of "Acme" on 2024-02-02 against 1009.00
      Then the check is a mismatch with a difference of -10

  @contract @RECON-004
  Rule: Units are compared exactly, value and cost base at the statement's decimals

    Scenario Outline: A statement of <figure> for the <measure> of 2024-02-02 is a <verdict>
      When Ada checks the "<measure>" of "Acme" on 2024-02-02 against <figure>
      Then the check is a <verdict> with a difference of <difference>

      Examples:
        | measure | figure    | verdict  | difference |
        | value   | 485.15    | match    | -0.00241   |
        | value   | 485.16    | mismatch | 0.00759    |
        | value   | 485.15241 | match    | 0          |
        | units   | 10.62     | mismatch | -0.003     |

  @RECON-005
  Rule: Open mismatches appear in the overview

    Scenario: A mismatch of one item and a match of another
      When Ada checks the "units" of "Acme" on 2024-02-01 against 10.623
      And Ada checks the "value" of "Cash" on 2024-01-31 against 80.00
      Then Ada's overview lists the open mismatches
        | item | date       | figure | statement | calculated |
        | Acme | 2024-02-01 | units  | 10.623    | 10.5       |

  @contract @RECON-006
  Rule: A later match of the same item and figure closes the mismatch

    Scenario: The missing buy is added and the statement matches
      When Ada checks the "units" of "Acme" on 2024-02-02 against 11.623
      And she records
        | date       | entry | item | units | amount |
        | 2024-02-01 | buy   | Acme | 1     | 90     |
      And Ada checks the "value" of "Acme" on 2024-02-02 against 530.82
      Then Ada's overview lists the open mismatches
        | item | figure |
        | Acme | units  |
      When Ada checks the "units" of "Acme" on 2024-02-02 against 11.623
      Then Ada's overview lists no open mismatch

  @contract @RECON-007
  Rule: Exactly one figure is given

    Scenario: Two figures at once
      When Ada tries to check the "units and value" of "Acme" on 2024-01-31 against 10.5
      Then she is refused with "invalid_input"
      And nothing has changed
      When Ada checks the "units" of "Acme" on 2024-01-31 against 10.5
      Then the check is a match with a difference of 0

    Scenario: No figure at all
      When Ada tries to check nothing of "Acme" on 2024-01-31
      Then she is refused with "invalid_input"
      And nothing has changed

  @RECON-008
  Rule: Checks inside record behave as the tool, after the batch's own rows

    Scenario: A check that counts on a buy of the same batch
      Given Ada has noted down every figure
      When she previews
        | date       | entry | item | units  | amount |
        | 2024-03-01 | buy   | Acme | 1      | 90     |
        | 2024-03-01 | check | Acme | 11.623 |        |
        | 2024-02-01 | check | Acme | 11.623 |        |
      Then nothing has changed
      When she commits the preview
      Then Ada's "Acme" shows the checks
        | date       | figure | statement | calculated | status   |
        | 2024-03-01 | units  | 11.623    | 11.623     | match    |
        | 2024-02-01 | units  | 11.623    | 10.5       | mismatch |

  @contract @RECON-009
  Rule: What cannot be calculated is not called a match

    Scenario: A holding without a price, and units of a house
      Given Ada's book holds the items
        | item | kind     |
        | Bolt | security |
        | Home | property |
      And Ada has recorded
        | date       | entry     | item | units | amount |
        | 2024-01-02 | buy       | Bolt | 10    | 100    |
        | 2024-01-02 | valuation | Home |       | 500    |
      When Ada tries to check the "value" of "Bolt" on 2024-01-31 against 0
      Then she is refused with "price_missing"
      And nothing has changed
      When Ada tries to check the "units" of "Home" on 2024-01-31 against 1
      Then she is refused with "invalid_input"
      And nothing has changed
      When Ada records
        | date       | entry | item | amount |
        | 2024-01-31 | price | Bolt | 12     |
      And Ada checks the "value" of "Bolt" on 2024-01-31 against 120
      Then the check is a match with a difference of 0

  @contract @RECON-010
  Rule: A recorded result stays as recorded when rows are backdated later

    Scenario: A match of January after a buy that was backdated into it
      Given Ada has recorded
        | date       | entry | item | units |
        | 2024-01-31 | check | Acme | 10.5  |
      When she records
        | date       | entry | item | units | amount |
        | 2024-01-15 | buy   | Acme | 1     | 90     |
      Then Ada's "Acme" shows the checks
        | date       | statement | calculated | status |
        | 2024-01-31 | 10.5      | 10.5       | match  |
      When Ada checks the "units" of "Acme" on 2024-01-31 against 10.5
      Then the check is a mismatch with a difference of -1
