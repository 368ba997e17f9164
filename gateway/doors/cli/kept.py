"""Takes apart what verbs over traces are given: receipts that were kept, and what to replay against."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from pydantic import ValidationError

from gateway.doors.arguments import pydantic_errors
from gateway.doors.cli.input import read_text
from gateway.doors.json_input import BadInput, read_json
from gateway.replay.sample import Choice
from metric_layer.issues import Issue
from metric_layer.vocabulary import near
from traces.records import Receipt

AGAINST = ("layer", "policy", "model", "prompt")
SIGNATURE = "\u2014 "
"""What a line of a signed note begins with that is a signature."""


def split_against(given: str) -> tuple[str, str]:
    """Return `K=PATH` as a pair. Raises BadInput for an unknown K."""
    key, _, path = given.partition("=")
    if key not in AGAINST or not path:
        raise BadInput(
            Issue(
                code="bad_against",
                message=f"{given!r} does not say what to replay against.",
                seen=given,
                candidates=near(key, AGAINST),
                next_step="Write layer=DIR, policy=FILE, policy=DIR, model=NAME or prompt=FILE.",
            )
        )
    return key, path


def one_or_many(trace_id: str, sample: int | None, since: datetime | None) -> Choice | None:
    """Return which questions to replay, or None for the one that is named. Raises BadInput."""
    many = sample is not None or since is not None
    if bool(trace_id) == many:
        what = "Both a trace and a sample are named." if many else "No trace is named, and no sample."
        raise BadInput(
            Issue(
                code="bad_replay",
                message=what,
                seen=trace_id,
                next_step="Name one trace, or write --sample N, --since DAY, or both of these.",
            )
        )
    if not many:
        return None
    began = since.replace(tzinfo=UTC) if since else None
    return Choice(since=began) if sample is None else Choice(sample, began)


def read_receipts(file: str) -> list[Receipt]:
    """Return the receipts in a file: of one reply, of a JSON list, or of one line each. Raises BadInput."""
    text = read_text(file)
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(line.startswith("{") and line.rstrip().endswith("}") for line in lines):
        found = [read_json(line, f"{file}:{number}") for number, line in enumerate(lines, 1)]
    else:
        whole = read_json(text, file)
        found = whole if isinstance(whole, list) else [whole]
    return [_receipt(each, file) for each in found]


def read_notes(files: Iterable[str]) -> dict[str, str]:
    """Return signed notes by their place; a file may hold several, one after the other. Raises BadInput."""
    return {
        f"{file}, note {number}": note
        for file in files
        for number, note in enumerate(_notes(read_text(file)), 1)
    }


def _notes(text: str) -> list[str]:
    """Split a text after each block of signature lines; what is no note stays as it is, to be refused."""
    notes, signed = [""], False
    for line in text.splitlines(keepends=True):
        signature = line.startswith(SIGNATURE)
        if signed and not signature:
            notes.append("")
            signed = False
        if line.strip() or notes[-1]:
            notes[-1] += line
        signed = signed or signature
    return [note for note in notes if note]


def _receipt(found: object, file: str) -> Receipt:
    if isinstance(found, Mapping) and "receipt" in found:
        found = found["receipt"]
    try:
        return Receipt.model_validate(found)
    except ValidationError as fault:
        seen = ", ".join(str(error["loc"][0]) for error in pydantic_errors(fault) if error["loc"])
        raise BadInput(
            Issue(
                code="bad_receipt",
                message="The file holds no receipt.",
                place=file,
                seen=seen,
                next_step="Save `receipt` of a reply, or the whole reply.",
            )
        ) from fault
