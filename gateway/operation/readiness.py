"""Looks at what every question needs: definitions, database, the engine's promises, room for traces."""

from gateway.engines.base import EngineError
from gateway.house import House
from gateway.reply import Finding, Readiness
from gateway.state import StateStore
from gateway.stores.rows import StoreUnusable
from traces.errors import TraceError
from traces.store.base import TraceStore

HEADROOM = 262_144
"""Bytes that are set aside on disk before a question begins, so that its last record can be written."""


def readiness(
    house: House, traces: TraceStore, state: StateStore, reload: Finding | None = None
) -> Readiness:
    """Say whether the house can answer. `reload` is what is wrong with files that are not in force."""
    findings = (
        Finding(name="definitions", ok=True, detail=f"layer {house.layer.digest[:12]}"),
        _database(house),
        _promises(house),
        _trace_store(traces),
        *_checkpoint_place(traces),
        _state(state),
        *(() if reload is None else (reload,)),
    )
    return Readiness(ready=all(finding.ok for finding in findings if finding.needed), findings=findings)


def _database(house: House) -> Finding:
    try:
        data = house.engine.pin()
    except EngineError as fault:
        return Finding(name="database", ok=False, detail=str(fault), next_step=fault.next_step)
    return Finding(name="database", ok=True, detail=f"answers; data {data.value[:12]}")


def _promises(house: House) -> Finding:
    """What the engine can promise, in its own words: nobody should have to guess how hard a wall is."""
    can = house.engine.capabilities()
    said = (
        f"{can.engine} {can.version}{f' through {can.driver}' if can.driver else ''}, mode {can.mode}",
        f"rows held by {can.enforces_rows}",
        "read-only" if can.read_only else "not read-only",
        f"time travel: {can.time_travel}",
        *(f"{name} {value}" for name, value in can.settings.items()),
        *can.notes,
    )
    return Finding(name="engine", ok=can.read_only, detail="; ".join(said))


def _trace_store(traces: TraceStore) -> Finding:
    try:
        with traces.reserve(HEADROOM):
            return Finding(name="traces", ok=True, detail="room for the next record")
    except TraceError as fault:
        return Finding(name="traces", ok=False, detail=str(fault), next_step=fault.next_step)


def _state(state: StateStore) -> Finding:
    try:
        state.probe()
    except StoreUnusable as fault:
        issue = fault.issues[0]
        return Finding(name="state", ok=False, detail=issue.message, next_step=issue.next_step)
    return Finding(name="state", ok=True, detail="takes holds, budgets and replies")


def _checkpoint_place(traces: TraceStore) -> tuple[Finding, ...]:
    """Say what keeps checkpoints from their second place: questions are answered meanwhile."""
    fault = traces.note_fault
    if fault is None:
        return ()
    return (Finding(name="checkpoint", ok=False, needed=False, detail=str(fault), next_step=fault.next_step),)
