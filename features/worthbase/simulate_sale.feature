Feature: A sale can be thought through before it is made, and leaves no trace

  simulate_sale shows proceeds, the lots a sale would take, the gain with each owner's part, and the position after it.
  Source: Worthbase MCP page, read tools (simulate_sale) and "What do errors and limits look like?" (no tax).

  @SALE-001
  Rule: It shows proceeds, lots, gain by party and the position after, and writes nothing

    Scenario: A preview that was open before it still commits
      Given Ada keeps a book in USD
      And Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada's book holds the items
        | item | kind     | owners           |
        | Acme | security | Ada 60, Trust 40 |
        | Cash | cash     | Ada 100          |
      And she has recorded
        | date       | entry | item | units | amount | fees |
        | 2024-01-10 | buy   | Acme | 100   | 1000   | 10   |
        | 2024-02-10 | buy   | Acme | 50    | 600    | 5    |
        | 2024-03-01 | price | Acme |       | 15     |      |
      And Ada has previewed
        | date       | entry | item | units | amount |
        | 2024-03-11 | sell  | Acme | 30    | 500    |
      When Ada asks what a sale of "Acme" would bring
        | date       | units | amount | fees |
        | 2024-03-10 | 120   | 1809.5 | 9.5  |
      Then the sale would bring
        | date       | units | gross proceeds | net proceeds | cost base | gain | currency |
        | 2024-03-10 | 120   | 1809.5         | 1800         | 1252      | 548  | USD      |
      And the sale would take the lots
        | acquired on | units | cost base | net proceeds | gain |
        | 2024-01-10  | 100   | 1010      | 1500         | 490  |
        | 2024-02-10  | 20    | 242       | 300          | 58   |
      And the gain of Ada's sale would be shared as
        | party | gain  |
        | Ada   | 328.8 |
        | Trust | 219.2 |
      And the sale would leave
        | units | cost base | value |
        | 30    | 363       | 450   |
      And nothing has changed
      When she commits the preview
      Then Ada's "Acme" holds 120 units at a cost of 1312 USD

  @SALE-003
  Rule: A whole property or business can be sold in thought

    Scenario Outline: A <kind> with improvements and fees, owned in halves
      Given Ada keeps a book in AUD
      And Ada's book knows the parties
        | party | kind       |
        | Eve   | individual |
      And Ada's book holds the items
        | item  | kind   | owners         |
        | Place | <kind> | Ada 50, Eve 50 |
      And she has recorded
        | date       | entry       | item  | amount | fees  |
        | 2015-07-01 | buy         | Place | 600000 | 31500 |
        | 2018-03-01 | improvement | Place | 45000  |       |
        | 2024-06-30 | valuation   | Place | 980000 |       |
      When she asks what a sale of "Place" would bring
        | date       | amount | fees  |
        | 2024-06-30 | 980000 | 24500 |
      Then the sale would bring
        | gross proceeds | net proceeds | cost base | gain   |
        | 980000         | 955500       | 676500    | 279000 |
      And the gain of Ada's sale would be shared as
        | party | gain   |
        | Ada   | 139500 |
        | Eve   | 139500 |
      And the sale would leave
        | cost base | value |
        | 0         | 0     |
      And nothing has changed

      Examples:
        | kind     |
        | property |
        | business |

  @contract @SALE-004
  Rule: Part of a property or business is refused

    Scenario Outline: <argument> <part> of a <kind>
      Given Ada keeps a book in AUD with the items
        | item  | kind   |
        | Place | <kind> |
      And she has recorded
        | date       | entry     | item  | amount |
        | 2015-07-01 | buy       | Place | 600000 |
        | 2024-06-30 | valuation | Place | 980000 |
      When she tries to ask what a sale of "Place" would bring
        | date       | <argument> | amount |
        | 2024-06-30 | <part>     | 490000 |
      Then she is refused with "invalid_input"
      And the refusal points at "<argument>"
      And nothing has changed
      When she asks what a sale of "Place" would bring
        | date       | amount |
        | 2024-06-30 | 490000 |
      Then the sale would bring
        | gross proceeds | gain    |
        | 490000         | -110000 |

      Examples:
        | argument | part | kind     |
        | units    | 0.5  | property |
        | units    | 1    | business |
        | percent  | 50   | property |

  @SALE-005
  Rule: Without a price the latest on or before the date is used and named

    Scenario: Prices of 1 and of 5 February, and a sale on the 3rd
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Acme | security |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
        | 2024-02-01 | price | Acme |       | 130    |
        | 2024-02-05 | price | Acme |       | 150    |
      When she asks what a sale of "Acme" would bring
        | date       | units |
        | 2024-02-03 | 4     |
      Then the sale would bring
        | price | price date | gross proceeds | gain |
        | 130   | 2024-02-01 | 520            | 120  |
      And the sale would leave
        | units | cost base | value |
        | 6     | 600       | 780   |

  @SALE-006
  Rule: The oldest lots are taken first; named lots are taken as named

    @LOT-001
    Scenario: Without lots
      Given Ada keeps a book in AUD with the items
        | item | kind     |
        | Acme | security |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2012-07-01 | buy   | Acme | 3000  | 21000  |
        | 2007-07-01 | buy   | Acme | 1000  | 5000   |
      When she asks what a sale of "Acme" would bring
        | date       | units | amount |
        | 2016-01-01 | 1500  | 12000  |
      Then the sale would bring
        | cost base | gain |
        | 8500      | 3500 |
      And the sale would take the lots
        | acquired on | units | cost base | gain |
        | 2007-07-01  | 1000  | 5000      | 3000 |
        | 2012-07-01  | 500   | 3500      | 500  |

    @LOT-002
    Scenario: With the younger lot named
      Given Ada keeps a book in AUD with the items
        | item | kind     |
        | Acme | security |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2007-07-01 | buy   | Acme | 1000  | 5000   |
        | 2012-07-01 | buy   | Acme | 3000  | 21000  |
      When she asks what a sale of "Acme" would bring
        | date       | units | amount | lots               |
        | 2016-01-01 | 1500  | 12000  | 1500 of 2012-07-01 |
      Then the sale would bring
        | cost base | gain |
        | 10500     | 1500 |
      And the sale would take the lots
        | acquired on | units | cost base | gain |
        | 2012-07-01  | 1500  | 10500     | 1500 |

  @contract @SALE-007
  Rule: By default all units are sold today, without fees

    Scenario: Nothing but the item is given
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Acme | security |
      And she has recorded
        | date       | entry | item | units | amount | fees |
        | 2024-01-02 | buy   | Acme | 10.5  | 1000   | 5    |
        | 2024-02-01 | price | Acme |       | 130    |      |
      When she asks what a sale of "Acme" would bring
      Then the sale would be of today
      And the sale would bring
        | units | fees | gross proceeds | net proceeds | gain |
        | 10.5  | 0    | 1365           | 1365         | 360  |
      And the sale would leave
        | units | cost base | value |
        | 0     | 0         | 0     |

  @contract @SALE-008
  Rule: A missing price, too many units and bad lots are refused as when a sale is recorded

    Scenario Outline: <what>
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Acme | security |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 4     | 400    |
        | 2024-01-03 | buy   | Acme | 6     | 600    |
      When she tries to ask what a sale of "Acme" would bring
        | date       | units   | price   | lots   |
        | 2024-02-01 | <units> | <price> | <lots> |
      Then she is refused with "<code>"
      And the refusal points at "<field>"
      And nothing has changed
      When she asks what a sale of "Acme" would bring
        | date       | units | price |
        | 2024-02-01 | 10    | 130   |
      Then the sale would bring
        | gross proceeds | gain |
        | 1300           | 300  |

      Examples:
        | what                         | units                 | price | lots            | code               | field |
        | Nobody has said a price      | 10                    |       |                 | price_missing      | price |
        | 10^-18 more than is held     | 10.000000000000000001 | 130   |                 | oversell           | units |
        | More than the named lot has  | 5                     | 130   | 5 of 2024-01-02 | lot_exceeded       | lots  |
        | Lots that miss the units     | 5                     | 130   | 4 of 2024-01-02 | lots_do_not_add_up | lots  |
        | A lot that nobody knows      | 5                     | 130   | 5 of lot_00000000000000000000000000 | unknown_lot | lots |

  @contract @SALE-009
  Rule: A price and an amount together are refused

    Scenario: 300 a unit, or 3,000 for ten
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Acme | security |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      When she tries to ask what a sale of "Acme" would bring
        | date       | units | price | amount |
        | 2024-02-01 | 10    | 300   | 3000   |
      Then she is refused with "invalid_input"
      And the refusal points at "amount"
      And nothing has changed
      When she asks what a sale of "Acme" would bring
        | date       | units | amount |
        | 2024-02-01 | 10    | 3000   |
      Then the sale would bring
        | gross proceeds | gain |
        | 3000           | 2000 |
      When she asks what a sale of "Acme" would bring
        | date       | units | price |
        | 2024-02-01 | 10    | 300   |
      Then the sale would bring
        | gross proceeds | gain |
        | 3000           | 2000 |

  @SALE-010
  Rule: On a past date the sale takes what was held that day

    Scenario: Bought in January and in March, sold in February
      Given Ada keeps a book in USD with the items
        | item | kind     |
        | Acme | security |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
        | 2024-03-02 | buy   | Acme | 5     | 900    |
      When she asks what a sale of "Acme" would bring
        | date       | units | price |
        | 2024-02-01 | 10    | 130   |
      Then the sale would take the lots
        | acquired on | units | cost base | gain |
        | 2024-01-02  | 10    | 1000      | 300  |
      And the sale would leave
        | units | cost base |
        | 0     | 0         |
      When she tries to ask what a sale of "Acme" would bring
        | date       | units | price |
        | 2024-02-01 | 15    | 130   |
      Then she is refused with "oversell"
      And nothing has changed

  @SALE-011
  Rule: No tool calculates tax

    Scenario: Nothing that is shown, and no argument or result of any tool, is a tax
      Given Ada keeps a book in AUD with the items
        | item | kind     |
        | Home | property |
        | Acme | security |
      And she has recorded
        | date       | entry     | item | units | amount |
        | 2015-07-01 | buy       | Home |       | 600000 |
        | 2024-06-30 | valuation | Home |       | 980000 |
        | 2024-01-02 | buy       | Acme | 10    | 1000   |
        | 2024-02-01 | sell      | Acme | 4     | 800    |
      When she asks what a sale of "Home" would bring
        | date       |
        | 2024-06-30 |
      Then the sale would bring
        | gross proceeds | net proceeds | cost base | gain   |
        | 980000         | 980000       | 600000    | 380000 |
      And nothing that Ada was shown or may ask for is a tax
      When she tracks the loss "2021"
        | party | kind    | year | amount |
        | Ada   | capital | 2021 | 500000 |
      And she asks what a sale of "Home" would bring
        | date       |
        | 2024-06-30 |
      Then the sale would bring
        | net proceeds | gain   |
        | 980000       | 380000 |
      And Ada's "Acme" has the sales
        | date       | net proceeds | cost base | gain |
        | 2024-02-01 | 800          | 400       | 400  |
      And nothing that Ada was shown or may ask for is a tax

  @SALE-012
  Rule: For a foreign item the gain is given in both currencies

    Scenario: Dollars bought in February and sold in June, in a book kept in Australian dollars
      Given Ada keeps a book in AUD with the items
        | item | kind     | currency |
        | VOO  | security | USD      |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-02-29 | buy   | VOO  | 10    | 1000   |
      When she asks what a sale of "VOO" would bring
        | date       | units | amount |
        | 2024-06-28 | 10    | 1200   |
      Then the sale would bring
        | gain | currency | gain in base | base currency |
        | 200  | USD      | ≈ 261.305341 | AUD           |

  @SALE-013
  Rule: The parts of the owners add up to the gain, a loss too

    Scenario Outline: Thirds of a gain of <gain>
      Given Ada keeps a book in USD
      And Ada's book knows the parties
        | party | kind    |
        | Trust | trust   |
        | Firm  | company |
      And Ada's book holds the items
        | item | kind     | owners                             |
        | Acme | security | Ada 33.33, Trust 33.33, Firm 33.34 |
      And she has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 1000   |
      When she asks what a sale of "Acme" would bring
        | date       | units | amount   |
        | 2024-02-01 | 10    | <amount> |
      Then the gain of Ada's sale would be shared as
        | party | gain    |
        | Ada   | <third> |
        | Trust | <third> |
        | Firm  | <rest>  |

      Examples:
        | gain   | amount  | third     | rest      |
        | 500    | 1500    | 166.65    | 166.7     |
        | 100.01 | 1100.01 | 33.333333 | 33.343334 |
        | -0.01  | 999.99  | -0.003333 | -0.003334 |

  @TOOL-018
  Rule: A simulated sale writes nothing

    Scenario: The whole of a holding, and of a house
      Given Ada keeps a book in USD with the items
        | item  | kind     |
        | Acme  | security |
        | House | property |
      And Ada has recorded
        | date       | entry           | item  | units | amount |
        | 2024-01-02 | buy             | Acme  | 10    | 100    |
        | 2024-01-02 | price           | Acme  |       | 12     |
        | 2024-01-02 | opening balance | House |       | 500    |
        | 2024-01-02 | valuation       | House |       | 600    |
      And Ada has noted down every figure
      When Ada asks what a sale of "Acme" would bring
        | units | price |
        | 4     | 20    |
      Then nothing has changed
      When Ada asks what a sale of "House" would bring
        | amount |
        | 700    |
      Then nothing has changed
