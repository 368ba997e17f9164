"""What happened to a line that does not follow from the line before it."""

from collections.abc import Sequence
from typing import Literal

from traces.frame import ChainKey, Line, follows, link, read_line

DamageKind = Literal[
    "flipped",
    "removed",
    "missing",
    "swapped",
    "inserted",
    "cut_tail",
    "spliced",
    "rewritten",
    "repeated",
    "withdrawn",
    "other_key",
    "forged",
]

SAID: dict[DamageKind, str] = {
    "flipped": "its bytes are not the ones that were written",
    "removed": "the record that belongs here is gone",
    "missing": "a whole segment is gone, and no checkpoint and record of its deletion account for it",
    "swapped": "records stand in another order than they were written in",
    "inserted": "a record stands here that was never written here",
    "cut_tail": "the log ends before a record that a receipt or a checkpoint was given for",
    "spliced": "the segment belongs to another place or to another log",
    "rewritten": "the log is whole, but it is not the one that a receipt or a checkpoint was given for",
    "repeated": "a question is opened or closed a second time, or goes on after its close",
    "other_key": "the segment was linked with another key: nobody can verify it without the key it names",
    "forged": "the checkpoint is not one that a key of this project signed",
    "withdrawn": "a failed sync is said to undo more than it can, or a question it undid is not there again",
}


def classify(
    lines: Sequence[bytes], at: int, expected: int, head: str, before: str | None, key: ChainKey
) -> tuple[DamageKind, int]:
    """Return what happened at line `at` of a segment, and how many lines earlier it happened (0 or 1).

    `expected` is the number that belongs there and `head` the chain hash so far; `before` is the chain hash
    one record earlier, or None at the start of a segment.
    """
    line = read_line(lines[at])
    following = read_line(lines[at + 1]) if at + 1 < len(lines) else None
    if line is not None and line.hash == link(head, line.body, key):
        return "flipped", 0
    if following is not None and following.hash == link(head, following.body, key):
        changed_places = line is not None and line.hash == link(following.hash, line.body, key)
        return ("swapped" if changed_places else "inserted"), 0
    if line is None:
        return "flipped", 0
    if before is not None and follows(line, expected - 1, before, key):
        return "inserted", 1
    if _stands_later(lines[at + 1 :], head, key):
        return "swapped", 0
    return _by_number(line, expected), 0


def _by_number(line: Line, expected: int) -> DamageKind:
    if line.seq > expected:
        return "removed"
    return "inserted" if line.seq < expected else "flipped"


def _stands_later(lines: Sequence[bytes], head: str, key: ChainKey) -> bool:
    parsed = (read_line(raw) for raw in lines)
    return any(line is not None and line.hash == link(head, line.body, key) for line in parsed)
