"""A small shop for the tests of the house: the demo's own project and data, with few events."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gateway.demo.shop_data import write_shop
from gateway.scaffold.project import templates
from gateway.service import Gateway
from gateway.wiring import open_gateway
from traces.records import Caller

ANA = Caller(user="ana", roles=("analyst",), teams=("sales-analytics",), tenant="shop")
EMIL = Caller(user="emil", roles=("emea_analyst",), teams=("sales-analytics",), tenant="shop")
RITA = Caller(user="rita", roles=("reviewer",), teams=("data-governance",), tenant="shop")


@pytest.fixture(scope="session")
def shop_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop's database with few events, written once per test process."""
    file = tmp_path_factory.mktemp("shop") / "shop.duckdb"
    write_shop(file, events=120_000)
    return file


@pytest.fixture
def shop(tmp_path: Path, shop_file: Path) -> Path:
    """A fresh shop project of its own; the database file is shared by a hard link."""
    folder = tmp_path / "shop"
    shutil.copytree(templates() / "shop", folder)
    (folder / "var").mkdir()
    os.link(shop_file, folder / "var" / "shop.duckdb")
    return folder


@pytest.fixture
def open_shop(shop: Path) -> Iterator[Callable[[], Gateway]]:
    """Opens the shop as often as a test likes and closes every gateway afterwards."""
    gateways: list[Gateway] = []

    def opened() -> Gateway:
        gateways.append(open_gateway(shop))
        return gateways[-1]

    yield opened
    for gateway in gateways:
        gateway.close()


@pytest.fixture
def gateway(open_shop: Callable[[], Gateway]) -> Gateway:
    """The shop, open."""
    return open_shop()


@pytest.fixture
def ana() -> Caller:
    """An analyst who sees every region and no personal data."""
    return ANA


@pytest.fixture
def emil() -> Caller:
    """An analyst who sees EMEA only."""
    return EMIL


@pytest.fixture
def rita() -> Caller:
    """A reviewer who may also audit."""
    return RITA


@pytest.fixture
def revenue() -> dict[str, object]:
    """Net revenue by region by month of the third quarter of 2026."""
    return {
        "metrics": ["net_revenue"],
        "dimensions": ["region"],
        "filters": [{"field": "order_status", "op": "in", "values": ["completed"]}],
        "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-09-30", "grain": "month"},
        "dialect": "duckdb",
    }
