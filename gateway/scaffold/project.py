"""Makes a new project folder out of a template: the whole folder, or none."""

import json
import re
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from textwrap import indent
from typing import Literal

from gateway.demo.flights_data import write_flights
from gateway.demo.shop_data import write_shop
from gateway.engines.base import EngineError
from gateway.engines.catalogue import CatalogueTable
from gateway.engines.open import describe_database, dialect_of, pinned
from gateway.errors import HouseError
from gateway.playbooks.schema import put_schema as put_schema_of_analyses
from gateway.proposal import propose
from gateway.scaffold.profiles import Profile, suited
from gateway.settings.file import FILE
from metric_layer.interchange.project import FIRST_LINE, put_schema
from metric_layer.interchange.writing import yaml_text
from metric_layer.issues import Issue
from metric_layer.load import load_layer
from policies.load import load_policy

Demo = Literal["shop", "flights"]

NO_TOKEN = "0" * 64
_AT_A_PLACE = ("database_missing", "not_a_database", "database_unreadable", "database_unreachable")
TOKENS_ONLY = ("snowflake", "bigquery")
"""Databases to which every asker brings a token or a key of their own."""
_TOKEN = re.compile(rf'^user = "(?P<user>[^"]+)"\nsha256 = "{NO_TOKEN}"$', re.MULTILINE)
_README = """\
# A cellbound project over a database of yours

| file | says |
|---|---|
| `cellbound.toml` | which database, who may ask, where to listen |
| `metrics/*.yml` | tables, joins, dimensions and counts, proposed from the database's catalogue |
| `policies/policy.yml` | roles, row rules, budgets |
| `var/` | written by the gateway: traces, state, keys (not for version control) |

1. Read `metrics/`, take out what nobody should ask, and say what each count means: `status: certified`.
2. Say in `policies/policy.yml` who may see what.
3. `cellbound setup sql` prints what the database needs; `cellbound doctor` proves that it holds.
"""
_TO_FILL_IN = """\
Fill in, in this order:
#   1. the engine's url below,
#   2. metrics/example.yml: your tables, how they join, what is measured,
#   3. policies/policy.yml: who may ask what,
"""
_TO_READ = """\
Read and mend, in this order:
#   1. metrics/: tables, joins, dimensions and counts as the database's catalogue tells of them,
#   2. policies/policy.yml: who may ask what,
"""
_EXAMPLE_DATASETS = re.compile(r"^    datasets: \[customers, orders\]$", re.MULTILINE)


class ScaffoldRefused(HouseError):
    """A project cannot be made at the place that was named."""


@dataclass(frozen=True, slots=True)
class Scaffolded:
    """A new project. `tokens` maps each user to a bearer token that is kept nowhere: show them once.

    `files` are relative to `folder`; `database` is the generated data of a demo.
    """

    folder: Path
    demo: Demo | None
    files: tuple[str, ...]
    database: Path | None
    tokens: Mapping[str, str] = field(repr=False)


def scaffold(target: Path, demo: Demo | None, profile: Profile = "analysts", *, url: str = "") -> Scaffolded:
    """Make a project at `target`, which must not exist or be an empty folder.

    With a `url`, its definitions are drafts of what that database's catalogue tells; a file is relative to
    the working folder. Raises EngineError for a database that cannot be read.

    It is put together out of sight and moved into place when it is whole, cellbound.toml last. The profile
    says how strict the policy starts. Raises ScaffoldRefused, FlightsMissing without the extra `flights`,
    EngineError when the data cannot be written.
    """
    try:
        place = _check_place(target)
        tables = _described(url) if url else ()
        building = _beside(place)
        try:
            tokens = _copy_template(demo or "empty", building, profile)
            if url:
                _put_proposal(building, place.name, url, tables)
            _wire_editors(building / "metrics")
            if (building / "analyses").is_dir():
                put_schema_of_analyses(building / "analyses")
            database = _write_data(demo, building)
            files = tuple(sorted(str(f.relative_to(building)) for f in building.rglob("*") if f.is_file()))
            _settle(building, place)
        finally:
            shutil.rmtree(building, ignore_errors=True)
    except OSError as fault:
        raise _refused(
            "project_not_written",
            f"The project could not be written to {target}: {fault.strerror or fault}.",
            target,
            "See that the folder can be written to and has room, or name another one.",
        ) from fault
    return Scaffolded(
        folder=place,
        demo=demo,
        files=files,
        database=place / database.relative_to(building) if database else None,
        tokens=tokens,
    )


def templates() -> Path:
    """Return the folder of the templates: inside the installed package, or `examples` of a checkout."""
    package = Path(__file__).parent.parent
    for folder in (package / "projects", package.parent / "examples"):
        if (folder / "empty" / FILE).is_file():
            return folder
    raise _refused(
        "templates_missing",
        "The project templates are not part of this installation.",
        package,
        "Install cellbound again.",
    )


def _described(url: str) -> tuple[CatalogueTable, ...]:
    """Return the tables of a database. Raises EngineError in words for somebody who has no project yet."""
    try:
        return describe_database(url, Path.cwd())
    except EngineError as fault:
        step = fault.next_step.replace("the engine's url in cellbound.toml", "what stands after --url")
        step = (
            step.replace(" in cellbound.toml", " after --url").partition(", or make one with")[0].rstrip(".")
        )
        seen = "" if fault.code not in _AT_A_PLACE else f": {_kept(url)}"
        raise EngineError(
            fault.code, f"{fault}{seen}", retryable=fault.retryable, next_step=f"{step}."
        ) from fault


def _check_place(target: Path) -> Path:
    place = target.expanduser().resolve()
    if place.exists() and not place.is_dir():
        raise _refused("not_a_folder", f"{target} is a file.", target, "Name a new or an empty folder.")
    if place.is_dir() and any(place.iterdir()):
        raise _refused(
            "not_empty", f"The folder {target} is not empty.", target, "Name a new or an empty folder."
        )
    if not place.parent.is_dir():
        raise _refused(
            "no_parent",
            f"The folder {place.parent} does not exist.",
            target,
            f"Make it with `mkdir -p {place.parent}`, then try again.",
        )
    return place


def _beside(place: Path) -> Path:
    """Return where to build: on the file system of `place`, so that moving into place is a renaming."""
    name = f".cellbound-{secrets.token_hex(4)}"
    return place / name if place.is_dir() else place.with_name(name)


def _write_data(demo: Demo | None, building: Path) -> Path | None:
    database = building / "var" / f"{demo}.duckdb"
    match demo:
        case None:
            return None
        case "shop":
            write_shop(database)
        case "flights":
            write_flights(database)
    return database


def _settle(building: Path, place: Path) -> None:
    """Move the project into place: in one step, or into the empty folder that is there, the settings last."""
    if not place.is_dir():
        building.rename(place)
        return
    parts = sorted((part.name for part in building.iterdir()), key=lambda name: (name == FILE, name))
    try:
        for part in parts:
            (building / part).rename(place / part)
    except OSError:
        for part in parts:
            if (place / part).exists():
                (place / part).rename(building / part)
        raise


def _copy_template(name: str, building: Path, profile: Profile) -> Mapping[str, str]:
    shutil.copytree(templates() / name, building, ignore=shutil.ignore_patterns("var", ".*"))
    (building / ".gitignore").write_text("var/\n", encoding="utf-8")
    policy = building / "policies" / "policy.yml"
    policy.write_text(
        suited(policy.read_text(encoding="utf-8"), profile, demo=name != "empty"), encoding="utf-8"
    )
    settings = building / FILE
    text, tokens = _issue_tokens(settings.read_text(encoding="utf-8"))
    settings.write_text(text, encoding="utf-8")
    return tokens


def _wire_editors(metrics: Path) -> None:
    """Put the schema of definitions beside them, and name it in each file's first line for editors."""
    put_schema(metrics)
    for file in metrics.glob("*.yml"):
        text = file.read_text(encoding="utf-8")
        if not text.startswith(FIRST_LINE):
            file.write_text(FIRST_LINE + text, encoding="utf-8")


def _put_proposal(building: Path, name: str, url: str, tables: Sequence[CatalogueTable]) -> None:
    """Put what a catalogue tells in the place of the template's example, and see that it holds together."""
    kept = _kept(url)
    dialect, schema = dialect_of(kept)
    proposal = propose(tables, schema)
    if not proposal.datasets:
        raise _refused(
            "empty_catalogue",
            "The database shows no table with a column that a result can carry.",
            building,
            "Name another database, or a login that may read its tables.",
        )
    metrics, policy, settings = building / "metrics", building / "policies" / "policy.yml", building / FILE
    shutil.rmtree(metrics)
    metrics.mkdir()
    for file, text in proposal.files.items():
        (metrics / file).write_text(text, encoding="utf-8")
    listed = indent(yaml_text({"datasets": proposal.datasets}), "    ").rstrip()
    written = _EXAMPLE_DATASETS.sub(lambda _: listed, policy.read_text(encoding="utf-8"))
    (building / "README.md").write_text(_README, encoding="utf-8")
    policy.write_text(written.replace("name: my-project", f"name: {json.dumps(name)}"), encoding="utf-8")
    text = settings.read_text(encoding="utf-8").replace(_TO_FILL_IN, _TO_READ)
    text = _with(_with(text, "name", name), "url", kept)
    if dialect in TOKENS_ONLY:
        text = text.replace("\nurl = ", '\ncredentials = "environment"\nurl = ', 1)
    settings.write_text(text, encoding="utf-8")
    load_policy(policy.parent, load_layer(metrics))


def _with(settings: str, key: str, value: str) -> str:
    """Return the settings with the first value of a key replaced."""
    before, line, after = settings.partition(f"\n{key} = ")
    return f"{before}{line}{json.dumps(value, ensure_ascii=False)}\n{after.partition(chr(10))[2]}"


def _kept(url: str) -> str:
    """Return a url as a project keeps it: a file by its whole path, a server without anybody's login."""
    if url.startswith("duckdb:"):
        return f"duckdb:{Path(url.partition(':')[2].removeprefix('//')).resolve()}"
    return pinned(url)[0]


def _issue_tokens(settings: str) -> tuple[str, Mapping[str, str]]:
    tokens = {found["user"]: f"cellbound_{secrets.token_urlsafe(32)}" for found in _TOKEN.finditer(settings)}

    def fill(found: re.Match[str]) -> str:
        digest = sha256(tokens[found["user"]].encode()).hexdigest()
        return found[0].replace(NO_TOKEN, digest)

    return _TOKEN.sub(fill, settings), tokens


def _refused(code: str, message: str, target: Path, next_step: str) -> ScaffoldRefused:
    return ScaffoldRefused([Issue(code=code, message=message, place=str(target), next_step=next_step)])
