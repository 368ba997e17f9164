"""Near names: which known words a misspelt one may have meant."""

from collections.abc import Iterable, Mapping

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

MIN_SCORE = 62.0
A_SLIP, BEHIND = 0.8, 0.2
"""A term this alike is the word misspelt; others count beside it only where they are nearly as alike."""


def near(word: str, names: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Return the known names closest to a word, best first; empty when none is close."""
    return near_terms(word, {name: name for name in names}, limit)


def near_terms(word: str, terms: Mapping[str, str], limit: int = 3) -> tuple[str, ...]:
    """Return the governed names whose term (a name, a label, a synonym) is closest to a word, best first."""
    wanted = folded(word)
    by_fold: dict[str, str] = {}
    for term, name in sorted(terms.items()):
        by_fold.setdefault(folded(term), name)
    found = process.extract(wanted, list(by_fold), scorer=fuzz.WRatio, score_cutoff=MIN_SCORE, limit=None)
    alike = ((OSA.normalized_similarity(wanted, term), score, term) for term, score, _ in found)
    ranked = sorted(alike, key=lambda hit: (-hit[0], -hit[1], hit[2]))
    least = ranked[0][0] - BEHIND if ranked and ranked[0][0] >= A_SLIP else 0.0
    return tuple(dict.fromkeys(by_fold[term] for near, _, term in ranked if near >= least))[:limit]


def folded(word: str) -> str:
    """Return a word as names are compared: case and separators do not count."""
    return " ".join(word.casefold().replace("_", " ").replace("-", " ").replace(".", " ").split())
