Feature: Losses carried forward, by party and kind, beside the balance sheet

  Source: Worthbase MCP page, read tools (get_losses: not counted in net worth) and write tools (set_loss).

  Background:
    Given Ada keeps a book in AUD with the items
      | item | kind     |
      | Cash | cash     |
      | Acme | security |
    And Ada has recorded
      | date       | entry           | item | units | amount |
      | 2024-01-02 | opening balance | Cash |       | 1000   |
      | 2024-01-02 | buy             | Acme | 10    | 500    |
      | 2024-05-02 | sell            | Acme | 4     | 300    |
      | 2024-06-03 | price           | Acme |       | 70     |

  Rule: Losses are shown by party and kind with what is left of them, and count in no other figure

    @LOSS-001 @LOSS-008
    Scenario: Three losses of two parties, two of them of different kinds
      Given Ada's book knows the parties
        | party | kind    |
        | Firm  | company |
      When Ada tracks the loss "shares"
        | party | kind    | year | amount | used    |
        | Ada   | capital | 2021 | 10000  | 2500.25 |
      And she tracks the loss "flat"
        | party | kind   | year | amount | used |
        | Ada   | rental | 2022 | 4000   | 0    |
      And she tracks the loss "shop"
        | party | kind     | year | amount | used |
        | Firm  | business | 2020 | 5000   | 5000 |
      Then Ada's losses are
        | party | kind     | year | amount | used    | left    |
        | Ada   | capital  | 2021 | 10000  | 2500.25 | 7499.75 |
        | Ada   | rental   | 2022 | 4000   | 0       | 4000    |
        | Firm  | business | 2020 | 5000   | 5000    | 0       |
      And Ada's losses come to
        | party | kind     | amount | used    | left     |
        | Ada   | all      | 14000  | 2500.25 | 11499.75 |
        | Ada   | capital  | 10000  | 2500.25 | 7499.75  |
        | Ada   | rental   | 4000   | 0       | 4000     |
        | Firm  | all      | 5000   | 5000    | 0        |
        | Firm  | business | 5000   | 5000    | 0        |

    @LOSS-002 @NW-013
    Scenario: A loss and a goal change no figure of the balance sheet
      Given Ada has noted down every figure
      When Ada tracks the loss "shares"
        | party | kind    | year | amount |
        | Ada   | capital | 2021 | 19000  |
      And she sets the goal "House"
        | kind      | target |
        | net worth | 500000 |
      Then every figure is as noted down
      And Ada's net worth on 2024-06-30 is 1420 AUD
      And Ada's history at month ends from 2024-04-30 to 2024-06-30 shows
        | date       | net worth | partial |
        | 2024-04-30 | 1000      | yes     |
        | 2024-05-31 | 1000      | yes     |
        | 2024-06-30 | 1420      | no      |
      And Ada's performance by item until 2024-06-30 is
        | item | end  | money in | money out | gain |
        | Cash | 1000 | 1000     | 0         | 0    |
        | Acme | 420  | 500      | 300       | 220  |

  @LOSS-003
  Rule: set_loss records, changes and archives a loss, and each step can be undone

    Scenario: Recorded, annotated and archived, then undone step by step
      When Ada tracks the loss "shares" as "the loss"
        | party | kind    | year | amount | used |
        | Ada   | capital | 2021 | 1000   | 300  |
      And she tracks the loss "shares" as "the note"
        | note                  |
        | the broker closed down |
      Then Ada's losses are
        | party | kind    | year | amount | used | left | note                   |
        | Ada   | capital | 2021 | 1000   | 300  | 700  | the broker closed down |
      When she tracks the loss "shares" as "a higher use"
        | used |
        | 400  |
      Then Ada's losses are
        | party | kind    | year | amount | used | left | note                   |
        | Ada   | capital | 2021 | 1000   | 400  | 600  | the broker closed down |
      When she tracks the loss "shares" as "the end"
        | archive |
        | yes     |
      Then Ada's losses are none
      When she undoes "the end"
      And she undoes "a higher use"
      And she undoes "the note"
      Then Ada's losses are
        | party | kind    | year | amount | used | left | note |
        | Ada   | capital | 2021 | 1000   | 300  | 700  |      |
      And Ada's losses come to
        | party | kind    | left |
        | Ada   | all     | 700  |
        | Ada   | capital | 700  |
      When she undoes "the loss"
      Then Ada's losses are none

  @LOSS-004
  Rule: More used than lost is refused

    Scenario Outline: <what>
      Given Ada has tracked the loss "shares"
        | party | kind    | year | amount | used |
        | Ada   | capital | 2021 | 300    | 200  |
      When she tries to track the loss "shares"
        | amount   | used   |
        | <amount> | <used> |
      Then she is refused with "loss_overused"
      And nothing has changed
      And Ada's losses are
        | party | kind    | amount | used | left |
        | Ada   | capital | 300    | 200  | 100  |
      When she tracks the loss "shares"
        | used |
        | 300  |
      Then Ada's losses are
        | party | kind    | amount | used | left |
        | Ada   | capital | 300    | 300  | 0    |

      Examples:
        | what                             | amount | used   |
        | A cent more is used than lost    |        | 300.01 |
        | Less is lost than is used        | 199.99 |        |

    Scenario: A new loss of which a cent too much is used
      When Ada tries to track the loss "shares"
        | party | kind    | year | amount | used   |
        | Ada   | capital | 2021 | 300    | 300.01 |
      Then she is refused with "loss_overused"
      And nothing has changed
      And Ada's losses are none

  @LOSS-005
  Rule: What is used is set, not added

    Scenario: 300 used, then 500
      Given Ada has tracked the loss "shares"
        | party | kind    | year | amount | used |
        | Ada   | capital | 2021 | 1000   | 300  |
      When she tracks the loss "shares"
        | used |
        | 500  |
      Then Ada's losses are
        | party | kind    | amount | used | left |
        | Ada   | capital | 1000   | 500  | 500  |

  @contract @LOSS-006
  Rule: Kinds are business, capital and rental, and the year is an integer that has begun

    Scenario Outline: A loss of kind <kind> of the year <year>
      When Ada tries to track the loss "shares"
        | party | kind   | year   | amount |
        | Ada   | <kind> | <year> | 100    |
      Then she is refused with "invalid_input"
      And the refusal points at "<field>"
      And nothing has changed
      And Ada's losses are none
      When she tracks the loss "shares"
        | party | kind    | year | amount |
        | Ada   | capital | 2021 | 100    |
      Then Ada's losses are
        | party | kind    | year | amount | used | left |
        | Ada   | capital | 2021 | 100    | 0    | 100  |

      Examples:
        | kind    | year        | field |
        | crypto  | 2021        | kind  |
        | capital | 21          | year  |
        | capital | 9998        | year  |
        | capital | JSON "2021" | year  |

  @LOSS-007
  Rule: A loss belongs to a party of the workspace

    Scenario: A party of somebody else's book, and one that never was
      Given Ben keeps a book in AUD
      And Ben's book knows the parties
        | party | kind    |
        | Firm  | company |
      When Ada tries to track a loss of Ben's party "Firm"
      Then she is refused with "not_found"
      And nothing has changed
      When Ada tries to track the loss "shares"
        | party                          | kind    | year | amount |
        | pty_00000000000000000000000000 | capital | 2021 | 100    |
      Then she is refused with "not_found"
      And nothing has changed
      And Ada's losses are none
      When she tracks the loss "shares"
        | party | kind    | year | amount |
        | Ada   | capital | 2021 | 100    |
      Then Ada's losses come to
        | party | kind    | left |
        | Ada   | all     | 100  |
        | Ada   | capital | 100  |
