Feature: The guide, the prompts and the descriptions teach an agent to record rightly, and are the same for everybody

  Source: Worthbase MCP page, "Which resource and prompts are there?" and "How do writes work: preview, commit, undo?".

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind |
      | Cash | cash |

  @GUIDE-001
  Rule: The guide says how statements, spreadsheets and conversation become rows, with worked examples and header aliases

    Scenario: What stands in it
      When Ada reads the guide
      Then it is text/markdown of more than 2000 letters
      And it has a section about each of
        | section      |
        | statement    |
        | spreadsheet  |
        | conversation |
      And it holds at least 2 worked examples with rows
      And it names these aliases
        | field        | alias         |
        | date         | Trade Date    |
        | date         | Settlement    |
        | date         | Data          |
        | units        | Qty           |
        | units        | Quantity      |
        | units        | Units         |
        | symbol       | Symbol        |
        | symbol       | Code          |
        | amount       | Consideration |
        | amount       | Valor         |
        | fees         | Brokerage     |
        | external_ref | Identificador |

  @GUIDE-006
  Rule: The guide teaches stable references and one batch per source document

    Scenario: The words for it
      When Ada reads the guide
      Then it says one of the words in each line
        | one of                                     |
        | external_ref                               |
        | sha-256, sha256, file hash       |
        | index of the row, row index                |
        | order id, transaction id                   |
        | one batch per source document, one batch per document |

  @contract @GUIDE-004
  Rule: Every worked example is accepted by record as it is printed

    Scenario: Each example against the schema and the server
      When Ada reads the guide
      Then Ada can preview every worked example as it is printed

  @contract @GUIDE-007
  Rule: The types of row in the guide are those of the schema

    Scenario: The table of types
      When Ada reads the guide
      Then its types of row are those that record takes from Ada

  @GUIDE-002
  Rule: import_document leads through mapping, preview and commit on confirmation, with and without a description

    Scenario: Without a description
      When Ada asks for the prompt import_document
      Then it says these words in this order
        | word                        |
        | map                         |
        | record                      |
        | preview                     |
        | ask, confirm                |
        | commit                      |
      And it says one of the words in each line
        | one of                                                   |
        | ask whether, has confirmed, confirms, confirmation       |

    Scenario: With a description
      When Ada asks for the prompt import_document about "June of the {{broker}} & <Sons>"
      Then it says "June of the {{broker}} & <Sons>" 1 time
      And it says these words in this order
        | word         |
        | record       |
        | ask, confirm |
        | commit       |
      And it says one of the words in each line
        | one of                                             |
        | ask whether, has confirmed, confirms, confirmation |

  @GUIDE-003
  Rule: monthly_update leads through stale values and records new ones

    Scenario: Without any argument
      When Ada asks for the prompt monthly_update
      Then it says these words in this order
        | word         |
        | stale        |
        | record       |
        | ask, confirm |
        | commit       |
      And it says one of the words in each line
        | one of                     |
        | get_overview, list_items   |

  @GUIDE-005
  Rule: Guide, prompts, instructions and descriptions name only what exists

    Scenario: Every name in backticks
      Then every name in backticks that Ada is offered is a tool or a field

  @GUIDE-008
  Rule: Guide and prompts are the same for everybody and hold nothing of anybody

    Scenario: Before and after a book is filled, and for somebody who has none
      Given Ada has read everything the server offers
      And Ada has recorded
        | date       | entry   | item | amount | note            |
        | 2024-01-02 | deposit | Cash | 7919   | A note of Ada's |
      Then everything the server offers Ada reads as before, letter for letter
      And everything the server offers Ben reads as before, letter for letter

  @SAFE-008
  Rule: An agent is told to have the user's word before it commits, undoes, archives or voids

    Scenario: In the descriptions or the instructions
      Then Ada is told to have the user's word before each of
        | tool         |
        | commit       |
        | undo         |
        | archive_item |
        | void         |
