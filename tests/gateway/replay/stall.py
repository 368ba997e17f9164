"""A market stall: one small fact with days and moments, over any engine, whose data a test changes."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from gateway.reply import ReplayReport, Reply
from gateway.service import Gateway
from gateway.wiring import open_gateway
from traces.records import Caller

ANN = Caller(user="ann", roles=("analyst",), tenant="default")
AUDREY = Caller(user="audrey", roles=("auditor",), tenant="default")
STEPHEN = Caller(user="stephen", roles=("stand_in",), tenant="default")
PAULA = Caller(user="paula", roles=("stand_in_who_sees",), tenant="default")
SCHEMA = """
CREATE TABLE sales (sale_id {integer}, sold_on date, sold_at timestamp, fruit {text}, amount {money});
INSERT INTO sales
SELECT i, CAST(DATE '2026-07-01' + CAST(i AS integer) AS date),
       TIMESTAMP '2026-07-01 09:00:00' + i * INTERVAL '1 day',
       CASE WHEN i % 2 = 0 THEN 'apple' ELSE 'pear' END, CAST(10 + i AS {money})
FROM {numbers};
"""
DUCK = {"integer": "INTEGER", "text": "VARCHAR", "money": "DECIMAL(12, 2)", "numbers": "range(60) AS t(i)"}
POSTGRES = {
    "integer": "integer",
    "text": "text",
    "money": "numeric(12, 2)",
    "numbers": "generate_series(0, 59) AS t(i)",
}
SETTINGS = """
[project]
name = "stall"

[engine]
url = "{url}"
{more}

[identity]
cli_user = "ann"

[identity.users.ann]
roles = ["analyst"]

[identity.users.audrey]
roles = ["auditor"]

[identity.users.stephen]
roles = ["stand_in"]

[identity.users.paula]
roles = ["stand_in_who_sees"]
"""
METRICS = """
datasets:
  - name: sales
    relation: sales
    columns:
      - {name: sale_id, type: integer}
      - {name: sold_on, type: date}
      - {name: sold_at, type: timestamp}
      - {name: fruit, type: string}
      - {name: amount, type: decimal}
    primary_key: [sale_id]
dimensions:
  - {name: sold_on, dataset: sales, column: sold_on}
  - {name: sold_at, dataset: sales, column: sold_at}
  - {name: fruit, dataset: sales, column: fruit}
metrics:
  - name: takings
    version: 1
    owner: stall@example.com
    description: What was paid.
    type: sum
    dataset: sales
    column: amount
    time_field: sold_on
  - name: sale_count
    version: 1
    owner: stall@example.com
    description: How often somebody paid.
    type: count
    dataset: sales
    time_field: sold_on
"""
POLICY = """
name: stall
budget:
  unknown: hard_caps
  bytes: {warn: 500000000, hard: 900000000}
  rows: {warn: 500000000, hard: 900000000}
  cost: {warn: 500000000, hard: 900000000}
release:
  governed: autonomous
roles:
  analyst: {datasets: [sales]}
  auditor: {datasets: [sales], may: [audit]}
  stand_in: {datasets: [sales], may: [audit, replay_as_asker]}
  stand_in_who_sees: {datasets: [sales], may: [audit, replay_as_asker, unseal]}
"""
LAYER_FILE, POLICY_FILE = "metrics/stall.yml", "policies/policy.yml"


@dataclass(slots=True)
class Stall:
    """The project over one engine. `change` runs SQL as the owner of the data, whoever asks meanwhile."""

    folder: Path
    gateway: Gateway
    run_as_owner: Callable[[str], None]
    reopens: bool = False

    def ask(self, **parts: object) -> Reply:
        """Ask for the takings from July to September, and whatever is asked for beside that."""
        window = {"from": "2026-07-01", "to": "2026-09-30", **_mapping(parts.pop("time", {}))}
        reply = self.gateway.ask(ANN, {"metrics": ["takings"], "time": window, **parts})
        assert reply.outcome == "answered", (reply.outcome, reply.issues)
        return reply

    def change(self, sql: str) -> None:
        """Change the data."""
        if self.reopens:
            self.gateway.close()
        self.run_as_owner(sql)
        if self.reopens:
            self.gateway = open_gateway(self.folder)

    def edit(self, file: str, old: str, new: str) -> None:
        """Change a file of the project, and take it into force."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        reload = self.gateway.reload()
        assert reload is not None and reload.outcome == "changed", reload

    def replay(self, asked: Reply, caller: Caller = ANN) -> ReplayReport:
        """Replay a question."""
        report = self.gateway.replay(caller, asked.trace_id)
        assert report is not None
        return report


def _mapping(found: object) -> dict[str, object]:
    assert isinstance(found, dict)
    return found


def write_project(folder: Path, url: str, more: str = "") -> Path:
    """Write the stall's project."""
    files = {
        "cellbound.toml": SETTINGS.format(url=url, more=more),
        LAYER_FILE: METRICS,
        POLICY_FILE: POLICY,
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def postgres_url(server_folder: Path, port: int, database: str) -> str:
    """Return the url of a database of a server on this machine."""
    return f"postgresql:///{database}?host={quote(str(server_folder), safe='')}&port={port}"
