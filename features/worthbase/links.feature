Feature: Items are linked to what secures, offsets or funds them, and a link is a label that moves no money

  Source: Worthbase MCP page, write tools (link_items) and read tools (get_debt_report).

  Background:
    Given Ada keeps a book in AUD with the items
      | item    | kind     |
      | Home    | property |
      | Cabin   | property |
      | Loan A  | loan     |
      | Loan B  | loan     |
      | Savings | cash     |
      | Fund    | security |
    And Ada has recorded
      | date       | entry           | item    | units | amount |
      | 2024-01-01 | valuation       | Home    |       | 800000 |
      | 2024-01-01 | valuation       | Cabin   |       | 200000 |
      | 2024-01-01 | opening balance | Loan A  |       | 400000 |
      | 2024-01-01 | opening balance | Loan B  |       | 150000 |
      | 2024-01-01 | opening balance | Savings |       | 60000  |
      | 2024-01-01 | opening balance | Fund    | 10    | 1000   |
      | 2024-01-01 | price           | Fund    |       | 100    |

  @LINK-001 @LINK-009
  Rule: A loan is linked to the property that secures it and to what it funded, and an account as its offset; both ends and the debt report show it, and undo takes it off

    Scenario Outline: <from> to <to> as <relation>
      When she links "<from>" to "<to>" as "<relation>"
      And that batch is called "the link"
      Then the batch is listed once, as written by Ada
      And Ada's "<from>" has the links
        | from   | relation   | to   |
        | <from> | <relation> | <to> |
      And Ada's "<to>" has the links
        | from   | relation   | to   |
        | <from> | <relation> | <to> |
      And Ada's loans on 2024-06-30 are
        | loan   | balance | secured by   | offsets   | funds   |
        | Loan A | 400000  | <secured by> | <offsets> | <funds> |
        | Loan B | 150000  |              |           |         |
      When she undoes "the link"
      Then Ada's "<from>" has no links
      And Ada's "<to>" has no links
      And Ada's loans on 2024-06-30 are
        | loan   | balance | secured by | offsets | funds |
        | Loan A | 400000  |            |         |       |
        | Loan B | 150000  |            |         |       |

      Examples:
        | from    | to     | relation   | secured by | offsets | funds |
        | Loan A  | Home   | secured by | Home       |         |       |
        | Savings | Loan A | offset     |            | Savings |       |
        | Loan A  | Fund   | funds      |            |         | Fund  |

    Scenario: A link and its removal are two batches, and undoing the removal brings the link back
      When she links "Loan A" to "Home" as "secured by"
      And she unlinks "Loan A" from "Home" as "secured by"
      And that batch is called "the removal"
      Then the batch is listed once, as written by Ada
      And Ada's book lists 4 batches
      And Ada's "Home" has no links
      When she undoes "the removal"
      Then Ada's "Home" has the links
        | from   | relation   | to   |
        | Loan A | secured by | Home |

  @LINK-002 @LINK-003 @LINK-008
  Rule: Taking a link away takes away that link alone, a purpose is a label, and no link moves net worth

    Scenario: Two loans on one house, an offset and a purpose
      Given Ada has linked "Loan A" to "Home" as "secured by"
      And Ada has linked "Loan B" to "Home" as "secured by"
      When she links "Savings" to "Loan A" as "offset"
      Then the change shows net worth going from 511000 to 511000 AUD, a change of 0
      And Ada's properties on 2024-06-30 are
        | property | value  | secured debt | equity | LVR    |
        | Home     | 800000 | 550000       | 250000 | 0.6875 |
        | Cabin    | 200000 | 0            | 200000 | 0      |
      When she links "Loan B" to "Fund" as "funds"
      Then Ada's properties on 2024-06-30 are
        | property | value  | secured debt | equity | LVR    |
        | Home     | 800000 | 550000       | 250000 | 0.6875 |
        | Cabin    | 200000 | 0            | 200000 | 0      |
      And Ada's loans on 2024-06-30 are
        | loan   | balance | offset | net of offset | secured by | funds |
        | Loan A | 400000  | 60000  | 340000        | Home       |       |
        | Loan B | 150000  | 0      | 150000        | Home       | Fund  |
      When she unlinks "Loan B" from "Home" as "secured by"
      Then Ada's properties on 2024-06-30 are
        | property | value  | secured debt | equity | LVR |
        | Home     | 800000 | 400000       | 400000 | 0.5 |
        | Cabin    | 200000 | 0            | 200000 | 0   |
      And Ada's loans on 2024-06-30 are
        | loan   | balance | offset | net of offset | secured by | funds |
        | Loan A | 400000  | 60000  | 340000        | Home       |       |
        | Loan B | 150000  | 0      | 150000        |            | Fund  |
      And Ada's figures on 2024-06-30 are
        | assets  | liabilities | net worth |
        | 1061000 | 550000      | 511000    |

  @contract @LINK-004
  Rule: Relations are accepted only between fitting kinds

    Scenario Outline: <from> to <to> as <relation>
      When she tries to link "<from>" to "<to>" as "<relation>"
      Then she is refused with "invalid_input"
      And the refusal points at "<field>"
      And nothing has changed
      When she links "Loan A" to "Home" as "secured by"
      Then the batch is listed once, as written by Ada

      Examples:
        | from    | to     | relation   | field |
        | Savings | Loan A | secured by | from  |
        | Loan A  | Loan B | offset     | from  |
        | Loan A  | Loan A | secured by | to    |
        | Home    | Loan A | secured by | from  |

  @contract @LINK-005
  Rule: An offset account belongs to one loan

    Scenario: The savings are an offset of one loan, then of the other
      Given Ada has linked "Savings" to "Loan A" as "offset"
      When she tries to link "Savings" to "Loan B" as "offset"
      Then she is refused with "invalid_input"
      And nothing has changed
      When she unlinks "Savings" from "Loan A" as "offset"
      And she links "Savings" to "Loan B" as "offset"
      Then Ada's "Savings" has the links
        | from    | relation | to     |
        | Savings | offset   | Loan B |

  @LINK-006 @LINK-007
  Rule: Linking twice does not count twice, and taking away what is not there claims nothing

    Scenario: The same link again, and another house
      Given Ada has linked "Loan A" to "Home" as "secured by"
      When she tries to link "Loan A" to "Home" as "secured by"
      Then nothing has changed
      And Ada's properties on 2024-06-30 are
        | property | secured debt | LVR |
        | Home     | 400000       | 0.5 |
        | Cabin    | 0            | 0   |
      When she tries to unlink "Loan A" from "Cabin" as "secured by"
      Then she is refused with "not_found"
      And nothing has changed
      When she links "Loan A" to "Cabin" as "secured by"
      Then Ada's "Loan A" has the links
        | from   | relation   | to    |
        | Loan A | secured by | Home  |
        | Loan A | secured by | Cabin |

  @LINK-010
  Rule: Archiving one end leaves the other end's figures whole

    Scenario: The savings and then the house are archived
      Given Ada has linked "Loan A" to "Home" as "secured by"
      And Ada has linked "Savings" to "Loan A" as "offset"
      When she archives "Savings" on 2024-06-30
      Then Ada's loans on 2024-06-30 are
        | loan   | balance | offset | net of offset |
        | Loan A | 400000  | 0      | 400000        |
        | Loan B | 150000  | 0      | 150000        |
      When she archives "Home" on 2024-06-30
      Then Ada's loans on 2024-06-30 are
        | loan   | balance | net of offset |
        | Loan A | 400000  | 400000        |
        | Loan B | 150000  | 150000        |
