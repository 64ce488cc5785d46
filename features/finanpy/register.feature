Feature: A transaction is registered as it was meant, or refused with a reason

  Amounts are given without a sign; the type says whether money came in or went out.
  Source: Finanpy MCP page, "Ferramenta 1 — registrar_transacao".

  @STDIO-F-005
  Rule: Success says sucesso, an id, the normalised values and the warnings

    Scenario: The page's Uber ride
      When Ana registers the Uber ride with identifier "manual-2026-06-23-uber-001"
      Then it is registered as despesa 73.90 on 2026-06-23

    Scenario: Income
      When Ana registers
        | type    | amount | category      | description | date       |
        | receita | 50     | sem categoria | Resgate RDB | 2026-05-05 |
      Then it is registered as receita 50.00 on 2026-05-05

  @STDIO-F-017
  Rule: Expenses are kept below zero and income above, from amounts without a sign

    Scenario: One of each
      When Ana registers
        | type    | amount | category      | description | date       |
        | despesa | 73.90  | transporte    | Uber        | 2026-06-23 |
        | receita | 50     | sem categoria | Resgate RDB | 2026-05-05 |
      Then the book holds
        | type    | amount | category      | description | date       |
        | despesa | -73.90 | transporte    | Uber        | 2026-06-23 |
        | receita | 50.00  | sem categoria | Resgate RDB | 2026-05-05 |

  @STDIO-F-011
  Rule: A call that lacks a required field is refused with MISSING_FIELD, which names the field

    Scenario: Each required field left out in turn
      When Ana registers the Uber ride without each of its required fields
      Then each is refused with MISSING_FIELD, naming the field
      And the book is empty
      When Ana registers the Uber ride
      Then it is registered as despesa 73.90 on 2026-06-23

  @STDIO-F-009
  Rule: Any type but receita and despesa is refused with BAD_TYPE

    Scenario: Other spellings, other words, nothing
      When Ana registers the Uber ride with each
        | type       |
        | "Receita"  |
        | "DESPESA"  |
        | "income"   |
        | " despesa" |
        | "despesa " |
        | ""         |
      Then each is refused with BAD_TYPE
      And the book is empty
      When Ana registers the Uber ride with type "receita"
      Then it is registered as receita 73.90 on 2026-06-23

  @STDIO-F-010
  Rule: An amount that is no number above zero is refused with INVALID_AMOUNT

    Scenario: Negative, zero, no number, and what would round to nothing
      When Ana registers the Uber ride with each
        | amount  |
        | -1      |
        | -0.01   |
        | 0       |
        | -0.0    |
        | 0.004   |
        | "abc"   |
        | null    |
        | true    |
        | [73.90] |
      Then each is refused with INVALID_AMOUNT
      And the book is empty
      When Ana registers the Uber ride with amount 0.01
      Then it is registered as despesa 0.01 on 2026-06-23

    Scenario Outline: The raw text <amount>, which is no JSON number at all
      When Ana registers the Uber ride with the raw text <amount> as amount
      Then the program still answers
      And the book is empty

      Examples:
        | amount    |
        | NaN       |
        | -Infinity |
        | 1e309     |

  @STDIO-F-032
  Rule: Any text is a category, and is kept as it is

    Scenario: Accents, emoji, quotes, wildcards and spaces
      When Ana registers the Uber ride with each
        | category          |
        | "alimentação"     |
        | "ALIMENTAÇÃO"     |
        | "🍕🍺"              |
        | "D'Ávila & filhos" |
        | "100%_certo"      |
        | "  espaços  "     |
        | "nunca vista"     |
      Then each is registered
      And every text is in the book as Ana gave it

    Scenario: A category of a thousand characters
      When Ana registers the Uber ride with 1000 times "ç" as category
      Then every text is in the book as Ana gave it

  @STDIO-F-033
  Rule: Text is data: quotes and SQL are kept and never carried out

    Scenario: Texts that would end a statement and drop the table
      Given Ana has registered
        | type    | amount | category | description | date       |
        | receita | 1      | teste    | primeira    | 2026-06-01 |
      When Ana registers the Uber ride with description "x'); DROP TABLE transactions;--" and category "' OR '1'='1"
      And Ana registers the Uber ride with identifier "1\"; DELETE FROM transactions; --"
      Then every text is in the book as Ana gave it
      And the book holds 3 transactions
      When Ana lists the transactions with category "' OR '1'='1"
      Then the list shows
        | category    | description                     |
        | ' OR '1'='1 | x'); DROP TABLE transactions;-- |

  @STDIO-F-036
  Rule: Every refusal is JSON with a code, and never a traceback

    Scenario: Each reason there is
      Given Ana has registered
        | type    | amount | category   | description | date       | identifier |
        | despesa | 73.90  | transporte | Uber        | 2026-06-23 | uber-001   |
      When Ana registers the Uber ride with identifier "uber-001"
      And Ana registers the Uber ride with date "23/06/2026"
      And Ana registers the Uber ride with type "income"
      And Ana registers the Uber ride with amount -1
      And Ana registers the Uber ride without description
      And Ana lists the transactions with period "05-2026"
      And Ana lists the transactions with type "x"
      Then the refusals are JSON with the codes
        | code           |
        | DUPLICATE      |
        | INVALID_DATE   |
        | BAD_TYPE       |
        | INVALID_AMOUNT |
        | MISSING_FIELD  |
        | INVALID_PERIOD |
        | BAD_TYPE       |

    Scenario: DB_BUSY is one of them
      Given Ana has registered
        | type    | amount | category   | description | date       |
        | despesa | 73.90  | transporte | Uber        | 2026-06-23 |
      And another program holds the database
      When Ana registers the Uber ride
      Then the refusals are JSON with the codes
        | code    |
        | DB_BUSY |
