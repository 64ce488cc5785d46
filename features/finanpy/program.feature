@every-revision
Feature: The program lives and ends with its client, and opens nothing else

  The client starts the program as a child process and speaks to it through stdin and stdout. "Não há porta de rede
  envolvida." The program lives as long as the client does.
  Source: Finanpy MCP page, "Transporte STDIO", "Segurança e Privacidade" and "Observações Técnicas".

  @STDIO-F-001 @STDIO-008
  Rule: It is started by its command alone, speaks over stdio, listens on no port and wants no token

    Scenario: The start command, a conversation, and no port
      When the client opens the conversation
      Then the program still answers
      And the program listens on no port

  @STDIO-003 @STDIO-F-003
  Rule: When standard input is closed, the program ends, leaves no child behind and lets go of the database

    Scenario: The client goes away after a transaction
      Given Ana has registered
        | type    | amount | category   | description | date       |
        | despesa | 73.90  | transporte | Uber        | 2026-06-23 |
      When the client closes standard input
      Then the program has ended by itself
      And no process of it is left
      And the database is free

    Scenario: The client dies in the middle of a request
      Given Ana has registered
        | type    | amount | category   | description | date       |
        | despesa | 73.90  | transporte | Uber        | 2026-06-23 |
      When the client sends half a request
      And the client closes standard input
      Then the program has ended by itself
      And every line of standard output is a protocol message
      And no process of it is left
      And the database is free

    Scenario: The client goes away before it has said anything
      Given the program runs
      When the client closes standard input
      Then the program has ended by itself
      And no process of it is left

  @STDIO-F-034
  Rule: finance.db is made where it belongs, from whatever folder the program is started

    Scenario: A first start from another folder
      Given the program is started from another folder
      When Ana registers the Uber ride
      Then it is registered as despesa 73.90 on 2026-06-23
      And finance.db lies in the data folder and nowhere else

    Scenario: What was registered is there after a new start
      Given Ana has registered
        | type    | amount | category   | description | date       |
        | despesa | 73.90  | transporte | Uber        | 2026-06-23 |
      When the program is started again
      Then the book holds
        | type    | amount | category   | description | date       |
        | despesa | -73.90 | transporte | Uber        | 2026-06-23 |

    Scenario: A finance.db that the page's own scripts made opens as it is
      Given a finance.db from before holds
        | identifier | type    | amount | category      | description | date       |
        | 69fa0c39   | receita | 50.0   | sem categoria | Resgate RDB | 2026-05-05 |
        | 69fa0c7e   | despesa | -50.0  | sem categoria | Pix         | 2026-05-05 |
      When Ana registers the Uber ride
      Then it is registered as despesa 73.90 on 2026-06-23
      And the book holds
        | identifier | type    | amount | category      | description | date       |
        | 69fa0c39   | receita | 50.00  | sem categoria | Resgate RDB | 2026-05-05 |
        | 69fa0c7e   | despesa | -50.00 | sem categoria | Pix         | 2026-05-05 |
        | *          | despesa | -73.90 | transporte    | Uber        | 2026-06-23 |

  @STDIO-F-035
  Rule: What people write stays between them and their own file

    Scenario: A new finance.db belongs to its user alone
      When Ana registers the Uber ride
      Then it is registered as despesa 73.90 on 2026-06-23
      And finance.db is readable and writable by its owner only

    Scenario: No description turns up in the log
      When Ana registers the Uber ride with description "Pix para Joana Prado"
      And Ana registers the Uber ride with description "Pix para Joana Prado" and type "Receita"
      And Ana lists the transactions
      And the client closes standard input
      Then the program has ended by itself
      And standard error does not say "Joana Prado"
