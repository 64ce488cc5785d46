Feature: A token opens only the server it was issued for

  A server that takes tokens meant for others can be used by those others to act as the person who trusted them. So the
  audience of a token must name this server, whole and exactly, and this server decides by its own configuration what
  its name is. RFC 8707, RFC 9068 section 4, MCP authorization, token handling.

  Every scenario holds two tokens of one person that differ in the audience alone.

  Background:
    Given Ada holds a good token

  @AUD-001
  Rule: A token is accepted only when its audience is this server

    Scenario: A token for another server is refused
      Given Ada also holds a token that is for another server
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

  @AUD-002
  Rule: A token without an audience is refused

    Scenario Outline: A token that <variation> is refused
      Given Ada also holds a token that <variation>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | variation                               |
        | is for nobody in particular             |
        | names its audience under another claim  |

  @AUD-003
  Rule: Of a list of audiences one must be this server

    Scenario: A token that names this server in a list of one is accepted
      Given Ada also holds a token that names this resource in a list of one
      When Ada presents both
      Then the other is served too
      And the good token is accepted

    Scenario: A token that names this server beside another is served or refused
      Given Ada also holds a token that names this resource beside another
      When Ada presents both
      Then every other gets the same answer: served, or refused with 401
      And the good token is accepted

    Scenario Outline: A token that <variation> is refused
      Given Ada also holds a token that <variation>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples: This server is not among them
        | variation                           |
        | is for one other server, in a list  |
        | is for two other servers            |

  @AUD-004
  Rule: The audience is compared whole: no prefix, no suffix, no part, no other case

    Scenario Outline: A token that <variation> is refused
      Given Ada also holds a token that <variation>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | variation                                            |
        | is for an address one character longer               |
        | is for this address with a foreign domain behind it  |
        | is for a path below this one                         |
        | is for an address that ends like this one            |
        | is for this path in capitals                         |
        | names this server only in a query                    |
        | is for this address with two slashes behind it       |

  @AUD-005
  Rule: An audience that is no name at all is refused

    Scenario Outline: A token that <variation> is refused
      Given Ada also holds a token that <variation>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | variation                                    |
        | is for an empty audience                     |
        | is for an empty list of audiences            |
        | is for an object                             |
        | is for null                                  |
        | is for a number                              |
        | is for true                                  |
        | is for a list of numbers                     |
        | names this resource in a list inside a list  |

  @AUD-006
  Rule: A server at a path does not answer to the name of its host

    Scenario Outline: A token that <variation> is refused
      Given Ada also holds a token that <variation>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | variation                        |
        | is for the whole host            |
        | is for the root of the host      |
        | is for another path of the host  |

  @AUD-007
  Rule: A forged name in the request does not move the expected audience

    Scenario: A token for another server, presented under that server's name
      Given Ada also holds a token that is for the server at evil.example
      When she presents both to the server under the name "evil.example"
      Then every other is refused with a 4xx
      And the good token is accepted

  @AUD-008
  Rule: An ID token is no access token

    Scenario: An ID token of the same person, signed by the same key
      Given Ada also holds a token that is an ID token for the client
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

  @AUD-009
  Rule: A name in capitals is tolerated or refused, but never by chance

    Scenario: A token for this host in capitals, ten times
      Given Ada also holds a token that is for this host in capitals
      When she presents both ten times
      Then every other gets the same answer: served, or refused with 401
      And the good token is accepted
