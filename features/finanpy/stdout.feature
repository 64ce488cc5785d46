@every-revision
Feature: Standard output carries protocol messages and nothing else

  The client reads every line of the program's standard output as a message. A greeting, a print left behind or a traceback
  there breaks the connection for everybody.
  Source: MCP specification, "Transports", stdio.

  @STDIO-001
  Rule: From the first byte to the last, every line of standard output is one protocol message

    Scenario: Calls that succeed, calls that are refused, and the end
      When Ana registers the Uber ride with identifier "uber-001"
      And Ana registers the Uber ride with identifier "uber-001"
      And Ana registers the Uber ride with type "Receita"
      And Ana registers the Uber ride with amount "abc"
      And Ana registers the Uber ride without category
      And Ana lists the transactions with period "05-2026"
      And Ana lists the transactions
      And Ana reads the summary
      And the client closes standard input
      Then the program has ended by itself
      And every line of standard output is a protocol message

    @needs-url
    Scenario: Lines that are no messages
      When the client sends the lines
        | x                                           |
        | {"jsonrpc":"2.0","id":7,"method":"no/such"} |
        | {"jsonrpc":"1.0","id":8}                    |
      And the client closes standard input
      Then the program has ended by itself
      And every line of standard output is a protocol message

  @STDIO-005
  Rule: However much is logged, it goes to standard error

    Scenario: The program logs all it can
      Given the program logs all it can
      When Ana registers the Uber ride
      And Ana registers the Uber ride with amount 0
      And Ana lists the transactions
      And the client closes standard input
      Then the program has ended by itself
      And every line of standard output is a protocol message

  @STDIO-002
  Rule: A message is one line of UTF-8, whatever its data hold and whatever the machine's locale is

    Scenario: Line breaks, accents and emoji under LANG=C
      Given the program runs with LANG=C
      When Ana registers the Uber ride with category "Alimentação" and description "Padaria\nPão de Açúcar\r\n\u2028🍞"
      Then every text is in the book as Ana gave it
      And every line of standard output is a protocol message

  @STDIO-009 @rev-2026-07-28
  Rule: In the stateless revision the program asks nothing over standard output

    Scenario: A whole working day without one request from the program
      When Ana registers the Uber ride
      And Ana registers the Uber ride with date "31/02/2026"
      And Ana lists the transactions
      And Ana reads the summary
      And the client closes standard input
      Then the program has ended by itself
      And no line of standard output is a request
