"""Years in brackets behind a name ("three U.S. Opens (1949, 1975, 1990)"): each is a year of its rows."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.lexing.text import Visible
from gateway.ground.naming.names import Names
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence, neighbours
from traces.grounding import SpanFinding

YEAR = re.compile(r"(?:1\d|20)\d\d")
IN_YEAR = re.compile(rf"[^;:.]*?\bin\s(?P<year>{YEAR.pattern})(?![\w.,]\d)(?!\w)")
LISTED = re.compile(rf"\s\((?P<years>{YEAR.pattern}(?:(?:,?\sand\s|,\s){YEAR.pattern})*)\)")


def check_bracketed_years(visible: Visible, names: Names, sentence: Sentence) -> Iterator[SpanFinding]:
    """Yield years in brackets that stand in rows of other names only."""
    ends: dict[int, frozenset[int]] = {}
    for mention in sentence.rows:
        if mention.full:
            ends[mention.end] = ends.get(mention.end, frozenset()) | mention.rows
    for listed in LISTED.finditer(visible.text, sentence.start, sentence.end):
        rows = ends.get(listed.start(), frozenset())
        for year in YEAR.finditer(visible.text, *listed.span("years")) if rows else ():
            holding = names.sheet.years.get(year.group(), frozenset())
            if not holding or holding & rows:
                continue
            start, end = visible.span(*year.span())
            own = sorted(y for y, at in names.sheet.years.items() if at & rows)
            yield SpanFinding(
                code="wrong_cell",
                start=start,
                end=end,
                text=visible.raw[start:end],
                message=f"{year.group()} is no year of the name before it",
                expected=", ".join(own),
                next_step="Name the years of its rows.",
            )


def check_crossed_years(
    visible: Visible, names: Names, sentence: Sentence, own: Sequence[Binding]
) -> Iterator[SpanFinding]:
    """Yield the year behind a figure that is of another figure's row ("10.4 in 2007 and 50.1 in 1998")."""
    rows = {binding.cell[0] for binding in own if binding.cell is not None}
    for binding in own if len(rows) > 1 else ():
        _, after = neighbours(binding.quantity, sentence)
        said = IN_YEAR.search(visible.text, binding.quantity.end, after)
        holding = names.sheet.years.get(said["year"], frozenset()) if said else frozenset()
        if said is None or binding.cell is None or binding.cell[0] in holding or not rows & holding:
            continue
        if any(m.start <= said.start("year") < m.end and binding.cell[0] in m.rows for m in sentence.rows):
            continue
        start, end = visible.span(*said.span("year"))
        yield SpanFinding(
            code="wrong_cell",
            start=start,
            end=end,
            text=visible.raw[start:end],
            message=f"{said['year']} is of the row of another figure",
            next_step="Name the year of each figure behind it.",
        )
