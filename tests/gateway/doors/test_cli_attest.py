"""`metrics attest` on the command line: a table, one object, and a status that a script can use."""

import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from gateway.doors.cli.main import run

Said = tuple[int, str]
Shell = Callable[..., Said]


@pytest.fixture
def attest(shop: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Runs the verb over the shop."""

    def said(*options: str) -> Said:
        status = run(("metrics", "attest", "--project", str(shop), *options))
        return status, capsys.readouterr().out

    return said


def test_every_declared_key_is_counted_and_said(attest: Shell) -> None:
    status, out = attest()
    assert status == 0 and "order_customer" in out and "unique" in out
    assert "large" in out, "a large dataset is not read whole"


def test_the_object_says_what_the_table_says(attest: Shell) -> None:
    status, out = attest("--json")
    found = json.loads(out)
    assert status == 0 and found["ok"]
    keys = {key["relationship"]: key for key in found["keys"]}
    assert keys["order_customer"]["repeated"] == 0 and keys["order_customer"]["orphans"] > 0


def test_a_repeated_key_is_a_finding_with_the_query_that_shows_it(
    attest: Shell, shop: Path, shop_file: Path
) -> None:
    file = shop / "var" / "shop.duckdb"
    file.unlink()
    file.write_bytes(shop_file.read_bytes())
    with duckdb.connect(str(file)) as database:
        database.execute("INSERT INTO customers SELECT * FROM customers LIMIT 2")
    status, out = attest()
    assert status == 3 and "NOT UNIQUE" in out and "GROUP BY" in out


def test_who_sees_a_part_attests_nothing(attest: Shell) -> None:
    status, out = attest("--as", "emil", "--json")
    found = json.loads(out)
    assert status == 3 and not found["ok"]
    assert any("does not see all" in key["uncounted"] for key in found["keys"])
