"""Customers of some kind ("Enterprise customers", "from wholesale buyers"): a part of those counted."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.numerals import WORDS as NUMBER_WORDS
from gateway.ground.lexing.stems import split_words

WORD = r"[^\W\d_](?:[\w&'\u2019.-]*\w)?"
PEOPLE = (
    r"(?:customers|clients|buyers|shoppers|consumers|accounts|users|members|subscribers|merchants|resellers)"
    r"(?![\w-])"
)
# A word right before them: at the start of a sentence, behind what stands before no verb, or a name.
KIND = re.compile(
    rf"(?:(?P<opens>(?:\A|[.!?:;|>]\s+|\n\s*)(?:[-*\u2022]\s+)?)"
    r"|\d\s|['\u2019]s\s|\b(?:(?P<verbal>to|and|in)|from|by|for|of|among|with|the|our|its|their)\s)"
    rf"(?P<kind>{WORD})\s{PEOPLE}(?P<next>(?:\s[a-z]+)?)",
    re.IGNORECASE,
)
# "Starter plan users": the value of a field that people are told apart by.
OF_FIELD = re.compile(rf"(?<![\w'\u2019.-])(?P<kind>{WORD})\s(?P<field>{WORD})\s{PEOPLE}", re.IGNORECASE)
# Words that leave all of them in, or that say what is done to them.
OPEN = NUMBER_WORDS.keys() | words(
    "the a an our its their his her these those this that all any some no each every both most many few "
    "several fewer more less other such same total overall average mean median net new active unique "
    "distinct individual paid paying current number count customer client user member per as from by to for "
    "of among with in and or while when whose which what how only just also lost won gained added attracted "
    "served signed dozens hundreds thousands millions first second third top"
)
COSTS = words("cost costs takes took requires required is was")
DEMONYM = frozenset(("", "n", "an", "ian", "ish", "ese", "ic", "er"))


class Known:
    """Stems of names, with the adjectives of peoples that they make ("Iberian" of Iberia)."""

    def __init__(self, names: frozenset[str]) -> None:
        """Stand on the stems of names."""
        self.names = names

    @cached_property
    def _roots(self) -> frozenset[str]:
        """Return what is left of each name before the ending of an adjective."""
        return frozenset(
            name[: len(name) - cut] for name in self.names for cut in range(3) if len(name) - cut > 3
        )

    def holds(self, words: Iterable[str]) -> bool:
        """Tell whether all of some stems are known."""
        return all(word in self.names or self._is_people_of(word) for word in words)

    def _is_people_of(self, word: str) -> bool:
        endings = (ending for ending in DEMONYM if word.endswith(ending))
        return any(word.removesuffix(ending) in self._roots for ending in endings)


def kinds_of_people(text: str, known: Known, fields: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield the words that limit who is counted and that are no word of the result or the question.

    `known` are the names of both, `fields` the stems of what was filtered.
    """
    for found in KIND.finditer(text):
        kind = found["kind"].lower()
        done_to = kind.endswith("ing") and (found["opens"] is None or found["next"].strip().lower() in COSTS)
        verb = found["verbal"] is not None and not found["kind"][0].isupper()
        if not (done_to or verb) and _is_strange(kind, known):
            yield found.span("kind")
    for found in OF_FIELD.finditer(text) if fields else ():
        if fields.issuperset(split_words(found["field"])) and _is_strange(found["kind"].lower(), known):
            yield found.span("kind")


def _is_strange(kind: str, known: Known) -> bool:
    """Tell whether a word before people is of a kind that nobody named."""
    kind = kind.replace("\u2019", "'")
    if kind.removesuffix("'s") in OPEN or kind.endswith(("ly", "est")):
        return False
    return not known.holds(split_words(kind))
