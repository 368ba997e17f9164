"""What the index keeps of a record: names, outcomes, hashes of numbers; no text, no value, no literal."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from metric_layer.plan import Dialect
from traces.errors import TraceDamaged, Unsealable
from traces.keys import KeyStore
from traces.literals import MARK, without_literals
from traces.precisions import keyed_number, shown_as
from traces.records import AnswerAttempt, Close, Decision, Hold, Open
from traces.sealing import cited_in

Fact = tuple[str, str]
"""A kind (definition, version, check, table) and a value of it."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_QUOTES = str.maketrans("", "", '"`')
_LITERAL = re.compile(rf"'?{re.escape(MARK)}'?")
_COMMENT = re.compile(r"/\* \? \*/")
_TOLD = frozenset(("allow", "skipped"))


def moment(at: datetime) -> int:
    """Return a time as microseconds since 1970, UTC."""
    return ((at if at.tzinfo else at.replace(tzinfo=UTC)) - _EPOCH) // _MICROSECOND


def time_of(microseconds: int) -> datetime:
    """Return the time that `moment` was given."""
    return _EPOCH + microseconds * _MICROSECOND


def bare_sql(sql: str, dialect: Dialect) -> str:
    """Return SQL as it is searched: each literal a question mark, in lower case, without quotes of names."""
    shown = without_literals(sql, dialect, lambda _: False, lambda _: True, whole=True)
    marked = _COMMENT.sub("", _LITERAL.sub("?", shown))
    return " ".join(marked.translate(_QUOTES).lower().split())


def metrics_of(opened: Open) -> str:
    """Return the metrics that a question names, those of the layer only."""
    plan = opened.ask.plan
    return " ".join(name for name in plan.metrics if name != MARK) if plan else ""


def facts_of(record: Open | Hold | AnswerAttempt | Close) -> frozenset[Fact]:
    """Return what a record can be found by."""
    match record:
        case Open():
            return frozenset(("definition", name) for name in metrics_of(record).split())
        case Hold():
            return frozenset(_checks(record.findings))
        case AnswerAttempt():
            return frozenset(_checks(record.decisions))
    return frozenset(_of_close(record))


def numbers_of(record: AnswerAttempt | Close, keys: KeyStore, key: bytes) -> frozenset[int]:
    """Return a keyed hash of each number that left with a record, at each precision; none once erased."""
    left = record.passed if isinstance(record, AnswerAttempt) else not record.came_to
    if not left:
        return frozenset()
    try:
        cited = cited_in(record, keys)
    except Unsealable as fault:
        raise TraceDamaged(
            fault.code, str(fault), place=f"trace {record.trace_id}", next_step=fault.next_step
        ) from fault
    spellings = {each for value, text in cited for each in shown_as(value, text)}
    return frozenset(keyed_number(key, each) for each in spellings)


def _of_close(closed: Close) -> Iterator[Fact]:
    yield from _checks(closed.decisions)
    for issue in closed.issues:
        yield "check", issue.code
    for used in closed.pins.used if closed.pins else ():
        yield "definition", used.name
        yield "version", f"{used.name} v{used.version}"
        if used.kind == "dataset":
            yield from _table(used.name)
    for scan in closed.estimate.scans if closed.estimate else ():
        yield from _table(scan.relation)


def _checks(decisions: Iterable[Decision]) -> Iterator[Fact]:
    for decision in decisions:
        if decision.verdict not in _TOLD:
            yield "check", decision.check


def _table(name: str) -> Iterator[Fact]:
    low = name.translate(_QUOTES).lower()
    yield "table", low
    yield "table", low.rpartition(".")[2]
