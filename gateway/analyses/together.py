"""The steps of an analysis as one reply: one text, its citations each with the trace they come from."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from gateway.analyses.view import AnalysisReply, StepReply
from gateway.reply import TOLD, Reply
from traces.records import AnalysisPin, Citation, Outcome

BETWEEN = "\n\n"
Steps = Sequence[tuple[str, Reply]]


def reply_of_steps(
    pin: AnalysisPin, parameters: Mapping[str, str], steps: Steps, notes: Sequence[str] = ()
) -> AnalysisReply:
    """Return the one reply to a call whose steps came to these replies, in order, with notes on the whole."""
    last = next((reply for _, reply in steps if reply.outcome == "held"), steps[-1][1])
    several = len(steps) > 1
    whole = Reply(outcome=last.outcome) if several else last
    texts = [reply.answer for _, reply in steps]
    return AnalysisReply(
        **{
            **{name: getattr(whole, name) for name in Reply.model_fields},
            "outcome": _outcome(last.outcome, {reply.outcome for _, reply in steps}),
            "answer": BETWEEN.join(filter(None, texts)) if _told(steps) else "",
            "scope": "\n".join(_said(steps, "scope")) if several else whole.scope,
            "citations": tuple(_citations(steps)) if _told(steps) else (),
            "notes": (*notes, *_notes(steps)),
            "hold_id": ",".join(reply.hold_id for _, reply in steps if reply.hold_id),
            "retry_after": last.retry_after,
            "issues": last.issues,
            "analysis": pin,
            "parameters": dict(parameters),
            "steps": tuple(_step(name, reply) for name, reply in steps),
        }
    )


def _told(steps: Steps) -> bool:
    return all(reply.outcome in TOLD for _, reply in steps)


def _outcome(last: Outcome, every: AbstractSet[Outcome]) -> Outcome:
    """Return the outcome of the whole: that of the step that stopped it; `no_rows` where no step had any."""
    return "answered" if last == "no_rows" and "answered" in every else last


def _citations(steps: Steps) -> Iterator[Citation]:
    """Yield every citation at its place in the whole text, with its trace."""
    place = 0
    for _, reply in steps:
        for citation in reply.citations:
            moved = {"start": citation.start + place, "end": citation.end + place, "trace_id": reply.trace_id}
            yield citation.model_copy(update=moved)
        place += len(reply.answer) + len(BETWEEN) if reply.answer else 0


def _said(steps: Steps, part: str) -> Iterator[str]:
    for name, reply in steps:
        text = getattr(reply, part)
        if text:
            yield f"{name}: {text}"


def _notes(steps: Steps) -> Iterator[str]:
    """Yield the notes of every step; with several steps each says whose it is."""
    for name, reply in steps:
        yield from (f"{name}: {note}" if len(steps) > 1 else note for note in reply.notes)


def _step(name: str, reply: Reply) -> StepReply:
    kept = {key: getattr(reply, key) for key in Reply.model_fields if key in StepReply.model_fields}
    return StepReply(id=name, **kept)
