"""Numbers in words: "twenty-one", "half a million", "two dozen", "no orders"; never "one of"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.numerals import POWERS, WORDS, parse_spelled
from gateway.ground.lexing.tokens import Reading

WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?|\d+")
POWER_WORDS = {"hundred": 100, **POWERS}
RATE_WORDS = frozenset(("percent", "percentage", "per", "point", "basis"))
STARTS = frozenset(WORDS) | {"no", "a", "an", "half", "dozen", "dozens"}
PRONOUN_BEFORE = words(
    "this that the which each every another no any not some these those last first next former latter such as"
)
PRONOUN_AFTER = words(
    "of another or who whose that which is was were has had by on can could should must would to "
    "day thing hand side more than from through via"
)
SUPERLATIVES = frozenset(("most", "least"))
# "Won eight, one of them gold" counts; "one of them" alone does not.
OF_THEM = frozenset((("of", "them"), ("of", "which"), ("of", "these"), ("of", "those")))
ABSENT = re.compile(
    r"(?:[\s-][^\W_]+){0,4}?\s(?:figures?|data|values?|numbers?|information|records?\sof|entry|entries|positions?"
    r"|readings?|results?|times?|measurements?|estimates?|reports?)\b",
    re.IGNORECASE,
)
# "No depot made more than Breda": of Breda, and no zero.
BEYOND = re.compile(
    r"(?:\s[a-z]+){1,7}?\s(?:more|less|fewer|[a-z]+er)\s(?:[a-z]+\s){0,3}?than\s"
    r"(?:in\s|at\s|on\s|of\s)?(?:the\s)?[A-Z]"
)
JOINED = re.compile(r"[^\S\n]*-?[^\S\n]*|[\u2010\u2011\u2013]")
LONGEST = 12
ADJECTIVE = re.compile(r"-(?!day|week|month|year|fold|hour)[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Spelled:
    """A number in words. `pronoun` marks "one" that stands for a thing; `none` marks "no orders"."""

    start: int
    end: int
    reading: Reading
    pronoun: bool = False
    none: bool = False


def spelled_numbers(
    text: str, nouns: frozenset[str], items: frozenset[int] = frozenset()
) -> Iterator[Spelled]:
    """Yield numbers in words. `nouns` are what the result counts, so that "no orders" is zero.

    `items` are where names of rows start that are themselves figures ("no lease liabilities").
    """
    found = list(WORD.finditer(text))
    said = [word.group().lower() for word in found]
    place = 0
    while place < len(said):
        if said[place] not in STARTS:
            place += 1
            continue
        if said[place] == "no":
            counts = any(word in nouns for word in said[place + 1 : place + 3])
            counts = (counts or found[place].end() + 1 in items) and text[found[place].end()] != "-"
            end = found[place].end()
            if counts and not (ABSENT.match(text, end) or BEYOND.match(text, end)):
                yield Spelled(*found[place].span(), Reading(Decimal(0), Decimal(1)), none=True)
            place += 1
            continue
        reading, used = _value(said[place : _joined_end(text, found, place)])
        if used and not _is_name(text, found, place, used):
            alone = used == 1 and said[place] == "one" and not _ends_list(found, place)
            pronoun = alone and _is_pronoun(said, place, nouns)
            yield Spelled(found[place].start(), found[place + used - 1].end(), reading, pronoun=pronoun)
        place += max(used, 1)


def _joined_end(text: str, found: Sequence[re.Match[str]], place: int) -> int:
    """Return the word behind the run of words that only spaces and hyphens join, twelve at most."""
    last = place
    while last + 1 < min(len(found), place + LONGEST) and JOINED.fullmatch(
        text, found[last].end(), found[last + 1].start()
    ):
        last += 1
    return last + 1


def _value(said: Sequence[str]) -> tuple[Reading, int]:
    """Return the number at the start of some words and how many it takes; none when there is no number."""
    nothing = Reading(Decimal(0), Decimal(1)), 0
    rest = list(said)
    if rest[0] in ("a", "an"):
        if rest[1:2] == ["dozen"]:
            return Reading(Decimal(12), Decimal(1)), 2
        if not rest[1:2] or rest[1] not in POWER_WORDS:
            return nothing
        rest[0] = "one"
    if rest[:2] == ["half", "a"] and rest[2:3] and rest[2] in POWER_WORDS:
        power = POWER_WORDS[rest[2]]
        return Reading(Decimal(power) / 2, Decimal(power) / 10), 3
    if rest[:2] == ["half", "a"] and rest[2:3] and rest[2] in RATE_WORDS:
        return Reading(Decimal("0.5"), Decimal("0.1")), 2
    parsed = parse_spelled(rest)
    if parsed is None:
        return (Reading(Decimal(12), Decimal(1)), 1) if rest[0] == "dozen" else nothing
    value, used = parsed
    if rest[used : used + 1] == ["dozen"]:
        return Reading(Decimal(value * 12), Decimal(1)), used + 1
    if (
        rest[used : used + 3] == ["and", "a", "half"]
        and rest[used + 3 : used + 4]
        and rest[used + 3] in POWER_WORDS
    ):
        power = POWER_WORDS[rest[used + 3]]
        return Reading((Decimal(value) + Decimal("0.5")) * power, Decimal(power) / 10), used + 4
    return Reading(Decimal(value), Decimal(POWERS.get(rest[used - 1], 1))), used


def _is_name(text: str, found: Sequence[re.Match[str]], place: int, used: int) -> bool:
    """Tell whether a number word is part of an adjective ("three-point") or of a proper name."""
    if ADJECTIVE.match(text, found[place + used - 1].end()):
        return True
    start = found[place].start()
    if text[max(0, start - 1) : start] == "-" and text[max(0, start - 2) : start - 1].isalpha():
        return True  # "a top-five finish"
    begins = text[max(0, start - 2) : start] in ("", ". ", "! ", "? ") or text[start - 1 : start] in (
        "\n",
        "",
    )
    return found[place].group()[0].isupper() and place > 0 and not begins


def _ends_list(found: Sequence[re.Match[str]], place: int) -> bool:
    """Tell whether a last "one" follows a name ("Milford had nine wins and Eastbrook one")."""
    first = place
    while first and found[first - 1].group()[0].isupper():
        first -= 1
    led = first and found[first - 1].group() in ("a", "an", "each", "every")  # "$150 for a Brand Film one"
    return place == len(found) - 1 and first < place and not led


def _is_pronoun(said: Sequence[str], place: int, nouns: frozenset[str]) -> bool:
    """Tell whether "one" stands for a thing and not for a count."""
    before = said[place - 1] if place else ""
    after = said[place + 1] if place + 1 < len(said) else ""
    if tuple(said[place + 1 : place + 3]) in OF_THEM and not nouns.isdisjoint(said[place + 3 : place + 4]):
        return False
    if before == "only":
        return said[place - 2 : place - 1] == ["the"] or after in PRONOUN_AFTER
    if place > 1 and said[place - 2] in SUPERLATIVES:
        return True  # "the most recent one"
    return before in PRONOUN_BEFORE or after in PRONOUN_AFTER or not after
