@needs-token
Feature: Client and server agree on one revision of the protocol

  The revisions with a handshake agree once, at the opening; the stateless revision says in every request which one it
  speaks, in a header for intermediaries and in the message for the server, and the two must agree, or somebody could
  show one request to the guard and another to the server. MCP lifecycle, versioning, Streamable HTTP.

  Background:
    Given Ada holds a good token

  @VERS-001 @rev-2025-06-18 @rev-2025-11-25
  Rule: An opening is answered in the version asked for, or in one that the server speaks

    Scenario: Known, old and invented versions
      When Ada opens in each of these versions, and in the one of this run
        | version    |
        | 2025-06-18 |
        | 2025-11-25 |
        | 2024-11-05 |
        | 1900-01-01 |
        | 2099-01-01 |
      Then the proper request is answered in the version of this run
      And every other is answered in a version that the server then speaks

  @VERS-002 @rev-2025-06-18 @rev-2025-11-25
  Rule: A version header that names no version served is refused with 400

    Scenario: Versions that are none
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header               | value          |
        | MCP-Protocol-Version | 1900-01-01     |
        | MCP-Protocol-Version | abc            |
        | MCP-Protocol-Version | 2025-06-18 ; x |
      Then every other is refused with 400
      And the proper request is served

  @VERS-003 @rev-2025-06-18 @rev-2025-11-25
  Rule: Without the header an old client is assumed

    Scenario: The list of tools without the header
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header               | value    |
        | MCP-Protocol-Version | (absent) |
      Then the other is served too, or refused with 400
      And the proper request is served

  @VERS-004 @rev-2026-07-28
  Rule: An unsupported version is refused with the versions that are served

    Scenario: A version of 1900
      When Ada asks for the list of tools with these versions in header and message, and as it should be
        | header     | message    |
        | 1900-01-01 | 1900-01-01 |
      Then the other is refused with 400 and error -32022
      And the error names the versions served and the one asked for
      And the proper request is served

  @VERS-005 @rev-2026-07-28
  Rule: Each version that the server names really works

    Scenario: Every version of its discovery and of its errors
      When Ada speaks each version that the server names
      Then every other is served too
      And the proper request is served

  @VERS-006 @rev-2026-07-28
  Rule: Header and message must name the same version

    Scenario: One new and one old
      When Ada asks for the list of tools with these versions in header and message, and as it should be
        | header     | message    |
        | 2026-07-28 | 2025-11-25 |
        | 2025-11-25 | 2026-07-28 |
      Then every other is refused with 400 and error -32020 or -32022
      And the proper request is served

  @VERS-007 @rev-2026-07-28
  Rule: A mirrored header must not be missing

    Scenario: The list of tools without its method
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header     | value    |
        | Mcp-Method | (absent) |
      Then the other is refused with 400 and error -32020
      And the proper request is served

    Scenario: Requests without the name of what they ask for
      When Ada leaves out Mcp-Name in a tool call, a read of a resource and a request for a prompt
      Then every other is refused with 400 and error -32020
      And the proper request is served

    Scenario: The list of tools without its version
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header               | value    |
        | MCP-Protocol-Version | (absent) |
      Then a server that speaks no version before 2025-06-18 refuses the other with 400 and error -32020
      And the proper request is served

  @VERS-009 @rev-2026-07-28
  Rule: A name wrapped in Base64 is unwrapped before it is compared

    Scenario: The right name, wrapped
      When Ada asks for a tool call with each of these headers, and as it should be
        | header   | value                         |
        | Mcp-Name | =?base64?{name in base64}?=   |
      Then the other is served too
      And the proper request is served

    Scenario: Another name, wrapped, and a wrapping that is broken
      When Ada asks for a tool call with each of these headers, and as it should be
        | header   | value                         |
        | Mcp-Name | =?base64?{other in base64}?=  |
        | Mcp-Name | =?base64?%%%?=                |
      Then every other is refused with 400 and error -32020
      And the proper request is served

  @VERS-010 @rev-2026-07-28
  Rule: What every request must say of itself must not be missing

    Scenario: No version in the message, or none of it
      When Ada leaves out each of these members of _meta, and nothing
        | member                    |
        | protocolVersion           |
        | all of it, a text instead |
      Then every other is refused with 400 and error -32602 or -32020
      And the proper request is served

    Scenario: No capabilities
      When Ada leaves out each of these members of _meta, and nothing
        | member             |
        | clientCapabilities |
      Then the other is refused with 400 and error -32602
      And the proper request is served

    Scenario: No name of the client
      When Ada leaves out each of these members of _meta, and nothing
        | member     |
        | clientInfo |
      Then the other is served alike
      And the proper request is served

  @VERS-011 @rev-2026-07-28
  Rule: The discovery says what is served and how long that holds

    Scenario: The members of its answer
      When Ada asks for the opening message
      Then the answer has a result type, the versions served, capabilities and how long it holds

  @VERS-012 @rev-2026-07-28
  Rule: What the discovery declares is there, and what is there is declared

    Scenario: Tools, resources and prompts
      When Ada asks what the server offers, and for each list
      Then what it declares answers, and what it does not declare offers nothing

  @VERS-013 @rev-2026-07-28
  Rule: A stateless request needs no other before it

    Scenario: A tool call is the first and only request of a connection
      When Ada asks for a tool call
      Then the proper request is served

  @VERS-017 @rev-2026-07-28
  Rule: Each result names the server

    Scenario: Results of every kind
      When Ada asks for every list, opens, and calls a tool
      Then every result names the server and its version

  @VERS-020 @rev-2026-07-28
  Rule: Reserved error codes are used only as the specification defines them

    Scenario: Mistakes of every kind
      When Ada makes one mistake after another
      Then no error uses a code that this revision does not give it
      And the proper request is served
