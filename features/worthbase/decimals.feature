Feature: Money, units, prices and rates are decimal strings, in and out

  A float would lose digits that belong to somebody. Figures therefore travel as strings such as "1234.56", and stored ones
  come back as they were given.
  Source: Worthbase MCP page, "Why are numbers decimal strings?".

  Background:
    Given Ada keeps a book in USD with the items
      | item | kind     |
      | Cash | cash     |
      | Acme | security |

  @TOOL-021
  Rule: A JSON number in a decimal field is refused

    Scenario Outline: A deposit whose amount is the JSON number <number> is refused, and the string "<string>" is not
      When Ada tries to preview
        | date       | entry   | item | amount        |
        | 2024-01-02 | deposit | Cash | JSON <number> |
      Then she is refused with "invalid_decimal"
      And the refusal points at "transactions[0].amount"
      And nothing has changed
      When she records
        | date       | entry   | item | amount   |
        | 2024-01-02 | deposit | Cash | <string> |
      Then the balance of Ada's "Cash" is <string> USD

      Examples:
        | number | string |
        | 0      | 0.5    |
        | 1      | 1      |
        | 1.5    | 1.5    |
        | 1e2    | 100    |

    Scenario Outline: The JSON number 1 as <field> of a <entry> is refused
      When Ada tries to preview
        | date       | entry   | item   | <field> |
        | 2024-01-02 | <entry> | <item> | JSON 1  |
      Then she is refused with "invalid_decimal"
      And the refusal points at "<path>"
      And nothing has changed

      Examples:
        | entry     | item | field     | path                         |
        | buy       | Acme | units     | transactions[0].units        |
        | buy       | Acme | fees      | transactions[0].fees         |
        | deposit   | Cash | rate      | transactions[0].fx_rate      |
        | split     | Acme | to        | transactions[0].to           |
        | split     | Acme | from      | transactions[0].from         |
        | price     | Acme | amount    | prices[0].price              |
        | valuation | Cash | amount    | valuations[0].value          |
        | check     | Acme | units     | reconciliations[0].units     |
        | check     | Acme | cost base | reconciliations[0].cost_base |

    Scenario: A tenth and two tenths are three tenths
      When Ada records
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 0.1    |
        | 2024-01-02 | deposit | Cash | 0.2    |
      Then the balance of Ada's "Cash" is 0.3 USD
      And every figure shown so far is a decimal string, and money stands beside its currency

  @DEC-002
  Rule: Stored decimals come back as they were given, zeros included

    Scenario Outline: The deposit of <amount> is shown as <amount>
      When Ada records
        | date       | entry           | item | amount   |
        | 2024-01-02 | opening balance | Cash | <amount> |
      Then Ada's "Cash" has the transactions
        | date       | entry           | amount   |
        | 2024-01-02 | opening balance | <amount> |
      And Ada's "Cash" has the transactions
        | amount   |
        | <amount> |

      Examples:
        | amount                        |
        | 0                             |
        | 1                             |
        | 1234.56                       |
        | 0.00350000                    |
        | 0.000000000000000001          |
        | 9999999999999999999999999999  |
        | 1234567890.123456789012345678 |
        | 0.10                          |
        | 100.00                        |

  @DEC-003 @DEC-004
  Rule: No figure leaves the server as a JSON number, and every amount stands beside its currency

    Scenario: A book in three currencies shows decimal strings only
      Given Ben keeps a book in AUD with the items
        | item   | kind     | currency |
        | Cash   | cash     | AUD      |
        | VOO    | security | USD      |
        | Toyota | security | JPY      |
        | Home   | property | AUD      |
        | Loan   | loan     | AUD      |
      And Ben has recorded
        | date       | entry           | item   | units | amount  | fees |
        | 2024-06-27 | deposit         | Cash   |       | 1000.00 |      |
        | 2024-06-27 | buy             | VOO    | 2.5   | 1200.00 | 3.5  |
        | 2024-06-27 | buy             | Toyota | 100   | 300000  | 275  |
        | 2024-06-28 | sell            | Toyota | 30    | 99000   | 99   |
        | 2024-06-27 | valuation       | Home   |       | 850000  |      |
        | 2024-06-27 | opening balance | Loan   |       | 400000  |      |
        | 2026-10-29 | price           | VOO    |       | 500.13  |      |
        | 2026-10-29 | price           | Toyota |       | 3100.5  |      |
        | 2026-10-29 | check           | VOO    | 2     |         |      |
      And Ben has recorded "a mistake"
        | date       | entry   | item | amount |
        | 2024-06-28 | deposit | Cash | 20.50  |
        | 2024-06-28 | deposit | Cash | 0.25   |
      When he checks the "value" of "Cash" on 2024-06-27 against 999.99
      And he voids
        | date       | entry   | item |
        | 2024-06-28 | deposit | Cash |
      And he asks what undoing "a mistake" would do
      And he undoes "a mistake"
      And he notes down every figure
      Then every figure shown so far is a decimal string, and money stands beside its currency
      And Ben's list of items shows
        | item   | currency | base currency | value    |
        | Cash   | AUD      | AUD           | 1000     |
        | VOO    | USD      | AUD           | 1250.325 |
        | Toyota | JPY      | AUD           | 217035   |
        | Home   | AUD      | AUD           | 850000   |
        | Loan   | AUD      | AUD           | 400000   |

  @ERR-012
  Rule: Amounts are positive; a negative amount is refused with its field

    Scenario: A deposit of minus one
      When Ada tries to preview
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | -1.00  |
      Then she is refused with "invalid_decimal"
      And the refusal points at "transactions[0].amount"
      And nothing has changed
      When she records
        | date       | entry   | item | amount |
        | 2024-01-02 | deposit | Cash | 1.00   |
      Then the balance of Ada's "Cash" is 1.00 USD

  @DEC-007
  Rule: Large values keep every digit or are refused; digits never vanish

    Scenario: A thousandth on top of twenty-eight digits
      When Ada records
        | date       | entry   | item | amount                       |
        | 2024-01-01 | deposit | Cash | 99999999999999999999999999.99 |
        | 2024-01-02 | deposit | Cash | 0.001                        |
      Then the balance of Ada's "Cash" is 99999999999999999999999999.991 USD

    Scenario: The borders of binary integers are ordinary amounts
      When Ada records
        | date       | entry   | item | amount               |
        | 2024-01-01 | deposit | Cash | 21474836.48          |
        | 2024-01-02 | deposit | Cash | 90071992547409.93    |
        | 2024-01-03 | deposit | Cash | 92233720368547758.08 |
      Then the balance of Ada's "Cash" is 92323792382570004.49 USD
      And Ada's "Cash" has the transactions
        | amount               |
        | 21474836.48          |
        | 90071992547409.93    |
        | 92233720368547758.08 |

  @DEC-014
  Rule: Local number formats are refused, never guessed

    Scenario Outline: The amount <amount> is refused
      When Ada tries to preview
        | date       | entry   | item | amount   |
        | 2024-01-02 | deposit | Cash | <amount> |
      Then she is refused with "invalid_decimal"
      And the refusal points at "transactions[0].amount"
      And nothing has changed

      Examples:
        | amount   |
        | 1.234,56 |
        | 1,234.56 |
        | 1'000.00 |
        | 10,00    |

    Scenario: The same amount in plain digits is stored
      When Ada records
        | date       | entry   | item | amount  |
        | 2024-01-02 | deposit | Cash | 1234.56 |
      Then the balance of Ada's "Cash" is 1234.56 USD

  @contract @DEC-005
  Rule: The input grammar is plain digits with an optional fraction, at most 28 digits and 18 decimals

    Scenario Outline: The amount <amount> is outside the grammar
      When Ada tries to preview
        | date       | entry   | item | amount   |
        | 2024-01-02 | deposit | Cash | <amount> |
      Then she is refused with "invalid_decimal"
      And the refusal points at "transactions[0].amount"
      And nothing has changed

      Examples: Signs, exponents, separators and names
        | amount    |
        | JSON ""   |
        | +1        |
        | -1        |
        | -0        |
        | 1e5       |
        | 1E-3      |
        | 1,000     |
        | 1 000     |
        | 1_000     |
        | 0x10      |
        | NaN       |
        | Infinity  |
        | $5        |
        | 1/2       |
        | JSON null |
        | JSON true |
        | JSON {}   |
        | JSON []   |

      Examples: Points and zeros out of place
        | amount       |
        | .5           |
        | 5.           |
        | 007          |
        | 00.1         |
        | 1.2.3        |
        | JSON " 1"    |
        | JSON "1 "    |
        | JSON "1.0\\n" |

      Examples: Digits of other scripts, and too many digits
        | amount                        |
        | ١٢٣                           |
        | １２                            |
        | 12345678901234567890123456789 |
        | 0.1234567890123456789         |

    Scenario: The longest values are inside the grammar
      When Ada records
        | date       | entry   | item | amount                        |
        | 2024-01-02 | deposit | Cash | 1234567890.123456789012345678 |
      Then the balance of Ada's "Cash" is 1234567890.123456789012345678 USD

  @contract @DEC-008
  Rule: A product is rounded once, half-even, at 18 places

    Scenario: 123456789.123456789012345678 units at 43210.98765432
      When Ada records
        | date       | entry           | item | units                        | amount         |
        | 2024-01-01 | opening balance | Acme | 123456789.123456789012345678 | 1              |
        | 2024-01-01 | price           | Acme |                              | 43210.98765432 |
      Then Ada's "Acme" is worth 5334689790655.678964334458118122 on 2024-01-01

    Scenario Outline: <units> units at 0.5 are worth <value>
      When Ada records
        | date       | entry           | item | units   | amount |
        | 2024-01-01 | opening balance | Acme | <units> | 1      |
        | 2024-01-01 | price           | Acme |         | 0.5    |
      Then Ada's "Acme" is worth <value> on 2024-01-01

      Examples:
        | units                | value                |
        | 0.000000000000000001 | 0                    |
        | 0.000000000000000003 | 0.000000000000000002 |

  Rule: Every field that takes a decimal takes a string of plain digits and nothing else

    Background:
      Given Ada's book holds the items
        | item    | kind     | currency |
        | Savings | cash     | USD      |
        | Euros   | cash     | EUR      |
        | Home    | property | USD      |
      And Ada has recorded
        | date       | entry | item | units | amount |
        | 2024-01-02 | buy   | Acme | 10    | 100    |

    @DEC-001
    Scenario: JSON numbers
      When Ada tries each of these values in every field that takes a decimal
        | value |
        | 1     |
        | 1.5   |
        | 0     |
      Then each value is refused with "invalid_decimal" and its field
      And nothing has changed
      And Ada may write a right value in every field that takes a decimal

    @DEC-012
    Scenario: Figures below zero
      When Ada tries each of these values in every field that takes a decimal
        | value   |
        | "-1"    |
        | "-0"    |
        | "-0.00" |
      Then each value is refused with "invalid_decimal" and its field
      And nothing has changed
      And Ada may write a right value in every field that takes a decimal

  @contract @DEC-013
  Rule: Zero is accepted only where it has a meaning

    Scenario Outline: A <entry> with <field> of zero
      Given Ada's book holds the items
        | item  | kind | currency |
        | Euros | cash | EUR      |
        | Loan  | loan | USD      |
      When Ada tries to preview
        | date       | entry   | item   | units   | amount   | rate   | to   | from   |
        | 2024-01-02 | <entry> | <item> | <units> | <amount> | <rate> | <to> | <from> |
      Then she is refused with "invalid_input"
      And the refusal points at "transactions[0].<field>"
      And nothing has changed

      Examples:
        | entry     | item  | units | amount | rate | to | from | field   |
        | buy       | Acme  | 0     | 1      |      |    |      | units   |
        | buy       | Acme  | 1     | 0      |      |    |      | amount  |
        | deposit   | Cash  |       | 0      |      |    |      | amount  |
        | repayment | Loan  |       | 0      |      |    |      | amount  |
        | deposit   | Euros |       | 1      | 0    |    |      | fx_rate |
        | split     | Acme  |       |        |      | 0  | 1    | to      |

    Scenario: Where zero means something
      Given Ada's book holds the items
        | item | kind     |
        | Home | property |
      When Ada records
        | date       | entry           | item | units | amount | fees |
        | 2024-01-02 | opening balance | Cash |       | 0      |      |
        | 2024-01-02 | transfer in     | Acme | 1     | 0      |      |
        | 2024-01-03 | buy             | Acme | 1     | 1      | 0    |
        | 2024-01-03 | price           | Acme |       | 0      |      |
        | 2024-01-03 | opening balance | Home |       | 0      |      |
        | 2024-01-03 | valuation       | Home |       | 0      |      |
      Then Ada's "Acme" holds 2 units at a cost of 1 USD
      And Ada's "Acme" is worth 0 on 2024-01-31
      And Ada's "Home" is worth 0 on 2024-01-31

  @DEC-006
  Rule: Adding is exact

    Scenario: 9,999 deposits, from a cent to 99.99
      When Ada records a deposit into "Cash" of every amount from a cent to 99.99
      Then the balance of Ada's "Cash" is 499,950.00 USD

    Scenario: Ten dimes and two more
      Given Ben keeps the book of the worked example "dec-exact-sum"
      When he works it through with the server's tools
      Then the server shows what the example says

  @contract @DEC-009
  Rule: Dust is kept in units and printed without exponent

    Scenario: Seven attounits
      When Ada records
        | date       | entry           | item | units                | amount     |
        | 2024-01-02 | opening balance | Acme | 0.000000000000000007 | 1          |
        | 2024-01-02 | price           | Acme |                      | 0.00000001 |
      Then Ada's "Acme" has the transactions
        | units                |
        | 0.000000000000000007 |
      And Ada's "Acme" holds 0.000000000000000007 units at a cost of 1 USD
      And Ada's "Acme" is worth 0 on 2024-01-02
      When Ada notes down every figure
      Then every figure shown so far is a decimal string, and money stands beside its currency

  @DEC-010
  Rule: Computed figures never show exponent, plus sign, leading zeros or minus zero

    Scenario: Sold out at a loss, a fall below zero and back, and dust
      When Ada records
        | date       | entry           | item | units                | amount  |
        | 2024-01-02 | buy             | Acme | 10                   | 100.10  |
        | 2024-01-03 | sell            | Acme | 10                   | 60.05   |
        | 2024-01-02 | withdrawal      | Cash |                      | 5       |
        | 2024-01-03 | deposit         | Cash |                      | 5       |
        | 2024-01-04 | opening balance | Acme | 0.000000000000000001 | 0.00001 |
        | 2024-01-04 | price           | Acme |                      | 0.001   |
      Then Ada's "Acme" has the sales
        | date       | net proceeds | cost base | gain   |
        | 2024-01-03 | 60.05        | 100.1     | -40.05 |
      And the balance of Ada's "Cash" is 0 USD
      When Ada notes down every figure
      Then every figure shown so far is a decimal string, and money stands beside its currency

    Scenario: Dust of eighteen decimals, bought and sold
      Given Ben keeps the book of the worked example "lots-crypto-18dp"
      When he works it through with the server's tools
      Then the server shows what the example says
      And every figure shown so far is a decimal string, and money stands beside its currency

  @DEC-011
  Rule: Nothing is rounded to a currency's minor unit

    Scenario: Tenths of a fils
      Given Ben keeps a book in KWD with the items
        | item  | kind |
        | Purse | cash |
      When Ben records
        | date       | entry   | item  | amount |
        | 2024-01-02 | deposit | Purse | 1.2345 |
      Then Ben's "Purse" has the transactions
        | amount |
        | 1.2345 |
      And the balance of Ben's "Purse" is 1.2345 KWD

    Scenario: Fractions of a yen
      Given Ben keeps the book of the worked example "lots-jpy"
      When he works it through with the server's tools
      Then the server shows what the example says

  @contract @DEC-015
  Rule: Ratios are fractions with ten places, and shares of owners are percent

    Scenario: Two homes with their loans
      Given Ada's book knows the parties
        | party | kind  |
        | Trust | trust |
      And Ada's book holds the items
        | item    | kind     | owners            |
        | Home    | property | Ada 50, Trust 50  |
        | Cottage | property | Ada 100           |
        | Main    | loan     | Ada 100           |
        | Small   | loan     | Ada 100           |
      And Ada has recorded
        | date       | entry           | item    | amount |
        | 2024-01-01 | valuation       | Home    | 800000 |
        | 2024-01-01 | valuation       | Cottage | 300    |
        | 2024-01-01 | opening balance | Main    | 550000 |
        | 2024-01-01 | opening balance | Small   | 200    |
      When Ada links "Main" to "Home" as "secured by"
      And she links "Small" to "Cottage" as "secured by"
      Then Ada's properties on 2024-06-30 are
        | property | LVR          |
        | Home     | 0.6875       |
        | Cottage  | 0.6666666667 |
      And Ada's "Home" is owned by
        | party | percent |
        | Ada   | 50      |
        | Trust | 50      |

  @contract @DEC-016
  Rule: Counts, years and limits are whole numbers, and refused as strings, decimals and negatives

    Scenario: Limits and a year
      When Ada tries each of these values where a whole number belongs
        | place            | value  |
        | limit of items   | "10"   |
        | limit of items   | 0      |
        | limit of items   | -1     |
        | limit of items   | 1.5    |
        | limit of batches | "10"   |
        | limit of batches | 0      |
        | limit of batches | -1     |
        | limit of batches | 1.5    |
        | year of a loss   | "2021" |
        | year of a loss   | 2021.5 |
        | year of a loss   | -2021  |
      Then each value is refused with "invalid_input" and its field
      And nothing has changed
      And Ada may write each of these values where a whole number belongs
        | place            | value |
        | limit of items   | 10    |
        | limit of batches | 10    |
        | year of a loss   | 2021  |

  @DEC-017
  Rule: The same figure is the same number in every tool that shows it

    Scenario: A holding at the end of September
      When Ada records
        | date       | entry | item | units | amount |
        | 2024-02-01 | buy   | Acme | 12.5  | 1000   |
        | 2026-09-30 | price | Acme |       | 81.37  |
      Then every tool shows Ada's "Acme" at 1017.125 on 2026-09-30
