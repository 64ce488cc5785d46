@needs-url
Feature: Somebody without a token is shown the way in, and nothing else

  A client that has no token yet can ask anything of any server on the network. What it is told before it signs in is
  the same for everybody, is configuration and not an echo of the request, and leads to the metadata of this server.
  RFC 9728 section 5, RFC 6750 section 3, MCP authorization.

  @AUTH-CHALLENGE-004 @rev-2025-11-25 @rev-2026-07-28
  Rule: From 2025-11-25 on there is at least one way to the metadata

    Scenario: The challenge and the two well-known addresses
      When somebody looks for the metadata in the challenge and at both well-known addresses
      Then at least one of them leads to a document about a resource

  @AUTH-CHALLENGE-005
  Rule: The address in the challenge yields the metadata of exactly this server

    Scenario: Somebody without a token follows the challenge
      When a client fetches the metadata that the challenge names
      Then it is a JSON document with the media type of one
      And it describes exactly the address that clients use

  @AUTH-CHALLENGE-011
  Rule: The address of the metadata is configuration and follows no request header

    Scenario: Somebody pretends that the server has another name
      When somebody without a token asks for the list of tools with each of these headers, and plainly
        | header            | value                          |
        | Host              | evil.example                   |
        | X-Forwarded-Host  | evil.example                   |
        | X-Forwarded-Proto | gopher                         |
        | Forwarded         | host=evil.example;proto=gopher |
      Then every challenge names the same address of the metadata

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
