Feature: Ids, cursors, references and figures of one book are worth nothing in another

  Every place where a tool takes an id is tried, each time beside an id that nobody was ever given: the two answers may not
  differ, or the refusal itself would tell what others have.
  Source: Worthbase MCP page, "How does authentication work?" and "Which tools does the server expose?".

  Background:
    Given Ada keeps a book "Heron" in USD that holds one of everything, at 7919 each

  @ISO-001 @ISO-010
  Rule: An id of others is answered like one that was never given out, and the refusal names nothing of theirs

    Scenario: A stranger tries an id of every kind in every tool that takes one
      Given Ben keeps a book "Otter" in USD that holds one of everything, at 104729 each
      When Ben uses ids of "Heron" in "Otter" at each of these places
        | place                  |
        | get_item               |
        | get_performance, item  |
        | get_performance, party |
        | get_net_worth, party   |
        | get_history, party     |
        | list_items, party      |
        | list_items, account    |
        | simulate_sale, item    |
        | simulate_sale, lot     |
        | undo, asked            |
        | commit                 |
        | undo                   |
        | reconcile              |
        | update_item, item      |
        | set_owners, item       |
        | archive_item           |
        | void, transaction      |
        | void, valuation        |
        | void, price            |
        | set_goal               |
        | set_loss               |
        | save_party             |
        | save_account           |
        | members, invite        |
        | members, member        |
        | members, party         |
      Then each is refused like an id that was never given out
      And no refusal holds a word of "Heron"
      And nothing has changed
      And Ben may use the ids of "Otter" at each of these places
        | place                  |
        | get_item               |
        | get_performance, item  |
        | get_performance, party |
        | get_net_worth, party   |
        | get_history, party     |
        | list_items, party      |
        | list_items, account    |
        | simulate_sale, item    |
        | simulate_sale, lot     |
        | undo, asked            |
        | commit                 |
        | undo                   |
        | reconcile              |
        | update_item, item      |
        | set_owners, item       |
        | void, transaction      |
        | void, valuation        |
        | void, price            |
        | set_goal               |
        | set_loss               |
        | save_party             |
        | save_account           |
        | members, invite        |
        | members, member        |
        | members, party         |
        | archive_item           |

  @ISO-002
  Rule: One id of others inside an otherwise good write refuses the whole of it

    Scenario: Ids inside rows, owners, accounts, links and losses
      Given Ben keeps a book "Otter" in USD that holds one of everything, at 104729 each
      When Ben uses ids of "Heron" in "Otter" at each of these places
        | place                         |
        | record, item of a transaction |
        | record, cash item             |
        | record, lot                   |
        | record, item of a valuation   |
        | record, item of a price       |
        | record, item of a check       |
        | record, transfer from         |
        | record, transfer to           |
        | record, account of an item    |
        | record, owner of an item      |
        | update_item, account          |
        | set_owners, party             |
        | link_items, from              |
        | link_items, to                |
        | set_loss, party               |
        | save_account, party           |
      Then each is refused like an id that was never given out
      And nothing has changed
      And Ben may use the ids of "Otter" at each of these places
        | place                         |
        | record, item of a transaction |
        | record, cash item             |
        | record, lot                   |
        | record, item of a valuation   |
        | record, item of a price       |
        | record, item of a check       |
        | record, transfer from         |
        | record, transfer to           |
        | record, account of an item    |
        | record, owner of an item      |
        | update_item, account          |
        | set_owners, party             |
        | link_items, from              |
        | set_loss, party               |
        | save_account, party           |

  @ISO-003
  Rule: Two books of one person are as separate as those of strangers

    Scenario: Ada's own ids in her other book
      Given Ada keeps a book "Crane" in USD that holds one of everything, at 15485863 each
      When Ada uses ids of "Heron" in "Crane" at each of these places
        | place                         |
        | get_item                      |
        | get_net_worth, party          |
        | list_items, account           |
        | simulate_sale, lot            |
        | undo                          |
        | commit                        |
        | reconcile                     |
        | update_item, item             |
        | update_item, account          |
        | set_owners, party             |
        | link_items, to                |
        | archive_item                  |
        | void, transaction             |
        | void, price                   |
        | set_goal                      |
        | set_loss                      |
        | save_party                    |
        | save_account                  |
        | members, invite               |
        | record, item of a transaction |
        | record, transfer to           |
        | record, account of an item    |
        | record, owner of an item      |
      Then each is refused like an id that was never given out
      And nothing has changed
      And Ada may use the ids of "Heron" at each of these places
        | place                         |
        | get_item                      |
        | get_net_worth, party          |
        | list_items, account           |
        | simulate_sale, lot            |
        | commit                        |
        | undo                          |
        | reconcile                     |
        | update_item, item             |
        | update_item, account          |
        | set_owners, party             |
        | link_items, to                |
        | void, transaction             |
        | void, price                   |
        | set_goal                      |
        | set_loss                      |
        | save_party                    |
        | save_account                  |
        | members, invite               |
        | record, item of a transaction |
        | record, transfer to           |
        | record, account of an item    |
        | record, owner of an item      |
        | archive_item                  |

  @ISO-009
  Rule: An id of another kind is refused, not looked up elsewhere

    Scenario: The right number behind another prefix, a row, and the workspace itself
      When Ada uses ids of another kind in "Heron" at each of these places
        | place                         |
        | get_item                      |
        | get_net_worth, party          |
        | list_items, account           |
        | simulate_sale, lot            |
        | undo                          |
        | commit                        |
        | reconcile                     |
        | update_item, account          |
        | set_owners, party             |
        | archive_item                  |
        | void, price                   |
        | set_goal                      |
        | set_loss                      |
        | save_party                    |
        | save_account                  |
        | members, invite               |
        | record, item of a transaction |
        | record, owner of an item      |
      Then each is refused
      And nothing has changed
      And Ada may use the ids of "Heron" at each of these places
        | place                         |
        | get_item                      |
        | get_net_worth, party          |
        | list_items, account           |
        | simulate_sale, lot            |
        | commit                        |
        | undo                          |
        | reconcile                     |
        | record, item of a transaction |
        | record, owner of an item      |

  @ISO-011
  Rule: An id next to one of the book's own leads nowhere

    Scenario: One more, one less, and of the same moment
      When Ada uses ids next to those of "Heron" in the same book at each of these places
        | place                         |
        | get_item                      |
        | get_net_worth, party          |
        | list_items, account           |
        | undo                          |
        | commit                        |
        | void, transaction             |
        | set_goal                      |
        | members, invite               |
        | record, item of a transaction |
      Then each is refused like an id that was never given out
      And nothing has changed
      And Ada may use the ids of "Heron" at each of these places
        | place                         |
        | get_item                      |
        | commit                        |
        | record, item of a transaction |

  @ISO-005
  Rule: A cursor leads on in the list it was given for, and nowhere else

    Scenario: In a stranger's hands, in another book, in another list, and with another letter
      Given Ada keeps a book "Crane" in USD that holds one of everything, at 15485863 each
      And Ben keeps a book "Otter" in USD that holds one of everything, at 104729 each
      When Ada reads one item of "Heron" and keeps the cursor
      And Ben tries the cursor in list_items of "Otter"
      Then Ben is refused with "invalid_input"
      And nothing has changed
      When Ada tries the cursor in list_items of "Crane"
      Then Ada is refused with "invalid_input"
      And nothing has changed
      When Ada tries the cursor in list_batches of "Heron"
      Then Ada is refused with "invalid_input"
      And nothing has changed
      When Ada tries the cursor with another letter in list_items of "Heron"
      Then Ada is refused with "invalid_input"
      And nothing has changed
      And the cursor leads Ada to another item of "Heron"

  @ISO-006
  Rule: Totals, lists, counts and overviews are made of the book asked for alone

    Scenario: Two books whose figures are different primes
      Given Ben keeps a book "Otter" in USD that holds one of everything, at 104729 each
      Then nothing that Ben reads about "Otter" holds a word of "Heron"
      And nothing that Ada reads about "Heron" holds a word of "Otter"
      And Ben's overview counts 1 account and 5 items
      And Ada's overview counts 1 account and 5 items

  @ISO-007
  Rule: A reference that others recorded is new, and nothing tells that they did

    Scenario: Two people import a statement with the same references
      Given Ben keeps a book in USD with the items
        | item | kind |
        | Till | cash |
      When Ben previews
        | date       | entry   | item | amount | reference |
        | 2024-01-02 | deposit | Till | 7919   | cash-1    |
        | 2024-01-02 | deposit | Till | 8      | cash-2    |
      Then the preview counts 2 new, 0 duplicate and 0 conflicting rows
      And the preview lists the rows
        | reference | class |
        | cash-1    | new   |
        | cash-2    | new   |
      And the preview warns of nothing
      When Ben commits the preview
      Then the balance of Ben's "Till" is 7927 USD

  @ISO-008
  Rule: Calls of several people at once never mix

    Scenario: Four people, fifty-two calls at once, twenty times
      Given Ben keeps a book "Otter" in USD that holds one of everything, at 104729 each
      And Cleo keeps a book "Crane" in USD that holds one of everything, at 15485863 each
      And Dora keeps a book "Eagle" in USD that holds one of everything, at 32452843 each
      When their keepers read and write "Heron, Otter, Crane, Eagle" at once, 20 times over, 52 calls each time
      Then each of "Heron, Otter, Crane, Eagle" was written by its keeper alone

  @ISO-004
  Rule: A preview is committed by its maker alone, in its book, and only while the maker may write

    Scenario: A stranger, another editor, a viewer, and the maker with less and with the old rights
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ben is an editor of Ada's book
      And Cleo is a viewer of Ada's book
      And Emil is an editor of Ada's book
      And Dora keeps a book in USD
      And Ben has previewed
        | date       | entry   | item | amount |
        | 2024-02-02 | deposit | Cash | 20     |
      When Dora tries to commit the preview
      Then Dora is refused with "preview_not_found"
      And nothing has changed
      When Emil tries to commit the preview
      Then Emil is refused with "preview_not_found"
      And nothing has changed
      When Cleo tries to commit the preview
      Then Cleo is refused with "forbidden"
      And nothing has changed
      When Ada makes Ben a viewer
      And Ben tries to commit the preview
      Then Ben is refused with "forbidden"
      And nothing has changed
      When Ada makes Ben an editor
      And Ben commits the preview
      Then the balance of Ada's "Cash" is 20 USD

    Scenario: A maker who was removed
      Given Ada keeps a book in USD with the items
        | item | kind |
        | Cash | cash |
      And Ben is an editor of Ada's book
      And Ben has previewed
        | date       | entry   | item | amount |
        | 2024-02-02 | deposit | Cash | 20     |
      When Ada removes Ben
      And Ben tries to commit the preview
      Then Ben is refused with "workspace_not_found"
      And nothing has changed

  @INVARIANT-013
  Rule: Every id shown can be looked up by its owner and by nobody else

    Scenario: The ids of a book with one of everything
      Given Ada has read everything of "Heron"
      And Ben keeps a book "Otter" in USD that holds one of everything, at 104729 each
      Then every id that Ada was shown leads her to a record, and Ben nowhere
