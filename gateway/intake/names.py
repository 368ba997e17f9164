"""Which of its meanings a name has where it stands; where nothing decides, the asker is asked."""

from collections.abc import Sequence

from gateway.intake.pieces import Piece
from gateway.intake.prepared import Meaning
from gateway.intake.said import Said


def choose(items: Sequence[Piece], place: int, governing: str, said: Said) -> Meaning | None:
    """Return the meaning of the name at a place, or None after its problem was noted in `said`."""
    piece = items[place]
    unsupported, ambiguous = piece.of("unsupported"), piece.of("ambiguous")
    metrics, dimensions, values = piece.of("metric"), piece.of("dimension"), piece.of("value")
    if piece.code == "doubtful":
        return _asked(said, "ambiguous_value", piece, values)
    if unsupported and not (metrics or dimensions or values or ambiguous):
        said.abstain("unsupported", unsupported[0].name)
        return None
    if dimensions and governing in ("by", "rank", "which", "order", "drop", "instead_of"):
        return dimensions[0] if len(dimensions) == 1 else _asked(said, "ambiguous_value", piece, dimensions)
    if metrics or ambiguous:
        chosen = _metric(items, place, governing, said)
        if chosen is not None or not (values or dimensions):
            return chosen
        if any(problem.term == piece.text for problem in said.problems):
            return None
    return _value(items, place, governing, said, dimensions, values)


def _metric(items: Sequence[Piece], place: int, governing: str, said: Said) -> Meaning | None:
    """Return the metric, or None where the name is rather a value or nothing decides."""
    piece = items[place]
    metrics, ambiguous, values = piece.of("metric"), piece.of("ambiguous"), piece.of("value")
    others = any(other is not piece and other.of("metric") and not other.of("value") for other in items)
    if values and others:
        if governing not in ("in", "not"):
            _asked(said, "ambiguous_value", piece, (*metrics, *values))
        return None
    if (
        ambiguous
        and not metrics
        and governing in ("in", "not")
        and others
        and place
        and (items[place - 1].of("value") or items[place - 1].kind == "unknown")
    ):
        return None  # "orders from enterprise customers": the word only says what the value is of
    if ambiguous or len(metrics) > 1:
        options = tuple(
            dict.fromkeys((*(o for m in ambiguous for o in m.options), *(m.name for m in metrics)))
        )
        measured = bool(metrics) or all(":" not in option for option in options)
        said.ask("ambiguous_metric" if measured else "ambiguous_value", piece.text, options)
        return None
    return metrics[0]


def _value(
    items: Sequence[Piece],
    place: int,
    governing: str,
    said: Said,
    dimensions: tuple[Meaning, ...],
    values: tuple[Meaning, ...],
) -> Meaning | None:
    piece = items[place]
    beside = {
        meaning.name
        for near in (*items[max(place - 1, 0) : place], *items[place + 1 : place + 2])
        for meaning in near.of("dimension")
        if not near.of("value")
    }
    named = tuple(value for value in values if value.dimension in beside)
    if len(named) == 1:
        return named[0]
    if dimensions and values and governing != "not":
        before = items[place - 1] if place else None
        if before is not None and before.code == "all":
            return dimensions[0]
        return _asked(said, "ambiguous_value", piece, (*dimensions, *values))
    if len({value.dimension for value in values}) > 1 or len(values) > 1:
        return _asked(said, "ambiguous_value", piece, values)
    return values[0] if values else dimensions[0]


def _asked(said: Said, reason: str, piece: Piece, meanings: Sequence[Meaning]) -> Meaning | None:
    """Note that nothing decides between meanings; there is none to return."""
    said.ask(
        reason,
        piece.text,
        dict.fromkeys(f"by {m.name}" if m.kind == "dimension" else m.code for m in meanings),
    )
    return None
