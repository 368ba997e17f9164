"""What every test may use: goldens, the shared corpus, a real PostgreSQL, and how many examples are drawn."""

import gc
import logging
import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from functools import cache, wraps
from pathlib import Path
from ssl import SSLContext
from typing import Any

import pytest
from httpx._transports import default as httpx_transport
from httpx2._transports import default as httpx2_transport
from hypothesis import HealthCheck, settings

from tests.servers.postgres import DEFAULT_VERSION, Server, running, versions, why_missing

pytest_plugins = ["tests.canaries"]
ROOT = Path(__file__).resolve().parent.parent

# Compiled code is kept even where the environment says otherwise: every process of a run, and each that a
# test starts, would compile all of it again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

GARBAGE = (20_000, 20, 50)
"""How much is made before garbage is looked for: syntax trees, of which the tests make many, are none."""

# In CI every run draws the same examples, so that a red run can be had again.
settings.register_profile(
    "quick", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", settings.get_profile("quick"), derandomize=False, max_examples=5_000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", choices=("check", "write"), default="check", help="check or rewrite goldens")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Run one process more than there are cores: each waits now and then, for a disk or for a program."""
    cores = yield
    return cores if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else cores + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage while modules load, nor afterwards in what they made: the tests live on it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        gc.enable()


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
    # What takes long comes first, so that no process is left with it while the others have nothing to do.
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


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


def read_once(make: Callable[..., SSLContext]) -> Callable[..., SSLContext]:
    """Give every client that asks for nothing of its own the same authorities."""
    usual = cache(make)

    @wraps(make)
    def context(verify: Any = True, cert: Any = None, trust_env: bool = True) -> SSLContext:
        own = verify is not True or cert or {"SSL_CERT_FILE", "SSL_CERT_DIR"} & os.environ.keys()
        return make(verify, cert, trust_env) if own else usual()

    return context


@pytest.fixture(scope="session", autouse=True)
def authorities_are_read_once() -> Iterator[None]:
    """Reading whom the web trusts takes longer than most requests, and every new HTTP client would do it."""
    with pytest.MonkeyPatch.context() as patches:
        for transport in (httpx_transport, httpx2_transport):
            patches.setattr(transport, "create_ssl_context", read_once(transport.create_ssl_context))
        yield


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
