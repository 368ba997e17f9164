"""Records with everything personal sealed, and the same records whole again while their key lives.

In a whole record `sealed` is empty. On its way to a store each private part is replaced by a mark, and all of
them stand in `sealed` as one text under the subject's key. Every text of every record is of one of four:
sealed, a keyed hash, a name of the layer, or written by code (tests/traces/test_sealing.py has the list).
"""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import TypeVar, cast

from metric_layer.plan import MetricPlan
from metric_layer.record import Record
from traces.errors import Unsealable
from traces.hiding import Hiding, hidden
from traces.keys import KeyStore
from traces.literals import MARK
from traces.plain_json import plain_json
from traces.private import Known, Private, with_values
from traces.records import AnswerAttempt, AnyRecord, Close, Decision, Hold, Open, Trace
from traces.seal import keyed_by, seal_by, unseal_any
from traces.shown import Shown

RecordT = TypeVar("RecordT", bound=AnyRecord)
SEALABLE = (Open, Hold, AnswerAttempt, Close)
"""The records with parts that are sealed here; the reason of a `Judgement` is sealed by who writes it."""


def sealed(
    record: RecordT, private: Private, known: Known, keys: KeyStore, shown_before: Shown | None = None
) -> RecordT:
    """Return a record as it is stored; what was hidden of others alike may be given."""
    if not isinstance(record, SEALABLE):
        return record
    key = cache(lambda: keys.subject_key(private.subject))
    hiding = Hiding(private, lambda digest: keyed_by(key(), digest), shown_before)
    shown: AnyRecord = hidden(record, hiding, known)
    if not hiding.taken:
        return cast("RecordT", shown)
    update = {"sealed": seal_by(key(), private.subject, plain_json(hiding.taken).decode())}
    return cast("RecordT", shown.model_copy(update=update))


def unsealed(record: RecordT, keys: KeyStore) -> RecordT:
    """Return a stored record whole, or as it is where its key was destroyed; raises Unsealable if altered."""
    taken = _taken(record, keys)
    if not taken:
        return record
    whole: AnyRecord = _whole(record, taken)
    return cast("RecordT", whole.model_copy(update={"sealed": ""}))


def cited_in(record: AnswerAttempt | Close, keys: KeyStore) -> tuple[tuple[str, str], ...]:
    """Return (value, text) of each number that a stored record cites, and nothing else of it.

    None are left where its key was destroyed; raises Unsealable if it was altered.
    """
    path, cited = ("answer", record.answer) if isinstance(record, Close) else ("citations", record.citations)
    if not record.sealed or not cited:
        return tuple((each.value, each.text) for each in cited)
    taken = _taken(record, keys)
    values, texts = (cast("Sequence[str]", taken.get(f"{path}/*/{key}", ())) for key in ("value", "text"))
    return tuple(zip(values, texts, strict=True))


def unsealed_trace(trace: Trace, keys: KeyStore) -> Trace:
    """Return a stored trace with every record whole whose key lives."""
    return trace.model_copy(
        update={
            "opened": unsealed(trace.opened, keys),
            "holds": tuple(unsealed(each, keys) for each in trace.holds),
            "attempts": tuple(unsealed(each, keys) for each in trace.attempts),
            "closed": unsealed(trace.closed, keys) if trace.closed else None,
        }
    )


def masked_trace(trace: Trace, private: Private, known: Known) -> Trace:
    """Return a whole trace as people see it who may read headers and steps only."""

    def shown(record: RecordT) -> RecordT:
        return hidden(record, Hiding(private, lambda _: MARK), known)

    return trace.model_copy(
        update={
            "opened": shown(trace.opened),
            "holds": tuple(map(shown, trace.holds)),
            "attempts": tuple(map(shown, trace.attempts)),
            "closed": shown(trace.closed) if trace.closed else None,
        }
    )


def is_erased(record: AnyRecord) -> bool:
    """Say whether a record that was read is not whole, because its key was destroyed."""
    return isinstance(record, SEALABLE) and bool(record.sealed)


def _taken(record: AnyRecord, keys: KeyStore) -> Mapping[str, object]:
    """Return what was taken out of a stored record, by its place; nothing where its key was destroyed."""
    blob = record.sealed if isinstance(record, SEALABLE) else ""
    try:
        taken: Mapping[str, object] = json.loads(unseal_any(keys, blob)) if blob else {}
    except Unsealable as fault:
        if fault.code == "seal_altered":
            raise
        return {}
    return taken


def _read(value: object) -> object:
    match value:
        case {"decimal": str(text)}:
            return Decimal(text)
        case {"map": dict(items)}:
            return items
        case list():
            return tuple(map(_read, value))
    return value


def _whole(record: RecordT, taken: Mapping[str, object]) -> RecordT:
    hashes = {path[1:]: str(plain) for path, plain in taken.items() if path.startswith("#")}
    found: object = record
    for path, value in taken.items():
        if not path.startswith("#"):
            found = _restored(found, path.split("/"), _read(value))
    return cast("RecordT", _rehashed(found, hashes)) if hashes else cast("RecordT", found)


def _restored(within: object, path: Sequence[str], value: object) -> object:
    """Return `within` with `value` put back where `path` leads."""
    if not path or within is None:
        return value if not path else None
    key, rest = path[0], path[1:]
    if isinstance(within, MetricPlan) and list(path) == ["filters", "values"]:
        return with_values(within, cast("tuple[tuple[str, ...], ...]", value))
    if isinstance(within, tuple):
        if key == "*":
            values = cast("tuple[object, ...]", value)
            return tuple(_restored(each, rest, one) for each, one in zip(within, values, strict=True))
        return tuple(_restored(one, rest, value) if at == int(key) else one for at, one in enumerate(within))
    assert isinstance(within, Record)
    return within.model_copy(update={key: _restored(getattr(within, key), rest, value)})


def _rehashed(record: object, hashes: Mapping[str, str]) -> object:
    """Return a record with every keyed hash in it replaced by what it stands for."""
    match record:
        case Decision():
            found = {key: getattr(record, key) for key in ("input", "output")}
            update = {key: hashes.get(hashed, hashed) for key, hashed in found.items()}
            return record.model_copy(update=update)
        case Hold():
            findings = tuple(_rehashed(each, hashes) for each in record.findings)
            binding = hashes.get(record.binding, record.binding)
            return record.model_copy(update={"findings": findings, "binding": binding})
        case AnswerAttempt():
            decisions = tuple(_rehashed(each, hashes) for each in record.decisions)
            digest = hashes.get(record.digest, record.digest)
            return record.model_copy(update={"decisions": decisions, "digest": digest})
        case Close():
            decisions = tuple(_rehashed(each, hashes) for each in record.decisions)
            query = record.query and record.query.model_copy(
                update={"digest": hashes.get(record.query.digest, record.query.digest)}
            )
            return record.model_copy(update={"decisions": decisions, "query": query})
    return record
