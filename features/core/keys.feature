@isolated
Feature: Keys are fetched seldom, kept for a while, and never taken from anywhere else

  The keys of the authorization server change without notice, and that server is not always there. A resource server
  that fetches them for every request takes both down; one that keeps them for ever trusts a withdrawn key; one that
  cannot have them must say so and neither let anybody in nor call a good token bad. RFC 7517, MCP authorization.

  Each scenario has a server and an authorization server of its own, and starts before the first key was fetched.

  @JWKS-001
  Rule: Keys come from the configured authorization server and from nowhere else

    @fresh
    Scenario: Tokens that name other places for their keys
      Given Ada holds a good token
      And Ada also holds a token that points at a key set of its own
      And Ada also holds a token that points at a certificate of its own
      And Ada also holds a token whose claim "iss" is "{stray}"
      When Ada presents each of them
      Then every other is refused with 401
      And nobody asked for anything at the address the tokens name
      And the keys were fetched at least once
      And the good token is accepted

  @JWKS-002
  Rule: Keys are kept, so that many requests cause few fetches

    @fresh
    Scenario: A hundred requests in a row
      Given Ada holds a good token
      When Ada presents her token 100 times in a row
      Then every other is served too
      And the keys were fetched at least once
      And the keys were fetched at most 2 times

  @JWKS-003
  Rule: A new key is found without a restart

    @fresh
    Scenario: A second key beside the first
      Given Ada holds a good token
      And the server has checked her token once
      When the authorization server takes a second key and keeps the first, and Ada gets a new token
      And 1 minute passes
      And she presents both
      Then the good token is accepted
      And the other is served too

  @JWKS-004
  Rule: A withdrawn key stops counting after a while

    Scenario: A key that was replaced a quarter of an hour ago
      Given Ada holds a good token that lasts 3600 seconds
      And the server has checked her token once
      When the authorization server replaces its key, and Ada gets a new token
      And 16 minutes pass
      And Ada gets a new token
      And she presents both
      Then the other is refused with 401
      And the good token is accepted

  @JWKS-005
  Rule: Unknown key names cause no storm of fetches

    Scenario: Two hundred tokens that name unknown keys
      Given Ada holds a good token
      And the server has checked her token once
      When 200 tokens that name unknown keys are presented
      Then every other is refused with 401
      And the keys were fetched at most 5 times in 10 seconds
      And the good token is accepted

  @JWKS-006
  Rule: An outage does not interrupt whoever is served from kept keys

    Scenario: The authorization server goes down after the first request
      Given Ada holds a good token
      And the server has checked her token once
      When the authorization server begins to answer requests for keys with a refused connection
      And Ada presents her token
      Then the good token is accepted

  @JWKS-007 @needs-control
  Rule: When keys cannot be had, the answer is 503 and when to try again

    @fresh
    Scenario: The authorization server is down from the start
      Given Ada holds a good token
      And the authorization server answers requests for keys with a refused connection
      When Ada presents her token
      Then the good token is answered with 503 and when to try again

  @JWKS-009
  Rule: A key name that cannot be looked up is not the client's fault, one that was looked up and is not there is

    Scenario: An unknown key name during an outage
      Given Ada holds a good token
      And Ada also holds a token that was signed by a key nobody knows
      And the server has checked her token once
      When the authorization server begins to answer requests for keys with a refused connection
      And she presents both
      Then the other is refused with 401 or 503
      And the good token is accepted

    Scenario: An unknown key name at any other time
      Given Ada holds a good token
      And Ada also holds a token that was signed by a key nobody knows
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

  @JWKS-010 @needs-control
  Rule: Service recovers by itself once the authorization server is back

    @fresh
    Scenario: The authorization server comes back
      Given Ada holds a good token that lasts 600 seconds
      And the authorization server answers requests for keys with a refused connection
      When Ada presents her token
      And the authorization server works again
      And Ada tries again for as long as she was told to wait, and 10 seconds more
      Then the good token is accepted

  @JWKS-011 @impatient @needs-control
  Rule: A broken key document makes no token acceptable, and no answer late

    @fresh
    Scenario Outline: Before the first keys, <broken> lets nobody in
      Given Ada holds a good token
      And the authorization server answers requests for keys with <broken>
      When Ada presents her token
      Then the good token is not accepted

      Examples:
        | broken                          |
        | an error 500                    |
        | a page of HTML                  |
        | a document cut in the middle    |
        | an empty body                   |
        | an empty list of keys           |
        | five megabytes of nonsense      |
        | an answer that takes too long   |

    Scenario Outline: With keys at hand, <broken> lets no foreign token in
      Given Ada holds a good token that lasts 3600 seconds
      And Ada also holds a token that was signed by a key nobody knows
      And Ada also holds a token that was signed by another key under a known name
      And the server has checked her token once
      When the authorization server begins to answer requests for keys with <broken>
      And she presents each of them
      Then every other is refused with 401 or 503
      And every answer came within 15 seconds

      Examples:
        | broken                          |
        | an error 500                    |
        | a page of HTML                  |
        | a document cut in the middle    |
        | an empty body                   |
        | five megabytes of nonsense      |
        | an answer that takes too long   |

  @JWKS-014 @needs-control
  Rule: Requests that come at once before the first keys share a fetch

    @fresh
    Scenario: Fifty requests at once
      Given Ada holds a good token
      When Ada presents her token 50 times at once
      Then every other is served too
      And the keys were fetched at least once
      And the keys were fetched at most 3 times

  @JWKS-015
  Rule: A request without a readable token causes no fetch

    Scenario: A hundred requests without a token or with garbage
      When 100 requests without a token, or with garbage for one, are sent
      Then every other is refused with 401
      And the keys were fetched at most 0 times
