"""Where a text names rows and columns of a result: values, labels, synonyms, periods."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from itertools import pairwise

from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import SMALL_WORDS, plurals, split_words, stem
from gateway.ground.naming.accents import as_written
from gateway.ground.naming.codes import Codes
from gateway.ground.naming.dated import YEAR_ALONE, Dated, year_window
from gateway.ground.naming.deeds import deed_phrases, step_keys, without_shared
from gateway.ground.naming.distances import LED
from gateway.ground.naming.initials import Initials
from gateway.ground.naming.kin import Kin
from gateway.ground.naming.mentions import Mention, without_inner
from gateway.ground.naming.parts_of_totals import PartsOfTotals
from gateway.ground.naming.phrases import (
    NOBODY,
    NONE,
    OVER,
    PEOPLE,
    SIGNS,
    Phrase,
    all_phrases,
    base_phrases,
    counted_words,
    heads,
    month_phrases,
    noun_forms,
    people_phrases,
    voted_phrases,
)
from gateway.ground.naming.steps import Steps
from gateway.ground.naming.unspaced import UNSPACED, Unspaced
from gateway.ground.table.label_units import BRACKETED
from gateway.ground.table.sheet import Sheet, as_text
from metric_layer.period_words import CHANGED_BY, COUNT_WORDS, PLURAL
from metric_layer.periods import Period, PeriodParser

OVER_IT = f"{OVER} "
# "A population of 2011".
FIGURE_OF = re.compile(r"([^\W\d_]+)\s(?:of|was|is)\s\Z")
DETERMINERS = frozenset(
    ("the", "a", "an", "its", "his", "her", "their", "this", "our", "it", "he", "she", "they")
)
DASH = re.compile(r"[\u2010-\u2015\u2212-]")
COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
DASHES = re.compile(r"\s?[\u2010-\u2015\u2212-]\s?")
NOT_ALONE = re.compile(r"[\d$€£¥.,]\Z")
SCALED = re.compile(r"[.,]\d|\s?%|\s?(?:percent|million|thousand|billion|k\b|m\b)")
NUMBERED = re.compile(r"(?:\b[A-Z][a-z]+|\b[Nn]o\.|\b[Nn]umber|#)\s?\Z")
AT_YEAR = re.compile(r"\b(?:in|since|during|year|until|FY)\s\Z", re.IGNORECASE)
OF_ALL = re.compile(
    r"(?:\b(?:an?|the|its|total|whole|and|of|with|male|female)|\d)\s\Z|(?:\A|[.;:,]\s)\Z", re.IGNORECASE
)
OWNED = re.compile(r"\b(?:the|his|her|their|its)\s\Z")
ONE_OF_ALL = re.compile(
    r"\b(?:first|second|third|last|only|next|other|an?|this|each|every)\s\Z", re.IGNORECASE
)
# "$4.88 million is current", "31 are new": small words, said of what the rows are told apart by.
OF_KIND = re.compile(r"\b(?:is|are|was|were)\s(?:still\s)?\Z", re.IGNORECASE)
KIND_ENDS = re.compile(r"[,.;:)](?:\s|\Z)|\s(?:and|but|while)\b|\Z")
COUNTS = re.compile(r"(?:(?:\A|\D)\d{1,3}|,\d{3})\s\Z")
NOUNS = re.compile(r"(?:\s(?!in\b|and\b|on\b|at\b|for\b|by\b|to\b|of\b|was\b|were\b)[^\W\d_]+){1,3}")


class Names:
    """The names of one result, ready to be found in a text."""

    def __init__(
        self,
        sheet: Sheet,
        parser: PeriodParser,
        subject: str = "",
        until: date | None = None,
        asked: Sequence[str] = (),
    ) -> None:
        """Collect every phrase that names a row or a column, and every period that one stands for.

        `subject` is what the question or the title calls the rows, `until` the day after the window that ran.
        `asked` are the names of the metrics that the question asked for.
        """
        self.sheet = sheet
        self.subject = subject
        self.asked = frozenset(word for name in asked for word in split_words(name))
        self.subjects = plurals(subject)
        self.parser = parser
        self._dated = Dated(sheet, parser, until)
        self.column_windows = self._dated.columns
        self.row_windows = self._dated.rows
        self.dated = self._dated.labelled
        self.series = self._dated.series
        self.are_of_one_metric = self._dated.are_of_one_metric
        self.steps = Steps(sheet)
        self._deeds = step_keys(sheet)
        self.counted = counted_words(sheet)
        self.nouns = noun_forms(sheet)
        self.heads = heads(sheet)
        self._phrases: dict[tuple[str, ...], list[Phrase]] = {}
        lengths: dict[str, set[int]] = {}
        for phrase in (
            *all_phrases(sheet, frozenset(split_words(subject[:500]))),
            *base_phrases(self._dated.bases),
            *month_phrases(sheet),
            *people_phrases(sheet),
            *voted_phrases(sheet),
            *self.steps.phrases(),
            *deed_phrases(sheet),
        ):
            if phrase.words:
                self._phrases.setdefault(phrase.words, []).append(phrase)
                lengths.setdefault(phrase.words[0], set()).add(len(phrase.words))
        self.codes = Codes(sheet)
        self._parts = PartsOfTotals(sheet)
        self.kin = Kin(sheet, self._phrases)
        self._initials = Initials(sheet)
        self._lengths = {word: sorted(found, reverse=True) for word, found in lengths.items()}

    def phrases(self, spoken: Spoken) -> list[Mention]:
        """Return the names in a text that are no periods, in order."""
        return list(self._find_phrases(spoken))

    def find(self, text: str, periods: Sequence[Period], phrases: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return every mention in a text in order; names overlapping a longer name are dropped."""
        found = [*phrases, *self._dated.find(periods), *self._find_years(text)]
        found += self.steps.elided(text, phrases)
        found = without_shared(text, found, self._deeds) if self._deeds else found
        if self._compounds:
            found = [m for m in found if not (m.names_rows and self._is_of_title(text, m))]
        found.sort(key=lambda mention: (mention.start, -mention.end))
        return tuple(self._parts.joined(text, list(without_inner(found))))

    @cached_property
    def _compounds(self) -> frozenset[str]:
        """Return the dashed names of the title ("Alda-Brune railway"), which names neither end of it."""
        return frozenset(found.lower() for found in COMPOUND.findall(DASH.sub("-", self.subject[:500])))

    def _is_of_title(self, text: str, mention: Mention) -> bool:
        """Tell whether a name is only a part of a dashed name of the title."""
        start, end = mention.start, mention.end
        while start and (text[start - 1].isalpha() or DASH.match(text, start - 1)):
            start -= 1
        while end < len(text) and (text[end].isalpha() or DASH.match(text, end)):
            end += 1
        own = start < mention.start or mention.end < end
        return own and DASH.sub("-", text[start:end]).lower() in self._compounds

    def _find_phrases(self, spoken: Spoken) -> Iterator[Mention]:
        text, words, stems = spoken.text, spoken.tokens, spoken.stems
        opens, until = {said for said, cut in spoken.stemmed.items() if cut in self._lengths}, 0
        kin = {said: found for said, cut in spoken.stemmed.items() if (found := self.kin.of(said, cut))}
        for place, said in enumerate(spoken.written):
            if place < until or not (said in opens or said in kin):
                continue
            named, count = self._named_at(text, words, stems, place) if said in opens else ([], 0)
            until = place + count
            start, end = words[place].start(), words[max(until - 1, place)].end()
            for phrase in named:
                yield Mention(start, end, phrase.column, phrase.rows, phrase.columns, phrase.full)
            for key, rows, columns in () if named else kin.get(said, ()):
                yield Mention(start, end, key, rows, columns, False)
        yield from self._initials.spelled(words)
        if UNSPACED.search(text):
            starts = frozenset(w.start() for w, cut in zip(words, stems, strict=True) if cut in self._lengths)
            yield from self._unspaced.find(text, starts)
        yield from self._initials.called(spoken, self._phrases)

    def _named_at(
        self, text: str, words: Sequence[re.Match[str]], stems: Sequence[str], place: int
    ) -> tuple[list[Phrase], int]:
        """Return the longest phrases that start at a word, and how many words they take."""
        for count in self._lengths.get(stems[place], ()):
            if place + count > len(words):
                continue
            phrases = self._phrases.get(tuple(stems[place : place + count]))
            here = words[place : place + count]
            if phrases is None or (count > 1 and _are_apart(text, here)):
                continue
            named = [phrase for phrase in phrases if self._is_here(text, here, phrase)]
            if named:
                return as_written(text[here[0].start() : here[-1].end()], named), count
        return [], 0

    @cached_property
    def _unspaced(self) -> Unspaced:
        """Return the names that no spaces part from the words around them."""
        return Unspaced(self._phrases.values())

    def _is_here(self, text: str, words: Sequence[re.Match[str]], phrase: Phrase) -> bool:
        """Tell whether words that read like a phrase are it and count nothing."""
        start, end = words[0].start(), words[-1].end()
        here = _stands_as(text, start, end, phrase)
        if here is not None:
            return here
        if phrase.text.isdigit():
            led = YEAR_ALONE.fullmatch(phrase.text) or NUMBERED.search(text[max(0, start - 24) : start])
            return led is not None and not self._counts(text, start, end)
        if len(words) == 1 and phrase.words[0].isdigit() and SIGNS.fullmatch(phrase.text):
            return text[end - len(phrase.text) : end] == phrase.text  # "+6" is no "6"
        if len(words) == 1 and phrase.full and phrase.column >= 0 and phrase.text[:1].isupper():
            if phrase.words[0] in self.subjects and ONE_OF_ALL.search(text[max(0, start - 12) : start]):
                return False  # of a list of operas, "his first opera" is no row of the genre Opera
            said = text[start:end]
            if said in COUNT_WORDS and COUNTS.search(text[max(0, start - 6) : start]):
                return False  # "27 people" is not the department People
        if len(words) > 1 and phrase.column >= 0 and "".join(phrase.words).isdigit():
            return DASHES.sub("-", text[start:end]) in DASHES.sub("-", phrase.text)
        if phrase.full and phrase.column >= 0 and text[start:end].lower() in SMALL_WORDS:
            told = OF_KIND.search(text[max(0, start - 12) : start]) and KIND_ENDS.match(text, end)
            return text[start:end] == phrase.text or told is not None
        return not _is_lowered(text[start:end], phrase)

    def _counts(self, text: str, start: int, end: int) -> bool:
        """Tell whether digits count something or belong to a longer number, and so are no name."""
        before, after = text[max(0, start - 24) : start], text[end : end + 24]
        if NOT_ALONE.search(before.rstrip(" ")) and not before.endswith((", ", ". ")):
            return True
        if SCALED.match(after):
            return True
        if AT_YEAR.search(before):
            return False
        if self.measures(text, end):
            return True
        led = FIGURE_OF.search(before)
        if led is not None and stem(led.group(1).lower()) in self._figured:
            return True
        if CHANGED_BY.search(before):
            return True
        following = NOUNS.match(after)
        words = following.group().split() if following else []
        if words and words[0] in DETERMINERS:
            return False
        if words and PLURAL.fullmatch(words[0]) and not OWNED.search(before):
            return True
        nouns = self.counted | COUNT_WORDS
        return any(word in nouns or stem(word) in nouns for word in words)

    def measures(self, text: str, end: int) -> bool:
        """Tell whether a unit that the result uses stands behind digits ("1941 GRT", "2007 seconds")."""
        behind = split_words(text[end : end + 16])[:1]
        return bool(behind) and text[end : end + 1] == " " and behind[0] in self._units

    @cached_property
    def values(self) -> frozenset[str]:
        """Return the stems of the words by which cells name rows."""
        keys = [key for key in self.sheet.keys if key not in self.sheet.figured]
        cells = {as_text(row[key])[:80] for row in self.sheet.table.rows for key in keys}
        return frozenset(word for cell in cells for word in split_words(cell))

    @cached_property
    def _units(self) -> frozenset[str]:
        """Return the stems of the units that labels show in brackets."""
        shown = (BRACKETED.findall(self.sheet.label(c)) for c in sorted(self.sheet.figured))
        return frozenset(word for units in shown for unit in units for word in split_words(unit))

    @cached_property
    def _figured(self) -> frozenset[str]:
        """Return the stems of the labels of figures."""
        return frozenset().union(*(self.sheet.label_words[c] for c in self.sheet.figured)) - SMALL_WORDS

    def _find_years(self, text: str) -> Iterator[Mention]:
        """Yield the years that column labels are dated by, wherever they stand ("as of 2016")."""
        if not self._years:
            return
        for found in YEAR_ALONE.finditer(text):
            columns = self._years.get(found.group())
            if columns and not self._counts(text, *found.span()):
                yield Mention(*found.span(), -1, NOBODY, columns, True)

    @cached_property
    def _years(self) -> dict[str, frozenset[int]]:
        """Return the columns whose label names one whole year beside other words."""
        found: dict[str, set[int]] = {}
        for column, window in self.dated.items():
            if column not in self.column_windows and window == year_window(window[0].year):
                found.setdefault(str(window[0].year), set()).add(column)
        return {year: frozenset(columns) for year, columns in found.items()}


def _is_lowered(said: str, phrase: Phrase) -> bool:
    """Tell whether a short name, or a last name that the title holds too, is said in small letters."""
    short = len(phrase.words) == 1 and len(phrase.words[0]) <= 2
    last = phrase.column >= 0 and not phrase.full
    lower = said.islower() and phrase.text[:1].isupper()
    return lower and ((short and phrase.full) or last)


def _stands_as(text: str, start: int, end: int, phrase: Phrase) -> bool | None:
    """Tell whether a phrase that may also be something else is it here; None for any other phrase."""
    if phrase.text == NONE:
        return text[max(0, start - 1) : end + 1] == NONE
    if phrase.text in PEOPLE:  # not the working or the literate population
        return OF_ALL.search(text[max(0, start - 12) : start]) is not None
    if phrase.text.startswith(OVER_IT):
        return LED.search(text[max(0, start - 12) : start]) is not None
    return None


def _are_apart(text: str, words: Sequence[re.Match[str]]) -> bool:
    """Tell whether too much stands between some words for them to be of one name."""
    gaps = [text[a.end() : b.start()] for a, b in pairwise(words)]
    return any(len(gap) > 4 or "\n" in gap or ";" in gap for gap in gaps)
