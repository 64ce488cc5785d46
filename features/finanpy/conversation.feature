Feature: The program keeps the conversation going, whatever it is sent

  Source: MCP specification, "Lifecycle" and "Transports", stdio; JSON-RPC 2.0.

  @STDIO-004
  Rule: A bad line does not end the program

    @needs-url
    Scenario: Lines that are no JSON, no object, empty
      Given the client has opened the conversation
      When the client sends the lines
        | x        |
        | {        |
        | []       |
        |          |
        | null     |
        | "texto"  |
        | {"id":1} |
      Then the program still answers
      And every line of standard output is a protocol message

    @needs-url
    Scenario: A line of one megabyte
      Given the client has opened the conversation
      When the client sends a line of 1000000 characters
      Then the program still answers

    Scenario: A transaction with a description of one megabyte
      When Ana registers the Uber ride with 1000000 times "x" as description
      Then the program still answers
      And every line of standard output is a protocol message

  @STDIO-006 @needs-url @rev-2025-06-18 @rev-2025-11-25
  Rule: Nothing is said before the client asks, and the answer to initialize comes first

    Scenario: Handshake, then the list of tools
      When the client opens the conversation
      Then the first line of standard output is the answer to the first request
      And the program still answers

  @STDIO-007 @needs-url @rev-2026-07-28
  Rule: server/discover is answered, if only with an error, and a server of the older era then takes initialize

    Scenario: A client that speaks both eras
      When the client opens the conversation
      Then the first line of standard output is the answer to the first request
      And the program still answers

  @STDIO-010
  Rule: Answers belong to their requests, however many are under way

    Scenario: Twenty registrations without waiting
      When the client registers 20 transactions without waiting for an answer
      Then every answer belongs to its request
      And the book holds 20 transactions
