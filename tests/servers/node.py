"""Node 22 and the npm packages of the MCP suites, where `.ci/suites` brought them; no test fetches them."""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PINNED = ROOT / "tests" / "gateway" / "doors" / "suites"
INSTALLED = ROOT / "var" / "suites"
NEWEST_NEEDED = (22, 19)


@cache
def why_missing() -> str:
    """Return why the suites cannot run here; empty where they can."""
    node = _node()
    if not node:
        return "no Node; `.ci/suites` brings it"
    version = _version(node)
    if version < NEWEST_NEEDED:
        return f"Node {version[0]}.{version[1]} is too old; `.ci/suites` brings a newer one"
    if not _is_current():
        return "the npm packages of the MCP suites are not installed; `.ci/suites` fetches them"
    return ""


def run(tool: str, *arguments: str, seconds: float = 120.0) -> "subprocess.CompletedProcess[str]":
    """Run a program of the suites to its end, with nothing of this process's environment but the path."""
    command = [_node(), str(INSTALLED / "node_modules" / ".bin" / tool), *arguments]
    return subprocess.run(
        command,
        env={"PATH": os.environ.get("PATH", ""), "HOME": str(INSTALLED), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def _node() -> str:
    """Return the Node of this environment, else the one of the system."""
    own = Path(sys.executable).parent / "node"
    return str(own) if own.is_file() else shutil.which("node") or ""


def _version(node: str) -> tuple[int, int]:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _is_current() -> bool:
    """Say whether what is installed is what is pinned."""
    wanted = json.loads((PINNED / "package.json").read_text(encoding="utf-8"))["dependencies"]
    for name, version in wanted.items():
        manifest = INSTALLED / "node_modules" / name / "package.json"
        if not manifest.is_file() or json.loads(manifest.read_text(encoding="utf-8"))["version"] != version:
            return False
    return True
