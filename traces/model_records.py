"""What a model was asked while a question was worked on, and what became of its reply."""

from typing import Literal

from metric_layer.record import Record

Purpose = Literal["plan", "revise", "sql", "draft"]


class ModelCall(Record):
    """One call of a model. `model` and `prompt` are pinned: name with parameters, and the prompt's SHA-256.

    A reply was `used`, `rejected` by the `checks` named, `unreadable` (it does not fit its schema), or there
    was none (`failed`, by the code `fault`). One of attempt 0 was taken from the record, and not asked for.
    The reply itself is kept sealed, so that the question can go on after a hold without asking again.
    """

    purpose: Purpose
    model: str
    prompt: str
    attempt: int
    outcome: Literal["used", "rejected", "unreadable", "failed"]
    checks: tuple[str, ...] = ()
    fault: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    ms: int = 0
    sealed_reply: str = ""
