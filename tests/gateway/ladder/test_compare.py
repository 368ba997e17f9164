"""An analyst's own answer beside a recorded one: agreement is recorded, a disagreement becomes a case."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from gateway.comparing import Compared, OwnFile, OwnNumber, OwnSql, compare
from gateway.doors.cli.main import run
from gateway.ladder.view import ClassView
from gateway.reply import Refusal
from gateway.service import Gateway
from traces.records import Caller
from traces.release_records import AnswerCompared

Edit = Callable[..., None]
Open = Callable[[], Gateway]
Plan = dict[str, object]


@pytest.fixture
def regions() -> Plan:
    """Orders of a quarter by region: several rows."""
    return {
        "metrics": ["order_count"],
        "dimensions": ["region"],
        "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-09-30"},
    }


def figure(gateway: Gateway, trace_id: str) -> Decimal:
    trace = gateway.traces.read(trace_id)
    assert trace is not None and trace.closed is not None
    return next(Decimal(each.value) for each in trace.closed.answer if each.metric)


def report(found: Compared | Refusal) -> Compared:
    assert isinstance(found, Compared), found
    return found


def code(found: Compared | Refusal) -> str:
    assert isinstance(found, Refusal), found
    assert all(issue.next_step for issue in found.issues)
    return found.issues[0].code


def evidence(gateway: Gateway, caller: Caller) -> dict[str, tuple[float | None, int]]:
    view = gateway.ladder.show(caller, "governed")
    assert isinstance(view, ClassView), view
    return {each.name: (each.value, each.n) for each in view.evidence}


def test_a_figure_agrees_within_the_tolerance_that_the_analyst_gives(
    shadow: Gateway, ana: Caller, eva: Caller, olga: Caller, total: Plan
) -> None:
    trace_id = shadow.ask(ana, total).trace_id
    right = figure(shadow, trace_id)
    assert report(compare(shadow, eva, trace_id, OwnNumber(right))).report.agreed
    near = OwnNumber(right + 3, tolerance=Decimal(5))
    assert report(compare(shadow, eva, trace_id, near)).report.agreed
    far = report(compare(shadow, eva, trace_id, OwnNumber(right + 3))).report
    assert (far.agreed, far.told, far.came_to, far.question_class) == (False, False, "answered", "governed")
    assert evidence(shadow, olga)["disagreed"] == (1.0, 1), "the last word on an answer counts"


@pytest.mark.parametrize("wide", ["order_count", "net_revenue"])
def test_an_analyst_of_fewer_rows_never_learns_the_figure_of_more(
    edit: Edit, open_house: Open, ana: Caller, emil: Caller, total: Plan, wide: str, shop: Path
) -> None:
    give(shop, edit, emea_analyst=["ask", "evaluate", "unseal"])
    edit(release={"governed": "shadow"})
    house = open_house()
    plan = {**total, "metrics": [wide]}
    theirs, mine = (house.ask(each, plan).trace_id for each in (ana, emil))
    recorded, narrow = figure(house, theirs), figure(house, mine)
    assert recorded != narrow
    found = report(compare(house, emil, theirs, OwnNumber(recorded))).report
    assert not found.agreed and Decimal(found.ours) == narrow, "held against what emil himself can compute"
    assert report(compare(house, emil, theirs, OwnNumber(narrow))).report.agreed
    regions = {**plan, "dimensions": ["region"]}
    several = house.ask(ana, regions).trace_id
    assert report(compare(house, emil, several, OwnNumber(narrow))).report.agreed, "his rows are one region"


def test_a_figure_is_told_only_to_who_may_unseal(
    edit: Edit, open_house: Open, shop: Path, ana: Caller, eva: Caller, total: Plan
) -> None:
    give(shop, edit, analyst=["ask", "evaluate"])
    edit(release={"governed": "shadow"})
    house = open_house()
    trace_id = house.ask(ana, total).trace_id
    right = figure(house, trace_id)
    peer = ana.model_copy(update={"user": "peter"})
    for caller in (peer, eva):
        blind = report(compare(house, caller, trace_id, OwnNumber(Decimal(1)))).report
        assert (blind.agreed, blind.ours, blind.theirs, blind.came_to) == (False, "", "1", "answered")
        assert report(compare(house, caller, trace_id, OwnNumber(right))).report.agreed
    give(shop, edit, analyst=["ask", "evaluate", "unseal"])
    again = open_house()
    seeing = report(compare(again, peer, trace_id, OwnNumber(Decimal(1)))).report
    assert Decimal(seeing.ours) == right


def test_a_question_over_what_is_hidden_from_an_analyst_is_none_they_may_compare(
    edit: Edit, open_house: Open, shop: Path, ana: Caller, emil: Caller, total: Plan
) -> None:
    give(shop, edit, emea_analyst=["ask", "evaluate"])
    edit(release={"governed": "autonomous", "free": "shadow"})
    house = open_house()
    free = house.ask_planned(ana, lambda _: "SELECT COUNT(*) AS n FROM support_tickets").trace_id
    assert code(compare(house, emil, free, OwnNumber(Decimal(1)))) == "unknown_trace"


def give(shop: Path, edit: Edit, **roles: list[str]) -> None:
    """Write the rights of roles into the shop's policy."""
    policy = yaml.safe_load((shop / "policies" / "policy.yml").read_text(encoding="utf-8"))
    edit(
        roles={
            name: {**body, "may": roles.get(name, body.get("may", []))}
            for name, body in policy["roles"].items()
        }
    )


def test_a_comparison_is_on_record_and_no_figure_of_it_is(
    shadow: Gateway, ana: Caller, eva: Caller, total: Plan
) -> None:
    trace_id = shadow.ask(ana, total).trace_id
    compare(shadow, eva, trace_id, OwnNumber(Decimal("987654321.25")))
    (record,) = (each for each in shadow.traces.records() if isinstance(each, AnswerCompared))
    assert (record.of, record.means, record.agreed, record.told) == (trace_id, "number", False, False)
    assert record.by == shadow.house.subject(eva)
    assert "987654321" not in record.model_dump_json()


def test_a_file_agrees_whatever_the_order_of_its_rows_and_columns(
    shadow: Gateway, ana: Caller, eva: Caller, regions: Plan
) -> None:
    trace_id = shadow.ask(ana, regions).trace_id
    trace = shadow.traces.read(trace_id)
    assert trace is not None and trace.closed is not None
    cited = [each for each in trace.closed.answer if each.metric and each.row_key]
    rows = [f"{each.value},{each.row_key[0]}" for each in reversed(cited)]
    assert len(rows) > 2
    same = report(compare(shadow, eva, trace_id, OwnFile("\n".join(["n,where", *rows]))))
    assert same.report.agreed, same.report
    fewer = report(compare(shadow, eva, trace_id, OwnFile("\n".join(["n,where", *rows[1:]]))))
    assert not fewer.report.agreed


def test_sql_runs_as_the_analyst_under_the_checks_of_an_evaluation(
    shadow: Gateway, ana: Caller, eva: Caller, regions: Plan
) -> None:
    trace_id = shadow.ask(ana, regions).trace_id
    right = (
        "SELECT c.region, COUNT(*) AS n FROM orders AS o"
        " LEFT JOIN customers AS c ON o.customer_id = c.customer_id"
        " WHERE o.order_date >= DATE '2026-07-01' AND o.order_date < DATE '2026-10-01' GROUP BY c.region"
    )
    assert report(compare(shadow, eva, trace_id, OwnSql(right))).report.agreed
    wrong = right.replace("2026-10-01", "2026-09-01")
    assert not report(compare(shadow, eva, trace_id, OwnSql(wrong))).report.agreed
    assert code(compare(shadow, eva, trace_id, OwnSql("DELETE FROM orders"))) == "own_sql_failed"
    assert code(compare(shadow, eva, trace_id, OwnSql("SELECT full_name FROM customers"))) == "own_sql_failed"


def test_what_cannot_be_compared_says_why(
    shadow: Gateway, ana: Caller, eva: Caller, rita: Caller, emil: Caller, total: Plan, regions: Plan
) -> None:
    own = OwnNumber(Decimal(1))
    mine, several = shadow.ask(eva, total).trace_id, shadow.ask(ana, regions).trace_id
    assert code(compare(shadow, eva, mine, own)) == "own_answer"
    assert code(compare(shadow, eva, several, own)) == "many_figures"
    assert code(compare(shadow, ana, several, own)) == "right_missing"
    assert code(compare(shadow, eva, "0" * 32, own)) == "unknown_trace"
    stranger = eva.model_copy(update={"tenant": "other"})
    assert code(compare(shadow, stranger, several, own)) == "unknown_trace"
    wrong = shadow.ask(ana, {"metrics": ["net_revenu"]}).trace_id
    assert code(compare(shadow, eva, wrong, own)) == "unknown_trace"
    assert code(compare(shadow, eva, several, OwnFile("n\n"))) == "own_file_unread"


def test_disagreeing_with_an_answer_that_was_told_is_a_correction(
    open_house: Open, ana: Caller, eva: Caller, olga: Caller, total: Plan, regions: Plan
) -> None:
    house = open_house()
    told = house.ask(ana, total)
    house.ask(ana, regions)
    assert told.outcome == "answered"
    assert report(compare(house, eva, told.trace_id, OwnNumber(Decimal(1)))).report.told
    assert evidence(house, olga)["corrected"] == (0.5, 2)


def test_a_class_goes_down_by_the_rule_of_its_policy_and_old_comparisons_count_once(
    open_house: Open, edit: Edit, ana: Caller, eva: Caller, olga: Caller, total: Plan
) -> None:
    rule = {"measure": "disagreed", "above": 0.4, "last": 10, "least": 2, "to": "shadow", "owner": "finance"}
    edit(release={"governed": "reviewed"}, ladder={"demote": [rule]})
    house = open_house()
    ids = [house.ask(ana, total).trace_id for _ in range(3)]
    right = figure(house, ids[0])
    assert report(compare(house, eva, ids[0], OwnNumber(Decimal(1)))).report.demoted == "", "one is too few"
    assert report(compare(house, eva, ids[1], OwnNumber(right))).report.demoted == "shadow"
    assert house.ask(ana, total).outcome == "not_released"
    view = house.ladder.show(olga, "governed")
    assert isinstance(view, ClassView) and "above 0.4 (finance)" in view.decisions[0].rule
    assert view.decisions[0].genuine and view.decisions[0].by == ""
    house.ladder.move(olga, "governed", None, "the rule of refunds is mended", up=True)
    assert house.ask(ana, total).outcome == "answered"
    swept = house.ladder.sweep(olga)
    assert not isinstance(swept, Refusal) and swept.demoted == ()


def test_a_disagreement_becomes_a_case_that_an_evaluation_asks(
    shop: Path,
    open_house: Open,
    edit: Edit,
    ana: Caller,
    total: Plan,
    capsys: pytest.CaptureFixture[str],
) -> None:
    edit(release={"governed": "shadow"})
    house = open_house()
    trace_id = house.ask(ana, total).trace_id
    right = figure(house, trace_id)
    common = ("--as", "eva", "--json", "--project", str(shop))

    def said(*words: str) -> tuple[int, dict[str, object]]:
        status = run([*words, *common])
        return status, json.loads(capsys.readouterr().out)

    question = ("--question", "net revenue in Q3 2026")
    status, agreed = said("release", "shadow", trace_id, "--answer", str(right), *question)
    assert (status, agreed["case"]) == (0, None)
    status, found = said("release", "shadow", trace_id, "--answer", str(right + 100), *question)
    assert status == 3
    case = found["case"]
    assert isinstance(case, dict) and Path(case["file"]).is_file()
    assert case["case"]["question_class"] == "governed" and case["case"]["trace"] == trace_id
    out = shop / "var" / "runs" / "night.jsonl"
    out.parent.mkdir(parents=True, exist_ok=True)
    status, ran = said("eval", "run", "--agent", "gateway", "--tag", "shadow", "--out", str(out))
    assert status in (0, 3)
    families = ran["families"]
    assert isinstance(families, dict)
    assert families["answer"]["right_action"] == {"mean": 1.0, "n": 1}, "in shadow, an evaluation is told"
    assert families["answer"]["right_value"] == {"mean": 0.0, "n": 1}, "the analyst's figure is the right one"
    status, shown = said("release", "show", "governed")
    figures = {each["name"]: (each["value"], each["n"]) for each in shown["evidence"]}  # type: ignore[attr-defined]
    assert shown["run"] == "night"
    assert figures["eval answer right_value"] == (0.0, 1)
    assert figures["disagreed"] == (1.0, 1)


@pytest.mark.parametrize("means", ["file", "sql"])
def test_a_table_that_disagrees_becomes_a_case_with_its_gold(
    shop: Path,
    open_house: Open,
    edit: Edit,
    tmp_path: Path,
    ana: Caller,
    regions: Plan,
    capsys: pytest.CaptureFixture[str],
    means: str,
) -> None:
    edit(release={"governed": "shadow"})
    trace_id = open_house().ask(ana, regions).trace_id
    own = tmp_path / f"own.{means}"
    texts = {"file": "region,orders\nEMEA,1\nO'Brien,2.5\n", "sql": "SELECT 'EMEA' AS region, 1 AS orders"}
    own.write_text(texts[means], encoding="utf-8")
    common = ("--as", "eva", "--json", "--project", str(shop))
    asked = ("--question", "orders by region in Q3 2026")
    assert run(["release", "shadow", trace_id, f"--{means}", str(own), *asked, *common]) == 3
    case = json.loads(capsys.readouterr().out)["case"]["case"]
    assert "EMEA" in case["gold_sql"] and case["question"]
    out = str(shop / "var" / "run.jsonl")
    run(["eval", "run", "--agent", "gateway", "--tag", "shadow", "--out", out, *common])
    told = json.loads(capsys.readouterr().out)
    assert told["families"]["columns"]["recall"]["n"] == 1, "the gold of the case runs beside the answer"
    assert not told["ceilings"].get("gold_failed") and not told["ceilings"].get("candidate_failed")


def test_one_answer_is_wanted_and_says_so(shop: Path, edit: Edit, capsys: pytest.CaptureFixture[str]) -> None:
    common = ("--as", "eva", "--json", "--project", str(shop))
    assert run(["release", "shadow", "0" * 32, *common]) == 2
    assert json.loads(capsys.readouterr().out)["issues"][0]["code"] == "one_answer"
    assert run(["release", "shadow", "0" * 32, "--answer", "many", *common]) == 2
    assert json.loads(capsys.readouterr().out)["issues"][0]["code"] == "no_number"
