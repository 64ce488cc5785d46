@needs-control
Feature: The summary is this month's, fresh, and only looks

  Source: Finanpy MCP page, "Recurso MCP — resumo_financeiro_atual".

  @STDIO-F-026
  Rule: It adds up the current month of São Paulo, and no other

    Scenario: Two months, and several categories in this one
      Given it is 2026-06-23 10:00 in São Paulo
      And Ana has registered
        | type    | amount  | category    | description | date       |
        | receita | 1000.10 | trabalho    | Salário     | 2026-05-31 |
        | despesa | 500.00  | moradia     | Aluguel     | 2026-05-31 |
        | receita | 9947.94 | trabalho    | Salário     | 2026-06-01 |
        | despesa | 0.10    | alimentacao | Bala        | 2026-06-02 |
        | despesa | 0.20    | alimentacao | Chiclete    | 2026-06-03 |
        | despesa | 73.90   | transporte  | Uber        | 2026-06-23 |
      When Ana reads the summary
      Then the summary of 2026-06 shows income 9947.94, expense 74.20 and balance 9873.74
        | category    | expense |
        | alimentacao | 0.30    |
        | transporte  | 73.90   |

    Scenario: The last evening of June, when July has begun in UTC
      Given it is 2026-06-30 22:00 in São Paulo
      And the program runs with TZ=UTC
      And Ana has registered
        | type    | amount | category   | description | date       |
        | despesa | 73.90  | transporte | Uber        | 2026-06-30 |
      When Ana reads the summary
      Then the summary of 2026-06 shows income 0, expense 73.90 and balance -73.90
        | category   | expense |
        | transporte | 73.90   |

  @STDIO-F-027
  Rule: It only reads, also when there is nothing to read

    Scenario: A month without transactions
      Given it is 2026-07-01 00:05 in São Paulo
      And Ana has registered
        | type    | amount | category   | description | date       |
        | despesa | 73.90  | transporte | Uber        | 2026-06-30 |
      And the database file has been looked at
      When Ana reads the summary
      Then the summary of 2026-07 shows income 0, expense 0 and balance 0
        | category | expense |
      And the database file is unchanged

  @STDIO-F-028
  Rule: Each reading is fresh

    Scenario: Read, register, read
      Given it is 2026-06-23 10:00 in São Paulo
      When Ana reads the summary
      And Ana registers the Uber ride
      And Ana reads the summary
      Then the summary of 2026-06 shows income 0, expense 73.90 and balance -73.90
        | category   | expense |
        | transporte | 73.90   |
