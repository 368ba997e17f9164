"""What a cold start loads: a list of metrics waits for no driver, and help for hardly anything."""

import subprocess
import sys
from pathlib import Path

import pytest

ASK_MODULES = "import sys; from gateway.doors.cli.main import run; status = run(sys.argv[1:]); "
TELL = "print('status', status); print('loaded', *sorted({name.partition('.')[0] for name in sys.modules}))"
DRIVERS = {"duckdb", "psycopg", "snowflake", "google"}
DOORS = {"fastapi", "starlette", "uvicorn", "mcp", "httpx", "anyio"}
HEAVY = {"numpy", "pyarrow", "pandas", "cryptography", "sqlite3", "altair", "jinja2", "opentelemetry"}
MEANING = {"sqlglot", "yaml", "metric_layer", "policies", "traces"}


def loaded(*arguments: str, folder: Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", ASK_MODULES + TELL, *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(Path(__file__).resolve().parents[3]), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "status 0" in done.stdout, done.stdout + done.stderr
    return set(done.stdout.rpartition("loaded ")[2].split())


@pytest.mark.parametrize(
    "verb", [("metrics", "list"), ("metrics", "show", "net_revenue"), ("metrics", "validate")], ids=" ".join
)
def test_what_only_reads_definitions_loads_no_driver_no_web_part_and_no_store(
    shop: Path, verb: tuple[str, ...]
) -> None:
    found = loaded(*verb, folder=shop)
    assert "metric_layer" in found
    assert not found & (DRIVERS | DOORS | HEAVY)


def test_definitions_are_read_without_a_database_a_key_or_a_trace(shop: Path) -> None:
    (shop / "var" / "shop.duckdb").unlink()
    assert loaded("metrics", "list", folder=shop)
    assert not list((shop / "var").iterdir()), "nothing was made either"


@pytest.mark.parametrize("verb", [(), ("metrics",), ("metrics", "list"), ("ask",), ("serve",)], ids=" ".join)
def test_help_loads_nothing_that_a_verb_works_with(tmp_path: Path, verb: tuple[str, ...]) -> None:
    assert not loaded(*verb, "--help", folder=tmp_path) & (MEANING | DRIVERS | DOORS | HEAVY)
