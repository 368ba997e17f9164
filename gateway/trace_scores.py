"""Scores of questions on record: their texts are read by who may unseal, kept scores by who may audit."""

from collections.abc import Sequence
from datetime import date
from hashlib import sha256

from evals.stef.batch import StefReport, score_traces
from evals.stef.judge import JudgeTexts, RuleJudge
from evals.stef.marks import Marks, read_marks
from evals.stef.rulebook import Rulebook
from gateway.custody.rights import refused
from gateway.house import House
from gateway.record.recorded import Ended, ended_of, recorded
from gateway.reply import Refusal
from gateway.service import Gateway
from gateway.stef.model_judge import ModelJudge
from traces.custody_records import UnsealedBatch
from traces.errors import Unsealable
from traces.records import Caller, Close, Open
from traces.seal import seal, unseal


def score_record(
    gateway: Gateway, caller: Caller, since: date | None, rules: Rulebook, reason: str
) -> StefReport | Refusal:
    """Score the questions of the caller's tenant; one record says who had them read, and why, before any is.

    The policy's decision model judges where there is one, else rules. Raises TraceDamaged.
    """
    with gateway.houses.asking() as house:
        no = refused(house, caller, "unseal", reason)
        if no is not None:
            return no
        found = tuple(ended_of(gateway.traces, caller.tenant, since))
        gateway.traces.append(_batch(house, caller, found, since, reason), durable=True)
        model = house.judge
        if model is None:
            return score_traces(found, house.layer, rules, RuleJudge)
        named = house.governed.policy.judge
        judge = ModelJudge(model, named.url if named else "")
        texts = _Texts(house)
        return score_traces(found, house.layer, rules, lambda _: judge, texts)


def kept_scores(gateway: Gateway, caller: Caller, since: date | None) -> Marks | Refusal:
    """Return the scores that questions were closed with. Nothing is unsealed. Raises TraceDamaged."""
    with gateway.houses.asking() as house:
        found = recorded(house, gateway.traces, caller, since)
        return found if isinstance(found, Refusal) else read_marks(found)


class _Texts:
    """What a model judge gets to read of a question on record; nothing of one whose key was destroyed."""

    def __init__(self, house: House) -> None:
        self._house = house

    def __call__(self, opened: Open, closed: Close) -> JudgeTexts:
        plan = opened.ask.plan
        names = plan.metrics if plan else ()
        metrics = self._house.layer.metrics
        known = [name for name in names if name in metrics]
        return JudgeTexts(
            question=self._words(opened),
            plan=plan.model_dump_json(by_alias=True, exclude_none=True) if plan else "",
            sql=closed.query.sql if closed.query else "",
            definitions="\n".join(f"{name}: {metrics[name].description}" for name in known),
        )

    def _words(self, opened: Open) -> str:
        if not opened.sealed_question:
            return ""
        try:
            return unseal(self._house.keys, opened.subject, opened.sealed_question)
        except Unsealable:
            return ""


def _batch(
    house: House, caller: Caller, found: Sequence[Ended], since: date | None, reason: str
) -> UnsealedBatch:
    by = house.subject(caller)
    return UnsealedBatch(
        at=house.now(),
        by=by,
        sealed_reason=seal(house.keys, by, reason),
        since=since.isoformat() if since else "",
        traces=len(found),
        ids=sha256("\n".join(opened.trace_id for opened, _ in found).encode()).hexdigest(),
    )
