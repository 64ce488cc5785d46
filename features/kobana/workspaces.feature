Feature: Where a call acts
  A call names its workspace, or the connection has a default: the header, then the parameter of the address, then the only
  workspace the person reaches.

  Rule: The argument decides, then the default of the connection

    @WS-001 @WS-002 @WS-016
    Scenario: The argument wins over header and address, and records stay in their workspace
      Given Rita may "*" in "Matriz, Filial Sul"
      And there is a payable "Aluguel" in "Matriz"
      And there is a payable "Energia" in "Filial Sul"
      When her connection's header names "Matriz"
      Then without an argument she sees the payables "Aluguel"
      And in "Filial Sul" she sees the payables "Energia"
      When her connection names no workspace
      And her connection's address names "Filial Sul"
      Then without an argument she sees the payables "Energia"
      And in "Matriz" she sees the payables "Aluguel"

    @WS-003 @WS-005
    Scenario: The only workspace that is reached is the default, whatever the organisation has
      Given Rita may "*" in "Filial Sul"
      And there is a payable "Energia" in "Filial Sul"
      Then without an argument she sees the payables "Energia"

    @WS-004 @PERM-013
    Scenario: With several and no default the tool says that a workspace is required
      Given Rita may "*" in "Matriz, Filial Sul"
      When she calls finance_payables_list
      Then it is refused with "workspace_required"
      When she calls finance_payables_list in "Matriz"
      Then neither axis refuses it

    @WS-015
    Scenario: Of header and address the header counts
      Given Rita may "*" in "Matriz, Filial Sul"
      And there is a payable "Aluguel" in "Matriz"
      When her connection's header names "Matriz"
      And her connection's address names "Filial Sul"
      Then without an argument she sees the payables "Aluguel"

  Rule: A workspace is a selector and no grant

    @WS-006 @PERM-005
    Scenario: A workspace that is not reached, one of others and one of nobody get the same answer
      Given Rita may "*" in "Matriz"
      When she calls finance_payables_list in "Filial Norte"
      Then it is refused with "workspace_access_denied"
      And finance_payables_list in "a workspace of another organisation" gets the same answer
      And finance_payables_list in "a workspace of nobody" gets the same answer

    @WS-009
    Scenario: A default that the person does not reach grants nothing
      Given Rita may "*" in "Matriz, Filial Sul"
      And her connection's header names "Filial Norte"
      When she calls finance_payables_list
      Then it is refused with "workspace_access_denied"

    @WS-007 @WS-015
    Scenario Outline: A <selector> that names a workspace of others is refused for <method>
      Given Rita may "*" in "Matriz"
      And her connection's <selector> names "a workspace of another organisation"
      When she asks <method>
      Then the answer is 403 UNKNOWN_WORKSPACE

      Examples:
        | selector | method         |
        | header   | tools/list     |
        | header   | tools/call     |
        | header   | resources/read |
        | address  | tools/list     |
        | address  | tools/call     |
        | address  | resources/read |

    @WS-008
    Scenario: A good argument does not mend a bad header
      Given Rita may "*" in "Matriz"
      And her connection's header names "a workspace of another organisation"
      When she calls finance_payables_list in "Matriz"
      Then the answer is 403 UNKNOWN_WORKSPACE

    @WS-014
    Scenario Outline: A header "<value>" selects nothing silently
      Given Rita may "*" in "Matriz"
      And her connection's header names "<value>"
      When she asks tools/call
      Then the answer is 403 UNKNOWN_WORKSPACE

      Examples:
        | value                 |
        | abc                   |
        |                       |
        | a workspace of nobody |

    @WS-017
    Scenario Outline: An argument "<value>" is refused before any work
      Given Rita may "*" in "Matriz"
      When she calls finance_payables_list in "<value>"
      Then it is refused with "workspace_access_denied or invalid_input"

      Examples:
        | value       |
        | abc         |
        |             |
        | ' OR 1=1 -- |

  Rule: Connecting and finding one's way need no workspace

    @WS-010 @every-revision
    Scenario Outline: <method> is served without one
      Given Rita may "*" in "Matriz, Filial Sul"
      When she asks <method>
      Then it is served

      Examples:
        | method       |
        | opening      |
        | tools/list   |
        | prompts/list |

    @WS-011 @WS-012 @WS-013
    Scenario: The list shows the workspaces that are reached, and marks what a call without argument means
      Given Rita may "*" in "Matriz, Filial Sul"
      Then her workspaces are "Matriz, Filial Sul"
      When her connection's header names "Filial Sul"
      Then her workspaces are "Matriz, Filial Sul*"
      When her connection names no workspace
      And her connection's address names "Matriz"
      Then her workspaces are "Matriz*, Filial Sul"
      When her connection names no workspace
      And she reaches "Filial Sul" from now on
      Then her workspaces are "Filial Sul*"

    @WS-013
    Scenario: Schemas need no workspace
      Given Rita may "*" in "Matriz, Filial Sul"
      When she calls finance_schemas_get
      Then neither axis refuses it

    @TOOL-023
    Scenario: Every tool says whether it takes a workspace
      Given Rita may "*" in "Matriz"
      Then every tool takes a workspace as the page says, and none an organisation

  Rule: Resources, prompts and completions follow the token, the person and the default

    @RES-006 @RES-007
    Scenario: A resource is read in the default workspace, and needs one
      Given Rita may "*" in "Matriz, Filial Sul"
      And there is a payable "Aluguel" in "Matriz"
      When she reads the payable "Aluguel" as a resource
      Then the answer is an error that says "workspace_required"
      When her connection's header names "Matriz"
      And she reads the payable "Aluguel" as a resource
      Then the resource holds "Aluguel"
      When her connection's header names "Filial Sul"
      And she reads the payable "Aluguel" as a resource
      Then the answer is an error that says ""

    @RES-005
    Scenario: A resource needs the scope of the tool that reads the same
      Given Rita may "*" in "Matriz"
      And there is a payable "Aluguel" in "Matriz"
      When she takes a token that says "finance/people read"
      And she reads the payable "Aluguel" as a resource
      Then the answer is an error that says "insufficient_scope"
      When she takes a token that says "finance/payables read"
      And she reads the payable "Aluguel" as a resource
      Then the resource holds "Aluguel"
      When she takes a token that says ""
      And she reads the payable "Aluguel" as a resource
      Then the answer is an error that says "insufficient_scope"

    @PROMPT-003
    Scenario: Prompts need a token that reads
      Given Rita may "*" in "Matriz"
      And her token says ""
      Then no prompts are listed
      When she takes a token that says "read"
      Then some prompts are listed

    @COMPL-002
    Scenario: Completions come from the default workspace, and there are none without one
      Given Rita may "*" in "Matriz, Filial Sul"
      And there is a payable "Aluguel" in "Matriz"
      And there is a payable "Energia" in "Filial Sul"
      Then completing a payable suggests "nothing"
      When her connection's header names "Matriz"
      Then completing a payable suggests "Aluguel"

    @COMPL-003 @PERM-006
    Scenario: Completions and resources obey token and person
      Given Rita may "*" in "Matriz"
      And there is a payable "Aluguel" in "Matriz"
      Then completing a payable suggests "Aluguel"
      When she takes a token that says "finance/people read"
      Then completing a payable suggests "nothing"
      When she takes a token that says "read"
      And she is "suspended" there from now on
      Then completing a payable suggests "nothing"
      When she reads the payable "Aluguel" as a resource
      Then the answer is an error that says "membership_inactive"
