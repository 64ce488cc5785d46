Feature: The decision table
  Thirteen tools, fifty-six scopes, fourteen sets of permissions and fifteen states of membership make 152,880 cells. The cells
  below are enough to tell every known misreading of the page from the page. A cell may end in more than one way where the page
  does not say which of two failing axes is told first.

  @SCOPE-K-023 @PERM-010
  Rule: The whole table of tools, scopes, permissions and states holds

    Scenario Outline: <tool> for <set> in <state> with "<scope>": <outcome>, <visible>
      Given a person with <set> in the state <state> and a token that says "<scope>"
      When <tool> is called in the state <state>
      Then <tool> ends with "<outcome>" and is <visible>

      Examples: the cells that tell misreadings apart
        | tool                          | scope                                                  | set                | state                        | outcome                                        | visible |
        | finance_payables_send_to_bank | finance/payables finance/payable_dispatches read write | payables_family    | active_arg_other_org         | workspace_access_denied                        | listed  |
        | finance_payables_list         | finance/payables all                                   | near_miss_family   | active_one_workspace_default | insufficient_permission                        | hidden  |
        | finance_payables_list         | finance/payable read                                   | owner              | active_one_workspace_default | insufficient_scope                             | hidden  |
        | finance_payables_list         | finance/payables finance/people read write             | owner              | suspended                    | membership_inactive                            | hidden  |
        | finance_payables_cancel       | finance/all write                                      | owner              | active_one_workspace_default | allowed                                        | listed  |
        | finance_payables_get          | all                                                    | payables_family    | active_header_unreachable    | workspace_access_denied                        | listed  |
        | finance_receivables_charge    | all                                                    | receivables_family | active_many_no_selection     | workspace_required                             | listed  |
        | finance_payables_list         | read:finance                                           | analyst_read_only  | active_arg_nonexistent       | insufficient_scope or workspace_access_denied  | hidden  |
        | finance_payables_create       | finance/payables delete import export                  | payables_create    | active_many_header_reachable | insufficient_scope                             | hidden  |
        | finance_payables_send_to_bank | finance/payables all                                   | payables_family    | active_many_header_reachable | insufficient_scope                             | hidden  |
        | finance_payables_get          | finance/payables export                                | owner              | active_one_workspace_default | insufficient_scope                             | hidden  |
        | finance_receivables_charge    | finance/receivables finance/receivable_charges all     | analyst_read_only  | active_many_header_reachable | insufficient_permission                        | hidden  |
        | finance_payables_list         | all                                                    | payables_create    | not_member                   | membership_inactive                            | hidden  |
        | finance_people_list           | finance/payables finance/people read write             | receivables_family | never_joined                 | membership_inactive                            | hidden  |
        | finance_people_list           | read write                                             | owner              | removed                      | membership_inactive                            | hidden  |
        | finance_payables_get          | finance/all read                                       | payables_family    | invited                      | membership_inactive                            | hidden  |
        | finance_workspaces_list       | READ                                                   | receivables_family | active_arg_nonexistent       | insufficient_scope                             | hidden  |
        | finance_receivables_charge    | absent                                                 | receivables_charge | active_many_header_reachable | insufficient_scope                             | hidden  |
        | finance_workspaces_list       | all                                                    | near_miss_family   | active_many_no_selection     | allowed                                        | listed  |
        | finance_schemas_get           | finance/all all                                        | none               | active_arg_other_org         | insufficient_permission or membership_inactive | hidden  |
        | finance_payables_get          |                                                        | analyst_read_only  | active_one_workspace_default | insufficient_scope                             | hidden  |
        | finance_receivables_charge    | finance/payable_dispatches write                       | receivables_charge | active_one_workspace_default | insufficient_scope                             | hidden  |
        | finance_payables_create       | read                                                   | payables_family    | active_many_arg_reachable    | insufficient_scope                             | hidden  |
        | finance_payables_cancel       | finance/payables  read                                 | payables_family    | active_one_workspace_default | insufficient_scope                             | hidden  |
        | finance_payables_cancel       | finance/all read                                       | payables_family    | active_one_workspace_default | insufficient_scope                             | hidden  |
        | finance_receivables_charge    | finance/receivables read write                         | receivables_family | active_many_header_reachable | insufficient_scope                             | hidden  |
        | finance_payables_send_to_bank | finance/all finance/payable_dispatches read            | owner              | active_one_workspace_default | insufficient_scope                             | hidden  |
        | finance_receivables_charge    | read write                                             | owner              | active_many_arg_reachable    | insufficient_scope                             | hidden  |
        | finance_payables_create       | write finance/payables                                 | payables_create    | active_many_no_selection     | workspace_required                             | listed  |

      @isolated
      Examples: while the permissions cannot be looked up
        | tool                | scope                                       | set         | state         | outcome     | visible |
        | finance_schemas_get | finance/payables finance/payables read read | people_read | lookup_failed | any refusal | hidden  |
