"""How readers say what a column header shortens or dates: "points" for Pts, "in 2013" for Passengers 2013."""

import re
from collections.abc import Iterable, Iterator, Mapping

from gateway.ground.lexicon import words

# Headers of result lists that no rule of spelling leads to.
SHORT: Mapping[str, frozenset[str]] = {
    "w": words("won win wins winning victory victories"),
    "wins": words("won winning victories"),
    "won": words("wins winning victories"),
    "l": words("lost lose losing loss losses defeat defeats"),
    "losses": words("lost losing defeats"),
    "lost": words("losses losing defeats"),
    "d": words("drew drawn drawing draw draws"),
    "drawn": words("drew drawing draw draws"),
    "t": words("tied tie ties drew drawn draw draws"),
    "p": words("played games matches appearances"),
    "pld": words("played games matches"),
    "mp": words("played games matches"),
    "gp": words("played games matches"),
    "g": words("goals games"),
    "gf": words("scored scoring goals for"),
    "f": words("scored scoring"),
    "pf": words("scored scoring"),
    "ga": words("conceded conceding allowed"),
    "a": words("conceded assists"),
    "pa": words("conceded allowed"),
    "gd": words("difference"),
    "diff": words("difference"),
    "+/-": words("difference"),
    "apps": words("appearances games matches caps appeared"),
    "caps": words("appearances"),
    "td": words("touchdown touchdowns"),
    "hr": words("homer homers"),
    "ppg": words("points"),
    "rpg": words("rebounds"),
    "apg": words("assists"),
    "population": words("inhabitants residents people"),
    "pop": words("inhabitants residents people population"),
    "attendance": words("spectators crowd fans people attended"),
    "viewers": words("watched viewership audience"),
    "gross": words("grossed grossing"),
    "enrollment": words("students pupils enrolled"),
    "enrolment": words("students pupils enrolled"),
    "capacity": words("seats seating"),
    "total": words("overall altogether medals"),
    "weight": words("weighs weighed weighing"),
    "highest": words("high peak"),
    "lowest": words("low"),
    "gt": words("ton tons tonnage"),
    "%": words("percent share"),
}
VOWELS = frozenset("aeiou")
TOKEN = re.compile(r"[^\W\d_]+\.?|%|\+\s?/\s?[-\u2212\u2013]")
BASE = re.compile(r"[\s(\[,\u2013\u2014:-]+\Z|\A[\s)\],\u2013\u2014:-]+")


def short_forms(labels: Mapping[int, str]) -> dict[str, frozenset[int]]:
    """Return the words of column labels that may shorten another word, with their columns."""
    found: dict[str, set[int]] = {}
    for column, label in labels.items():
        for token in TOKEN.findall(label):
            found.setdefault(token.lower(), set()).add(column)
    return {token.removesuffix("."): frozenset(columns) for token, columns in found.items() if _may(token)}


def _may(token: str) -> bool:
    return token in SHORT or token.endswith(".") or (3 <= len(token) <= 5)


def said_by(word: str, tokens: Mapping[str, frozenset[int]]) -> frozenset[int]:
    """Return the columns whose header shortens a word, those of one token only; empty for none or several."""
    listed = [columns for token, columns in tokens.items() if word in SHORT.get(token, ())]
    found = listed or [columns for token, columns in tokens.items() if _shortens(token, word)]
    return found[0] if len(found) == 1 else frozenset()


def _shortens(token: str, word: str) -> bool:
    """Tell whether a token is the start of a word, or its consonants ("apps", "pts")."""
    if len(token) < 3 or len(word) < len(token) + 2 or word[0] != token[0]:
        return False
    if word.startswith(token) or (len(token) > 3 and word.startswith(token.removesuffix("s"))):
        return True
    letters = iter(word)
    return not VOWELS.intersection(token) and all(letter in letters for letter in token)


def without_span(label: str, start: int, end: int) -> str:
    """Return a label without the period at `label[start:end]` and what joined the two."""
    left, right = label[:start], label[end:]
    return f"{_trim(left)} {_trim(right)}".strip()


def _trim(text: str) -> str:
    return BASE.sub("", BASE.sub("", text))


ORDINALS = {
    1: ("one", "first"), 2: ("two", "second"), 3: ("three", "third"), 4: ("four", "fourth"),
    5: ("five", "fifth"), 6: ("six", "sixth"), 7: ("seven", "seventh"), 8: ("eight", "eighth"),
    9: ("nine", "ninth"), 10: ("ten", "tenth"), 11: ("eleven", "eleventh"), 12: ("twelve", "twelfth"),
}  # fmt: skip
ENDINGS = {1: "st", 2: "nd", 3: "rd"}
COUNTERS = words(
    "series season round game week episode match stage leg race heat lane lot lap set period chapter part "
    "volume day event number no rank position pos"
)


def counted_rows(label: str, values: Iterable[object]) -> str:
    """Return the word by which a column of running numbers is called ("series", "round"); empty for none."""
    last = (TOKEN.findall(label.lower()) or [""])[-1].removesuffix(".")
    if last not in COUNTERS:
        return ""
    whole = [str(value) for value in values if value is not None]
    running = whole and len(set(whole)) == len(whole) and all(v.isdigit() and len(v) < 4 for v in whole)
    return last if running else ""


def numbered_forms(word: str, value: int) -> Iterator[str]:
    """Yield how a numbered row is named: "series 2", "second series", "2nd series"."""
    yield f"{word} {value}"
    if value in ORDINALS:
        number, ordinal = ORDINALS[value]
        yield f"{word} {number}"
        yield f"{ordinal} {word}"
    ending = "th" if 10 < value % 100 < 14 else ENDINGS.get(value % 10, "th")
    yield f"{value}{ending} {word}"
