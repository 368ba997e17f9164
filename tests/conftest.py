"""What every test may use: goldens, the shared corpus, and how many examples a property test draws."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

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
