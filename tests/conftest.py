"""What every test may use: goldens, the shared corpus, a real PostgreSQL, and how many examples are drawn."""

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.servers.postgres import DEFAULT_VERSION, Server, running, versions, why_missing

pytest_plugins = ["tests.canaries"]
ROOT = Path(__file__).resolve().parent.parent

# In CI every run draws the same examples, so that a red run can be had again.
settings.register_profile(
    "quick", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", settings.get_profile("quick"), derandomize=False, max_examples=5_000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", choices=("check", "write"), default="check", help="check or rewrite goldens")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what a test is by what it uses, so that nobody has to remember to."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.property)
        fixtures: list[str] = getattr(item, "fixturenames", [])
        if "golden" in fixtures:
            item.add_marker(pytest.mark.golden)
        if "corpus_folder" in fixtures:
            item.add_marker(pytest.mark.corpus)
        if "postgres_servers" in fixtures:
            item.add_marker(pytest.mark.engine("postgres"))


@pytest.fixture(autouse=True)
def no_log_outlives_its_test() -> Iterator[None]:
    """A server that ran in this process leaves no handler behind that would tell of the next test."""
    yield
    logs = sys.modules.get("gateway.doors.serving.logs")
    if logs is None:
        return
    for name in (None, *logs.LOGGERS):
        logger = logging.getLogger(name)
        logger.propagate = True
        logger.handlers = [h for h in logger.handlers if type(h).__module__.startswith("_pytest")]


@pytest.fixture(scope="session")
def corpus_folder() -> Path:
    """The labelled cases: CELLBOUND_CORPUS, or a folder called shared beside the checkout."""
    folder = Path(os.environ.get("CELLBOUND_CORPUS", ROOT.parent / "shared" / "corpus"))
    if not folder.is_dir():
        pytest.skip("no labelled cases: set CELLBOUND_CORPUS to their folder")
    return folder


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with a committed file; `--golden=write` rewrites the file instead."""
    write = request.config.getoption("--golden") == "write"

    def compare(file: Path, text: str) -> None:
        if write:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            return
        kept = file.read_text(encoding="utf-8") if file.is_file() else ""
        assert kept == text, f"{file.name} is stale: make golden, then read the diff"

    return compare


@pytest.fixture(scope="session")
def postgres_servers() -> Iterator[Callable[[int], Server]]:
    """Give the server of a major version, started once per test process; one that is missing here skips."""
    with ExitStack() as stack:
        started: dict[int, Server] = {}

        def server(version: int) -> Server:
            if version not in versions():
                pytest.skip(why_missing(version))
            if version not in started:
                started[version] = stack.enter_context(running(version))
            return started[version]

        yield server


@pytest.fixture(scope="session")
def postgres_server(postgres_servers: Callable[[int], Server]) -> Server:
    """The PostgreSQL that most tests use."""
    return postgres_servers(DEFAULT_VERSION)


@pytest.fixture
def postgres_database(postgres_server: Server) -> Iterator[str]:
    """The name of an empty database for one test."""
    with postgres_server.database() as name:
        yield name
