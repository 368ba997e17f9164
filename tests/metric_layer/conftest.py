"""What the tests of the layer share: both engines over one set of empty tables."""

from collections.abc import Iterator

import pytest

from tests.metric_layer.both_engines import BothEngines, both_engines
from tests.servers.postgres import Server


@pytest.fixture(scope="module")
def both(postgres_server: Server) -> Iterator[BothEngines]:
    """DuckDB and PostgreSQL side by side, empty, for one module."""
    with both_engines(postgres_server) as engines:
        yield engines
