"""The role of a name where it stands: a metric asked for, a dimension to split by, a value to keep."""

from gateway.ground.lexing.lexicon import words
from gateway.intake.names import choose
from gateway.intake.pieces import Piece
from gateway.intake.prepared import Meaning
from gateway.intake.said import Kept
from gateway.intake.tokens import tokens
from gateway.intake.walk import TAKES_AWAY, Walk

ORDERS = frozenset(("order", "top", "bottom", "ascending", "descending"))
DIRECTIONS = frozenset(("ascending", "descending"))
TOTALS = frozenset(("total", "sum", "sum of", "grand total", "aggregate"))
AVERAGES = words("average avg mean median")
JOINS_METRIC = frozenset(("with", "with the", "where"))


def take_name(walk: Walk, place: int, piece: Piece) -> None:
    """Take a name into a reading, in the role that its operator gives it."""
    before = walk.touching(place, -1)
    if walk.governing in TAKES_AWAY and before is not None and before.kind == "name":
        walk.governing = ""  # "instead of enterprise small business" takes one name away
    meaning = choose(walk.items, place, walk.governing, walk.said)
    if meaning is None:
        return
    walk.chosen[place] = meaning
    if walk.governing in TAKES_AWAY:
        walk.take_away(place, meaning.dimension or meaning.name)
    elif meaning.kind == "metric":
        _metric(walk, place, piece, meaning.name)
    elif meaning.kind == "dimension":
        _dimension(walk, place, piece, meaning.name)
    else:
        keep(walk, place, piece, meaning)


def _metric(walk: Walk, place: int, piece: Piece, name: str) -> None:
    """A metric behind "of", "except" or "per" would be a part of another metric, so it is not just added."""
    said, behind = walk.said, walk.code_beside(place, -1)
    ranking = said.ranked or said.limit > 0 or bool(said.flags & {"rank_target", "sorting"})
    ranking = ranking or _is_sorted_later(walk, place)
    if walk.governing == "in" and said.metrics and walk.lead(place) not in JOINS_METRIC:
        said.ask("ambiguous_metric", piece.text, (*said.metrics, name))
    elif walk.governing == "not" and behind in ("not", "and", "in"):
        said.abstain("unknown_value", piece.text)
    elif behind == "versus" and not said.metrics:
        said.ask("ambiguous_value", f"{walk.lead(place)} {piece.text}".strip())
    elif behind == "by" and not ranking and not ("compare" in said.flags and not said.metrics):
        said.abstain("unknown_metric", f"{walk.lead(place)} {piece.text}")
    elif walk.governing == "add" and said.metrics:
        said.flags.add("included")
    if walk.governing in ("order", "rank") or (walk.governing == "by" and ranking):
        said.order_metrics.append(name)
    if name not in said.metrics:
        said.metrics.append(name)
        _totalled(walk, place, piece, name)
    said.explain(piece, "metric", name)
    walk.governing = ""


def _totalled(walk: Walk, place: int, piece: Piece, name: str) -> None:
    """The total of an average is another figure: "total wait time" is not the average wait."""
    before, metric = walk.touching(place, -1), walk.words.layer.metrics[name]
    said = {token.fold for text in (metric.name.replace("_", " "), metric.label) for token in tokens(text)}
    if before is not None and before.text.lower() in TOTALS and said & AVERAGES:
        walk.said.abstain("unknown_metric", f"{before.text} {piece.text}")


def _dimension(walk: Walk, place: int, piece: Piece, name: str) -> None:
    said = walk.said
    if walk.governing == "order":
        said.order_dimension = name
        said.explain(piece, "dimension", name)
    elif walk.governing in ("rank", "which") or _is_ranked_behind(walk, place):
        walk.split(name, piece)
        walk.rank(piece)
    elif _is_all(walk, place) or _labels(walk, place, name):
        said.explain(piece, "dimension", name)
    elif walk.governing == "by" or _is_split(walk, place):
        walk.split(name, piece)
    else:
        said.ask("ambiguous_value", piece.text, (f"by {name}",))


def _is_all(walk: Walk, place: int) -> bool:
    return walk.code_beside(place, -1) == "all" and not _has_figures(walk, place)


def _has_figures(walk: Walk, place: int) -> bool:
    """Tell whether "with" and a metric follow: "all branches with openings" lists the branches."""
    with_, figure = walk.beside(place, 1), walk.beside(place + 1, 1)
    led = with_ is not None and with_.text.lower() in JOINS_METRIC
    return led and figure is not None and bool(figure.of("metric"))


def _is_split(walk: Walk, place: int) -> bool:
    """Tell whether a dimension stands behind "add" (not "include") or "compare", or right at a metric."""
    before = walk.touching(place, -1)
    if walk.code_beside(place, 1) == "level" or walk.code_beside(place, -1) == "compare":
        return True
    if _has_figures(walk, place):
        return True
    added = walk.governing == "add" and before is not None and before.text.lower() == "add"
    return added or _is_at_metric(walk, place)


def _is_ranked_behind(walk: Walk, place: int) -> bool:
    """Tell whether a superlative or an order follows: "countries with the most orders"."""
    near = [each for each in walk.items[place + 1 : place + 3] if each.kind != "sign"]
    codes = [each.code for each in near]
    if codes[:1] == ["by"] and near[-1].of("metric"):
        return _is_sorted_later(walk, place)
    if codes[:1] == ["in"]:
        codes = codes[1:]
    return bool(codes) and codes[0] in ORDERS


def _is_sorted_later(walk: Walk, place: int) -> bool:
    """Tell whether the question ends with a direction: "regions by sales, highest first"."""
    return any(each.code in DIRECTIONS for each in walk.items[place + 1 :])


def _labels(walk: Walk, place: int, name: str) -> bool:
    """Tell whether a dimension's word only says what kind of thing the value beside it is."""
    before, after = walk.beside(place, -1), walk.beside(place, 1)
    if _is_value_of(before, name):
        taken = max((n for n in walk.chosen if n < place), default=-1)
        return taken >= 0 and walk.chosen[taken].kind == "value"
    strange = any(near is not None and near.kind == "unknown" for near in (before, after))
    if walk.governing in ("in", "not") and strange:
        return True
    if after is not None and after.text.lower() == "of" and _is_value_of(walk.beside(place + 1, 1), name):
        return True
    direct = walk.touching(place, -1)
    led = direct is not None and (direct.code == "by" or (direct.code == "and" and walk.governing == "by"))
    return not led and _is_value_of(after, name)


def _is_value_of(piece: Piece | None, dimension: str) -> bool:
    return piece is not None and any(m.dimension == dimension for m in piece.of("value"))


def _is_at_metric(walk: Walk, place: int) -> bool:
    """Tell whether a dimension stands right at a metric: "district net sales"."""
    piece, before, after = walk.items[place], walk.touching(place, -1), walk.touching(place, 1)
    if walk.governing not in ("", "in") or piece.of("value"):
        return False
    behind = before is not None and before.after == piece.first and bool(before.of("metric"))
    return behind or (after is not None and piece.after == after.first and bool(after.of("metric")))


def keep(walk: Walk, place: int, piece: Piece, meaning: Meaning) -> None:
    """Keep rows with a value, or without it behind "except"."""
    said, governing = walk.said, walk.governing
    negated = governing == "not"
    if negated:
        _exclude(walk, place, piece, meaning)
    touching = walk.touching(place, -1) if place not in walk.after_verb else None
    if touching is not None and _is_value_of(touching, meaning.dimension):
        said.ask("ambiguous_value", f"{touching.text} {piece.text}", (meaning.code,))
    if governing == "add":
        said.flags.add("included")
    elif governing == "by":
        said.flags.add("each")
    elif governing == "versus":
        if not any(each.dimension == meaning.dimension for each in said.kept):
            said.ask("ambiguous_value", piece.text, (meaning.code,))
        said.flags.add("separately")
    if governing in ("versus", "which", "rank"):
        walk.governing = ""
    said.kept.append(Kept(meaning.dimension, meaning.name, negated))
    said.explain(piece, "value", meaning.code)


def _exclude(walk: Walk, place: int, piece: Piece, meaning: Meaning) -> None:
    """ "Except the South, dairy" may keep dairy: another dimension's value is left out only behind "and"."""
    other = walk.excluded not in ("", meaning.dimension)
    before = walk.touching(place, -1)
    if other and (before is None or before.code not in ("and", "not")):
        walk.said.ask("ambiguous_value", piece.text, (f"not {meaning.code}", meaning.code))
    walk.excluded = meaning.dimension
