"""Why nothing came of a request to the ladder, with what to do next."""

from collections.abc import Mapping, Sequence

from gateway.reply import Refusal, ReplyIssue
from metric_layer.vocabulary import near

_STEPS: Mapping[str, str] = {
    "already_decided": "Look at the class again, then decide.",
    "right_missing": "Ask the policy's owner for the right `release`, `audit`, `evaluate` or `review`.",
    "top_of_ladder": "Nothing more to do; `most` of the class in the policy is the limit.",
    "foot_of_ladder": "Nothing more to do.",
    "wrong_step": "Move it one stage at a time upwards; downwards any stage will do.",
    "unknown_trace": "Take the trace_id of a question in shadow, as `cellbound trace list` shows it.",
    "own_answer": "Have somebody else compare it: it would tell you the answer.",
    "not_comparable": "Take the trace of a question that came to an answer.",
    "many_figures": "Bring SQL or a file: the recorded answer has more than one figure.",
    "own_sql_failed": "Mend the SQL; it runs with your access, under every check and limit.",
    "own_file_unread": "Bring a CSV file with a header and at least one row.",
}


def problem(code: str, message: str, path: str, seen: str, candidates: Sequence[str] = ()) -> Refusal:
    """Return one issue as a refusal."""
    issue = ReplyIssue(
        code=code,
        message=message,
        stage="input",
        path=path,
        seen=seen[:200],
        candidates=tuple(candidates),
        next_step=_STEPS.get(code, ""),
    )
    return Refusal(issues=(issue,))


def unknown_class(name: str, known: Sequence[str]) -> Refusal:
    """Say that the policy names no such class; what it does not name runs dry and is on no ladder."""
    found = problem(
        "unknown_class", f"The policy names no class {name[:60]!r}.", "/name", name, near(name, tuple(known))
    )
    step = f"Known: {', '.join(known)}." if known else "Name it under `release` or `classes` in the policy."
    issue = found.issues[0].model_copy(update={"next_step": step})
    return Refusal(issues=(issue,))
