"""An installation without an extra runs all that needs none: no driver, nothing of charts or discovery."""

import subprocess
import sys
from pathlib import Path

import pytest

from gateway.scaffold.project import templates

ROOT = Path(__file__).resolve().parents[2]
DRIVEN = ("gateway.engines.postgres_", "gateway.engines.snowflake", "gateway.engines.bigquery")
"""Rooms of one database each: they may need its driver."""
ALSO = ("gateway.engines.postgres", "gateway.stores.postgres")
BLOCKED = """
import importlib, pkgutil, sys
from importlib.abc import MetaPathFinder

GONE = ("psycopg", "psycopg_pool", "snowflake", "google.cloud", "google.api_core", "google.auth")
EXTRAS = ("altair", "vl_convert", "scipy", "pydantic_ai", "stdnum", "phonenumbers")

class NotThere(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if any(name == gone or name.startswith(gone + ".") for gone in GONE):
            raise ModuleNotFoundError(name, name=name)
        return None

sys.meta_path.insert(0, NotThere())
"""
EVERY_MODULE = """
import gateway
for found in pkgutil.walk_packages(gateway.__path__, "gateway."):
    try:
        importlib.import_module(found.name)
    except ModuleNotFoundError as fault:
        print(found.name, fault.name)
"""
COMMAND = "from gateway.doors.cli.main import main; main()"


def run(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BLOCKED + code, *words],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def test_only_what_opens_a_database_needs_its_driver() -> None:
    done = run(EVERY_MODULE)
    assert done.returncode == 0, done.stderr
    needs = [line.split(" ")[0] for line in done.stdout.splitlines()]
    assert needs, "nothing needed a driver: nothing was blocked"
    assert not [name for name in needs if not name.startswith(DRIVEN) and name not in ALSO]


def test_what_serves_needs_no_extra() -> None:
    """Whatever a process of `serve` loads has to be there in every installation."""
    loads = ("gateway.doors.serving.project", "gateway.doors.mcp.server", "gateway.doors.console.app")
    done = run(f"GONE += EXTRAS\nimport {', '.join(loads)}")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("engine", ["postgres", "snowflake", "bigquery", "duckdb"])
def test_what_a_database_has_to_hold_is_written_without_any_driver(engine: str) -> None:
    urls = {
        "postgres": "postgresql://db.example/shop",
        "snowflake": "snowflake://org-account/shop?warehouse=ask",
        "bigquery": "bigquery://project/shop?location=EU&principal={user}@example.com",
    }
    url = urls.get(engine, "duckdb:shop.duckdb")
    setting = f"import os; os.environ['CELLBOUND_ENGINE__URL'] = {url!r}\n"
    done = run(setting + COMMAND, "setup", "sql", "--engine", engine, "--project", str(templates() / "shop"))
    assert done.returncode == 0, done.stderr
    assert "analyst" in done.stdout.lower()
