"""What denies a filter that ran: another value of its field ("low-priority"), its own turned ("unpaid")."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.spoken import Span
from gateway.ground.lexing.stems import SMALL_WORDS, split_words

# Values that fields of levels and states have; behind or before the name of the field they are meant as such.
LEVELS = words(
    "low lower lowest medium moderate normal standard regular high higher highest urgent critical minor "
    "major severe basic premium open closed pending active inactive new old small large top bottom mild"
)
# Words before the name of a field that say nothing of its value ("same-region", "by-channel").
NO_VALUES = SMALL_WORDS | words(
    "same single multi cross inter intra sub by per each any every whole wide top key own"
)
# Names of fields that end in what says no more than that it is one.
KINDS = words("type name id code category kind class level group")
PREFIXES = ("un", "non", "non-")
# Before an adjective only: "inactive", "disconnected", and no "invoice".
OTHER_PREFIXES = ("in", "im", "ir", "il", "dis")
ADJECTIVE = ("ive", "ete", "ect", "ble", "ent", "ant", "ed", "al")
SHORTEST = 4


def opposed(text: str, name: str, values: Sequence[str]) -> Iterator[Span]:
    """Yield where a text says another value of a filtered field, or the opposite of the one that ran."""
    own = frozenset(word for value in values for word in split_words(value))
    parts = [part for part in name.lower().replace("_", " ").split() if part not in KINDS]
    noun = re.escape(parts[-1]) if parts else ""
    if noun and parts[-1] in text.lower():
        yield from _other_values(text, noun, own)
    for value in values:
        if value.isalpha() and len(value) >= SHORTEST:
            yield from _turned(text, value.lower())


def _other_values(text: str, noun: str, own: frozenset[str]) -> Iterator[Span]:
    """Yield "low-priority", "of low priority" and "priority was low" where another value ran."""
    for found in re.finditer(rf"(?<![\w-])(?P<word>[a-z]+)-{noun}(?![\w-])", text, re.IGNORECASE):
        if own.isdisjoint(split_words(found["word"])) and found["word"].lower() not in NO_VALUES:
            yield found.span()
    levels = "|".join(sorted(LEVELS))
    led, said = rf"(?P<led>{levels})\s{noun}", rf"{noun}\s(?:is|was|of|were|are|=)\s(?P<said>{levels})"
    told = rf"(?<![\w-])(?:{led}|{said})(?![\w-])"
    for found in re.finditer(told, text, re.IGNORECASE):
        if own.isdisjoint(split_words(found["led"] or found["said"])):
            yield found.span()


def _turned(text: str, value: str) -> Iterator[Span]:
    """Yield a value with a syllable before it that turns it round."""
    prefixes = (*PREFIXES, *(OTHER_PREFIXES if value.endswith(ADJECTIVE) else ()))
    low = text.lower()
    for said in (prefix + value for prefix in prefixes):
        if said in low:
            yield from (found.span() for found in re.finditer(rf"(?<![\w-]){re.escape(said)}(?![\w-])", low))
