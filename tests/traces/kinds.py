"""One record of each kind that a log may hold, in an order in which they may stand."""

from collections.abc import Iterator

from tests.traces.samples import NOON, citation, closed, decision, opened
from traces.custody_records import (
    Erased,
    Impersonated,
    KeysRotated,
    LegalHold,
    Retired,
    RetiredSegment,
    Unsealed,
)
from traces.log_records import Recovered
from traces.records import AnswerAttempt, AnyRecord, Hold, Judgement
from traces.release_records import AnswerCompared, EvidenceFigure, StageDecided


def one_of_each(trace_id: str) -> Iterator[AnyRecord]:
    """The records of one held question, and those that are of no question."""
    yield opened(trace_id)
    yield Hold(trace_id=trace_id, at=NOON, hold_id="h1", findings=(decision(),), binding="b", expires=NOON)
    yield Judgement(
        trace_id=trace_id, at=NOON, hold_id="h1", verdict="accept", by="u_2", sealed_reason="s1.k.AA"
    )
    yield closed(trace_id)
    yield AnswerAttempt(
        trace_id=trace_id,
        at=NOON,
        attempt=1,
        passed=True,
        outcome="passed",
        decisions=(decision("scope"),),
        citations=(citation(),),
        digest="d" * 64,
    )
    segment = RetiredSegment(log="z", number=0, segment="z.000000.jsonl", first=0, records=9, head="0" * 64)
    yield Retired(at=NOON, by="u_9", days=30, segments=(segment,))
    yield Erased(at=NOON, by="u_9", subject="u_1", key_ids=("k1",))
    yield LegalHold(at=NOON, by="u_9", subject="u_1")
    yield Unsealed(at=NOON, by="u_9", of=trace_id, subject="u_1")
    yield Impersonated(at=NOON, by="u_9", of=trace_id, subject="u_1")
    yield KeysRotated(at=NOON, by="u_9", kinds=("chain",), key_ids=("k2",))
    yield StageDecided(
        at=NOON, by="u_9", question_class="governed", number=1, was="shadow", stage="reviewed",
        start="shadow", policy="p" * 64, signature="c2ln",
        evidence=(EvidenceFigure(name="disagreed", value=0.0, n=3),),
    )  # fmt: skip
    yield AnswerCompared(
        at=NOON, by="u_9", of=trace_id, question_class="governed", stage="shadow", means="number",
        agreed=True, told=False,
    )  # fmt: skip
    yield Recovered(at=NOON, segment="a.000000.jsonl", cut_bytes=7, cut_sha256="f" * 64)
