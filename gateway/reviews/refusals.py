"""Why nothing came of a request about a hold, with what to do next."""

from collections.abc import Mapping, Sequence

from gateway.reply import Refusal, ReplyIssue
from metric_layer.vocabulary import near

NEXT: Mapping[str, str] = {
    "already_decided": "Nothing more to do: the first decision counts. See it with `cellbound review show`.",
    "hold_expired": "Expired is denied. The asker may ask again.",
    "hold_stale": "The asker has to ask again; the question comes back with what changed.",
    "own_question": "Leave it to somebody else who may review.",
    "unknown_finding": "Name findings by their keys, as `cellbound review show` lists them.",
}
CONFLICTS = frozenset(("already_decided", "hold_expired", "hold_stale", "own_question"))
"""Refusals of a request that came too late, or from the wrong person: 409."""


def unknown_hold(hold_id: str) -> Refusal:
    """Say that there is no such hold; the same words whether it is missing or not for the caller's eyes."""
    return problem("unknown_hold", "There is no hold of that id that you may see.", "/hold_id", hold_id[:100])


def not_reviewer(role: str) -> Refusal:
    """Say that the caller's role does not decide."""
    said = "Your role may not decide held questions: it lacks the right review."
    return problem("right_missing", said, "", role or "no role")


def undecidable(code: str, hold_id: str, why: str) -> Refusal:
    """Say why a hold cannot be decided now."""
    return problem(code, f"{why[:1].upper()}{why[1:]}.", "/hold_id", hold_id)


def problem(code: str, message: str, path: str, seen: str, known: Sequence[str] = ()) -> Refusal:
    """Return one issue as a refusal; `known` are the words that could have stood there."""
    step = NEXT.get(code) or (f"Known: {', '.join(known)}." if known else _STEPS.get(code, ""))
    return Refusal(
        issues=(
            ReplyIssue(
                code=code,
                message=message,
                stage="input",
                path=path,
                seen=seen,
                candidates=near(seen, tuple(known)) if known else (),
                next_step=step,
            ),
        )
    )


_STEPS: Mapping[str, str] = {
    "unknown_hold": "Use the hold_id of a held reply, or list what waits with `cellbound review list`.",
    "right_missing": "Ask the policy's owner for the right `review`.",
    "reason_missing": "Say in a sentence why.",
}
