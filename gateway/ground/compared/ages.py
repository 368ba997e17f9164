"""Who is the oldest or the newest, and who was the first or the last to do something, by years of a row."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from gateway.ground.compared.bare import clause_of
from gateway.ground.compared.verdict import SOME, Verdict
from gateway.ground.lexing.lexicon import one_of
from gateway.ground.lexing.stems import split_words
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet, as_text

OLDEST = one_of("oldest", "earliest")
NEWEST = one_of("newest", "youngest", "latest", "most recent")
# "The last to be automated", "the first line to open".
DEED = re.compile(
    r"\bthe\s(?:(?P<first>first)|last)\s(?:of\s(?:them|these|the\s[a-z]+)\s|[a-z]+\s)?to\s(?:be\s|have\sbeen\s|get\s)?(?P<deed>[a-z]{3,})\b",
    re.IGNORECASE,
)
# When something came to be; any other year is that of what happened to it later.
ORIGIN = re.compile(
    r"\b(?:built|open(?:ed|ing)|found(?:ed|ation)|establish(?:ed|ment)|complet(?:ed|ion)|construct(?:ed|ion)|creat(?:ed|ion)"
    r"|incorporated|launch(?:ed)?|commissioned|born|birth|consecrated|erected|formed|released?|inaugurated)\b",
    re.IGNORECASE,
)
# The oldest of those is so by age, and not by the year of the row.
PERSON = re.compile(
    r"\s(?:(?:ever|living|surviving|male|female|[a-z]+ing)\s)?(?:person|people|player|winner|champion|member|man|woman|driver|rider|scorer"
    r"|goalscorer|medall?ist|candidate|competitor|contestant|athlete|recipient|president|mayor|child|sibling|of\sthe\s[a-z]+)\b",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
STEM = 4


def aged(text: str, sheet: Sheet, sentence: Sentence, rows: frozenset[int]) -> Iterator[Verdict]:
    """Yield what the years of the rows say of an age; `rows` are those that its numbers stand in."""
    if sheet.table.truncated:
        return
    for pattern, late in ((OLDEST, False), (NEWEST, True)):
        for word in pattern.finditer(text, sentence.start, sentence.end):
            years = _of_origin(sheet, text, word)
            yield from _judged(text, years, sentence, word, rows, late=late)
    for word in DEED.finditer(text, sentence.start, sentence.end):
        years = _of_deed(sheet, word["deed"])
        yield from _judged(text, years, sentence, word, rows, late=word["first"] is None)


def _judged(
    text: str,
    years: dict[int, Decimal],
    sentence: Sentence,
    word: re.Match[str],
    rows: frozenset[int],
    *,
    late: bool,
) -> Iterator[Verdict]:
    """Yield whether the row that a word is said of has the first or the last year of its field."""
    start, end = clause_of(text, sentence, word.start(), word.end())
    full = [m for m in sentence.rows if m.full]
    near = [m for m in full if start <= m.start and m.end <= end]
    about = _agreed(near) or rows or _agreed(full)
    if not years or len(about) != 1 or SOME.search(text, start, end):
        return
    row = next(iter(about))
    fields = [set(years), *(m.rows for m in near if len(m.rows) > 1)]
    tops = [(max if late else min)(years[r] for r in field) for field in fields]
    yield Verdict(years[row] in tops, f"the {'last' if late else 'first'} year is {tops[0]}", word.group())


def _agreed(named: Sequence[Mention]) -> frozenset[int]:
    """Return the rows that all names agree on; none where there is no name."""
    return frozenset.intersection(*(m.rows for m in named)) if named else frozenset()


def _of_origin(sheet: Sheet, text: str, word: re.Match[str]) -> dict[int, Decimal]:
    """Return the year in which each row came to be: of the one column of such years, else the only one."""
    every = {key: found for key in sheet.keys if (found := _years(sheet, key))}
    origin = [found for key, found in every.items() if ORIGIN.search(sheet.label(key))]
    if len(origin) == 1:
        return origin[0]
    alone = len(every) == 1 and not PERSON.match(text, word.end())
    return next(iter(every.values())) if alone else {}


def _of_deed(sheet: Sheet, deed: str) -> dict[int, Decimal]:
    """Return the year of each row in the one column that goes by a deed ("automated" of Automated)."""
    stem = split_words(deed)[0][:STEM]
    named = [k for k in sheet.keys if any(said.startswith(stem) for said in sheet.label_words[k])]
    return _years(sheet, named[0]) if len(named) == 1 else {}


def _years(sheet: Sheet, key: int) -> dict[int, Decimal]:
    """Return the year of every row; empty where a cell holds none, or two."""
    said = {row: YEAR.findall(as_text(cells[key])) for row, cells in enumerate(sheet.table.rows)}
    whole = len(said) > 1 and all(len(found) == 1 for found in said.values())
    return {row: Decimal(found[0]) for row, found in said.items()} if whole else {}
