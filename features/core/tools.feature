@needs-token
Feature: What a server offers to an agent is described so that the agent can rely on it

  An agent sees a table of tools with schemas and hints, and acts on nothing else. So the schemas must be valid, a result
  must keep the schema of its tool, a wrong argument must be refused whatever the client checked, and the table must not
  change its order from one request to the next. MCP server features: tools, resources, prompts.

  Background:
    Given Ada holds a good token

  @TOOL-001
  Rule: Who offers tools says so

    Scenario: The capabilities and the lists
      When Ada asks what the server offers, and for each list
      Then what it declares answers, and what it does not declare offers nothing

  @TOOL-002
  Rule: Every tool has a name of its own and describes its input by a valid schema

    Scenario: The table of tools
      When Ada reads the table of tools
      Then every tool has a name of its own and a valid schema of an object for its input

  @TOOL-013 @rev-2026-07-28
  Rule: A schema needs nothing from the network

    Scenario: References in the schemas
      When Ada reads the table of tools
      Then every schema for a result is valid too, and none needs a document from the network

  @TOOL-003 @rev-2025-11-25 @rev-2026-07-28
  Rule: Every client can carry the names of the tools

    Scenario: The names in the table
      When Ada reads the table of tools
      Then every name has 1 to 128 letters, digits, underscores, hyphens and dots

  @TOOL-008 @rev-2026-07-28
  Rule: The order of the tools is stable

    Scenario: The table read ten times
      When Ada reads the table of tools ten times
      Then the tools come in the same order each time

  @TOOL-012
  Rule: A list goes on where its cursor says, and a cursor that is none is a wrong parameter

    Scenario: A cursor that nobody gave out
      When Ada asks for the list of tools at the cursor "proofmark garbage", and from its beginning
      Then the other is answered with error -32602
      And the proper request is served

    Scenario: The pages of the list
      When Ada reads the table of tools
      Then every tool has a name of its own and a valid schema of an object for its input

  @TOOL-004
  Rule: A structured result keeps the schema of its tool

    Scenario: Every tool that changes nothing and needs no arguments
      When Ada calls every tool that changes nothing and needs no arguments
      Then every structured result keeps the schema that its tool declares

  @TOOL-005
  Rule: A structured result stands in the text as well

    Scenario: Every tool that changes nothing and needs no arguments, read for their blocks
      When Ada calls every tool that changes nothing and needs no arguments
      Then every structured result stands in its text as well

  @TOOL-006 @rev-2025-06-18 @rev-2025-11-25
  Rule: Before the stateless revision a structured result is an object

    Scenario: Every tool that changes nothing and needs no arguments
      When Ada calls every tool that changes nothing and needs no arguments
      Then every structured result is an object

  @TOOL-011
  Rule: A result is a list of typed blocks

    Scenario: Every tool that changes nothing and needs no arguments
      When Ada calls every tool that changes nothing and needs no arguments
      Then every result is a list of typed blocks

  @TOOL-007 @writes
  Rule: The server checks every argument itself

    Scenario: Arguments that break the schema in one way
      When Ada breaks the input of every tool in one way at a time
      Then every call is refused

  @PROTO-008 @writes @rev-2025-11-25 @rev-2026-07-28
  Rule: A wrong argument is refused by the tool, in words that help

    Scenario: Arguments that break the schema in one way
      When Ada breaks the input of every tool in one way at a time
      Then every call is refused by the tool, in words that help

  @RES-001 @rev-2026-07-28
  Rule: A resource that does not exist is a wrong parameter

    Scenario: An address that nobody serves
      When Ada reads each of these addresses
        | address                |
        | proofmark://no/such    |
      Then the other is answered with error -32602

  @RES-002 @rev-2025-06-18 @rev-2025-11-25
  Rule: A resource that does not exist has its own error in the older revisions

    Scenario: An address that nobody serves
      When Ada reads each of these addresses
        | address                |
        | proofmark://no/such    |
      Then the other is answered with error -32002 or -32602

  @RES-004
  Rule: What is listed can be read

    Scenario: Every resource of the list
      When Ada lists the resources and reads each of them
      Then each of them can be read, and each part has its address and text or bytes

  @PROMPT-001
  Rule: An unknown prompt and a missing argument are wrong parameters

    Scenario: A prompt that nobody has, and prompts without what they require
      When Ada asks for a prompt that does not exist, and for each prompt without an argument that it requires
      Then every other is answered with error -32602

  @PROMPT-002
  Rule: The arguments of a prompt are text and nothing else

    Scenario: Text that a template engine would evaluate
      When Ada gives every prompt arguments that a template engine would evaluate
      Then none of them is evaluated

  @SEC-009
  Rule: Lists are under the same check of the token as calls

    @needs-mock-as
    Scenario Outline: <list> with bad tokens of every class
      Given Ada also holds a token that expired an hour ago
      And Ada also holds a token that is for another server
      And Ada also holds a token that was issued by a stranger
      And Ada also holds a token that has one bit of its signature changed
      And Ada also holds a token that says it is not signed
      And Ada also holds a token that is one segment
      When Ada presents each of them for <list>
      Then every other is refused with 401
      And the good token is accepted

      Examples:
        | list                  |
        | the list of tools     |
        | the list of resources |
        | the list of prompts   |
