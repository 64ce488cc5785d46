@needs-token
Feature: Messages are JSON-RPC, and mistakes are told from each other

  An agent corrects itself by what it is told: a text that does not parse, a method that does not exist and an argument
  that is missing are three different things to do. And a server that breaks on a strange message can be broken by
  anybody. JSON-RPC 2.0; MCP base protocol.

  Background:
    Given Ada holds a good token

  @PROTO-001
  Rule: Every response has the version, the id of its request, and either a result or an error

    Scenario: Ids of every permitted kind
      When Ada asks for the list of tools under each of these ids
        | id               |
        | 1                |
        | 0                |
        | -5               |
        | "a"              |
        | ""               |
        | "ü"              |
        | "1"              |
        | 9007199254740991 |
      Then every answer carries its own id, version 2.0, and either a result or an error
      And every other is served too

  @PROTO-002
  Rule: A body that is no JSON is refused as that

    Scenario: A body that ends in the middle, and none at all
      When Ada sends each of these bodies, and the list of tools as it should be
        | body                     |
        | {"jsonrpc": "2.0", "id": |
        | ""                       |
      Then every other is refused with a 4xx
      And a protocol error among the answers says -32700, or -32600 for no body at all, and carries no id
      And the proper request is served

    Scenario: Text that is almost JSON
      When Ada sends each of these bodies, and the list of tools as it should be
        | body                                                        |
        | {'jsonrpc': '2.0', 'id': 1, 'method': 'tools/list'}         |
        | {"jsonrpc": "2.0", "id": 1, "method": "tools/list",}        |
        | {"jsonrpc": "2.0", "id": NaN, "method": "tools/list"}       |
      Then none of the others is a server error
      And the proper request is served

  @PROTO-003
  Rule: A batch is refused

    Scenario: Lists of one, of two and of no messages
      When Ada sends each of these bodies, and the list of tools as it should be
        | body                  |
        | [{message}]           |
        | [{message},{message}] |
        | []                    |
      Then every other is refused with a 4xx
      And the proper request is served

  @PROTO-004
  Rule: JSON that is no request is refused as that

    Scenario: Values, objects and members of the wrong kind
      When Ada sends each of these bodies, and the list of tools as it should be
        | body                                                                        |
        | 7                                                                           |
        | "x"                                                                         |
        | null                                                                        |
        | {}                                                                          |
        | {"jsonrpc": "1.0", "id": 1, "method": "tools/list", "params": {params}}     |
        | {"id": 1, "method": "tools/list", "params": {params}}                       |
        | {"jsonrpc": "2.0", "id": 1, "method": 5, "params": {params}}                |
        | {"jsonrpc": "2.0", "id": 1, "method": "", "params": {params}}               |
        | {"jsonrpc": "2.0", "id": {}, "method": "tools/list", "params": {params}}    |
        | {"jsonrpc": "2.0", "id": [1], "method": "tools/list", "params": {params}}   |
        | {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": "x"}          |
      Then every other is refused with 400
      And every other is answered with error -32600 or -32602
      And the proper request is served

    Scenario: Ids that other readers would change
      When Ada sends each of these bodies, and the list of tools as it should be
        | body                                                                        |
        | {"jsonrpc": "2.0", "id": null, "method": "tools/list", "params": {params}}  |
        | {"jsonrpc": "2.0", "id": 1.5, "method": "tools/list", "params": {params}}   |
      Then none of the others is a server error
      And the proper request is served

  @PROTO-005 @rev-2025-06-18 @rev-2025-11-25
  Rule: An unknown method is told as such

    Scenario: A method that nobody knows
      When Ada sends a request of each of these methods, and the list of tools
        | method    |
        | nope/nope |
      Then the other is answered with error -32601
      And the other has status 200 or a 4xx
      And the proper request is served

  @PROTO-006 @rev-2026-07-28
  Rule: An unknown method is 404, and so are those that this revision removed

    Scenario: Methods that are not there
      When Ada sends a request of each of these methods, and the list of tools
        | method              |
        | nope/nope           |
        | ping                |
        | logging/setLevel    |
        | resources/subscribe |
      Then every other is refused with 404 and error -32601
      And the proper request is served

  @PROTO-007
  Rule: An unknown tool is a mistake of the request, not of the tool

    Scenario: A call of a tool that nobody has
      When Ada calls a tool that does not exist, and asks for the list of tools
      Then the other is answered with error -32602
      And the proper request is served

  @PROTO-009
  Rule: A call that is no call is refused as that

    Scenario: Calls without a name, and with arguments that are none
      When Ada sends each of these bodies, and the list of tools as it should be
        | body                                                                                                                  |
        | {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}                                                                   |
        | {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"_meta": {meta}, "arguments": {}}}                     |
        | {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"_meta": {meta}, "name": 7, "arguments": {}}}          |
        | {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"_meta": {meta}, "name": "whoami", "arguments": "x"}}  |
        | {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"_meta": {meta}, "name": "whoami", "arguments": []}}   |
      Then every other is answered with error -32602, -32600 or -32020
      And none of the others is a server error
      And the proper request is served

  @PROTO-010
  Rule: A notification is never answered

    Scenario: A notification that nobody knows
      When Ada sends an unknown notification, and asks for the list of tools
      Then the other is accepted with 202 and no body, or refused, and never answered
      And the proper request is served

  @PROTO-011 @rev-2025-06-18 @rev-2025-11-25
  Rule: A ping is answered with nothing

    Scenario: A ping
      When Ada sends a request of each of these methods, and the list of tools
        | method |
        | ping   |
      Then the other is served with an empty result
      And the proper request is served

  @PROTO-012
  Rule: Every error has a whole number and a text

    Scenario: Mistakes of every kind
      When Ada makes one mistake after another
      Then every error has a whole number as its code and a text as its message
      And the proper request is served

  @PROTO-013
  Rule: Requests that come at once under one id are answered each for itself

    Scenario: Different tools at the same moment
      When Ada calls every harmless tool alone, and then all at once under one id
      Then every other is served too
      And the proper request is served

  @PROTO-015
  Rule: Names that stand twice and lists inside lists break nothing

    Scenario: A method that stands twice, and ten thousand lists
      When Ada sends each of these bodies, and the list of tools as it should be
        | body                                                                                            |
        | {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "method": "tools/call", "params": {params}} |
        | {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {10000 lists}}                    |
      Then none of the others is a server error
      And the proper request is served

  @PROTO-022
  Rule: Good and bad requests at once are answered as they are one after another

    @needs-mock-as
    Scenario: A hundred requests at the same moment
      Given Ada also holds a token that expired an hour ago
      When Ada sends good and bad requests one after another, and then 100 at once
      Then every other is answered as it was alone
      And the proper request is served

  @PROTO-016 @rev-2026-07-28
  Rule: Every result says that it is complete

    Scenario: Results of every kind
      When Ada asks for every list, opens, and calls a tool
      Then every result says that it is complete

  @CACHE-001 @rev-2026-07-28
  Rule: Lists and the opening say how long and by whom they may be kept

    Scenario: Results of every kind, looked at for their kind
      When Ada asks for every list, opens, and calls a tool
      Then every list and the opening say how long and by whom they may be kept

  @PROTO-017 @rev-2025-06-18 @rev-2025-11-25
  Rule: The opening says the version, what is offered, and who the server is

    Scenario: The members of its answer
      When Ada asks for the opening message
      Then the answer has a version, capabilities and the server's name and version

    Scenario: What is offered
      When Ada asks what the server offers, and for each list
      Then what it declares answers, and what it does not declare offers nothing

  @PROTO-020
  Rule: No error shows what is behind it

    Scenario: Mistakes of every kind, answered as errors
      When Ada makes one mistake after another
      Then no answer shows a key, a stack trace, a path or a query
      And the proper request is served

  @PROTO-021
  Rule: A request is answered in the errors of its own era

    Scenario: Mistakes of every kind, searched for internals
      When Ada makes one mistake after another
      Then no error uses a code that this revision does not give it
      And the proper request is served
