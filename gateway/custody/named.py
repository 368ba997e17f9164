"""People who are named in the words of others: where they are, and the erasure of such a trace."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from gateway.custody.reports import NamedTrace, NamedTraces
from gateway.house import House
from traces.custody_records import UnsealedBatch
from traces.errors import TraceDamaged, Unsealable
from traces.keys import KeyStore
from traces.records import AnyRecord, Caller, Trace
from traces.seal import key_id_of, seal, unseal_any
from traces.store.sealed import SealedStore

_SEALED = re.compile(r"\bs[12]\.[0-9a-f]{16}\.[A-Za-z0-9_=-]+(?:\.[A-Za-z0-9_=-]+)?")
_EVERY = 10**9


def naming(house: House, traces: SealedStore, caller: Caller, text: str, reason: str) -> NamedTraces:
    """Return the tenant's traces in whose words a text stands; that all were read is on record before."""
    asked = [(one.trace_id, one.at, one.subject) for one in traces.list(limit=_EVERY, tenant=caller.tenant)]
    traces.append(_batch(house, caller, [trace_id for trace_id, _, _ in asked], reason), durable=True)
    wanted, found, closed = _folded(text), [], 0
    for trace_id, at, subject in asked:
        try:
            trace = traces.read(trace_id)
        except TraceDamaged:
            trace = None
        if trace is None or trace.erased:
            closed += 1
        if trace is not None and any(wanted in _folded(said) for said in _words(trace, house.keys)):
            found.append(NamedTrace(trace_id=trace_id, at=at.isoformat(timespec="seconds"), subject=subject))
    return NamedTraces(traces=tuple(found), read=len(asked) - closed, closed=closed)


def keys_of(trace: Trace, keys: KeyStore) -> Mapping[str, tuple[str, ...]]:
    """Return the ids of the living keys that sealed a stored trace, by whose they are."""
    found: dict[str, list[str]] = {}
    for key_id in sorted(_key_ids(trace.model_dump_json())):
        if owner := keys.subject_of(key_id):
            found.setdefault(owner, []).append(key_id)
    return {owner: tuple(ids) for owner, ids in found.items()}


def sealed_with(records: Iterator[AnyRecord], key_ids: Sequence[str]) -> int:
    """Count the questions of which some part was sealed with one of these keys."""
    wanted = frozenset(key_ids)
    return len(
        {
            trace_id
            for record in records
            if (trace_id := getattr(record, "trace_id", ""))
            and not wanted.isdisjoint(_key_ids(record.model_dump_json()))
        }
    )


def _key_ids(text: str) -> frozenset[str]:
    return frozenset(key_id_of(blob) for blob in _SEALED.findall(text))


def _words(trace: Trace, keys: KeyStore) -> Iterator[str]:
    """Yield every text of an opened trace: what stands in its fields, and what is sealed in them."""
    for said in _strings(trace.model_dump(mode="json")):
        if _SEALED.fullmatch(said):
            try:
                yield unseal_any(keys, said)
            except Unsealable:
                continue
        else:
            yield said


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for name, each in value.items():
                yield name
                yield from _strings(each)
        case list():
            for each in value:
                yield from _strings(each)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _batch(house: House, caller: Caller, ids: Sequence[str], reason: str) -> UnsealedBatch:
    by = house.subject(caller)
    return UnsealedBatch(
        at=house.now(),
        by=by,
        sealed_reason=seal(house.keys, by, reason),
        traces=len(ids),
        ids=sha256("\n".join(ids).encode()).hexdigest(),
    )
