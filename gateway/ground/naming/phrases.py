"""Every way the names of a result may be written: labels, synonyms, values and unique words."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gateway.ground.lexing.numerals import SCALES
from gateway.ground.lexing.stems import SMALL_WORDS, WORD, split_words, stem, without_brackets
from gateway.ground.naming.cut_names import cut_names
from gateway.ground.naming.distances import ways_of
from gateway.ground.naming.headers import (
    COUNTED_BY,
    ENDINGS,
    ORDINALS,
    counter_of,
    is_running,
    number_of,
    numbered_forms,
    percent_names,
    spelled_out,
)
from gateway.ground.naming.kpis import other_names
from gateway.ground.naming.listed_names import listed_names
from gateway.ground.naming.row_words import words_for
from gateway.ground.table.sheet import Sheet, as_text
from gateway.ground.table.turnouts import OF_VOTES, ON_ROLL, is_count, is_roll, ways_to_say
from metric_layer.period_words import MONTH_NAMES, MONTHS

MAX_PHRASE = 14
MAX_PARTS = 10
PREFIX = 6
ELEVATION = frozenset(("elevation", "altitude"))
NONE = "(none)"
# Marks another way to write a distance, which may also be a length.
OVER = "over"
# Headers of one letter that are a word of every sentence.
ARTICLES = frozenset(("a", "i"))
NOBODY: frozenset[int] = frozenset()
NOBODY_SAID: frozenset[str] = frozenset()
WHOLE = frozenset(("total", "totals", "overall", "all", "altogether"))
# "Top 5" is also said "top five".
DIGIT = re.compile(r"(?<=[^\W\d_]\s)(?:[1-9]|1[0-2])(?!\w)")
MONEY = re.compile(
    r"(?:US|A|C)?[$\u20ac\u00a3\u00a5\u20b9]\s?\d[\d,.]*(?:\s?(?:thousand|million|billion|k|mn?|bn))?",
    re.IGNORECASE,
)
DAY_OF = re.compile(r"(?P<month>[^\W\d_]+)\s(?P<day>\d{1,2})")
COUNTED = re.compile(r"([1-9]|1[0-2])\s([^\W\d_]+)")
# "3x Platinum" is said triple platinum.
MULTIPLIED = re.compile(r"([2-5])\s?[\u00d7xX]\s?([^\W\d_]+)")
TIMES = {2: "double", 3: "triple", 4: "quadruple", 5: "quintuple"}
SIGNED = re.compile(r"[\u00b1\u0394]|\+\s?/\s?[-\u2212\u2013]")
# A result in front of its score ("W 24-17").
SCORED = re.compile(
    r"(?:[WLDT]|Won|Lost|Win|Loss|Draw|Tie)[\s,(]{1,2}(\d{1,3}[-\u2013]\d{1,3})\)?", re.IGNORECASE
)
# A score that was lost is also told the other way round.
LOST = re.compile(r"(?:L|Lost|Loss)[\s,(]{1,2}(\d{1,3})([-\u2013])(\d{1,3})\)?", re.IGNORECASE)
YEAR = re.compile(r"(?:19|20)\d\d")
TYPE = re.compile(r"[^\W\d_][^\W_]*(?:\s[^\W_]+)*\s\d{1,4}")
YEAR_IN = re.compile(r"(?<![\w.,\u2013-])(?:1[89]|20)\d\d(?![\w\u2013-]|[.,]\d)")
# The last of a name of people, which also stands in the title of a page of theirs ("Ann Mary Lund").
SURNAME = re.compile(
    r"\A(?:[^\W\d_a-z][\w.'\u2019\"-]*\s)+(?P<last>[^\W\d_a-z](?:['\u2019][^\W\d_a-z])?[^\W\d_]{2,})"
    r"(?:,?\s(?:[JS]r\.?|I{2,3}|IV))?\Z"
)
COMPASS = frozenset(("North", "South", "East", "West"))
MEN, WOMEN = frozenset(("male", "man", "boy")), frozenset(("female", "woman", "girl"))
PEOPLE = frozenset(("population", "inhabitant", "resident"))
KINDS_OF_PEOPLE = frozenset(
    ("household", "house", "literate", "illiterate", "worker", "child", "caste", "tribe", "age")
)
# Of a column of differences, whose label numbers nothing ("To par").
SIGNS = re.compile(r"[-+\u2212\u2013]\d+")
NOT_HEADS = frozenset(
    (
        "in", "of", "to", "at", "by", "and", "for", "from", "january", "february", "march", "april", "may",
        "june",
        "july", "august", "september", "october", "november", "december",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words to look for and what they name: rows of the key column `column`, or columns where it is -1.

    `full` is false for a word of a longer name. `text` is the name itself.
    """

    words: tuple[str, ...]
    column: int
    rows: frozenset[int]
    columns: frozenset[int]
    full: bool
    text: str = ""


def all_phrases(sheet: Sheet, subjects: frozenset[str] = NOBODY_SAID) -> Iterator[Phrase]:
    """Yield every phrase that names a column or a row; `subjects` are stems of what the rows are."""
    yield from _column_phrases(sheet)
    yield from _numbered_phrases(sheet, subjects)
    for key in (key for key in sheet.keys if key not in sheet.figured):
        groups: dict[str, set[int]] = {}
        for row, values in enumerate(sheet.table.rows):
            text = as_text(values[key]).strip()
            if text and text != "-":
                groups.setdefault(text, set()).add(row)
        yield from _value_phrases(sheet, key, groups, subjects)
        yield from _part_phrases(key, groups, subjects.union(split_words(sheet.label(key))))
        yield from _year_phrases(key, groups)
        yield from _null_phrases(sheet, key)
        for word, said_rows in words_for(groups):
            yield Phrase((word,), key, said_rows, NOBODY, False)
        for text in sorted(COMPASS & groups.keys()):  # "the two northern stores" of the region North
            yield Phrase((f"{text.lower()}ern",), key, frozenset(groups[text]), NOBODY, True, f"{text}ern")
        for text, way in cut_names(groups):
            yield Phrase(split_words(way), key, frozenset(groups[text]), NOBODY, True, way)
        for text, name in listed_names(groups):
            yield Phrase(split_words(name), key, frozenset(groups[text]), NOBODY, True, name)
        for text, way in ways_of(groups):
            yield Phrase(split_words(way), key, frozenset(groups[text]), NOBODY, True, f"{OVER} {way}")


def _column_phrases(sheet: Sheet) -> Iterator[Phrase]:
    seen: dict[str, set[int]] = {}
    for i in sorted(sheet.figured):
        column = sheet.columns[i]
        forms = {column.label, column.name.replace("_", " "), *column.synonyms} - {""}
        forms |= {without_brackets(form) for form in forms}
        forms |= set(other_names(forms)) | set(percent_names(column.label))
        forms |= {DIGIT.sub(lambda found: ORDINALS[int(found.group())][0], form) for form in forms}
        for said in {said for form in forms for said in spelled_out(form)}:
            yield Phrase(split_words(said), -1, NOBODY, frozenset((i,)), False)
        if not ELEVATION.isdisjoint(split_words(column.label)):
            yield Phrase(split_words("above sea level"), -1, NOBODY, frozenset((i,)), False)
        for words in {split_words(form) for form in forms if form.lower() not in ARTICLES}:
            if len(words) > 1 or not SIGNED.search(column.label):  # "Seats +/-" are no seats
                yield Phrase(words, -1, NOBODY, frozenset((i,)), True, " ".join(words))
            if "per" in words[1:-1]:
                yield Phrase(words[words.index("per") :], -1, NOBODY, frozenset((i,)), False)
        for word in {word for form in forms for word in split_words(without_brackets(form))}:
            seen.setdefault(word, set()).add(i)
    taken = SMALL_WORDS | {
        word for key in sheet.keys if key not in sheet.figured for word in split_words(sheet.label(key))
    }
    totals = {i for i in sheet.numeric if set(split_words(sheet.label(i))) <= {"total", "overall"}}
    for word, own in seen.items():
        columns = own | totals if len(own) > 1 else own
        shared = len(columns) == 1 or len(columns) < len(sheet.figured)
        counts = word.isdigit() or word in SCALES
        if shared and len(word) > 1 and word not in taken and not counts:
            yield Phrase((word,), -1, NOBODY, frozenset(columns), False)


def _numbered_phrases(sheet: Sheet, subjects: frozenset[str]) -> Iterator[Phrase]:
    """Yield the names of rows that a column of running numbers gives ("series 2", "third round")."""
    for column in sheet.numeric:
        word = counter_of(sheet.label(column))
        if not word or not is_running(sheet.figures(column)):
            continue
        told = [word, *sorted(subjects - SMALL_WORDS)] if word in COUNTED_BY else [word]
        told += filter(None, (number_of(sheet.label(column)),))
        for row, value in sheet.column_values(column):
            for form in (form for noun in told for form in numbered_forms(noun, int(value))):
                yield Phrase(split_words(form), column, frozenset((row,)), NOBODY, True, form)


def _value_phrases(
    sheet: Sheet, key: int, groups: dict[str, set[int]], subjects: frozenset[str]
) -> Iterator[Phrase]:
    """Yield the values of a key column; bare numbers only behind the column's own word ("week 12")."""
    label, counter = split_words(sheet.label(key)), counter_of(sheet.label(key))
    counting = list(filter(None, (counter, number_of(sheet.label(key)))))
    told = sorted(subjects - SMALL_WORDS) if counter in COUNTED_BY else []
    if len([c for c in range(len(sheet.columns)) if counter_of(sheet.label(c)) in COUNTED_BY]) > 1:
        told = []
    for text, found in _naming(groups).items():
        rows = frozenset(found)
        month = MONTHS.get(text.lower().rstrip("."))
        for name in MONTH_NAMES[month - 1][:2] if month else ():
            yield Phrase((name,), key, rows, NOBODY, True, name)
        if text.lower() in WHOLE:
            yield Phrase((stem(text),), key, rows, NOBODY, False)
        lost = LOST.fullmatch(text)
        if lost is not None:
            said = f"{lost[3]}{lost[2]}{lost[1]}"
            yield Phrase(split_words(said), key, rows, NOBODY, True, said)
        for words in _value_forms(text):
            if len(words) == 1 and words[0].isdigit() and not YEAR.fullmatch(text):
                for form in _numbered(label[-1], text, [*told, *counting]) if label else ():
                    yield Phrase(split_words(form), key, rows, NOBODY, True, form if " " in form else "")
                yield Phrase(words, key, rows, NOBODY, True, text)
            elif len(words) <= MAX_PHRASE:
                yield Phrase(words, key, rows, NOBODY, True, text)


def _naming(groups: dict[str, set[int]]) -> dict[str, set[int]]:
    """Return the values of a column that name rows: beside words ("Free transfer") money is a figure."""
    worded = any(not any(map(str.isdigit, text)) for text in groups)
    return {text: rows for text, rows in groups.items() if not (worded and MONEY.fullmatch(text))}


def _numbered(word: str, text: str, told: Sequence[str]) -> Iterator[str]:
    """Yield how a row numbered in a text column is named: "week 12", and "second season" of Season."""
    yield f"{word} {text}"
    for noun in told:
        if text.isdigit() and len(text) < 3:
            yield from numbered_forms(noun, int(text))


def _null_phrases(sheet: Sheet, key: int) -> Iterator[Phrase]:
    """Yield how rows without a value are named: "(none)" as we print it, "no region", "unknown region"."""
    rows = frozenset(row for row, values in enumerate(sheet.table.rows) if values[key] is None)
    for form in (
        (NONE, *(f"{word} {sheet.label(key)}" for word in ("no", "without", "unknown"))) if rows else ()
    ):
        yield Phrase(split_words(form), key, rows, NOBODY, True, form)


def _part_phrases(key: int, groups: dict[str, set[int]], subjects: frozenset[str]) -> Iterator[Phrase]:
    """Yield the words that only one value of a key column has ("Trammell" of Terrence Trammell)."""
    parts: dict[str, list[str]] = {}
    for text in groups:
        words = split_words(without_brackets(text))
        if 1 < len(words) <= MAX_PARTS:
            for word in set(words):
                parts.setdefault(word, []).append(text)
    for word, texts in parts.items():
        if len(texts) != 1 or word in SMALL_WORDS or word.isdigit():
            continue
        if len(word) < 3:
            if re.search(rf"\b{word.upper()}\b", texts[0]) and len(word) == 2:  # "UK" of UK Singles
                yield Phrase((word,), key, frozenset(groups[texts[0]]), NOBODY, False, word.upper())
            continue
        if word not in subjects:
            yield Phrase((word,), key, frozenset(groups[texts[0]]), NOBODY, False)
        last = SURNAME.search(without_brackets(texts[0])) if word in subjects else None
        if last is not None and split_words(last["last"]) == (word,):
            yield Phrase((word,), key, frozenset(groups[texts[0]]), NOBODY, False, last["last"])


def _year_phrases(key: int, groups: dict[str, set[int]]) -> Iterator[Phrase]:
    """Yield the years that tell most names of a key column apart ("in 1990" of 1990 Cup, 1994 Cup)."""
    years: dict[str, list[str]] = {}
    for text in groups:
        said = YEAR_IN.findall(text)
        if len(said) == 1 and said[0] != text:
            years.setdefault(said[0], []).append(text)
    for year, texts in years.items() if len(years) * 2 > len(groups) else ():
        if len(texts) == 1:
            yield Phrase((year,), key, frozenset(groups[texts[0]]), NOBODY, False, year)


def _value_forms(text: str) -> set[tuple[str, ...]]:
    """Return the ways a value is written: whole, without brackets, "&" as "and", up to a comma."""
    forms = {text, without_brackets(text), text.replace("&", " and ")}
    if text.count(",") == 1:
        forms.add(text.replace(",", " and"))
        forms |= _led_forms(*text.split(","))
    score = SCORED.fullmatch(text)
    if score is not None:
        forms.add(score.group(1))
    times = MULTIPLIED.fullmatch(text)
    if times is not None:
        forms.add(f"{TIMES[int(times[1])]} {times[2]}")
    day = DAY_OF.fullmatch(text)
    if day is not None and day["month"].lower() in MONTHS:  # "May 17th"
        forms.add(text + ("th" if day["day"][:-1] == "1" else ENDINGS.get(int(day["day"][-1]), "th")))
    led = COUNTED.fullmatch(text)
    if led is not None:
        forms.add(f"{ORDINALS[int(led.group(1))][0]} {led.group(2)}")
    if text.count("/") == 1:  # "Isar Bianca/Weisse Isar": each of the two names
        forms |= {part.strip() for part in text.split("/") if " " in part.strip() and part[0].isupper()}
    first = text.split(",")[0]
    if "," in text and len(text) < 60 and not first.isdigit():
        forms.add(first)
    if TYPE.fullmatch(text):
        forms.add(f"{text}s")  # "44 Swift 2s"
    small = text.lower() in WHOLE or (text.lower() in SMALL_WORDS and not text[0].isupper())
    return {words for words in map(split_words, forms) if words and not (small and len(words) == 1)}


def _led_forms(noun: str, told: str) -> set[str]:
    """Return how a name whose qualifier stands behind it is said ("current deferred revenue")."""
    told = told.strip()
    plain = told.islower() and len(told.split()) <= 2 and not any(c.isdigit() for c in noun + told)
    return {f"{told} {noun}"} if plain and " and " not in f" {told} " else set()


def prefixes(sheet: Sheet) -> dict[str, frozenset[int]]:
    """Return beginnings of words that belong to one column only ("attend" of Attendance, for "attendees")."""
    seen: dict[str, set[int]] = {}
    for i in range(len(sheet.columns)):
        for word in split_words(sheet.label(i)):
            if len(word) >= PREFIX and word not in SMALL_WORDS and word not in SCALES:
                seen.setdefault(word[:PREFIX], set()).add(i)
    keys = set(sheet.keys)
    return {start: frozenset(found) for start, found in seen.items() if len(found) == 1 and not found & keys}


def numbered(sheet: Sheet) -> dict[str, frozenset[str]]:
    """Return, for every key column whose values are bare numbers, the word it goes by and its values."""
    found: dict[str, frozenset[str]] = {}
    for key in sheet.keys:
        values = frozenset(as_text(row[key]).strip() for row in sheet.table.rows) - {"", "-"}
        words = split_words(sheet.label(key))
        if words and values and all(value.isdigit() and len(value) < 4 for value in values):
            found[words[-1]] = values
    return found


def counted_words(sheet: Sheet) -> frozenset[str]:
    """Return the words of column labels that a number may count, singular and plural."""
    dated = {k for k in sheet.keys if all(YEAR.match(as_text(row[k])) for row in sheet.table.rows)}
    labels = (split_words(sheet.label(c)) for c in range(len(sheet.columns)) if c not in dated)
    stems = {word for label in labels for word in label if word not in SMALL_WORDS and word.isalpha()}
    return frozenset(stems | {word + "s" for word in stems})


def noun_forms(sheet: Sheet) -> frozenset[str]:
    """Return the words of labels and synonyms as written, with and without a plural ending."""
    names: Iterable[str] = (
        name for i, column in enumerate(sheet.columns) for name in (sheet.label(i), *column.synonyms)
    )
    found = {word for name in names for word in WORD.findall(name.lower())} - SMALL_WORDS
    singular = {word.removesuffix("s") for word in found if len(word) > 3}
    return frozenset(found | {word + "s" for word in found} | singular)


def heads(sheet: Sheet) -> frozenset[str]:
    """Return the words that stand before a number in the names of rows ("iphone" of "iPhone 15")."""
    dated = {k for k in sheet.keys if all(YEAR.match(as_text(row[k])) for row in sheet.table.rows)}
    signed = {k for k in sheet.keys if any(SIGNS.fullmatch(as_text(row[k])) for row in sheet.table.rows)}
    labels = (sheet.label(key).lower().split() for key in sheet.keys if key not in dated | signed)
    found = {words[-1] for words in labels if words}
    for key in sheet.keys:
        for values in sheet.table.rows:
            cell = values[key]
            if isinstance(cell, str):
                found.update(word.lower() for word in re.findall(r"([^\W\d_]+)[ -]\d", cell[:80]))
    return frozenset(found - SMALL_WORDS - NOT_HEADS)


def month_phrases(sheet: Sheet) -> Iterator[Phrase]:
    """Yield the other names of columns that are months ("July" for Jul)."""
    for column in sheet.numeric:
        number = MONTHS.get(sheet.label(column).strip().lower().rstrip("."))
        for name in MONTH_NAMES[number - 1][:2] if number else ():
            yield Phrase((name,), -1, NOBODY, frozenset((column,)), True, name)


def people_phrases(sheet: Sheet) -> Iterator[Phrase]:
    """Yield what all of a table of men and women are called ("a population of 946"): a row, or a column.

    Where rows are kinds of people it is the row of totals, where rows are places the column of totals.
    """
    sexes = [any(said & sheet.label_words[c] for c in sheet.numeric) for said in (MEN, WOMEN)]
    keys = [key for key in sheet.keys if key not in sheet.figured]
    if not all(sexes) or not keys:
        return
    names = (" ".join(sheet.row_key(row)) for row in range(sheet.height))
    spoken = {word for said in names for word in split_words(said)}
    if spoken & PEOPLE:
        return  # a row of its own says how many they are
    totals = frozenset(c for c in sheet.numeric if sheet.label(c).lower() in ("total", "both", "persons"))
    kinds = not totals or not KINDS_OF_PEOPLE.isdisjoint(spoken)
    rows = sheet.wholes if kinds else NOBODY
    for noun in sorted(PEOPLE - spoken.union(*sheet.label_words)):
        if len(rows) == 1:
            yield Phrase((noun,), keys[0], rows, NOBODY, True, noun)
        elif not kinds:
            yield Phrase((noun,), -1, NOBODY, totals, True, noun)


def voted_phrases(sheet: Sheet) -> Iterator[Phrase]:
    """Yield what the row of those who voted is called ("751 votes were cast")."""
    rows = sheet.turnouts or sheet.wholes
    keys = [key for key in sheet.keys if key not in sheet.figured]
    labels = NOBODY_SAID.union(*(sheet.label_words[c] for c in sheet.numeric))
    held = frozenset(
        c for c in sheet.numeric if any(is_count(sheet.number(r, c), whole=c in sheet.counts) for r in rows)
    )
    counted = frozenset(c for c in held if OF_VOTES & sheet.label_words[c]) or held
    for said in ways_to_say(bool(sheet.turnouts), labels) if keys and len(rows) == 1 else ():
        yield Phrase(split_words(said), keys[0], rows, NOBODY, True, said)
        yield Phrase(split_words(said), -1, NOBODY, counted, True, said)
    rolls = frozenset(row for row in sheet.totals if any(map(is_roll, sheet.row_key(row))))
    for said in ON_ROLL if keys and len(rolls) == 1 else ():
        yield Phrase(split_words(said), keys[0], rolls, NOBODY, True, said)


def base_phrases(bases: Mapping[str, set[int]]) -> Iterator[Phrase]:
    """Yield what dated columns are called without their period."""
    for base, columns in bases.items():
        if base:
            yield Phrase(split_words(base), -1, NOBODY, frozenset(columns), True, base)
