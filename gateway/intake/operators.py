"""What each operator does to a reading: it governs what follows, marks the question, or is in the way."""

from gateway.ground.lexing.lexicon import words
from gateway.intake.pieces import Piece
from gateway.intake.walk import TAKES_AWAY, Walk

GOVERNS = frozenset(("by", "not", "versus", "order", "drop", "instead_of"))
HOLDS = frozenset(("not", "versus", "drop", "instead_of", "compare"))
MARKS = frozenset(
    (
        "instead",
        "add",
        "overall",
        "same",
        "about",
        "generic",
        "perform",
        "compare",
        "separately",
        "everywhere",
    )
)
JUDGED = words("best worst strongest weakest poorest leading")
INCLUDES = frozenset(("add", "include", "including"))
LEADS_PERIOD = frozenset(
    ("during", "during the", "since", "current", "over the course of", "in the course of")
)
TIMED = words("longest shortest slowest fastest quickest")
SUPERLATIVES = frozenset(("top", "bottom"))


def operate(walk: Walk, place: int, piece: Piece) -> None:
    """Take an operator into a reading."""
    head, _, tail = piece.code.partition(":")
    if head == "grain":
        _grain(walk, place, piece, tail)
    elif head == "unit":
        _unit(walk, place, piece, tail)
    elif head == "in":
        _leads_in(walk, place)
    elif head in GOVERNS:
        walk.ask_waiting()
        walk.waiting = piece
        walk.governing = head
        walk.excluded = "" if head == "not" else walk.excluded
    elif head in ("which", "sorting", "descending", "ascending", *SUPERLATIVES):
        _ranks(walk, piece)
    elif head in MARKS:
        walk.said.flags.add(head)
        walk.governing = "add" if piece.text.lower() in INCLUDES else walk.governing
    elif head == "but":
        _but(walk, place, piece)
    elif head in ("time_lead", "time_next"):
        _time_word(walk, place, piece)
    else:
        _rest(walk, place, piece)


def _grain(walk: Walk, place: int, piece: Piece, name: str) -> None:
    if walk.governing in TAKES_AWAY:
        walk.take_away(place, f"grain:{name}")
        return
    walk.grain(piece, name)
    walk.governing = "by"


def _unit(walk: Walk, place: int, piece: Piece, name: str) -> None:
    """A bare unit splits by time behind "by", is ranked behind "top", and is vague elsewhere."""
    before = walk.beside(place, -1)
    if walk.governing == "by":
        walk.grain(piece, name)
    elif walk.governing in ("rank", "which") or (before is not None and before.kind == "number"):
        walk.grain(piece, name)
        walk.rank(piece)
    elif walk.governing in TAKES_AWAY:
        walk.take_away(place, f"grain:{name}")
    else:
        walk.said.ask("vague_time", piece.text)


def _leads_in(walk: Walk, place: int) -> None:
    """ "In" and "for" lead a value in, unless they only follow another operator: "except in", "top 5 of"."""
    before = walk.beside(place, -1)
    if walk.waiting is not None and walk.waiting.code in ("by", "order"):
        walk.ask_waiting()
    held = before is not None and before.code in HOLDS and walk.governing in HOLDS
    held = held or (walk.waiting is not None and walk.waiting.code in HOLDS)  # "except those from the web"
    counted = before is not None and (before.kind == "number" or before.code in SUPERLATIVES)
    asked = before is not None and before.code == "which"
    if not held and not asked and not (counted and walk.governing == "rank"):
        walk.governing = "in"


def _ranks(walk: Walk, piece: Piece) -> None:
    said, code = walk.said, piece.code
    if code in ("descending", "ascending"):
        said.direction = "desc" if code == "descending" else "asc"
        return
    walk.governing = "which" if code == "which" else "rank"
    if code == "sorting":
        said.flags.add("sorting")
    if code in SUPERLATIVES:
        direction = "desc" if code == "top" else "asc"
        if piece.text.lower().split()[0] in JUDGED:
            said.flags.add("judged")
        if piece.text.lower() in TIMED:
            said.flags.add("timed")
        if said.ranked and said.direction not in ("", direction):
            said.ask("ambiguous_value", "order", ("desc", "asc"))
        said.direction = direction
        said.ranked = True


def _but(walk: Walk, place: int, piece: Piece) -> None:
    """ "All districts but the South" leaves out; at the start it leads on; before another value it asks."""
    before, after = walk.touching(place, -1), walk.touching(place, 1)
    named = after is not None and bool(after.of("value"))
    if before is None:
        walk.said.flags.add("about")
    elif named and before.of("dimension") and walk.touching(place, -2) is not None:
        walk.governing = "not" if walk.code_beside(place - 1, -1) in ("all", "by") else walk.governing
        if walk.governing != "not":
            walk.said.ask("ambiguous_value", f"{piece.text} {after.text if after else ''}")
    elif named and before.kind != "sign":
        walk.said.ask("ambiguous_value", f"{piece.text} {after.text if after else ''}")


def _time_word(walk: Walk, place: int, piece: Piece) -> None:
    """ "Last" and "during" belong to a period; beside other words they name no days."""
    after = walk.beside(place, 1)
    if after is not None and after.kind == "period" and piece.text.lower() in LEADS_PERIOD:
        return
    told = f"{piece.text} {after.text}" if after is not None and after.kind == "unknown" else piece.text
    if piece.code == "time_next":
        walk.said.abstain("future_window", told)
    else:
        walk.said.ask("vague_time", told)


def _rest(walk: Walk, place: int, piece: Piece) -> None:
    said, after, text = walk.said, walk.beside(place, 1), piece.text
    if piece.code == "modifier":
        _modifies(walk, place, piece)
    elif piece.code == "threshold":
        said.abstain("unknown_value", text)
    elif piece.code == "between":
        _between(walk, after, text)
    elif piece.code == "movement":
        said.movement = text
    elif piece.code in ("number_of", "amount_of"):
        said.flags.add(f"{piece.code}:{text}")
    elif piece.code == "level":
        _level(walk, place)
    elif piece.code == "all" and after is not None and after.of("dimension"):
        said.everything.append(after.of("dimension")[0].name)


def _modifies(walk: Walk, place: int, piece: Piece) -> None:
    """An average or a share of a metric is another metric, and so is "sales growth"."""
    before, after = walk.touching(place, -1), walk.beside(place, 1)
    if before is not None and before.of("ambiguous") and before.after == piece.first:
        walk.said.problems = [each for each in walk.said.problems if each.reason != "ambiguous_metric"]
        walk.said.abstain("unknown_metric", f"{before.text} {piece.text}")
        return
    told = after.text if after is not None and after.kind in ("name", "unknown") else ""
    walk.said.abstain("unknown_metric", f"{piece.text} {told}".strip())


def _between(walk: Walk, after: Piece | None, text: str) -> None:
    """ "Between" leads in a range of time, or values to be told apart; between figures it is a condition."""
    if after is not None and after.of("value"):
        walk.governing = "in"
        walk.said.flags.add("separately")
    elif (after is None or after.kind != "period") and "compare" not in walk.said.flags:
        walk.said.abstain("unknown_value", text)


def _level(walk: Walk, place: int) -> None:
    """ "Store level" and "district breakdown" split by the dimension before them."""
    before = walk.beside(place, -1)
    dimensions = before.of("dimension") if before is not None else ()
    if before is not None and dimensions and walk.governing not in TAKES_AWAY:
        walk.split(dimensions[0].name, before)
