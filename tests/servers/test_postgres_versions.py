"""Each PostgreSQL that the product is tested on really runs where all of them are demanded."""

import os

import psycopg
import pytest

from tests.servers.postgres import running, versions, why_missing

EVERY = "CELLBOUND_EVERY_SERVER"
"""CI sets it: there a version that is missing fails, and is not skipped."""


@pytest.mark.parametrize("version", [15, 17, 18])
def test_every_version_runs_where_all_are_demanded(version: int) -> None:
    if version not in versions():
        assert not os.environ.get(EVERY), why_missing(version)
        pytest.skip(why_missing(version))
    with running(version) as server, psycopg.connect(server.dsn()) as connection:
        assert connection.info.server_version // 10_000 == version
