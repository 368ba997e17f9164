"""cellbound.toml and the environment, read once into one frozen object."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError

from gateway.errors import SettingsInvalid
from gateway.settings.identity import ExchangeSettings, OidcSettings, ProxySettings
from gateway.settings.identity import IdentitySettings as IdentitySettings
from gateway.settings.identity import TokenSettings as TokenSettings
from gateway.settings.identity import UserSettings as UserSettings
from gateway.settings.sources import overridden, overrides
from metric_layer.issues import Issue
from metric_layer.record import Record
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
    `environment`, `files:FOLDER`, `passfile:FILE` (PostgreSQL's), `hook:MODULE:FUNCTION`, or `exchange`: the
    asker's own token, exchanged at `exchange.url` for one of the database's. `connections` are
    open at once at most, `waiting` callers may queue for one, each for `wait_seconds`.
    """

    url: Annotated[str, Field(min_length=1)]
    duckdb: DuckDBSettings = DuckDBSettings()
    mode: Literal["login", "set_role"] = "login"
    credentials: Annotated[
        str,
        Field(
            pattern=r"^(server|environment|exchange|passfile:.+|files:.+|hook:[A-Za-z_][\w.]*:[A-Za-z_]\w*)$"
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
    discovery: str = "var/discovery.json"


class ServerSettings(Record):
    """Where `serve` listens, which names it answers to, and how much it takes at once.

    `console` serves the pages for people at /console. `reload_seconds` is how often `serve` and `mcp` look
    for changed definitions and policies; 0 is never.
    """

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8321
    allowed_hosts: tuple[str, ...] = ("127.0.0.1:*", "localhost:*")
    allowed_origins: tuple[str, ...] = ()
    workers: Annotated[int, Field(ge=1, le=64)] = 8
    queue: Annotated[int, Field(ge=0, le=10_000)] = 64
    body_bytes: Annotated[int, Field(ge=1024, le=67_108_864)] = 1_048_576
    console: bool = True
    reload_seconds: Annotated[float, Field(ge=0, le=3600)] = 2.0


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
    mail_from: str = ""
    mail_to: tuple[str, ...] = ()
    attempts: Annotated[int, Field(ge=1, le=20)] = 5
    seconds: Annotated[float, Field(gt=0, le=60)] = 5.0


class ResultSettings(Record):
    """How long a result can be used for drafts and follow-ups."""

    minutes: Annotated[int, Field(ge=1, le=10_080)] = 60


class TraceSettings(Record):
    """Where traces go besides `paths.traces`.

    `checkpoints` is the second place for signed checkpoints: a folder on another volume, one per project.
    `store` is a PostgreSQL database (postgres://...) where several replicas write into one place; its
    password comes from the environment or from a password file.
    """

    checkpoints: str = ""
    store: Annotated[str, Field(pattern=r"^(postgres(ql)?://.+)?$", repr=False)] = ""


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


class DiscoverySettings(Record):
    """How `cellbound discover` looks for personal data: as its own login, never as somebody who asks.

    `url` is the database with the login of discovery in it; a file is opened as it is under [engine]. At most
    `rows` values are read of a column, in `seconds`. `regions` are the countries (ISO codes) whose phone
    numbers may be written without a +. With `guess_names`, names that only resemble known words count, too.
    """

    url: str = ""
    rows: Annotated[int, Field(ge=1, le=1_000)] = 200
    seconds: Annotated[float, Field(gt=0, le=300)] = 10.0
    regions: tuple[Annotated[str, Field(pattern=r"^[A-Z]{2}$")], ...] = ("US", "GB", "DE", "FR")
    guess_names: bool = False


class EvalSettings(Record):
    """What is measured of questions without a reference. With `stef`, every question is scored as it closes.

    `rulebook` is a YAML file of the project that says what names and filters mean; without one nothing does.
    """

    stef: bool = False
    rulebook: str = ""


class ExportSettings(Record):
    """Where `trace export` sends spans: an OTLP/HTTP endpoint (http://collector:4318), within `seconds` each.

    Its token comes from the variable CELLBOUND_OTLP_TOKEN.
    """

    otlp: Annotated[str, Field(pattern=r"^(https?://[^\s@]+)?$", max_length=2_000)] = ""
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
    try:
        settings = Settings.model_validate({**raw, "folder": folder})
    except ValidationError as fault:
        variables = overrides(environ)
        raise SettingsInvalid(
            tuple(_issue(file, error, variables) for error in fault.errors(include_url=False))
        ) from fault
    wrong = (*_unknown_users(settings, file), *_traces_beside_data(settings, file))
    if wrong:
        raise SettingsInvalid(wrong)
    return settings


def read_toml(folder: Path) -> Mapping[str, object]:
    """Return what cellbound.toml of a folder says. Raises SettingsInvalid."""
    file = folder / FILE
    if not file.is_file():
        raise SettingsInvalid(
            (
                Issue(
                    code="no_project",
                    message=f"{folder} holds no {FILE}.",
                    place=str(file),
                    next_step="Make a project with `cellbound init DIR --demo shop`.",
                ),
            )
        )
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise SettingsInvalid(
            (
                Issue(
                    code="bad_toml",
                    message=f"{FILE} cannot be read: {fault}.",
                    place=str(file),
                    next_step="Mend the file where it says so.",
                ),
            )
        ) from fault


def _unknown_users(settings: Settings, file: Path) -> tuple[Issue, ...]:
    known = tuple(settings.identity.users)
    named = {
        "identity.cli_user": settings.identity.cli_user,
        "identity.stdio_user": settings.identity.stdio_user,
        **{f"identity.tokens[{n}].user": token.user for n, token in enumerate(settings.identity.tokens)},
    }
    return tuple(
        Issue(
            code="unknown_user",
            message=f"{key} names {user!r}, who is not under [identity.users].",
            place=str(file),
            seen=user,
            candidates=near(user, known),
            next_step="Add the user under [identity.users], or name one who is there.",
        )
        for key, user in named.items()
        if user and user not in known
    )


def _traces_beside_data(settings: Settings, file: Path) -> tuple[Issue, ...]:
    """Refuse traces in the database that is asked about: whoever may change one may change both."""
    traces, data = (urlsplit(url) for url in (settings.traces.store, settings.engine.url))
    if not traces.path or not data.scheme.startswith("postgres"):
        return ()
    if (traces.hostname, traces.port or 5432, traces.path) != (data.hostname, data.port or 5432, data.path):
        return ()
    return (
        Issue(
            code="traces_beside_data",
            message="traces.store is the database that engine.url asks about.",
            place=str(file),
            seen="traces.store",
            next_step="Keep traces in a database of their own: `cellbound setup sql --traces` prints one.",
        ),
    )


def _issue(file: Path, error: Mapping[str, object], variables: Mapping[tuple[str, ...], str]) -> Issue:
    where = error["loc"] if isinstance(error["loc"], tuple) else ()
    key = ".".join(str(part) for part in where)
    extra = error["type"] == "extra_forbidden"
    known = _known_keys(where) if extra else ()
    return Issue(
        code="unknown_key" if extra else str(error["type"]),
        message=f"{key} is not a setting." if extra else f"{key}: {error['msg']}.",
        place=f"${variables[where]}" if where in variables else str(file),
        seen=key,
        candidates=near(str(where[-1]), known) if extra else (),
        next_step=f"Known here: {', '.join(known)}." if known else "See docs/settings.md.",
    )


def _known_keys(where: tuple[object, ...]) -> tuple[str, ...]:
    fields: Mapping[str, type[Record]] = {
        "project": ProjectSettings,
        "engine": EngineSettings,
        "paths": PathSettings,
        "identity": IdentitySettings,
        "server": ServerSettings,
        "results": ResultSettings,
        "notify": NotifySettings,
        "traces": TraceSettings,
        "keys": KeySettings,
        "agent": AgentSettings,
        "export": ExportSettings,
        "discovery": DiscoverySettings,
        "evals": EvalSettings,
    }
    if len(where) == 1:
        return tuple(fields)
    inner: Mapping[tuple[object, ...], type[Record]] = {
        ("engine", "duckdb"): DuckDBSettings,
        ("engine", "exchange"): ExchangeSettings,
        ("identity", "oidc"): OidcSettings,
        ("identity", "proxy"): ProxySettings,
    }
    room = inner.get(where[:2], fields.get(str(where[0]))) if len(where) > 2 else fields.get(str(where[0]))
    return tuple(room.model_fields) if room else ()
