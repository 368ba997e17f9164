"""Where a text names rows and columns of a result: values, labels, synonyms, periods."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from gateway.ground.accents import as_written
from gateway.ground.bases import based_on, bases_of
from gateway.ground.dated import YEAR_ALONE, Dated, year_window
from gateway.ground.distances import LED
from gateway.ground.headers import SHORT, said_by, short_forms
from gateway.ground.initials import CAPITALS, called_by_initials
from gateway.ground.label_units import BRACKETED
from gateway.ground.mentions import Mention, without_inner
from gateway.ground.phrases import (
    NOBODY,
    NONE,
    OVER,
    PEOPLE,
    PREFIX,
    SIGNS,
    Phrase,
    all_phrases,
    base_phrases,
    counted_words,
    heads,
    month_phrases,
    noun_forms,
    numbered,
    people_phrases,
    prefixes,
    voted_phrases,
)
from gateway.ground.sheet import Sheet
from gateway.ground.stems import SMALL_WORDS, WORD, plurals, split_words, stem, told_by, without_brackets
from gateway.ground.unspaced import UNSPACED, Unspaced
from metric_layer.period_words import CHANGED_BY, COUNT_WORDS, PLURAL
from metric_layer.periods import Period, PeriodParser

OVER_IT = f"{OVER} "
SIZED = frozenset(("tall", "high", "long", "wide", "deep", "fast"))
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
FRAGMENT = re.compile(r"(?<![\w.,])\d+(?:-[^\W_]+)*-[^\W\d_]+(?![\w-])")
# An age group of a row's name ("aged 0-6" of "Child (0-6)").
AGES = re.compile(
    r"\b(?:aged|ages?(?:\sgroup)?(?:\sof)?|years)\s(?P<ages>\d{1,2}[-\u2013]\d{1,2})(?![\w-])", re.IGNORECASE
)
IN_CELL = re.compile(r"(?<![\w-])\d{1,2}[-\u2013]\d{1,2}(?![\w-])")
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

    def __init__(self, sheet: Sheet, parser: PeriodParser, subject: str = "") -> None:
        """Collect every phrase that names a row or a column, and every period that one stands for.

        `subject` is what the question or the title calls the rows.
        """
        self.sheet = sheet
        self.subject = subject
        self.subjects = plurals(subject)
        self.parser = parser
        self._dated = Dated(sheet, parser)
        self.column_windows = self._dated.columns
        self.row_windows = self._dated.rows
        self.dated = self._dated.labelled
        self.short = short_forms({column: sheet.label(column) for column in sorted(sheet.figured)})
        self._kin: dict[str, tuple[tuple[int, frozenset[int], frozenset[int]], ...]] = {}
        self.prefixes = prefixes(sheet)
        self.numbered = numbered(sheet)
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
        ):
            if phrase.words:
                self._phrases.setdefault(phrase.words, []).append(phrase)
                lengths.setdefault(phrase.words[0], set()).add(len(phrase.words))
        self._lengths = {word: sorted(found, reverse=True) for word, found in lengths.items()}

    def phrases(self, text: str) -> list[Mention]:
        """Return the names in a text that are no periods, in order."""
        return list(self._find_phrases(text))

    def find(self, text: str, periods: Sequence[Period], phrases: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return every mention in a text in order; names overlapping a longer name are dropped."""
        found = [*phrases, *self._dated.find(periods), *self._find_years(text)]
        if self._compounds:
            found = [m for m in found if not (m.names_rows and self._is_of_title(text, m))]
        found.sort(key=lambda mention: (mention.start, -mention.end))
        return tuple(without_inner(found))

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

    def fragments(self, text: str) -> list[tuple[int, int]]:
        """Return codes such as "6-seat" that stand in a text cell just so."""
        found = [piece.span() for piece in FRAGMENT.finditer(text)] if "-" in text else []
        codes = [span for span in found if text[slice(*span)].lower() in self._cells] if found else []
        ages = AGES.finditer(text) if self._ranges else ()
        codes += [said.span("ages") for said in ages if said["ages"] in self._ranges]
        return [*codes, *based_on(text, self._bases)]

    @cached_property
    def _bases(self) -> frozenset[str]:
        """Return what labels of columns are counted on ("per 1,000", "out of 10")."""
        return bases_of(self.sheet.label(column) for column in sorted(self.sheet.figured))

    @cached_property
    def _cells(self) -> frozenset[str]:
        """Return every code with digits in the text cells, in lower case."""
        keys = [key for key in self.sheet.keys if key not in self.sheet.figured]
        cells = (row[key] for row in self.sheet.table.rows for key in keys)
        return frozenset(
            piece.lower() for cell in cells if isinstance(cell, str) for piece in FRAGMENT.findall(cell[:200])
        )

    @cached_property
    def _ranges(self) -> frozenset[str]:
        """Return the ranges in the text cells, as written."""
        keys = [key for key in self.sheet.keys if key not in self.sheet.figured]
        cells = (row[key] for row in self.sheet.table.rows for key in keys)
        return frozenset(r for cell in cells if isinstance(cell, str) for r in IN_CELL.findall(cell[:200]))

    def strange_numbers(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield "week 8" where the result has weeks by number and no week 8."""
        for word, values in self.numbered.items():
            for found in re.finditer(
                rf"(?<!\w){re.escape(word)}\s(\d{{1,3}})(?![\w.,]?\d)", text, re.IGNORECASE
            ):
                if found.group(1) not in values:
                    yield found.span()

    def _find_phrases(self, text: str) -> Iterator[Mention]:
        words = list(WORD.finditer(text.replace("\u2019", "'")))
        said = [word.group() for word in words]
        stemmed = {word: stem(word) for word in set(said)}
        stems = [stemmed[word] for word in said]
        opens = {word for word, cut in stemmed.items() if cut in self._lengths}
        place = 0
        while place < len(words):
            known = said[place] in opens
            if not known and self._kin.get(said[place]) == ():
                place += 1
                continue
            named, count = self._named_at(text, words, stems, place) if known else ([], 1)
            if named:
                start, end = words[place].start(), words[place + count - 1].end()
                for phrase in named:
                    yield Mention(start, end, phrase.column, phrase.rows, phrase.columns, phrase.full)
            elif self._kin.get(said[place], True):
                yield from self._find_kin(words[place], stems[place])
            place += max(count, 1)
        yield from self._find_initials(words) if self._initials else ()
        if UNSPACED.search(text):
            starts = frozenset(w.start() for w, cut in zip(words, stems, strict=True) if cut in self._lengths)
            yield from self._unspaced.find(text, starts)
        for word in words:
            if CAPITALS.fullmatch(word.group()) and (stemmed[word.group()],) not in self._phrases:
                key, rows = self._called.get(word.group().removesuffix("'s"), (-1, NOBODY))
                if rows:
                    yield Mention(*word.span(), key, rows, NOBODY, True)

    def _named_at(
        self, text: str, words: Sequence[re.Match[str]], stems: Sequence[str], place: int
    ) -> tuple[list[Phrase], int]:
        """Return the longest phrases that start at a word, and how many words they take."""
        for count in self._lengths.get(stems[place], ()):
            if place + count > len(words):
                continue
            phrases = self._phrases.get(tuple(stems[place : place + count]))
            here = words[place : place + count]
            named = [phrase for phrase in phrases if self._is_here(text, here, phrase)] if phrases else []
            if named:
                return as_written(text[here[0].start() : here[-1].end()], named), count
        return [], 0

    def _find_initials(self, words: Sequence[re.Match[str]]) -> Iterator[Mention]:
        """Yield the words that a header shortens to their first letters ("forced fumbles" for FF).

        Three letters or more can hardly be chance, and stand for the whole name ("cost per lead" for CPL).
        """
        for short, columns in self._initials.items():
            whole = len(short) > 2
            for place in range(len(words) - len(short) + 1):
                said = words[place : place + len(short)]
                if all(w.group()[0].lower() == c for w, c in zip(said, short, strict=True)) and all(
                    len(w.group()) > (1 if whole else 3) and a.end() + 1 >= w.start()
                    for a, w in zip((said[0], *said), said, strict=False)
                ):
                    yield Mention(said[0].start(), said[-1].end(), -1, NOBODY, columns, whole)

    @cached_property
    def _unspaced(self) -> Unspaced:
        """Return the names that no spaces part from the words around them."""
        return Unspaced(self._phrases.values())

    @cached_property
    def _called(self) -> dict[str, tuple[int, frozenset[int]]]:
        """Return the rows that runs of capitals stand for ("NPL" of National Peasants' League)."""
        return called_by_initials(self.sheet)

    @cached_property
    def _initials(self) -> dict[str, frozenset[int]]:
        """Return the columns whose header is two to four capitals that no other header shares."""
        labels = {c: self.sheet.label(c) for c in sorted(self.sheet.numeric)}
        short = {
            label.lower(): frozenset((c,))
            for c, label in labels.items()
            if re.fullmatch(r"[A-Z]{2,4}", label)
        }
        return {label: columns for label, columns in short.items() if label not in SHORT}

    def _find_kin(self, word: re.Match[str], stemmed: str) -> Iterator[Mention]:
        """Yield what a related word points to: "Serbian" to Serbia, "attendees" to Attendance."""
        said = word.group()
        if said not in self._kin:
            self._kin[said] = tuple(self._kin_of(said, stemmed))
        for column, rows, columns in self._kin[said]:
            yield Mention(*word.span(), column, rows, columns, False)

    def _kin_of(self, said: str, stemmed: str) -> Iterator[tuple[int, frozenset[int], frozenset[int]]]:
        """Yield (key column, rows, columns) of what a word is kin to; digits are kin to nothing."""
        if said[0].isdigit():
            return
        text = said.lower()
        for cut in (1, 2, 3) if said[0].isupper() else ():
            for phrase in self._phrases.get((text[:-cut],), ()) if len(text) - cut >= 5 else ():
                if phrase.column >= 0 and phrase.full:
                    yield phrase.column, phrase.rows, NOBODY
        columns = self.prefixes.get(stemmed[:PREFIX]) or said_by(text, self.short) or self._done(text)
        columns = columns or (said_by(f"{text}s", self.short) if len(text) > 3 else NOBODY)  # "goal total"
        if text in SIZED and len(columns) > 1:  # "tall" is of Height, not of Focal height
            labels = ((c, without_brackets(self.sheet.label(c))) for c in columns)
            columns = frozenset(c for c, label in labels if len(split_words(label)) == 1) or columns
        if columns:
            yield -1, NOBODY, columns

    def _done(self, text: str) -> frozenset[int]:
        """Return the columns that a verb in the past is made from ("booked" of Bookings)."""
        said = (phrase.columns for word in told_by(text) for phrase in self._phrases.get((word,), ()))
        return NOBODY.union(*said)

    def _is_here(self, text: str, words: Sequence[re.Match[str]], phrase: Phrase) -> bool:
        """Tell whether words that read like a phrase are it: close together and counting nothing."""
        start, end = words[0].start(), words[-1].end()
        if len(words) > 1 and any(_is_apart(text[a.end() : b.start()]) for a, b in pairwise(words)):
            return False
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


def _is_apart(gap: str) -> bool:
    """Tell whether too much stands between two words for them to be of one name."""
    return len(gap) > 4 or "\n" in gap
