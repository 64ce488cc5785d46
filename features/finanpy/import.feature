@needs-import
Feature: A Nubank statement goes into the book once

  "Valor negativo → despesa, valor positivo → receita." Imported transactions arrive as "sem categoria"; those whose
  identifier is known are left out.
  Source: Finanpy MCP page, "Importação de Extrato do Nubank".

  @STDIO-F-029
  Rule: Data, Valor, Identificador and Descrição become date, amount, identifier and description; the sign gives the type

    Scenario Outline: <what>
      When Ana imports "<file>"
      Then the book holds
        | identifier | type    | amount  | category      | description                        | date       |
        | 69fa0c7e   | despesa | -50.00  | sem categoria | Transferência Pix                  | 2026-05-05 |
        | 69fbee60   | receita | 188.03  | sem categoria | Resgate RDB                        | 2026-05-06 |
        | 69fc1a02   | despesa | -1.01   | sem categoria | Pão de Açúcar, "filial" São Paulo  | 2026-05-12 |
        | 69fc1a03   | despesa | -312.40 | sem categoria | Mercado⏎Extra                      | 2026-05-31 |

      Examples:
        | what                                   | file             |
        | UTF-8, as the bank's own export        | nubank-utf8.csv  |
        | With a byte order mark and CRLF        | nubank-bom.csv   |
        | Windows-1252, as a spreadsheet saves it | nubank-1252.csv |

    Scenario: It is read like everything else
      Given Ana has imported "nubank-utf8.csv"
      When Ana lists the transactions with period "2026-05" and type "receita"
      Then the list shows the identifiers "69fbee60"

  @STDIO-F-030
  Rule: A known identifier is left out; the same file again changes nothing

    Scenario: The same file twice
      Given Ana has imported "nubank-utf8.csv"
      When Ana imports "nubank-utf8.csv"
      Then the book holds 4 transactions

    Scenario: What was registered by hand is not overwritten
      Given Ana has registered
        | type    | amount | category   | description | date       | identifier |
        | despesa | 50.00  | transporte | Uber        | 2026-05-04 | 69fa0c7e   |
      When Ana imports "nubank-utf8.csv"
      Then the book holds
        | identifier | type    | amount  | category      | description                       | date       |
        | 69fa0c7e   | despesa | -50.00  | transporte    | Uber                              | 2026-05-04 |
        | 69fbee60   | receita | 188.03  | sem categoria | Resgate RDB                       | 2026-05-06 |
        | 69fc1a02   | despesa | -1.01   | sem categoria | Pão de Açúcar, "filial" São Paulo | 2026-05-12 |
        | 69fc1a03   | despesa | -312.40 | sem categoria | Mercado⏎Extra                     | 2026-05-31 |

  @STDIO-F-031
  Rule: Broken rows are told and left out, and the others are stored; or nothing is

    Scenario: Bad dates, bad values, zero, missing columns between good rows
      When Ana imports "nubank-broken.csv"
      Then the import tells of every broken row
        | line | identifier |
        | 3    | bad-date   |
        | 4    | bad-day    |
        | 5    | bad-value  |
        | 6    | zero       |
        | 7    |            |
      And the book holds the good rows, or none
        | identifier | type    | amount | description | date       |
        | good-1     | despesa | -50.00 | Primeira    | 2026-05-05 |
        | good-2     | receita | 10.00  | Última      | 2026-05-06 |

  @STDIO-F-030 @heavy
  Rule: A long statement is imported in seconds, and again in seconds without a change

    Scenario: A hundred thousand rows, twice
      When Ana imports a statement of 100000 rows twice, each within 60 seconds
      Then the months of the statement hold 100000 transactions
