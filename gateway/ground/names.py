"""Where a text names rows and columns of a result: values, labels, synonyms, unique words of them, periods."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from gateway.ground.sheet import Sheet, as_text
from metric_layer.periods import CHANGED_BY, COUNT_WORDS, PLURAL, Period, PeriodParser, Window

WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?")
DASHES = re.compile(r"\s?[\u2010-\u2015\u2212-]\s?")
SMALL_WORDS = frozenset(
    "a an the of and or in on at to for by from with per as is was are were be been total net no not all other others "
    "average mean new less more than its their it value number amount percent rate date name type year month week day "
    "quarter current ended ending first last non sub main part group region state country city team which this that "
    "one two three four five six seven eight nine ten".split()
)
MAX_PHRASE = 14


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of text that names rows (`column` is the key column) or columns (`column` is -1).

    `full` is false where only a word of a longer name is there.
    """

    start: int
    end: int
    column: int
    rows: frozenset[int]
    columns: frozenset[int]
    full: bool

    @property
    def names_rows(self) -> bool:
        """Tell whether rows are named, not columns."""
        return self.column >= 0


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words to look for and what they name."""

    words: tuple[str, ...]
    column: int
    rows: frozenset[int]
    columns: frozenset[int]
    full: bool
    text: str = ""


def stem(word: str) -> str:
    """Return a word in lower case without a plural or possessive ending."""
    low = word.lower().removesuffix("'s").replace("'", "")
    if len(low) < 4 or low[-1] != "s" or low[-2:] in ("ss", "us", "is") or low[0].isdigit():
        return low
    if low.endswith("ies"):
        return low[:-3] + "y"
    return low[:-2] if low.endswith(("sses", "xes", "ches", "shes")) else low[:-1]


def split_words(text: str) -> tuple[str, ...]:
    """Return the stems of a text."""
    return tuple(stem(found.group()) for found in WORD.finditer(text.replace("\u2019", "'")))


class Names:
    """The names of one result, ready to be found in a text."""

    def __init__(self, sheet: Sheet, parser: PeriodParser) -> None:
        """Collect every phrase that names a row or a column."""
        self.sheet = sheet
        self.parser = parser
        self.column_windows = self._column_windows()
        self.row_windows = self._row_windows()
        self.phrases: dict[tuple[str, ...], list[Phrase]] = {}
        lengths: dict[str, set[int]] = {}
        for phrase in (*self._column_phrases(), *self._row_phrases()):
            if phrase.words:
                self.phrases.setdefault(phrase.words, []).append(phrase)
                lengths.setdefault(phrase.words[0], set()).add(len(phrase.words))
        self.lengths = {word: sorted(found, reverse=True) for word, found in lengths.items()}
        self.prefixes = self._prefixes()
        self.nouns = self._nouns()
        self.counted = self._counted()
        self.heads = self._heads()

    def find(self, text: str, periods: Sequence[Period]) -> tuple[Mention, ...]:
        """Return every mention in a text in order; names overlapping a longer name are dropped."""
        found = [*self._find_phrases(text), *self._find_periods(periods)]
        found.sort(key=lambda mention: (mention.start, -mention.end))
        return tuple(_without_inner(found))

    def _find_phrases(self, text: str) -> Iterator[Mention]:
        words = list(WORD.finditer(text.replace("\u2019", "'")))
        stems = [stem(word.group()) for word in words]
        place = 0
        while place < len(words):
            count = 1
            named: list[Phrase] = []
            for count in self.lengths.get(stems[place], ()):
                phrases = self.phrases.get(tuple(stems[place : place + count]), ()) if place + count <= len(words) else ()
                named = [p for p in phrases if self._is_here(text, words[place : place + count], p)]
                if named:
                    break
            start, end = words[place].start(), words[place + count - 1].end() if named else words[place].end()
            for p in named:
                yield Mention(start, end, p.column, p.rows, p.columns, p.full)
            if not named and stems[place][:6] in self.prefixes:
                yield Mention(start, end, -1, frozenset(), self.prefixes[stems[place][:6]], False)
            place += count if named else 1

    def _is_here(self, text: str, words: Sequence[re.Match[str]], phrase: Phrase) -> bool:
        """Tell whether words that read like a phrase are it: close together, not counting, in capitals where it is short."""
        start, end = words[0].start(), words[-1].end()
        gaps = (text[a.end() : b.start()] for a, b in zip(words, words[1:], strict=False))
        if any(len(gap) > 4 or "\n" in gap for gap in gaps):
            return False
        if phrase.text.isdigit():
            return not self._counts(text, start, end)
        if len(words) > 1 and phrase.column >= 0 and "".join(phrase.words).isdigit():
            return DASHES.sub("-", text[start:end]) in DASHES.sub("-", phrase.text)
        short = len(phrase.words) == 1 and len(phrase.words[0]) <= 2
        return not (short and phrase.full and text[start:end].islower() and phrase.text[:1].isupper())

    def _counts(self, text: str, start: int, end: int) -> bool:
        """Tell whether digits count something or belong to a longer number, and so are no name."""
        before, after = text[max(0, start - 12) : start], text[end : end + 24]
        if re.search(r"[\d$€£¥.,]\Z", before.rstrip(" ")) and not before.endswith((", ", ". ")):
            return True
        if re.match(r"[.,]\d|\s?%|\s?(?:percent|million|thousand|billion|k\b|m\b)", after):
            return True
        if re.search(r"\b(?:in|since|during|year|until|FY)\s\Z", before, re.IGNORECASE):
            return False
        if CHANGED_BY.search(text[max(0, start - 24) : start]):
            return True
        following = re.match(r"(?:\s(?!in\b|and\b|on\b|at\b|for\b|by\b|to\b|of\b|was\b|were\b)[^\W\d_]+){1,3}", after)
        words = following.group().split() if following else []
        if words and not re.search(r"\b(?:the|his|her|their|its)\s\Z", before) and PLURAL.fullmatch(words[0]):
            return True
        nouns = self.counted | COUNT_WORDS
        return any(word in nouns or stem(word) in nouns for word in words)

    def _counted(self) -> frozenset[str]:
        """Return the words of column labels that a number may count, singular and plural."""
        labels = (self._label(column) for column in range(len(self.sheet.columns)))
        stems = {word for label in labels for word in split_words(label) if word not in SMALL_WORDS and word.isalpha()}
        return frozenset(stems | {word + "s" for word in stems})

    def _find_periods(self, periods: Sequence[Period]) -> Iterator[Mention]:
        for period in periods:
            columns = self._columns_in(period)
            if columns:
                yield Mention(period.start, period.end, -1, frozenset(), columns, True)
            for key, windows in self.row_windows.items():
                rows = _matching(period, windows)
                if rows:
                    yield Mention(period.start, period.end, key, rows, frozenset(), True)

    def _columns_in(self, period: Period) -> frozenset[int]:
        return _matching(period, self.column_windows)

    def _label(self, column: int) -> str:
        return self.sheet.columns[column].label or self.sheet.columns[column].name

    def _column_windows(self) -> tuple[tuple[int, Window], ...]:
        found = ((i, self._window(self._label(i), self.sheet.columns[i].grain)) for i in self.sheet.numeric)
        return tuple((i, window) for i, window in found if window)

    def _row_windows(self) -> dict[int, tuple[tuple[int, Window], ...]]:
        windows: dict[int, tuple[tuple[int, Window], ...]] = {}
        for key in self.sheet.keys:
            grain = self.sheet.columns[key].grain
            cells = [row[key] for row in self.sheet.table.rows]
            cache = {cell: self._window(cell, grain) for cell in dict.fromkeys(cells)} if _dated(cells) else {}
            found = tuple((row, window) for row, cell in enumerate(cells) if (window := cache.get(cell)))
            if found:
                windows[key] = found
        return windows

    def _window(self, cell: object, grain: str | None) -> Window | None:
        """Return the days a cell or a column label stands for."""
        calendar = self.parser.calendar
        if isinstance(cell, datetime):
            cell = cell.date()
        if isinstance(cell, date):
            return calendar.bounds(cell, grain) if grain else (cell, cell + timedelta(days=1))  # type: ignore[arg-type]
        text = str(cell).strip()
        if re.fullmatch(r"(?:19|20)\d\d", text):
            return date(int(text), 1, 1), date(int(text) + 1, 1, 1)
        found = self.parser.find(text) if 3 < len(text) < 30 and re.search(r"\d", text) else ()
        whole = len(found) == 1 and found[0].end - found[0].start == len(text) and not found[0].bare
        return found[0].readings[0] if whole and found[0].readings else None

    def _column_phrases(self) -> Iterator[Phrase]:
        seen: dict[str, set[int]] = {}
        for i, column in enumerate(self.sheet.columns):
            if i in self.sheet.keys:
                continue
            forms = {column.label, column.name.replace("_", " "), *column.synonyms}
            forms |= {_without_brackets(form) for form in forms}
            for words in {split_words(form) for form in forms if form}:
                yield Phrase(words, -1, frozenset(), frozenset((i,)), True, " ".join(words))
            for word in {w for form in forms for w in split_words(_without_brackets(form))}:
                seen.setdefault(word, set()).add(i)
        keys = {word for key in self.sheet.keys for word in split_words(self._label(key))}
        for word, columns in seen.items():
            if len(columns) == 1 and len(word) > 1 and word not in SMALL_WORDS and word not in keys and not word.isdigit():
                yield Phrase((word,), -1, frozenset(), frozenset(columns), False)

    def _prefixes(self) -> dict[str, frozenset[int]]:
        """Return beginnings of words that belong to one column only ("attend" of Attendance, for "attendees")."""
        seen: dict[str, set[int]] = {}
        for i in range(len(self.sheet.columns)):
            for word in split_words(self._label(i)):
                if len(word) >= 6 and word not in SMALL_WORDS:
                    seen.setdefault(word[:6], set()).add(i)
        keys = set(self.sheet.keys)
        return {start: frozenset(found) for start, found in seen.items() if len(found) == 1 and not found & keys}

    def _row_phrases(self) -> Iterator[Phrase]:
        for key in self.sheet.keys:
            groups: dict[str, set[int]] = {}
            for row, values in enumerate(self.sheet.table.rows):
                text = as_text(values[key]).strip()
                if text and text != "-":
                    groups.setdefault(text, set()).add(row)
            yield from self._value_phrases(key, groups)

    def _value_phrases(self, key: int, groups: dict[str, set[int]]) -> Iterator[Phrase]:
        parts: dict[str, set[str]] = {}
        label = split_words(self._label(key))
        for text, rows in groups.items():
            named = frozenset(rows)
            for words in _value_forms(text):
                if len(words) == 1 and words[0].isdigit() and not re.fullmatch(r"(?:19|20)\d\d", text):
                    if label:
                        yield Phrase((label[-1], *words), key, named, frozenset(), True)
                elif len(words) <= MAX_PHRASE:
                    yield Phrase(words, key, named, frozenset(), True, text)
            words = split_words(_without_brackets(text))
            if 1 < len(words) <= 10:
                for word in set(words):
                    parts.setdefault(word, set()).add(text)
        for word, texts in parts.items():
            if len(texts) == 1 and len(word) > 2 and word not in SMALL_WORDS and not word.isdigit():
                yield Phrase((word,), key, frozenset(groups[next(iter(texts))]), frozenset(), False)

    def _nouns(self) -> frozenset[str]:
        """Return words, singular and plural, that count something of the result."""
        found = {word for i in range(len(self.sheet.columns)) for word in WORD.findall(self._label(i).lower())}
        found |= {word for column in self.sheet.columns for name in column.synonyms for word in WORD.findall(name.lower())}
        found -= SMALL_WORDS
        return frozenset(found | {word + "s" for word in found} | {word.removesuffix("s") for word in found if len(word) > 3})

    def _heads(self) -> frozenset[str]:
        """Return the words that stand before a number in the names of rows ("iphone" of "iPhone 15")."""
        heads = {self._label(key).lower().split()[-1] for key in self.sheet.keys if self._label(key).split()}
        for key in self.sheet.keys:
            for values in self.sheet.table.rows:
                cell = values[key]
                if isinstance(cell, str):
                    heads.update(word.lower() for word in re.findall(r"([^\W\d_]+)[ -]\d", cell[:80]))
        return frozenset(heads - SMALL_WORDS - self._months_heads())

    def _months_heads(self) -> frozenset[str]:
        return frozenset("in of to at by and for from january february march april may june july august september october november december".split())


def _matching(period: Period, windows: Iterable[tuple[int, Window]]) -> frozenset[int]:
    """Return the rows or columns whose days are those of a period, or lie inside it when none is equal."""
    listed = tuple(windows)
    equal = frozenset(i for i, window in listed if window in period.readings)
    if equal or period.bare:
        return equal
    return frozenset(
        i for i, window in listed for reading in period.readings if reading[0] <= window[0] and window[1] <= reading[1]
    )


def _dated(cells: Sequence[object]) -> bool:
    """Tell whether a key column holds dates or names of periods."""
    first = next((cell for cell in cells if cell is not None), None)
    if isinstance(first, date):
        return True
    return isinstance(first, str) and len(first) < 30 and re.search(r"\d\d|Q\d|H\d", first) is not None


def _value_forms(text: str) -> set[tuple[str, ...]]:
    """Return the ways a value is written: whole, without brackets, "&" as "and", without what follows a comma."""
    forms = {text, _without_brackets(text), text.replace("&", " and ")}
    if "," in text and len(text) < 60:
        forms.add(text.split(",")[0])
    found = {split_words(form) for form in forms}
    return {words for words in found if words and not (len(words) == 1 and (len(words[0]) < 2 or words[0] in SMALL_WORDS) and text.lower() in SMALL_WORDS)}


def _without_brackets(text: str) -> str:
    return re.sub(r"\s*[(\[][^()\[\]]*[)\]]", "", text).strip()


def _without_inner(found: Sequence[Mention]) -> Iterator[Mention]:
    """Yield mentions, sorted by start and falling end, that do not lie inside a longer one."""
    start = end = -1
    for mention in found:
        if mention.end <= end and (mention.start, mention.end) != (start, end):
            continue
        if mention.end > end:
            start, end = mention.start, mention.end
        yield mention
