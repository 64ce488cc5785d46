@needs-url
Feature: A server says of itself who guards it

  A client that was refused reads one public document to learn which authorization server to go to. Whoever could change
  that document could send every client, and every token, to a place of their own; so it is the same for everybody, it
  names exactly this server, and it keeps nothing back and nothing secret in it. RFC 9728, RFC 8414, MCP authorization.

  @PRM-001
  Rule: The document is JSON and served to everybody

    Scenario: Somebody without a token fetches it
      When a client fetches the metadata
      Then it is a JSON document with the media type of one

  @PRM-002
  Rule: The document of a server at a path is where clients look for it

    Scenario: The challenge and the two well-known addresses
      When somebody looks for the metadata in the challenge and at both well-known addresses
      Then the metadata is found by the challenge, with the path inserted, or from 2025-11-25 on for the host

  @PRM-003
  Rule: The resource it describes is the address that clients use, character for character

    Scenario: The document that clients find first
      When a client fetches the metadata
      Then it describes exactly the address that clients use

  @PRM-004
  Rule: It names an authorization server

    Scenario: The authorization servers it names
      When a client fetches the metadata
      Then it names at least one authorization server by an https address

  @PRM-005
  Rule: The resource is an https address without a fragment

    Scenario: The resource it names
      When a client fetches the metadata
      Then its resource is an https address without a fragment

  @PRM-006
  Rule: The resource has no slash at its end that the endpoint lacks

    Scenario: The end of the resource
      When a client fetches the metadata
      Then its resource has no slash at the end that the endpoint lacks

  @PRM-007
  Rule: Tokens are taken in the header and never in the query

    Scenario: The methods it offers
      When a client fetches the metadata
      Then it accepts tokens in the header and never in the query

  @PRM-008
  Rule: What there is none of is left out

    Scenario: The members of the document
      When a client fetches the metadata
      Then no member of it is empty

  @PRM-011
  Rule: The document is the same whoever asks and however they ask

    @needs-token
    Scenario: Forged names, an origin, a query and a token
      Given Ada holds a good token
      When a client fetches the metadata
      And it is fetched again with forged names, an origin, a query and Ada's token
      Then every copy says the same, or is refused

  @PRM-012
  Rule: Every place that describes this server says the same of it

    Scenario: The challenge and the two well-known addresses, compared with each other
      When somebody looks for the metadata in the challenge and at both well-known addresses
      Then those that describe this server say the same

  @PRM-013
  Rule: There is no document for a path that is no resource

    Scenario Outline: The metadata of <path>
      When a client fetches the metadata of the path "<path>"
      Then there is none, and nothing that ends in "<path>"

      Examples:
        | path  |
        | /nope |
        | /mcp2 |

  @PRM-014
  Rule: The document contains no secret

    Scenario: The names of its members
      When a client fetches the metadata
      Then it contains no secret

  @PRM-015
  Rule: Each authorization server it names says so itself

    Scenario: The issuer in the authorization server's own metadata
      When a client fetches the metadata
      And the metadata of each authorization server it names is fetched
      Then each says that it is the one that was named

  @PRM-016 @rev-2025-11-25 @rev-2026-07-28
  Rule: Each authorization server it names offers PKCE with S256

    Scenario: The challenge methods in the authorization server's own metadata
      When a client fetches the metadata
      And the metadata of each authorization server it names is fetched
      Then each offers PKCE with S256

  @ASM-008
  Rule: Codes and tokens travel over https

    Scenario: The addresses in the authorization server's own metadata
      When a client fetches the metadata
      And the metadata of each authorization server it names is fetched
      Then each has https addresses only

  @PRM-017 @isolated @needs-control
  Rule: The document stays readable while the authorization server is down

    Scenario: The document during an outage
      Given the authorization server is down
      When a client fetches the metadata
      Then it is a JSON document with the media type of one

  @PRM-018
  Rule: The document can only be read

    Scenario: Other methods on its address
      When a client fetches the metadata
      And its address is asked by POST, PUT and DELETE, and by HEAD
      Then the first three are refused with 405 or 404, and HEAD has no body
