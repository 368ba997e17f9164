"""What must never change a verdict: case of unquoted names, comments, aliases, a CTE around the query."""

import re
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.plan import Dialect
from metric_layer.sql import Reading
from tests.metric_layer.sql.querying import queries
from tests.policies.checks.lending import DIALECTS, judged

TEXTS = (
    "SELECT l.state AS s, COUNT(*) AS n FROM lend.loans AS l GROUP BY l.state ORDER BY n DESC",
    "SELECT m.branch AS b, SUM(l.fee) AS n FROM lend.loans AS l JOIN lend.members AS m ON "
    "l.member_id = m.member_id GROUP BY m.branch",
    "SELECT SUM(l.fee) AS n FROM lend.loans AS l JOIN lend.fines AS f ON f.loan_id = l.loan_id",
    "SELECT l.loan_id AS n FROM lend.loans AS l JOIN lend.members AS m ON l.state = m.branch",
    "SELECT m.mail AS n FROM lend.members AS m",
    "SELECT m.branch AS n FROM lend.members AS m WHERE m.mobile = 'Ab'",
    "SELECT w.pay AS n FROM staff.wages AS w",
    "SELECT g.door AS n FROM lend.gate_log AS g WHERE g.entered_at >= TIMESTAMP '2026-11-01 00:00:00'",
    "SELECT g.door AS n FROM lend.gate_log AS g",
    "SELECT our_udf(l.fee) AS n FROM lend.loans AS l",
    "SELECT l.margin AS n FROM lend.loans AS l",
)
KEPT = frozenset({"lend", "loans", "members", "items", "fines", "gate_log"})
"""Names of tables, whose case BigQuery tells apart."""
COMMENTS = (" ", "\n", "\t", "\r\n", " /* DELETE */ ", " -- note; it's\n")
WORD = re.compile(r"'[^']*'|[A-Za-z_][A-Za-z_0-9]*|\s+|.")

texts = st.sampled_from(TEXTS)
drawn = st.one_of(texts, queries())
dialects = st.sampled_from(DIALECTS)
few = settings(max_examples=max(60, settings().max_examples // 2), deadline=None)


def words(sql: str) -> list[str]:
    """Cut a text into literals, words, white space and signs."""
    return WORD.findall(sql)


@few
@given(drawn, dialects, st.data())
def test_the_case_of_unquoted_names_never_changes_a_verdict(
    sql: str, dialect: Dialect, data: st.DataObject
) -> None:
    change: st.SearchStrategy[Callable[[str], str]] = st.sampled_from((str.upper, str.lower, str.swapcase))
    tables = KEPT if dialect == "bigquery" else frozenset()
    mixed = "".join(
        word if word[0] == "'" or word in tables else data.draw(change)(word) for word in words(sql)
    )
    before, after = judged(sql, dialect), judged(mixed, dialect)
    assert (after.verdict, after.checks) == (before.verdict, before.checks)


@few
@given(drawn, dialects, st.data())
def test_comments_and_white_space_never_change_a_verdict(
    sql: str, dialect: Dialect, data: st.DataObject
) -> None:
    spaced = "".join(data.draw(st.sampled_from(COMMENTS)) if word.isspace() else word for word in words(sql))
    before, after = (
        judged(sql, dialect),
        judged(spaced + data.draw(st.sampled_from(("", ";", " ; -- end"))), dialect),
    )
    assert (after.verdict, after.checks) == (before.verdict, before.checks)


@few
@given(texts, dialects, st.from_regex(r"[a-z]{3,8}_q", fullmatch=True))
def test_renaming_an_alias_never_changes_a_verdict(sql: str, dialect: Dialect, name: str) -> None:
    alias = re.findall(r" AS ([a-z])(?= |$)", sql)[-1]
    renamed = re.sub(rf"(?<![A-Za-z_.]){alias}(?![A-Za-z_'])", name, sql)
    before, after = judged(sql, dialect), judged(renamed, dialect)
    assert (after.verdict, after.checks) == (before.verdict, before.checks)


@few
@given(texts, dialects, st.integers(1, 3))
def test_a_cte_or_a_bracket_around_a_query_never_changes_a_verdict(
    sql: str, dialect: Dialect, depth: int
) -> None:
    before = judged(sql, dialect)
    wrapped, derived = sql.replace(" ORDER BY n DESC", ""), sql.replace(" ORDER BY n DESC", "")
    for level in range(depth):
        wrapped = f"WITH w{level} AS ({wrapped}) SELECT n FROM w{level}"
        derived = f"SELECT d{level}.n FROM ({derived}) AS d{level}"
    for text in (wrapped, derived):
        after = judged(text, dialect)
        assert after.verdict == before.verdict
        assert before.checks <= after.checks


@few
@given(queries(), dialects)
def test_a_cte_or_a_bracket_around_a_drawn_query_never_changes_a_verdict(sql: str, dialect: Dialect) -> None:
    before = judged(sql, dialect)
    plain = sql.removesuffix(" ORDER BY 1 DESC")
    for text in (
        f"WITH w AS ({plain}) SELECT COUNT(*) AS n FROM w",
        f"SELECT COUNT(*) AS n FROM ({plain}) AS d",
    ):
        after = judged(text, dialect)
        assert (after.verdict, after.checks) == (before.verdict, before.checks)


def said(reading: Reading) -> tuple[object, ...]:
    """Return what a reading says of a text, without places and spellings."""
    return (
        [(t.name, t.lower, t.upper) for t in reading.tables],
        reading.columns,
        reading.functions,
        reading.stars,
        [(j.kind, j.pairs, j.declared) for j in reading.joins],
        len(reading.crosses),
        [(f.function, f.source, f.by) for f in reading.fanned],
        reading.scopes,
        reading.outputs,
        reading.components,
    )


@few
@given(drawn, dialects)
def test_what_is_said_of_a_text_holds_for_the_text_that_runs(sql: str, dialect: Dialect) -> None:
    found = judged(sql, dialect).reading
    if found.sql:
        assert said(judged(found.sql, dialect).reading) == said(found)


@few
@given(st.text(max_size=200), dialects)
def test_reading_never_raises_and_never_lets_noise_run(noise: str, dialect: Dialect) -> None:
    found = judged(noise, dialect)
    assert found.verdict != "skipped"
    assert found.verdict == "hard" or found.reading.sql


@few
@given(st.lists(st.sampled_from([w for sql in TEXTS for w in words(sql)]), max_size=40), dialects)
def test_a_shuffled_query_is_read_or_refused(parts: list[str], dialect: Dialect) -> None:
    found = judged(" ".join(parts), dialect)
    assert found.verdict == "hard" or not found.reading.faults
