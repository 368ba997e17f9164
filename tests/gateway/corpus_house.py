"""The schema of the labelled SQL cases as a house over a real database, with a look at all that is in it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
import psycopg
import yaml

from gateway.engines.open import open_engine
from gateway.ground.question import words_of
from gateway.house import House, limits_of, scope_of_role
from gateway.settings.file import EngineSettings
from metric_layer.load import load_text
from metric_layer.plan import Dialect
from policies.entitlement import Entitlements
from policies.load import govern
from policies.policy import Policy, Role
from tests.servers.postgres import Server
from traces.keys import KeyStore

SCHEMA = "analytics"
TYPES = {"bigint": "integer", "integer": "integer", "varchar": "string", "json": "string"}
OTHERS = {
    "hr.salaries": "employee_id bigint, employee_name varchar, salary bigint",
    "public.secrets": "secret_id bigint, secret_value varchar",
    "public.orders": "order_id bigint, customer_id bigint",
    "analytics.customers_raw": "customer_id bigint, name varchar, email varchar",
    "analytics.events_20240101": "event_id bigint, event_time timestamp",
}
FOREIGN = (
    "CREATE VIEW analytics.v_customers_all AS SELECT customer_id, name, email, phone FROM analytics.customers"
)
Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Warehouse:
    """A real database that holds the schema, and what proves that nothing in it changed."""

    dialect: Dialect
    url: str
    digest: Callable[[], str]


def schema_of(corpus: Path) -> Schema:
    """Read the schema that the cases are labelled against."""
    schema: Schema = yaml.safe_load((corpus / "schema.yml").read_text(encoding="utf-8"))
    return schema


def house_over(warehouse: Warehouse, schema: Schema, folder: Path) -> House:
    """Return a house of the schema's roles, who may all check SQL, free SQL released for review."""
    layer = load_text(yaml.safe_dump(dict(_definitions(schema))))
    roles = {
        name: Role(datasets=tuple(map(_bare, spec["tables"])), may=("ask", "check_sql"))
        for name, spec in schema["roles"].items()
    }
    governed = govern(Policy(name="cases", roles=roles, release={"free": "reviewed"}))
    now: datetime = schema["now"]
    entitlements = Entitlements(layer, governed, warehouse.dialect, SCHEMA, now)
    keys = KeyStore.open(folder / "keys.json")
    scopes = {role.role_name: scope_of_role(role, keys) for role in entitlements}
    engine = open_engine(
        EngineSettings(url=warehouse.url),
        scopes,
        limits_of(governed.policy.caps),
        folder=folder,
        temp_directory=folder / "spill",
    )
    return House(
        layer=layer,
        words=words_of(layer),
        governed=governed,
        entitlements=entitlements,
        engine=engine,
        keys=keys,
        now=lambda: now,
    )


def on_duckdb(schema: Schema, file: Path) -> Warehouse:
    """Write the schema with a few rows into a DuckDB file."""
    with duckdb.connect(str(file)) as connection:
        for statement in _statements(schema, "range({})"):
            connection.execute(statement)
    return Warehouse("duckdb", f"duckdb:{file}", lambda: sha256(file.read_bytes()).hexdigest())


def on_postgres(schema: Schema, server: Server, database: str) -> Warehouse:
    """Write the schema with a few rows into a PostgreSQL database."""
    for statement in _statements(schema, "generate_series(0, {} - 1)"):
        server.execute(statement, database)
    url = f"postgresql:///{database}?host={quote(str(server.folder), safe='')}&port={server.port}"
    return Warehouse("postgres", url, lambda: _state(server, database))


def _definitions(schema: Schema) -> Iterator[tuple[str, object]]:
    yield (
        "datasets",
        [
            {
                "name": _bare(name),
                "relation": name,
                "primary_key": table["grain"],
                "columns": [
                    {
                        "name": column,
                        "type": TYPES.get(spec["type"], spec["type"].split("(")[0]),
                        **({"personal": "contact"} if spec.get("pii") else {}),
                    }
                    for column, spec in table["columns"].items()
                ],
                **_window(table),
            }
            for name, table in schema["tables"].items()
        ],
    )
    yield "relationships", [_relationship(join, number) for number, join in enumerate(schema["joins"])]


def _window(table: Mapping[str, Any]) -> dict[str, object]:
    required = table.get("required_filter")
    if required is None:
        return {}
    return {
        "time_column": required["column"],
        "large": True,
        "max_window_days": required["max_window_days"],
    }


def _relationship(join: Mapping[str, Any], number: int) -> dict[str, object]:
    ends = (join[side].rsplit(".", 1) for side in ("left", "right"))
    (left, left_column), (right, right_column) = ends
    return {
        "name": f"join_{number}",
        "from_dataset": _bare(left),
        "from_columns": [left_column],
        "to_dataset": _bare(right),
        "to_columns": [right_column],
    }


def _statements(schema: Schema, series: str) -> Iterator[str]:
    """Yield what makes every object of the schema, the forbidden ones too, with a few rows in the tables."""
    yield from (f"CREATE SCHEMA IF NOT EXISTS {name}" for name in ("analytics", "hr", "public"))
    for name, table in schema["tables"].items():
        columns = ", ".join(f"{column} {spec['type']}" for column, spec in table["columns"].items())
        values = ", ".join(_value(spec["type"]) for spec in table["columns"].values())
        yield f"CREATE TABLE {name} ({columns})"
        yield f"INSERT INTO {name} SELECT {values} FROM {series.format(20)} AS t(i)"
    for name, columns in OTHERS.items():
        yield f"CREATE TABLE {name} ({columns})"
    yield "INSERT INTO public.secrets VALUES (1, 'canary')"
    yield FOREIGN


def _value(kind: str) -> str:
    made = {
        "varchar": "'v' || i",
        "date": "DATE '2024-01-01'",
        "timestamp": "TIMESTAMP '2024-05-01'",
        "json": "CAST('{}' AS json)",
    }
    return made.get(kind, "i")


def _state(server: Server, database: str) -> str:
    """Return a hash of every row, object, role, large object, setting and sequence of a database."""
    looks = (
        "SELECT oid, relname, relkind, relfilenode FROM pg_class ORDER BY oid",
        "SELECT oid, proname FROM pg_proc ORDER BY oid",
        "SELECT rolname, rolsuper FROM pg_roles ORDER BY 1",
        "SELECT oid FROM pg_largeobject_metadata ORDER BY 1",
        "SELECT setdatabase, setrole, setconfig FROM pg_db_role_setting ORDER BY 1, 2",
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory'",
    )
    with psycopg.connect(server.dsn(database=database)) as connection:
        tables = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('analytics', 'hr', 'public') "
            "ORDER BY 1, 2"
        ).fetchall()
        rows = (f'SELECT t::text FROM {schema}."{name}" AS t ORDER BY 1' for schema, name in tables)
        return _hash(connection.execute(look.encode()).fetchall() for look in (*looks, *rows))


def _hash(results: Iterable[object]) -> str:
    return sha256("\n".join(map(repr, results)).encode()).hexdigest()


def _bare(name: str) -> str:
    return name.rsplit(".", 1)[-1]
