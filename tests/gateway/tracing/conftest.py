"""The shop with a judge in its policy, free SQL released, and what is asked there."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.scaffold.project import templates
from gateway.service import Gateway
from gateway.wiring import open_gateway
from traces.records import Caller

CLEO = Caller(user="cleo", roles=("custodian",), tenant="shop")
JUDY = Caller(user="judy", roles=("judge",), tenant="shop")
ROLES = "\nroles:\n  judge:\n    datasets: [customers]\n    may: [ask, review]\n"
PLAN: dict[str, object] = {
    "metrics": ["net_revenue"],
    "dimensions": ["region"],
    "filters": [{"field": "region", "op": "in", "values": ["EMEA", "APAC"]}],
    "time": {"from": "2026-07-01", "to": "2026-09-30"},
}


@pytest.fixture
def audited(tmp_path: Path, shop_file: Path) -> Path:
    """The folder of that shop."""
    folder = tmp_path / "shop"
    shutil.copytree(templates() / "shop", folder)
    (folder / "var").mkdir()
    shutil.copyfile(shop_file, folder / "var" / "shop.duckdb")
    policy = folder / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8").replace("\nroles:\n", ROLES, 1)
    released = text.replace("  governed: autonomous\n", "  governed: autonomous\n  free: reviewed\n")
    policy.write_text(released, encoding="utf-8")
    return folder


@pytest.fixture
def house(audited: Path) -> Iterator[Gateway]:
    """That shop, open."""
    gateway = open_gateway(audited)
    yield gateway
    gateway.close()
