"""The data of the demo shop: generated here, never downloaded, the same rows every time."""

from pathlib import Path

from gateway.engines.duckdb_files import write_tables

EVENTS = 6_000_000
SHOP_SQL = Path(__file__).with_name("shop.sql")


def write_shop(path: Path, *, events: int = EVENTS) -> None:
    """Write the shop's database file; `events` is the number of rows of the one large table.

    Raises EngineError `engine_not_written`.
    """
    write_tables(path, [SHOP_SQL.read_text(encoding="utf-8")], {"event_rows": events})
