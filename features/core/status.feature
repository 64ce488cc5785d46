@needs-token
Feature: A refusal is told by its status

  Clients act on the HTTP status: 401 makes them fetch a token, a 200 does not. A refusal that hides in a 200, or that
  only appears once the body has been looked at, leaves them stuck or tells a stranger what is behind the door.
  MCP authorization, error handling; RFC 6750 section 3.1.

  Background:
    Given Ada holds a good token

  @AUTH-STATUS-001
  Rule: An invalid or expired token is answered with 401 and nothing else

    @needs-mock-as
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

    @needs-mock-as
    Scenario: A call with a malformed token by a client that takes streams
      Given Ada also holds a token that is one segment
      When Ada presents each of them for a tool call
      Then the other is refused with 401
      And the proper request is served

  @AUTH-STATUS-005
  Rule: No token content, however broken, breaks the server

    @needs-mock-as
    Scenario: Two hundred broken tokens
      Given Ada also holds 200 broken copies of it
      When Ada presents each of them
      Then every other is refused with 400, 401, 413, 429 or 431
      And the good token is accepted
