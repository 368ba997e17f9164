"""Two lists of names and times ("A and B came out in 1999 and 2001"): each name in order has its own time."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import Mention, is_name
from gateway.ground.naming.names import Names
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.titles import are_listed
from gateway.ground.table.sheet import as_text
from metric_layer.period_bounds import Window
from traces.grounding import SpanFinding

YEARS = re.compile(
    r"(?<![\w.,/\u20ac$\u00a3-])(?:1\d|20)\d\d(?:\s?[-\u2013]\s?(?:(?:1\d|20)\d\d|\d\d))?(?![\w%/]|[.,]\d)"
)
LIST_GAP = re.compile(
    r",?\s(?:and|&)\s(?:(?:on|in)\s)?(?:the\s)?[\"'\u201c]?|[\"'\u201d]?,\s(?:on\s|in\s)?[\"'\u201c]?"
)
QUOTED = re.compile(
    r"\.?[\"'\u201d]?(?:,|,?[\"'\u201d]?\s(?:and|&))\s(?:its\s(?:sequel|successor|follow-up),?\s|the\s)?[\"'\u201c]?"
)
# What may stand between the two lists.
APART = re.compile(r"[;:()\d]")
FAR = 80
STRETCH = re.compile(r"\b(?:between|from|both)\s(?:the\s)?\Z", re.IGNORECASE)
Span = tuple[int, int]
Rows = frozenset[int]
Dated = Mapping[int, Mapping[int, Window]]


class Timed(NamedTuple):
    """A time of a list, the rows that hold it, and the rows of the name that it is told of."""

    span: Span
    held: Rows
    told: Rows


def times_in_order(text: str, names: Names, sentence: Sentence, dated: Dated) -> Sequence[Sequence[Timed]]:
    """Return the lists of times that stand beside a list of as many names."""
    times = _times(text, names, sentence, dated)
    found = []
    for run in _runs(text, list(times), LIST_GAP):
        if STRETCH.search(text, sentence.start, run[0][0]):
            continue
        listed = _beside(text, names, sentence, run, dated)
        if listed:
            found.append([Timed(at, times[at], rows) for at, rows in zip(run, listed, strict=True)])
    return found


def check_times_in_order(
    visible: Visible, told: Sequence[Sequence[Timed]], sentence: Sentence
) -> Iterator[SpanFinding]:
    """Yield the times of a list that are those of another name of its list."""
    ordered = "respectively" in visible.text[sentence.start : sentence.end]
    for run in told:
        for timed in run:
            crossed = ordered or any(timed.told & other.held for other in run if other is not timed)
            if timed.held & timed.told or not timed.held or not crossed:
                continue
            start, end = visible.span(*timed.span)
            yield SpanFinding(
                code="wrong_cell",
                start=start,
                end=end,
                text=visible.raw[start:end],
                message="in the order of the two lists this is the time of another row",
                next_step="Tell names and times in the same order.",
            )


def _times(text: str, names: Names, sentence: Sentence, dated: Dated) -> Mapping[Span, Rows]:
    """Return the years, seasons and days of a sentence that rows hold, and the rows of each, in order."""
    found: dict[Span, Rows] = {}
    for mention in sentence.rows:
        if mention.full and mention.column in dated:
            span = mention.start, mention.end
            found[span] = found.get(span, frozenset()) | mention.rows
    rows = names.sheet.table.rows
    for said in YEARS.finditer(text, sentence.start, sentence.end):
        if any(start <= said.start() < end for start, end in found):
            continue
        year, keys = said.group(), names.sheet.keys
        held = {r for r, row in enumerate(rows) if any(as_text(row[key]).strip() == year for key in keys)}
        held |= names.sheet.years.get(year, frozenset())
        if held:
            found[said.span()] = frozenset(held)
    return dict(sorted(found.items()))


def _runs(text: str, spans: Sequence[Span], gap: re.Pattern[str]) -> Iterator[Sequence[Span]]:
    """Yield the lists of at least two among some stretches of text in order."""
    run: list[Span] = []
    for span in spans:
        if run and not gap.fullmatch(text, run[-1][1], span[0]):
            yield from (run,) if len(run) > 1 else ()
            run = []
        run.append(span)
    if len(run) > 1:
        yield run


def _beside(
    text: str, names: Names, sentence: Sentence, times: Sequence[Span], dated: Dated
) -> Sequence[Rows]:
    """Return the rows of the names of a list of as many, right before or right behind a list of times."""
    every = [m for m in sentence.rows if is_name(text, m) and m.column not in dated]
    for column in dict.fromkeys(m.column for m in every):
        runs = list(_listed(text, [m for m in every if m.column == column]))
        before = [run for run in runs if run[-1].end <= times[0][0]][-1:]
        behind = [run for run in runs if run[0].start >= times[-1][1]][:1]
        gaps = [(run, run[-1].end, times[0][0]) for run in before]
        gaps += [(run, times[-1][1], run[0].start) for run in behind]
        for run, start, end in gaps:
            if len(run) == len(times) and _are_near(text, sentence, start, end):
                return [_rows_of(names, text, mention) for mention in run]
    return ()


def _are_near(text: str, sentence: Sentence, start: int, end: int) -> bool:
    """Tell whether nothing stands between two lists that is of neither, but names ("for Nintendo 64 in")."""
    spans = [(m.start, m.end) for m in sentence.rows if m.full]
    apart = (found.start() for found in APART.finditer(text, start, end))
    return end - start <= FAR and all(any(first <= at < last for first, last in spans) for at in apart)


def _listed(text: str, mentions: Sequence[Mention]) -> Iterator[Sequence[Mention]]:
    """Yield the lists among names of one column, each alone if it stands in none."""
    run: list[Mention] = []
    for mention in mentions:
        if run and mention.end <= run[-1].end:
            continue  # inside of a longer name
        if run and not _are_listed(text, run[-1], mention):
            yield run
            run = []
        run.append(mention)
    if run:
        yield run


def _are_listed(text: str, first: Mention, second: Mention) -> bool:
    return QUOTED.fullmatch(text, first.end, second.start) is not None or are_listed(text, first, second)


def _rows_of(names: Names, text: str, mention: Mention) -> Rows:
    """Return the rows that have just this name, else all that it may mean ("Roda" beside "Roda B")."""
    said = text[mention.start : mention.end].lower()
    rows = names.sheet.table.rows
    own = frozenset(r for r in mention.rows if as_text(rows[r][mention.column]).strip().lower() == said)
    return own or mention.rows
