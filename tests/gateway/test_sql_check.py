"""A text that was only checked stands on the record with the check that refused it; nothing of it ran."""

import pytest

from gateway.asking import Door
from gateway.reply import Refusal
from gateway.service import Gateway
from gateway.sql_check import check_sql
from traces.records import Caller
from traces.seal import unseal


@pytest.mark.parametrize(
    ("sql", "outcome", "check"),
    [
        ("SELECT email FROM customers", "denied", "pii_column"),
        ("SELECT * FROM read_csv('/etc/passwd')", "denied", "file_access"),
        ("SELECT COUNT(*) AS n FROM orders", "dry_run", ""),
        ("SELECT * FROM orders", "dry_run", "select_star"),
    ],
)
def test_a_checked_text_is_recorded_with_its_findings(
    sql: str, outcome: str, check: str, gateway: Gateway, ana: Caller
) -> None:
    report = check_sql(gateway.house, gateway._recorder(), ana, sql, door=Door("cli"))
    assert not isinstance(report, Refusal)
    trace = gateway.traces.read(report.trace_id)
    assert trace is not None and trace.closed is not None
    assert trace.closed.outcome == outcome
    assert trace.closed.actual is None
    found = {d.check for d in trace.closed.decisions if d.verdict in ("soft", "hard")}
    assert found == ({check} if check else set())
    assert trace.closed.query is not None and trace.closed.query.sql == report.regenerated
    assert unseal(gateway.house.keys, trace.opened.subject, trace.closed.sealed_submitted) == sql


def test_a_role_that_may_not_try_sql_is_told_so(gateway: Gateway, emil: Caller) -> None:
    found = check_sql(gateway.house, gateway._recorder(), emil, "SELECT 1 AS one")
    assert isinstance(found, Refusal)
    assert [issue.code for issue in found.issues] == ["right_missing"]
