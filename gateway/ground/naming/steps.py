"""Columns that are steps of one count (Month 1 retention, Month 3 retention): how each is said."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.spoken import Span
from gateway.ground.lexing.stems import split_words
from gateway.ground.naming.headers import COUNTERS, ORDINALS, ordinal_digits
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY, Phrase
from gateway.ground.table.sheet import Sheet

# What time is counted in: "after three months" is month 3, "90 days" is day 90.
SPANS = words("day week month quarter year hour minute")
COUNTED = SPANS | COUNTERS | words("wave step phase visit attempt touch instalment installment")
_NOUN = rf"(?:{'|'.join(sorted(COUNTED))})"
STEP = re.compile(
    rf"(?<![\w.,-])(?:(?P<led>{_NOUN})[\s-]?(?P<n>\d{{1,3}})|(?P<number>\d{{1,3}})[\s-](?P<noun>{_NOUN}s?))(?![\w.,]|-\d)",
    re.IGNORECASE,
)
NUMBERS = {word: number for number, (word, _) in ORDINALS.items()} | {
    "fifteen": 15, "twenty": 20, "thirty": 30, "sixty": 60, "ninety": 90,
}  # fmt: skip
# "6.4% after 30 days and 14.9% after 90": the noun is left out where the same word leads it again.
LEADS = re.compile(r"\b(?P<word>after|by|within|in|at|on)\s(?:the\s|only\s|just\s)?\Z", re.IGNORECASE)
AGAIN = re.compile(
    rf"\b(?P<word>after|by|within|in|at|on)\s(?P<n>\d{{1,3}}|{'|'.join(NUMBERS)})(?=[,;:)]|\.(?:\s|\Z)|\s(?:and|but|or|while|for)\b|\Z)",
    re.IGNORECASE,
)
STOP = re.compile(r"\.(?:\s|\Z)|\n")


class Steps:
    """The columns of one sheet that differ by nothing but a count, by what is counted and how far."""

    def __init__(self, sheet: Sheet) -> None:
        """Read the headers once; one column alone is no step."""
        frames: dict[tuple[str, str], dict[int, set[int]]] = {}
        for column in sorted(sheet.figured):
            label = sheet.label(column)
            steps = list(STEP.finditer(label))
            if len(steps) == 1:
                rest = f"{label[: steps[0].start()]}|{label[steps[0].end() :]}".lower()
                number = int(steps[0]["n"] or steps[0]["number"])
                frames.setdefault((_noun(steps[0]), rest), {}).setdefault(number, set()).add(column)
        self._columns: dict[str, dict[int, frozenset[int]]] = {}
        for (noun, _), numbered in frames.items():
            for number, columns in numbered.items() if len(numbered) > 1 else ():
                own = self._columns.setdefault(noun, {})
                own[number] = own.get(number, NOBODY) | columns

    def phrases(self) -> Iterator[Phrase]:
        """Yield every way to say a step: "month 3", "third month", "three months", "3-month"."""
        for noun, numbered in self._columns.items():
            for number, columns in numbered.items():
                for form in _forms(noun, number):
                    yield Phrase(split_words(form), -1, NOBODY, columns, True, form)

    def elided(self, text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
        """Yield the steps whose noun is left out behind another one ("and 14.9% after 90")."""
        for noun, numbered in self._columns.items():
            steps = set(numbered.values())
            for mention in (m for m in mentions if m.columns in steps):
                led = LEADS.search(text, max(0, mention.start - 20), mention.start)
                if led is not None and noun in split_words(text[mention.start : mention.end]):
                    yield from self._behind(text, mention.end, led["word"].lower(), numbered)

    def strange(self, text: str) -> Iterator[Span]:
        """Yield steps that a text names between those of the result ("week 3" where it has 2 and 4)."""
        for noun, numbered in self._columns.items():
            ways = {way: n for n in range(1, max(numbered)) if n not in numbered for way in _places(noun, n)}
            said = "|".join(map(re.escape, sorted(ways, key=len, reverse=True)))
            if said:
                found = re.finditer(rf"(?<![\w.,-])(?:{said})(?![\w-]|[.,]\d|\sof\b)", text, re.IGNORECASE)
                yield from (match.span() for match in found)

    def _behind(
        self, text: str, start: int, lead: str, numbered: dict[int, frozenset[int]]
    ) -> Iterator[Mention]:
        stop = STOP.search(text, start)
        for found in AGAIN.finditer(text, start, stop.start() + 1 if stop else len(text)):
            said = found["n"].lower()
            columns = numbered.get(int(said) if said.isdigit() else NUMBERS[said])
            if columns and found["word"].lower() == lead:
                yield Mention(found.start("n"), found.end("n"), -1, NOBODY, columns, True)


def _noun(found: re.Match[str]) -> str:
    return " ".join(split_words(found["led"] or found["noun"]))


def _forms(noun: str, number: int) -> Iterator[str]:
    """Yield how a step is said; only time is counted up ("after three months")."""
    yield from _places(noun, number)
    said = [word for word, counted in NUMBERS.items() if counted == number]
    if noun in SPANS:
        yield from (f"{told} {noun}" for told in (number, *said))


def _places(noun: str, number: int) -> Iterator[str]:
    """Yield how one of a count is said by its place in it ("week 3", "third week")."""
    said = [word for word, counted in NUMBERS.items() if counted == number]
    yield from (f"{noun} {told}" for told in (number, *said))
    yield f"{ordinal_digits(number)} {noun}"
    if number in ORDINALS:
        yield f"{ORDINALS[number][1]} {noun}"
