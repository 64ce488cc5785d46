@needs-token
Feature: The endpoint keeps the rules of its transport

  MCP over HTTP is one address that takes one message per POST. Pages of foreign origin, forged names of the host, wrong
  media types and broken framing are where a server on somebody's machine is attacked; intermediaries and browsers rely
  on the small rules. MCP transports, Streamable HTTP; RFC 9110; RFC 9112.

  Background:
    Given Ada holds a good token

  @HTTP-001 @HTTP-002
  Rule: A POST of one message is answered with one response, as JSON or as a stream of events

    Scenario: The list of tools
      When Ada asks for the list of tools
      Then the answer is one response with the id of the request, as JSON or as a stream of events

  @HTTP-004 @rev-2025-06-18 @rev-2025-11-25
  Rule: GET opens a stream or is no method of this server

    Scenario: GET on the endpoint
      When Ada asks the endpoint by GET, and by POST
      Then the other is a stream of events, or refused with 405
      And the proper request is served

  @HTTP-005 @rev-2026-07-28
  Rule: A stateless server answers GET and DELETE with 405

    Scenario: GET and DELETE on the endpoint
      When Ada asks the endpoint by GET and by DELETE, and by POST
      Then every other is refused with 405
      And the proper request is served

  @HTTP-006
  Rule: A 405 says which method is allowed

    Scenario: Methods that the endpoint does not have
      When the endpoint is asked by PUT and by PATCH with Ada's token, and by POST
      Then every 405 allows "POST"
      And the proper request is served

    Scenario: GET and DELETE
      When Ada asks the endpoint by GET and by DELETE, and by POST
      Then every 405 allows "POST"
      And the proper request is served

  @HTTP-007
  Rule: A notification is accepted with 202 and nothing else

    @rev-2025-06-18 @rev-2025-11-25
    Scenario: The notification that opens a session
      When Ada asks for a notification
      Then the proper request is accepted with 202 and no body

    @rev-2026-07-28
    Scenario: A vendor's own notification
      When Ada sends an unknown notification, and asks for the list of tools
      Then the other is accepted with 202 and no body, or refused, and never answered
      And the proper request is served

  @HTTP-008 @rev-2025-06-18 @rev-2025-11-25
  Rule: A response that nobody asked for is not answered

    Scenario: A posted response
      When Ada posts a response that nobody asked for, and asks for the list of tools
      Then the other is accepted with 202 and no body, or refused, and never answered
      And the proper request is served

  @HTTP-009
  Rule: A page of a foreign origin is refused

    @rev-2025-11-25 @rev-2026-07-28
    Scenario: Origins that are not this server's are refused with 403
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header | value                                |
        | Origin | https://evil.example                 |
        | Origin | null                                 |
        | Origin | http://localhost.evil.example        |
        | Origin | http://{host}.evil.example           |
        | Origin | https://allowed.example.evil.example |
      Then every other is refused with 403
      And the proper request is served

    @rev-2025-06-18
    Scenario: Origins that are not this server's are refused
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header | value                                |
        | Origin | https://evil.example                 |
        | Origin | null                                 |
        | Origin | http://localhost.evil.example        |
        | Origin | http://{host}.evil.example           |
        | Origin | https://allowed.example.evil.example |
      Then every other is refused with a 4xx
      And the proper request is served

  @HTTP-010
  Rule: A program sends no Origin and is served

    Scenario: The proper request has none
      When Ada asks for the list of tools
      Then the proper request is served

  @HTTP-011
  Rule: A server on somebody's machine answers to that machine alone

    Scenario: A page that calls the machine by another name
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header | value        |
        | Host   | evil.example |
      Then the other is refused with a 4xx
      And the proper request is served

    Scenario: The machine by its own name
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header | value            |
        | Host   | localhost:{port} |
      Then the other is served alike
      And the proper request is served

    Scenario: The machine from outside
      When Ada asks for the list of tools
      Then the proper request is served
      And nothing answers at the outer address of the machine

  @HTTP-018
  Rule: Only JSON is taken for a message

    Scenario: The same body under other media types
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header       | value                         |
        | Content-Type | text/plain                    |
        | Content-Type | application/xml               |
        | Content-Type | multipart/form-data;boundary=x |
        | Content-Type | (absent)                      |
      Then every other is refused with 400 or 415
      And the proper request is served

    Scenario: JSON with its character set
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header       | value                           |
        | Content-Type | application/json; charset=utf-8 |
      Then the other is served alike
      And the proper request is served

  @HTTP-019
  Rule: Accept decides only between JSON and a stream

    Scenario: A client that accepts neither
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header | value     |
        | Accept | text/html |
      Then every other is answered in JSON, or refused with 400 or 406
      And the proper request is served

    Scenario: A client that accepts JSON alone, or anything
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header | value            |
        | Accept | application/json |
        | Accept | */*              |
      Then every other is answered in JSON, or refused with 400 or 406
      And the proper request is served

    Scenario: A client that accepts both, however it says so
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header | value                                          |
        | Accept | text/event-stream, application/json            |
        | Accept | application/json;q=0.9, text/event-stream;q=0.1 |
        | ACCEPT | APPLICATION/JSON, TEXT/EVENT-STREAM            |
      Then every other is served alike
      And the proper request is served

  @HTTP-021
  Rule: A client that stops in the middle holds nobody up

    Scenario: Twenty half-sent requests
      When 20 clients stop in the middle of a request, and Ada asks for the list of tools
      Then the proper request was served within 2 seconds

  @HTTP-022
  Rule: A query that means nothing changes nothing

    Scenario: The address of an advertisement
      When Ada asks for the list of tools with "utm_source=proofmark" in the query, and without
      Then the other is served alike
      And the proper request is served

  @HTTP-023 @rev-2026-07-28
  Rule: A stateless server knows no sessions

    Scenario: Headers of a session
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header         | value           |
        | Mcp-Session-Id | proofmark-1     |
        | Last-Event-ID  | proofmark-event |
      Then every other is served alike
      And no answer has a header "Mcp-Session-Id"
      And the proper request is served

  @HTTP-027
  Rule: A preflight lets no foreign page in

    Scenario: A page of evil.example asks
      When a browser asks from "https://evil.example" whether it may call
      Then the answer lets no page of "https://evil.example" in

  @HTTP-028
  Rule: Header names are compared without regard to case

    Scenario: The version header and the credentials in other letters
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header               | value          |
        | mcp-protocol-version | {version}      |
        | MCP-PROTOCOL-VERSION | {version}      |
        | authorization        | Bearer {token} |
        | AUTHORIZATION        | Bearer {token} |
      Then every other is served alike
      And the proper request is served

  @HTTP-029
  Rule: No shared cache keeps an answer that was meant for one person

    Scenario: The head of an answer
      When Ada asks for the list of tools
      Then no shared cache may keep the answer
      And the proper request is served

  @HTTP-035 @rev-2026-07-28
  Rule: The values of mirrored headers are compared with regard to case

    Scenario: A method in capitals
      When Ada asks for the list of tools with each of these headers, and as it should be
        | header     | value      |
        | Mcp-Method | TOOLS/LIST |
      Then the other is refused with 400 and error -32020
      And the proper request is served

  @SEC-007
  Rule: A request that is framed in two ways is refused or read in the safe one, and ends the connection

    Scenario: A length beside chunks, and two unlike lengths
      When a request is framed by a length and by chunks at once, and another by two unlike lengths
      Then the first is refused with 400 or read by its chunks, the second is refused with 400, and both connections are closed

  @HTTP-020 @heavy
  Rule: An oversized body does no harm

    Scenario Outline: A body of <megabytes> megabytes
      When Ada sends a body of <megabytes> megabytes, declared and in chunks, and the list of tools
      Then every other is served or refused without a server error, and a hundred megabytes are refused
      And the proper request was served within 1 second

      Examples:
        | megabytes |
        | 10        |
        | 100       |
