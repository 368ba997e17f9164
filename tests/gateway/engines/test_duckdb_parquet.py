"""Relations that are Parquet files: a role that sees all of one reads it as it is, and opens nothing else."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from gateway.engines import duckdb_session
from gateway.engines.base import EngineError, Identity, Limits, Relation, RoleScope
from gateway.engines.content_hash import ContentHashes
from gateway.engines.duckdb import DuckDBEngine
from gateway.engines.duckdb_extracts import Extracts, scope_over
from gateway.engines.duckdb_promises import inspect_sessions
from gateway.engines.duckdb_session import Session, open_session
from gateway.engines.duckdb_source import Source, whole_of
from gateway.engines.open import open_engine
from gateway.settings.file import DuckDBSettings, EngineSettings

AMOUNT = '"o"."amount" AS "amount"'
ORDERS = (
    f'SELECT "o"."day" AS "day", "o"."region" AS "region", {AMOUNT} FROM {{source}}."main"."orders" AS "o"'
)
MASKED = """CASE WHEN "o"."amount" IS NULL THEN NULL ELSE '***' END AS "amount\""""
ALL_ORDERS = Relation("orders", ORDERS, ("day", "region", "amount"))
NORTH = Relation(
    "orders",
    f'{ORDERS} WHERE "o"."region" = \'north\'',
    ("day", "region", "amount"),
    "SELECT count(*) FROM orders WHERE region IS DISTINCT FROM 'north'",
)
NAMES = Relation("people", 'SELECT "p"."name" AS "name" FROM {source}."crm"."people" AS "p"', ("name",))
SCOPES = {
    "analyst": RoleScope("analyst", (ALL_ORDERS, NAMES), "a"),
    "clerk": RoleScope("clerk", (NORTH,), "c"),
}
ANALYST, CLERK = Identity("ann", "analyst"), Identity("carl", "clerk")
COUNT = "SELECT count(*) FROM orders"


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    """Two files of orders in a folder of a year, one of people, and one that nobody may see."""
    folder = tmp_path / "lake"
    (folder / "orders" / "2024").mkdir(parents=True)
    with duckdb.connect() as database:
        for month in (1, 2):
            database.execute(
                f"""COPY (SELECT DATE '2024-0{month}-01' + (i // 100)::INTEGER AS day,
                          if(i % 2 = 0, 'north', 'south') AS region, i::DECIMAL(9, 2) AS amount
                     FROM range(2000) AS t(i))
                    TO '{folder}/orders/2024/{month}.parquet'"""
            )
        database.execute(
            f"COPY (SELECT 'ann' AS name, 'ann@example.org' AS email) TO '{folder}/people.parquet'"
        )
        database.execute(f"COPY (SELECT 90000 AS pay) TO '{folder}/pay.parquet'")
    return folder


def _settings(lake: Path, mode: str = "auto") -> DuckDBSettings:
    return DuckDBSettings.model_validate(
        {
            "mode": mode,
            "parquet": {"orders": f"{lake}/orders/**/*.parquet", "crm.people": [f"{lake}/people.parquet"]},
        }
    )


@pytest.fixture
def engine(lake: Path, limits: Limits, tmp_path: Path) -> Iterator[DuckDBEngine]:
    """An engine over Parquet files alone."""
    found = DuckDBEngine(
        tmp_path / ":memory:",
        SCOPES,
        limits,
        tmp_path / "spill",
        settings=_settings(lake),
        extracts=tmp_path / "extracts",
    )
    yield found
    found.close()


@pytest.fixture
def session(lake: Path, limits: Limits, tmp_path: Path) -> Iterator[Session]:
    """The analyst's instance, as a worker opens it."""
    files = tuple(str(file) for file in sorted((lake / "orders").rglob("*.parquet")))
    scope = replace(SCOPES["analyst"], relations=(replace(ALL_ORDERS, files=files), NAMES))
    source = Source(tmp_path / ":memory:", _settings(lake).parquet)
    extracts = Extracts(tmp_path / "extracts", source, ContentHashes(), limits)
    with closing(extracts):
        file, _ = extracts.of(scope, 20, lambda: None)
        with closing(open_session(file, scope_over(scope), limits, tmp_path / "spill")) as found:
            yield found


def test_each_role_sees_its_rows_and_columns(engine: DuckDBEngine, limits: Limits) -> None:
    assert engine.run(COUNT, ANALYST, limits, "1").rows == ((4000,),)
    assert engine.run(COUNT, CLERK, limits, "2").rows == ((2000,),)
    assert engine.run("SELECT name FROM people", ANALYST, limits, "3").rows == (("ann",),)
    for who, sql in ((ANALYST, "SELECT email FROM people"), (CLERK, "SELECT name FROM people")):
        with pytest.raises(EngineError) as refused:
            engine.run(sql, who, limits, "4")
        assert refused.value.code == "bad_sql"


def test_only_what_a_role_sees_a_part_of_is_copied(
    engine: DuckDBEngine, limits: Limits, tmp_path: Path
) -> None:
    for who in (ANALYST, CLERK):
        engine.run(COUNT, who, limits, who.user)
    held = set()
    for file in (tmp_path / "extracts").glob("*.duckdb"):
        with duckdb.connect(str(file), read_only=True) as extract:
            tables = extract.execute("SELECT table_name, estimated_size FROM duckdb_tables()").fetchall()
            held.update(tables)
    assert held == {("people", 1), ("orders", 2000)}


Lake = Mapping[str, tuple[str, ...]]
OUTSIDE = (
    "FROM read_parquet('{lake}/pay.parquet')",
    "FROM read_parquet('{lake}/*.parquet')",
    "FROM read_parquet('{lake}/people.parquet')",
    "FROM '{lake}/pay.parquet'",
    "FROM parquet_metadata('{lake}/pay.parquet')",
    "FROM read_text('{lake}/pay.parquet')",
    "FROM read_blob('/etc/hostname')",
    "FROM glob('{lake}/*')",
    "COPY orders TO '{lake}/out.parquet'",
    "COPY orders TO '{lake}/orders/2024/1.parquet'",
    "EXPORT DATABASE '{lake}/out'",
    "ATTACH '{lake}/pay.parquet' AS pay",
    "ATTACH '{lake}/new.duckdb' AS new",
    "SET allowed_paths = ['{lake}/pay.parquet']",
    "SET enable_external_access = true",
    "INSTALL httpfs",
)


@pytest.mark.parametrize("statement", OUTSIDE)
def test_the_database_itself_opens_no_other_file(session: Session, lake: Path, statement: str) -> None:
    before = sorted(lake.rglob("*"))
    with pytest.raises((duckdb.PermissionException, duckdb.InvalidInputException)):
        session.connection.execute(statement.format(lake=lake)).fetchall()
    assert sorted(lake.rglob("*")) == before
    assert session.connection.execute(COUNT).fetchall() == [(4000,)]


@pytest.mark.parametrize(
    "sql", ["SELECT * FROM read_text('{lake}/orders/2024/1.parquet')", "SELECT * FROM duckdb_settings()"]
)
def test_a_statement_reads_a_file_as_parquet_or_not_at_all(
    engine: DuckDBEngine, limits: Limits, lake: Path, sql: str
) -> None:
    with pytest.raises(EngineError) as refused:
        engine.run(sql.format(lake=lake), ANALYST, limits, "1")
    assert refused.value.code in ("outside_scope", "statement_refused", "data_error")


def test_an_estimate_counts_the_files_and_columns_that_are_read(engine: DuckDBEngine, limits: Limits) -> None:
    whole = engine.explain("SELECT sum(amount), max(region) FROM orders", ANALYST, limits)
    one = engine.explain("SELECT sum(amount) FROM orders", ANALYST, limits)
    window = engine.explain(
        "SELECT sum(amount) FROM orders WHERE day >= DATE '2024-02-01' AND day < DATE '2024-02-05'",
        ANALYST,
        limits,
    )
    assert (whole.bound, whole.rows, whole.scans[0].relation, whole.scans[0].full) == (
        "upper",
        4000,
        "orders",
        True,
    )
    assert 0 < (one.bytes or 0) < (whole.bytes or 0)
    assert (window.rows, window.scans[0].full) == (2000, False)


def test_the_proofs_of_doctor_hold(engine: DuckDBEngine) -> None:
    for scope in SCOPES.values():
        assert engine.probe(scope) == ()
        promises = {promise.name: promise.faults for promise in engine.inspect(scope)}
        assert promises == {"cannot write": (), "cannot open other files": (), "limits": ()}
    assert "Parquet" in engine.capabilities().settings["file_system"]


def test_a_session_that_opens_a_file_too_many_is_named(
    limits: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = duckdb_session._settings

    def without(given: Limits, spill: Path, files: Lake) -> Iterator[tuple[str, str]]:
        return (pair for pair in whole(given, spill, files) if pair[0] != "enable_external_access")

    monkeypatch.setattr(duckdb_session, "_settings", without)
    faults = {promise.name: promise.faults for promise in inspect_sessions(limits, lake=True)}
    assert "may run SELECT * FROM read_parquet('FOLDER/other.parquet')" in faults["cannot open other files"]
    assert "may run COPY (SELECT 2 AS number) TO 'FOLDER/kept.parquet'" in faults["cannot open other files"]


def test_other_files_are_other_data(engine: DuckDBEngine, limits: Limits, lake: Path) -> None:
    first = engine.run(COUNT, ANALYST, limits, "1")
    assert first.data == engine.pin()
    fresh = lake / "fresh"
    with duckdb.connect() as database:
        database.execute(f"COPY (FROM '{lake}/orders/2024/1.parquet' LIMIT 10) TO '{fresh}' (FORMAT parquet)")
    fresh.replace(lake / "orders" / "2024" / "3.parquet")
    second = engine.run(COUNT, ANALYST, limits, "2")
    assert second.rows == ((4010,),)
    assert second.data == engine.pin() != first.data
    assert engine.run(COUNT, CLERK, limits, "3").rows == ((2005,),)


def test_tables_of_a_file_and_parquet_files_stand_side_by_side(
    lake: Path, shop: Path, limits: Limits, tmp_path: Path
) -> None:
    joined = Relation(
        "customers", 'SELECT "c"."tier" AS "tier" FROM {source}."main"."customers" AS "c"', ("tier",)
    )
    scopes = {"analyst": RoleScope("analyst", (ALL_ORDERS, joined), "a")}
    settings = DuckDBSettings(parquet={"orders": str(lake / "orders/2024/1.parquet")})
    engine = DuckDBEngine(
        shop, scopes, limits, tmp_path / "spill", settings=settings, extracts=tmp_path / "extracts"
    )
    with closing(engine):
        sql = "SELECT (SELECT count(*) FROM customers), (SELECT count(*) FROM orders)"
        assert engine.run(sql, ANALYST, limits, "1").rows == ((100, 2000),)


def test_a_project_names_paths_of_its_own_folder(lake: Path, limits: Limits, tmp_path: Path) -> None:
    settings = EngineSettings(
        url="duckdb::memory:",
        duckdb=DuckDBSettings(
            parquet={"orders": "lake/orders/**/*.parquet", "crm.people": "lake/people.parquet"}
        ),
    )
    engine = open_engine(settings, SCOPES, limits, folder=tmp_path, temp_directory=tmp_path / "spill")
    with closing(engine):
        assert engine.run(COUNT, CLERK, limits, "1").rows == ((2000,),)


def test_a_relation_without_a_file_is_named_with_all_others(
    lake: Path, limits: Limits, tmp_path: Path
) -> None:
    (lake / "people.parquet").unlink()
    for file in (lake / "orders" / "2024").iterdir():
        file.unlink()
    engine = DuckDBEngine(
        tmp_path / ":memory:", SCOPES, limits, tmp_path, settings=_settings(lake), extracts=tmp_path / "x"
    )
    with closing(engine), pytest.raises(EngineError, match=r"crm\.people, main\.orders") as refused:
        engine.run(COUNT, ANALYST, limits, "1")
    assert refused.value.code == "parquet_missing"


def test_a_file_that_is_no_parquet_is_refused_by_name(
    lake: Path, engine: DuckDBEngine, limits: Limits
) -> None:
    (lake / "people.parquet").write_text("not a table")
    with pytest.raises(EngineError, match=r"crm\.people") as refused:
        engine.run(COUNT, ANALYST, limits, "1")
    assert refused.value.code == "parquet_unreadable"
    assert str(lake) not in str(refused.value)


def test_mode_soft_is_refused_because_a_file_has_no_rights_on_its_parts(
    lake: Path, limits: Limits, tmp_path: Path
) -> None:
    with pytest.raises(EngineError) as refused:
        DuckDBEngine(
            tmp_path / ":memory:",
            SCOPES,
            limits,
            tmp_path,
            settings=_settings(lake, "soft"),
            extracts=tmp_path,
        )
    assert refused.value.code == "parquet_needs_hard"


@pytest.mark.parametrize(
    "select",
    [
        NORTH.select,
        NAMES.select,
        ORDERS.replace(AMOUNT, '"o"."amount" AS "sum"'),
        ORDERS.replace(
            '"o"."amount" AS "amount"',
            'CASE WHEN "o"."amount" IS NULL THEN NULL ELSE \'***\' END AS "amount"',
        ),
        ORDERS.replace(f", {AMOUNT}", ""),
        f"{ORDERS} LIMIT 5",
        'SELECT * FROM {source}."main"."orders"',
    ],
)
def test_what_is_not_surely_all_of_a_file_is_never_read_from_it(select: str) -> None:
    columns = {
        ("main", "orders"): frozenset({"day", "region", "amount"}),
        ("crm", "people"): frozenset({"name", "email"}),
    }
    assert whole_of(Relation("r", select), columns) is None
    assert whole_of(ALL_ORDERS, columns) == ("main", "orders")
