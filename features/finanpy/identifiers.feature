Feature: One identifier is one transaction

  "O campo identifier garante que a mesma transação não seja inserida duas vezes."
  Source: Finanpy MCP page, "Ferramenta 1 — registrar_transacao" and "Observações Técnicas", Idempotência.

  @STDIO-F-012
  Rule: A known identifier is answered with DUPLICATE and the id it belongs to, and nothing is stored

    Scenario: The same identifier with other values
      Given Ana has registered
        | type    | amount | category   | description | date       | identifier |
        | receita | 10     | teste      | antes       | 2026-06-01 | other      |
        | despesa | 73.90  | transporte | Uber        | 2026-06-23 | uber-001   |
      When Ana registers
        | type    | amount | category | description | date       | identifier |
        | receita | 1.00   | outra    | Outra       | 2026-06-22 | uber-001   |
      Then Ana is refused as a duplicate of "uber-001"
      And the book holds
        | type    | amount | category   | description | date       | identifier |
        | receita | 10.00  | teste      | antes       | 2026-06-01 | other      |
        | despesa | -73.90 | transporte | Uber        | 2026-06-23 | uber-001   |
      When Ana registers the Uber ride with identifier "uber-002"
      Then it is registered as despesa 73.90 on 2026-06-23

  @STDIO-F-013
  Rule: Two calls at once with one identifier store one transaction

    Scenario: Two programs on one database, again and again
      When two programs register one identifier at the same moment, 10 times over
      Then of each two calls one is registered and the other is a duplicate of it
      And the book holds 10 transactions

    Scenario: Two programs that register different things lose nothing
      When two programs register 15 transactions each at the same time
      Then each is registered
      And the book holds 30 transactions

  @STDIO-F-014
  Rule: Without an identifier every call is a transaction of its own

    Scenario: The same twice
      When Ana registers the Uber ride
      And Ana registers the Uber ride
      Then each is registered
      And the book holds
        | type    | amount | category   | description | date       |
        | despesa | -73.90 | transporte | Uber        | 2026-06-23 |
        | despesa | -73.90 | transporte | Uber        | 2026-06-23 |
