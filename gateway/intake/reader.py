"""Reads the pieces of a question from left to right: each gets its role from the operator that governs it."""

import re

from gateway.intake.operators import operate
from gateway.intake.pieces import Laid, Piece
from gateway.intake.prepared import Meaning, Prepared
from gateway.intake.roles import keep, take_name
from gateway.intake.said import Stranger
from gateway.intake.walk import TAKES_AWAY, Walk, start
from metric_layer.asked_periods import Phrase
from metric_layer.plan import MOST_ROWS

BEFORE = re.compile(r"(?:before|prior|earlier)\Z", re.IGNORECASE)
OBJECTS = ("unit:", "grain:", "top", "bottom")
STEPS = frozenset(("name", "period", "operator", "number", "unknown"))


def read(laid: Laid, words: Prepared) -> Walk:
    """Return a finished reading; what is unexplained is kept with its place."""
    walk = start(laid, words)
    for place, piece in enumerate(walk.items):
        if piece.kind not in STEPS:
            continue
        if place in walk.after_verb:
            walk.ask_waiting()
            if walk.governing in (*TAKES_AWAY, "not"):
                walk.governing = ""  # "remove enterprise and show small business"
        if piece.kind != "operator" or piece.code.startswith(OBJECTS):
            walk.meet(_kinds(piece))
        _step(walk, place, piece)
    walk.ask_waiting()
    return walk


def _kinds(piece: Piece) -> frozenset[str]:
    """Return what a piece may be as the object of an operator."""
    if piece.kind == "name":
        return frozenset(meaning.kind for meaning in piece.meanings)
    if piece.kind == "operator":
        return frozenset((piece.code.partition(":")[0],))
    return frozenset((piece.kind,))


def _step(walk: Walk, place: int, piece: Piece) -> None:
    if piece.kind == "name":
        take_name(walk, place, piece)
    elif piece.kind == "operator":
        operate(walk, place, piece)
    elif piece.period is not None:
        _period(walk, place, piece, piece.period)
    elif piece.kind == "number":
        _number(walk, place, piece)
    elif walk.code_beside(place, -1) not in ("time_lead", "time_next"):
        walk.said.strangers.append(Stranger(place, walk.governing))


def _period(walk: Walk, place: int, piece: Piece, phrase: Phrase) -> None:
    said = walk.said
    if _is_misled(walk, place, phrase):
        return
    if walk.governing in TAKES_AWAY:
        walk.take_away(place, "window")
    elif phrase.is_shift or walk.governing == "versus":
        if walk.governing == "versus":
            said.flags.add("versus")
        said.compared.append(phrase)
        said.explain(piece, "comparison", phrase.text)
    else:
        said.joined = said.joined or (bool(said.windows) and walk.code_beside(place, -1) == "and")
        said.windows.append(phrase)
        said.explain(piece, "period", phrase.text)
    walk.governing = ""


def _is_misled(walk: Walk, place: int, phrase: Phrase) -> bool:
    """Tell whether a period stands where none can: "per last month", "the month before October"."""
    before, after = walk.touching(place, -1), walk.touching(place, 1)
    if (
        phrase.is_shift
        and after is not None
        and after.kind in ("period", "name")
        and BEFORE.search(phrase.text)
    ):
        walk.said.ask("vague_time", f"{phrase.text} {after.text}")  # "the month before October"
        return True
    text = before.text.lower() if before is not None else ""
    if before is None or before.code != "by" or text.startswith("across"):
        return False
    if text == "each":
        walk.said.flags.add("separately")  # "Norway and Germany each last month"
        return False
    if phrase.fault == "vague_time":
        walk.said.abstain("unknown_dimension", phrase.text)
    else:
        walk.said.ask("vague_time", f"{before.text} {phrase.text}")
    return True


def _number(walk: Walk, place: int, piece: Piece) -> None:
    """A number is how many rows to show, or the number of a value: the 9 of "Store 7 and 9"."""
    said, after = walk.said, walk.beside(place, 1)
    named = after is not None and bool(after.of("dimension"))
    ahead = named or walk.code_beside(place, 1).startswith(("unit:", "top", "bottom"))
    counts = ahead or walk.code_beside(place, -1) in ("top", "bottom")
    if counts and not said.limit and piece.number <= MOST_ROWS:
        said.limit = piece.number
        said.explain(piece, "order", piece.text)
        if named and walk.governing != "by":
            walk.governing = "rank"
        return
    value = _counted_on(walk, piece)
    if value is not None:
        keep(walk, place, piece, value)
    else:
        said.strangers.append(Stranger(place, walk.governing))


def _counted_on(walk: Walk, piece: Piece) -> Meaning | None:
    """Return the value that a number carries on from the last one that follows a pattern."""
    patterned = [each for each in walk.items if each.by_pattern and each.after <= piece.first]
    if not patterned:
        return None
    last = patterned[-1].of("value")[0]
    between = [each for each in walk.items if patterned[-1].after <= each.first < piece.first]
    if not between or any(each.kind not in ("sign", "number") and each.code != "and" for each in between):
        return None
    text = re.sub(r"\d+", piece.text, last.name)
    pattern = dict(walk.words.patterns)[last.dimension]
    return Meaning("value", text, last.dimension) if pattern.fullmatch(text) else None
