"""What the product promises to catch: the failure, who asked, what catches it first, the proving tests."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Requirement:
    """A promise. `first` is a check's id, or `module:name` where something other than a check stands guard.

    `source` names the text that asked: a section of the production guide, of the design, or of the issue.
    `tests` are `file::name` under tests/.
    """

    id: str
    source: str
    sentence: str
    first: str
    tests: tuple[str, ...]


REQUIREMENTS: tuple[Requirement, ...] = (
    # --- the plan -------------------------------------------------------------------------------------------
    Requirement(
        "PLAN-UNKNOWN",
        "guide: where should the definitions come from",
        "A plan that names something the layer does not govern is refused, all wrong names at once.",
        "plan",
        (
            "metric_layer/test_resolve.py::test_all_wrong_names_of_a_plan_come_at_once",
            "metric_layer/test_parse.py::test_unknown_keys_are_named_with_a_near_key_wherever_they_stand",
        ),
    ),
    Requirement(
        "PLAN-AMBIGUOUS",
        "guide: where should the definitions come from",
        "A term with two governed readings is asked back with its options, never guessed.",
        "plan",
        (
            "metric_layer/test_traps.py::test_the_options_of_an_ambiguous_path_settle_it",
            "metric_layer/test_resolve.py::test_the_clock_can_be_chosen",
        ),
    ),
    Requirement(
        "PLAN-DIALECT",
        "design 4.3",
        "A plan written for another engine than the project's is refused.",
        "plan",
        ("metric_layer/test_resolve.py::test_a_plan_written_for_another_engine_is_refused",),
    ),
    Requirement(
        "PLAN-FAN-OUT",
        "guide: which failures; design 4.2",
        "A measure is never multiplied by a join: each is added up at its own grain before anything meets.",
        "metric_layer.compile:compile_plan",
        (
            "metric_layer/test_traps.py::test_a_trap_question_gets_the_number_of_hand_written_sql",
            "metric_layer/test_brute_force.py::test_random_snowflakes_count_as_plain_python_does",
            "metric_layer/test_invariance.py::test_permuting_a_plan_never_changes_a_number",
            "metric_layer/test_invariance.py::test_asking_more_metrics_never_changes_the_first",
        ),
    ),
    Requirement(
        "PLAN-TO-MANY",
        "design 4.2",
        "A dimension that only a one-to-many path reaches is refused with the path in words.",
        "plan",
        (
            "metric_layer/test_traps.py::test_a_trap_question_is_refused_for_its_reason_with_the_path_in_words",
            "metric_layer/test_resolve.py::test_a_fan_out_names_the_nearest_plan_that_works",
        ),
    ),
    Requirement(
        "ROLE-NONE",
        "guide: which limits belong in the database; design 3.5",
        "Nobody asks through an identity that sees everything: without a role in force nothing is answered.",
        "entitlement",
        ("gateway/test_pipeline.py::test_a_caller_without_a_role_is_denied_on_the_record",),
    ),
    Requirement(
        "ROLE-HIDDEN",
        "issue 2, bad input; design 3.5",
        "A name hidden from a role is answered exactly like a name that does not exist.",
        "plan",
        (
            "metric_layer/test_resolve.py::test_a_hidden_metric_is_answered_like_one_that_does_not_exist",
            "metric_layer/test_resolve.py::test_no_message_names_what_a_caller_may_not_see",
            "gateway/test_service.py::test_a_hidden_metric_has_no_card_and_is_no_candidate",
        ),
    ),
    Requirement(
        "ROLE-ROWS",
        "guide: which limits belong in the database; design 3.1",
        "A role sees its own rows and columns, by views inside the database session and by no edited SQL.",
        "metric_layer.compile:compile_role_view",
        (
            "gateway/engines/test_duckdb.py::test_two_roles_of_one_process_see_their_own_rows_and_columns",
            "gateway/test_pipeline.py::test_another_role_sees_its_own_rows_and_nothing_is_said_of_the_rest",
            "metric_layer/compile/test_role_view.py::test_a_rule_restricts_every_dataset_that_reaches_its_dimension",
        ),
    ),
    Requirement(
        "ROLE-PROVED",
        "design 3.1",
        "Nothing is served while a role's row rule is unproved.",
        "gateway.proof:require_proof",
        (
            "gateway/test_proof.py::test_every_role_of_the_policy_is_proved",
            "gateway/engines/test_duckdb_walls.py::test_probe_names_each_broken_promise",
        ),
    ),
    Requirement(
        "RELEASE",
        "guide: how do you know it works; design 4.8",
        "A class of questions that the policy did not release runs nothing.",
        "release",
        ("gateway/test_pipeline.py::test_clean_free_sql_still_only_runs_dry",),
    ),
    # --- the cost -------------------------------------------------------------------------------------------
    Requirement(
        "COST-NO-RUN",
        "guide: ask the warehouse for its plan; design 3.4",
        "An estimate executes nothing.",
        "gateway.engines.duckdb:DuckDBEngine",
        (
            "gateway/engines/test_duckdb.py::test_explain_does_not_run_what_fails_when_it_runs",
            "gateway/engines/test_duckdb.py::test_explain_is_quick_where_the_run_would_never_end",
            "gateway/test_pipeline.py::test_a_dry_run_prices_and_runs_nothing",
        ),
    ),
    Requirement(
        "COST-LINES",
        "guide: ask the warehouse for its plan",
        "A question above the warning line waits for a person, one above the hard line is denied.",
        "budget",
        ("gateway/test_pipeline.py::test_the_warning_line_holds_and_the_hard_line_denies",),
    ),
    Requirement(
        "COST-CAPS",
        "guide: which limits belong in the database",
        "A run ends at its row, byte, time and memory caps, whatever the estimate said, and says so.",
        "gateway.engines.duckdb:DuckDBEngine",
        (
            "gateway/engines/test_duckdb.py::test_the_row_cap_cuts_and_says_so",
            "gateway/engines/test_duckdb.py::test_the_byte_cap_cuts_and_says_so",
            "gateway/engines/test_duckdb.py::test_the_time_limit_stops_a_query",
            "gateway/engines/test_duckdb.py::test_too_much_memory_is_said_and_the_engine_lives_on",
            "gateway/test_pipeline.py::test_a_cut_result_says_so",
        ),
    ),
    Requirement(
        "WALLS",
        "guide: which limits belong in the database",
        "When our checks are wrong, the database session still writes nothing and reads nothing else.",
        "gateway.engines.duckdb:DuckDBEngine",
        (
            "gateway/engines/test_duckdb_walls.py::test_nothing_but_the_roles_relations_can_be_reached",
            "gateway/engines/test_duckdb_walls.py::test_a_guessed_name_of_the_attached_file_is_refused",
        ),
    ),
    Requirement(
        "LEAVING",
        "design 4.5",
        "A caller who leaves stops the running query within a second, and the trace says so.",
        "gateway.cancellation:Cancellation",
        (
            "gateway/engines/test_duckdb.py::test_cancel_stops_a_running_query_within_a_second",
            "gateway/doors/test_leaving.py::test_over_http_a_hang_up_stops_the_query_and_the_trace_says_so",
        ),
    ),
    Requirement(
        "HOLD-ONCE",
        "guide: where do the judgment calls go; design 4.8",
        "An accept lets exactly the question run that was held, once, for its asker, before it expires.",
        "gateway.state:StateStore",
        (
            "gateway/test_pipeline.py::test_an_accept_lets_exactly_that_question_run_once",
            "gateway/test_state.py::test_an_accept_is_used_once_by_its_asker_for_its_question",
            "gateway/test_state.py::test_a_hold_expires_undecided",
        ),
    ),
    # --- the answer -----------------------------------------------------------------------------------------
    Requirement(
        "ANSWER-NUMBER",
        "guide: what should check the answer; design 3.7",
        "A number without a source blocks the draft, named with its span and the cell it should have been.",
        "numbers",
        ("gateway/test_drafts.py::test_one_changed_digit_is_blocked_with_its_span_and_the_right_cell",),
    ),
    Requirement(
        "ANSWER-WRONG-ENTITY",
        "guide: which failures does the agent have to catch",
        "A right number under the wrong entity blocks the draft.",
        "numbers",
        ("gateway/test_drafts.py::test_right_numbers_on_the_wrong_regions_are_blocked_where_they_stand",),
    ),
    Requirement(
        "ANSWER-DERIVED",
        "guide: what should check the answer",
        "A derived figure is declared and computed by code, never by a model.",
        "numbers",
        ("gateway/test_drafts.py::test_a_declared_derivation_is_computed_by_code",),
    ),
    Requirement(
        "ANSWER-EMPTY",
        "guide: what should check the answer",
        "An empty result has a fixed message, so that it is never told as zero.",
        "gateway.wording:word",
        (
            "gateway/test_pipeline.py::test_an_empty_window_of_data_gets_the_fixed_message",
            "gateway/test_drafts.py::test_a_draft_over_an_empty_result_gets_the_fixed_message",
        ),
    ),
    Requirement(
        "ANSWER-ATTEMPTS",
        "guide: how should the steps run",
        "Attempts at an answer are counted and capped; the last one ends as an abstention.",
        "gateway.drafts:check_draft",
        ("gateway/test_drafts.py::test_the_last_attempt_ends_as_an_abstention_and_there_is_no_further_one",),
    ),
    # --- the trace ------------------------------------------------------------------------------------------
    Requirement(
        "TRACE-FIRST",
        "design 3.8",
        "No answer leaves before its closing record is on disk; none leaves when it cannot be written.",
        "traces.store.files:FileTraceStore",
        (
            "gateway/test_crash.py::test_no_acknowledged_answer_is_without_its_trace_after_kill_9",
            "gateway/test_pipeline.py::test_no_answer_leaves_when_its_closing_record_cannot_be_written",
            "traces/store/test_disk_faults.py"
            "::test_a_full_disk_refuses_before_the_question_and_recovers_when_space_returns",
        ),
    ),
    Requirement(
        "TRACE-ALLOWS",
        "guide: how do you explain an answer a month later",
        "Every check writes its verdict also when it allows.",
        "policies.register:judge",
        ("gateway/test_pipeline.py::test_every_check_is_on_the_record_when_it_allows",),
    ),
    Requirement(
        "TRACE-TAMPERING",
        "design 4.7",
        "A changed, removed, swapped, inserted or cut record is named.",
        "traces.chain:verify",
        (
            "traces/test_chain.py::test_no_single_byte_of_a_log_can_change_unseen",
            "traces/test_chain.py::test_a_removed_record_is_named",
            "traces/test_chain.py::test_a_cut_tail_is_found_with_a_receipt",
        ),
    ),
    Requirement(
        "TRACE-NO-ROWS",
        "guide: personal data in results and logs; design 3.9",
        "No raw row and no name of the asker is in a trace.",
        "traces.shape:shape_of",
        (
            "gateway/test_pipeline.py::test_no_row_is_kept_in_a_trace_and_no_name_of_the_asker",
            "traces/store/test_files.py"
            "::test_sealed_text_stands_in_no_file_and_its_erasure_leaves_the_chain_whole",
            "traces/test_shape.py::test_text_and_numeric_dimensions_never_have_a_range",
        ),
    ),
    Requirement(
        "TRACE-REPLAY",
        "guide: how do you explain an answer a month later",
        "A replay that differs from the original has a cause that is named.",
        "gateway.replay:replay",
        (
            "gateway/test_replay.py::test_nothing_changed_is_same",
            "gateway/test_replay.py::test_a_new_version_of_a_definition_is_named_with_old_and_new_numbers",
            "gateway/test_replay.py::test_other_data_is_data",
        ),
    ),
    Requirement(
        "SAME-TWICE",
        "guide: how should the steps run",
        "The same question gives the same plan, the same SQL and the same number.",
        "gateway.pipeline:answer",
        ("gateway/test_pipeline.py::test_the_same_question_gives_the_same_plan_sql_and_number",),
    ),
    Requirement(
        "RESULT-OWN",
        "design 3.9",
        "A result is readable by its asker only, for a short time, and in no file in the clear.",
        "gateway.results:ResultStore",
        (
            "gateway/test_results.py::test_somebody_elses_result_looks_like_none",
            "gateway/test_results.py::test_no_value_is_readable_in_the_file",
            "gateway/test_results.py::test_a_result_is_gone_when_its_time_is_over",
        ),
    ),
    # --- the doors ------------------------------------------------------------------------------------------
    Requirement(
        "DOOR-NO-SQL",
        "guide: how should the steps run; design 3.6",
        "No tool, route or command runs SQL of a caller.",
        "gateway.doors.mcp_tools:build_tools",
        (
            "gateway/doors/test_mcp.py::test_no_tool_takes_sql",
            "gateway/doors/test_cli.py::test_sql_is_judged_and_never_run",
            "gateway/test_pipeline.py::test_refused_sql_never_reaches_the_database",
        ),
    ),
    Requirement(
        "DOOR-IDENTITY",
        "issue 2, doors",
        "Nobody is a guest: an unknown token or a door without a user is refused.",
        "gateway.doors.identity:Callers",
        (
            "gateway/doors/test_http.py::test_a_token_nobody_issued_gets_a_401_problem_and_nothing_else",
            "gateway/doors/test_identity.py"
            "::test_a_door_without_a_user_is_closed_and_says_which_setting_opens_it",
        ),
    ),
    Requirement(
        "DOOR-NO-TRACEBACK",
        "issue 2, bad input",
        "What is broken is told by code, place and next step; no traceback and no secret passes a door.",
        "gateway.doors.faults:refusal_for",
        (
            "gateway/doors/test_http_family.py::test_no_body_breaks_the_door",
            "gateway/doors/test_cli.py::test_a_broken_project_exits_with_one_and_doctor_says_where",
            "gateway/doors/test_http.py::test_a_broken_house_is_told_by_code_and_a_defect_without_its_text",
        ),
    ),
)
