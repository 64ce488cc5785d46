Feature: A locked database is told, and tried again with growing waits

  "SQLite travado por operação concorrente: retry com backoff exponencial: 200ms, 400ms, 800ms (máx. 3x)."
  Source: Finanpy MCP page, "Ferramenta 1", "Ferramenta 2" (Erros) and "Observações Técnicas", Concorrência.

  Background:
    Given Ana has registered
      | type    | amount | category   | description | date       |
      | despesa | 49.90  | transporte | Táxi        | 2026-06-22 |

  @STDIO-F-015
  Rule: While another program holds the database both tools answer DB_BUSY, in bounded time

    Scenario: Locked, then free
      Given another program holds the database
      When Ana registers the Uber ride
      Then Ana is refused with DB_BUSY
      When Ana lists the transactions
      Then Ana is refused with DB_BUSY
      When the other program lets go of the database
      Then the book holds
        | type    | amount | category   | description | date       |
        | despesa | -49.90 | transporte | Táxi        | 2026-06-22 |
      When Ana registers the Uber ride
      Then it is registered as despesa 73.90 on 2026-06-23

  @STDIO-F-016
  Rule: A client told DB_BUSY waits 200, 400 and 800 ms, and asks four times in all

    Scenario: The lock stays
      Given another program holds the database
      When a patient client registers the Uber ride
      Then the client has waited 200, 400 and 800 ms
      And Ana is refused with DB_BUSY

    Scenario: The lock goes during the second wait
      Given another program holds the database until the client has waited twice
      When a patient client registers the Uber ride
      Then the client has waited 200 and 400 ms
      And it is registered as despesa 73.90 on 2026-06-23
      And the book holds 2 transactions

    Scenario: Any other refusal is final
      When a patient client registers the Uber ride with amount 0
      Then the client has not waited
      And Ana is refused with INVALID_AMOUNT
