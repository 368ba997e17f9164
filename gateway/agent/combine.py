"""Several answered steps as one reply: their texts one after the other, each citation with its trace."""

from collections.abc import Sequence

from gateway.agent.replies import StepReply
from gateway.reply import Reply, StepLine
from traces.records import Citation


def combined(done: Sequence[tuple[StepReply, Reply]]) -> Reply:
    """Return one reply: rows and outcome of the last step, texts and citations of all, a line for each."""
    last = done[-1][1]
    if len(done) == 1:
        return last
    texts: list[str] = []
    citations: list[Citation] = []
    at = 0
    for _, reply in done:
        if reply.answer:
            citations.extend(_moved(citation, at, reply.trace_id) for citation in reply.citations)
            texts.append(reply.answer)
            at += len(reply.answer) + 1
    return last.model_copy(
        update={
            "answer": "\n".join(texts),
            "citations": tuple(citations),
            "scope": " | ".join(dict.fromkeys(reply.scope for _, reply in done if reply.scope)),
            "notes": tuple(dict.fromkeys(note for _, reply in done for note in reply.notes)),
            "steps": tuple(_line(step, reply) for step, reply in done),
        }
    )


def _moved(citation: Citation, by: int, trace_id: str) -> Citation:
    place = {"start": citation.start + by, "end": citation.end + by, "trace_id": trace_id}
    return citation.model_copy(update=place)


def _line(step: StepReply, reply: Reply) -> StepLine:
    return StepLine(
        id=step.id, trace_id=reply.trace_id, outcome=reply.outcome, plan=reply.plan, row_count=reply.row_count
    )
