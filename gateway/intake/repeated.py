"""Words that only say again what a name beside them says: "enterprise customers", "claims were filed"."""

import re
from collections.abc import Iterable

from gateway.ground.lexing.lexicon import words
from gateway.intake.pieces import Piece
from gateway.intake.prepared import Prepared
from gateway.intake.said import Stranger
from gateway.intake.tokens import tokens
from gateway.intake.walk import Walk

LEADS_VERB = words("we they you i is are was were been be did do does get got being")
ENDINGS = re.compile(r"(?:[a-z]?(?:ed|ing)|e[ds]|d|s|y|ies|e|ment|ments)?")
SHORTEST_STEM = 4


def says_again(walk: Walk, stranger: Stranger) -> bool:
    """Tell whether an unexplained word adds nothing to a name that the question holds already.

    Behind a value, a word of that value's or its dimension's own names ("key accounts" makes "corporate
    accounts" the same); behind "did we" or "were", the verb of the one metric that was asked for.
    """
    piece = walk.items[stranger.place]
    if piece.after != piece.first + 1 or piece.kind != "unknown":
        return False
    word = walk.laid.tokens[piece.first].fold
    return _of_value(walk, stranger.place, piece, word) or _verb_of_metric(walk, piece, word)


def _of_value(walk: Walk, place: int, piece: Piece, word: str) -> bool:
    before = walk.touching(place, -1)
    meaning = walk.chosen.get(place - 1)
    if before is None or meaning is None or meaning.kind != "value" or before.after != piece.first:
        return False
    joined = walk.touching(place - 1, -1)
    if joined is not None and joined.code == "and" and _is_metric(walk.touching(place - 2, -1)):
        return False  # "orders and enterprise customers" may ask for two figures
    return word in _own(walk.words, meaning.dimension, meaning.name)


def _is_metric(piece: Piece | None) -> bool:
    return piece is not None and bool(piece.of("metric", "ambiguous"))


def _own(prepared: Prepared, dimension: str, value: str) -> frozenset[str]:
    """Return the words of the names of a dimension and of one of its values."""
    known = prepared.layer.dimensions[dimension]
    values = (each for each in known.values if each.value == value)
    said = (text for each in values for text in (each.value, each.label, *each.synonyms))
    return _folds((*said, known.name, known.label, *known.synonyms))


def _verb_of_metric(walk: Walk, piece: Piece, word: str) -> bool:
    led = piece.first > 0 and walk.laid.tokens[piece.first - 1].low in LEADS_VERB
    if not led or len(walk.said.metrics) != 1 or walk.said.problems:
        return False
    metric = walk.words.layer.metrics[walk.said.metrics[0]]
    return any(_is_form(word, other) for other in _folds((metric.name, metric.label, *metric.synonyms)))


def _is_form(one: str, other: str) -> bool:
    """Tell whether two words are forms of one: "ship" and "shipped", "deliver" and "delivery"."""
    common = 0
    while common < min(len(one), len(other)) and one[common] == other[common]:
        common += 1
    ends = one[common:], other[common:]
    return common >= SHORTEST_STEM and all(ENDINGS.fullmatch(end) is not None for end in ends)


def _folds(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(token.fold for text in texts for token in tokens(text.replace("_", " ")))
