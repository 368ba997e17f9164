"""Demo projects with the report of one look at each."""

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from gateway.doors.cli.main import run


@pytest.fixture(scope="session")
def demo_reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The report that `discover` keeps, by demo project."""
    found = {}
    for name in ("shop", "flights"):
        folder = tmp_path_factory.mktemp("demos") / name
        with redirect_stdout(StringIO()):  # it prints tokens, which no log of a test run keeps
            assert run(["init", str(folder), "--demo", name]) == 0
        assert run(["discover", "--project", str(folder)]) == 0
        found[name] = folder / "var" / "discovery.json"
    return found
