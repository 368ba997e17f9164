"""What a scraper reads of the replies: their outcomes, and apart from them the faults that are ours."""

import pytest

from gateway.doors.counters import Counters
from gateway.reply import MetricList, Reply, ReplyIssue


def denied_by(code: str) -> Reply:
    issue = ReplyIssue(code=code, stage="cost", message="m", next_step="n")
    return Reply(outcome="denied", issues=(issue,))


@pytest.mark.parametrize(("code", "counted"), [("second_opinion", True), ("cross_join", False)])
def test_a_database_that_reads_sql_in_another_way_is_counted_as_our_fault(code: str, counted: bool) -> None:
    counters = Counters()
    counters.told("mcp", denied_by(code))
    text = counters.text(0)
    assert 'cellbound_results_total{door="mcp",outcome="denied"} 1' in text
    assert ('cellbound_disagreements_total{door="mcp"} 1' in text) is counted


def test_what_is_no_reply_is_counted_by_its_kind_alone() -> None:
    counters = Counters()
    counters.told("http", MetricList(metrics=(), dimensions=()))
    assert 'outcome="MetricList"' in counters.text(0)
    assert "cellbound_disagreements_total{" not in counters.text(0)
