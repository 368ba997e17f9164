"""A run goes on where it stopped, asks several at once, and is held against another run in pairs."""

import json
import re
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pytest
from jsonschema import Draft202012Validator

from evals.bench import Bench
from evals.cases import Case, load_cases, twins_among
from evals.compare import compare
from evals.junit import as_junit
from evals.page import report_page
from evals.pairs import read_pairs, write_cases
from evals.report import summarise_lines
from evals.results import ResultsInvalid, RunLine, append, read_results, resumed
from evals.runner import RunPlan, run_plan
from evals.schema import schemas
from evals.subject import Asked, Given
from evals.tables import Failure, ResultTable, table_from_rows
from metric_layer.sql.components import Warehouse

GOLD = "SELECT city, n FROM t"
ROWS = [("Lyon", 1), ("Nice", 2), ("Metz", 3)]
WRONG = [("Lyon", 1), ("Nice", 9), ("Metz", 3), ("Metz", 3)]
CASES = tuple(
    Case(id=f"c{at}", question="How many?", phrasings=("n?",), gold_sql=f"{GOLD} WHERE n > {at}", tags=(tag,))
    for at, tag in enumerate(("even", "odd") * 4)
)


@dataclass
class Agent:
    """Shows `rows`; slow enough that questions overlap where they may."""

    rows: Sequence[tuple[object, ...]] = tuple(ROWS)
    seconds: float = 0.0
    asked: list[Asked] = field(default_factory=list)
    now: int = 0
    most: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, asked: Asked) -> Given:
        with self.lock:
            self.asked.append(asked)
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self.seconds)
        with self.lock:
            self.now -= 1
        return Given("answer", sql=GOLD, result=table_from_rows(self.rows, 2))


@pytest.fixture
def bench() -> Bench:
    warehouse = Warehouse("duckdb", {"t": ("city", "n")}, "main")
    return Bench(warehouse, lambda _: table_from_rows(ROWS, 2), shown_rows=10)


def lines(agent: Agent, bench: Bench, **more: object) -> tuple[RunLine, ...]:
    plan = RunPlan(known=CASES, subject_name="agent", **more)  # type: ignore[arg-type]
    return tuple(run_plan(plan, agent, bench))


def test_several_questions_are_under_way_at_once_and_never_more(bench: Bench) -> None:
    agent = Agent(seconds=0.05)
    found = lines(agent, bench, at_once=4, phrasings=True)
    assert len(found) == 16 and 2 <= agent.most <= 4
    assert {line.run.case_id for line in found} == {case.id for case in CASES}


def test_tags_and_samples_choose_the_same_cases_every_time(bench: Bench) -> None:
    odd = lines(Agent(), bench, tags=frozenset(("odd",)))
    assert {line.run.case_id for line in odd} == {"c1", "c3", "c5", "c7"}
    samples = [{line.run.case_id for line in lines(Agent(), bench, sample=3)} for _ in range(2)]
    assert samples[0] == samples[1] and len(samples[0]) == 3


def test_a_run_that_was_stopped_asks_only_what_is_missing(bench: Bench, tmp_path: Path) -> None:
    file, plan = tmp_path / "results.jsonl", RunPlan(known=CASES, subject_name="agent", at_once=1)
    first = Agent()
    begun = append(file, run_plan(plan, first, bench))
    kept = [next(begun) for _ in range(3)]
    begun.close()
    with file.open("ab") as half:
        half.write(b'{"v": 1, "subj')
    second = Agent()
    done = resumed(file)
    rest = tuple(append(file, run_plan(plan, second, bench, done)))
    assert [line.key for line in done] == [line.key for line in kept]
    assert len(done) + len(rest) == len(CASES)
    assert not {a.case_id for a in second.asked} & {line.run.case_id for line in done}
    assert {line.key for line in read_results(file)} == {line.key for line in (*done, *rest)}
    assert file.stat().st_mode & 0o077 == 0


def test_a_case_that_changed_is_asked_again(bench: Bench) -> None:
    done = lines(Agent(), bench)
    changed = (CASES[0].model_copy(update={"question": "How many now?"}), *CASES[1:])
    agent = Agent()
    again = tuple(run_plan(RunPlan(known=changed, subject_name="agent"), agent, bench, done))
    assert [line.run.case_id for line in again] == ["c0"]


def test_a_line_that_is_no_result_is_named(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text('{"v": 2}\n', encoding="utf-8")
    with pytest.raises(ResultsInvalid) as fault:
        read_results(file)
    assert fault.value.issues[0].place.endswith(":1")


def test_repeats_show_their_spread(bench: Bench) -> None:
    found = lines(Agent(), bench, repeats=2)
    assert len(found) == 16
    spread = summarise_lines(found).spread
    assert spread["cells recall"] == (1.0, 1.0)


def test_two_runs_differ_in_pairs_and_the_cases_that_moved_are_named(bench: Bench) -> None:
    found = compare(lines(Agent(), bench), lines(Agent(rows=WRONG), bench))
    of = {(d.family, d.name): d for d in found.differences}
    cells = of["cells", "recall"]
    assert (cells.before, cells.n, cells.worse, cells.better) == (1.0, 8, 8, 0)
    assert cells.after == pytest.approx(5 / 6) and cells.difference == pytest.approx(-1 / 6)
    assert of["columns", "recall"].difference < 0 and found.both == 8
    assert {case.case_id for case in found.moved} == {case.id for case in CASES}
    same = compare(lines(Agent(), bench), lines(Agent(), bench))
    assert not same.moved and not [d for d in same.differences if d.difference]


def test_cases_that_only_one_run_asked_or_that_changed_are_left_out_and_named(bench: Bench) -> None:
    before = lines(Agent(), bench)
    changed = before[1].model_copy(update={"case_digest": "other"})
    found = compare(before, (*before[2:], changed))
    assert (found.only_before, found.changed_cases, found.both) == (
        (before[0].run.case_id,),
        (before[1].run.case_id,),
        6,
    )


def test_a_wording_or_a_repeat_that_one_run_lacks_is_named_beside_its_case(bench: Bench) -> None:
    twice = lines(Agent(), bench, repeats=2)
    again = twice[-1].run
    first = twice[0].model_copy(update={"run": twice[0].run.model_copy(update={"phrasing": 1})})
    found = compare((*twice, first), twice[:-1])
    assert found.only_before == tuple(
        sorted((f"{first.run.case_id} (wording 1)", f"{again.case_id} (repeat 2)"))
    )
    assert found.only_after == () and found.both == 15


def test_junit_fails_nothing_and_calls_what_was_not_scored_an_error(bench: Bench) -> None:
    def broken(sql: str) -> ResultTable | Failure:
        return Failure("no such table") if "> 3" in sql else table_from_rows(ROWS, 2)

    failing = Bench(bench.warehouse, broken)
    root = ElementTree.fromstring(as_junit(lines(Agent(rows=WRONG), failing), "suite"))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("8", "0", "1")
    (error,) = root.findall("testcase[@name='c3']/error")
    assert error.get("message") == "the gold query failed"
    properties = {p.get("name"): p.get("value") for p in root.findall("testcase[@name='c0']//property")}
    assert properties["cells recall"] == "0.833333" and "component group_by recall" not in properties


def test_the_page_colours_what_agrees_and_shows_both_queries_as_a_diff(bench: Bench) -> None:
    found = lines(Agent(rows=WRONG), bench, sample=1)
    shown = found[0].run.shown
    scores = found[0].run.scores
    assert shown is not None and scores is not None
    assert len(shown.agree) == scores.output.matched_cells == 5
    assert [met is None for met in shown.candidate.meets].count(True) == 1
    page = report_page(found, "duckdb", "<b>Run</b>").decode()
    assert page.count('class="agrees"') == 10 and 'class="differs"' in page and 'class="alone"' in page
    assert "&lt;b&gt;Run" in page and "<b>Run" not in page and "<script" not in page
    assert "src=" not in page and "http" not in page.replace("http-equiv", "")
    assert '<li class="less"><code>WHERE n &gt; 0</code></li>' in page
    prose = re.sub(r"<[^>]*>", "", page.partition("</style>")[2])
    assert not re.findall(r"[a-z]{2}\.[A-Z][a-z]", prose), "sentences stand apart"


def test_pairs_of_the_public_layouts_become_cases_and_read_back(tmp_path: Path) -> None:
    spider = [
        {"question": "How many?", "query": "SELECT count(*) FROM t", "db_id": "a"},
        {"question": "Other?", "query": "SELECT 1", "db_id": "b"},
    ]
    bird = [
        {
            "question_id": 7,
            "question": "How many: in all?",
            "evidence": "all = both",
            "SQL": "select COUNT(*) from t",
            "db_id": "a",
            "difficulty": "simple",
        }
    ]
    files = tmp_path / "spider.json", tmp_path / "bird.jsonl"
    files[0].write_text(json.dumps(spider), encoding="utf-8")
    files[1].write_text("\n".join(map(json.dumps, bird)), encoding="utf-8")
    one, other = read_pairs(files[0], "a"), read_pairs(files[1])
    assert isinstance(one, tuple) and isinstance(other, tuple)
    cases = (*one, *other)
    assert [case.id for case in cases] == ["pair 1", "7"]
    assert cases[1].question == "How many: in all? (all = both)" and cases[1].tags == ("simple", "a")
    assert twins_among(cases, "duckdb") == (("pair 1", "7"),)
    written = tmp_path / "cases.yml"
    written.write_text(write_cases(cases), encoding="utf-8")
    assert load_cases(written) == cases


@pytest.mark.parametrize("text", ["{", "{}", '[{"question": "?"}]', "[1]"])
def test_pairs_that_are_none_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pairs.json"
    file.write_text(text, encoding="utf-8")
    found = read_pairs(file)
    assert isinstance(found, list) and {issue.code for issue in found} == {"bad_pairs"}


def test_every_line_that_is_no_json_is_named_by_its_number(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"question": "a", "sql": "SELECT 1"}\nno\n\n{"question": "b"\n', encoding="utf-8")
    found = read_pairs(file)
    assert isinstance(found, list) and [issue.place for issue in found] == [f"{file}:2", f"{file}:4"]


def test_the_committed_schemas_are_the_models_own_and_hold_what_is_written(bench: Bench) -> None:
    committed = {path.stem: path.read_text(encoding="utf-8") for path, _ in schemas()}
    assert committed == {path.stem: text for path, text in schemas()}, "run python -m evals.schema"
    line = lines(Agent(), bench, sample=1)[0]
    Draft202012Validator(json.loads(committed["result"])).validate(json.loads(line.model_dump_json()))


@pytest.fixture
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (city VARCHAR, n INT)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", ROWS)
        yield connection


def test_a_gold_query_cut_through_a_tie_is_counted_beside_its_score(
    database: duckdb.DuckDBPyConnection,
) -> None:
    def run(sql: str) -> ResultTable | Failure:
        found = database.execute(sql)
        return table_from_rows(found.fetchall(), len(found.description or ()))

    case = Case(id="tie", question="?", gold_sql="SELECT city FROM t ORDER BY n > 0 LIMIT 1")
    bench = Bench(Warehouse("duckdb", {"t": ("city", "n")}, "main"), run)
    (line,) = run_plan(RunPlan(known=(case,), subject_name="a", at_once=1), Agent(), bench)
    assert line.run.gold_issues == ("gold_cut_through_tie",)
    report = summarise_lines([line])
    assert report.ceilings["gold_unstable"] == 1 and list(report.gold_issues) == ["tie"]
    assert "gold_cut_through_tie" in report_page([line], "duckdb", "Run").decode()
