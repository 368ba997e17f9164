"""From a dry run to an estimate: how far it can be trusted, which tables are read whole, what is hidden."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.engines.base import EngineError
from gateway.engines.bigquery_plan import HIDDEN, UNSEEN, Priced, estimate, whole_selects
from gateway.engines.bigquery_tables import Stored
from gateway.engines.bigquery_text import require_same_tables, text_of
from tests.gateway.engines.bigquery_house import ANN, LIMITS, Bighouse, shop_project
from tests.servers.bigquery import running

pytestmark = pytest.mark.engine("bigquery")

EVENTS, DAYS, VIEW = "p.shop.events", "p.shop.days", "p.shop.view"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
READ = {EVENTS: frozenset({"kind"})}


def _stored(name: str = EVENTS, rows: int | None = 1000, *, parted: bool = True) -> Stored:
    return Stored(name, "TABLE", rows, NOW, parted, (("day", "DATE"), ("kind", "STRING")))


def _priced(read: int | None = 500, accuracy: str = "PRECISE", sql: str = "SELECT", *more: str) -> Priced:
    return Priced(sql, read, accuracy, (EVENTS, *more))


@pytest.mark.parametrize(
    ("accuracy", "bound"),
    [
        ("PRECISE", "exact"),
        ("UPPER_BOUND", "upper"),
        ("LOWER_BOUND", "unknown"),
        ("UNKNOWN", "unknown"),
        ("", "unknown"),
    ],
)
def test_bytes_are_trusted_as_far_as_the_service_vouches_for_them(accuracy: str, bound: str) -> None:
    found = estimate(_priced(accuracy=accuracy), {EVENTS: _stored()}, READ, {EVENTS: 800})
    assert (found.bytes, found.bound) == (500, bound)
    assert bool(found.notes) or bound != "unknown"


@pytest.mark.parametrize("read", [None, 0])
def test_a_figure_that_is_kept_back_is_unknown_and_never_nothing(read: int | None) -> None:
    found = estimate(_priced(read), {EVENTS: _stored()}, READ, {})
    assert (found.bytes, found.bound, found.row_secured) == (None, "unknown", True)
    assert found.notes == (HIDDEN,)


def test_a_statement_that_could_not_be_read_is_not_free() -> None:
    assert estimate(_priced(0), {EVENTS: _stored()}, None, {}).bound == "unknown"


def test_counting_rows_reads_nothing_and_says_so() -> None:
    found = estimate(_priced(0), {EVENTS: _stored()}, {}, {})
    assert (found.bytes, found.rows, found.bound, found.row_secured) == (0, 1000, "exact", False)


def test_an_empty_table_is_free() -> None:
    assert estimate(_priced(0), {EVENTS: _stored(rows=0)}, READ, {EVENTS: 0}).bound == "exact"


def test_recursion_has_no_price() -> None:
    found = estimate(_priced(sql="WITH  recursive t AS (SELECT 1) SELECT 1"), {EVENTS: _stored()}, READ, {})
    assert found.bound == "unknown"


def test_a_table_the_asker_may_not_look_at_has_no_rows_and_counts_as_read_whole() -> None:
    found = estimate(_priced(), {EVENTS: None}, READ, {})
    assert found.rows is None
    assert found.scans[0].full


def test_with_several_tables_the_bytes_of_each_are_not_known_but_all_of_one_is_still_too_many() -> None:
    stored = {EVENTS: _stored(), DAYS: _stored(DAYS, 10, parted=False)}
    part = estimate(_priced(500, "PRECISE", "SELECT", DAYS), stored, READ, {EVENTS: 800})
    assert [scan.full for scan in part.scans] == [False, True]
    assert [scan.bytes for scan in part.scans] == [None, None]
    assert UNSEEN in part.notes
    whole = estimate(_priced(900, "PRECISE", "SELECT", DAYS), stored, READ, {EVENTS: 800})
    assert [scan.full for scan in whole.scans] == [True, True]
    assert whole.rows == 1010


@given(st.integers(1, 10**12), st.integers(1, 10**12), st.integers(0, 10**9))
def test_rows_grow_with_the_bytes_and_never_above_the_table(read: int, whole: int, rows: int) -> None:
    found = estimate(_priced(read), {EVENTS: _stored(rows=rows)}, READ, {EVENTS: whole})
    assert found.rows is not None
    assert found.rows <= rows
    assert found.rows * whole >= min(rows * read, rows * whole)
    assert found.scans[0].full == (read >= whole)


def test_only_tables_that_can_be_read_in_part_are_priced_whole() -> None:
    tables = (_stored(), _stored(DAYS, parted=False), None)
    columns = {EVENTS: frozenset({"kind", "day"}), DAYS: frozenset({"day"})}
    assert dict(whole_selects(tables, columns)) == {EVENTS: "SELECT `day`, `kind` FROM `p`.`shop`.`events`"}
    assert not dict(whole_selects(tables, {}))
    assert not dict(whole_selects(tables, None))


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT kind FROM events WHERE day > DATE '2026-01-01'", {EVENTS: {"kind", "day"}}),
        ("SELECT count(*) AS n FROM `p`.`shop`.`events` AS e", {}),
        ("WITH e AS (SELECT * FROM events) SELECT max(e.day) AS d FROM e", {EVENTS: {"kind", "day"}}),
        ("SELECT nothing FROM events", None),
        ("SELECT 1; SELECT 2", None),
    ],
)
def test_the_columns_of_a_statement_are_read_or_it_is_said_that_they_are_not(
    sql: str, found: dict[str, set[str]] | None
) -> None:
    assert text_of(sql, (_stored(),), "p", "shop").columns == found


@pytest.mark.parametrize(
    ("named", "said", "fits"),
    [
        ((), (), True),
        ((EVENTS,), (EVENTS,), True),
        ((EVENTS, DAYS), (DAYS, EVENTS), True),
        ((EVENTS,), (DAYS,), False),
        ((EVENTS,), (EVENTS, DAYS), False),
        ((EVENTS, DAYS), (EVENTS,), False),
        ((EVENTS,), (), False),
        ((), (EVENTS,), False),
        ((VIEW,), (EVENTS,), True),
        ((VIEW,), (VIEW, EVENTS), True),
        ((VIEW, DAYS), (EVENTS,), False),
        (("p.shop.unknown",), (EVENTS,), False),
    ],
)
def test_the_service_has_to_read_the_tables_that_the_text_names(
    named: tuple[str, ...], said: tuple[str, ...], fits: bool
) -> None:
    stored = {
        EVENTS: _stored(),
        DAYS: _stored(DAYS),
        VIEW: replace(_stored(VIEW), kind="VIEW"),
        "p.shop.unknown": None,
    }
    if fits:
        require_same_tables(named, said, stored)
        return
    with pytest.raises(EngineError) as caught:
        require_same_tables(named, said, stored)
    assert caught.value.code == "tables_differ"


def test_a_text_that_the_service_understands_otherwise_never_runs() -> None:
    project = shop_project()
    project.mistaken["shop", "customers"] = ("shop", "events")
    with running(project) as standin:
        house = Bighouse(standin)
        with pytest.raises(EngineError) as caught:
            house.engine().run("SELECT count(*) FROM customers", ANN, LIMITS, "q")
        house.close()
    assert caught.value.code == "tables_differ"
    assert all(request.dry_run for request in project.log)


def test_what_is_known_of_tables_is_asked_once_a_minute(bighouse: Bighouse) -> None:
    engine, sql = bighouse.engine(), "SELECT kind FROM events WHERE event_time < DATETIME '2023-01-02'"
    assert not engine.explain(sql, ANN, LIMITS).scans[0].full
    before = len(bighouse.project.log)
    engine.explain(sql, ANN, LIMITS)
    assert len(bighouse.project.log) == before + 1
