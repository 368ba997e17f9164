"""A query gives way to the gateway, which answers everybody while it runs."""

import os
from collections.abc import Callable
from pathlib import Path

from gateway.engines.base import Identity, Limits
from gateway.engines.duckdb import DuckDBEngine
from gateway.engines.duckdb_process import GIVES_WAY
from tests.gateway.engines.processes import workers_of


def test_every_thread_of_a_worker_is_nicer_than_the_gateway(
    make_engine: Callable[..., DuckDBEngine], analyst: Identity, limits: Limits
) -> None:
    make_engine().run("SELECT count(*) FROM orders", analyst, limits, "one")
    own = os.getpriority(os.PRIO_PROCESS, 0)
    threads = [int(each.name) for pid in workers_of() for each in Path(f"/proc/{pid}/task").iterdir()]
    assert threads
    assert {os.getpriority(os.PRIO_PROCESS, thread) for thread in threads} == {min(own + GIVES_WAY, 19)}
