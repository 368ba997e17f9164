"""Names told in one breath ("Stoyan in Old Mill", "In 2005 ... for Fire"): some row must hold all of them."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.lexing.cues import REPRISED
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.names import Names
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import as_text
from traces.grounding import SpanFinding
from traces.records import Cell

# What starts another clause, tells of another row, or sets one row beside another.
PARTS = re.compile(
    r"[;:(),\u2013\u2014]|\b(?:and|or|but|nor|not|no|never|without|while|whereas|where|when|who|whom|whose|which|that|than|as\swell"
    r"|before|after|since|until|till|prior|once|later|then|next|over|against|from|to|into|between|versus|vs|ahead|behind"
    r"|beat\w*|defeat\w*|edg\w+|lost|los(?:es|ing)|los[st]|succe\w+|replac\w+|preced\w+|follow\w+|join\w*|like|unlike"
    r"|surpass\w*|outs\w+|became|become|except|instead|with|alongside|upon|de|et)\b|[\"\u201d]\s[\"\u201c]|\d\s?%",
    re.IGNORECASE,
)
# The words that lead in a time which opens a sentence: its comma parts nothing.
OPENING = re.compile(r"\W*(?:[Ii]n|[Oo]n|[Aa]t|[Dd]uring)\s(?:the\s)?(?:(?:year|season)\s)?\Z")
COMMA = re.compile(r",\s|\s")
LISTED = re.compile(r"[\"\u201d]?(?:,|,?\s(?:and|&))\s(?:the\s)?[\"\u201c]?")
NOT = re.compile(r"\b(?:no|not|none|never|neither|nor|without|nobody)\b|n['\u2019]t\b", re.IGNORECASE)
FAR = 90
Rows = frozenset[int]
Called = tuple[Mention, ...]
Slot = Sequence[Called]


def check_one_row(visible: Visible, names: Names, sentence: Sentence) -> Iterator[SpanFinding]:
    """Yield the last of some names of different columns told in one breath that no row holds together."""
    if len({m.column for m in sentence.rows if m.full}) < 2 or NOT.search(
        visible.text, sentence.start, sentence.end
    ):
        return
    for run in _runs(visible.text, _told(visible.text, names, sentence), sentence):
        if sum(len(slot) > 1 for slot in run) > 1:
            continue  # two lists go in order
        for breath in _breaths(run, names):
            odd = _odd_one(visible.text, names, breath)
            if odd is not None:
                yield _finding(visible, names, *odd)
                break


def _told(text: str, names: Names, sentence: Sentence) -> Sequence[Slot]:
    """Return the names of a sentence, those left out that the title holds, or that may be any word."""
    subject = names.subject.lower()
    columns = {m.start for m in sentence.columns}
    spans: dict[tuple[int, int], list[Mention]] = {}
    for mention in sentence.rows:
        said = text[mention.start : mention.end]
        alike = said.islower() or mention.start in columns or said.lower() in subject
        if mention.full and not alike and not REPRISED.search(text, sentence.start, mention.start):
            spans.setdefault((mention.start, mention.end), []).append(mention)
    slots = _slots(text, [tuple(spans[span]) for span in sorted(spans)])
    opens = slots and len(slots[0]) == 1 and not text[sentence.start : slots[0][0][0].start].strip()
    return slots[1:] if opens and not subject else slots  # it may be what all rows are about


def _breaths(run: Sequence[Slot], names: Names) -> Iterator[Sequence[Called]]:
    """Yield the names that one row must hold: all with the first of a list, each other one with those behind.

    What ends a run as a list goes with its time alone ("In 2005 she played in Old Mill and Glass").
    """
    yield [slot[0] for slot in run]
    for at, slot in enumerate(run):
        for one in slot[1:]:
            behind = [other[0] for other in run[at + 1 :]]
            timed = [other[0] for other in run[:at] if other[0][0].column in names.row_windows]
            yield [one, *behind] if behind else [*timed, one]


def _slots(text: str, called: Sequence[Called]) -> Sequence[Slot]:
    """Return names in order, those of one column that are listed ("the 800 m and the 1500 m") as one."""
    slots: list[list[Called]] = []
    for each in called:
        before = slots[-1][-1] if slots else None
        alike = before is not None and {m.column for m in before} & {m.column for m in each}
        if before is not None and alike and LISTED.fullmatch(text, before[0].end, each[0].start):
            slots[-1].append(each)
        else:
            slots.append([each])
    return slots


def _runs(text: str, slots: Sequence[Slot], sentence: Sentence) -> Iterator[Sequence[Slot]]:
    """Yield the names that stand in one clause, two at least."""
    run: list[Slot] = []
    for slot in slots:
        if run and not _are_one(text, run, slot, sentence):
            if len(run) > 1:
                yield run
            run = []
        run.append(slot)
    if len(run) > 1:
        yield run


def _are_one(text: str, run: Sequence[Slot], slot: Slot, sentence: Sentence) -> bool:
    """Tell whether nothing that starts another clause stands before a name."""
    last, start = run[-1][-1][0], slot[0][0].start
    since = last.end
    if start - since > FAR:
        return False
    if len(run) == 1 and OPENING.fullmatch(text, sentence.start, run[0][0][0].start):
        comma = COMMA.match(text, since)
        since = comma.end() if comma else since
    return PARTS.search(text, since, start) is None


def _odd_one(text: str, names: Names, run: Sequence[Called]) -> tuple[Called, Called] | None:
    """Return the first name that no row holds together with those before it, and the first of all."""
    columns = [frozenset(m.column for m in each) for each in run]
    if any(a & b for at, a in enumerate(columns) for b in columns[at + 1 :]):
        return None  # two of one column are two rows
    agreed: Rows | None = None
    for at, each in enumerate(run):
        rows = frozenset[int]().union(*(_rows_of(m, names) for m in each))
        if agreed is not None and not agreed & rows:
            rows = _holding(text, names, each)
            held = frozenset.intersection(rows, *(_holding(text, names, one) for one in run[:at]))
            return None if held else (each, run[0])
        agreed = rows if agreed is None else agreed & rows
    return None


def _rows_of(mention: Mention, names: Names) -> Rows:
    """Return the rows of a name; of a time also those that have none of their own, for a cell may go on."""
    if mention.column not in names.row_windows:
        return mention.rows
    cells = enumerate(names.sheet.table.rows)
    return mention.rows.union(row for row, values in cells if not as_text(values[mention.column]).strip("- "))


def _holding(text: str, names: Names, each: Called) -> Rows:
    """Return the rows that have a name, or hold it inside of any cell."""
    said = text[each[0].start : each[0].end].lower()
    cells = enumerate(names.sheet.table.rows)
    found = {row for row, values in cells if any(said in as_text(value).lower() for value in values)}
    return frozenset(found).union(*(m.rows for m in each))


def _finding(visible: Visible, names: Names, odd: Called, first: Called) -> SpanFinding:
    start, end = visible.span(odd[0].start, odd[0].end)
    text, column = visible.raw[start:end], odd[0].column
    return SpanFinding(
        code="wrong_cell",
        start=start,
        end=end,
        text=text,
        message=f"no row holds {text} together with what is told beside it",
        belongs_to=Cell(row=min(odd[0].rows), column=names.sheet.columns[column].name),
        expected=as_text(names.sheet.table.rows[min(first[0].rows)][column]),
        next_step="Tell together what one row holds.",
    )
