Feature: Amounts are rounded half up to the cent, on the decimal that was written

  A number on the wire means the shortest decimal that reads back as it. 1.005 is a little less than that in binary, and
  still becomes 1.01.
  Source: Finanpy MCP page, "Banco de Dados", Arredondamento.

  @STDIO-F-018
  Rule: Half a cent is rounded up, in the answer and in the book alike

    Scenario: Amounts at half a cent, just below and just above
      When Ana registers
        | type    | amount   | category | description | date       |
        | despesa | 0.125    | teste    | a           | 2026-06-01 |
        | despesa | 2.675    | teste    | b           | 2026-06-01 |
        | despesa | 1.005    | teste    | c           | 2026-06-01 |
        | receita | 0.135    | teste    | d           | 2026-06-01 |
        | receita | 1.115    | teste    | e           | 2026-06-01 |
        | receita | 1.1149   | teste    | f           | 2026-06-01 |
        | receita | 0.005    | teste    | g           | 2026-06-01 |
        | receita | 10000.125 | teste   | h           | 2026-06-01 |
        | receita | 73.9     | teste    | i           | 2026-06-01 |
      Then they are registered with the amounts 0.13, 2.68, 1.01, 0.14, 1.12, 1.11, 0.01, 10000.13 and 73.90
      And the book holds
        | description | amount   |
        | a           | -0.13    |
        | b           | -2.68    |
        | c           | -1.01    |
        | d           | 0.14     |
        | e           | 1.12     |
        | f           | 1.11     |
        | g           | 0.01     |
        | h           | 10000.13 |
        | i           | 73.90    |
