"""The audit of dependencies: every pin is asked about, a finding fails it, and silence is no clean bill."""

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
OURS = ROOT / "var" / "audit" / "bin" / "pip-audit"
CLEAN, FOUND, NOT_REACHED = 0, 1, 3
REPORTS = """#!{python}
import pathlib, sys
words = sys.argv[1:]
out = pathlib.Path(words[words.index("--output") + 1])
assert pathlib.Path(words[words.index("--requirement") + 1]).is_file()
{does}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with what the audit needs of ours."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "audit", tmp_path / ".ci" / "audit")
    shutil.copy(ROOT / "constraints.txt", tmp_path / "constraints.txt")
    (tmp_path / "var" / "audit" / "bin").mkdir(parents=True)
    return tmp_path


def audited(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(checkout / ".ci" / "audit"), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    ("does", "status"),
    [
        ("out.write_text('{}')", CLEAN),
        ("out.write_text('{}'); sys.exit(1)", FOUND),
        ("sys.exit(1)", NOT_REACHED),
    ],
)
def test_a_finding_and_a_service_that_is_silent_are_two_things(
    checkout: Path, does: str, status: int
) -> None:
    program = checkout / "var" / "audit" / "bin" / "pip-audit"
    program.write_text(REPORTS.format(python=sys.executable, does=does), encoding="utf-8")
    program.chmod(0o755)
    (checkout / "var" / "audit" / "report.json").write_text("of an earlier run", encoding="utf-8")
    done = audited(checkout)
    assert done.returncode == status, done.stderr
    assert ("nothing was audited" in done.stderr) == (status == NOT_REACHED)


@contextmanager
def advisories(about: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """A service that knows one advisory: its address, and every package and version it was asked about."""
    asked: list[tuple[str, str]] = []
    span = {"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}
    known = {
        "id": "PYSEC-0000-1",
        "summary": "made up",
        "details": "made up",
        "affected": [{"package": {"name": about, "ecosystem": "PyPI"}, "ranges": [span]}],
    }

    class Advisories(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((told["package"]["name"], told["version"]))
            body = json.dumps({"vulns": [known]} if told["package"]["name"] == about else {}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Advisories)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", asked
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.skipif(not OURS.exists(), reason="make audit brings pip-audit")
@pytest.mark.parametrize(("about", "status"), [("duckdb", FOUND), ("no-package-of-ours", CLEAN)])
def test_every_pin_is_held_against_the_advisories(checkout: Path, about: str, status: int) -> None:
    (checkout / "var" / "audit" / "bin" / "pip-audit").symlink_to(OURS)
    with advisories(about) as (address, asked):
        done = audited(checkout, "--osv-url", address)
    assert done.returncode == status, done.stderr
    lines = (checkout / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    assert len(pins) > 100
    assert {(canonicalize_name(name), f"=={version}") for name, version in asked} == {
        (canonicalize_name(pin.name), str(pin.specifier)) for pin in pins
    }


def test_ci_fails_on_a_finding_and_goes_on_where_nothing_is_reached() -> None:
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    made = text[text.index("audit() {") : text.index("\nstep setup")]
    for status, wanted in ((CLEAN, 0), (FOUND, 1), (NOT_REACHED, 0)):
        script = f"set -euo pipefail\nsh() {{ return {status}; }}\n{made}\naudit\necho went on\n"
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
        assert done.returncode == wanted
        assert ("went on" in done.stdout) == (wanted == 0)
