Feature: A token is accepted when everything about it is right, and refused when one thing is wrong

  Each row is one token that differs from a good one of the same person in exactly one thing, and in every scenario the
  good one is accepted: a server that refuses everybody keeps none of these rules. The tokens and what is done to them
  stand in `fixtures/tokens/variations.toml`. RFC 7515 to 7519, RFC 8725, RFC 9068.

  Background:
    Given Ada holds a good token

  @TOKEN-ALG-001
  Rule: A token with nothing wrong in it is accepted

    Scenario: A token that is good in every way is accepted
      Given Ada also holds a token that is good in every way
      When Ada presents both
      Then the other is served too
      And the good token is accepted

    Scenario: A token that has the long form of its media type does no harm
      Given Ada also holds a token that has the long form of its media type
      When Ada presents both
      Then every other gets the same answer: served, or refused with 401
      And the good token is accepted

  @TOKEN-ALG-002
  Rule: An unsigned token is refused, however "none" is spelled

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                        |
        | says it is not signed                         |
        | says it is not signed, with a capital         |
        | says it is not signed, in capitals            |
        | says it is not signed, in mixed letters       |
        | says it is not signed, with a space behind it |

  @TOKEN-ALG-003
  Rule: An unsigned token is refused also when it carries a signature

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                                  |
        | says it is not signed and carries its signature         |
        | says it is not signed and carries an invented signature |

  @TOKEN-ALG-004
  Rule: The public key is no shared secret

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                                          |
        | uses the public key as a shared secret                          |
        | uses the public key as a shared secret with HS384               |
        | uses the public key as a shared secret with HS512               |
        | uses the public key without its last newline as a shared secret |
        | uses the bare RSA public key as a shared secret                 |
        | uses the bytes of the public key as a shared secret             |
        | uses the published JSON of the key as a shared secret           |
        | uses the modulus of the public key as a shared secret           |
        | uses an empty shared secret                                     |

  @TOKEN-ALG-005
  Rule: A key is used only with the algorithm it is published for

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                        |
        | is signed with RS384 by a key meant for RS256 |
        | is signed with RS512 by a key meant for RS256 |
        | is signed with PS256 by a key meant for RS256 |

  @TOKEN-ALG-009
  Rule: A token that names no usable algorithm is refused

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                  |
        | names no algorithm                      |
        | names a number as its algorithm         |
        | names null as its algorithm             |
        | names a list as its algorithm           |
        | names an encryption as its algorithm    |
        | names a key encryption as its algorithm |

  @TOKEN-SIG-001
  Rule: The signature must be that of the published key

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                       |
        | was signed by another key under a known name |
        | has one bit of its signature changed         |
        | is signed with zeros                         |

  @TOKEN-SIG-002
  Rule: A change of anything that was signed invalidates the token

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                     |
        | had its subject changed after signing      |
        | had its scope changed after signing        |
        | had its expiry changed after signing       |
        | had its audience changed after signing     |
        | had its organisation changed after signing |
        | had its header changed after signing       |

  @TOKEN-SIG-003
  Rule: An empty or shortened signature is refused

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                                       |
        | has no signature                                             |
        | lacks one character of its signature                         |
        | lacks two characters of its signature                        |
        | lacks a hundred and twenty-eight characters of its signature |

  @TOKEN-SIG-004
  Rule: Parts of two tokens make no token

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                 |
        | mixes the parts of two tokens          |
        | carries the signature of another token |

  @TOKEN-KID-001
  Rule: A key name that nobody published leads to a refusal

    Scenario: A token that was signed by a key nobody knows is refused
      Given Ada also holds a token that was signed by a key nobody knows
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

  @TOKEN-KID-002
  Rule: A missing key name never switches the check off

    Scenario: A token that names no key and was signed by a foreign one is refused
      Given Ada also holds a token that names no key and was signed by a foreign one
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

    Scenario: A token that names no key does no harm
      Given Ada also holds a token that names no key
      When Ada presents both
      Then every other gets the same answer: served, or refused with 401
      And the good token is accepted

  @TOKEN-KID-003
  Rule: A key name is data, whatever it looks like

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                      |
        | names a path as its key     |
        | names a file as its key     |
        | names a query as its key    |
        | names a template as its key |
        | names an empty key          |
        | names a number as its key   |
        | names null as its key       |
        | names a list as its key     |

    Scenario: A token that names its key with ten thousand characters is refused
      Given Ada also holds a token that names its key with ten thousand characters
      When Ada presents both
      Then the other is refused with 400, 401, 413, 431 or no answer
      And the good token is accepted

  @TOKEN-HDR-001
  Rule: A key set that the token points at is neither fetched nor trusted

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And nobody asked for "/jwks" at the address the token names
      And the good token is accepted

      Examples:
        | defect                                                |
        | points at a key set of its own                        |
        | points at a key set of its own under a known key name |

  @TOKEN-HDR-002
  Rule: A certificate that the token points at is neither fetched nor trusted

    Scenario: A token that points at a certificate of its own is refused
      Given Ada also holds a token that points at a certificate of its own
      When Ada presents both
      Then the other is refused with 401
      And nobody asked for "/certificate" at the address the token names
      And the good token is accepted

  @TOKEN-HDR-003
  Rule: A key that the token brings along is not used

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                      |
        | brings its own key along                    |
        | brings its own key along and names no other |

  @TOKEN-HDR-004
  Rule: A certificate that the token brings along is not used

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                            |
        | brings its own certificate along                  |
        | brings its own certificate along and names no key |

  @TOKEN-HDR-005
  Rule: An extension that the token demands and the server does not know makes it invalid

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                      |
        | demands an extension nobody knows           |
        | demands an extension that it does not carry |
        | demands the same extension twice            |

  @TOKEN-HDR-006
  Rule: A demand that breaks its own rules does no harm

    Scenario Outline: A token that <defect> does no harm
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then every other gets the same answer: served, or refused with 401
      And the good token is accepted

      Examples:
        | defect                              |
        | demands an empty list of extensions |
        | demands extensions in a text        |
        | demands what every token has        |
        | demands null as its extensions      |

  @TOKEN-HDR-007
  Rule: An unencoded payload is not accepted unnoticed

    Scenario: A token that was signed over an unencoded payload is refused
      Given Ada also holds a token that was signed over an unencoded payload
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

  @TOKEN-HDR-008
  Rule: A token that is typed for another use is refused

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                              |
        | is typed as dpop+jwt                |
        | is typed as logout+jwt              |
        | is typed as secevent+jwt            |
        | is typed as token-introspection+jwt |

  @TOKEN-HDR-010
  Rule: Encryption, compression and nesting lead around no check

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                         |
        | is encrypted for a foreign key |
        | has a compressed payload       |
        | wraps an unsigned token        |
        | wraps a good token             |

  @TOKEN-ISS-001
  Rule: The issuer must be the configured authorization server

    Scenario: A token that was issued by a stranger is refused
      Given Ada also holds a token that was issued by a stranger
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

  @TOKEN-ISS-002
  Rule: The issuer is compared exactly

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                           |
        | names its issuer with a slash at the end         |
        | names its issuer in capitals                     |
        | names its issuer with another scheme             |
        | names its issuer without a scheme                |
        | names its issuer with a foreign domain behind it |
        | names a tenant of its issuer                     |

  @TOKEN-ISS-003
  Rule: A token must say in one text who issued it

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                      |
        | was issued by nobody        |
        | names its issuer in a list  |
        | was issued by null          |
        | was issued by an empty name |

  @TOKEN-EXP-001
  Rule: An expired token is refused

    Scenario: A token that expired an hour ago is refused
      Given Ada also holds a token that expired an hour ago
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

  @TOKEN-EXP-002
  Rule: A token must expire

    Scenario: A token that never expires is refused
      Given Ada also holds a token that never expires
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

  @TOKEN-EXP-004
  Rule: Times are numbers

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                  |
        | expires at a time written as text       |
        | expires at a date                       |
        | expires at null                         |
        | expires at true                         |
        | expires at a list of times              |
        | expires at an object                    |
        | expired before 1970                     |
        | expired when time began                 |
        | becomes valid at a time written as text |
        | becomes valid at null                   |
        | was issued at a time written as text    |

    Scenario: A token that expires at a time beyond all numbers does no harm
      Given Ada also holds a token that expires at a time beyond all numbers
      When Ada presents both
      Then every other gets the same answer: served, or refused with 401
      And the good token is accepted

  @TOKEN-EXP-005
  Rule: A token is refused before its time

    Scenario: A token that became valid ten seconds ago is accepted
      Given Ada also holds a token that became valid ten seconds ago
      When Ada presents both
      Then the other is served too
      And the good token is accepted

    Scenario: A token that becomes valid in an hour is refused
      Given Ada also holds a token that becomes valid in an hour
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

  @TOKEN-EXP-006
  Rule: A token from the future is refused, and a fraction of a second is understood

    Scenario: A token that expires at a fraction of a second is accepted
      Given Ada also holds a token that expires at a fraction of a second
      When Ada presents both
      Then the other is served too
      And the good token is accepted

    Scenario: A token that was issued tomorrow is refused
      Given Ada also holds a token that was issued tomorrow
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

  @TOKEN-EXP-007
  Rule: A time in milliseconds does not make a server fail

    Scenario: A token that expired an hour ago, in milliseconds does no harm
      Given Ada also holds a token that expired an hour ago, in milliseconds
      When Ada presents both
      Then every other gets the same answer: served, or refused with 401
      And the good token is accepted

  @TOKEN-CLAIM-001
  Rule: A token must say in one text whom it speaks of

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                  |
        | speaks of nobody        |
        | speaks of an empty name |
        | speaks of a number      |
        | speaks of null          |
        | speaks of a list        |

  @TOKEN-CLAIM-002
  Rule: A name that stands twice never hides the second value behind the first

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                        |
        | names its audience twice, the good one first  |
        | names its expiry twice, the good one first    |
        | names its algorithm twice, the good one first |

  @TOKEN-CLAIM-004
  Rule: Claims that nobody knows do no harm

    Scenario: A token that carries forty claims nobody knows is accepted
      Given Ada also holds a token that carries forty claims nobody knows
      When Ada presents both
      Then the other is served too
      And the good token is accepted

  @TOKEN-CLAIM-006
  Rule: A token that is bound to its sender is not accepted from a mere bearer

    Scenario: A token that is bound to a key of its sender is refused
      Given Ada also holds a token that is bound to a key of its sender
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

  @TOKEN-FMT-001
  Rule: A token has three segments

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                    |
        | is one segment            |
        | is two segments           |
        | is four segments          |
        | is six segments           |
        | is nothing but two dots   |
        | is nothing but three dots |

  @TOKEN-FMT-002
  Rule: Base64 is read strictly

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                     |
        | is padded                                  |
        | is written in the standard base64 alphabet |
        | has a length no base64 has                 |

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 400 or 401
      And the good token is accepted

      Examples:
        | defect                        |
        | has a space inside            |
        | has an encoded newline inside |

  @TOKEN-FMT-003
  Rule: Header and payload are JSON objects in UTF-8

    Scenario Outline: A token that <defect> is refused
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

      Examples:
        | defect                                      |
        | holds a text where claims belong            |
        | holds a list where claims belong            |
        | holds a number where claims belong          |
        | holds null where claims belong              |
        | holds nothing where claims belong           |
        | holds claims that end in the middle         |
        | holds claims in UTF-16                      |
        | holds claims that are not UTF-8             |
        | holds five thousand lists inside each other |
        | has a list as its header                    |
        | has a header that ends in the middle        |

    Scenario: A token that holds claims behind a byte order mark does no harm
      Given Ada also holds a token that holds claims behind a byte order mark
      When Ada presents both
      Then every other gets the same answer: served, or refused with 401
      And the good token is accepted

  @TOKEN-EXP-003
  Rule: A clock may be off by a few minutes and no more

    Scenario: A token that expired ten minutes ago is refused
      Given Ada also holds a token that expired ten minutes ago
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

    Scenario: A token that expired a little over five minutes ago is refused
      Given Ada also holds a token whose claim "exp" is {now-301}
      When Ada presents both
      Then the other is refused with 401
      And the good token is accepted

    Scenario: A token that expired five seconds ago is served or refused
      Given Ada also holds a token that expired five seconds ago
      When Ada presents both
      Then every other gets the same answer: served, or refused with 401
      And the good token is accepted

  @TOKEN-CLAIM-005
  Rule: Who somebody is comes from the verified token and from nowhere else

    Scenario: Ada claims to be Ben
      Given Ben holds a good token
      When Ada asks who she is and claims to be Ben, in headers, in _meta and in an argument
      Then every answer names the one who asked, and nobody else

  @TOKEN-FMT-004
  Rule: An oversized token is refused cheaply

    Scenario Outline: A token that <defect> is refused, and the next request is served at once
      Given Ada also holds a token that <defect>
      When Ada presents both
      Then the other is refused with 400, 401, 413, 431 or no answer
      And the good token is accepted
      And the proper request was served within 1 second

      Examples:
        | defect                        |
        | is sixteen kilobytes long     |
        | is sixty-four kilobytes long  |
        | is a thousand kilobytes long  |

  @TOKEN-FMT-005
  Rule: A refusal shows nothing of the keys, of what was expected, or of the libraries behind it

    Scenario: The refusals of every known defect
      Given Ada also holds a token with each known defect
      When Ada presents each of them
      Then no answer shows a key, a stack trace, a path or a query
      And the good token is accepted
