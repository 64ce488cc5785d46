Feature: What stands before a message
  The server is its own host at its root, takes a bearer header and nothing else, and says in JSON why it refuses.

  Rule: Every 401 has the page's challenge and code

    @AUTH-CHALLENGE-017 @AUTH-CHALLENGE-018 @HTTP-017
    Scenario: A stranger is challenged
      Given Rita may "*" in "Matriz"
      When a stranger asks for the list of tools
      Then the answer is 401 UNAUTHORIZED
      And it carries the challenge of the page
      When she asks tools/list
      Then it is served

    @AUTH-CHALLENGE-018 @TOKEN-CLAIM-009 @HTTP-017 @AUD-011
    Scenario Outline: A token whose claim <claim> is <json> is refused
      Given Rita may "*" in "Matriz"
      And the claim <claim> of her token is "<json>"
      When she asks tools/list
      Then the answer is 401 UNAUTHORIZED
      And it carries the challenge of the page

      Examples:
        | claim | json                                |
        | exp   | {now-3600}                          |
        | aud   | 'https://api.finance.example'       |
        | org   | absent                              |
        | exp   | 'soon'                              |
        | org   | 7                                   |
        | org   | ''                                  |
        | org   | ['x']                               |

    @AUTH-BEARER-008 @AUTH-CHALLENGE-018
    Scenario Outline: A token in the address is refused beside a good header: <query>
      Given Rita may "*" in "Matriz"
      When she asks with "<query>" in the address
      Then the answer is 401 UNAUTHORIZED
      And it carries the challenge of the page

      Examples:
        | query            |
        | access_token=x   |
        | token=x          |
        | ACCESS_TOKEN=x   |
        | access%5Ftoken=x |

    @AUTH-BEARER-007
    Scenario Outline: A cookie called <name> is no token
      Given Rita may "*" in "Matriz"
      When a cookie called <name> holds her token and nothing else does
      Then the answer is 401 UNAUTHORIZED

      Examples:
        | name         |
        | access_token |
        | token        |
        | session      |

  Rule: Organisation, origin, host, path and version are checked before the message

    @TOKEN-CLAIM-008 @HTTP-017
    Scenario: An organisation that is no customer is refused
      Given Rita may "*" in "Matriz"
      And the claim org of her token is "'00000000-0000-4000-8000-000000000001'"
      When she asks tools/list
      Then the answer is 403 UNKNOWN_ORGANIZATION

    @HTTP-012 @HTTP-017
    Scenario: A page of elsewhere may not call
      Given Rita may "*" in "Matriz"
      When she asks with the header Origin "https://evil.example"
      Then the answer is 403 FORBIDDEN
      And the refusal says "origin_not_allowed"

    @HTTP-014 @ASM-007 @HTTP-034 @HTTP-017
    Scenario Outline: There is nothing at <path> for <method>
      When somebody sends <method> to "<path>"
      Then the answer is the one for unknown paths

      Examples:
        | path                                    | method  |
        | /mcp                                    | GET     |
        | /mcp                                    | POST    |
        | /x                                      | PUT     |
        | /x                                      | PATCH   |
        | /x                                      | DELETE  |
        | /x                                      | OPTIONS |
        | /favicon.ico                            | GET     |
        | /x                                      | HEAD    |
        | /.well-known/openid-configuration       | GET     |
        | /.well-known/oauth-authorization-server | GET     |

    @PRM-022 @HTTP-034
    Scenario: The metadata is public and names no scopes
      When somebody sends GET to "/.well-known/oauth-protected-resource"
      Then the metadata is that of the page

    @VERS-016 @every-revision
    Scenario: A version that is not served is named, with those that are
      Given Rita may "*" in "Matriz"
      When she asks with the header MCP-Protocol-Version "1900-01-01"
      Then the answer says that the version is unsupported and which are supported

    @HTTP-033
    Scenario: The parameter of the address changes neither challenge nor audience
      Given Rita may "*" in "Matriz"
      And her connection's address names "Matriz"
      When a stranger asks for the list of tools
      Then the answer is 401 UNAUTHORIZED
      And it carries the challenge of the page
      When she asks tools/list
      Then it is served

    @HTTP-033
    Scenario: An audience with the parameter of the address is another audience
      Given Rita may "*" in "Matriz"
      And the claim aud of her token is "'{audience}/?workspace_id=A'"
      When she asks tools/list
      Then the answer is 401 UNAUTHORIZED

  Rule: Who is refused for a while is told for how long

    @HTTP-015 @HTTP-017 @isolated
    Scenario: Beyond the limit the answer is 429, and whoever waits is served
      Given Rita may "*" in "Matriz"
      When she asks until the limit is reached
      Then the answer is 429 RATE_LIMITED
      When she waits as long as the answer says and asks again
      Then it is served

    @JWKS-008 @HTTP-017 @isolated @fresh
    Scenario: While the authorization server is silent the answer is 503, and whoever waits is served
      Given Rita may "*" in "Matriz"
      When the authorization server is down
      And she asks tools/list
      Then the answer is 503 SERVICE_UNAVAILABLE
      When the authorization server is up
      And she waits as long as the answer says and asks again
      Then it is served
