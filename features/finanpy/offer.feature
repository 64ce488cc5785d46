Feature: Two tools and one resource are offered

  Source: Finanpy MCP page, "Ferramentas e Recursos MCP".

  @STDIO-F-002 @needs-url
  Rule: registrar_transacao, listar_transacoes and finance://resumo_financeiro_atual are offered, and nothing else

    Scenario: What the program offers
      When the client asks what the program offers
      Then the tools are "registrar_transacao" and "listar_transacoes"
      And the one resource is "finance://resumo_financeiro_atual", and it is no template

  @STDIO-F-004
  Rule: type, amount, category and description are required; date and identifier are not

    @needs-url
    Scenario: The schema says so
      When the client asks what the program offers
      Then "registrar_transacao" requires exactly "type", "amount", "category" and "description"
      And "registrar_transacao" also takes "date" and "identifier"

    @needs-control
    Scenario: A call with the four alone is accepted
      Given it is 2026-06-23 10:00 in São Paulo
      When Ana registers
        | type    | amount | category   | description |
        | despesa | 73.90  | transporte | Uber        |
      Then it is registered as despesa 73.90 on 2026-06-23

  @STDIO-F-019 @needs-url
  Rule: No filter of listar_transacoes is required

    Scenario: The schema of the list says so
      When the client asks what the program offers
      Then "listar_transacoes" requires nothing
      And "listar_transacoes" also takes "period", "category" and "type"
