"""cellbound.toml and the environment, read once into one frozen object."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field

from gateway.errors import SettingsInvalid
from gateway.settings.discovery import DiscoverySettings as DiscoverySettings
from gateway.settings.identity import ExchangeSettings
from gateway.settings.identity import IdentitySettings as IdentitySettings
from gateway.settings.identity import TokenSettings as TokenSettings
from gateway.settings.identity import UserSettings as UserSettings
from gateway.settings.places import place_of
from gateway.settings.server import ServerSettings as ServerSettings
from gateway.settings.sources import overridden, overrides
from gateway.settings.state import StateSettings
from metric_layer.issues import Issue
from metric_layer.record import Record
from metric_layer.validate import Problem, plain, read_value
from metric_layer.vocabulary import near

FILE = "cellbound.toml"


class ProjectSettings(Record):
    """What the project is called."""

    name: Annotated[str, Field(min_length=1)]


class DuckDBSettings(Record):
    """How queries run on DuckDB.

    `mode` is `hard` (each role reads a file that holds its rows and columns only), `soft` (views over the
    one file) or `auto` (hard as soon as two roles see different things). `workers` processes are at work at
    once at most, `waiting` callers may queue for one, each for `wait_seconds`. `parquet` names relations that
    are Parquet files, each with a path or several, relative to the project; `*` and `**` stand for names.
    """

    mode: Literal["auto", "soft", "hard"] = "auto"
    workers: Annotated[int, Field(ge=1, le=64)] = 2
    waiting: Annotated[int, Field(ge=0, le=10_000)] = 64
    wait_seconds: Annotated[float, Field(gt=0, le=3600)] = 5.0
    parquet: Mapping[str, str | tuple[str, ...]] = {}

    @property
    def paths(self) -> tuple[str, ...]:
        """Return every path of a Parquet file, as written."""
        written = self.parquet.values()
        return tuple(path for paths in written for path in ((paths,) if isinstance(paths, str) else paths))


class EngineSettings(Record):
    """The one database this gateway may reach; nothing in a plan, a token or a text can point elsewhere.

    All but `url` is for a database server. `mode` is `login` (everybody logs in as themself) or `set_role`
    (one login of the gateway's own acts as them). `credentials` is what proves a login: `server`,
    `environment`, `files:FOLDER`, `hook:MODULE:FUNCTION`, PostgreSQL's `passfile:FILE` and
    `certificates:FOLDER`, or `exchange`: the asker's own token, exchanged at `exchange.url` for one of the
    database's. `connections` are open at once at most, `waiting` callers may queue for one, each for
    `wait_seconds`.
    """

    url: Annotated[str, Field(min_length=1)]
    duckdb: DuckDBSettings = DuckDBSettings()
    mode: Literal["login", "set_role"] = "login"
    credentials: Annotated[
        str,
        Field(
            pattern=r"^(server|environment|exchange|(passfile|certificates|files):.+|hook:[A-Za-z_][\w.]*:[A-Za-z_]\w*)$"
        ),
    ] = "server"
    connections: Annotated[int, Field(ge=1, le=10_000)] = 16
    waiting: Annotated[int, Field(ge=0, le=10_000)] = 64
    wait_seconds: Annotated[float, Field(gt=0, le=3600)] = 5.0
    exchange: ExchangeSettings = ExchangeSettings()


class PathSettings(Record):
    """Folders and files of the project, relative to its own folder."""

    metrics: str = "metrics"
    policies: str = "policies"
    cases: str = "cases"
    analyses: str = "analyses"
    traces: str = "var/traces"
    state: str = "var/state.sqlite"
    results: str = "var/results.sqlite"
    keys: str = "var/keys.json"
    spill: str = "var/spill"
    extracts: str = "var/extracts"
    pins: str = "var/pins"
    runs: str = "var/runs"
    samples: str = "var/samples"
    discovery: str = "var/discovery.json"


ADDRESS = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+"
"""A bare mail address: nothing in it ends a header or begins another address."""


class NotifySettings(Record):
    """How reviewers hear that something waits: a link to it, and nothing of the question.

    `base_url` is where people reach this gateway (https://gateway.example). `webhook` gets a POST; mail goes
    from `mail_from` to `mail_to` through the SMTP server. Each notice is tried `attempts` times, `seconds`
    each. Secrets come from the environment: CELLBOUND_WEBHOOK_TOKEN, CELLBOUND_SMTP_USER and
    CELLBOUND_SMTP_PASSWORD.
    """

    base_url: Annotated[str, Field(pattern=r"^(https?://\S+)?$")] = ""
    webhook: Annotated[str, Field(pattern=r"^(https?://\S+)?$")] = ""
    smtp_host: str = ""
    smtp_port: Annotated[int, Field(ge=1, le=65535)] = 587
    smtp_tls: Literal["none", "starttls", "tls"] = "starttls"
    mail_from: Annotated[str, Field(pattern=rf"^({ADDRESS})?$")] = ""
    mail_to: tuple[Annotated[str, Field(pattern=rf"^{ADDRESS}$")], ...] = ()
    attempts: Annotated[int, Field(ge=1, le=20)] = 5
    seconds: Annotated[float, Field(gt=0, le=60)] = 5.0


class ResultSettings(Record):
    """How long a result can be used for drafts and follow-ups."""

    minutes: Annotated[int, Field(ge=1, le=10_080)] = 60


class TraceSettings(Record):
    """Where traces go besides `paths.traces`.

    `checkpoints` is the second place for signed checkpoints: a folder on another volume, one per project.
    `store` is a PostgreSQL database (postgres://...) where several replicas write into one place; its
    password comes from the environment or from a password file. `retention` is the same database as the login
    that may delete old segments; without one `trace retain` deletes nothing there.
    """

    checkpoints: str = ""
    store: Annotated[str, Field(pattern=r"^(postgres(ql)?://.+)?$", repr=False)] = ""
    retention: Annotated[str, Field(pattern=r"^(postgres(ql)?://.+)?$", repr=False)] = ""


class KeySettings(Record):
    """Who keeps the master key: with a `command`, a program of the site's own that wraps and unwraps it.

    It reads one JSON object and writes one, and is killed after `seconds`. Without one the key lies in
    `paths.keys`, or comes from the variable CELLBOUND_MASTER_KEY.
    """

    command: tuple[str, ...] = ()
    seconds: Annotated[float, Field(gt=0, le=300)] = 10.0


class AgentSettings(Record):
    """The language model that reads questions which intake cannot; without a `model` there is none.

    `provider` is the protocol that the endpoint speaks: `openai` (and what is compatible with it) or
    `anthropic`. `base_url` is the provider's own where it is empty. The key comes from the variable
    CELLBOUND_AGENT_KEY and from nowhere else. One call gives `max_tokens` tokens and takes `seconds` at most.
    What a question may spend stands in the policy, under `agent`.
    """

    provider: Literal["openai", "anthropic"] = "openai"
    base_url: Annotated[str, Field(pattern=r"^(https?://[^\s@]+)?$", max_length=2_000)] = ""
    model: Annotated[str, Field(max_length=200)] = ""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    seed: int | None = None
    max_tokens: Annotated[int, Field(ge=100, le=20_000)] = 2_000
    seconds: Annotated[float, Field(gt=0, le=600)] = 30.0


class EvalSettings(Record):
    """What is measured of questions without a reference. With `stef`, every question is scored as it closes.

    `rulebook` is a YAML file of the project that says what names and filters mean; without one nothing does.
    While the project is served, `samples` allowed and as many stopped questions of every class are drawn each
    day for a person to look at, into `paths.samples`; 0 draws none.
    """

    stef: bool = False
    rulebook: str = ""
    samples: Annotated[int, Field(ge=0, le=100)] = 3


class ExportSettings(Record):
    """Where `trace export` sends spans: an OTLP/HTTP endpoint (http://collector:4318), within `seconds` each.

    Its token comes from the variable CELLBOUND_OTLP_TOKEN. With `live`, `serve` sends those of every question
    as it ends, too.
    """

    otlp: Annotated[str, Field(pattern=r"^(https?://[^\s@]+)?$", max_length=2_000)] = ""
    live: bool = False
    seconds: Annotated[float, Field(gt=0, le=300)] = 10.0


class Settings(Record):
    """Everything `wiring` needs to build a gateway."""

    folder: Path
    project: ProjectSettings
    engine: EngineSettings
    paths: PathSettings = PathSettings()
    identity: IdentitySettings = IdentitySettings()
    server: ServerSettings = ServerSettings()
    results: ResultSettings = ResultSettings()
    notify: NotifySettings = NotifySettings()
    traces: TraceSettings = TraceSettings()
    state: StateSettings = StateSettings()
    keys: KeySettings = KeySettings()
    agent: AgentSettings = AgentSettings()
    export: ExportSettings = ExportSettings()
    discovery: DiscoverySettings = DiscoverySettings()
    evals: EvalSettings = EvalSettings()

    def at(self, relative: str) -> Path:
        """Return a path of the project; an absolute one is taken as it is."""
        return self.folder / relative


def find_project(start: Path) -> Path:
    """Return the nearest folder at or above `start` that holds a cellbound.toml."""
    for folder in (start, *start.resolve().parents):
        if (folder / FILE).is_file():
            return folder
    raise SettingsInvalid(
        (
            Issue(
                code="no_project",
                message=f"No {FILE} in {start} or above it.",
                next_step="Make one with `cellbound init DIR --demo shop`, or name one with --project DIR.",
            ),
        )
    )


def load_settings(folder: Path, environ: Mapping[str, str] = os.environ) -> Settings:
    """Read cellbound.toml of a project folder and what the environment sets; every problem at once.

    A variable CELLBOUND_SECTION__KEY stands for that key, its value written as in TOML.
    """
    file = folder / FILE
    raw = overridden(read_toml(folder), environ)
    strictly = partial(Settings.model_validate, strict=True)
    read = read_value(plain({**raw, "folder": folder}), strictly, Settings)
    wrong = list(_misnamed(raw))
    if isinstance(read, list):
        written, variables = file.read_text(encoding="utf-8"), overrides(environ)
        ordered = sorted(read, key=lambda problem: place_of(written, problem.pointer))
        wrong = [*(_issue(problem, written, variables) for problem in ordered), *wrong]
    if wrong or isinstance(read, list):
        raise SettingsInvalid(wrong)
    return read


def read_toml(folder: Path) -> Mapping[str, object]:
    """Return what cellbound.toml of a folder says. Raises SettingsInvalid."""
    file = folder / FILE
    if not file.is_file():
        raise SettingsInvalid(
            (
                Issue(
                    code="no_project",
                    message=f"The folder holds no {FILE}.",
                    place=str(folder),
                    next_step="Make a project with `cellbound init DIR --demo shop`.",
                ),
            )
        )
    try:
        return tomllib.loads(text := file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as fault:
        raise SettingsInvalid((_not_toml(str(fault), text),)) from fault
    except UnicodeDecodeError as fault:
        message = f"{FILE} is not UTF-8: byte {fault.start} cannot be read."
        issue = Issue(code="bad_toml", message=message, place=FILE, next_step="Save it as UTF-8.")
        raise SettingsInvalid((issue,)) from fault


def _not_toml(said: str, text: str) -> Issue:
    """Return where a file stops being TOML: tomllib ends with line and column, or at the end."""
    found = re.search(r"\(at line (\d+), column (\d+)\)$", said)
    lines = text.rstrip().split("\n")
    line, column = (found[1], found[2]) if found else (len(lines), len(lines[-1]) + 1)
    why = said[: found.start()].strip() if found else said.partition(" (at ")[0]
    return Issue(
        code="bad_toml",
        message=f"This is not TOML: {why[:1].lower()}{why[1:]}.",
        place=f"{FILE}:{line}:{column}",
        next_step='Mend it there: a text stands in quotes, as in url = "duckdb:shop.duckdb".',
    )


def _misnamed(raw: Mapping[str, object]) -> Iterator[Issue]:
    """Yield what does not go together, as far as it can be read: a slip elsewhere hides none of it."""
    identity = _table(raw.get("identity"))
    yield from _unknown_users(identity, tuple(_table(identity.get("users"))))
    engine = _table(raw.get("engine")).get("url")
    kept = {
        f"{section}.{key}": str(_table(raw.get(section)).get(key, ""))
        for section, key in (("traces", "store"), ("state", "url"))
    }
    if isinstance(engine, str):
        yield from _stores_beside_data(engine, kept)


_FIRST = {"project": 'name = "shop"', "engine": 'url = "duckdb:shop.duckdb"'}


def _table(found: object) -> Mapping[str, object]:
    return found if isinstance(found, Mapping) else {}


def _unknown_users(identity: Mapping[str, object], known: tuple[str, ...]) -> tuple[Issue, ...]:
    tokens = identity.get("tokens")
    named = {
        "identity.cli_user": identity.get("cli_user"),
        "identity.stdio_user": identity.get("stdio_user"),
        **{
            f"identity.tokens[{n}].user": _table(token).get("user")
            for n, token in enumerate(tokens if isinstance(tokens, list) else ())
        },
    }
    return tuple(
        Issue(
            code="unknown_user",
            message=f"{key} names {user!r}, who is not under [identity.users].",
            place=FILE,
            seen=user,
            candidates=near(user, known),
            next_step="Add the user under [identity.users], or name one who is there.",
        )
        for key, user in named.items()
        if isinstance(user, str) and user and user not in known
    )


def _stores_beside_data(engine: str, kept: Mapping[str, str]) -> tuple[Issue, ...]:
    """Refuse traces or state in the database that is asked about: whoever may change one may change both."""
    return tuple(
        Issue(
            code=f"{name}_beside_data",
            message=f"{key} is the database that engine.url asks about.",
            place=FILE,
            seen=key,
            next_step=f"Keep {name} in a database of their own: `cellbound setup sql --{name}` prints one.",
        )
        for key, url in kept.items()
        for name in key.split(".")[:1]
        if url and _database_in(url) == _database_in(engine)
    )


def _database_in(url: str) -> tuple[str | None, int, str] | None:
    """Return which PostgreSQL database a url names, or None where it names another kind."""
    parts = urlsplit(url)
    if not parts.scheme.startswith("postgres"):
        return None
    return parts.hostname, parts.port or 5432, parts.path


def _issue(problem: Problem, written: str, variables: Mapping[tuple[str, ...], str]) -> Issue:
    """Return a problem of a setting with its place. The value is not repeated: it may be a secret."""
    where = tuple(str(part) for part in problem.pointer)
    line, column = place_of(written, problem.pointer)
    variable = variables.get(where, "")
    if not line and not variable:  # a section that only variables name
        variable = next((name for path, name in variables.items() if path[: len(where)] == where), "")
    place = f"{FILE}:{line}:{column}" if line else FILE
    missing = problem.code == "missing_key" and _FIRST.get(".".join(where))
    step = f"Write `[{where[0]}]` and `{missing}`, on two lines." if missing else problem.next_step
    return Issue(
        code=problem.code,
        message=problem.message,
        place=f"${variable}" if variable else place,
        seen=".".join(where),
        candidates=problem.candidates,
        next_step=step,
    )
