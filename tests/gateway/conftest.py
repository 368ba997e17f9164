"""A small shop for the tests of the house: the demo's own project and data, with few events."""

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from gateway.demo.shop_data import write_shop
from gateway.doors.cli import doctor
from gateway.scaffold.project import templates
from gateway.service import Gateway
from gateway.stores.rows import Place
from gateway.wiring import open_gateway
from tests.servers.postgres import Server
from tests.servers.state import StateDatabase, state_database_on
from traces.records import Caller

ANA = Caller(user="ana", roles=("analyst",), teams=("sales-analytics",), tenant="shop")
EMIL = Caller(user="emil", roles=("emea_analyst",), teams=("sales-analytics",), tenant="shop")
RITA = Caller(user="rita", roles=("reviewer",), teams=("data-governance",), tenant="shop")


@pytest.fixture(scope="session", autouse=True)
def what_is_installed_is_listed_once() -> Iterator[None]:
    """Reading what every distribution brings takes longer than all else that `doctor` looks at."""
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(doctor, "packages_distributions", cache(packages_distributions))
        yield


@pytest.fixture(scope="session")
def shop_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop's database with few events, written once per test process."""
    file = tmp_path_factory.mktemp("shop") / "shop.duckdb"
    write_shop(file, events=120_000)
    return file


def shop_in(place: Path, shop_file: Path) -> Path:
    """Make a shop project, without cases; the database file is shared by a hard link."""
    folder = place / "shop"
    shutil.copytree(templates() / "shop", folder, ignore=shutil.ignore_patterns("cases"))
    (folder / "var").mkdir()
    os.link(shop_file, folder / "var" / "shop.duckdb")
    return folder


@pytest.fixture
def shop(tmp_path: Path, shop_file: Path) -> Path:
    """A fresh shop project of its own."""
    return shop_in(tmp_path, shop_file)


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
def clock() -> list[datetime]:
    """The time it is, which a test may move on."""
    return [datetime(2026, 10, 2, 12, tzinfo=UTC)]


@pytest.fixture
def open_house(shop: Path, clock: list[datetime]) -> Iterator[Callable[[], Gateway]]:
    """Opens the shop at the time of `clock`, as often as a test likes."""
    opened: list[Gateway] = []

    def open_one() -> Gateway:
        opened.append(open_gateway(shop, lambda: clock[0]))
        return opened[-1]

    yield open_one
    for gateway in opened:
        gateway.close()


@pytest.fixture
def gateway(open_shop: Callable[[], Gateway]) -> Gateway:
    """The shop, open."""
    return open_shop()


@pytest.fixture(scope="session")
def shared_state(postgres_server: Server) -> Iterator[StateDatabase]:
    """A database for state, made once per test process."""
    with state_database_on(postgres_server) as database:
        yield database


@pytest.fixture
def state_database(shared_state: StateDatabase) -> StateDatabase:
    """A database for state without tables."""
    shared_state.empty()
    return shared_state


@pytest.fixture(params=["file", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Where a store keeps its rows: each test that takes it runs on a file and on PostgreSQL."""
    if request.param == "file":
        return tmp_path / "var" / "state.sqlite"
    database: StateDatabase = request.getfixturevalue("state_database")
    return database.place


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
