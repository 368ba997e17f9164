"""The tour: seven promises, each shown with real output of the real pipeline over the demo shop."""

import shutil
import tempfile
import time
from pathlib import Path

from gateway.asking import Door
from gateway.demo.showing import (
    Shown,
    TourReport,
    TourStep,
    answered,
    estimated,
    refused,
    rows_of,
    sql_of,
    text,
)
from gateway.engines.base import Identity
from gateway.house import limits_of
from gateway.pipeline import Planner
from gateway.reply import DraftReply, Reply
from gateway.service import Gateway
from gateway.settings.file import load_settings
from gateway.wiring import candidate, open_gateway
from traces.records import Caller

DOOR = Door("tour")
Q3 = {"from": "2026-07-01", "to": "2026-09-30"}
REVENUE: dict[str, object] = {
    "metrics": ["net_revenue"],
    "dimensions": ["region"],
    "filters": [{"field": "order_status", "op": "in", "values": ["completed"]}],
    "time": {"field": "order_date", **Q3, "grain": "month"},
    "dialect": "duckdb",
}
FAN_TRAP: dict[str, object] = {
    "metrics": ["shipping_fees", "gross_revenue"],
    "dimensions": ["region"],
    "time": {"field": "order_date", **Q3},
}
NAIVE = """\
SELECT c.region, SUM(o.shipping_fee) AS shipping_fees,
  SUM(CASE WHEN o.order_status IN ('completed', 'returned') THEN l.amount END) AS gross_revenue
FROM orders AS o
JOIN order_lines AS l ON l.order_id = o.order_id
LEFT JOIN customers AS c ON c.customer_id = o.customer_id
WHERE o.order_date >= DATE '2026-07-01' AND o.order_date < DATE '2026-10-01'
GROUP BY c.region
ORDER BY c.region"""
FREE_SQL = (
    ("an unlisted table", "SELECT employee, salary FROM hr.salaries"),
    ("a function that reads files", "SELECT * FROM read_csv('/etc/passwd')"),
    (
        "a change hidden in a CTE",
        "WITH gone AS (DELETE FROM orders RETURNING *) SELECT COUNT(*) AS n FROM gone",
    ),
)
EVENTS_HELD = {"from": "2026-02-01", "to": "2026-07-31"}
EVENTS_DENIED = {"from": "2025-11-01", "to": "2026-10-31"}
EXAMPLE = "gross_revenue - refunds"


def run_tour(folder: Path) -> TourReport:
    """Walk through the seven promises over the shop project in `folder`; a step that fails says so."""
    started = time.perf_counter()
    gateway = open_gateway(folder)
    settings = load_settings(folder)
    try:
        ana, emil = settings.identity.caller("ana"), settings.identity.caller("emil")
        first = gateway.ask(ana, REVENUE, door=DOOR)
        steps = (
            _governed(first),
            _lies(gateway, ana, first),
            _fan_trap(gateway, ana),
            _refused_sql(gateway, ana),
            _prices(gateway, ana),
            _other_user(gateway, ana, emil, first),
            _replays(gateway, folder, ana, first),
        )
    finally:
        gateway.close()
    seconds = time.perf_counter() - started
    return TourReport(steps=steps, seconds=round(seconds, 2), kept=all(step.kept for step in steps))


def _governed(first: Reply) -> TourStep:
    return TourStep(
        number=1,
        title="A governed answer",
        says="A plan names metrics and dimensions. The layer writes the SQL, the database prices it, and "
        "every number of the sentence carries the cell it came from.",
        shows=(sql_of(first), estimated(first), rows_of("Result", first), answered(first)),
        kept=first.outcome == "answered" and bool(first.citations),
    )


def _lies(gateway: Gateway, ana: Caller, first: Reply) -> TourStep:
    """Send the same sentence back with one digit changed, then with a right number on the wrong region."""
    if len(first.citations) < 2:
        return TourStep(
            number=2, title="A draft that lies", says="There was no answer to falsify.", kept=False
        )
    wrong_digit = _with_digit_changed(first)
    wrong_region = _with_numbers_swapped(first)
    checked = tuple(
        (what, gateway.check_answer(ana, draft, [first.trace_id]))
        for what, draft in (
            ("One digit changed", wrong_digit),
            ("Right numbers, wrong regions", wrong_region),
        )
    )
    return TourStep(
        number=2,
        title="A draft that lies",
        says="The same sentence comes back as an agent's draft, changed. Both drafts are blocked, and each "
        "finding names the span and the cell it should have been.",
        shows=tuple(shown for what, reply in checked for shown in _blocked(what, reply)),
        kept=all(reply.outcome == "blocked" and reply.findings for _, reply in checked),
    )


def _with_digit_changed(first: Reply) -> str:
    cited = first.citations[0]
    place = next(n for n in range(cited.end - 1, cited.start, -1) if first.answer[n].isdigit())
    digit = str((int(first.answer[place]) + 1) % 10)
    return first.answer[:place] + digit + first.answer[place + 1 :]


def _with_numbers_swapped(first: Reply) -> str:
    """Swap two numbers of the same month that belong to different regions."""
    one = first.citations[0]
    other = next(c for c in first.citations[1:] if c.row_key != one.row_key and c.text != one.text)
    text = first.answer
    return text[: one.start] + other.text + text[one.end : other.start] + one.text + text[other.end :]


def _blocked(what: str, reply: DraftReply) -> tuple[Shown, ...]:
    lines = [f"{what}: {reply.outcome}"]
    for finding in reply.findings[:2]:
        should = f"; should be {finding.expected}" if finding.expected else ""
        lines.append(f"  {finding.text!r} at {finding.start}..{finding.end}: {finding.message}{should}")
    return (text(what, "\n".join(lines), tone="refused"),)


def _fan_trap(gateway: Gateway, ana: Caller) -> TourStep:
    """Ask two measures of different grain, beside what the naive join would have said."""
    right = gateway.ask(ana, FAN_TRAP, door=DOOR)
    naive = gateway.ask_planned(ana, _scripted(NAIVE))
    role = gateway.house.entitlements.of(ana)
    shows: list[Shown] = [rows_of("Each measure at its own grain", right)]
    if role is not None:
        who = Identity(user=ana.user, role=role.role_name, tenant=ana.tenant)
        ran = gateway.house.engine.run(NAIVE, who, limits_of(role.caps), "tour")
        rows = tuple(tuple("" if v is None else str(v) for v in row) for row in ran.rows)
        shows.append(
            Shown(kind="table", title="What the naive join would have said", head=ran.names, rows=rows)
        )
    shows.append(refused("The naive join as a planner's SQL", naive))
    return TourStep(
        number=3,
        title="A fan trap avoided",
        says="Shipping is paid per order, amounts per line. Joining them first counts an order's shipping "
        "once for each of its lines; the layer sums each measure at its own grain before it puts them side "
        "by side.",
        shows=tuple(shows),
        kept=right.outcome == "answered" and any(issue.code == "fan_out" for issue in naive.issues),
    )


def _scripted(sql: str) -> Planner:
    return lambda _: sql


def _refused_sql(gateway: Gateway, ana: Caller) -> TourStep:
    """Let a scripted planner write SQL that must not run."""
    replies = tuple((what, sql, gateway.ask_planned(ana, _scripted(sql))) for what, sql in FREE_SQL)
    return TourStep(
        number=4,
        title="A refused query",
        says="A planner that writes its own SQL (no door offers that) meets the same checks. Each text is "
        "refused by name before anything reaches the database.",
        shows=tuple(refused(f"{what}: {sql}", reply) for what, sql, reply in replies),
        kept=all(reply.outcome == "denied" and reply.estimate is None for _, _, reply in replies),
    )


def _prices(gateway: Gateway, ana: Caller) -> TourStep:
    """Ask a valid but wide window over the events table, then a wider one."""

    def plan(window: dict[str, str]) -> dict[str, object]:
        return {
            "metrics": ["event_count", "active_customers"],
            "dimensions": ["event_type"],
            "time": {"field": "event_time", **window},
        }

    held = gateway.ask(ana, plan(EVENTS_HELD), door=DOOR)
    denied = gateway.ask(ana, plan(EVENTS_DENIED), door=DOOR)
    return TourStep(
        number=5,
        title="A price refused",
        says="The database estimates what a query would read, without running it. Above the warning line a "
        "reviewer decides; above the hard line nobody can.",
        shows=(
            refused(f"Events {EVENTS_HELD['from']} to {EVENTS_HELD['to']}", held),
            refused(f"Events {EVENTS_DENIED['from']} to {EVENTS_DENIED['to']}", denied),
        ),
        kept=held.outcome == "held" and denied.outcome == "denied",
    )


def _other_user(gateway: Gateway, ana: Caller, emil: Caller, first: Reply) -> TourStep:
    """Ask the same plan as a user of another role."""
    same = gateway.ask(emil, REVENUE, door=DOOR)
    hidden = gateway.ask(emil, {"metrics": ["shipping_fees"], "dimensions": ["region"]}, door=DOOR)
    lists = tuple(
        f"{caller.user} ({caller.roles[0]}): {len(gateway.list_metrics(caller).metrics)} metrics, "
        f"dimensions {', '.join(gateway.list_metrics(caller).dimensions)}"
        for caller in (ana, emil)
    )
    return TourStep(
        number=6,
        title="Another user",
        says="Emil's role holds EMEA only. The same plan gives him his own rows, and what he may not see "
        "answers like something that does not exist.",
        shows=(
            rows_of("The same plan as emil", same),
            text("What each may ask", "\n".join(lists)),
            refused("A metric outside his role", hidden),
        ),
        kept=same.outcome == "answered"
        and len(same.rows) < len(first.rows)
        and hidden.outcome == "invalid_plan",
    )


def _replays(gateway: Gateway, folder: Path, ana: Caller, first: Reply) -> TourStep:
    """Replay the first trace as it is, then against a copy of the project in which net revenue moved."""
    same = gateway.replay(ana, first.trace_id)
    with tempfile.TemporaryDirectory(prefix="cellbound-tour-") as scratch:
        changed = _changed_definition(folder / "metrics", Path(scratch) / "metrics")
        against = candidate(gateway, load_settings(folder), layer=changed)
        try:
            moved = gateway.replay(ana, first.trace_id, against)
        finally:
            against.engine.close()
    shows: list[Shown] = []
    if same is not None:
        shows.append(text("Replay of the first answer", f"{same.verdict}: {same.detail}"))
    if moved is not None:
        shows.append(text("Replay after net_revenue also takes off shipping", moved.detail))
        head = ("number", "recorded", "replayed")
        rows = tuple((number.name, number.old, number.new) for number in moved.numbers[:4])
        shows.append(Shown(kind="table", title="Old and new numbers", head=head, rows=rows))
    return TourStep(
        number=7,
        title="A replay",
        says="The trace alone repeats the answer. When something changed since, one word says what.",
        shows=tuple(shows),
        kept=same is not None
        and same.verdict == "same"
        and moved is not None
        and "net_revenue v3 -> v4" in moved.detail
        and bool(moved.numbers),
    )


def _changed_definition(source: Path, target: Path) -> Path:
    """Copy the definitions with net_revenue at version 4, which also takes off shipping."""
    shutil.copytree(source, target)
    for file in target.glob("*.yml"):
        before = file.read_text(encoding="utf-8")
        head, found, tail = before.partition("- name: net_revenue\n")
        if found:
            after = tail.replace("version: 3", "version: 4", 1).replace(
                EXAMPLE, f"{EXAMPLE} - shipping_fees", 1
            )
            file.write_text(head + found + after, encoding="utf-8")
    return target
