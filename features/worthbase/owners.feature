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

  Rule: A split given with a new item that does not add up to 100 is refused

    Scenario Outline: Owners of <split>
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
