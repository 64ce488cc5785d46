Feature: A refusal is told by its status

  Clients act on the HTTP status: 401 makes them fetch a token, a 200 does not. A refusal that hides in a 200, or that
  only appears once the body has been looked at, leaves them stuck or tells a stranger what is behind the door.
  MCP authorization, error handling; RFC 6750 section 3.1.

  Background:
    Given Ada holds a good token

  @AUTH-STATUS-001
  Rule: An invalid or expired token is answered with 401 and nothing else

    Scenario Outline: A token that <defect>
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                |
        | expired an hour ago                   |
        | has one bit of its signature changed  |

  @AUTH-STATUS-003
  Rule: A malformed Authorization header is refused with 400 or 401

    Scenario: Values that are no Bearer credentials
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header        | value               |
        | Authorization | Bearer              |
        | Authorization | "Bearer "           |
        | Authorization | Bearer a b          |
        | Authorization | bearer,             |
        | Authorization | Bearer {delete}     |
      Then every other is refused with 400 or 401
      And the proper request is served

    Scenario: A value of nine kilobytes
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header        | value         |
        | Authorization | Bearer {9 KB} |
      Then the other is refused with 400, 401, 413, 431 or no answer
      And the proper request is served

  @AUTH-STATUS-004
  Rule: Neither an error in a 200 nor a stream replaces the 401

    Scenario: A call without a token by a client that takes streams
      When a tool call is sent without a token, and with Ada's
      Then the other is refused with 401
      And the proper request is served

    Scenario: A call with a malformed token by a client that takes streams
      Given Ada also holds a token that is one segment
      When Ada presents each of them for a tool call
      Then the other is refused with 401
      And the proper request is served

  @AUTH-STATUS-005
  Rule: No token content, however broken, breaks the server

    Scenario: Two hundred broken tokens
      Given Ada also holds 200 broken copies of it
      When Ada presents each of them
      Then every other is refused with 400, 401, 413, 429 or 431
      And the good token is accepted

  @AUTH-STATUS-006
  Rule: A program is not sent to a login page

    Scenario: A request without a token that would take a page
      When somebody without a token asks for the list of tools with each of these headers, and plainly
        | header | value                                          |
        | Accept | text/html, application/json, text/event-stream |
        | Accept | text/html                                      |
      Then every other is refused with 401 or 406

  @AUTH-STATUS-007
  Rule: The token is checked before the body is read

    Scenario: Bodies of every kind without a token
      When somebody without a token sends each of these bodies, and the list of tools
        | body                                                                        |
        | {"jsonrpc": "2.0", "id":                                                    |
        | [{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]                       |
        | {"jsonrpc": "2.0", "id": 1, "method": "proofmark/unknown", "params": {}}    |
        | {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "proofmark_no_such_tool", "arguments": {}}} |
        | {message}                                                                   |
      Then every other is refused with 401

    @rev-2026-07-28
    Scenario: A header that contradicts the body, without a token
      When somebody without a token asks for the list of tools with each of these headers, and plainly
        | header     | value      |
        | Mcp-Method | tools/call |
      Then the other is refused with 401
