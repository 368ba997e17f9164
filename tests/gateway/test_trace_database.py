"""Two gateways over one project keep their traces in one PostgreSQL; without it no answer leaves."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gateway.custody.reports import Retirement
from gateway.reply import Refusal
from gateway.service import Gateway
from gateway.wiring import open_gateway
from tests.servers.postgres import DEFAULT_VERSION, Server, versions, why_missing
from tests.traces.store.conftest import set_up_on
from traces.chain import Verified
from traces.errors import TraceUnwritable
from traces.records import Caller

pytestmark = pytest.mark.skipif(DEFAULT_VERSION not in versions(), reason=why_missing(DEFAULT_VERSION))
CLEO = Caller(user="cleo", roles=("custodian",), tenant="shop")
ANA = Caller(user="ana", roles=("analyst",), tenant="shop")
PLAN = {
    "metrics": ["order_count"],
    "dimensions": ["region"],
    "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-07-31"},
}


def test_two_replicas_share_one_place_for_traces_and_nothing_is_answered_without_it(
    shop: Path, open_shop: Callable[[], Gateway], postgres_server: Server
) -> None:
    with set_up_on(postgres_server) as database:
        with (shop / "cellbound.toml").open("a", encoding="utf-8") as settings:
            settings.write(f'\n[traces]\nstore = "{database.url}"\ncheckpoints = "elsewhere"\n')
        first, second = open_shop(), open_shop()
        replies = [gateway.ask(ANA, PLAN) for gateway in (first, second, first)]
        assert {reply.outcome for reply in replies} == {"answered"}
        receipts = [reply.receipt for reply in replies if reply.receipt]
        assert len({receipt.log for receipt in receipts}) == 2
        seen = second.get_trace(ANA, replies[0].trace_id)
        assert seen is not None
        assert seen.outcome == "answered"
        assert [line.trace_id for line in first.list_traces(ANA)] == [r.trace_id for r in reversed(replies)]
        assert all(isinstance(verdict, Verified) for verdict in first.traces.verify(receipts))
        assert not (shop / "var" / "traces").exists()
        second.close()
        assert len(list((shop / "elsewhere").glob("*.checkpoint"))) == 1
        postgres_server.execute(f"ALTER DATABASE {database.name} WITH ALLOW_CONNECTIONS false")
        postgres_server.execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{database.writer}'"
        )
        with pytest.raises(TraceUnwritable) as refused:
            first.ask(ANA, PLAN)
        assert refused.value.code == "trace_database_away"
        postgres_server.execute(f"ALTER DATABASE {database.name} WITH ALLOW_CONNECTIONS true")
        assert first.ask(ANA, PLAN).outcome == "answered"
        first.close()


def test_a_second_place_for_checkpoints_that_is_away_is_told_and_stops_nothing(
    shop: Path, open_shop: Callable[[], Gateway]
) -> None:
    (shop / "elsewhere").write_text("not mounted")
    with (shop / "cellbound.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[traces]\ncheckpoints = "elsewhere"\n')
    gateway = open_shop()
    assert gateway.ask(ANA, PLAN).outcome == "answered"
    gateway.traces.close()
    assert gateway.ask(ANA, PLAN).outcome == "answered"
    ready = gateway.ready()
    assert ready.ready
    assert [finding.name for finding in ready.findings if not finding.ok] == ["checkpoint"]
    gateway.close()


def test_old_segments_of_a_database_go_by_the_same_command_and_only_over_its_login(
    shop: Path, postgres_server: Server
) -> None:
    now = [datetime(2026, 10, 2, 12, tzinfo=UTC)]
    with set_up_on(postgres_server) as database:
        with (shop / "cellbound.toml").open("a", encoding="utf-8") as settings:
            settings.write(f'\n[traces]\nstore = "{database.url}"\n')
        gateway = open_gateway(shop, lambda: now[0])
        asked = []
        for _ in range(4):
            asked.append(gateway.ask(ANA, PLAN).trace_id)
            now[0] += timedelta(days=1)
        tried = gateway.custody.retire(CLEO, 2, "the rule", dry_run=True)
        assert isinstance(tried, Retirement) and tried.deleted
        refused = gateway.custody.retire(CLEO, 2, "the rule")
        assert isinstance(refused, Refusal) and refused.issues[0].code == "retention_elsewhere"
        assert gateway.traces.read(asked[0]) is not None
        gateway.close()
        with (shop / "cellbound.toml").open("a", encoding="utf-8") as settings:
            settings.write(f'retention = "{database.retention_url}"\n')
        gateway = open_gateway(shop, lambda: now[0])
        done = gateway.custody.retire(CLEO, 2, "the rule")
        assert isinstance(done, Retirement) and done.deleted == tried.deleted
        assert gateway.traces.read(asked[0]) is None and gateway.traces.read(asked[-1]) is not None
        assert gateway.ask(ANA, PLAN).outcome == "answered"
        verdicts = gateway.traces.verify()
        assert all(isinstance(verdict, Verified) for verdict in verdicts), verdicts
        assert sum(verdict.retired for verdict in verdicts if isinstance(verdict, Verified)) == done.records
        gateway.close()
