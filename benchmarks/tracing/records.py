"""The records of one question of ordinary size: a close with twenty decisions, some ten kilobytes."""

from datetime import UTC, datetime

from metric_layer.plan import MetricPlan
from metric_layer.resolved import Used
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
    Pins,
    Query,
    Run,
    RunLimits,
    Shape,
)

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
DIGEST = "c0ffee" * 10 + "beef"
_LIMITS = RunLimits(rows=10_000, bytes=50_000_000, seconds=29.5, memory_mb=1024, spill_mb=0)


def question(trace_id: str) -> tuple[Open, Close]:
    """Return the opening and the closing record."""
    opened = Open(
        trace_id=trace_id,
        at=NOON,
        mono_us=1,
        subject="u_1",
        role="analyst",
        tenant="default",
        client="bench",
        origin="plan",
        ask=Ask(plan=MetricPlan(metrics=("net_revenue",), dimensions=("region",))),
    )
    return opened, _close(trace_id)


def _close(trace_id: str) -> Close:
    return Close(
        trace_id=trace_id,
        at=NOON,
        mono_us=9,
        outcome="answered",
        pins=_pins(),
        query=Query(
            sql="SELECT region, SUM(amount) FROM orders GROUP BY region",
            dialect="duckdb",
            origin="plan",
            digest=DIGEST,
        ),
        estimate=Estimate(rows=1000, bound="upper"),
        run=Run(limits=_LIMITS, started=NOON, query_id=trace_id, backend="4711"),
        shape=_shape(),
        decisions=tuple(_decision(number) for number in range(20)),
        answer=(_citation(),),
        steps_us={"resolve": 300, "compile": 900, "check": 1900, "run": 4000},
    )


def _decision(number: int) -> Decision:
    return Decision(
        stage="sql",
        check=f"check_{number}",
        verdict="allow",
        reason="the statement stays inside what the policy allows here",
        seen="1000 rows",
        threshold="100000 rows",
        duration_us=12,
        input=DIGEST,
        output=DIGEST,
    )


def _pins() -> Pins:
    return Pins(
        layer=DIGEST,
        policy=DIGEST,
        thresholds=DIGEST,
        allowlist=DIGEST,
        entitlement=DIGEST,
        calendar=DIGEST,
        used=(Used(kind="metric", name="net_revenue", version=3, owner="finance", digest=DIGEST),),
        gateway="0.1",
        parser="30.30.0",
        engine="duckdb",
        engine_version="2.0",
        dialect="duckdb",
        zone="UTC",
        data=DataReference(kind="content_hash", value=DIGEST),
    )


def _shape() -> Shape:
    columns = (
        ColumnShape(name="region", type="string", nulls=0, distinct=4),
        ColumnShape(name="net_revenue", type="decimal", nulls=0, distinct=4, low="1", high="9"),
    )
    return Shape(rows=4, truncated=False, columns=columns, keyed_hash=DIGEST, key_id="k1")


def _citation() -> Citation:
    return Citation(
        start=0,
        end=5,
        text="12.50",
        value="12.50",
        kind="cell",
        cell=Cell(row=0, column="net_revenue"),
        row_key=("north",),
        metric="net_revenue",
        version=3,
    )
