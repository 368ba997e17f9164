"""Near names: which known words a misspelt one may have meant."""

from collections.abc import Iterable, Mapping

from rapidfuzz import fuzz, process

MIN_SCORE = 62.0


def near(word: str, names: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Return the known names closest to a word, best first; empty when none is close."""
    return near_terms(word, {name: name for name in names}, limit)


def near_terms(word: str, terms: Mapping[str, str], limit: int = 3) -> tuple[str, ...]:
    """Return the governed names whose term (a name, a label, a synonym) is closest to a word, best first."""
    wanted = folded(word)
    by_fold: dict[str, str] = {}
    for term, name in sorted(terms.items()):
        by_fold.setdefault(folded(term), name)
    found = process.extract(
        wanted, list(by_fold), scorer=fuzz.WRatio, score_cutoff=MIN_SCORE, limit=limit * 3
    )
    ranked = sorted(found, key=lambda hit: (-hit[1], hit[0]))
    return tuple(dict.fromkeys(by_fold[term] for term, _, _ in ranked))[:limit]


def folded(word: str) -> str:
    """Return a word as names are compared: case and separators do not count."""
    return " ".join(word.casefold().replace("_", " ").replace("-", " ").replace(".", " ").split())
