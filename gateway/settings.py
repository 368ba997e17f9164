"""cellbound.toml and the environment, read once into one frozen object."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from gateway.errors import SettingsInvalid
from metric_layer.issues import Issue
from metric_layer.record import Record
from metric_layer.vocabulary import near
from traces.records import Caller

FILE = "cellbound.toml"


class ProjectSettings(Record):
    """What the project is called."""

    name: Annotated[str, Field(min_length=1)]


class DuckDBSettings(Record):
    """How queries run on DuckDB.

    `mode` is `hard` (each role reads a file that holds its rows and columns only), `soft` (views over the
    one file) or `auto` (hard as soon as two roles see different things). `workers` processes are at work at
    once at most, `waiting` callers may queue for one, each for `wait_seconds`.
    """

    mode: Literal["auto", "soft", "hard"] = "auto"
    workers: Annotated[int, Field(ge=1, le=64)] = 2
    waiting: Annotated[int, Field(ge=0, le=10_000)] = 64
    wait_seconds: Annotated[float, Field(gt=0, le=3600)] = 5.0


class EngineSettings(Record):
    """The one database this gateway may reach; nothing in a plan, a token or a text can point elsewhere.

    All but `url` is for a database server. `mode` is `login` (everybody logs in as themself) or `set_role`
    (one login of the gateway's own acts as them). `credentials` is what proves a login: `server`,
    `environment`, `files:FOLDER`, `passfile:FILE` (PostgreSQL's) or `hook:MODULE:FUNCTION`. `connections` are
    open at once at most, `waiting` callers may queue for one, each for `wait_seconds`.
    """

    url: Annotated[str, Field(min_length=1)]
    duckdb: DuckDBSettings = DuckDBSettings()
    mode: Literal["login", "set_role"] = "login"
    credentials: Annotated[
        str, Field(pattern=r"^(server|environment|passfile:.+|files:.+|hook:[A-Za-z_][\w.]*:[A-Za-z_]\w*)$")
    ] = "server"
    connections: Annotated[int, Field(ge=1, le=10_000)] = 16
    waiting: Annotated[int, Field(ge=0, le=10_000)] = 64
    wait_seconds: Annotated[float, Field(gt=0, le=3600)] = 5.0


class PathSettings(Record):
    """Folders and files of the project, relative to its own folder."""

    metrics: str = "metrics"
    policies: str = "policies"
    cases: str = "cases"
    traces: str = "var/traces"
    state: str = "var/state.sqlite"
    results: str = "var/results.sqlite"
    keys: str = "var/keys.json"
    spill: str = "var/spill"
    extracts: str = "var/extracts"


class UserSettings(Record):
    """A user the gateway knows: the roles are names of the policy, in order of preference."""

    roles: Annotated[tuple[str, ...], Field(min_length=1)]
    teams: tuple[str, ...] = ()
    tenant: str = "default"


class TokenSettings(Record):
    """A bearer token by its SHA-256, in hex. The token itself is nowhere in the project."""

    user: str
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class IdentitySettings(Record):
    """Who may come through which door."""

    cli_user: str = ""
    stdio_user: str = ""
    users: Mapping[str, UserSettings] = {}
    tokens: tuple[TokenSettings, ...] = ()

    def caller(self, user: str) -> Caller:
        """Return a configured user as a caller. Raises KeyError for a name that is not one."""
        known = self.users[user]
        return Caller(user=user, teams=known.teams, roles=known.roles, tenant=known.tenant)


class ServerSettings(Record):
    """Where `serve` listens, which names it answers to, and how much it takes at once.

    `reload_seconds` is how often `serve` and `mcp` look for changed definitions and policies; 0 is never.
    """

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8321
    allowed_hosts: tuple[str, ...] = ("127.0.0.1:*", "localhost:*")
    allowed_origins: tuple[str, ...] = ()
    workers: Annotated[int, Field(ge=1, le=64)] = 8
    queue: Annotated[int, Field(ge=0, le=10_000)] = 64
    body_bytes: Annotated[int, Field(ge=1024, le=67_108_864)] = 1_048_576
    reload_seconds: Annotated[float, Field(ge=0, le=3600)] = 2.0


class ResultSettings(Record):
    """How long a result can be used for drafts and follow-ups."""

    minutes: Annotated[int, Field(ge=1, le=10_080)] = 60


class Settings(Record):
    """Everything `wiring` needs to build a gateway."""

    folder: Path
    project: ProjectSettings
    engine: EngineSettings
    paths: PathSettings = PathSettings()
    identity: IdentitySettings = IdentitySettings()
    server: ServerSettings = ServerSettings()
    results: ResultSettings = ResultSettings()

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


def load_settings(folder: Path) -> Settings:
    """Read cellbound.toml of a project folder; every problem at once."""
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
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise SettingsInvalid(
            (Issue(code="bad_toml", message=f"{FILE} cannot be read: {fault}.", place=str(file)),)
        ) from fault
    try:
        settings = Settings.model_validate({**raw, "folder": folder})
    except ValidationError as fault:
        raise SettingsInvalid(
            tuple(_issue(file, error) for error in fault.errors(include_url=False))
        ) from fault
    unknown = _unknown_users(settings, file)
    if unknown:
        raise SettingsInvalid(unknown)
    return settings


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
        )
        for key, user in named.items()
        if user and user not in known
    )


def _issue(file: Path, error: Mapping[str, object]) -> Issue:
    where = error["loc"] if isinstance(error["loc"], tuple) else ()
    key = ".".join(str(part) for part in where)
    extra = error["type"] == "extra_forbidden"
    return Issue(
        code="unknown_key" if extra else str(error["type"]),
        message=f"{key} is not a setting." if extra else f"{key}: {error['msg']}.",
        place=str(file),
        seen=key,
        candidates=near(str(where[-1]), _known_keys(where)) if extra else (),
    )


def _known_keys(where: tuple[object, ...]) -> tuple[str, ...]:
    fields: Mapping[str, type[Record]] = {
        "project": ProjectSettings,
        "engine": EngineSettings,
        "paths": PathSettings,
        "identity": IdentitySettings,
        "server": ServerSettings,
        "results": ResultSettings,
    }
    if len(where) == 1:
        return tuple(fields)
    room = (
        DuckDBSettings if where[:2] == ("engine", "duckdb") and len(where) > 2 else fields.get(str(where[0]))
    )
    return tuple(room.model_fields) if room else ()
