"""What a cancellation knows of a question: whether its query was sent to the database."""

import pytest

from gateway.asking import AskOptions
from gateway.cancellation import Cancellation
from gateway.service import Gateway
from traces.records import Caller


@pytest.mark.parametrize(
    ("metric", "dry", "outcome", "ran"),
    [
        ("net_revenue", False, "answered", True),
        ("net_revenue", True, "dry_run", False),
        ("no_such_metric", False, "invalid_plan", False),
    ],
)
def test_only_a_question_whose_query_was_sent_has_run(
    gateway: Gateway, ana: Caller, metric: str, dry: bool, outcome: str, ran: bool
) -> None:
    asked = Cancellation()
    reply = gateway.ask(ana, {"metrics": [metric]}, AskOptions(dry_run=dry), cancellation=asked)
    assert (reply.outcome, asked.ran) == (outcome, ran)
