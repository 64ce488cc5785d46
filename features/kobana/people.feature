Feature: What a person may do
  The second axis is the person behind the token: their permissions in the organisation, asked at every call. Rita's token
  says all, so that only her permissions can stand in the way.

  Rule: An active member has exactly their permissions

    @PERM-002
    Scenario Outline: The permission <permission> gives <allowed>
      Given Rita may "<permission>" in "Matriz"
      Then she may use exactly "orientation, <allowed>", and every other tool is refused with "insufficient_permission"

      Examples:
        | permission            | allowed                    |
        | payables.read         | reading payables           |
        | payables.create       | finance_payables_create    |
        | payables.update       | finance_payables_update    |
        | payables.cancel       | finance_payables_cancel    |
        | payables.send_to_bank | sending to the bank        |
        | people.read           | reading people             |
        | people.create         | finance_people_create      |
        | receivables.read      | reading receivables        |
        | receivables.create    | finance_receivables_create |
        | receivables.charge    | charging                   |

    @PERM-003 @PERM-011
    Scenario: The star frees everything
      Given Rita may "*" in "Matriz"
      Then she may use exactly "everything", and every other tool is refused with "insufficient_permission"

    @PERM-004 @PERM-011
    Scenario Outline: <permission> frees its family and no other: <allowed>
      Given Rita may "<permission>" in "Matriz"
      Then she may use exactly "orientation, <allowed>", and every other tool is refused with "insufficient_permission"

      Examples:
        | permission             | allowed                                                 |
        | payables.*             | reading payables, writing payables, sending to the bank |
        | people.*               | reading people, writing people                          |
        | payable.*, people.read | reading people                                          |

    @PERM-007
    Scenario: Who may nothing is denied everything
      Given Rita may "nothing" in "Matriz"
      Then she may use exactly "nothing", and every other tool is refused with "insufficient_permission or membership_inactive"
      And nothing is listed

    @PERM-010 @PERM-011
    Scenario Outline: The permissions "<permissions>" and the scope "<scope>" together allow <allowed>
      Given Rita may "<permissions>" in "Matriz"
      And her token says "<scope>"
      Then she may use exactly "<allowed>", and every other tool is refused with "insufficient_scope or insufficient_permission"

      Examples:
        | permissions                      | scope                                                  | allowed                               |
        | payables.*                       | read                                                   | orientation, reading payables         |
        | payables.read, people.*          | finance/people read write                              | reading people, writing people        |
        | receivables.*                    | finance/payables finance/people read write             | orientation                           |
        | payables.read, payables.cancel   | write                                                  | orientation, reading payables, finance_payables_cancel |
        | payables.send_to_bank            | finance/payables finance/payable_dispatches read write | sending to the bank                   |

    @PERM-016
    Scenario: Who only reads only reads, whatever the model sends
      Given Rita may "payables.read, people.read, receivables.read" in "Matriz"
      Then she may use exactly "orientation, reading everything", and every other tool is refused with "insufficient_permission"
      When she calls finance_payables_create and her message claims the permissions "*"
      Then it is refused with "insufficient_permission"

    @PERM-015
    Scenario: The person is the one of the token
      Given Rita may "*" in "Matriz"
      And Rita may "people.read" in "Matriz"
      Then she may use exactly "orientation, reading people", and every other tool is refused with "insufficient_permission"

  Rule: Who is no active member is denied everything

    @PERM-001 @PERM-006 @PERM-013
    Scenario Outline: Who is <state> sees nothing and may nothing
      Given Rita may "*" in "Matriz"
      And she is "<state>" there
      Then she may use exactly "nothing", and every other tool is refused with "membership_inactive"
      And nothing is listed

      Examples:
        | state        |
        | never joined |
        | no member    |
        | suspended    |
        | invited      |
        | removed      |

  Rule: Permissions are read at every call

    @PERM-009
    Scenario: A permission that is taken away is gone at the next call, and back when it is given again
      Given Rita may "payables.create" in "Matriz"
      When she calls finance_payables_create
      Then neither axis refuses it
      When she may "payables.read" from now on
      And she calls finance_payables_create
      Then it is refused with "insufficient_permission"
      When she may "payables.create" from now on
      And she calls finance_payables_create
      Then neither axis refuses it

    @PERM-017
    Scenario Outline: Who is <state> is cut off at the next call
      Given Rita may "*" in "Matriz"
      When she calls finance_payables_list
      Then neither axis refuses it
      When she is "<state>" there from now on
      And she calls finance_payables_list
      Then it is refused with "membership_inactive"

      Examples:
        | state     |
        | suspended |
        | removed   |

    @PERM-017 @PERM-005
    Scenario: A workspace that is taken away is closed at the next call
      Given Rita may "*" in "Matriz, Filial Sul"
      When she calls finance_payables_list in "Filial Sul"
      Then neither axis refuses it
      When she reaches "Matriz" from now on
      And she calls finance_payables_list in "Filial Sul"
      Then it is refused with "workspace_access_denied"

    @PERM-008 @isolated
    Scenario: While permissions cannot be looked up nothing is allowed, and afterwards everything works again
      Given Rita may "*" in "Matriz"
      When the member directory is down
      And she calls finance_payables_list
      Then it is refused for a reason of its own
      And nothing is listed
      When the member directory is up again
      And she calls finance_payables_list
      Then neither axis refuses it

  Rule: A refusal says who can mend it

    @PERM-012
    Scenario: The permission that is missing is named, and granting it mends the call
      Given Rita may "payables.read" in "Matriz"
      When she calls finance_payables_cancel
      Then it is refused with "insufficient_permission"
      And the refusal names the permission "payables.cancel"
      When she may "payables.cancel" from now on
      And she calls finance_payables_cancel
      Then neither axis refuses it

    @PERM-013
    Scenario Outline: With <permissions> in "<places>", scope "<scope>" and a call in "<place>" the code is <code>
      Given Rita may "<permissions>" in "<places>"
      And her token says "<scope>"
      When she calls finance_payables_list in "<place>"
      Then it is refused with "<code>"

      Examples:
        | permissions   | places | scope                | place        | code                    |
        | payables.read | Matriz | finance/people read  | Matriz       | insufficient_scope      |
        | people.read   | Matriz | read                 | Matriz       | insufficient_permission |
        | payables.read | Matriz | read                 | Filial Norte | workspace_access_denied |

  Rule: The channel of agents stands over both axes

    @PERM-019 @PERM-020 @isolated
    Scenario: Sending to the bank begins closed and works after approval only
      Given Rita may "*" in "Matriz"
      And there is a payable "Aluguel" in "Matriz"
      When she sends "Aluguel" to the bank from "Matriz"
      Then it is refused for a reason of its own
      And the tool finance_payables_send_to_bank is listed
      And the bank got 0 orders
      When sending to the bank through agents is pending from now on
      And she sends "Aluguel" to the bank from "Matriz"
      Then it is refused for a reason of its own
      And the bank got 0 orders
      When sending to the bank through agents is open from now on
      And she sends "Aluguel" to the bank from "Matriz"
      Then she gets it
      And the bank got 1 order
