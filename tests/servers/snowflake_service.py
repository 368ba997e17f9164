"""What the stand-in does with a login and with a statement; the wire is in `snowflake.py`."""

import base64
import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import duckdb
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from sqlglot import exp

from tests.servers.snowflake_account import Account, Failure, Request, User
from tests.servers.snowflake_plan import Plans, row_count
from tests.servers.snowflake_rows import row_type, write_row, writers
from tests.servers.snowflake_schema import keys_of
from tests.servers.snowflake_sql import Session, as_failure, read_query, unknown

DEFAULT_TIMEOUT = 172_800.0
EVERY = 0.01
BATCH = 1000
INTERNAL = Failure("000603", "XX000", "SQL execution internal error")
NOT_ADMITTED = Failure("390100", "08001", "Incorrect username or password was specified.")
SHOWN = re.compile(r"show\s+tables\s+like\s+'((?:[^']|'')*)'\s+in\s+schema\s+(\S+)", re.IGNORECASE)
COLUMNS = re.compile(r"show\s+columns\s+in\s+(\S+)", re.IGNORECASE)
WAREHOUSES = re.compile(r"show\s+warehouses\s+like\s+'([^']*)'", re.IGNORECASE)
SETTINGS = re.compile(r'show\s+parameters\s+like\s+\'(\w+)\'\s+in\s+warehouse\s+"?(\w+)"?', re.IGNORECASE)
GRANTS = re.compile(r"show\s+grants\s+to\s+(?:database\s+)?role\s+(\S+)", re.IGNORECASE)
USE = re.compile(r'use\s+(role|warehouse|secondary\s+roles)\s+"?(\w+)"?', re.IGNORECASE)
ALTER = re.compile(r"alter\s+session\s+set\s+(\w+)\s*=\s*'?([^']*)'?", re.IGNORECASE)
KEYS = re.compile(r'show\s+(primary|unique|imported)\s+keys\s+in\s+database\s+"?(\w+)"?', re.IGNORECASE)
SCANNED = re.compile(
    r"select\s+bytes_scanned\s+from\s+table\(\s*information_schema\.query_history_by_session\(\s*"
    r"result_limit\s*=>\s*\d+\s*\)\s*\)\s+where\s+query_id\s*=\s*'([\w-]+)'",
    re.IGNORECASE,
)
END = re.compile(r"(commit|rollback)", re.IGNORECASE)
EXPLAIN = re.compile(r"explain\s+using\s+json\s+", re.IGNORECASE)

Answer = tuple[list[dict[str, Any]], list[list[str | None]]]


@dataclass(slots=True)
class Running:
    """One statement on its way: stopped by `stop`, over once `done` is set."""

    query_id: str
    session: Session
    cursor: duckdb.DuckDBPyConnection
    stopped: bool = False
    timed_out: bool = False
    text: str = ""
    done: threading.Event = field(default_factory=threading.Event)
    answer: Answer | Failure = INTERNAL

    def stop(self) -> None:
        """Interrupt until it is over: an interrupt that comes before DuckDB starts is lost."""
        self.stopped = True
        while not self.done.wait(EVERY):
            self.cursor.interrupt()


class Service:
    """An account with the sessions and the statements of the moment. Safe from any thread."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.sessions: dict[str, Session] = {}
        self.masters: dict[str, str] = {}
        self.running: dict[str, Running] = {}
        self.aborted: list[str] = []
        self._plans = Plans(account)

    def log_in(self, data: Mapping[str, Any], wanted: Mapping[str, str]) -> tuple[str, str, Session]:
        """Return the tokens of a new session. Raises Failure for whom the account does not admit."""
        user = self._admitted(data)
        role = (wanted.get("roleName") or user.roles[0]).upper()
        if role not in user.roles:
            said = f"Role '{role}' specified in the connect string is not granted to this user."
            raise Failure("390189", "08001", said)
        warehouse = wanted.get("warehouse", "").upper()
        session = Session(
            user=user.name,
            role=role,
            secondary=self.account.secondary or str(data.get("SECONDARY_ROLES") or "ALL").upper(),
            database=wanted.get("databaseName", "").upper(),
            schema=wanted.get("schemaName", "PUBLIC").upper(),
            warehouse=warehouse if self.account.may(role, "USAGE", warehouse) else "",
            parameters={k.upper(): str(v) for k, v in (data.get("SESSION_PARAMETERS") or {}).items()},
        )
        token, master = secrets.token_hex(16), secrets.token_hex(16)
        self.sessions[token], self.masters[master] = session, token
        return token, master, session

    def end_sessions(self) -> None:
        """Forget every session, as the service does after four hours."""
        self.sessions.clear()
        self.masters.clear()

    def start(self, session: Session, request_id: str, sql: str, parameters: Mapping[str, Any]) -> Running:
        """Begin a statement."""
        given = {**session.parameters, **{name.upper(): str(value) for name, value in parameters.items()}}
        self.account.log.append(Request(session.user, session.role, sql, given))
        running = Running(f"01{secrets.token_hex(15)}", session, self.account.duck.cursor())
        self.running[request_id] = self.running[running.query_id] = running
        threading.Thread(target=self._run, args=(running, session, sql.strip(), given), daemon=True).start()
        return running

    def log_out(self, token: str) -> None:
        """End a session, and with it what it runs."""
        session = self.sessions.pop(token)
        for each in list(self.running.values()):
            if each.session is session and not each.done.is_set():
                each.stop()

    def abort(self, request_id: str) -> None:
        """Stop a statement."""
        self.aborted.append(request_id)
        if request_id in self.running:
            self.running[request_id].stop()

    def _admitted(self, data: Mapping[str, Any]) -> User:
        name = str(data.get("LOGIN_NAME") or "").upper()
        how = str(data.get("AUTHENTICATOR") or "SNOWFLAKE").upper()
        users = self.account.users
        if how in ("OAUTH", "PROGRAMMATIC_ACCESS_TOKEN"):
            token = self.account.tokens.get(str(data.get("TOKEN")))
            if token is None or token.kind != how:
                raise Failure("390303", "08001", "Invalid OAuth access token.")
            if token.expired:
                said = "OAuth access token expired. [01e2f0c1-0000-4000-8000-000000000000]"
                raise Failure("390318", "08001", said)
            return users[token.user.upper()]
        if name not in users:
            raise NOT_ADMITTED
        if how == "SNOWFLAKE_JWT":
            _require_signature(str(data.get("TOKEN")), self.account.name, users[name])
        elif not users[name].password or data.get("PASSWORD") != users[name].password:
            raise NOT_ADMITTED
        return users[name]

    def _run(self, running: Running, session: Session, sql: str, parameters: Mapping[str, str]) -> None:
        limit = float(parameters.get("STATEMENT_TIMEOUT_IN_SECONDS", 0)) or DEFAULT_TIMEOUT
        timer = threading.Timer(limit, self._time_out, (running,))
        timer.daemon = True
        timer.start()
        try:
            running.answer = self._answer(running, session, sql, parameters)
        except Failure as failure:
            running.answer = failure
        except duckdb.Error as error:
            running.answer = as_failure(error)
            if running.timed_out:
                said = f"Statement reached its statement or warehouse timeout of {limit:g} second(s)"
                said += " and was canceled."
                running.answer = Failure("000630", "57014", said)
            elif running.stopped:
                running.answer = Failure("000604", "57014", "SQL execution canceled")
        finally:
            timer.cancel()
            running.done.set()
            running.cursor.close()

    def _time_out(self, running: Running) -> None:
        running.timed_out = True
        running.stop()

    def _answer(self, running: Running, session: Session, sql: str, parameters: Mapping[str, str]) -> Answer:
        commands: tuple[tuple[re.Pattern[str], Callable[..., Answer]], ...] = (
            (USE, self._use),
            (END, lambda *_: _done()),
            (ALTER, self._alter),
            (GRANTS, self._show_grants),
            (SHOWN, self._show_tables),
            (COLUMNS, self._show_columns),
            (WAREHOUSES, self._show_warehouses),
            (KEYS, self._show_keys),
            (SCANNED, self._show_scanned),
            (SETTINGS, self._show_settings),
        )
        for pattern, command in commands:
            if found := pattern.fullmatch(sql):
                return command(session, running.cursor, *found.groups())
        if found := EXPLAIN.match(sql):
            tree = read_query(self.account, session, sql[found.end() :])
            return _table(("step",), [[self._plans.explain(running.cursor, tree.sql("duckdb"))]])
        tree = read_query(self.account, session, sql)
        if tree.find(exp.Table):
            self._require_warehouse(session)
            running.text = tree.sql("duckdb")
        running.cursor.execute(tree.sql("duckdb"))
        return _rows(running, int(parameters.get("ROWS_PER_RESULTSET", 0)))

    def _require_warehouse(self, session: Session) -> None:
        if self.account.exhausted:
            said = (
                f"Warehouse '{session.warehouse}' cannot be resumed because resource monitor 'MONTHLY' has"
                " exceeded its quota."
            )
            raise Failure("090073", "22000", said)
        if not session.warehouse or self.account.suspended:
            said = (
                "No active warehouse selected in the current session.  Select an active warehouse with the"
                " 'use warehouse' command."
            )
            raise Failure("000606", "57P03", said)

    def _use(self, session: Session, _: object, kind: str, name: str) -> Answer:
        name = name.upper()
        match kind.split()[0].lower():
            case "role" if name not in self.account.users[session.user].roles:
                said = f"Requested role '{name}' is not assigned to the executing user."
                raise Failure("003013", "42501", said)
            case "role":
                session.role = name
            case "warehouse":
                session.warehouse = name
            case _:
                session.secondary = name
        return _done()

    def _alter(self, session: Session, _: object, name: str, value: str) -> Answer:
        session.parameters[name.upper()] = value
        return _done()

    def _show_grants(self, session: Session, _: object, role: str) -> Answer:
        role = role.replace('"', "").upper()
        if role not in self.account.closure(session.role):
            raise unknown(role)
        now = datetime.now(UTC).isoformat()
        grants = sorted(self.account.grants.get(role, ()), key=lambda g: (g.kind, g.name, g.privilege))
        columns = ("created_on", "privilege", "granted_on", "name", "granted_to", "grantee_name")
        return _table(columns, [[now, g.privilege, g.kind, g.name, "ROLE", role] for g in grants])

    def _show_tables(
        self, session: Session, cursor: duckdb.DuckDBPyConnection, pattern: str, place: str
    ) -> Answer:
        database, _, schema = place.replace('"', "").partition(".")
        wanted = re.sub(r"\\+", "", pattern).upper()
        name = (database.upper(), schema.upper(), wanted)
        rows: list[list[str | None]] = []
        if self.account.current(name) and self.account.may(session.role, "SELECT", ".".join(name)):
            size = sum(part.nbytes for part in self._plans.partitions(cursor, name))
            rows = [[wanted, name[0], name[1], "TABLE", str(row_count(cursor, name)), str(size)]]
        return _table(("name", "database_name", "schema_name", "kind", "rows", "bytes"), rows)

    def _show_columns(self, session: Session, cursor: duckdb.DuckDBPyConnection, text: str) -> Answer:
        tree = read_query(self.account, session, f"SELECT * FROM {text}")
        cursor.execute(tree.limit(0).sql("duckdb"))
        names = [str(column[0]) for column in cursor.description or []]
        return _table(("table_name", "column_name"), [[text, name] for name in names])

    def _show_keys(
        self, session: Session, cursor: duckdb.DuckDBPyConnection, kind: str, database: str
    ) -> Answer:
        return _table(*keys_of(self.account, session.role, cursor, kind.upper(), database.upper()))

    def _show_scanned(self, session: Session, cursor: duckdb.DuckDBPyConnection, query_id: str) -> Answer:
        """Answer what a query of the session has read, as its history tells."""
        known = self.running.get(query_id)
        types = [row_type("BYTES_SCANNED", "BIGINT")]
        if known is None or known.session is not session or not known.done.is_set():
            return types, []
        plan = json.loads(self._plans.explain(cursor, known.text)) if known.text else {}
        return types, [[str(plan.get("GlobalStats", {}).get("bytesAssigned", 0))]]

    def _show_warehouses(self, session: Session, _: object, pattern: str) -> Answer:
        name = re.sub(r"\\+", "", pattern).upper()
        known = self.account.may(session.role, "USAGE", name)
        rows: list[list[str | None]] = [[name, "STARTED", self.account.monitor]] if known else []
        return _table(("name", "state", "resource_monitor"), rows)

    def _show_settings(self, session: Session, _: object, key: str, warehouse: str) -> Answer:
        return _table(("key", "value"), [[key.upper(), str(self.account.warehouse_seconds)]])


def _rows(running: Running, most: int) -> Answer:
    description = running.cursor.description or []
    types = [row_type(str(column[0]), str(column[1])) for column in description]
    how = writers(types)
    rows: list[list[str | None]] = []
    while batch := running.cursor.fetchmany(min(BATCH, most - len(rows)) if most else BATCH):
        rows += [write_row(row, how) for row in batch]
        if most and len(rows) >= most:
            break
    return types, rows


def _table(columns: Sequence[str], rows: list[list[str | None]]) -> Answer:
    return [row_type(name, "VARCHAR") for name in columns], rows


def _done() -> Answer:
    return _table(("status",), [["Statement executed successfully."]])


def _require_signature(token: str, account: str, user: User) -> None:
    """Check the token of a key pair: signed with the user's key, for the user, and not expired."""
    refused = Failure("390144", "08001", "JWT token is invalid.")
    try:
        head, body, signature = token.split(".")
        claims = json.loads(_bytes(body))
        key = load_pem_public_key(user.public_key.encode())
        assert isinstance(key, RSAPublicKey)
        key.verify(_bytes(signature), f"{head}.{body}".encode(), PKCS1v15(), SHA256())
    except (ValueError, InvalidSignature):
        raise refused from None
    issuer = str(claims.get("iss", "")).upper()
    if not issuer.startswith(f"{account}.{user.name}.SHA256:".upper()) or claims.get("exp", 0) < time.time():
        raise refused


def _bytes(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
