"""A draft taken apart: slots printed, markup seen through, periods, names, numbers and sentences found."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gateway.ground.asked import Scope
from gateway.ground.clauses import Sentence, cut
from gateway.ground.derive import Derived
from gateway.ground.lexer import Known, tokenize
from gateway.ground.names import Mention, Names, without_inner
from gateway.ground.sheet import Sheet
from gateway.ground.slots import Printed, fill
from gateway.ground.text import Visible, see
from gateway.ground.tokens import Tokens
from gateway.ground.units import TIME_UNITS
from metric_layer.periods import Period, PeriodParser

COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
CODE = re.compile(r"(?<!\w)(?=[\w-]*[A-Za-z])(?=[\w-]*\d)[\w-]+(?!\w)")
PAIR = re.compile(r"(?<!\w)(?=([^\W\d_]+\s\d{1,4}(?![\w.,])|\d{1,4}\s[^\W\d_]+))")
SUBJECT = 500
TIMES = frozenset(TIME_UNITS.values())
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Draft:
    """Everything found in one draft. Offsets are in the visible text, save those of `printed`."""

    printed: Printed
    visible: Visible
    periods: tuple[Period, ...]
    mentions: tuple[Mention, ...]
    tokens: Tokens
    sentences: tuple[Sentence, ...]


def read(draft: str, names: Names, parser: PeriodParser, scope: Scope, derived: Sequence[Derived]) -> Draft:
    """Take a draft apart. Its HTML comments are gone before anything else looks at it."""
    sheet = names.sheet
    printed = fill(COMMENT.sub("", draft), sheet, {item.id: item for item in derived}, scope.calendar)
    visible = see(printed.text)
    slots = tuple(_slot_spans(printed, visible))
    periods = parser.find(visible.text, names.counted)
    found = [*names.find(visible.text, periods), *_slot_mentions(printed, slots, sheet)]
    found.sort(key=lambda mention: (mention.start, -mention.end))
    mentions = tuple(without_inner(found))
    tokens = tokenize(visible.text, _known(visible.text, slots, periods, mentions, names, scope))
    return Draft(printed, visible, periods, mentions, tokens, cut(visible.text, tokens.quantities, mentions))


def _known(
    text: str,
    slots: Sequence[Span],
    periods: Sequence[Period],
    mentions: Sequence[Mention],
    names: Names,
    scope: Scope,
) -> Known:
    named = [(m.start, m.end) for m in mentions if m.full or any(c.isdigit() for c in text[m.start : m.end])]
    return Known(
        slots=tuple(slots),
        names=(*named, *_subject_spans(text, scope)),
        periods=tuple((period.start, period.end) for period in periods),
        heads=names.heads,
        nouns=names.nouns,
        time_units=TIMES.intersection(measured.unit for measured in names.sheet.measured),
        locale=scope.locale,
    )


def _slot_spans(printed: Printed, visible: Visible) -> Iterator[Span]:
    """Yield where slots were printed; code printed them, so nothing reads them again."""
    place = 0
    for slot in printed.filled:
        while place < len(visible.starts) and visible.starts[place] < slot.start:
            place += 1
        first = place
        while place < len(visible.starts) and visible.starts[place] < slot.end:
            place += 1
        yield first, place


def _slot_mentions(printed: Printed, spans: Sequence[Span], sheet: Sheet) -> Iterator[Mention]:
    """Yield the rows that printed dimension values name."""
    for slot, (start, end) in zip(printed.filled, spans, strict=True):
        if slot.cell is not None and slot.cell[1] in sheet.keys and end > start:
            yield Mention(start, end, slot.cell[1], frozenset((slot.cell[0],)), frozenset(), True)


def _subject_spans(text: str, scope: Scope) -> Iterator[Span]:
    """Yield names with digits that the question itself uses ("U-185", a filter's "Region 7")."""
    subject = scope.subject[:SUBJECT]
    values = [value for _, _, values in scope.filters for value in values if not value.isdigit()]
    words = [
        *CODE.findall(subject),
        *PAIR.findall(subject),
        *(v for v in values if any(c.isdigit() for c in v)),
    ]
    for word in dict.fromkeys(words):
        for found in re.finditer(rf"(?<![\w-]){re.escape(word)}(?!\w)", text, re.IGNORECASE):
            yield found.span()
