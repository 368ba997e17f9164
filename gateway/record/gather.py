"""Gathers the evidence of one answer: its asker sees rows while their access lasts, an auditor never does."""

from collections.abc import Iterator

from gateway.catalogue import formula
from gateway.charts.layout import number_of, plots_of
from gateway.charts.plot import Undrawn
from gateway.ground.derived.show import show_key, show_value
from gateway.house import House
from gateway.json_cells import json_rows
from gateway.record.entitled import CHANGED, still_entitled
from gateway.record.evidence import Asked, Attempt, Evidence, EvidenceTable, Kept, MetricSource, Ran, Told
from gateway.record.kept import reading_of, stored_of
from gateway.reply import TOLD
from gateway.stores.results import ResultStore, StoredResult
from metric_layer.calendar import Calendar
from metric_layer.plan import Filter, MetricFilter, Window
from metric_layer.resolved import OutputColumn, Used
from metric_layer.visible import Visible
from policies.policy import ReadingRules
from policies.reading import Shown, show
from traces.errors import Unsealable
from traces.records import AnswerAttempt, Caller, Citation, Close, Outcome, Trace, Value
from traces.seal import unseal
from traces.store.base import TraceStore

NOT_TOLD: dict[Outcome, str] = {
    "dry_run": "Nothing ran, so there is no answer: it was a dry run.",
    "held": "Nothing ran, so there is no answer: the question was held for a reviewer.",
    "expired": "Nothing ran, so there is no answer: nobody decided in time.",
    "not_released": "Questions of this class are recorded and not told.",
    "needs_clarification": "Nothing ran, so there is no answer: something was asked back.",
    "left": "There is no answer: whoever asked went away first.",
}
NO_ANSWER = "There is no answer. The reasons:"
NO_REASON = "There is no answer."
SEALED = "The words are sealed: `cellbound trace unseal` opens them, on record."
OPERATORS = {
    "in": "is", "eq": "is", "not_in": "is not", "ne": "is not", "lt": "below", "le": "at most", "gt": "above",
    "ge": "at least", "between": "between", "is_null": "is missing", "not_null": "is not missing",
}  # fmt: skip


def gather(
    house: House, traces: TraceStore, results: ResultStore, caller: Caller, trace: Trace, *, own: bool
) -> Evidence:
    """Return the evidence of a trace that `caller` may read; `own` says whether they asked it themselves."""
    closed = trace.closed
    withheld = own and not still_entitled(house, caller, trace)
    asked = _asked(trace, caller.user if own else trace.opened.subject, own=own)
    attempts = tuple(_attempt(attempt) for attempt in trace.attempts)
    if closed is None:
        unfinished = Kept(no_table="The question never ended.")
        return Evidence(
            trace_id=trace.trace_id, outcome="unfinished", asked=asked, kept=unfinished, attempts=attempts
        )
    return Evidence(
        trace_id=trace.trace_id,
        outcome=closed.outcome,
        asked=asked,
        told=_told(house, trace, closed, own=own, withheld=withheld),
        sent=_sent(house, trace, own=own, withheld=withheld),
        metrics=tuple(_metrics(house, trace, closed, house.visible_for(caller))),
        ran=Ran(
            sql=closed.query.sql if closed.query else "",
            estimate=closed.estimate,
            actual=closed.actual,
            shape=None if withheld else closed.shape,
        ),
        kept=_kept(house, results, trace, closed, own=own, withheld=withheld),
        decisions=closed.decisions,
        issues=closed.issues,
        attempts=attempts,
        pins=closed.pins,
        receipt=traces.receipt(trace.trace_id),
    )


def _asked(trace: Trace, asker: str, *, own: bool) -> Asked:
    opened, plan = trace.opened, trace.opened.ask.plan
    return Asked(
        at=opened.at,
        asker=asker,
        own=own,
        role=opened.role,
        client=opened.client,
        metrics=plan.metrics if plan else (),
        period=_period(plan.time) if plan else "",
        filters=tuple(_filter(each) for each in plan.filters) if plan else (),
        dimensions=plan.dimensions if plan else (),
    )


def _told(house: House, trace: Trace, closed: Close, *, own: bool, withheld: bool) -> Told:
    """Return the text that left and its citations; a draft that did not leave is told to nobody."""
    if closed.outcome not in TOLD:
        plain = NO_ANSWER if closed.issues else NO_REASON
        return Told(withheld=NOT_TOLD.get(closed.outcome, plain), notes=closed.notes)
    if withheld:
        return Told(withheld=f"{CHANGED}, so the text is shown no more.")
    said = _said(house, trace, closed.sealed_answer, closed.answer, own=own)
    return said.model_copy(update={"notes": closed.notes})


def _sent(house: House, trace: Trace, *, own: bool, withheld: bool) -> Told | None:
    """Return the last draft that passed with its citations, those into other results left out."""
    passed = [attempt for attempt in trace.attempts if attempt.outcome == "passed"]
    if not passed:
        return None
    if withheld:
        return Told(withheld=f"{CHANGED}, so the text is shown no more.")
    last = passed[-1]
    cited = tuple(each for each in last.citations if each.trace_id in ("", trace.trace_id))
    return _said(house, trace, last.sealed_told or last.sealed_text, cited, own=own)


def _said(house: House, trace: Trace, sealed: str, cited: tuple[Citation, ...], *, own: bool) -> Told:
    """Return a text that left, opened for its asker alone; its citations stay in either case."""
    if not own:
        return Told(withheld="The text was erased." if trace.erased else SEALED, citations=cited)
    try:
        return Told(text=unseal(house.keys, trace.opened.subject, sealed), citations=cited)
    except Unsealable:
        return Told(withheld="The text was erased.", citations=cited)


def _kept(
    house: House, results: ResultStore, trace: Trace, closed: Close, *, own: bool, withheld: bool
) -> Kept:
    """Return the kept rows and their plots, or why there are none."""
    stored = stored_of(house, results, trace, own=own, withheld=withheld)
    if isinstance(stored, str) or closed.pins is None:
        return Kept(no_table=stored if isinstance(stored, str) else "")
    calendar = house.words.calendar if house.layer.calendar.digest == closed.pins.calendar else None
    return _as_policy_shows(stored, reading_of(house, trace), calendar)


def _as_policy_shows(stored: StoredResult, rules: ReadingRules, calendar: Calendar | None) -> Kept:
    """Return the rows that may be read; a picture needs all of them."""
    table, shown = stored.table, show(stored.table, None, rules)
    if not shown.numbers:
        return Kept(no_table="The policy shows no rows.")
    plots = Undrawn(reason="Not every row is shown.") if shown.cut else plots_of(table, calendar)
    return Kept(
        table=_table(shown, calendar),
        kept_until=stored.expires,
        plots=() if isinstance(plots, Undrawn) else plots,
        no_plot=plots.reason if isinstance(plots, Undrawn) else "",
    )


def _table(shown: Shown, calendar: Calendar | None) -> EvidenceTable:
    columns = shown.table.columns
    return EvidenceTable(
        columns=columns,
        height=len(shown.table.rows),
        numbers=shown.numbers,
        printed=tuple(
            tuple(printed(column, value, calendar) for column, value in zip(columns, row, strict=True))
            for row in shown.rows
        ),
        exact=json_rows(shown.rows),
    )


def printed(column: OutputColumn, value: Value, calendar: Calendar | None) -> str:
    """Return a cell as the answer prints it: figures in their display format, periods by their label."""
    if column.kind != "metric":
        return show_key(column, value, calendar)
    number = number_of(value)
    return show_value(column, number) if value is None or number is not None else str(value)


def _metrics(house: House, trace: Trace, closed: Close, visible: Visible) -> Iterator[MetricSource]:
    """Yield the pinned metrics, the asked ones first; today's words only where the definition is the same."""
    plan = trace.opened.ask.plan
    asked = plan.metrics if plan else ()
    used = [one for one in (closed.pins.used if closed.pins else ()) if one.kind == "metric"]
    for one in sorted(used, key=lambda one: one.name not in asked):
        yield _metric(house, one, visible, asked=one.name in asked)


def _metric(house: House, used: Used, visible: Visible, *, asked: bool) -> MetricSource:
    bare = MetricSource(name=used.name, version=used.version, owner=used.owner, label=used.name, asked=asked)
    metric = house.layer.metrics.get(used.name)
    if metric is None or not visible.metric(used.name):
        return bare.model_copy(update={"remark": "Its definition is not one that you may see today."})
    if house.layer.digest_of("metric", used.name) != used.digest:
        now = f"it is v{metric.version} now" if metric.version != used.version else "under the same version"
        return bare.model_copy(update={"remark": f"The definition has changed since this answer, {now}."})
    return bare.model_copy(
        update={
            "label": metric.label or metric.name,
            "description": metric.description,
            "formula": formula(metric),
            "unit": metric.unit,
        }
    )


def _period(window: Window | None) -> str:
    if window is None:
        return "all dates"
    by = f", by {window.grain.replace('_', ' ')}" if window.grain else ""
    on = f", on {window.field}" if window.field else ""
    return f"{window.from_.isoformat()} to {window.to.isoformat()}, both days included{by}{on}"


def _filter(asked: Filter | MetricFilter) -> str:
    name = asked.field if isinstance(asked, Filter) else asked.metric
    listed = (" and " if asked.op == "between" else " or ").join(map(str, asked.values))
    return f"{name} {OPERATORS[asked.op]} {listed}".strip()


def _attempt(attempt: AnswerAttempt) -> Attempt:
    refused = tuple(each for each in attempt.decisions if each.verdict not in ("allow", "skipped"))
    return Attempt(
        number=attempt.attempt,
        at=attempt.at,
        outcome=attempt.outcome,
        cited=len(attempt.citations),
        refused=refused,
    )
