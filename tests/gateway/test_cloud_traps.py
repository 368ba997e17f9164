"""The whole house over the stand-ins of Snowflake and BigQuery: the trap suite, held against written SQL."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.traps.__main__ import Found, verdict
from benchmarks.traps.data import TABLES, DuckTables
from benchmarks.traps.project import ASKER, HERE, POLICY
from gateway.asking import AskOptions
from gateway.service import Gateway
from gateway.wiring import open_gateway
from tests.servers import bigquery, snowflake
from tests.servers.bigquery_project import Project
from tests.servers.snowflake_account import Account, Token

CASES: list[dict[str, Any]] = yaml.safe_load((HERE / "cases.yml").read_text())
PLAIN = [case for case in CASES if "before" not in case]
CHANGED = [case for case in CASES if "before" in case]
EMAIL = "asker@example.com"
SETTINGS = """
[project]
name = "traps"

[engine]
url = "{url}"
credentials = "hook:{module}:token_of"

[identity]
cli_user = "asker"

[identity.users.asker]
roles = ["everything"]
teams = ["suite"]
tenant = "traps"
"""


def token_of(login: str, place: object) -> str:
    """Return the asker's token."""
    return f"token-of-{login}"


@contextmanager
def snowflake_with(change: str) -> Iterator[int]:
    """Serve the tables, changed, as an account; yield its port."""
    account = Account()
    account.execute(TABLES.read_text())
    if change:
        account.execute(change)
    account.add_user("asker", "EVERYTHING")
    account.tokens[token_of("asker", {})] = Token("asker", "OAUTH")
    account.grant("EVERYTHING", "USAGE", "WAREHOUSE", "CELLBOUND")
    account.grant("EVERYTHING", "SELECT", "TABLE", *(".".join(name) for name in account.versions))
    with snowflake.running(account) as standin:
        yield standin.port


@contextmanager
def bigquery_with(change: str) -> Iterator[int]:
    """Serve the tables, changed, as a project; yield its port."""
    project = Project()
    project.execute(TABLES.read_text())
    if change:
        project.execute(change)
    project.tokens[token_of("asker", {})] = EMAIL
    project.grant(EMAIL, *(".".join(name) for name in project.versions))
    with bigquery.running(project) as standin:
        yield standin.port


@dataclass(frozen=True, slots=True)
class Cloud:
    """A stand-in: how it serves the tables as a change leaves them, and how a project reaches it."""

    serve: Callable[[str], AbstractContextManager[int]]
    url: str


CLOUDS = [
    pytest.param(
        Cloud(
            snowflake_with,
            "snowflake://acme/SHOP?warehouse=CELLBOUND&host=127.0.0.1&protocol=http&port={port}",
        ),
        marks=pytest.mark.engine("snowflake"),
        id="snowflake",
    ),
    pytest.param(
        Cloud(
            bigquery_with,
            "bigquery://acme-shop/shop?location=EU&principal={{user}}@example.com"
            "&endpoint=http://127.0.0.1:{port}",
        ),
        marks=pytest.mark.engine("bigquery"),
        id="bigquery",
    ),
]


@pytest.fixture(scope="module", params=CLOUDS)
def cloud(request: pytest.FixtureRequest) -> Cloud:
    found: Cloud = request.param
    return found


@pytest.fixture(scope="module")
def published(cloud: Cloud) -> Iterator[int]:
    """The tables as they are published, in the stand-in at this port."""
    with cloud.serve("") as port:
        yield port


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> DuckTables:
    """The tables as they are published, read directly."""
    tables = DuckTables(tmp_path_factory.mktemp("truth"))
    tables.reset("")
    return tables


@contextmanager
def _house(folder: Path, url: str) -> Iterator[Gateway]:
    """Open a project of its own: a choice once made is remembered for the asker's team."""
    (folder / "metrics").mkdir()
    (folder / "policies").mkdir()
    shutil.copy(HERE / "layer.yml", folder / "metrics" / "layer.yml")
    (folder / "policies" / "policy.yml").write_text(POLICY)
    (folder / "cellbound.toml").write_text(SETTINGS.format(url=url, module=__name__))
    gateway = open_gateway(folder)
    try:
        yield gateway
    finally:
        gateway.close()


def _judged(case: dict[str, Any], folder: Path, url: str, tables: DuckTables) -> str:
    with _house(folder, url) as gateway:
        reply = gateway.ask(ASKER, case["plan"], AskOptions(choices=case.get("choices", {})))
    answered = reply.outcome == "answered" or (reply.outcome == "no_rows" and bool(reply.rows))
    rows = [list(row) for row in reply.rows] if answered else None
    refused = f"{reply.outcome}: {', '.join(f'{issue.code} {issue.message}' for issue in reply.issues)}"
    truth = tables.rows(case["truth"]) if "truth" in case else None
    found = verdict(case, Found(rows, "" if answered else refused), truth)
    return found if found == "right" else f"{found}: {rows or refused} for {truth}"


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: case["id"])
def test_a_trap_has_the_right_answer(
    case: dict[str, Any], tmp_path: Path, cloud: Cloud, published: int, truth: DuckTables
) -> None:
    assert _judged(case, tmp_path, cloud.url.format(port=published), truth) == "right"


@pytest.mark.parametrize("case", CHANGED, ids=lambda case: case["id"])
def test_a_trap_in_changed_data_has_the_right_answer(
    case: dict[str, Any], tmp_path: Path, cloud: Cloud
) -> None:
    tables = DuckTables(tmp_path)
    tables.reset(case["before"])
    with cloud.serve(case["before"]) as port:
        assert _judged(case, tmp_path, cloud.url.format(port=port), tables) == "right"
