"""A run asks one case at a time, beside live gold SQL, and its report folds nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import count

import duckdb
import pytest

from evals.bench import Bench
from evals.cases import Case, OwnersNumber
from evals.report import EvalReport, Mean, summarise
from evals.run import CaseRun
from evals.runner import RunPlan, run_plan
from evals.subject import Asked, Given
from evals.tables import Failure, ResultTable, table_from_rows
from metric_layer.sql.components import Warehouse

SHOP = """
CREATE TABLE stores (id INT, city VARCHAR);
INSERT INTO stores VALUES (1, 'Lyon'), (2, 'Nice'), (3, 'Metz');
CREATE TABLE sales (store INT, amount INT);
INSERT INTO sales VALUES (1, 10), (1, 5), (2, 7), (3, 1);
"""
GOLD = "SELECT city, SUM(amount) FROM stores JOIN sales ON store = id GROUP BY city"
TOTAL = Case(id="total", question="Amount by city?", phrasings=("per city",), gold_sql=GOLD)
TWIN = Case(id="twin", question="City totals?", gold_sql=GOLD.lower())


@dataclass
class Recorded:
    """Answers from a list, and what it was asked."""

    answers: dict[str, Given]
    asked: list[Asked] = field(default_factory=list)

    def answer(self, asked: Asked) -> Given:
        self.asked.append(asked)
        return self.answers[asked.case_id]


@dataclass
class Engine:
    """A database that keeps what it ran."""

    connection: duckdb.DuckDBPyConnection
    ran: list[str] = field(default_factory=list)

    def run(self, sql: str) -> ResultTable | Failure:
        self.ran.append(sql)
        try:
            found = self.connection.execute(sql)
        except duckdb.Error as fault:
            return Failure(str(fault))
        return table_from_rows(found.fetchall(), len(found.description or ()))


@pytest.fixture
def engine() -> Iterator[Engine]:
    with duckdb.connect() as connection:
        connection.execute(SHOP)
        yield Engine(connection)


@pytest.fixture
def bench(engine: Engine) -> Bench:
    warehouse = Warehouse("duckdb", {"stores": ("id", "city"), "sales": ("store", "amount")}, "main")
    ticks = count()
    return Bench(
        warehouse,
        engine.run,
        retrieve=lambda _: ("stores", "calendar"),
        data="monday",
        clock=lambda: float(next(ticks)),
    )


def run_cases(
    cases: tuple[Case, ...], subject: Recorded, bench: Bench, *, phrasings: bool = False
) -> Iterator[CaseRun]:
    plan = RunPlan(known=cases, subject_name="recorded", phrasings=phrasings, at_once=1)
    return (line.run for line in run_plan(plan, subject, bench))


def only(case: Case, given: Given, bench: Bench) -> CaseRun:
    return next(run_cases((case,), Recorded({case.id: given}), bench))


def test_a_run_scores_every_family_and_hides_twins(bench: Bench) -> None:
    subject = Recorded(
        {name: Given("answer", sql=GOLD, offered=("stores", "sales")) for name in ("total", "twin")}
    )
    runs = list(run_cases((TOTAL, TWIN), subject, bench, phrasings=True))
    assert [(run.case_id, run.phrasing) for run in runs] == [("total", 0), ("total", 1), ("twin", 0)]
    assert [asked.exclude for asked in subject.asked] == [
        ("total", "twin"),
        ("total", "twin"),
        ("twin", "total"),
    ]
    first = runs[0].scores
    assert first is not None and first.output.exact and first.component is not None
    assert first.retrieval is not None and (first.retrieval.score.recall, first.retrieval.spurious) == (
        0.5,
        1,
    )
    assert runs[0].offered_inside.score.recall == 1.0


def test_of_what_an_agent_retrieved_only_definitions_of_tables_were_offered(bench: Bench) -> None:
    texts = ("CREATE TABLE stores (id INT, city VARCHAR)", GOLD, "sales has one row per sale")
    inside = only(TOTAL, Given("answer", sql=GOLD, retrieved=texts), bench).offered_inside
    assert (inside.score.precision, inside.score.recall, inside.spurious) == (1.0, 0.5, 0)
    nothing = only(TOTAL, Given("answer", sql=GOLD), bench).offered_inside
    assert (nothing.score.recall, nothing.spurious) == (None, None)


def test_fan_out_is_named_by_the_families(bench: Bench) -> None:
    fanned = "SELECT city, SUM(s.amount) FROM stores JOIN sales s ON store = id, sales t GROUP BY city"
    report = summarise([only(TOTAL, Given("answer", sql=fanned), bench)])
    assert report.families["columns"]["precision"] == Mean(mean=0.5, n=1)
    assert report.families["component"]["tables precision"] == Mean(mean=1.0, n=1)
    assert report.faults == {"wrong_answer_released": 1}


def test_what_is_not_one_select_never_reaches_the_engine(bench: Bench, engine: Engine) -> None:
    run = only(TOTAL, Given("answer", sql="DROP TABLE sales"), bench)
    assert engine.ran == [GOLD]
    assert run.scores is not None and run.scores.ceilings.candidate_failed
    assert run.scores.output.columns.recall == 0.0


def test_a_text_our_parser_cannot_read_may_still_run(bench: Bench, engine: Engine) -> None:
    run = only(TOTAL, Given("answer", sql="SELECT FROM WHERE"), bench)
    assert len(engine.ran) == 2
    assert run.scores is not None and run.scores.ceilings.candidate_unparsed
    assert run.scores.component is not None and run.scores.component.tables.recall == 0.0


def test_a_failed_gold_is_counted_and_scores_nothing(bench: Bench) -> None:
    case = TOTAL.model_copy(update={"gold_sql": "SELECT town FROM stores"})
    run = only(case, Given("answer", sql=GOLD), bench)
    assert run.scores is not None and run.scores.output.exact is None
    report = summarise([run])
    assert report.ceilings["gold_failed"] == 1
    assert report.families["columns"]["recall"] == Mean(mean=None, n=0)
    assert not report.faults


def test_the_table_a_subject_showed_is_scored_and_not_run_again(bench: Bench, engine: Engine) -> None:
    shown = table_from_rows([("Lyon", 15), ("Nice", 7), ("Metz", 1)], 2)
    run = only(TOTAL, Given("answer", sql=GOLD, result=shown), bench)
    assert engine.ran == [GOLD]
    assert run.scores is not None and run.scores.output.exact


NUMBER = Case(
    id="number",
    question="Total?",
    metric="revenue",
    version=3,
    number=OwnersNumber(value=Decimal("100"), tolerance=Decimal("0.5"), data="monday"),
)


@pytest.mark.parametrize(("number", "right"), [("100.5", True), ("100.51", False), (None, False)])
def test_the_owners_number_is_right_within_the_tolerance(
    number: str | None, right: bool, bench: Bench
) -> None:
    stated = None if number is None else Decimal(number)
    answer = only(NUMBER, Given("answer", number=stated), bench).answer
    assert answer.right_value is right
    assert answer.fault == ("" if right else "wrong_answer_released")


def test_the_definition_and_its_version_are_judged_apart_from_the_number(bench: Bench) -> None:
    def judged(*used: tuple[str, int]) -> bool | None:
        given = Given("answer", number=Decimal(100), used=used or None)
        return only(NUMBER, given, bench).answer.right_definition

    assert [judged(("revenue", 3)), judged(("revenue", 2)), judged()] == [True, False, None]


def test_a_number_about_other_data_is_stale_counted_and_not_scored(bench: Bench) -> None:
    run = only(NUMBER, Given("answer", number=Decimal(7)), replace(bench, data="tuesday"))
    assert run.answer.right_value is None and not run.answer.fault
    assert summarise([run]).ceilings["stale"] == 1


def test_a_right_abstention_a_wrong_block_and_an_answer_that_should_not_be(bench: Bench) -> None:
    weather = Case(id="weather", question="Rain?", expect="abstain")
    runs = [
        only(weather, Given("abstain"), bench),
        only(weather, Given("answer"), bench),
        only(TOTAL, Given("refuse", checks=("fan_out",), left_out=False), bench),
    ]
    report = summarise(runs)
    assert report.answers == {"abstain": {"abstain": 1, "answer": 1}, "answer": {"refuse": 1}}
    assert report.faults == {"wrong_answer_released": 1, "blocked_wrongly": 1}
    assert (report.stopped_by, report.ceilings["not_left_out"]) == ({"fan_out": 1}, 1)


def test_what_was_never_asked_is_neither_right_nor_wrong(bench: Bench) -> None:
    weather = Case(id="weather", question="Will it rain?", expect="abstain")
    run = only(weather, Given("not_asked", checks=("no_gold_plan",)), bench)
    assert (run.answer.right_action, run.answer.fault) == (None, "")
    assert summarise([run]).families["answer"]["right_action"] == Mean(mean=None, n=0)


def test_undefined_is_left_out_and_every_mean_carries_its_n(bench: Bench) -> None:
    plain = Case(id="plain", question="Cities?", gold_sql="SELECT city FROM stores")
    runs = [
        only(TOTAL, Given("answer", sql=GOLD), bench),
        only(plain, Given("answer", sql=plain.gold_sql), bench),
    ]
    component = summarise(runs).families["component"]
    assert component["group_by precision"] == Mean(mean=1.0, n=1)
    assert component["filters recall"] == Mean(mean=None, n=0)
    assert component["tables recall"] == Mean(mean=1.0, n=2)


def test_the_report_says_what_a_shape_points_at_and_reads_back_from_json(bench: Bench) -> None:
    short = only(TOTAL, Given("answer", sql=f"{GOLD} HAVING SUM(amount) > 5"), bench)
    report = summarise([short])
    assert report.cases[0].reading[-1] == "cells recall below precision: too few rows"
    assert report.readings["cells recall below precision: too few rows"] == 1
    assert EvalReport.model_validate_json(report.model_dump_json()) == report


def test_the_same_run_twice_says_the_same(bench: Bench) -> None:
    given = Given("answer", sql=f"{GOLD} LIMIT 2")
    assert only(TOTAL, given, bench).scores == only(TOTAL, given, bench).scores


def test_a_hundred_twins_are_each_asked_without_the_others(bench: Bench) -> None:
    cases = tuple(TOTAL.model_copy(update={"id": f"case {place}"}) for place in range(100))
    shown = table_from_rows([("Lyon", 15), ("Nice", 7), ("Metz", 1)], 2)
    subject = Recorded({case.id: Given("answer", sql=GOLD, result=shown) for case in cases})
    report = summarise(list(run_cases(cases, subject, replace(bench, execute=lambda _: shown))))
    assert report.families["cells"]["recall"] == Mean(mean=1.0, n=100)
    assert {len(asked.exclude) for asked in subject.asked} == {100}
