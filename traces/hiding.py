"""Each record with its private parts taken out: what is personal is replaced by a mark, and kept beside."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import TypeVar, cast

from metric_layer.issues import Issue
from metric_layer.plan import MetricPlan
from metric_layer.record import Record
from traces.literals import MARK
from traces.private import Known, Private, filter_values, with_values
from traces.records import (
    AnswerAttempt,
    AnyRecord,
    Ask,
    Citation,
    Close,
    Decision,
    Hold,
    Open,
    Query,
    Shape,
)
from traces.shown import Shown

RecordT = TypeVar("RecordT", bound=AnyRecord)
_CODES = ("", "replay")
_PASSED = ("allow", "skipped")
_SEP = "\x1f"


class Hiding:
    """Takes private parts out of one record, and remembers where they stood."""

    def __init__(
        self, private: Private, keyed_hash: Callable[[str], str], shown: Shown | None = None
    ) -> None:
        self.private = private
        self.shown = shown or Shown()
        self.taken: dict[str, object] = {}
        self._hashes: dict[str, str] = {}
        self._keyed = keyed_hash

    def put(self, path: str, was: object, shown: object) -> object:
        """Return what is shown in the place of `was`, which is kept where they differ."""
        if was != shown:
            self.taken[path] = coded(was)
        return shown

    def digest(self, plain: str) -> str:
        """Return a keyed hash for an unkeyed one."""
        if not plain:
            return ""
        found = self._hashes.get(plain)
        if found is None:
            found = self._hashes[plain] = self._keyed(plain)
            self.taken["#" + found] = plain
        return found

    def named_anew(self, decision: Decision) -> Decision:
        """Return a decision with a keyed hash of its input."""
        plain = decision.input
        if not plain:
            return decision
        return self.shown.verdict(decision, self._hashes.get(plain) or self.digest(plain))


def hidden(record: RecordT, hiding: Hiding, known: Known) -> RecordT:
    """Return a record without its private parts, which `hiding` then holds by their place."""
    update: dict[str, object] = {}
    match record:
        case Open():
            update = {
                "ask": _ask(record.ask, hiding, known),
                "program": hiding.put("program", record.program, MARK if record.program else ""),
            }
        case Hold():
            update = {
                "findings": _decisions("findings", record.findings, hiding),
                "binding": hiding.digest(record.binding),
            }
        case AnswerAttempt():
            update = {
                "decisions": _decisions("decisions", record.decisions, hiding),
                "citations": _citations("citations", record.citations, hiding, known),
                "digest": hiding.digest(record.digest),
            }
        case Close():
            update = _close(record, hiding, known)
    return cast("RecordT", record.model_copy(update=update)) if update else record


def _close(closed: Close, hiding: Hiding, known: Known) -> dict[str, object]:
    worded = hiding.private.worded
    return {
        "issues": _issues(closed.issues, hiding),
        "query": _query(closed.query, hiding, known) if closed.query else None,
        "readings": _mapping("readings", closed.readings, hiding, known),
        "shape": _shape(closed.shape, hiding, known) if closed.shape else None,
        "decisions": _decisions("decisions", closed.decisions, hiding),
        "answer": _citations("answer", closed.answer, hiding, known),
        "notes": hiding.put(
            "notes",
            closed.notes,
            tuple(MARK if worded else hiding.private.scrubbed(note) for note in closed.notes),
        ),
    }


def _ask(ask: Ask, hiding: Hiding, known: Known) -> Ask:
    approval = ask.approval_id
    spoken = approval if approval in _CODES or _is_id(approval) else MARK
    update: dict[str, object] = {
        "choices": _mapping("ask/choices", ask.choices, hiding, known),
        "approval_id": hiding.put("ask/approval_id", approval, spoken),
    }
    if ask.plan is not None:
        update["plan"] = _plan(ask.plan, hiding, known)
    return ask.model_copy(update=update)


def _plan(plan: MetricPlan, hiding: Hiding, known: Known) -> MetricPlan:
    """Return a plan without the values it filters by, and without names that are not the layer's."""

    def name(path: str, was: str) -> object:
        return hiding.put(f"ask/plan/{path}", was, was if known(was) else MARK)

    def names(path: str, was: tuple[str, ...]) -> object:
        shown = was if all(map(known, was)) else tuple(each if known(each) else MARK for each in was)
        return hiding.put(f"ask/plan/{path}", was, shown)

    update: dict[str, object] = {
        "metrics": names("metrics", plan.metrics),
        "dimensions": names("dimensions", plan.dimensions),
    }
    if plan.order is not None:
        by = name("order/by", plan.order.by)
        update["order"] = plan.order.model_copy(update={"by": by})
    if plan.time is not None:
        named = {key: was for key in ("field", "zone") if (was := getattr(plan.time, key))}
        shown = {key: name(f"time/{key}", was) for key, was in named.items()}
        update["time"] = plan.time.model_copy(update=shown) if shown else plan.time
    if plan.filters:
        update["filters"] = _filters(plan, name)
        values = filter_values(plan)
        if any(values):
            hiding.taken["ask/plan/filters/values"] = [[coded(each) for each in one] for one in values]
    return plan.model_copy(update=update)


def _filters(plan: MetricPlan, name: Callable[[str, str], object]) -> tuple[Record, ...]:
    marked = with_values(plan, tuple((MARK,) * len(values) for values in filter_values(plan)))
    found: list[Record] = []
    for at, each in enumerate(marked.filters):
        key = "field" if hasattr(each, "field") else "metric"
        found.append(each.model_copy(update={key: name(f"filters/{at}/{key}", getattr(each, key))}))
    return tuple(found)


def _query(query: Query, hiding: Hiding, known: Known) -> Query:
    def shown(path: str, was: str) -> object:
        return hiding.put(path, was, hiding.shown.sql(was, query.dialect, hiding.private, known))

    return query.model_copy(
        update={
            "sql": shown("query/sql", query.sql),
            "guard": shown("query/guard", query.guard),
            "digest": hiding.digest(query.digest),
        }
    )


def _shape(shape: Shape, hiding: Hiding, known: Known) -> Shape:
    """Return a shape; what a free query called its columns is the planner's own word."""
    if not hiding.private.free:
        return shape
    columns = tuple(
        column.model_copy(
            update={"name": hiding.put(f"shape/columns/{at}/name", column.name, _named(column.name, known))}
        )
        for at, column in enumerate(shape.columns)
    )
    return shape.model_copy(update={"columns": columns})


def _decisions(path: str, decisions: Sequence[Decision], hiding: Hiding) -> tuple[Decision, ...]:
    """Return decisions whose words repeat nothing of the asker's; one look says whether any of them does."""
    private = hiding.private
    quiet = not (private.free or (private.values and private.touches(_SEP.join(map(_spoken, decisions)))))
    named = hiding.named_anew
    return tuple(
        [
            named(each)
            if quiet and (each.verdict in _PASSED or not _is_sealed_whole(each, private))
            else _decision(path, at, each, hiding)
            for at, each in enumerate(decisions)
        ]
    )


def _decision(within: str, at: int, decision: Decision, hiding: Hiding) -> Decision:
    """Return a decision whose words repeat nothing of the asker's.

    Of a draft, or of SQL that a planner wrote or that holds their values, a check says more than any list
    foresees: its words are sealed whole.
    """
    private = hiding.private
    whole = _is_sealed_whole(decision, private)
    if not whole and not (private.values and private.touches(_spoken(decision))):
        return hiding.named_anew(decision)
    path = f"{within}/{at}"
    update: dict[str, object] = {}
    for key in ("reason", "seen", "place", "next_step"):
        was: str = getattr(decision, key)
        if was and (shown := MARK if whole else private.scrubbed(was)) != was:
            update[key] = hiding.put(f"{path}/{key}", was, shown)
    if decision.candidates:
        shown_names = tuple(MARK if whole else private.scrubbed(each) for each in decision.candidates)
        if shown_names != decision.candidates:
            update["candidates"] = hiding.put(f"{path}/candidates", decision.candidates, shown_names)
    if decision.input:
        update["input"] = hiding.digest(decision.input)
    if decision.output and update.keys() - {"input"}:
        update["output"] = hiding.digest(decision.output)
    return decision.model_copy(update=update) if update else decision


def _is_sealed_whole(decision: Decision, private: Private) -> bool:
    if decision.verdict in _PASSED:
        return False
    return decision.stage == "answer" or (decision.stage == "sql" and (private.free or bool(private.values)))


def _spoken(decision: Decision) -> str:
    if not (decision.seen or decision.place or decision.next_step or decision.candidates):
        return decision.reason
    return _SEP.join(
        (decision.reason, decision.seen, decision.place, decision.next_step, *decision.candidates)
    )


def _issues(issues: Sequence[Issue], hiding: Hiding) -> tuple[Issue, ...]:
    return tuple(_issue(f"issues/{at}", each, hiding) for at, each in enumerate(issues))


def _issue(path: str, issue: Issue, hiding: Hiding) -> Issue:
    private = hiding.private
    whole = private.worded or private.free
    update: dict[str, object] = {}
    for key in ("message", "path", "place", "seen", "next_step", "term"):
        was: str = getattr(issue, key)
        shown = (MARK if was else "") if whole else private.scrubbed(was)
        update[key] = hiding.put(f"{path}/{key}", was, shown)
    candidates = tuple(map(private.scrubbed, issue.candidates))
    update["candidates"] = hiding.put(f"{path}/candidates", issue.candidates, candidates)
    update["options"] = tuple(
        option.model_copy(
            update={
                key: hiding.put(f"{path}/options/{at}/{key}", was, private.scrubbed(was))
                for key, was in (("name", option.name), ("description", option.description))
            }
        )
        for at, option in enumerate(issue.options)
    )
    return issue.model_copy(update=update)


def _citations(
    path: str, citations: Sequence[Citation], hiding: Hiding, known: Known
) -> tuple[Citation, ...]:
    """Return citations that say which cell stands behind a number, and not which number."""
    if not citations:
        return ()
    hiding.taken[f"{path}/*/text"] = [each.text for each in citations]
    hiding.taken[f"{path}/*/value"] = [each.value for each in citations]
    hiding.taken[f"{path}/*/row_key"] = [each.row_key for each in citations]
    hiding.taken[f"{path}/*/expression"] = [each.expression for each in citations]
    if hiding.private.free:
        citations = _unnamed(path, citations, hiding, known)
    return tuple(
        [
            each.model_copy(update=_marks_of_citation(len(each.row_key), bool(each.expression)))
            for each in citations
        ]
    )


@lru_cache(maxsize=64)
def _marks_of_citation(names: int, derived: bool) -> Mapping[str, object]:
    marks: dict[str, object] = {"text": MARK, "value": MARK}
    if names:
        marks["row_key"] = (MARK,) * names
    if derived:
        marks["expression"] = MARK
    return marks


def _unnamed(path: str, citations: Sequence[Citation], hiding: Hiding, known: Known) -> tuple[Citation, ...]:
    """Return citations of a free query without what it called its columns."""
    hiding.taken[f"{path}/*/metric"] = [each.metric for each in citations]
    hiding.taken[f"{path}/*/cell/column"] = [each.cell.column if each.cell else "" for each in citations]
    return tuple(
        each.model_copy(
            update={
                "metric": _named(each.metric, known) if each.metric else "",
                "cell": each.cell
                and each.cell.model_copy(update={"column": _named(each.cell.column, known)}),
            }
        )
        for each in citations
    )


def _mapping(path: str, was: Mapping[str, str], hiding: Hiding, known: Known) -> object:
    shown = {_named(term, known): _named(option, known) for term, option in was.items()}
    return hiding.put(path, dict(was), shown)


def _named(name: str, known: Known) -> str:
    return name if known(name) else MARK


def _is_id(text: str) -> bool:
    return len(text) == 32 and not set(text) - set("0123456789abcdef")


def coded(value: object) -> object:
    """Return a value as JSON carries it without loss."""
    if isinstance(value, str):
        return value
    match value:
        case Decimal():
            return {"decimal": str(value)}
        case tuple():
            return [coded(each) for each in value]
        case Mapping():
            return {"map": dict(value)}
    return value
