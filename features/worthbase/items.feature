Feature: What is known of an item can be changed, and every change leaves the rest as it was

  Source: Worthbase MCP page, write tools (update_item, archive_item, save_party, save_account).

  Background:
    Given Ada keeps a book in USD
    And Ada's book knows the accounts
      | account | kind      |
      | Broker  | brokerage |
      | Vault   | bank      |

  @ITEM-001
  Rule: update_item changes the named field and nothing else

    Scenario Outline: Acme gets another <field>
      Given Ada's book holds the items
        | item | kind     | subtype | opened on  | notes        | account | attributes              |
        | Acme | security | listed  | 2020-01-01 | a first note | Broker  | JSON {"sector": "tools"} |
        | Bolt | security | listed  | 2020-01-01 | a first note | Broker  | JSON {"sector": "tools"} |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 100    |
        | 2024-01-02 | buy   | Bolt | 10    | 100    |
      And Ada has noted down every figure
      When she changes "Acme"
        | <field> |
        | <value> |
      Then nothing has changed but the "<field>" of Ada's "Acme"
      And Ada's "Acme" is described as
        | <field> |
        | <shown> |

      Examples:
        | field      | value                                 | shown                       |
        | name       | Acme Limited                          | Acme Limited                |
        | class      | alternatives                          | alternatives                |
        | subtype    | unlisted                              | unlisted                    |
        | account    | Vault                                 | Vault                       |
        | opened on  | 2019-05-05                            | 2019-05-05                  |
        | closed on  | 2025-05-05                            | 2025-05-05                  |
        | investable | no                                    | no                          |
        | notes      | another note                          | another note                |
        | attributes | JSON {"region": "EU", "sector": "it"} | region: EU, sector: it      |

  @ITEM-002
  Rule: The currency of an item can be changed only while it has no history

    Scenario: A new item becomes a dollar item
      Given Ada's book holds the items
        | item | kind | currency |
        | Till | cash | AUD      |
      When she changes "Till"
        | currency |
        | USD      |
      Then Ada's "Till" is described as
        | currency |
        | USD      |

    Scenario Outline: After <history> the currency is locked, and other fields are not
      Given Ada's book holds the items
        | item  | kind     | currency |
        | Till  | cash     | AUD      |
        | Chest | cash     | AUD      |
        | Home  | property | AUD      |
        | Acme  | security | AUD      |
      And Ada has recorded
        | date       | entry   | item   | to item | amount |
        | 2024-01-02 | <entry> | <item> | <to>    | 10     |
      When she tries to change "<changed>"
        | currency |
        | USD      |
      Then she is refused with "currency_locked"
      And the refusal points at "currency"
      And nothing has changed
      When she changes "<changed>"
        | notes        |
        | still usable |
      Then Ada's "<changed>" is described as
        | currency | notes        |
        | AUD      | still usable |

      Examples:
        | history     | entry     | item | to    | changed |
        | a deposit   | deposit   | Till |       | Till    |
        | a valuation | valuation | Home |       | Home    |
        | a price     | price     | Acme |       | Acme    |
        | a transfer  | transfer  | Till | Chest | Chest   |

  @ITEM-020
  Rule: The currency is free again when the only history is undone

    Scenario: A deposit is undone, then the currency changes, then that is undone too
      Given Ada's book holds the items
        | item | kind | currency |
        | Till | cash | AUD      |
      And Ada has recorded "the deposit"
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Till | 10     |
      And Ada has undone "the deposit"
      When she changes "Till"
        | currency |
        | USD      |
      And that batch is called "the change"
      Then Ada's "Till" is described as
        | currency |
        | USD      |
      When she undoes "the change"
      Then Ada's "Till" is described as
        | currency |
        | AUD      |

  @contract @ITEM-005
  Rule: There are nine kinds, each with its side, its default class and its default among the investable

    Scenario Outline: A new item of kind <kind>
      When she opens the items
        | item  | kind   |
        | Thing | <kind> |
      Then Ada's "Thing" is described as
        | kind   | side   | class   | investable   |
        | <kind> | <side> | <class> | <investable> |

      Examples:
        | kind            | side      | class      | investable |
        | security        | asset     | equity     | yes        |
        | crypto          | asset     | crypto     | yes        |
        | cash            | asset     | cash       | yes        |
        | property        | asset     | property   | no         |
        | business        | asset     | business   | no         |
        | other           | asset     | other      | no         |
        | retirement      | asset     | retirement | no         |
        | loan            | liability | debt       | no         |
        | other_liability | liability | debt       | no         |

    Scenario: A kind that nobody knows
      When she tries to open the items
        | item  | kind |
        | Thing | boat |
      Then she is refused with "invalid_input"
      And the refusal points at "items[0].kind"
      And nothing has changed

  @contract @ITEM-006
  Rule: The kind of an item cannot be changed

    Scenario: A security is no crypto, whatever its class is called
      Given Ada's book holds the items
        | item | kind     |
        | Acme | security |
      When she tries to change "Acme"
        | kind   |
        | crypto |
      Then she is refused with "invalid_input"
      And nothing has changed
      When she changes "Acme"
        | class  |
        | crypto |
      Then Ada's "Acme" is described as
        | kind     | class  |
        | security | crypto |

  Rule: A class, an account and the investable flag move a breakdown or a part, and no total

    @ITEM-007
    Scenario: Acme moves from equity to alternatives
      Given Ada's book holds the items
        | item | kind     |
        | Acme | security |
        | Bolt | security |
        | Till | cash     |
      And Ada has recorded
        | date       | entry   | item | units | amount |
        | 2024-01-02 | buy     | Acme | 10    | 100    |
        | 2024-01-02 | buy     | Bolt | 10    | 100    |
        | 2024-01-02 | deposit | Till |       | 50     |
        | 2024-01-31 | price   | Acme |       | 12     |
        | 2024-01-31 | price   | Bolt |       | 30     |
      When she changes "Acme"
        | class        |
        | alternatives |
      Then Ada's breakdown by class on 2024-01-31 is
        | name         | side  | value |
        | alternatives | asset | 120   |
        | equity       | asset | 300   |
        | cash         | asset | 50    |
      And Ada's breakdown by kind on 2024-01-31 is
        | name     | side  | value |
        | security | asset | 420   |
        | cash     | asset | 50    |
      And Ada's figures on 2024-01-31 are
        | assets | liabilities | net worth | investable | cash |
        | 470    | 0           | 470       | 470        | 50   |

    @ITEM-008
    Scenario: Acme moves from the broker to the vault, and its references stay known
      Given Ada's book holds the items
        | item | kind     | account |
        | Acme | security | Broker  |
        | Bolt | security | Broker  |
      And Ada has recorded
        | date       | entry | item | units | amount | reference |
        | 2024-01-02 | buy   | Acme | 10    | 100    | ORD-1     |
        | 2024-01-02 | buy   | Bolt | 10    | 100    | ORD-2     |
        | 2024-01-31 | price | Acme |       | 12     |           |
        | 2024-01-31 | price | Bolt |       | 30     |           |
      Then Ada's breakdown by account on 2024-01-31 is
        | name   | value |
        | Broker | 420   |
      When she changes "Acme"
        | account |
        | Vault   |
      Then Ada's breakdown by account on 2024-01-31 is
        | name   | value |
        | Broker | 300   |
        | Vault  | 120   |
      And Ada's net worth on 2024-01-31 is 420 USD
      When she previews
        | date       | entry | item | units | amount | reference |
        | 2024-01-02 | buy   | Acme | 10    | 100    | ORD-1     |
      Then the preview counts 0 new, 1 duplicate and 0 conflicting rows

    @ITEM-009
    Scenario: A house becomes investable, and is none again
      Given Ada's book holds the items
        | item | kind     |
        | Home | property |
        | Till | cash     |
      And Ada has recorded
        | date       | entry     | item | amount |
        | 2024-01-02 | valuation | Home | 850000 |
        | 2024-01-02 | deposit   | Till | 50     |
      When she changes "Home"
        | investable |
        | yes        |
      Then Ada's figures on 2024-01-31 are
        | assets | net worth | investable | cash |
        | 850050 | 850050    | 850050     | 50   |
      When she changes "Home"
        | investable |
        | no         |
      Then Ada's figures on 2024-01-31 are
        | assets | net worth | investable | cash |
        | 850050 | 850050    | 50         | 50   |

  @contract @ITEM-018
  Rule: Opening and closing dates are labels that change no figure

    Scenario: Opened after its first row and closed before its last
      Given Ada's book holds the items
        | item | kind |
        | Till | cash |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Till | 50     |
        | 2024-06-02 | deposit | Till | 7      |
      When she changes "Till"
        | opened on  | closed on  |
        | 2024-02-01 | 2024-05-01 |
      Then Ada's "Till" is worth 50 on 2024-01-31
      And Ada's "Till" is worth 57 on 2024-06-30
      And Ada's net worth is 57 USD
      When she tries to change "Till"
        | opened on  | closed on  |
        | 2024-05-02 | 2024-05-01 |
      Then she is refused with "invalid_input"
      And the refusal points at "closed_on"
      And nothing has changed

  @ITEM-019
  Rule: A change that changes nothing, or a field that nobody knows, makes no batch

    Scenario Outline: <what>
      Given Ada's book holds the items
        | item | kind | notes |
        | Till | cash | a     |
      When she tries to change "Till"
        | <field> |
        | <value> |
      Then nothing has changed
      When she changes "Till"
        | notes |
        | b     |
      Then the batch is listed once, as written by Ada

      Examples:
        | what                 | field  | value |
        | The same name again  | name   | Till  |
        | Only the item        |        |       |
        | A field named colour | colour | red   |

  @ITEM-016
  Rule: Two items may share a name; rows go by id

    Scenario: A deposit into the second of two savings accounts
      Given Ada's book holds the items
        | item   | kind |
        | First  | cash |
        | Second | cash |
      And Ada has changed "First"
        | name    |
        | Savings |
      And Ada has changed "Second"
        | name    |
        | Savings |
      And Ada has recorded
        | date       | entry   | item  | amount |
        | 2024-01-02 | deposit | First | 7      |
      When she records
        | date       | entry   | item   | amount |
        | 2024-01-02 | deposit | Second | 40     |
      Then the balance of Ada's "First" is 7 USD
      And the balance of Ada's "Second" is 40 USD
      And Ada's breakdown by item on 2024-01-31 is
        | name    | value |
        | Savings | 7     |
        | Savings | 40    |

  @contract @ITEM-017
  Rule: Attributes are a small map of texts, returned as given

    Scenario: Three attributes, then two, then far too many
      Given Ada's book holds the items
        | item | kind     | attributes                                         |
        | Home | property | JSON {"area": "1 ha", "year": "1907", "use": "own"} |
      Then Ada's "Home" is described as
        | attributes                     |
        | area: 1 ha, use: own, year: 1907 |
      When she changes "Home"
        | attributes                            |
        | JSON {"area": "1 ha", "use": "own"} |
      Then Ada's "Home" is described as
        | attributes           |
        | area: 1 ha, use: own |
      When she tries to give "Home" 1000 attributes
      Then she is refused with "invalid_input"
      And nothing has changed
      When she gives "Home" 10 attributes
      Then the batch is listed once, as written by Ada

  @ITEM-013
  Rule: save_account creates or updates an account at an institution, of the six kinds

    Scenario: One account of each kind, and one renamed
      When she adds the account "Exchange" of kind exchange
      And she adds the account "Wallet" of kind wallet
      And she adds the account "Super" of kind retirement_fund
      And she adds the account "Home loan" of kind loan
      Then Ada's overview lists the accounts
        | account   | kind            |
        | Broker    | brokerage       |
        | Vault     | bank            |
        | Exchange  | exchange        |
        | Wallet    | wallet          |
        | Super     | retirement_fund |
        | Home loan | loan            |
      When she opens the items
        | item | kind | account |
        | Till | cash | Vault   |
      And she changes the account "Vault" to "Big Bank" of kind bank
      Then Ada's overview lists the accounts
        | account   | kind            |
        | Broker    | brokerage       |
        | Big Bank  | bank            |
        | Exchange  | exchange        |
        | Wallet    | wallet          |
        | Super     | retirement_fund |
        | Home loan | loan            |
      And Ada's "Till" is described as
        | account  |
        | Big Bank |

    Scenario: An account of a kind that nobody knows
      When she tries to add the account "Piggy" of kind mattress
      Then she is refused with "invalid_input"
      And the refusal points at "kind"
      And nothing has changed
      When she adds the account "Piggy" of kind bank
      Then the batch is listed once, as written by Ada

  @ITEM-014
  Rule: save_party creates or updates a legal owner of the five kinds

    Scenario: One party of each kind, and one renamed
      When she adds the party "Firm" of kind company
      And she adds the party "Trust" of kind trust
      And she adds the party "Fund" of kind smsf
      And she adds the party "Partners" of kind partnership
      And she adds the party "Eve" of kind individual
      And she opens the items
        | item | kind | owners            |
        | Till | cash | Ada 40, Trust 60 |
      And she changes the party "Trust" to "Family Trust" of kind trust
      Then Ada's overview lists the parties
        | party        | kind        |
        | Ada          | individual  |
        | Firm         | company     |
        | Family Trust | trust       |
        | Fund         | smsf        |
        | Partners     | partnership |
        | Eve          | individual  |
      And Ada's "Till" is owned by
        | party        | percent |
        | Ada          | 40      |
        | Family Trust | 60      |

    Scenario: A party of a kind that nobody knows
      When she tries to add the party "Club" of kind club
      Then she is refused with "invalid_input"
      And the refusal points at "kind"
      And nothing has changed
      When she adds the party "Club" of kind trust
      Then the batch is listed once, as written by Ada

  @contract @ITEM-011
  Rule: An archived item counts until the day before its archive date

    Scenario: Archived on the first of June
      Given Ada's book holds the items
        | item | kind |
        | Till | cash |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Till | 500    |
      When she archives "Till" on 2024-06-01
      Then Ada's net worth on 2024-05-31 is 500 USD
      And Ada's net worth on 2024-06-01 is 0 USD
      And Ada's history at month ends from 2024-05-01 to 2024-06-30 shows
        | date       | net worth |
        | 2024-05-31 | 500       |
        | 2024-06-30 | 0         |

  @contract @ITEM-012
  Rule: Archived items are listed only on request and take no new rows

    Scenario: A till is archived, and comes back by undo
      Given Ada's book holds the items
        | item | kind |
        | Till | cash |
      And Ada has recorded
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Till | 500    |
      When she archives "Till"
      And that batch is called "the archive"
      Then Ada's "Till" is listed only among the archived items
      When she tries to preview
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Till | 5      |
      Then she is refused with "item_archived"
      And nothing has changed
      When she undoes "the archive"
      And she records
        | date       | entry   | item | amount |
        | 2024-01-03 | deposit | Till | 5      |
      Then Ada's "Till" is listed
      And the balance of Ada's "Till" is 505 USD

  @ITEM-015
  Rule: An archive answers with net worth before and after

    Scenario: A till of 500 and a loan of 200
      Given Ada's book holds the items
        | item | kind |
        | Till | cash |
        | Loan | loan |
      And Ada has recorded
        | date       | entry           | item | amount |
        | 2024-01-02 | deposit         | Till | 500    |
        | 2024-01-02 | opening balance | Loan | 200    |
      When she archives "Till"
      Then the archive shows net worth going from 300 to -200 USD, a change of -500
      When she archives "Loan"
      Then the archive shows net worth going from -200 to 0 USD, a change of 200

  @ITEM-003 @ITEM-010
  Rule: archive_item takes exactly one item off the balance sheet, keeps its gains on record, and can be undone to the last digit

    Scenario: Half of Acme was sold with a gain, then Acme is archived
      Given Ada's book holds the items
        | item | kind     |
        | Acme | security |
        | Bolt | security |
        | Loan | loan     |
      And Ada has linked "Loan" to "Bolt" as "funds"
      And Ada has recorded
        | date       | entry           | item | units | amount |
        | 2024-01-02 | buy             | Acme | 10    | 1000   |
        | 2024-01-02 | buy             | Bolt | 5     | 50     |
        | 2024-01-02 | opening balance | Loan |       | 40     |
        | 2024-02-02 | sell            | Acme | 5     | 600    |
        | 2024-02-02 | price           | Acme |       | 120    |
        | 2024-02-02 | price           | Bolt |       | 11     |
      And Ada has noted down every figure
      When she archives "Acme"
      And that batch is called "the archive"
      Then Ada's "Acme" is listed only among the archived items
      And Ada's net worth is 15 USD
      And Ada's "Acme" has the sales
        | date       | net proceeds | cost base | gain |
        | 2024-02-02 | 600          | 500       | 100  |
      And Ada's "Bolt" has the links
        | from | relation | to   |
        | Loan | funds    | Bolt |
      And Ada's "Bolt" holds 5 units at a cost of 50 USD
      And the performance of Ada's "Acme" from 2024-01-01 to 2024-12-31 is
        | money in | money out | gain |
        | 1000     | 600       | 200  |
      When she undoes "the archive"
      Then every figure is as noted down
      And Ada's history at month ends from 2024-01-31 to 2024-02-29 shows
        | date       | net worth |
        | 2024-01-31 | -40       |
        | 2024-02-29 | 615       |
