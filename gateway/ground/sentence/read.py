"""A draft taken apart: slots printed, markup seen through, periods, names, numbers and sentences found."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from gateway.ground.derived.derive import Derived
from gateway.ground.derived.slots import Printed, fill
from gateway.ground.lexing.figures import WON
from gateway.ground.lexing.lexer import Known, tokenize
from gateway.ground.lexing.measures import measure_after
from gateway.ground.lexing.numerals import WORDS as NUMBER_WORDS
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.text import Visible, see
from gateway.ground.lexing.tokens import Slot, Tokens
from gateway.ground.lexing.units import TIME_UNITS
from gateway.ground.naming.dated import SEASON, YEAR_ALONE
from gateway.ground.naming.day_spans import with_day_spans
from gateway.ground.naming.mentions import Mention, without_inner
from gateway.ground.naming.names import Names
from gateway.ground.sentence.clauses import Sentence, cut, header_columns
from gateway.ground.sentence.referred import pair_mentions
from gateway.ground.table.asked import Scope
from gateway.ground.table.compounds import rests
from gateway.ground.table.sheet import Sheet, as_text
from metric_layer.period_words import PLURAL
from metric_layer.periods import Period, PeriodParser

COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
CODE = re.compile(r"(?<!\w)(?=[\w-]*[A-Za-z])(?=[\w-]*\d)[\w-]+(?!\w)")
# A number with grouped digits is no part of a date, and costs the period parser a look at every digit.
AMOUNT = re.compile(r"(?<![\d.,/-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d/-])")
# No line ends between a day and its month: what one line ends with or opens with is a number of its own.
LINE_END = re.compile(r"(?<![\w.,])\d{1,2}\.?[^\S\n]*\n|\n(?=[^\S\n]*\d{1,3}(?!\d))")
PAIR = re.compile(r"(?<![\w\u2013-])(?=([^\W\d_]+\s\d{1,4}(?![\w.,])|\d{1,4}\s[^\W\d_]+))")
# "1975 National 500" of a title.
DATED_PAIR = re.compile(r"(?<!\w)(?:1\d|20)\d\d\s[^\W\d_]+\s\d{1,4}(?![\w.,])")
OWN_YEAR = re.compile(
    rf"(?:\b(?:[Tt]he|[Hh]is|[Hh]er|[Tt]heir|[Ii]ts|(?P<count>{'|'.join(sorted(NUMBER_WORDS))}))|\w['\u2019]s?)"
    r"\s(?P<year>(?:19|20)\d\d)\s(?P<noun>[a-z]{3,})\b"
)
# What `OWN_YEAR` ends with.
YEAR_OF = re.compile(r"(?:19|20)\d\d\s[a-z]{3}")
# "The Mask Saga (2014\u201316)".
SHORT_STRETCH = re.compile(r"\((?P<first>(?:1[5-9]|20)\d\d)[-\u2013](?P<last>\d\d)\)")
FAR = 120
# A year that stands in a text cell, said as one: "the quake of 1983", "opened in August 1881".
DATED_YEAR = re.compile(
    r"\b(?:of|in|on|since|until|by|from|to|and|during|before|after|January|February|March|April|May|June|July|August"
    r"|September|October|November|December|\d,)\s(?P<year>(?:1\d|20)\d\d)(?!\w|,\d|\.\d|\s[a-z]+s\b)"
)
# "Its 2011 population", "in 2011 sales rose".
OF_IT = re.compile(
    r"\b(?:the|its|his|her|their|our|in|since|by|of|for|during|until|from|to)\s\Z|['\u2019]s?\s\Z|\A\Z"
)
OF_YEAR = re.compile(r"\s(?:of|from)\s(?P<year>(?:1\d|20)\d\d)(?!\w|,\d|\.\d)")
# "38 goals in 1520 league games", "in 1720 appearances": no year, but how often.
COUNT_IN = re.compile(r"\d(?:\s[a-z]+){1,2}\sin\s\Z")
OFTEN = re.compile(r"\s(?:[a-z]+\s)?(?:games|matches|appearances|starts|outings|caps|innings|races)\b")
LED_YEAR = re.compile(r"(?<!\w)(?P<year>(?:1\d|20)\d\d)\s\Z")
MASK = "\u00a4"
SUBJECT = 500
TIMES = frozenset(TIME_UNITS.values())
NOTHING: frozenset[str] = frozenset()
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Draft:
    """Everything found in one draft. Offsets are in the visible text, save those of `printed`."""

    printed: Printed
    visible: Visible
    spoken: Spoken
    periods: tuple[Period, ...]
    mentions: tuple[Mention, ...]
    tokens: Tokens
    sentences: tuple[Sentence, ...]


def read(draft: str, names: Names, parser: PeriodParser, scope: Scope, derived: Sequence[Derived]) -> Draft:
    """Take a draft apart. Its HTML comments are gone before anything else looks at it."""
    sheet = names.sheet
    printed = fill(COMMENT.sub("", draft), sheet, {item.id: item for item in derived}, scope.calendar)
    visible = see(printed.text)
    slots = tuple(_slots(printed, visible, sheet))
    spoken = Spoken(visible.text)
    phrases = names.phrases(spoken)
    periods = parser.find(_dateable(visible.text, phrases, names), names.counted)
    periods = with_day_spans(visible.text, periods)
    periods = _with_led_years(visible.text, periods, names)
    periods = _with_own_years(visible.text, periods)
    found = [*names.find(visible.text, periods, phrases), *_slot_mentions(slots)]
    seasons = list(_seasons_asked(visible.text, scope))
    if seasons:
        found = [m for m in found if not _lies_inside((m.start, m.end), seasons)]
    found += list(pair_mentions(visible.text, found))
    found.sort(key=lambda mention: (mention.start, -mention.end))
    counted = _counted_years(visible.text, periods, found, names)
    periods = tuple(period for period in periods if (period.start, period.end) not in counted)
    mentions = tuple(without_inner(m for m in found if (m.start, m.end) not in counted))
    slots = tuple(_with_names(visible.text, slots, mentions, sheet))
    tokens = tokenize(visible.text, _known(spoken, slots, periods, mentions, names, scope), spoken)
    sentences = cut(visible.text, tokens.quantities, mentions)
    return Draft(printed, visible, spoken, periods, mentions, tokens, sentences)


def _masked(found: re.Match[str]) -> str:
    return MASK * len(found.group())


def _dateable(text: str, phrases: Sequence[Mention], names: Names) -> str:
    """Return a text as long in which no amount, no name and no line end can be taken for part of a date."""
    masked = AMOUNT.sub(_masked, _without_names(text, phrases, names))
    return LINE_END.sub(lambda found: found.group().replace("\n", MASK), masked) if "\n" in text else masked


def _without_names(text: str, phrases: Sequence[Mention], names: Names) -> str:
    """Mask the days in names of rows that are no periods ("At 31 March", a film called "9 July")."""
    undated = (m for m in phrases if m.full and m.names_rows and m.column not in names.row_windows)
    spans = [(m.start, m.end) for m in undated if _has_digits_and_letters(text[m.start : m.end])]
    if not spans:
        return text
    characters = list(text)
    for start, end in spans:
        characters[start:end] = MASK * (end - start)
    return "".join(characters)


def _has_digits_and_letters(said: str) -> bool:
    return any(map(str.isdigit, said)) and any(map(str.isalpha, said))


def _with_led_years(text: str, periods: Sequence[Period], names: Names) -> tuple[Period, ...]:
    """Add the years that lead in the name of a column of theirs ("2023 wage growth" for Wage growth 2023)."""
    by_year: dict[str, list[int]] = {}
    for column, (first, after) in names.dated.items():
        if column not in names.column_windows and (after.year, after.month, after.day) == (
            first.year + 1,
            1,
            1,
        ):
            by_year.setdefault(str(first.year), []).append(column)
    led: list[Period] = []
    for found in YEAR_ALONE.finditer(text) if by_year else ():
        columns = by_year.get(found.group(), [])
        following = split_words(text[found.end() : found.end() + 24])[:1]
        own = columns and set(following) & {
            word for c in columns for word in split_words(names.sheet.label(c))
        }
        if own and not any(p.start < found.end() and found.start() < p.end for p in periods):
            window = names.dated[next(iter(columns))]
            led.append(Period(found.start(), found.end(), (window,), kind="year"))
    return tuple(sorted((*periods, *led), key=lambda period: period.start)) if led else tuple(periods)


def _with_own_years(text: str, periods: Sequence[Period]) -> tuple[Period, ...]:
    """Add the years that date things ("the 1997 album", "two 1997 albums") and count none of them."""
    owned: list[Period] = []
    for found in OWN_YEAR.finditer(text) if YEAR_OF.search(text) else ():
        start, end = found.span("year")
        taken = any(p.start < end and start < p.end for p in periods)
        if not taken and (found["count"] or PLURAL.fullmatch(found["noun"]) is None):
            year = int(found["year"])
            owned.append(Period(start, end, ((date(year, 1, 1), date(year + 1, 1, 1)),), kind="year"))
    return tuple(sorted((*periods, *owned), key=lambda period: period.start)) if owned else tuple(periods)


def _counted_years(
    text: str, periods: Sequence[Period], mentions: Sequence[Mention], names: Names
) -> frozenset[Span]:
    """Return the years that are figures: right behind the name of a column, or under its header."""
    years = [(p.start, p.end) for p in periods if text[p.start : p.end].isdigit()]
    if not years:
        return frozenset()
    named = [m for m in mentions if m.columns and not m.columns & names.dated.keys()]
    ends = {m.end for m in named}
    opened = {m.start for m in named if m.full}
    headed = header_columns(text, named) if "|" in text else {}
    return frozenset(
        (start, end)
        for start, end in years
        if (len(lead := text[:start].rstrip(" :=")) < start - 1 and len(lead) in ends)
        or text.rfind("|", 0, start) + 1 in headed
        or (text[start:end] not in names.sheet.years and _is_often(text, start, end))
        or (
            text[start:end] not in names.sheet.years
            and end + 1 in opened
            and not OF_IT.search(text[max(0, start - 8) : start])
        )
    )


def _is_often(text: str, start: int, end: int) -> bool:
    """Tell whether a year is a number of games, said behind what was done in them or ahead of for whom."""
    said = OFTEN.match(text, end)
    led = COUNT_IN.search(text, max(0, start - 40), start) is not None
    return said is not None and (led or text.startswith((" for ", " with "), said.end()))


def _years_of_rows(text: str, mentions: Sequence[Mention], names: Names) -> Iterator[Span]:
    """Yield the years right behind the name of a row that holds them ("the Philtower of 1928")."""
    for mention in mentions if names.sheet.years else ():
        found = OF_YEAR.match(text, mention.end) if mention.names_rows and mention.full else None
        if found and mention.rows <= names.sheet.years.get(found["year"], frozenset()):
            yield found.span("year")
        led = LED_YEAR.search(text, max(0, mention.start - 6), mention.start) if mention.full else None
        if led and mention.names_rows and mention.rows & names.sheet.years.get(led["year"], frozenset()):
            yield led.span("year")  # "eight 2012 Tony Awards"


def _stretches_of_rows(text: str, mentions: Sequence[Mention], names: Names) -> Iterator[Span]:
    """Yield the short stretches in brackets from the first to the last year of rows named before."""
    held = {
        row: {year for year, rows in names.sheet.years.items() if row in rows}
        for row in range(names.sheet.height)
    }
    for said in SHORT_STRETCH.finditer(text):
        ends = said["first"], said["first"][:2] + said["last"]
        led = (m for m in mentions if said.start() - FAR <= m.start and m.end <= said.start())
        for rows in (m.rows for m in led if len(m.rows) > 1):
            own = sorted(set().union(*(held[row] for row in rows)))
            if own and ends == (own[0], own[-1]):
                yield said.start("first"), said.end("last")


def _known(
    spoken: Spoken,
    slots: Sequence[Slot],
    periods: Sequence[Period],
    mentions: Sequence[Mention],
    names: Names,
    scope: Scope,
) -> Known:
    text = spoken.text
    named = [(m.start, m.end) for m in mentions if m.full or any(map(str.isdigit, text[m.start : m.end]))]
    named += names.codes.fragments(spoken)
    named += rests(spoken, names.sheet)
    years = names.sheet.years
    dated = DATED_YEAR.finditer(text) if years else ()
    named += (
        found.span("year")
        for found in dated
        if found["year"] in years and not names.measures(text, found.end("year"))
    )
    named += _years_of_rows(text, mentions, names)
    if years and SHORT_STRETCH.search(text):
        named = [*_stretches_of_rows(text, mentions, names), *named]
    said = [(period.start, period.end) for period in periods]
    named = [span for span in named if not (text[slice(*span)].isdigit() and _lies_inside(span, said))]
    named = [(a, b) for a, b in named if not (YEAR_ALONE.fullmatch(text, a, b) and _is_measured(text, b))]
    subjects = (span for span in _subject_spans(text, names.sheet, scope) if not _lies_inside(span, said))
    return Known(
        slots=tuple(slots),
        names=tuple(dict.fromkeys((*named, *subjects))),
        periods=tuple(said),
        heads=names.heads,
        nouns=names.nouns,
        time_units=TIMES.intersection(measured.unit for measured in names.sheet.measured)
        | {
            TIME_UNITS[word]
            for c in names.sheet.figured
            for word in (names.sheet.label_words[c] | names.sheet.sizes.get(c, NOTHING)) & TIME_UNITS.keys()
        },
        clocks=names.sheet.clocks,
        locale=scope.locale,
        items=frozenset(m.start for m in mentions if m.names_rows and m.full and names.column_windows),
        won=WON not in spoken.vocabulary or _is_won_money(names.sheet),
    )


def _is_won_money(sheet: Sheet) -> bool:
    """Tell whether a result may hold won: a figure is money of Korea, or nothing in it is called won."""
    if any(measured.unit == "KRW" for measured in sheet.measured):
        return True
    cells = (as_text(row[key]).lower() for row in sheet.table.rows for key in sheet.keys)
    return not any("win" in said for said in sheet.label_words) and not any(WON in cell for cell in cells)


def _is_measured(text: str, end: int) -> bool:
    """Tell whether a unit of size, and none of time, stands behind a number ("2012 mph")."""
    return measure_after(text, end) not in ("", *TIME_UNITS)


def _lies_inside(span: Span, others: Sequence[Span]) -> bool:
    """Tell whether a span is a part of a longer one."""
    return any(start <= span[0] and span[1] <= end and (start, end) != span for start, end in others)


def _slots(printed: Printed, visible: Visible, sheet: Sheet) -> Iterator[Slot]:
    """Yield the slots in the visible text, each with the cell or derivation that it shows."""
    place = 0
    for slot in printed.filled:
        while place < len(visible.starts) and visible.starts[place] < slot.start:
            place += 1
        first = place
        while place < len(visible.starts) and visible.starts[place] < slot.end:
            place += 1
        derived = slot.derived
        yield Slot(
            first,
            place,
            cell=slot.cell,
            derivation=derived.id if derived else "",
            names=slot.cell is not None and slot.cell[1] in sheet.keys,
            multiple=derived is not None and derived.measured.carrier == "ratio",
        )


def _with_names(
    text: str, slots: Sequence[Slot], mentions: Sequence[Mention], sheet: Sheet
) -> Iterator[Slot]:
    """Yield the slots, marking those whose row is printed before them on their line and by slots only."""
    printed = bytearray(len(text) + 1)
    for slot in slots:
        printed[slot.start : slot.end] = b"\1" * (slot.end - slot.start)
    typed = [m.start for m in mentions if m.names_rows and m.full and not any(printed[m.start : m.end])]
    until, clear = -1, False
    rows: dict[int, int] = {}
    for slot in slots:
        if slot.start > until:
            begin, end = text.rfind("\n", 0, slot.start) + 1, text.find("\n", slot.start)
            until, rows = end if end >= 0 else len(text), {}
            clear = bisect_left(typed, begin) == bisect_left(typed, until)
        if slot.cell is not None and slot.names:
            rows[slot.cell[1]] = slot.cell[0]
            yield slot
        else:
            own = slot.cell is not None and all(rows.get(key) == slot.cell[0] for key in sheet.keys)
            yield replace(slot, named=clear and bool(sheet.keys) and own)


def _slot_mentions(slots: Sequence[Slot]) -> Iterator[Mention]:
    """Yield the rows that printed dimension values name."""
    for slot in slots:
        if slot.names and slot.cell is not None and slot.end > slot.start:
            row, key = slot.cell
            yield Mention(slot.start, slot.end, key, frozenset((row,)), frozenset(), True)


def _seasons_asked(text: str, scope: Scope) -> Iterator[Span]:
    """Yield where a text says a season that the question is about ("the 1981-82 season"), no row's period."""
    asked = {_years_of(season) for season in SEASON.finditer(scope.subject[:SUBJECT])}
    yield from (found.span() for found in SEASON.finditer(text) if asked and _years_of(found) in asked)


def _years_of(season: re.Match[str]) -> tuple[str, str]:
    """Return the two years of a season, the second in two digits."""
    return season["first"], season["last"][-2:]


def _subject_spans(text: str, sheet: Sheet, scope: Scope) -> Iterator[Span]:
    """Yield names with digits that the question or a header of names uses ("U-185", "Region 7")."""
    subject = scope.subject[:SUBJECT]
    values = [value for _, _, values in scope.filters for value in values if not value.isdigit()]
    yield from _seasons_asked(text, scope)
    headers = (sheet.label(key) for key in sheet.keys)
    words = [
        *CODE.findall(subject),
        *(code for header in headers for code in CODE.findall(header)),
        *DATED_PAIR.findall(subject),
        *PAIR.findall(subject),
        *(v for v in values if any(c.isdigit() for c in v)),
    ]
    for word in dict.fromkeys(words):
        for found in re.finditer(rf"(?<![\w-]){re.escape(word)}(?!\w)", text, re.IGNORECASE):
            yield found.span()
