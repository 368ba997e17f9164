"""An auditor whose role sees a part of the rows reads of others' traces nothing that stands in the rest."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gateway.replay.sample import Choice
from gateway.service import Gateway
from gateway.tracing.found import Wanted
from tests.gateway.shop_house import ANA, replace
from traces.records import Caller

Plan = dict[str, object]
ADA = Caller(user="ada", roles=("emea_auditor",), tenant="shop")
RITA = Caller(user="rita", roles=("reviewer",), tenant="shop")
NARROW = """  emea_auditor:
    datasets: [customers, orders, order_lines, products]
    rows: [{field: region, op: in, values: [EMEA]}]
    may: [ask, audit, verify, evaluate]

  finance:
"""


@pytest.fixture
def audited(shop: Path, open_shop: Callable[[], Gateway]) -> Gateway:
    """The shop with an auditor who sees the rows of one region."""
    replace(shop / "policies" / "policy.yml", [("  finance:\n", NARROW)])
    return open_shop()


def _read_by(gateway: Gateway, caller: Caller, trace: str, other: str) -> Iterator[str]:
    """Yield everything that a caller can read of a trace."""
    found = (
        gateway.get_trace(caller, trace),
        gateway.evidence(caller, trace),
        gateway.tracing.why(caller, trace),
        gateway.diff_traces(caller, trace, other),
        gateway.replay(caller, trace),
        gateway.replay_sample(caller, Choice()),
        gateway.tracing.find(caller, Wanted()),
        *gateway.list_traces(caller),
    )
    for each in found:
        assert each is not None
        yield each.model_dump_json()
    for form in ("otel", "openlineage", "jsonl"):
        yield from gateway.tracing.export(caller).lines(form, "shop")


@pytest.mark.parametrize(
    ("field", "value"), [("region", "AMER"), ("category", "Audio"), ("segment", "'; --")]
)
def test_no_value_that_a_question_filters_by(audited: Gateway, revenue: Plan, field: str, value: str) -> None:
    filters = [{"field": field, "op": "in", "values": [value]}]
    plan = {**revenue, "metrics": ["gross_revenue"], "dimensions": ["segment"], "filters": filters}
    asked, other = audited.ask(ANA, plan), audited.ask(ANA, {**plan, "dimensions": []})
    assert asked.outcome in ("answered", "no_rows")
    for text in _read_by(audited, ADA, asked.trace_id, other.trace_id):
        assert value not in text


def test_no_range_and_no_total_of_rows_that_they_do_not_see(audited: Gateway, revenue: Plan) -> None:
    asked, other = audited.ask(ANA, revenue), audited.ask(ANA, {**revenue, "dimensions": []})
    whole = audited.evidence(RITA, asked.trace_id)
    assert whole is not None and whole.ran.shape is not None
    told = [text for each in whole.ran.shape.columns for text in (each.high, each.total) if "." in text]
    assert told, "who sees all rows is told their total"
    for text in _read_by(audited, ADA, asked.trace_id, other.trace_id):
        assert not [each for each in told if f'"{each}"' in text]
