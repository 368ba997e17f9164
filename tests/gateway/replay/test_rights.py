"""Who may replay what: steps for any auditor, SQL with the asker's access only by right and on record."""

import json
from typing import Any

import pytest

from gateway.doors.cli.main import run
from gateway.replay.sample import Choice
from tests.gateway.replay.stall import ANN, AUDREY, LAYER_FILE, PAULA, STEPHEN, Stall
from traces.custody_records import Impersonated, Unsealed

LATE = "INSERT INTO sales VALUES (100, DATE '2026-09-15', TIMESTAMP '2026-09-15 08:00:00', 'apple', 7)"
FREE = 'SELECT "fruit", sum("amount") AS "paid" FROM "sales" GROUP BY "fruit" ORDER BY "fruit" LIMIT 10'


def _records(stall: Stall, kind: type[Any]) -> list[Any]:
    return [record for record in stall.gateway.traces.records() if isinstance(record, kind)]


def test_an_auditor_without_the_right_runs_nothing_with_anybody_elses_access(stall: Stall) -> None:
    asked = stall.ask(time={"grain": "month"})
    stall.change(LATE)
    report = stall.replay(asked, AUDREY)
    assert report.verdict == "cannot tell"
    assert "other entitlement" in report.detail
    assert (report.ran_as, report.numbers, report.totals) == ("", (), ())
    assert not _records(stall, Impersonated)


def test_the_steps_are_replayed_for_any_auditor(duckdb_stall: Stall) -> None:
    asked = duckdb_stall.ask()
    duckdb_stall.edit(LAYER_FILE, "type: sum", "type: max")
    report = duckdb_stall.replay(asked, AUDREY)
    assert report.verdict == "definition"
    assert "data: cannot tell: other entitlement" in report.detail


def test_who_may_act_as_the_asker_is_told_and_that_they_did_is_on_record(stall: Stall) -> None:
    asked = stall.ask(time={"grain": "month"})
    stall.change(LATE)
    report = stall.replay(asked, STEPHEN)
    assert (report.verdict, report.ran_as) == ("data(late)", "asker")
    assert (report.numbers, report.totals) == ((), ()), "the values are the asker's"
    (used,) = _records(stall, Impersonated)
    house = stall.gateway.house
    assert (used.of, used.by, used.subject) == (
        asked.trace_id,
        house.subject(STEPHEN),
        house.subject(ANN),
    )


def test_who_may_unseal_sees_the_values_and_that_they_did_is_on_record(duckdb_stall: Stall) -> None:
    asked = duckdb_stall.ask()
    duckdb_stall.change(LATE)
    report = duckdb_stall.replay(asked, PAULA)
    assert [(number.old, number.new) for number in report.numbers] == [("2370.00", "2377.00")]
    assert [record.of for record in _records(duckdb_stall, Unsealed)] == [asked.trace_id]


def test_a_change_of_the_askers_role_is_their_entitlement(duckdb_stall: Stall) -> None:
    asked = duckdb_stall.ask()
    settings = duckdb_stall.folder / "cellbound.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace('roles = ["analyst"]', 'roles = ["auditor"]'), encoding="utf-8")
    moved = ANN.model_copy(update={"roles": ("auditor",)})
    report = duckdb_stall.replay(asked, moved)
    assert report.verdict == "entitlement", report.detail


def test_an_erased_question_cannot_be_told(duckdb_stall: Stall) -> None:
    asked = duckdb_stall.ask(filters=[{"field": "fruit", "op": "in", "values": ["apple"]}])
    house = duckdb_stall.gateway.house
    house.keys.destroy_subject(house.subject(ANN))
    report = duckdb_stall.replay(asked, STEPHEN)
    assert report.verdict == "cannot tell"
    assert "erased" in report.detail
    sample = duckdb_stall.gateway.replay_sample(STEPHEN, Choice())
    assert sample.verdicts == {"cannot tell": 1}


def test_free_sql_is_replayed_from_its_recorded_text_and_no_model_is_asked(duckdb_stall: Stall) -> None:
    duckdb_stall.edit("policies/policy.yml", "governed: autonomous", "governed: autonomous\n  free: dry_run")
    asked = duckdb_stall.gateway.ask_planned(ANN, lambda _: FREE)
    assert asked.outcome == "dry_run", asked.issues
    assert duckdb_stall.replay(asked).verdict == "same"
    duckdb_stall.edit(
        "policies/policy.yml", "datasets: [sales]}", "datasets: [sales], hidden_columns: [sales.amount]}"
    )
    report = duckdb_stall.replay(asked)
    assert report.verdict == "entitlement"
    assert report.first_step == "sql"


def test_a_sample_is_counted_by_verdict_with_the_cause_of_each_change(duckdb_stall: Stall) -> None:
    for grain in ("day", "week", "month"):
        duckdb_stall.ask(time={"grain": grain})
    kept = duckdb_stall.gateway.ask(ANN, {"metrics": ["sale_count"]})
    assert kept.outcome == "answered"
    same = duckdb_stall.gateway.replay_sample(ANN, Choice())
    assert (same.verdict, same.n, same.same, same.own_only) == ("same", 4, 4, True)
    duckdb_stall.edit(LAYER_FILE, "type: sum", "type: max")
    found = duckdb_stall.gateway.replay_sample(ANN, Choice())
    assert (found.verdict, found.verdicts) == ("differs", {"definition": 3, "same": 1})
    assert [each.metrics for each in found.changed] == [("takings",)] * 3
    assert all("takings v1 changed" in each.report.detail for each in found.changed)
    assert found.changed[-1].report.numbers, "a month has more than one sale"


def test_a_question_that_came_to_no_plan_does_not_make_a_sample_differ(duckdb_stall: Stall) -> None:
    duckdb_stall.ask()
    assert duckdb_stall.gateway.ask_question(ANN, "why is the moon made of cheese").trace_id
    found = duckdb_stall.gateway.replay_sample(ANN, Choice())
    assert (found.verdict, found.n, found.unplanned) == ("same", 1, 1)


def test_a_sample_is_spread_over_all_that_is_on_record(duckdb_stall: Stall) -> None:
    asked = [duckdb_stall.ask(time={"grain": "day"}).trace_id for _ in range(5)]
    duckdb_stall.edit(LAYER_FILE, "type: sum", "type: max")
    found = duckdb_stall.gateway.replay_sample(ANN, Choice(most=3))
    assert (found.questions, found.n) == (5, 3)
    assert [each.trace_id for each in found.changed] == [asked[0], asked[2], asked[4]]


def test_an_auditors_sample_tells_no_values(duckdb_stall: Stall) -> None:
    duckdb_stall.ask()
    duckdb_stall.edit(LAYER_FILE, "type: sum", "type: max")
    found = duckdb_stall.gateway.replay_sample(PAULA, Choice())
    (changed,) = found.changed
    assert (changed.report.verdict, changed.report.numbers, changed.report.totals) == ("definition", (), ())


def test_an_auditor_is_told_no_value_of_a_question_that_definitions_change(duckdb_stall: Stall) -> None:
    duckdb_stall.ask(filters=[{"field": "fruit", "op": "in", "values": ["pear"]}])
    old = duckdb_stall.gateway.house.layer
    duckdb_stall.edit(LAYER_FILE, "type: sum", "type: max")
    new = duckdb_stall.gateway.house.layer
    (mine,) = duckdb_stall.gateway.revise(ANN, old, new).changed
    (theirs,) = duckdb_stall.gateway.revise(AUDREY, old, new).changed
    assert "pear" in mine.new_sql
    assert "MAX" in theirs.new_sql
    assert "pear" not in theirs.model_dump_json()


@pytest.fixture
def folder(duckdb_stall: Stall) -> str:
    """The stall's folder, with one question on record and nobody in it."""
    duckdb_stall.ask(time={"grain": "month"})
    duckdb_stall.gateway.close()
    return str(duckdb_stall.folder)


def _printed(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_the_command_exits_with_3_unless_all_is_the_same(
    folder: str, duckdb_stall: Stall, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", "--sample", "5", "--project", folder, "--json"]) == 0
    assert _printed(capsys)["verdicts"] == {"same": 1}
    policy = duckdb_stall.folder / "candidate.yml"
    written = (duckdb_stall.folder / "policies" / "policy.yml").read_text(encoding="utf-8")
    policy.write_text(written.replace("governed: autonomous", "governed: shadow"), encoding="utf-8")
    against = ["--against", f"policy={policy}"]
    assert run(["replay", "--since", "2026-01-01", *against, "--project", folder, "--json"]) == 3
    found = _printed(capsys)
    assert found["verdicts"] == {"policy": 1}
    assert found["changed"][0]["report"]["causes"][0]["name"] == "release.governed"


def test_a_sample_of_nothing_is_no_success(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", "--since", "2999-01-01", "--project", folder, "--json"]) == 3
    assert _printed(capsys)["verdict"] == "nothing"


def test_a_candidate_layer_may_be_a_folder_or_a_project(
    folder: str, duckdb_stall: Stall, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (folder, f"{folder}/metrics"):
        assert (
            run(["replay", "--sample", "1", "--against", f"layer={path}", "--project", folder, "--json"]) == 0
        )
        assert _printed(capsys)["same"] == 1


@pytest.mark.parametrize(
    "arguments",
    [[], ["some-trace", "--sample", "3"], ["--sample", "1", "--against", "policy=nowhere.yml"]],
    ids=["nothing named", "both named", "no such candidate"],
)
def test_what_cannot_be_meant_is_said(
    folder: str, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", *arguments, "--project", folder, "--json"]) == 2
    (issue,) = _printed(capsys)["issues"]
    assert issue["next_step"]


def test_two_traces_are_held_side_by_side(stall: Stall) -> None:
    one = stall.ask(dimensions=["fruit"])
    other = stall.ask(dimensions=["fruit"], filters=[{"field": "fruit", "op": "in", "values": ["pear"]}])
    found = stall.gateway.diff_traces(ANN, one.trace_id, other.trace_id)
    assert found is not None
    assert [each.name for each in found.plan] == ["filters"]
    assert found.sql.read and any("pear" in piece for piece in found.sql.only_new)
    assert not any("SELECT" in piece for piece in (*found.sql.only_old, *found.sql.only_new)), (
        "pieces, not texts"
    )
    assert ("rows", "2", "1") in [(each.name, each.old, each.new) for each in found.shape]
    assert [(each.name, each.new) for each in found.numbers] == [("apple/takings", "")]
    assert found.first_step == "plan"


def test_an_auditor_sees_two_traces_without_their_values(duckdb_stall: Stall) -> None:
    secret = {"filters": [{"field": "fruit", "op": "in", "values": ["pear"]}]}
    one, other = duckdb_stall.ask(), duckdb_stall.ask(**secret)
    found = duckdb_stall.gateway.diff_traces(AUDREY, one.trace_id, other.trace_id)
    assert found is not None and "sql" in found.parted
    assert "pear" not in found.model_dump_json()
    assert "2370" not in found.model_dump_json()
    assert duckdb_stall.gateway.diff_traces(AUDREY, one.trace_id, "none") is None


def test_the_same_question_twice_has_nothing_between(duckdb_stall: Stall) -> None:
    one, other = duckdb_stall.ask(), duckdb_stall.ask()
    found = duckdb_stall.gateway.diff_traces(ANN, one.trace_id, other.trace_id)
    assert found is not None
    assert (found.parted, found.sql.only_new, found.shape, found.numbers) == ((), (), (), ())
