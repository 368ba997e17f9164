"""The verdict of a decision model: the typed question of the judge verb, with four answers."""

from collections.abc import Mapping
from hashlib import sha256

from evals.stef.align import Alignment
from evals.stef.judge import Judged, JudgeTexts, Verdict, Wanted
from metric_layer.sql.features import SqlFeatures
from policies.judge import FIELDS, Choice, Judge, JudgeFault, Opinion, Request

VERDICTS: tuple[Verdict, ...] = ("incorrect", "potentially_incorrect", "likely_correct", "correct")
QUESTION = Choice(
    text="Does this statement give what the question and its plan ask for, under these definitions?",
    options=VERDICTS,
    allows=("correct", "likely_correct"),
)
ATTEMPTS = 2
"""A model that gives no answer that can be used is asked once more; then the question stays unscored."""


class ModelJudge:
    """Takes the likeliest of four verdicts, and its probability as the confidence.

    The same request is asked once. `name` is of the model and of what it is asked, so that scores of two
    judges never mix.
    """

    def __init__(self, model: Judge, where: str) -> None:
        self._model = model
        self._known: dict[str, Opinion | None] = {}
        asked = sha256(f"{where}\n{QUESTION.model_dump_json()}".encode())
        self.name = f"model {asked.hexdigest()[:12]}"

    def judge(
        self, wanted: Wanted, found: SqlFeatures, filters: Alignment, texts: JudgeTexts
    ) -> Judged | None:
        """Judge one query; None where the model gave no answer that can be used."""
        request = Request(check="stef", question=QUESTION, fields=_fields(filters, texts))
        key = sha256(request.model_dump_json().encode()).hexdigest()
        if key not in self._known:
            self._known[key] = self._asked(request)
        opinion = self._known[key]
        if opinion is None:
            return None
        verdict = max(VERDICTS, key=lambda name: opinion.probabilities[name])
        return Judged(verdict=verdict, confidence=opinion.probabilities[verdict])

    def _asked(self, request: Request) -> Opinion | None:
        for _ in range(ATTEMPTS):
            try:
                return self._model.ask(request)
            except JudgeFault:
                continue
        return None


def _fields(filters: Alignment, texts: JudgeTexts) -> Mapping[str, str]:
    said = {
        "reason": filters.model_dump_json(),
        "words": texts.question,
        "plan": texts.plan,
        "sql": texts.sql,
        "definitions": texts.definitions,
    }
    return {name: said.get(name, "") for name in FIELDS}
