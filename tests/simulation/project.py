"""The project that is simulated: one dataset, two roles, and two policies that are put in force in turn."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from gateway.engines.base import Engine
from gateway.ground.question import words_of
from gateway.house import House
from metric_layer.load import load_text
from policies.entitlement import Entitlements
from policies.judge import Judge
from policies.load import govern
from policies.policy import Policy
from traces.keys import KeyStore
from traces.records import Caller

PLAN: dict[str, object] = {"metrics": ["parcel_count"], "dimensions": ["region"]}
WARN, HARD = 100, 1_000
CHEAP, DEAR, TOO_DEAR = 10, 500, 5_000
"""What a question may be priced at, in bytes: it runs, it waits, it is denied."""
ALLOW_AT, DENY_AT = 0.9, 0.1
START = datetime(2026, 10, 31, tzinfo=UTC)
ANA = Caller(user="ana", roles=("everywhere",), tenant="post")
NILS = Caller(user="nils", roles=("north_only",), tenant="post")
RITA = Caller(user="rita", roles=("reviewer",), tenant="post")
ASKERS = (ANA, NILS)
DEFINITIONS = """
datasets:
  - name: parcels
    relation: parcels
    owner: post
    description: One row per parcel.
    primary_key: [parcel_id]
    columns:
      - {name: parcel_id, type: integer, nullable: false}
      - {name: region, type: string}
dimensions:
  - {name: region, dataset: parcels, column: region, label: Region}
metrics:
  - name: parcel_count
    type: count
    dataset: parcels
    unit: parcels
    owner: post
    version: 1
    label: Parcels
    description: Parcels.
    display: {style: integer, decimals: 0}
"""
ROLES = {
    "everywhere": {"datasets": ["parcels"]},
    "north_only": {"datasets": ["parcels"], "rows": [{"field": "region", "op": "in", "values": ["north"]}]},
    "reviewer": {"datasets": ["parcels"], "may": ["ask", "audit", "review", "verify"]},
}
FINDINGS: Mapping[str, Mapping[str, object]] = {
    "people": {"judge": "person"},
    "model": {"judge": "model", "allow_at": ALLOW_AT, "deny_at": DENY_AT, "owner": "post"},
}
"""Who decides on a question that is dear, by policy."""
HOLD_MINUTES = 60


class Project:
    """The two sets of rules and the keys, made once for all histories of a run."""

    def __init__(self, folder: Path) -> None:
        self.keys = KeyStore.open(folder / "keys.json")
        self._layer = load_text(DEFINITIONS)
        self._governed = tuple(govern(_policy(name, findings)) for name, findings in FINDINGS.items())
        self._entitlements = tuple(
            Entitlements(self._layer, governed, "duckdb", "main", START) for governed in self._governed
        )

    def policy(self, number: int) -> str:
        """Return the hash of a policy, as traces pin it."""
        return self._governed[number].digest

    def house(self, number: int, engine: Engine, judge: Judge, now: Callable[[], datetime]) -> House:
        """Return the house under one of the two policies: a person decides what is dear, or a model does."""
        return House(
            layer=self._layer,
            words=words_of(self._layer),
            governed=self._governed[number],
            entitlements=self._entitlements[number],
            engine=engine,
            keys=self.keys,
            now=now,
            judge=judge,
        )


def _policy(name: str, findings: Mapping[str, object]) -> Policy:
    return Policy.model_validate(
        {
            "name": name,
            "roles": ROLES,
            "budget": {"bytes": {"warn": WARN, "hard": HARD}},
            "findings": {"budget": findings},
            "judge": {"url": "http://judge.example", "probation": 0, "pause_seconds": 60.0},
            "hold_minutes": HOLD_MINUTES,
            "answers": {"min_group": 1},
            "release": {"governed": "autonomous"},
        }
    )
