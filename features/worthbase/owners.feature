Feature: Legal owners share items, debts included, and their shares add up to the whole

  Source: Worthbase MCP page, write tools (set_owners) and read tools (get_net_worth, for one party).

  Background:
    Given Ada keeps a book in USD
    And Ada's book knows the parties
      | party | kind    |
      | Trust | trust   |
      | Firm  | company |

  @OWN-004 @OWN-012
  Rule: Shares by party add up exactly to the whole, and the percentages are shown as they were given

    Scenario: Thirds of a million and a cent
      Given Ada's book holds the items
        | item | kind     | owners                             |
        | Home | property | Ada 33.33, Trust 33.33, Firm 33.34 |
      When she records
        | date       | entry     | item | amount     |
        | 2024-01-01 | valuation | Home | 1000000.01 |
      Then Ada's breakdown by party on 2024-01-01 is
        | name  | side  | value         |
        | Ada   | asset | 333300.003333 |
        | Trust | asset | 333300.003333 |
        | Firm  | asset | 333400.003334 |
      And Ada's net worth on 2024-01-01 is 1000000.01 USD
      And the shares of all parties in Ada's book on 2024-01-01 add up to the whole
      And Ada's "Home" is owned by
        | party | percent |
        | Ada   | 33.33   |
        | Trust | 33.33   |
        | Firm  | 33.34   |

  @OWN-001
  Rule: A split that does not add up to 100 is refused, for a new item and for an old one

    Scenario Outline: A new item with the owners <split>
      When Ada tries to open the items
        | item | kind     | owners  |
        | Home | property | <split> |
      Then she is refused with "owners_not_100"
      And the refusal points at "items[0].owners"
      And nothing has changed

      Examples:
        | split                              |
        | Ada 33.33, Trust 33.33, Firm 33.33 |
        | Ada 100.01                         |
        | Ada 99.999999999999999999          |

    Scenario Outline: An old item gets the owners <split>
      Given Ada's book holds the items
        | item | kind | owners  |
        | Till | cash | Ada 100 |
      When Ada tries to split "Till" into "<split>"
      Then she is refused with "<code>"
      And the refusal points at "<field>"
      And nothing has changed
      When she splits "Till" into "<twin>"
      Then the batch is listed once, as written by Ada

      Examples:
        | split                              | code           | field             | twin                               |
        | Ada 33.33, Trust 33.33, Firm 33.33 | owners_not_100 | owners            | Ada 33.33, Trust 33.33, Firm 33.34 |
        | Ada 100.01                         | owners_not_100 | owners            | Trust 100.00                       |
        | Ada 0                              | owners_not_100 | owners            | Trust 100.00                       |
        | Ada 99.999999999999999999          | owners_not_100 | owners            | Trust 100.00                       |

    Scenario: A hundred with zeros is a hundred
      When Ada opens the items
        | item | kind     | owners     |
        | Home | property | Ada 100.00 |
      Then Ada's "Home" is owned by
        | party | percent |
        | Ada   | 100.00  |

  @OWN-008
  Rule: Ownership may be as fine as needed

    Scenario: Sevenths
      Given Ada's book knows the parties
        | party | kind       |
        | Eve   | individual |
        | Finn  | individual |
        | Gail  | individual |
        | Hugo  | individual |
      When Ada opens the items
        | item | kind     | owners                                                                                                       |
        | Shop | business | Ada 14.285714, Trust 14.285714, Firm 14.285714, Eve 14.285714, Finn 14.285714, Gail 14.285714, Hugo 14.285716 |
      Then Ada's "Shop" is owned by
        | party | percent   |
        | Ada   | 14.285714 |
        | Trust | 14.285714 |
        | Firm  | 14.285714 |
        | Eve   | 14.285714 |
        | Finn  | 14.285714 |
        | Gail  | 14.285714 |
        | Hugo  | 14.285716 |

    Scenario: The smallest share there is, and the rest
      When Ada opens the items
        | item | kind     | owners                                                |
        | Home | property | Ada 0.000000000000000001, Trust 99.999999999999999999 |
      Then Ada's "Home" is owned by
        | party | percent               |
        | Ada   | 0.000000000000000001  |
        | Trust | 99.999999999999999999 |

  @contract @OWN-009
  Rule: A party stands at most once in a split, with a share above zero

    Scenario Outline: Owners of <split>
      When Ada tries to open the items
        | item | kind     | owners  |
        | Home | property | <split> |
      Then she is refused with "<code>"
      And nothing has changed

      Examples:
        | split               | code            |
        | Ada 50, Ada 50      | invalid_input   |
        | Ada 100, Trust 0    | invalid_input   |
        | Ada 150, Trust -50  | invalid_decimal |

    Scenario: One party once
      When Ada opens the items
        | item | kind     | owners  |
        | Home | property | Ada 100 |
      Then Ada's "Home" is owned by
        | party | percent |
        | Ada   | 100     |

  @contract @OWN-010
  Rule: Without owners the only party owns the item; with several parties owners are required

    Scenario: A book of one party
      Given Ben keeps a book in USD
      When Ben opens the items
        | item | kind |
        | Till | cash |
      Then Ben's "Till" is owned by
        | party | percent |
        | Ben   | 100     |

    Scenario: A book of several parties
      When Ada tries to open the items
        | item | kind |
        | Till | cash |
      Then she is refused with "invalid_input"
      And the refusal points at "items[0].owners"
      And nothing has changed
      When she opens the items
        | item | kind | owners    |
        | Till | cash | Trust 100 |
      Then Ada's "Till" is owned by
        | party | percent |
        | Trust | 100     |

  @NW-009 @OWN-013
  Rule: With a party only that party's share is counted, of debts like of assets

    Scenario: An item owned 60 to 40 and a loan owned in halves
      Given Ada's book holds the items
        | item | kind     | owners           |
        | Home | property | Ada 60, Trust 40 |
        | Loan | loan     | Ada 50, Trust 50 |
      When she records
        | date       | entry           | item | amount |
        | 2024-01-01 | valuation       | Home | 1000   |
        | 2024-01-01 | opening balance | Loan | 200    |
      Then the share of "Ada" in Ada's book on 2024-01-31 is
        | assets | liabilities | net worth |
        | 600    | 100         | 500       |
      And the share of "Trust" in Ada's book on 2024-01-31 is
        | assets | liabilities | net worth |
        | 400    | 100         | 300       |
      And the shares of all parties in Ada's book on 2024-01-31 add up to the whole

  @OWN-002
  Rule: set_owners replaces the split, it does not merge

    Scenario: From halves with the trust to a majority with the firm's help
      Given Ada's book holds the items
        | item | kind | owners            |
        | Till | cash | Ada 50, Trust 50 |
      When Ada splits "Till" into "Trust 70, Firm 30"
      Then Ada's "Till" is owned by
        | party | percent |
        | Trust | 70      |
        | Firm  | 30      |

  @OWN-003
  Rule: Changing ownership in the past needs correction: true

    Scenario Outline: A split from 2024 <how>
      Given Ada's book holds the items
        | item | kind | owners  |
        | Till | cash | Ada 100 |
      When Ada tries to split "Till" into "Ada 40, Trust 60" from 2024-01-01 <how>
      Then she is refused with "<code>"
      And nothing has changed
      When she splits "Till" into "Ada 40, Trust 60" from 2024-01-01 as a correction
      Then Ada's "Till" is owned by
        | party | percent |
        | Ada   | 40      |
        | Trust | 60      |

      Examples:
        | how                         | code                |
        | as it is                    | correction_required |
        | as no correction            | correction_required |
        | with a correction in quotes | invalid_input       |

  @contract @OWN-006
  Rule: A new split counts from its date; a correction replaces the past

    Scenario: First from 2024 on, then for good
      Given Ada's book holds the items
        | item | kind | owners  |
        | Till | cash | Ada 100 |
      And Ada has recorded
        | date       | entry           | item | amount |
        | 2023-01-01 | opening balance | Till | 1000   |
      When Ada splits "Till" into "Ada 40, Trust 60" from 2024-01-01 as a correction
      Then the share of "Ada" in Ada's book on 2023-12-31 is
        | net worth |
        | 1000      |
      And the share of "Ada" in Ada's book on 2024-01-01 is
        | net worth |
        | 400       |
      When Ada splits "Till" into "Trust 100" as a correction
      Then the share of "Ada" in Ada's book on 2023-12-31 is
        | net worth |
        | 0         |
      And the share of "Ada" in Ada's book on 2024-01-01 is
        | net worth |
        | 0         |

    @needs-control
    Scenario: Without a date the split counts from today, which is 2026-10-30
      Given Ada's book holds the items
        | item | kind | owners  |
        | Till | cash | Ada 100 |
      And Ada has recorded
        | date       | entry           | item | amount |
        | 2023-01-01 | opening balance | Till | 1000   |
      When Ada splits "Till" into "Ada 40, Trust 60"
      Then the share of "Ada" in Ada's book on 2026-10-29 is
        | net worth |
        | 1000      |
      And the share of "Ada" in Ada's book on 2026-10-30 is
        | net worth |
        | 400       |

  @needs-control @OWN-011
  Rule: Owners are parties of the same workspace

    Scenario Outline: <who> cannot own a share
      Given Ben keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ada's book holds the items
        | item | kind | owners  |
        | Till | cash | Ada 100 |
      When Ada tries to give "Till" to <whom>
      Then she is refused with "<code>"
      And nothing has changed
      When she splits "Till" into "Trust 100"
      Then Ada's "Till" is owned by
        | party | percent |
        | Trust | 100     |

      Examples:
        | who                          | whom                     | code          |
        | A party that never was       | a party that never was   | not_found     |
        | A party of another workspace | the party of Ben's book  | not_found     |
        | Ada the user                 | Ada the user             | invalid_input |

  @OWN-005 @OWN-015
  Rule: The gain of a sale is split by the owners of its day

    Scenario: A house owned in halves
      Given Ada's book holds the items
        | item | kind     | owners            |
        | Home | property | Ada 50, Trust 50 |
      And Ada has recorded
        | date       | entry       | item | amount | fees  |
        | 2015-07-01 | buy         | Home | 600000 | 31500 |
        | 2018-03-01 | improvement | Home | 45000  |       |
      When Ada asks what a sale of "Home" would bring
        | date       | amount | fees  |
        | 2024-06-30 | 980000 | 24500 |
      Then the gain of Ada's sale would be shared as
        | party | gain   |
        | Ada   | 139500 |
        | Trust | 139500 |

    Scenario: Thirds of a gain of 500
      Given Ada's book holds the items
        | item | kind     | owners                             |
        | Acme | security | Ada 33.33, Trust 33.33, Firm 33.34 |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      When Ada asks what a sale of "Acme" would bring
        | date       | units | amount |
        | 2024-06-30 | 10    | 1500   |
      Then the gain of Ada's sale would be shared as
        | party | gain   |
        | Ada   | 166.65 |
        | Trust | 166.65 |
        | Firm  | 166.7  |

    Scenario: Halves until 2024, then Ada alone, then the trust from today on
      Given Ada's book holds the items
        | item | kind     | owners            |
        | Acme | security | Ada 50, Trust 50 |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2023-01-02 | buy   | Acme | 10    | 1000   |
      And Ada has split "Acme" into "Ada 100" from 2024-01-01 as a correction
      And Ada has split "Acme" into "Trust 100"
      When Ada asks what a sale of "Acme" would bring
        | date       | units | amount |
        | 2023-12-31 | 10    | 1500   |
      Then the gain of Ada's sale would be shared as
        | party | gain |
        | Ada   | 250  |
        | Trust | 250  |
      When Ada asks what a sale of "Acme" would bring
        | date       | units | amount |
        | 2024-01-01 | 10    | 1500   |
      Then the gain of Ada's sale would be shared as
        | party | gain |
        | Ada   | 500  |

  @OWN-007 @OWN-014
  Rule: A change of owners moves shares alone: no total, no lot, no gain

    Scenario: Acme and a debt go from Ada to the trust
      Given Ada's book holds the items
        | item | kind     | owners  |
        | Acme | security | Ada 100 |
        | Loan | loan     | Ada 100 |
      And Ada has recorded
        | date       | entry           | item | units | amount |
        | 2024-01-02 | buy             | Acme | 10    | 1000   |
        | 2024-01-02 | opening balance | Loan |       | 300    |
        | 2024-02-02 | sell            | Acme | 5     | 600    |
        | 2024-02-02 | price           | Acme |       | 120    |
      When Ada splits "Acme" into "Trust 60, Ada 40" from 2024-03-01 as a correction
      And Ada splits "Loan" into "Trust 100" as a correction
      Then Ada's figures on 2024-01-31 are
        | assets | liabilities |
        | 0      | 300         |
      And Ada's figures on 2024-02-29 are
        | assets | liabilities | net worth |
        | 600    | 300         | 300       |
      And Ada's figures on 2024-03-01 are
        | assets | liabilities | net worth |
        | 600    | 300         | 300       |
      And Ada's net worth is 300 USD
      And Ada's history at month ends from 2024-02-29 to 2024-03-31 shows
        | date       | net worth |
        | 2024-02-29 | 300       |
        | 2024-03-31 | 300       |
      And Ada's total debt on 2024-03-31 is 300
      And Ada's breakdown by party on 2024-03-01 is
        | name  | side      | value |
        | Trust | asset     | 360   |
        | Ada   | asset     | 240   |
        | Trust | liability | 300   |
      And Ada's "Acme" has the open lots
        | acquired on | units | cost base |
        | 2024-01-02  | 5     | 500       |
      And Ada's "Acme" has the sales
        | date       | net proceeds | cost base | gain |
        | 2024-02-02 | 600          | 500       | 100  |
      And Ada's performance from 2024-01-01 to 2024-12-31 is
        | money in | money out | gain |
        | 1000     | 600       | 200  |
