"""A client of a served gateway stays light: what it imports reads replies, and nothing of what makes them."""

import grimp

from tests.test_house import FLOORS

HEAVY = {"sqlglot", "sqlglotc", "duckdb", "psycopg", "sqlite3", "smtplib", "cryptography", "fastapi", "mcp"}


def test_a_client_needs_no_parser_no_database_and_no_server() -> None:
    house = grimp.build_graph(*FLOORS, include_external_packages=True)
    needed = house.find_upstream_modules("gateway.client.client")
    assert "httpx" in needed
    assert not needed & HEAVY
