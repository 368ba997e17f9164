"""What unexplained words seem to be: a metric, a dimension or a value that is not there, or one misspelt."""

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from gateway.ground.lexing.lexicon import words
from gateway.intake.outcome import Problem
from gateway.intake.pieces import Piece
from gateway.intake.prepared import Meaning, Prepared
from gateway.intake.said import Said, Stranger
from metric_layer.known import metric_visible
from metric_layer.visible import Visible
from metric_layer.vocabulary import near_terms

TIME_WORDS = sorted(
    words(
        "january february march april may june july august september october november december yesterday "
        "today week month quarter year monday tuesday wednesday thursday friday saturday sunday weekly "
        "monthly quarterly"
    )
)
ASKS_METRIC = frozenset(("versus", "order"))
RANKS = frozenset(("rank", "which"))


def judge_strangers(
    said: Said, items: Sequence[Piece], prepared: Prepared, visible: Visible, *, follows: bool
) -> None:
    """Note a problem for each stretch of unexplained words."""
    known = said.has_metric or follows
    for stranger in said.strangers:
        piece = items[stranger.place]
        close = _close(said, piece, prepared, visible)
        kind = _kind(said, items, stranger, known=known)
        if kind == "value" and close:
            kind = _by_name(close[0], governing=stranger.governing)
        elif kind == "metric" and known and stranger.governing not in ASKS_METRIC:
            whole = prepared.near(piece.text, visible)
            kind = "value" if whole and whole[0].kind == "value" else kind
        if kind == "metric" and _is_behind(items, stranger.place):
            said.problems = [each for each in said.problems if each.reason != "ambiguous_metric"]
        _tell(said, piece, kind, close)
    if said.strangers and not said.has_metric:  # told is what is unknown, not how to split beside it
        said.problems = [each for each in said.problems if not _splits_only(each)]


def with_near(problem: Problem, prepared: Prepared, visible: Visible) -> Problem:
    """Return an unknown metric with the metrics whose names are close, as far as the asker may see them."""
    if problem.reason != "unknown_metric" or problem.near:
        return problem
    shown = [m for m in prepared.layer.metrics.values() if metric_visible(prepared.layer, m.name, visible)]
    terms = {term: m.name for m in shown for term in (*m.synonyms, m.label, m.name) if term}
    return problem.model_copy(update={"near": near_terms(problem.term, terms)})


def _splits_only(problem: Problem) -> bool:
    """Tell whether a question back offers one dimension to split by and nothing else."""
    alone = problem.reason == "ambiguous_value" and len(problem.options) == 1
    return alone and problem.options[0].startswith("by ")


def _tell(said: Said, piece: Piece, kind: str, close: tuple[Meaning, ...]) -> None:
    """Note the problem; a value or a word for time that is nearly one is asked about."""
    values = tuple(m.code for m in close if m.kind == "value")
    times = _misspelt_time(piece)
    if kind == "value" and values:
        said.ask("unknown_value", piece.text, values)
    elif kind == "value" and not close and times:
        said.ask("vague_time", piece.text, times)
    else:
        said.abstain(f"unknown_{kind}", piece.text, dict.fromkeys(m.code for m in close))


def _is_behind(items: Sequence[Piece], place: int) -> bool:
    """Tell whether the words stand right behind a word for several metrics: "sales tax" is none of them."""
    before = items[place - 1] if place else None
    return before is not None and bool(before.of("ambiguous")) and before.after == items[place].first


def _by_name(closest: Meaning, *, governing: str) -> str:
    """A misspelt name is what it nearly is, unless it stands where only a value may."""
    if closest.kind in ("metric", "ambiguous") and governing not in ("in", "not"):
        return "metric"
    return "dimension" if closest.kind == "dimension" else "value"


def _kind(said: Said, items: Sequence[Piece], stranger: Stranger, *, known: bool) -> str:
    """Return metric, dimension or value, by the operator and the pieces beside the words."""
    place, governing = stranger.place, stranger.governing
    before, after = _next(items, place, -1), _next(items, place, 1)
    piece = items[place]
    if governing == "by" and piece.kind == "unknown":
        ranked = said.ranked and "rank_target" in said.flags and not said.order_metrics
        return "metric" if ranked else "dimension"
    if governing in RANKS and piece.kind == "unknown":
        return "dimension" if known and before is not None and before.kind != "name" else "metric"
    led_on = [each.code for each in items[place + 1 : place + 3]]
    if led_on[:1] == ["level"] or led_on in (["in", "top"], ["in", "bottom"]):
        return "dimension"
    of = governing == "in" and before is not None and before.text.lower() == "of" and not known
    if governing in ASKS_METRIC or of or ("same" in said.flags and governing == "in"):
        return "metric"
    if governing in ("in", "not") or _beside_dimension(before, after):
        return "value"
    if not known:
        return "value" if "perform" in said.flags and "generic" not in said.flags else "metric"
    return _at_metric(items, place, before, after)


def _beside_dimension(before: Piece | None, after: Piece | None) -> bool:
    return any(piece is not None and piece.of("dimension") for piece in (before, after))


def _at_metric(items: Sequence[Piece], place: int, before: Piece | None, after: Piece | None) -> str:
    """Words right behind a metric, or joined to one by "and", would have been another metric."""
    direct = place > 0 and items[place - 1].of("metric", "ambiguous")
    if direct:
        return "metric"
    for piece, step in ((before, -2), (after, 2)):
        if piece is not None and piece.code == "and":
            beyond = items[place + step] if 0 <= place + step < len(items) else None
            if beyond is not None and beyond.of("metric", "ambiguous"):
                return "metric"
    return "value"


def _next(items: Sequence[Piece], place: int, step: int) -> Piece | None:
    place += step
    while 0 <= place < len(items) and items[place].kind == "sign":
        place += step
    return items[place] if 0 <= place < len(items) else None


def _close(said: Said, piece: Piece, prepared: Prepared, visible: Visible) -> tuple[Meaning, ...]:
    """Return what the words nearly are, alone or with a word beside them ("average baskt")."""
    cut = said.laid.tokens
    first, after = piece.first, piece.after
    ways = (
        (first, after),
        (first - 1, after),
        (first, after + 1),
        (first - 2, after),
        (first - 1, after + 1),
    )
    for start, end in ways:
        if start >= 0 and end <= len(cut) and not any(token.is_sign for token in cut[start:end]):
            found = prepared.near(said.laid.text[cut[start].start : cut[end - 1].end], visible)
            if found:
                return found
    singles = [prepared.near(token.text, visible) for token in cut[first:after]] if after - first > 1 else []
    return next((found for found in singles if found), ())


def _misspelt_time(piece: Piece) -> tuple[str, ...]:
    """Return the words for time that a word is one or two slips away from."""
    word = piece.text.lower()
    slips = 0 if len(word) < 4 else 1 if len(word) < 7 else 2
    return tuple(time for time in TIME_WORDS if slips and OSA.distance(word, time) <= slips)
