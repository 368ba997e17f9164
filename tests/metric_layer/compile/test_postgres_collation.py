"""A PostgreSQL database that sorts by a language answers as DuckDB does, which sorts by bytes."""

from collections.abc import Callable, Iterator

import pytest

from metric_layer.compile import compile_guard, compile_role_view
from metric_layer.layer import Layer
from metric_layer.load import load_text
from metric_layer.plan import Filter
from tests.metric_layer.both_engines import BothEngines, both_engines
from tests.metric_layer.trap_shop import resolved_of
from tests.servers.postgres import Server

WORDS = ["", "B", "Zoë", "_", "a", "b", "zebra", "Äpfel", "ångström", "apple pie", "apple-pie", "100"]
LAYER = """
datasets:
  - {name: words, relation: words, primary_key: [id],
     columns: [{name: id, type: integer}, {name: word, type: string}, {name: mood, type: string}]}
  - {name: uses, relation: uses, primary_key: [id],
     columns: [{name: id, type: integer}, {name: word_id, type: integer}]}
relationships:
  - {name: use_word, from_dataset: uses, to_dataset: words, from_columns: [word_id], to_columns: [id]}
dimensions:
  - {name: word, dataset: words, column: word}
  - {name: mood, dataset: words, column: mood}
metrics:
  - {name: words, version: 1, owner: o, description: d, type: count, dataset: words}
  - {name: uses, version: 1, owner: o, description: d, type: count, dataset: uses}
  - {name: first, version: 1, owner: o, description: d, type: min, dataset: words, column: word}
  - {name: last, version: 1, owner: o, description: d, type: max, dataset: words, column: word}
"""


@pytest.fixture(scope="module")
def layer() -> Layer:
    return load_text(LAYER)


@pytest.fixture(scope="module")
def english(postgres_servers: Callable[[int], Server]) -> Iterator[BothEngines]:
    """Only Debian's 15 of our servers knows the collations of languages."""
    with both_engines(postgres_servers(15), options="LOCALE_PROVIDER icu ICU_LOCALE 'en-US'") as engines:
        # a layer calls an enum a string too; to PostgreSQL its order is that of its declaration
        engines.postgres.execute("CREATE TYPE mood AS ENUM ('sad', 'glad', 'Mad')")
        engines.duckdb.execute("CREATE TYPE mood AS VARCHAR")
        engines.execute("CREATE TABLE words (id INTEGER, word VARCHAR, mood mood)")
        engines.execute("CREATE TABLE uses (id INTEGER, word_id INTEGER)")
        moods = ["sad", "glad", "Mad", None]
        engines.insert("words", [(n, word, moods[n % 4]) for n, word in enumerate([*WORDS, None])])
        engines.insert("uses", [(n, n % 7) for n in range(20)])
        yield engines


def test_the_database_would_sort_by_its_language(english: BothEngines) -> None:
    found = english.postgres.execute("SELECT word FROM words WHERE word > 'a' ORDER BY word").fetchall()
    assert [word for (word,) in found] != sorted(word for word in WORDS if word > "a")


@pytest.mark.parametrize("direction", ["asc", "desc"])
@pytest.mark.parametrize("metrics", [["words"], ["words", "uses"], ["uses", "first"]])
def test_rows_are_ordered_and_cut_alike(
    metrics: list[str], direction: str, layer: Layer, english: BothEngines
) -> None:
    plan: dict[str, object] = {"metrics": metrics, "dimensions": ["word"]}
    rows = english.rows({**plan, "order": {"by": "word", "dir": direction}, "limit": 5}, layer)
    assert [row[0] for row in rows[:5]] == sorted(WORDS, reverse=direction == "desc")[:5]
    tied: dict[str, object] = {**plan, "order": {"by": metrics[0], "dir": direction}, "limit": 3}
    assert len(english.rows(tied, layer)) in (3, 4)


def test_the_first_and_the_last_text_are_the_same(layer: Layer, english: BothEngines) -> None:
    assert english.rows({"metrics": ["first", "last"]}, layer) == [("", max(WORDS))]
    by_mood = english.rows({"metrics": ["last", "first", "words"], "dimensions": ["mood"]}, layer)
    assert [row[0] for row in by_mood] == ["Mad", "glad", "sad", None]
    ordered: dict[str, object] = {"metrics": ["last"], "dimensions": ["mood"], "order": {"by": "last"}}
    last = [str(row[1]) for row in english.rows(ordered, layer)]
    assert last == sorted(last)


@pytest.mark.parametrize("op", ["lt", "le", "gt", "ge", "between"])
@pytest.mark.parametrize("metric", ["words", "uses"])
def test_texts_are_compared_alike(op: str, metric: str, layer: Layer, english: BothEngines) -> None:
    for word in ("B", "_", "a", "zebra"):
        values = [word] if op != "between" else ["A", word]
        filters = [{"field": "word", "op": op, "values": values}]
        english.rows({"metrics": [metric], "dimensions": ["word"], "filters": filters}, layer)
        having = [{"metric": "last", "op": op, "values": values}]
        english.rows({"metrics": ["words", "last"], "dimensions": ["mood"], "filters": having}, layer)


def test_a_row_rule_keeps_the_same_rows(english: BothEngines) -> None:
    layer = load_text(LAYER.replace("relation: words", "relation: main.words"))
    for word in ("B", "_", "zebra"):
        rule = Filter(field="word", op="le", values=(word,))
        ours, theirs = (
            compile_role_view(layer, "words", ["word"], [rule], engine).replace("{source}.", "")
            for engine in ("duckdb", "postgres")
        )
        kept = english.duckdb.execute(ours).fetchall()
        assert sorted(kept) == sorted(english.postgres.execute(theirs.encode()).fetchall())
        assert kept


def test_the_guard_counts_the_rows_the_question_reads(layer: Layer, english: BothEngines) -> None:
    filters = [{"field": "word", "op": "lt", "values": ["a"]}]
    plan = resolved_of({"metrics": ["uses"], "dimensions": ["word"], "filters": filters}, layer)
    counts = []
    for connection, engine in ((english.duckdb, "duckdb"), (english.postgres, "postgres")):
        guard = compile_guard(plan, layer, engine)
        assert guard is not None
        counts.append(connection.execute(guard.sql(dialect=engine)).fetchall())
    assert counts[0] == counts[1]
