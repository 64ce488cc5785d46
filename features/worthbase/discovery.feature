@every-revision
Feature: A worthbase server sends every client to its one authorization server

  The page of the product says where a client that was refused finds what: the challenge, the metadata at two addresses,
  and for clients that look on the server's own host a copy of the authorization server's metadata.

  @AUTH-CHALLENGE-016
  Rule: A request without a token is refused with a Bearer challenge that names the metadata on the same host

    Scenario: Somebody without a token asks for the list of tools
      Given Ada holds a good token
      When the list of tools is sent without a token, and with Ada's
      Then the other is refused with 401
      And the challenge names a well-known address on the server's own host
      And the proper request is served

  @PRM-021
  Rule: The metadata is the same at both addresses and names the one authorization server and the scopes of the page

    Scenario: Both well-known addresses
      When somebody looks for the metadata in the challenge and at both well-known addresses
      Then both well-known addresses serve one and the same document

    Scenario: What the document says
      When a client fetches the metadata
      Then it describes exactly the address that clients use
      And it names exactly one authorization server
      And it offers the scopes openid, profile, email and offline_access

  @ASM-001
  Rule: The server's own host serves the authorization server's metadata

    Scenario: The copy and its source
      When an older client asks the server's own host for the authorization server's metadata
      Then it is a JSON document with the media type of one
      And it is what the authorization server itself says

  @ASM-002
  Rule: The copy is not rewritten

    Scenario: The addresses in the copy
      When an older client asks the server's own host for the authorization server's metadata
      Then it is what the authorization server itself says
      And no address in it lies on the server's own host

  @ASM-005 @rev-2025-11-25 @rev-2026-07-28
  Rule: Clients may identify themselves by a metadata document, with PKCE

    Scenario: What the copy offers to clients
      When an older client asks the server's own host for the authorization server's metadata
      Then it says that clients may identify themselves by a metadata document
      And it offers PKCE with S256

  @ASM-003 @isolated @needs-control
  Rule: A copy that cannot be fetched is said to be out

    Scenario: The authorization server is down from the start
      Given the authorization server is down
      When an older client asks the server's own host for the authorization server's metadata
      Then it is answered with 502 or 503, or the last good document

  @ASM-004 @isolated @needs-control
  Rule: The copy reaches the authorization server and nobody else

    Scenario: Crooked paths and foreign addresses
      When somebody asks for that copy with a longer path, a climbing path and foreign addresses in the query
      Then every copy says the same, or is refused
      And no service was asked for anything but that document and the keys

  @AUTH-BEARER-015
  Rule: Issuer, audience and expiry are checked on every request

    Scenario: Bad tokens after a good one on one connection
      Given Ada holds a good token
      And Ada also holds a token that was issued by a stranger
      And Ada also holds a token that is for another server
      And Ada also holds a token that expired an hour ago
      When Ada's token and then each of them are used on one connection, and hers again
      Then the proper request is served
      And every other is refused with 401

  @AUD-010
  Rule: A token for another resource of the product is refused

    Scenario Outline: A token that <variation> is refused
      Given Ada holds a good token
      And Ada also holds a token that <variation>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | variation                                |
        | is for the whole host                    |
        | is for the REST API of the host          |
        | is for the authorization server itself   |

  @SCOPE-010
  Rule: The scopes of a token are about identity and limit no tool

    Scenario: The list of tools with the scope openid alone, and with all four
      Given Ada holds a good token
      And Ada also holds a token of scope "openid"
      When Ada presents each of them for the list of tools
      Then the other is served alike
      And the good token is accepted

    Scenario: Calls with the scope openid alone, and with all four
      Given Ada holds a good token
      And Ada also holds a token of scope "openid"
      When Ada presents each of them to every tool that changes nothing
      Then every call has the same result with each of them

  @AUD-012 @needs-control
  Rule: The token of a client goes no further than the server

    Scenario: Calls that make the server ask its directories
      Given Ada holds a good token
      When Ada asks who she is
      Then the user directory was asked about her
      And no service ever saw her token

  @ERR-018 @needs-url
  Rule: Summaries for language models are served to everybody

    Scenario: The short text and the long one
      Then anybody can read the text at "/llms.txt"
      And anybody can read the text at "/llms-full.txt"
