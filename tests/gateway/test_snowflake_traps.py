"""The whole house over the Snowflake stand-in: its answers to the trap suite, held against written SQL."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
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
from tests.servers.snowflake import Standin, running
from tests.servers.snowflake_account import Account, Token

pytestmark = pytest.mark.engine("snowflake")

CASES: list[dict[str, Any]] = yaml.safe_load((HERE / "cases.yml").read_text())
PLAIN = [case for case in CASES if "before" not in case]
CHANGED = [case for case in CASES if "before" in case]
SETTINGS = """
[project]
name = "traps"

[engine]
url = "snowflake://acme/SHOP?warehouse=CELLBOUND&host=127.0.0.1&protocol=http&port={port}"
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
def _loaded(change: str) -> Iterator[Standin]:
    account = Account()
    account.execute(TABLES.read_text())
    if change:
        account.execute(change)
    account.add_user("asker", "EVERYTHING")
    account.tokens[token_of("asker", {})] = Token("asker", "OAUTH")
    account.grant("EVERYTHING", "USAGE", "WAREHOUSE", "CELLBOUND")
    account.grant("EVERYTHING", "SELECT", "TABLE", *(".".join(name) for name in account.versions))
    with running(account) as standin:
        yield standin


@contextmanager
def _house(folder: Path, standin: Standin) -> Iterator[Gateway]:
    """Open a project of its own: a choice once made is remembered for the asker's team."""
    (folder / "metrics").mkdir()
    (folder / "policies").mkdir()
    shutil.copy(HERE / "layer.yml", folder / "metrics" / "layer.yml")
    (folder / "policies" / "policy.yml").write_text(POLICY)
    (folder / "cellbound.toml").write_text(SETTINGS.format(port=standin.port, module=__name__))
    gateway = open_gateway(folder)
    try:
        yield gateway
    finally:
        gateway.close()


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> DuckTables:
    """The tables as they are published, read directly."""
    tables = DuckTables(tmp_path_factory.mktemp("truth"))
    tables.reset("")
    return tables


@pytest.fixture(scope="module")
def standin() -> Iterator[Standin]:
    """The tables as they are published, in the stand-in."""
    with _loaded("") as found:
        yield found


def _judged(case: dict[str, Any], folder: Path, standin: Standin, tables: DuckTables) -> str:
    with _house(folder, standin) as gateway:
        reply = gateway.ask(ASKER, case["plan"], options=AskOptions(choices=case.get("choices", {})))
    answered = reply.outcome == "answered" or (reply.outcome == "no_rows" and bool(reply.rows))
    rows = [list(row) for row in reply.rows] if answered else None
    refused = f"{reply.outcome}: {', '.join(f'{issue.code} {issue.message}' for issue in reply.issues)}"
    truth = tables.rows(case["truth"]) if "truth" in case else None
    found = verdict(case, Found(rows, "" if answered else refused), truth)
    return found if found == "right" else f"{found}: {rows or refused} for {truth}"


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: case["id"])
def test_a_trap_has_the_right_answer(
    case: dict[str, Any], tmp_path: Path, standin: Standin, truth: DuckTables
) -> None:
    assert _judged(case, tmp_path, standin, truth) == "right"


@pytest.mark.parametrize("case", CHANGED, ids=lambda case: case["id"])
def test_a_trap_in_changed_data_has_the_right_answer(case: dict[str, Any], tmp_path: Path) -> None:
    tables = DuckTables(tmp_path)
    tables.reset(case["before"])
    with _loaded(case["before"]) as changed:
        assert _judged(case, tmp_path, changed, tables) == "right"
