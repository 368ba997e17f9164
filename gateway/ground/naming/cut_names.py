"""Names with a year behind them, said without the words between ("Lund 2018" of Lund Indoor Open 2018)."""

import re
from collections.abc import Iterable, Iterator

DATED = re.compile(r"(?P<words>[^\W\d_].*\S)\s(?P<year>(?:19|20)\d\d)")
SHORTEST, LONGEST = 3, 8


def cut_names(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (name, its first words and its year) for all beginnings that no other name of the year shares."""
    told: dict[str, list[str]] = {}
    for name in names:
        dated = DATED.fullmatch(name)
        words = dated["words"].split() if dated else []
        if dated is None or len(words[0]) < SHORTEST or not words[0][0].isupper():
            continue
        for count in range(1, min(len(words), LONGEST)):
            told.setdefault(f"{' '.join(words[:count])} {dated['year']}", []).append(name)
    yield from ((alike[0], said) for said, alike in told.items() if len(alike) == 1)
