"""Records and tables of ordinary size for the trace tests."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from metric_layer.plan import MetricPlan
from metric_layer.resolved import OutputColumn, Used
from traces.frame import ChainKey
from traces.records import (
    Ask,
    Cell,
    Citation,
    Close,
    ColumnShape,
    DataReference,
    Decision,
    Estimate,
    Open,
    Outcome,
    Pins,
    Query,
    Shape,
    Table,
    Value,
)

KEY = ChainKey("k1", b"chain key of the trace tests, 32.")
NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


def opened(trace_id: str, second: int = 0) -> Open:
    """An open record `second` seconds after noon."""
    return Open(
        trace_id=trace_id,
        at=NOON + timedelta(seconds=second),
        mono_us=1,
        subject="u_1",
        role="analyst",
        tenant="default",
        client="test",
        origin="plan",
        ask=Ask(plan=MetricPlan(metrics=("net_revenue",), dimensions=("region",))),
    )


def decision(check: str = "budget") -> Decision:
    """A decision that allows."""
    return Decision(
        stage="cost",
        check=check,
        verdict="allow",
        reason="the estimate is under the warning line",
        seen="1000 rows",
        threshold="100000 rows",
        duration_us=12,
        input="a" * 64,
        output="b" * 64,
    )


def pins(**changed: object) -> Pins:
    """Pins with some of them changed."""
    plain = Pins(
        layer="l1",
        policy="p1",
        thresholds="t1",
        allowlist="a1",
        entitlement="e1",
        calendar="c1",
        used=(Used(kind="metric", name="net_revenue", version=3, owner="finance", digest="d3"),),
        gateway="0.1",
        parser="30.30.0",
        engine="duckdb",
        engine_version="2.0",
        dialect="duckdb",
        zone="UTC",
        data=DataReference(kind="content_hash", value="h1"),
    )
    return plain.model_copy(update=changed)


def citation(value: str = "12.50", row: int = 0, region: str = "north") -> Citation:
    """A cited number of metric net_revenue."""
    return Citation(
        start=0,
        end=len(value),
        text=value,
        value=value,
        kind="cell",
        cell=Cell(row=row, column="net_revenue"),
        row_key=(region,),
        metric="net_revenue",
        version=3,
    )


def shape(keyed_hash: str = "f" * 64) -> Shape:
    """A shape of two columns."""
    columns = (
        ColumnShape(name="region", type="string", nulls=0, distinct=4),
        ColumnShape(name="net_revenue", type="decimal", nulls=0, distinct=4, low="1", high="9"),
    )
    return Shape(rows=4, truncated=False, columns=columns, keyed_hash=keyed_hash, key_id="k1")


def closed(trace_id: str, second: int = 1, outcome: Outcome = "answered", **changed: object) -> Close:
    """A close record with twenty decisions."""
    plain = Close(
        trace_id=trace_id,
        at=NOON + timedelta(seconds=second),
        mono_us=9,
        outcome=outcome,
        pins=pins(),
        query=Query(sql="SELECT 1 AS one", dialect="duckdb", origin="plan", digest="q1"),
        estimate=Estimate(rows=1000, bound="upper"),
        shape=shape(),
        decisions=tuple(decision(f"check_{number}") for number in range(20)),
        answer=(citation(),),
        steps_us={"compile": 900},
    )
    return plain.model_copy(update=changed)


def table(*rows: tuple[Value, ...]) -> Table:
    """A table of a region and an amount."""
    columns = (
        OutputColumn(name="region", kind="dimension", type="string", label="Region"),
        OutputColumn(name="net_revenue", kind="metric", type="decimal", label="Net revenue"),
    )
    return Table(columns=columns, rows=rows or (("north", Decimal("12.50")), ("south", None)))
