Feature: What a token reaches
  The first axis is the claim scope of the token. Resources say how far it reaches, and read, write and all count only within
  them; without resources the level alone counts. Rita owns the organisation here, so that only her token can stand in the way.

  Background:
    Given Rita may "*" in "Matriz"

  Rule: With resources a token reads and writes within them, and moves money only with the resource made for it

    @SCOPE-K-001 @SCOPE-K-002 @SCOPE-K-003 @SCOPE-K-004
    Scenario Outline: The page's own row: "<scope>" allows <allowed>
      Given her token says "<scope>"
      Then she may use exactly "<allowed>", and every other tool is refused with "insufficient_scope"

      Examples: the four rows of the page
        | scope                                                   | allowed                                                           |
        | finance/payables finance/people read write              | reading payables, writing payables, reading people, writing people |
        | finance/payables read                                   | reading payables                                                  |
        | finance/all read                                        | orientation, reading everything                                   |
        | finance/payables finance/payable_dispatches read write  | reading payables, writing payables, sending to the bank           |

    @SCOPE-K-005 @SCOPE-K-006
    Scenario Outline: Sending to the bank with "<scope>": <allowed>
      Given her token says "<scope>"
      Then she may use exactly "<allowed>", and every other tool is refused with "insufficient_scope"

      Examples:
        | scope                                             | allowed                                                 |
        | finance/payables write                            | reading payables, writing payables                      |
        | finance/payables all                              | reading payables, writing payables                      |
        | finance/payables read write                       | reading payables, writing payables                      |
        | finance/payables finance/payable_dispatches read  | reading payables                                        |
        | finance/payables finance/payable_dispatches write | reading payables, writing payables, sending to the bank |

    @SCOPE-K-007
    Scenario Outline: Charging with "<scope>": <allowed>
      Given her token says "<scope>"
      Then she may use exactly "<allowed>", and every other tool is refused with "insufficient_scope"

      Examples:
        | scope                                                | allowed                                            |
        | finance/receivables write                            | reading receivables, writing receivables           |
        | finance/receivables finance/receivable_charges read  | reading receivables                                |
        | finance/receivables finance/receivable_charges write | reading receivables, writing receivables, charging |

    @SCOPE-K-008 @SCOPE-K-009 @SCOPE-K-022
    Scenario Outline: delete, import and export are neither reading nor writing: "<scope>" allows <allowed>
      Given her token says "<scope>"
      Then she may use exactly "<allowed>", and every other tool is refused with "insufficient_scope"

      Examples:
        | scope                                 | allowed                            |
        | finance/payables delete               | nothing                            |
        | finance/payables import               | nothing                            |
        | finance/payables export               | nothing                            |
        | finance/payables delete import export | nothing                            |
        | delete import export                  | nothing                            |
        | finance/payables read delete          | reading payables                   |
        | finance/payables write                | reading payables, writing payables |

    @SCOPE-K-010 @SCOPE-K-017
    Scenario Outline: A level counts within the resources that are named, and a resource needs one: "<scope>" allows <allowed>
      Given her token says "<scope>"
      Then she may use exactly "<allowed>", and every other tool is refused with "insufficient_scope"

      Examples:
        | scope                | allowed                        |
        | finance/people write | reading people, writing people |
        | finance/payables     | nothing                        |

    @SCOPE-K-016
    Scenario Outline: A resource that nobody knows narrows the token to nothing: "<scope>"
      Given her token says "<scope>"
      Then she may use exactly "nothing", and every other tool is refused with "insufficient_scope"

      Examples:
        | scope               |
        | finance/unknown all |
        | finance/payable all |

    @SCOPE-K-019
    Scenario: Whoever may write may read
      Given her token says "finance/payables write"
      Then she may use exactly "reading payables, writing payables", and every other tool is refused with "insufficient_scope"

    @SCOPE-K-020
    Scenario Outline: Whether "<scope>" moves money is read in two ways; list and call agree
      Given her token says "<scope>"
      Then list and call agree on "sending to the bank, charging"

      Examples:
        | scope             |
        | finance/all write |
        | finance/all all   |

    @SCOPE-K-021
    Scenario: The two tools for orientation need no resource of their own
      Given her token says "finance/people read"
      Then she may use exactly "orientation, reading people", and every other tool is refused with "insufficient_scope"

  Rule: Without resources the level alone counts

    @SCOPE-K-011 @SCOPE-K-012 @SCOPE-K-013 @SCOPE-K-014
    Scenario Outline: A token that says only "<scope>" allows <allowed>
      Given her token says "<scope>"
      Then she may use exactly "<allowed>", and every other tool is refused with "insufficient_scope"

      Examples:
        | scope      | allowed                                              |
        | read       | orientation, reading everything                      |
        | write      | orientation, reading everything, writing everything  |
        | read write | orientation, reading everything, writing everything  |
        | all        | everything                                           |

    @SCOPE-K-018
    Scenario Outline: A token that says nothing allows nothing: "<scope>"
      Given her token says "<scope>"
      Then she may use exactly "nothing", and every other tool is refused with "insufficient_scope"

      Examples:
        | scope                               |
        |                                     |
        | absent                              |
        | openid profile email offline_access |
        | READ                                |

  Rule: Neither axis makes up for the other

    @SCOPE-K-024 @SCOPE-K-015
    Scenario: Who owns everything still needs a token that writes
      Given her token says "read"
      When she calls finance_payables_create
      Then it is refused with "insufficient_scope"
      When she takes a token that says "write"
      And she calls finance_payables_create
      Then neither axis refuses it

    @SCOPE-K-024 @SCOPE-K-015
    Scenario: Who holds the strongest token still needs the permission
      When she may "payables.read" from now on
      And she calls finance_payables_create
      Then it is refused with "insufficient_permission"
      When she may "payables.read, payables.create" from now on
      And she calls finance_payables_create
      Then neither axis refuses it
