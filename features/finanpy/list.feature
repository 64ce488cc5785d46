Feature: The list shows what was asked for, and nothing else

  Source: Finanpy MCP page, "Ferramenta 2 — listar_transacoes".

  Background:
    Given Ana has registered
      | type    | amount  | category         | description | date       | identifier |
      | despesa | 49.90   | alimentacao      | iFood       | 2026-05-12 | a          |
      | receita | 20.00   | alimentacao      | Reembolso   | 2026-05-31 | b          |
      | despesa | 312.40  | alimentacao fora | Mercado     | 2026-05-22 | c          |
      | despesa | 30.00   | Alimentacao      | Padaria     | 2026-06-01 | d          |
      | despesa | 12.00   | alimentacao      | Café        | 2025-05-12 | e          |

  @STDIO-F-019
  Rule: period, category and type each narrow the list, and together they narrow it further

    Scenario Outline: With <filters> there are <identifiers>
      When Ana lists the transactions with <filters>
      Then the list shows the identifiers <identifiers>

      Examples:
        | filters                                                       | identifiers         |
        | period "2026-05"                                              | "a", "b" and "c"    |
        | category "alimentacao"                                        | "a", "b" and "e"    |
        | type "despesa"                                                | "a", "c", "d" and "e" |
        | period "2026-05" and category "alimentacao"                   | "a" and "b"         |
        | category "alimentacao" and type "despesa"                     | "a" and "e"         |
        | period "2026-05", category "alimentacao" and type "despesa"   | "a"                 |

    Scenario: Without a filter there is everything
      When Ana lists the transactions
      Then the list shows the identifiers "a", "b", "c", "d" and "e"

  @STDIO-F-020
  Rule: A period that is not YYYY-MM is refused with INVALID_PERIOD

    Scenario: Other spellings, months that do not exist, wildcards
      When Ana lists the transactions with each
        | period       |
        | "05-2026"    |
        | "2026-5"     |
        | "2026-13"    |
        | "2026-00"    |
        | "2026"       |
        | "2026-05-01" |
        | "2026-0_"    |
        | "2026%"      |
        | "2026-05 "   |
        | ""           |
      Then each is refused with INVALID_PERIOD
      When Ana lists the transactions with period "2026-05"
      Then the list shows the identifiers "a", "b" and "c"

  @STDIO-F-021
  Rule: A type that does not exist is refused with BAD_TYPE and is no empty list

    Scenario: Other words and other spellings
      When Ana lists the transactions with each
        | type      |
        | "x"       |
        | "Despesa" |
        | ""        |
      Then each is refused with BAD_TYPE
      When Ana lists the transactions with type "receita"
      Then the list shows the identifiers "b"

  @STDIO-F-022
  Rule: A category is its exact name

    Scenario Outline: <category> is <identifiers>
      When Ana lists the transactions with category <category>
      Then the list shows the identifiers <identifiers>

      Examples:
        | category           | identifiers      |
        | "alimentacao"      | "a", "b" and "e" |
        | "Alimentacao"      | "d"              |
        | "alimentacao fora" | "c"              |

    Scenario: Wildcards, parts and other capitals match nothing
      When Ana lists the transactions with each
        | category       |
        | "%"            |
        | "_limentacao"  |
        | "alimentacao%" |
        | "alimenta"     |
        | "ALIMENTACAO"  |
        | " alimentacao" |
      Then each list is empty

  @STDIO-F-023
  Rule: No match is an empty list and no error

    Scenario: A month without transactions
      When Ana lists the transactions with period "2019-01"
      Then the list is empty
      When Ana lists the transactions with period "2025-05"
      Then the list shows the identifiers "e"

  @STDIO-F-024
  Rule: A row has id, identifier, type, amount, category, description and date

    Scenario: All rows
      When Ana lists the transactions
      Then every row has exactly the fields of the page

  @STDIO-F-025
  Rule: The text of the answer is the bare list; structured content is an object in the older revisions

    Scenario: A list with rows
      When Ana lists the transactions
      Then the text of the answer is a list
      And structured content, where there is any, says the same in the form of its revision

    Scenario: An empty list
      When Ana lists the transactions with period "2019-01"
      Then the text of the answer is a list
      And structured content, where there is any, says the same in the form of its revision
