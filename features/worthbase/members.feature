Feature: Admins invite by e-mail, change roles and remove members; the invited join

  Source: Worthbase MCP page, write tools (members, accept_invite) and read tools (whoami).

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind |
      | Cash | cash |

  @MEMBER-001
  Rule: An admin invites by e-mail, and the invited user sees the invite and joins with the given role

    Scenario: Ben is invited as editor
      When Ada invites Ben as editor
      Then 1 invite waits for Ben
      And Ada sees the members
        | name | role   | state   |
        | Ada  | admin  | member  |
        | Ben  | editor | invited |
      When Ben accepts the invite by its id
      Then Ben is an editor of the book
      And 0 invites wait for Ben
      And Ada sees the members
        | name | role   | state  |
        | Ada  | admin  | member |
        | Ben  | editor | member |

  @MEMBER-002
  Rule: An invite can be accepted by code or by id, exactly one of the two

    Scenario Outline: Accepted by <way>
      Given Ada has invited Ben as viewer
      When Ben accepts the invite by its <way>
      Then Ben is a viewer of the book

      Examples:
        | way  |
        | code |
        | id   |

    Scenario Outline: <way> given
      Given Ada has invited Ben as viewer
      When Ben tries to accept Ben's invite by <way>
      Then Ben is refused with "invalid_input"
      And nothing has changed
      When Ben accepts the invite by its code
      Then Ben is a viewer of the book

      Examples:
        | way     |
        | both    |
        | neither |

  @MEMBER-003
  Rule: A removed member loses access at the next call; their batches stay

    Scenario: An editor is removed between preview and commit
      Given Ben is an editor of Ada's book
      And Cleo is an editor of Ada's book
      And Ben has recorded
        | date       | entry   | item | amount |
        | 2024-01-01 | deposit | Cash | 10     |
      And Ben has previewed "the preview of Ben"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 20     |
      And Cleo has previewed "the preview of Cleo"
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Cash | 40     |
      When Ada removes Ben
      And Ben tries to commit "the preview of Ben"
      Then Ben is refused with "workspace_not_found"
      And nothing has changed
      When Ben tries to use get_overview
      Then Ben is refused with "workspace_not_found"
      When Cleo commits "the preview of Cleo"
      Then the balance of Ada's "Cash" is 50 USD
      And Ada's book lists the batches, newest first
        | tool   | written by |
        | record | Cleo       |
        | record | Ben        |
        | record | Ada        |

  @MEMBER-004 @ROLE-009
  Rule: Only the invited user joins, once, and only while the invite stands

    Scenario: A revoked invite
      Given Ada has invited Ben as viewer
      And Ada has revoked the invite of Ben
      When Ben tries to accept Ben's invite by code
      Then Ben is refused with "invite_invalid"
      And 0 invites wait for Ben
      When Ada invites Ben as viewer
      And Ben accepts the invite by its code
      Then Ben is a viewer of the book

    Scenario: Somebody else's invite
      Given Ada has invited Ben as viewer
      When Cleo tries to accept Ben's invite by id
      Then Cleo is refused with "invite_invalid"
      And nothing has changed
      When Cleo tries to accept Ben's invite by code
      Then Cleo is refused with "invite_invalid"
      And nothing has changed
      When Ben accepts the invite by its code
      Then Ben is a viewer of the book

    Scenario: An invite that was used
      Given Ada has invited Ben as viewer
      And Ben has accepted the invite by its code
      When Ben tries to accept Ben's invite by code
      Then Ben is refused with "invite_invalid"
      And nothing has changed

  @MEMBER-011
  Rule: Before accepting, the invited user sees the invite and no data

    Scenario: An open invite opens nothing
      Given Ada has invited Ben as viewer
      When Ben tries to open Ada's book with get_overview
      Then Ben is refused with "workspace_not_found"
      And nothing has changed
      When Ben accepts the invite by its id
      Then Ben may use get_overview

  @contract @MEMBER-007
  Rule: The last admin can neither leave nor be demoted

    Scenario: The only admin, and one of two
      When Ada tries to remove Ada
      Then Ada is refused with "last_admin"
      And nothing has changed
      When Ada tries to make Ada a viewer
      Then Ada is refused with "last_admin"
      And nothing has changed
      Given Ben is an admin of Ada's book
      When Ada makes Ada a viewer
      Then Ada is a viewer of the book

  @contract @MEMBER-009
  Rule: Roles are viewer, editor and admin

    Scenario Outline: An invite as <role>
      When Ada tries to invite Ben as <role>
      Then Ada is refused with "invalid_input"
      And the refusal points at "role"
      And nothing has changed
      When Ada invites Ben as admin
      Then 1 invite waits for Ben

      Examples:
        | role  |
        | owner |
        | Admin |
        | ADMIN |
        | ""    |

  @contract @MEMBER-013
  Rule: Member changes are no ledger batches

    Scenario: An invite, a role and a removal
      Given Ada has noted down every figure
      And Ben is a viewer of Ada's book
      When Ada makes Ben an editor
      And Ada removes Ben
      Then nothing has changed

  @MEMBER-005
  Rule: members lists every member and every open invite with its role, to an admin

    Scenario: Three members and two invites
      Given Ben is an editor of Ada's book
      And Cleo is a viewer of Ada's book
      And Ada has invited Dora as admin
      And Ada has invited Emil as viewer
      Then Ada sees the members
        | name | role   | state   |
        | Ada  | admin  | member  |
        | Ben  | editor | member  |
        | Cleo | viewer | member  |
        | Dora | admin  | invited |
        | Emil | viewer | invited |
      When Dora tries to open Ada's book with members
      Then Dora is refused with "workspace_not_found"
      And nothing has changed

  @contract @MEMBER-008
  Rule: An invite works once, for the invited address only, until it expires, and every refusal reads alike

    @isolated @needs-control
    Scenario: Somebody else, a second time, and after a week
      Given Ada has invited Ben as viewer
      When Cleo tries to accept Ben's invite by code
      Then Cleo is refused with "invite_invalid"
      And nothing has changed
      When Ben accepts the invite by its code
      And Ben tries to accept Ben's invite by code
      Then Ben is refused with "invite_invalid"
      And nothing has changed
      When Ada invites Dora as viewer
      And Ada invites Emil as viewer
      And 6 days pass
      And Emil accepts the invite by its code
      Then Emil is a viewer of the book
      When 1 day passes
      And 1 second passes
      And Dora tries to accept Dora's invite by code
      Then Dora is refused with "invite_invalid"
      And nothing has changed
      And 0 invites wait for Dora
      And every refusal of an invite reads alike

    Scenario: An address that nobody has shown to be theirs
      Given Ada has invited Ben as viewer
      And Ben has not proven their address
      When Ben tries to accept Ben's invite by code
      Then Ben is refused with "invite_invalid"
      And nothing has changed
      When Ben tries to accept Ben's invite by id
      Then Ben is refused with "invite_invalid"
      And nothing has changed
      When Ben proves their address
      And Ben accepts the invite by its id
      Then Ben is a viewer of the book

  @MEMBER-010
  Rule: Inviting a member, or somebody who is invited, makes no second membership and lowers no role

    Scenario: An admin who is invited as viewer, and a guest who is invited twice
      Given Ben is an admin of Ada's book
      When Ada invites Ben as viewer
      And Ben accepts the invite by its code
      Then Ben is an admin of the book
      When Ada invites Cleo as viewer
      And Ada invites Cleo as editor
      And Cleo accepts the invite by its code
      Then Cleo is an editor of the book
      And nobody stands twice among the members that Ada sees
      And Ada sees the members
        | name | role   | state  |
        | Ada  | admin  | member |
        | Ben  | admin  | member |
        | Cleo | editor | member |

  @contract @MEMBER-014
  Rule: Addresses are compared without regard to case, and must be addresses

    Scenario: An address in capital letters, and texts that are none
      Given Ada has invited Ben as viewer
      When Ada invites Ben in capital letters as editor
      Then 1 invite waits for Ben
      And Ada sees the members
        | name | role   | state   |
        | Ada  | admin  | member  |
        | Ben  | editor | invited |
      When Ben accepts the invite by its code
      Then Ben is an editor of the book
      When Ada tries to invite the address "nobody.example.com"
      Then Ada is refused with "invalid_input"
      And the refusal points at "email"
      And nothing has changed

  @MEMBER-012
  Rule: The code of an invite cannot be guessed, and nobody is shown one but the admin who invites

    Scenario: Forty codes side by side
      When Ada invites 40 people as viewer
      Then no code can be guessed

    Scenario: What a member, the invited and the admin are shown afterwards
      Given Cleo is a viewer of Ada's book
      And Ada has invited Ben as editor
      Then no code is shown to Ben
      And no code is shown to Cleo
      And no code is shown to Ada

    @isolated @needs-control
    Scenario: Somebody tries a hundred codes
      Given Ada has invited Ben as editor
      When Cleo tries 100 codes that were never given out
      Then the guessing is stopped with "rate_limited"
      When Ben accepts the invite by its code
      Then Ben is an editor of the book
