Feature: The page's own conversation, from the question to the answer

  "Quanto gastei em alimentação em maio de 2026? E registra aí um Uber de R$ 73,90 que peguei hoje." The agent looks at the
  summary first, sees that the current month is June, asks for May, and then registers the ride.
  Source: Finanpy MCP page, "Cenário de Uso Ponta a Ponta".

  @STDIO-F-001 @STDIO-F-005 @STDIO-F-017 @STDIO-F-019 @STDIO-F-026 @needs-control
  Scenario: What food cost in May, and an Uber today
    Given it is 2026-06-23 18:40 in São Paulo
    And Ana speaks through a real client
    And Ana has registered
      | type    | amount  | category      | description   | date       | identifier                |
      | despesa | 49.90   | alimentacao   | iFood - Pizza | 2026-05-12 | nubank-2026-05-12-ifood   |
      | despesa | 312.40  | alimentacao   | Mercado Extra | 2026-05-22 | nubank-2026-05-22-mercado |
      | despesa | 95.00   | moradia       | Condomínio    | 2026-05-10 |                           |
      | receita | 20.00   | alimentacao   | Reembolso     | 2026-05-23 |                           |
      | receita | 1835.29 | sem categoria | Salário       | 2026-06-05 |                           |
      | despesa | 462.75  | sem categoria | Cartão        | 2026-06-10 |                           |
    When Ana reads the summary
    Then the summary of 2026-06 shows income 1835.29, expense 462.75 and balance 1372.54
      | category      | expense |
      | sem categoria | 462.75  |
    When Ana lists the transactions with period "2026-05", category "alimentacao" and type "despesa"
    Then the list shows
      | identifier                | type    | amount  | category    | description   | date       |
      | nubank-2026-05-12-ifood   | despesa | -49.90  | alimentacao | iFood - Pizza | 2026-05-12 |
      | nubank-2026-05-22-mercado | despesa | -312.40 | alimentacao | Mercado Extra | 2026-05-22 |
    And the listed amounts add up to -362.30
    When Ana registers the Uber ride with identifier "manual-2026-06-23-uber-001"
    Then it is registered as despesa 73.90 on 2026-06-23
    When Ana reads the summary
    Then the summary of 2026-06 shows income 1835.29, expense 536.65 and balance 1298.64
      | category      | expense |
      | sem categoria | 462.75  |
      | transporte    | 73.90   |
