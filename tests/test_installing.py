"""What is built installs into an empty environment, works there, and brings no driver unasked."""

import json
import os
import subprocess
import sys
import tarfile
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from gateway import __version__
from tests.canaries import forgive

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent
DRIVERS = {
    "postgres": {"psycopg"},
    "snowflake": {"snowflake-connector-python"},
    "bigquery": {"google-cloud-bigquery"},
}
QUIET = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1", "PIP_ROOT_USER_ACTION": "ignore"}
PERMISSIVE = (
    "MIT",
    "BSD",
    "Apache",
    "ISC",
    "Python Software Foundation",
    "PSF",
    "MPL-2.0",
    "Mozilla Public License 2.0",
    "Unlicense",
    "0BSD",
    "CNRI-Python",
    "Zlib",
    "CC0",
)
LIBRARY = {
    "psycopg": "LGPL-3.0-only, used as a library and not changed",
    "psycopg-binary": "LGPL-3.0-only, used as a library and not changed",
    "psycopg-pool": "LGPL-3.0-only, used as a library and not changed",
    "python-stdnum": "LGPL-2.1-or-later, used as a library and not changed",
}


def build(kind: str, source: Path, into: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(into)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (built,) = into.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as somebody builds it who has the sdist and nothing else."""
    folder = tmp_path_factory.mktemp("unpacked")
    forgive(folder)  # the tests themselves are in it, with all that they plant
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Debian's 3.11.2 has none yet
        archive.extractall(folder)
    return build("wheel", folder / f"cellbound-{__version__}", tmp_path_factory.mktemp("wheel"))


def closure(*extras: str) -> set[str]:
    """Return what an installation with these extras needs, by the metadata of what is installed here."""
    seen: set[tuple[str, str]] = set()
    waiting = [("cellbound", extra) for extra in ("", *extras)]
    while waiting:
        name, chosen = waiting.pop()
        if (name, chosen) in seen:
            continue
        seen.add((name, chosen))
        for line in distribution(name).requires or ():
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": chosen}):
                waiting.extend((canonicalize_name(needed.name), each) for each in (*needed.extras, ""))
    return {name for name, _ in seen} - {"cellbound"}


def test_a_wheel_from_the_sdist_is_the_wheel_of_the_checkout(wheel: Path, tmp_path: Path) -> None:
    ours = set(ZipFile(build("wheel", ROOT, tmp_path)).namelist())
    assert ours and set(ZipFile(wheel).namelist()) == ours


def test_the_sdist_brings_what_its_tests_and_its_image_need(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        tops = {Path(name).parts[1] for name in archive.getnames() if len(Path(name).parts) > 1}
    assert {"tests", "docs", "benchmarks", "deploy", "examples", "Makefile", "constraints.txt", ".ci"} <= tops


def test_an_installed_wheel_works_away_from_its_source(wheel: Path, tmp_path: Path) -> None:
    """Ours alone is installed anew; what it depends on is borrowed, so that no index has to be reached."""
    home = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    (site,) = (home / "lib").glob("python3.*/site-packages")
    with ZipFile(wheel) as archive:
        archive.extractall(site)
    borrowed = Path(str(distribution("duckdb").locate_file(""))).resolve()
    (site / "borrowed.pth").write_text(f"{borrowed}\n", encoding="utf-8")
    run = "import sys; from gateway.doors.cli.main import main; main()"

    def cellbound(*words: str) -> str:
        done = subprocess.run(
            [home / "bin" / "python", "-c", run, *words],
            cwd=tmp_path,
            env={"PATH": os.environ.get("PATH", ""), "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert __version__ in cellbound("--version")
    cellbound("init", "mine")
    assert (tmp_path / "mine" / "cellbound.toml").is_file()
    where = subprocess.run(
        [home / "bin" / "python", "-c", "import gateway; print(gateway.__file__)"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert where.stdout.startswith(str(site))


def test_pip_installs_it_with_one_driver_and_nothing_is_missing(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "env"
    forgive(home)  # a library of others says what a private key begins with
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python")]
    environment = {**os.environ, **QUIET, "PIP_CONSTRAINT": str(ROOT / "constraints.txt")}
    install = [*pip, "install", "-q", "--no-compile", f"{wheel}[postgres]"]
    done = subprocess.run(install, env=environment, capture_output=True, text=True, check=False)
    if "No matching distribution" in done.stderr or "Could not find a version" in done.stderr:
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr
    subprocess.run([*pip, "check"], env=environment, check=True, capture_output=True)
    listed = subprocess.run([*pip, "list", "--format=json"], env=environment, capture_output=True, check=True)
    names = {canonicalize_name(each["name"]) for each in json.loads(listed.stdout)}
    assert DRIVERS["postgres"] <= names
    assert not names & (DRIVERS["snowflake"] | DRIVERS["bigquery"])
    said = subprocess.run(
        [home / "bin" / "cellbound", "--version"], capture_output=True, text=True, check=True
    )
    assert __version__ in said.stdout


@pytest.mark.parametrize("extra", ["", *DRIVERS])
def test_an_extra_brings_its_own_driver_and_no_other(extra: str) -> None:
    needed = closure(extra) if extra else closure()
    brought = {name for name, drivers in DRIVERS.items() if drivers & needed}
    assert brought == ({extra} if extra else set())


def licence_of(name: str) -> str:
    told = distribution(name).metadata
    classifiers = [each for each in told.get_all("Classifier") or () if each.startswith("License ::")]
    named = [each[:200] for key in ("License-Expression", "License") for each in told.get_all(key) or ()]
    return " ".join((*named, *classifiers))


def test_everything_that_is_installed_with_it_may_be_used_with_it() -> None:
    """A new dependency under a licence that asks something of its users is seen before it is taken."""
    needed = closure(*DRIVERS, "charts", "evals", "agent", "discovery", "flights")
    strange = {
        name: licence_of(name)
        for name in sorted(needed - set(LIBRARY))
        if not any(each.lower() in licence_of(name).lower() for each in PERMISSIVE)
    }
    assert not strange
    assert set(LIBRARY) <= needed
