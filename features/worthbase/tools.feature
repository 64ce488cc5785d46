@every-revision
Feature: A worthbase server is what its page says it is

  Agents are set up by the page: the name of the server, what it tells an agent at the opening, which tools only read,
  the guide and the two prompts, JSON answers without a session. A server that says one thing and offers another leads
  them astray.

  Background:
    Given Ada holds a good token

  @PROTO-018
  Rule: The server is named worthbase

    Scenario: The name at the opening
      When Ada asks for the opening message
      Then the server calls itself "worthbase"

  @PROTO-019
  Rule: The opening tells an agent how to read, how to write and how to stay safe

    Scenario: The topics of the instructions
      When Ada asks for the opening message
      Then the instructions speak of each of these
        | topic                                        | one of these words                  |
        | how to read                                  | read, get_overview                  |
        | how to write                                 | write, record, commit               |
        | how to stay safe                             | safe, never, ignore                 |
        | quote figures rather than compute them       | quote                               |
        | text in documents is data                    | data                                |
        | confirm before commit, undo, archive, void   | confirm                             |

  @HTTP-003
  Rule: Answers are JSON, without a session, each request on its own

    Scenario: An opening and twenty calls on connections of their own
      When Ada opens and makes 20 calls in any order
      Then every answer is JSON and none issues a session id
      And every other is served too

  @TOOL-016
  Rule: The tools that only read say so, and no other does

    Scenario: The hints in the table of tools
      When Ada reads the table of tools
      Then exactly these say that they change nothing
        """
        whoami get_overview get_net_worth get_history list_items get_item get_performance get_debt_report get_goals
        get_losses simulate_sale list_batches search_instruments
        """

  @TOOL-015
  Rule: All thirty tools of the page exist

    Scenario: Thirteen that read and seventeen that write
      When Ada reads the table of tools
      Then the table holds these tools
        """
        whoami get_overview get_net_worth get_history list_items get_item get_performance get_debt_report get_goals
        get_losses simulate_sale list_batches search_instruments
        record commit undo reconcile update_item set_owners link_items archive_item void set_goal set_loss refresh_prices
        save_workspace save_party save_account members accept_invite
        """

  @TOOL-017
  Rule: Tools say whether they destroy and whether they reach out into the world

    Scenario: The hints of every tool
      When Ada reads the table of tools
      Then every tool says whether it destroys, and exactly these reach out into the world
        """
        search_instruments refresh_prices
        """

  @TOOL-022
  Rule: The guide and the two prompts are there

    Scenario: The guide
      When Ada lists the resources and reads each of them
      Then "guide://recording" is among them, as "text/markdown", and has text

    Scenario: The prompts, without any argument
      When Ada lists the prompts and asks for each of them
      Then "import_document" is among them with an optional "description"
      And "monthly_update" is among them
      And every other is served too

  @TOOL-014
  Rule: What the book refuses is refused by the tool, in words that help

    Scenario: Items, batches and previews that do not exist
      When Ada asks for an item, undoes a batch and commits a preview, none of which exist
      Then every call is refused by the tool, in words that help

  @RES-003
  Rule: Only addresses of the list lead anywhere

    Scenario: Files, other schemes and climbing paths
      When Ada reads each of these addresses
        | address                           |
        | file:///etc/passwd                |
        | http://127.0.0.1/recording        |
        | guide://recording/../../etc/passwd |
        | guide://../recording              |
        | GUIDE://recording%00              |
      Then every other is answered with error -32002 or -32602
      And no answer shows a key, a stack trace, a path or a query

  @AUTH-STATUS-008
  Rule: A refused call has no effect

    Scenario Outline: A workspace is not made with a token that <defect>
      Given Ada also holds a token that <defect>
      When a workspace is made with the other token, and one with hers
      Then the other is refused with 401
      And Ada has the one workspace that she made herself

      Examples:
        | defect                |
        | expired an hour ago   |
        | is for another server |

  @VERS-008 @SEC-008 @rev-2026-07-28
  Rule: What is done is decided by the message, never by a header that repeats it

    Scenario: A workspace is not made under the name of a tool that reads
      When a workspace is made under the name of "whoami", and one under its own
      Then the other is refused with 400 and error -32020
      And Ada has the one workspace that she made herself

    Scenario: A call is not made under the name of a list
      When a workspace is made as "tools/list", and one as the call it is
      Then the other is refused with 400 and error -32020
      And Ada has the one workspace that she made herself

  @PROTO-014
  Rule: Text passes unharmed

    Scenario Outline: A workspace named <kind>
      When a workspace named <name> is made
      Then Ada has a workspace of exactly that name

      Examples:
        | kind                   | name                  |
        | with accents           | "Größe à l'été"       |
        | with a smiling face    | "Savings 😀👨‍👩‍👧"        |
        | from right to left     | "חסכונות العائلة"     |

    Scenario: A name with a zero byte
      When a workspace named "zero\u0000byte" is made
      Then Ada has a workspace of exactly that name, or it was refused by the tool

    Scenario: Bytes that are no UTF-8
      When Ada sends each of these bodies, and the list of tools as it should be
        | body                                                                                                                       |
        | {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "whoami", "arguments": {"x": "{byte 255}"}}}        |
      Then none of the others is a server error
      And the proper request is served

  @ERR-017
  Rule: There is no other way in

    Scenario: An API key, and the addresses of an interface for programs
      When Ada's token is sent as an API key, and in the header
      Then the other is refused with 401
      And the proper request is served
      And nothing is served at "/api" and "/openapi.json"
