"""What `setup sql` prints makes a real PostgreSQL hold the limits, and `doctor` names each that is gone."""

import datetime as dt
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.doors.cli.doctor import examine
from gateway.engines import snowflake_mask_keys
from gateway.scaffold.project import templates
from policies.mask import MASK
from tests.gateway.lending_house import NORTH, TABLES, script_of, write_lending
from tests.servers.postgres import Server, running, versions, why_missing

pytestmark = pytest.mark.engine("postgres")

GOLDENS = Path(__file__).parent / "goldens"
NEWEST, OLDEST = 18, 15
# Everything that no asker should have, and an owner who has to go on loading.
SPOILT = """
CREATE ROLE boss SUPERUSER;
CREATE ROLE loader NOLOGIN;
CREATE ROLE alice LOGIN CREATEDB;
CREATE ROLE bob LOGIN;
GRANT boss, loader, pg_read_all_data TO alice;
GRANT bob TO alice;
ALTER TABLE loans OWNER TO loader;
GRANT ALL ON readers TO PUBLIC;
GRANT SELECT, UPDATE (fee) ON loans TO bob;
GRANT SELECT ON cellar TO bob;
GRANT CREATE ON SCHEMA public TO PUBLIC;
GRANT CREATE ON DATABASE lending TO bob;
CREATE TABLE mine (i int);
ALTER TABLE mine OWNER TO bob;
CREATE SCHEMA own AUTHORIZATION bob;
CREATE SEQUENCE tickets;
GRANT USAGE ON SEQUENCE tickets TO alice;
CREATE VIEW all_loans AS SELECT * FROM loans;
GRANT SELECT ON all_loans TO bob;
CREATE FUNCTION peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM loans';
ALTER TABLE loans ENABLE ROW LEVEL SECURITY;
CREATE POLICY left_open ON loans USING (true);
"""


@pytest.fixture(scope="module", params=[NEWEST, pytest.param(OLDEST, marks=pytest.mark.slow)])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A PostgreSQL with the library's tables and too many rights in it; roles belong to the whole server."""
    if request.param not in versions():
        pytest.skip(why_missing(request.param))
    with running(request.param) as found:
        found.create_database("lending")
        found.execute(TABLES + SPOILT, "lending")
        yield found


@pytest.fixture(scope="module")
def spoilt(server: Server, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[str, ...]]:
    """The library's project, and what doctor found before anything was set up."""
    project = write_lending(tmp_path_factory.mktemp("lending"), server, "lending")
    return project, wrong(project)


@pytest.fixture(scope="module")
def project(server: Server, spoilt: tuple[Path, tuple[str, ...]]) -> Path:
    """The library's project over the database in which its script was run, twice."""
    folder, _ = spoilt
    for _ in range(2):
        server.execute(script_of(folder), "lending")
    return folder


def wrong(project: Path) -> tuple[str, ...]:
    """Return what doctor finds wrong."""
    return tuple(
        f"{found.name}: {found.detail}"
        for found in examine(project).findings
        if not found.ok and found.needed
    )


def rows(server: Server, user: str, query: str) -> set[tuple[object, ...]]:
    """Return what a query gives a user who logs in without the gateway."""
    with psycopg.connect(server.dsn(user, "lending")) as connection:
        return set(connection.execute(query.encode()).fetchall())


def server_holds(server: Server, table: str) -> bool:
    """Say whether a table is there."""
    return bool(rows(server, "postgres", f"SELECT to_regclass('{table}')") - {(None,)})


@pytest.mark.parametrize("engine", ["postgres", "snowflake", "bigquery", "duckdb"])
def test_the_script_of_the_demo_shop(engine: str, golden: Callable[[Path, str], None]) -> None:
    script = script_of(templates() / "shop", engine)  # type: ignore[arg-type]
    assert script == script_of(templates() / "shop", engine)  # type: ignore[arg-type]
    golden(GOLDENS / f"setup_{engine}.txt", script)


@pytest.mark.parametrize(
    "said",
    [
        "identity, as olga: cannot be tried",
        "cannot write, as alice: may write to public.readers",
        "may advance the sequence public.tickets",
        'may run DELETE FROM "public"."loans"',
        "cannot write, as bob: ... may write to public.loans",
        "may create objects in schema public",
        "stands above nothing, as alice: has the attribute CREATEDB",
        "is a member of boss, which has attributes of an administrator",
        "is a member of loader, which owns relations",
        "memberships, as bob: owns public.mine",
        "is a member of pg_read_all_data, a right of the server",
        "reads nothing else, as bob: ... may read public.all_loans",
        "may read public.cellar, which the role does not list",
        "row policies bind, as bob: the row policies of public.loans do not bind its owner (no FORCE)",
        "public.all_loans reads loans past its row policies",
        "may call public.peek, which runs with the rights of its owner",
        "limits, as bob: ... has no idle_in_transaction_session_timeout of the database's own",
        "no temp_file_limit is in force",
        "compute pool, as bob: has no connection limit",
    ],
)
def test_doctor_names_what_is_wrong_before(spoilt: tuple[Path, tuple[str, ...]], said: str) -> None:
    assert [line for line in spoilt[1] if all(part in line for part in said.split("..."))], spoilt[1]


def test_doctor_finds_nothing_once_the_script_was_run(project: Path) -> None:
    assert wrong(project) == ()


def test_the_owner_goes_on_loading_tables_whose_policies_bind_them(server: Server, project: Path) -> None:
    load = "INSERT INTO loans VALUES (999, 1, '2024-05-05', 1); DELETE FROM loans WHERE loan_id = 999"
    server.execute(f"SET ROLE loader; {load}", "lending")


def test_a_removed_role_loses_what_it_had(server: Server, project: Path) -> None:
    server.execute("GRANT cellbound_owner TO bob", "lending")
    assert any("the group of another role" in line for line in wrong(project))
    server.execute(script_of(project), "lending")
    assert wrong(project) == ()


@pytest.mark.parametrize(
    ("change", "back", "said"),
    [
        ("GRANT DELETE ON loans TO bob", "REVOKE DELETE ON loans FROM bob", "cannot write, as bob"),
        ("GRANT SELECT ON cellar TO PUBLIC", "REVOKE SELECT ON cellar FROM PUBLIC", "reads nothing else"),
        ("ALTER ROLE bob CONNECTION LIMIT -1", "ALTER ROLE bob CONNECTION LIMIT 4", "compute pool, as bob"),
        (
            "ALTER ROLE bob SET statement_timeout = 0",
            "ALTER ROLE bob SET statement_timeout = 20000",
            "limits, as bob: has no statement_timeout",
        ),
        (
            "ALTER TABLE loans NO FORCE ROW LEVEL SECURITY",
            "ALTER TABLE loans FORCE ROW LEVEL SECURITY",
            "row policies bind, as alice",
        ),
        ("ALTER ROLE alice CREATEROLE", "ALTER ROLE alice NOCREATEROLE", "stands above nothing, as alice"),
        ("GRANT pg_monitor TO bob", "REVOKE pg_monitor FROM bob", "memberships, as bob"),
    ],
)
def test_doctor_names_a_limit_that_is_gone(
    server: Server, project: Path, change: str, back: str, said: str
) -> None:
    server.execute(change, "lending")
    try:
        found = wrong(project)
    finally:
        server.execute(back, "lending")
    assert any(said in line for line in found), found
    assert wrong(project) == ()


def test_doctor_finds_a_write_without_executing_it(server: Server, project: Path) -> None:
    """A trigger refuses every DELETE that runs, so only one that is priced and not run is found allowed."""
    server.execute(
        "CREATE FUNCTION ran() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'it ran'; END $$;"
        "CREATE TRIGGER ran BEFORE DELETE ON loans FOR EACH STATEMENT EXECUTE FUNCTION ran();"
        "GRANT DELETE ON loans TO bob",
        "lending",
    )
    try:
        found = wrong(project)
    finally:
        server.execute(
            "REVOKE DELETE ON loans FROM bob; DROP TRIGGER ran ON loans; DROP FUNCTION ran()", "lending"
        )
    said = ("cannot write, as bob", 'may run DELETE FROM "public"."loans"')
    assert [line for line in found if all(part in line for part in said)], found


BRANCHES = st.dictionaries(st.integers(1, 4), st.sampled_from([NORTH, "South", "East", None]), min_size=1)
READERS = st.dictionaries(st.integers(1, 6), st.none() | st.integers(1, 5), max_size=6)
LOANS = st.dictionaries(
    st.integers(1, 12),
    st.tuples(st.none() | st.integers(1, 7), st.dates(dt.date(2023, 1, 1), dt.date(2025, 1, 1))),
    max_size=12,
)
NOTES = st.dictionaries(st.integers(1, 6), st.none() | st.integers(1, 13), max_size=6)


@given(branches=BRANCHES, readers=READERS, loans=LOANS, notes=NOTES)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_alice_never_sees_a_row_of_bobs_whatever_the_rows_are(
    server: Server,
    project: Path,
    branches: dict[int, str | None],
    readers: dict[int, int | None],
    loans: dict[int, tuple[int | None, dt.date]],
    notes: dict[int, int | None],
) -> None:
    with psycopg.connect(server.dsn(database="lending")) as load, load.cursor() as cursor:
        cursor.execute('TRUNCATE branches, readers, loans, "Odd ""Names"')
        cursor.executemany("INSERT INTO branches VALUES (%s, %s)", list(branches.items()))
        cursor.executemany("INSERT INTO readers VALUES (%s, %s, 'x', 'y')", list(readers.items()))
        cursor.executemany(
            "INSERT INTO loans VALUES (%s, %s, %s, 1)", [(key, *loan) for key, loan in loans.items()]
        )
        cursor.executemany("""INSERT INTO "Odd ""Names" VALUES (%s, %s, 'x')""", list(notes.items()))

    def town(loan: int | None) -> str | None:
        reader = loans[loan][0] if loan in loans else None
        return branches.get(readers.get(reader or 0) or 0)

    def late(loan: int) -> bool:
        return loans[loan][1] >= dt.date(2024, 1, 1)

    north = {(loan,) for loan in loans if town(loan) == NORTH}
    south = {(loan,) for loan in loans if town(loan) == "South" and late(loan)}
    assert rows(server, "alice", "SELECT loan_id FROM loans") == north
    assert rows(server, "bob", "SELECT loan_id FROM loans") == south
    assert rows(server, "olga", "SELECT loan_id FROM loans") == {(loan,) for loan in loans}
    noted = 'SELECT id FROM "Odd ""Names"'
    assert rows(server, "alice", noted) == {(key,) for key, loan in notes.items() if (loan,) in north}
    assert rows(server, "bob", noted) == {(key,) for key, loan in notes.items() if (loan,) in south}
    assert rows(server, "bob", "SELECT town FROM branches") <= {("South",)}
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        rows(server, "alice", "SELECT reader_id FROM readers")


@pytest.mark.parametrize(
    ("rule", "left"), [("mask", MASK), ("domain", f"{MASK}@b.c"), ("first_letter", f"a{MASK}"), ("hash", "")]
)
def test_a_mask_is_held_by_a_view_that_the_script_shows_for_review(
    server: Server, project: Path, tmp_path: Path, rule: str, left: str
) -> None:
    masked = write_lending(tmp_path / "masked", server, "lending")
    policy, metrics = masked / "policies/policy.yml", masked / "metrics/lending.yml"
    held = policy.read_text(encoding="utf-8").replace(
        "  owner:\n", f"  owner:\n    personal: {{contact: {rule}}}\n"
    )
    policy.write_text(held, encoding="utf-8")
    script = script_of(masked)
    server.execute(script, "lending")
    try:
        assert any(
            "does not show columns that the role may see: email, phone" in line for line in wrong(masked)
        )
        view = "\n".join(line[5:] for line in script.splitlines() if line.startswith("--   "))
        server.execute(view[view.index("CREATE SCHEMA") :], "lending")
        text = metrics.read_text(encoding="utf-8")
        text = text.replace("relation: readers", "relation: cellbound_reviewed.readers")
        metrics.write_text(text, encoding="utf-8")
        server.execute(script_of(masked), "lending")
        server.execute("INSERT INTO readers VALUES (77, 1, 'a@b.c', '1'), (78, 1, NULL, NULL)", "lending")
        assert wrong(masked) == ()
        assert server_holds(server, "cellar"), "a name ended a comment of the script"
        seen = "SELECT email FROM cellbound_reviewed.readers WHERE reader_id > 70"
        found = rows(server, "olga", seen)
        if rule == "hash":
            _hashes_under_a_key_of_its_own(server, script, found)
        else:
            assert found == {(left,), (None,)}
    finally:
        server.execute("DELETE FROM readers WHERE reader_id > 70", "lending")
        server.execute("DROP SCHEMA IF EXISTS cellbound_reviewed CASCADE", "lending")
        server.execute(script_of(project), "lending")


def test_snowflake_draws_the_keys_of_its_tokens_itself(server: Server, tmp_path: Path) -> None:
    """No account runs this here: the script is read, and it names a key and holds none."""
    project = write_lending(tmp_path / "hashed", server, "lending")
    policy = project / "policies/policy.yml"
    told = policy.read_text(encoding="utf-8")
    policy.write_text(
        told.replace("  owner:\n", "  owner:\n    personal: {contact: hash}\n"), encoding="utf-8"
    )
    script = script_of(project, "snowflake")
    assert "CREATE SCHEMA IF NOT EXISTS CELLBOUND_KEYS" in script
    assert "SHA2(UUID_STRING() || UUID_STRING(), 256)" in script
    assert "INSERT INTO CELLBOUND_KEYS.ASKERS VALUES ('OLGA', " in script
    body = script[script.index("cellbound_readers_email") :]
    assert f"LEFT(SHA2({snowflake_mask_keys.KEY} || SHA2(" in body.replace("\n", " ")
    assert (
        "GRANT"
        not in script[script.index("-- Keys of hashes") : script.index("INSERT INTO CELLBOUND_KEYS.ASKERS")]
    )
    assert "CELLBOUND_KEYS" not in script_of(
        write_lending(tmp_path / "plain", server, "lending"), "snowflake"
    )


def _hashes_under_a_key_of_its_own(server: Server, script: str, found: set[tuple[object, ...]]) -> None:
    """The token is made with a key that the script does not hold and that no asker reads."""
    (token,) = [str(row[0]) for row in found if row[0] is not None]
    keys = rows(server, "postgres", "SELECT key FROM cellbound_keys.masks")
    ((key,),) = keys
    inner = sha256(f"{key}a@b.c".encode()).hexdigest()
    assert token == sha256(f"{key}{inner}".encode()).hexdigest()[:16]
    assert len(str(key)) == 64 and str(key) not in script
    for peek in ("SELECT key FROM cellbound_keys.masks", "SELECT tenant FROM cellbound_keys.askers"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            rows(server, "olga", peek)
    server.execute(script, "lending")
    assert rows(server, "postgres", "SELECT key FROM cellbound_keys.masks") == keys, "tokens stay the same"
    server.execute("DROP SCHEMA cellbound_keys CASCADE", "lending")


def test_one_login_that_acts_for_everybody_is_made_safe_as_well(
    server: Server, project: Path, tmp_path: Path
) -> None:
    switched = write_lending(tmp_path / "switched", server, "lending", login="gateway")
    server.execute(script_of(switched), "lending")
    try:
        assert wrong(switched) == ()
    finally:
        server.execute(
            "GRANT EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) TO PUBLIC", "lending"
        )
        server.execute(script_of(project), "lending")
