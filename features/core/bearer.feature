@needs-token
Feature: A token travels in the Authorization header, on every request

  A credential in a URL ends up in logs; one remembered for a connection serves whoever comes next on it. So there is one
  place for a token, it is read on each request anew, and nothing else stands in for it. RFC 6750 section 2, MCP
  authorization, access token usage.

  Background:
    Given Ada holds a good token

  @AUTH-BEARER-001
  Rule: A token in the query of the address is no credential

    Scenario: The good token in the query
      When the list of tools is asked for with Ada's token in the query, and in the header
      Then the other is refused with 401
      And the proper request is served

  @AUTH-BEARER-002
  Rule: A request that shows two tokens by two methods is refused

    @needs-mock-as
    Scenario: One person's token in the header, another's in the query
      Given Ben holds a good token
      When the list of tools is asked for with Ada's token in the header and Ben's in the query
      Then the other is refused with 400 or 401
      And the proper request is served

  @AUTH-BEARER-003
  Rule: A token in the body is no credential

    Scenario: The good token in a form and beside a message
      When Ada's token is sent in a form body, in a JSON body, and in the header
      Then every other is refused with 400, 401 or 415
      And the proper request is served

  @AUTH-BEARER-004
  Rule: The scheme is compared without regard to case

    Scenario: The scheme in small letters and in capitals
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header        | value          |
        | authorization | bearer {token} |
        | AUTHORIZATION | BEARER {token} |
      Then every other is served alike
      And the proper request is served

  @AUTH-BEARER-005
  Rule: No other scheme authenticates

    Scenario: The good token under other schemes and under none
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header        | value         |
        | Authorization | Basic {token} |
        | Authorization | Token {token} |
        | Authorization | MAC {token}   |
        | Authorization | DPoP {token}  |
        | Authorization | {token}       |
      Then every other is refused with 400 or 401
      And the proper request is served

  @AUTH-BEARER-006
  Rule: Of several credentials the server picks none

    @needs-mock-as
    Scenario: Two Authorization lines, and two credentials in one line
      Given Ben holds a good token
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header        | value                                            |
        | Authorization | Bearer {token} (and again) Bearer nonsense       |
        | Authorization | Bearer nonsense (and again) Bearer {token}       |
        | Authorization | Bearer {token}, Bearer nonsense                  |
        | Authorization | Bearer {token} (and again) Bearer {token of Ben} |
      Then every other is refused with 400 or 401
      And the proper request is served

  @AUTH-BEARER-009
  Rule: A good request on a connection gives nothing to the next one

    Scenario: A token and then none on one connection
      When Ada's token and then none are used on one connection, and hers again
      Then the proper request is served
      And the other is refused with 401

  @AUTH-BEARER-010
  Rule: The identity of a request is that of its own token

    @needs-mock-as
    Scenario: Two people in turn on one connection, and at once on many
      Given Ben holds a good token
      When Ada and Ben ask 25 times each who they are, in turn on one connection and at once on many
      Then every answer names the one who asked, and nobody else

  @AUTH-BEARER-012
  Rule: GET and DELETE are under the same rule as POST

    Scenario: The endpoint by other methods without a token
      When the endpoint is asked by GET and by DELETE without a token, and by POST with Ada's
      Then every other is refused with 401 or 405
      And the proper request is served

  @AUTH-BEARER-013 @isolated @needs-control
  Rule: Expiry is looked at on each request, not remembered

    @needs-mock-as
    Scenario: A token that was accepted once is refused after its time
      Given Ada holds a good token that lasts 10 seconds
      When she presents it, and again after 311 seconds
      Then the proper request is served
      And the other is refused with 401

  @AUTH-BEARER-014
  Rule: A token may be used many times at once within its life

    Scenario: Twenty requests with one token at the same moment
      When Ada presents her token 20 times at once
      Then every other is served alike
      And the proper request is served
