"""A server that is told to end, and one that must not begin: what is held stays held, mistakes are named."""

import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.servers.served import ENVIRONMENT, MAIN, Served, with_tokens

pytestmark = [pytest.mark.faults, pytest.mark.slow]
EVENTS = {
    "metrics": ["event_count"],
    "time": {"field": "event_time", "from": "2026-01-01", "to": "2026-06-30"},
}


def bearer(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {name}"}


def test_what_is_held_when_the_server_is_told_to_end_is_decided_and_used_after_it(shop: Path) -> None:
    with_tokens(shop, ("ana", "rita"))
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    policy.write_text(text.replace("rows: {warn: 2500000", "rows: {warn: 1"), encoding="utf-8")
    with Served(shop) as served:
        url = f"{served.address}/v1/questions"
        held = httpx.post(url, json=EVENTS, headers=bearer("ana"), timeout=60).json()
        assert held["outcome"] == "held"
        served.end()
        assert served.process.returncode == 0
    with Served(shop) as again:
        place = f"{again.address}/v1/holds/{held['hold_id']}"
        shown = httpx.get(place, headers=bearer("ana"), timeout=60).json()
        assert shown["status"] == "waiting"
        ruling = {"verdict": "accept", "reason": "looked at it"}
        decided = httpx.post(f"{place}/decisions", json=ruling, headers=bearer("rita"), timeout=60)
        assert decided.json()["status"] == "accepted"
        back = {**EVENTS, "approval_id": held["hold_id"]}
        url = f"{again.address}/v1/questions"
        assert httpx.post(url, json=back, headers=bearer("ana"), timeout=60).json()["outcome"] == "answered"


def test_a_start_over_malformed_definitions_is_refused_with_file_line_and_column(shop: Path) -> None:
    dimensions = shop / "metrics" / "dimensions.yml"
    with dimensions.open("a", encoding="utf-8") as file:
        file.write("\tnonsense: [\n")
    command = [sys.executable, *MAIN, "serve", "--port", "0", "--project", str(shop)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert re.search(r"metrics/dimensions\.yml:\d+:\d+", done.stderr), done.stderr
    assert "http://" not in done.stderr, "nothing listens"
