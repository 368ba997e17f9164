"""A project over the tables of the suite, and one question asked through its whole gateway."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.traps.data import Tables
from gateway.asking import AskOptions
from gateway.wiring import open_gateway
from traces.records import Caller

HERE = Path(__file__).resolve().parent
ASKER = Caller(user="asker", roles=("everything",), teams=("suite",), tenant="traps")
SETTINGS = """
[project]
name = "traps"

[engine]
url = "{url}"

[identity]
cli_user = "asker"

[identity.users.asker]
roles = ["everything"]
teams = ["suite"]
tenant = "traps"
"""
POLICY = """
name: traps
roles:
  everything:
    datasets:
      - customers
      - people
      - orders
      - order_lines
      - products
      - tickets
      - balances
      - payments
      - signups
      - purchases
      - visits
release: {governed: autonomous}
"""


def asked(
    tables: Tables, plan: Mapping[str, Any], choices: Mapping[str, str]
) -> tuple[list[list[Any]] | None, str]:
    """Return the rows of the answer, or what the refusal is called."""
    folder = Path(tempfile.mkdtemp(dir=tables.folder))
    (folder / "metrics").mkdir()
    (folder / "policies").mkdir()
    shutil.copy(HERE / "layer.yml", folder / "metrics" / "layer.yml")
    (folder / "policies" / "policy.yml").write_text(POLICY)
    (folder / "cellbound.toml").write_text(SETTINGS.format(url=tables.url))
    gateway = open_gateway(folder)
    try:
        reply = gateway.ask(ASKER, plan, options=AskOptions(choices=choices))
    finally:
        gateway.close()
    if reply.outcome == "answered" or (reply.outcome == "no_rows" and reply.rows):
        return [list(row) for row in reply.rows], ""
    return None, f"{reply.outcome}: {', '.join(issue.code for issue in reply.issues)}"
