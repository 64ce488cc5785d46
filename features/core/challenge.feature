@needs-token
Feature: A refusal tells the client how to get in

  A client that is refused knows nothing yet: not which authorization server to go to, not what to ask it for. The 401
  answer is where it learns that, so the answer must be there on every refusal, must be readable by the grammar of HTTP,
  and must not contain anything the client itself put there. RFC 6750 section 3, RFC 9728 section 5, MCP authorization.

  "The proper request" is the same request with nothing wrong in it. It is sent after the others, so it also shows that
  they did no harm.

  Background:
    Given Ada holds a good token

  @AUTH-CHALLENGE-001
  Rule: A request for a protected method that carries no credentials is refused with 401

    Scenario Outline: <request> without a token is refused
      When <request> is sent without a token, and with Ada's
      Then the other is refused with 401
      And the proper request is served

      Examples:
        | request             |
        | a tool call         |
        | the list of tools   |
        | the opening message |
        | a notification      |

  @AUTH-CHALLENGE-002
  Rule: Every 401 carries a Bearer challenge that the grammar of HTTP can read

    @needs-mock-as
    Scenario: Refusals of every kind
      Given Ada also holds a token that expired an hour ago
      And Ada also holds a token that is for another server
      And Ada also holds a token that is two segments
      When Ada presents each of them
      Then every 401 carries a Bearer challenge that the grammar of HTTP can read
      And the proper request is served

    Scenario: A refusal of somebody who shows no token
      When the list of tools is sent without a token, and with Ada's
      Then every 401 carries a Bearer challenge that the grammar of HTTP can read
      And the proper request is served

  @AUTH-CHALLENGE-012
  Rule: No class of refusal goes without the challenge

    @needs-mock-as
    Scenario: Every known defect of a token
      Given Ada also holds a token with each known defect
      When Ada presents each of them
      Then every 401 carries a Bearer challenge that the grammar of HTTP can read
      And the proper request is served

  @AUTH-CHALLENGE-003 @rev-2025-06-18
  Rule: In 2025-06-18 the challenge names the metadata by an absolute address

    Scenario: The address in the challenge
      When the list of tools is sent without a token, and with Ada's
      Then the challenge names the metadata by an absolute https address
      And the proper request is served

  @AUTH-CHALLENGE-007
  Rule: Somebody who showed no token is told of no error

    A client without a token made no mistake; an error code would send it looking for one.

    Scenario: The challenge to a request without a token
      When the list of tools is sent without a token, and with Ada's
      Then the challenge contains no error
      And the proper request is served

  @AUTH-CHALLENGE-008
  Rule: Somebody whose token is not acceptable is told so

    @needs-mock-as
    Scenario: The challenge to an expired token
      Given Ada also holds a token that expired an hour ago
      When Ada presents both
      Then the challenge says error "invalid_token"
      And the proper request is served

  @AUTH-CHALLENGE-009
  Rule: A challenge keeps to the characters that its parameters may have

    @needs-mock-as
    Scenario: A token whose key name has a quotation mark, a backslash and an accent
      Given Ada also holds a token whose header "kid" is "a\"b\\c é"
      And Ada also holds a token that expired an hour ago
      And Ada also holds a token that is for another server
      And Ada also holds a token that was issued by a stranger
      And Ada also holds a token that was signed by another key under a known name
      When Ada presents each of them
      Then every 401 carries a Bearer challenge that the grammar of HTTP can read
      And no challenge leaves the characters that RFC 6750 permits
      And the proper request is served

  @AUTH-CHALLENGE-010
  Rule: Nothing from a token becomes part of the answer's head

    @needs-mock-as
    Scenario: Line breaks, quotation marks and parameters inside a token
      Given Ada also holds a token that was signed by a key nobody knows
      And Ada also holds a token whose header "kid" is "x\r\nX-Injected: 1"
      And Ada also holds a token whose header "kid" is "x\", scope=\"x"
      And Ada also holds a token whose header "alg" is "x\r\nX-Injected: 1"
      And Ada also holds a token whose header "alg" is "x\", scope=\"x"
      And Ada also holds a token whose claim "iss" is "x\r\nX-Injected: 1"
      And Ada also holds a token whose claim "iss" is "x\", scope=\"x"
      When Ada presents each of them
      Then every other is refused with 401
      And no refusal has a header, a challenge parameter or a scope that the first lacks
      And the proper request is served

  @AUTH-CHALLENGE-013 @rev-2026-07-28
  Rule: A challenge never asks for offline_access

    @needs-mock-as
    Scenario Outline: The challenge to a token that <defect>
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then no challenge asks for the scope "offline_access"
      And the proper request is served

      Examples:
        | defect                |
        | expired an hour ago   |
        | is for another server |

    Scenario: The challenge to a request without a token, read word by word
      When the list of tools is sent without a token, and with Ada's
      Then no challenge asks for the scope "offline_access"
      And the proper request is served

  @AUTH-CHALLENGE-014
  Rule: A refusal discloses nothing of what it protects

    Scenario: Calls of different tools without a token
      When a call of every listed tool is sent without a token
      Then every other is refused with 401
      And all refusals have the same body
      And no refusal names a tool, a resource or a person

    @needs-mock-as
    Scenario: Calls with tokens of different defects
      Given Ada also holds a token that expired an hour ago
      And Ada also holds a token that is for another server
      And Ada also holds a token that had its subject changed after signing
      When Ada presents each of them
      Then no refusal names a tool, a resource or a person
      And the proper request is served
