@needs-control
Feature: A date is a day that has begun in São Paulo

  "Todas as datas são armazenadas em horário local (America/Sao_Paulo)." The machine's own time zone does not count.
  Source: Finanpy MCP page, "Banco de Dados" and "Ferramenta 1 — registrar_transacao".

  @STDIO-F-006
  Rule: Without a date, today in São Paulo is meant

    Scenario: In the evening, when it is tomorrow in UTC already
      Given it is 2026-06-23 22:30 in São Paulo
      And the program runs with TZ=UTC
      When Ana registers the Uber ride without date
      Then it is registered as despesa 73.90 on 2026-06-23

    Scenario: On a machine that is half a day ahead
      Given it is 2026-06-23 12:30 in São Paulo
      And the program runs with TZ=Pacific/Auckland
      When Ana registers the Uber ride without date
      Then it is registered as despesa 73.90 on 2026-06-23

    Scenario: Just after midnight
      Given it is 2026-07-01 00:05 in São Paulo
      And the program runs with TZ=America/Los_Angeles
      When Ana registers the Uber ride without date
      Then it is registered as despesa 73.90 on 2026-07-01

  @STDIO-F-007
  Rule: A date that is not YYYY-MM-DD, or no day of the calendar, is refused with INVALID_DATE

    Scenario: Other spellings and impossible days
      Given it is 2026-06-23 10:00 in São Paulo
      When Ana registers the Uber ride with each
        | date                  |
        | "23/06/2026"          |
        | "2026-6-3"            |
        | "20260603"            |
        | "2026-02-30"          |
        | "2026-02-31"          |
        | "2025-02-29"          |
        | "2026-04-31"          |
        | "2026-13-01"          |
        | "2026-00-10"          |
        | "2026-06-00"          |
        | "2026-06-23T10:00:00" |
        | " 2026-06-23"         |
        | "2026-06-23 "         |
        | "２０２６-０６-２３"          |
        | ""                    |
        | "hoje"                |
      Then each is refused with INVALID_DATE
      And the book is empty

    Scenario: The last day of February in a leap year is accepted
      Given it is 2026-06-23 10:00 in São Paulo
      When Ana registers the Uber ride with date "2024-02-29"
      Then it is registered as despesa 73.90 on 2024-02-29

  @STDIO-F-008
  Rule: A day that has not begun in São Paulo is refused with INVALID_DATE; today is accepted

    Scenario: At 23:30, when tomorrow has begun in UTC
      Given it is 2026-06-23 23:30 in São Paulo
      And the program runs with TZ=UTC
      When Ana registers the Uber ride with date "2026-06-24"
      Then Ana is refused with INVALID_DATE
      And the book is empty
      When Ana registers the Uber ride with date "2026-06-23"
      Then it is registered as despesa 73.90 on 2026-06-23

    Scenario: At 00:30, when today is yesterday further west
      Given it is 2026-06-24 00:30 in São Paulo
      And the program runs with TZ=America/Los_Angeles
      When Ana registers the Uber ride with date "2026-06-25"
      Then Ana is refused with INVALID_DATE
      And the book is empty
      When Ana registers the Uber ride with date "2026-06-24"
      Then it is registered as despesa 73.90 on 2026-06-24
