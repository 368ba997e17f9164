"""What is shipped is whole, what is pinned is what runs, and what a machine lacks is said in one line."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from gateway import __version__

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONTRACT_VERBS = {"setup", "demo", "test", "lint", "golden", "bench", "docs", "fuzz", "soak", "build"}
MADE_BY_VENV = {"pip", "setuptools", "cellbound"}


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return ZipFile(next(folder.glob("*.whl")))


def test_a_wheel_holds_the_five_packages_their_data_and_the_project_templates(wheel: ZipFile) -> None:
    names = set(wheel.namelist())
    for folder in ("gateway", "metric_layer", "policies", "evals", "traces"):
        on_disk = {
            file.relative_to(ROOT).as_posix()
            for file in (ROOT / folder).rglob("*")
            if file.is_file() and "__pycache__" not in file.parts
        }
        assert on_disk <= names
    assert {f"gateway/projects/{demo}/cellbound.toml" for demo in ("shop", "flights", "empty")} <= names


def test_a_wheel_holds_no_tests_no_run_time_data_and_no_other_top_level_name(wheel: ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert tops == {
        "gateway",
        "metric_layer",
        "policies",
        "evals",
        "traces",
        f"cellbound-{__version__}.dist-info",
    }
    assert not [name for name in wheel.namelist() if "/var/" in name or name.endswith((".duckdb", ".sqlite"))]


def test_a_wheel_brings_the_command_and_the_licence(wheel: ZipFile) -> None:
    info = f"cellbound-{__version__}.dist-info"
    assert "cellbound = gateway.doors.cli.main:main" in wheel.read(f"{info}/entry_points.txt").decode()
    assert "Apache License" in wheel.read(f"{info}/licenses/LICENSE").decode()


def test_every_installed_distribution_is_the_pinned_one() -> None:
    pinned = pins()
    loose = {
        name: found.version
        for found in distributions()
        if (name := canonicalize_name(found.name)) not in MADE_BY_VENV and pinned.get(name) != found.version
    }
    assert not loose


def test_every_dependency_and_extra_is_pinned_inside_its_own_bounds() -> None:
    pinned = pins()
    asked = [
        *PROJECT["dependencies"],
        *(line for extra in PROJECT["optional-dependencies"].values() for line in extra),
    ]
    outside = [
        line
        for line in asked
        if (wanted := Requirement(line)).name != "cellbound"
        and not wanted.specifier.contains(pinned.get(canonicalize_name(wanted.name), "0"))
    ]
    assert not outside


def test_make_has_every_verb_of_the_contract_and_explains_each() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert set(re.findall(r"^([a-z]+):.*## ", text, re.MULTILINE)) >= CONTRACT_VERBS


def fake_python(folder: Path, *, fails_on: str) -> Path:
    """Put an interpreter on a path of its own that fails on a given word."""
    fake = folder / "python3.11"
    fake.write_text(f'#!/bin/sh\ncase "$*" in *{fails_on}*) exit 1;; esac\n', encoding="utf-8")
    fake.chmod(0o755)
    return folder


def make_venv(path: Path, target: Path) -> subprocess.CompletedProcess[str]:
    command = ["/bin/sh", str(ROOT / ".ci" / "venv"), str(target)]
    return subprocess.run(command, env={"PATH": str(path)}, capture_output=True, text=True, check=False)


def test_without_the_venv_module_the_apt_line_is_printed(tmp_path: Path) -> None:
    done = make_venv(fake_python(tmp_path, fails_on="ensurepip"), tmp_path / "venv")
    assert done.returncode == 1
    assert done.stderr == "python3.11 has no venv module. On Debian: apt-get install python3-venv\n"


def test_without_a_python_that_is_new_enough_that_is_said(tmp_path: Path) -> None:
    done = make_venv(fake_python(tmp_path, fails_on="version_info"), tmp_path / "venv")
    assert done.returncode == 1
    assert done.stderr.startswith("cellbound needs Python 3.11 or newer.")


def test_an_environment_made_in_this_folder_is_left_as_it_is(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(sys.executable)
    (venv / "made-in").write_text(str(Path.cwd()), encoding="utf-8")
    before = sorted(venv.rglob("*"))
    assert make_venv(Path("/usr/bin"), venv).returncode == 0
    assert sorted(venv.rglob("*")) == before
