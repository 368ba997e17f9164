"""What a sentence says of the row a number was bound to: its period and its rank must be those of the row."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from gateway.ground.compared.ranks import check_ranks, rank_columns
from gateway.ground.lexing.cues import REPRISED, THEN
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import stem
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.dated import names_window
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.names import Names
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import as_text
from gateway.ground.told.bracketed_years import check_bracketed_years, check_crossed_years
from gateway.ground.told.coded_texts import check_coded, tells_codes
from gateway.ground.told.crossed import check_crossed
from gateway.ground.told.days_of_meetings import DaysOfMeetings
from gateway.ground.told.days_of_rows import days_of_rows
from gateway.ground.told.one_row import check_one_row
from gateway.ground.told.outcomes_told import check_lost, check_outcome, check_outcomes, ends, tells_lost
from gateway.ground.told.parts_exceed import check_parts
from gateway.ground.told.roles import check_roles, roles_of
from gateway.ground.told.running import check_running, running_columns
from gateway.ground.told.stretches_told import YEARS_TOLD, StretchesTold
from gateway.ground.told.successions import check_successions
from gateway.ground.told.times_in_order import check_times_in_order, times_in_order
from gateway.ground.told.years_of_names import YearsOfNames
from metric_layer.period_bounds import Window
from metric_layer.periods import Period
from traces.grounding import SpanFinding
from traces.records import Cell

YEAR = re.compile(r"(?<![\w.,/-])(?:1\d|20)\d\d(?![\w%/]|[.,]\d|-\d)")
# A stretch of years: of a row that holds two, both must be its own.
# "Reigned until 1631": the year in which it ended.
UNTIL = re.compile(r"\b(?:until|till)\s(?P<year>(?:1[0-9]|20)\d\d)\b", re.IGNORECASE)
ENDED = frozenset(("end", "ended", "until", "left", "closed", "retired", "abolished", "to"))
STRETCH = re.compile(
    r"\b(?:from|between)\s(?P<first>(?:1\d|20)\d\d)\s(?:to|until|till|and|through)\s(?P<last>(?:1\d|20)\d\d)\b"
    r"|(?<![\w.,/-])(?P<a>(?:1\d|20)\d\d)\s?[-\u2013]\s?(?P<b>(?:1\d|20)\d\d)(?![\w%/-]|[.,]\d)"
)
# What happened in a year ("opened in 1867").
HAPPENED = re.compile(
    r"\b(?P<verb>[^\W\d_]{3,})\s(?:in|on\s(?:\d\d?\s[A-Z][a-z]+|[A-Z][a-z]+\s\d\d?,))"
    r"\s(?P<year>(?:1\d|20)\d\d)(?![\w%/-]|[.,]\d)"
)
# A year that something is measured from, or that ends a stretch, may be any other.
MEASURED_FROM = re.compile(
    r"(?:\b(?:from|since|than|until|till|before|after|between|versus|vs\.?|against|to|and|on|over)\s(?:in\s|the\s)?|[-\u2013]\s?)\Z",
    re.IGNORECASE,
)
# "A few years after Stack Point": not what the sentence is about.
MEASURED_BY = re.compile(r"\b(?:after|before|than|ahead\sof|behind)\s(?:the\s|that\sof\s)?\Z", re.IGNORECASE)
OPENS_IT = re.compile(r"\W*(?:it|he|she|this)\s", re.IGNORECASE)
# What leads in a property of the row itself; "from", "to", "over" or "and" may lead in another row.
SAID_OF_ROW = re.compile(
    r"(?:\A|\b(?:by|under|for|in|at|on|as|a|an|is|was|the|its|his|her|their|against|beat|beating|lost\sto|win\sover|victory\sover|loss\sto|defeat\sto)|[,(:\"])\s?[\"'(]?\Z",
    re.IGNORECASE,
)


def check_rows(
    visible: Visible,
    spoken: Spoken,
    names: Names,
    periods: Sequence[Period],
    sentences: Sequence[Sentence],
    bindings: Sequence[Binding],
) -> Iterator[SpanFinding]:
    """Yield periods and ranks of a sentence that are not those of the row its numbers stand in."""
    place = 0
    before: list[int] = []
    ranked = rank_columns(names.sheet)
    running = running_columns(names)
    roles = roles_of(names.sheet)
    dated = bool(names.sheet.years) and YEAR.search(visible.text) is not None
    years_told = YearsOfNames(visible, names)
    stretched = bool(names.sheet.years) and YEARS_TOLD.search(visible.text) is not None
    stretches = StretchesTold(visible, names)
    days = days_of_rows(names) if " and " in visible.text else {}
    coded = tells_codes(visible.text)
    ended = ends(names.sheet, spoken)
    lost = tells_lost(spoken)
    meetings = DaysOfMeetings(visible, names)
    for sentence in sentences:
        own = bindings[place : place + len(sentence.quantities)]
        place += len(sentence.quantities)
        rows = _rows_told(sentence, own) if own else _named_row(visible.text, names, sentence, before)
        before = rows if len(rows) == 1 else []
        several = len({mention.column for mention in sentence.rows}) > 1
        yield from check_coded(visible, names, sentence) if coded and several else ()
        windows = list(_periods(visible, names, periods, sentence, rows[0])) if len(rows) == 1 else []
        yield from windows
        if not windows and names.row_windows and periods:
            yield from meetings.check(sentence, _inside(periods, sentence))
        if dated:
            yield from check_bracketed_years(visible, names, sentence)
            yield from check_crossed_years(visible, names, sentence, own)
        in_order = times_in_order(visible.text, names, sentence, days) if days or dated else ()
        yield from check_times_in_order(visible, in_order, sentence)
        yield from stretches.check(sentence) if stretched and not windows else ()
        if dated and not windows:
            yield from years_told.check(sentence, own, in_order)
            yield from _years(visible, names, sentence, rows, own)
        if ranked:
            alone = len(rows) == 1 and all(rows[0] in m.rows for m in sentence.rows if m.full)
            yield from check_ranks(visible, names.sheet, sentence, rows[0] if alone else -1)
        if running:
            yield from check_running(visible, names, running, sentence, rows[0] if len(rows) == 1 else -1)
        yield from check_crossed(visible, names, sentence) if several else ()
        yield from check_one_row(visible, names, sentence) if several and not windows else ()
        yield from check_roles(visible, names, sentence, roles) if roles else ()
        yield from check_outcomes(visible, names, sentence) if ended else ()
        yield from check_lost(visible, names, sentence) if lost else ()
        yield from check_parts(visible, sentence, own) if len(own) > 2 else ()
        yield from check_successions(visible, names, sentence) if names.row_windows else ()
        if ended or several:
            about = rows if len(rows) == 1 else _agreed_row(sentence) if not own else []
            for row in about:
                yield from _strangers(visible, names, sentence, row)
                yield from check_outcome(visible, names, sentence, row) if ended else ()


def _rows_told(sentence: Sentence, own: Sequence[Binding]) -> list[int]:
    """Return the rows of the numbers of a sentence; one that is a name in a list of names tells none."""
    cells = [binding.cell for binding in own if binding.cell is not None]
    named = [m for m in sentence.rows if m.full]
    return sorted({r for r, c in cells if not any(m.column == c and r not in m.rows for m in named)})


def _alike(names: Names, own: Sequence[Binding]) -> frozenset[int]:
    """Return the rows that show every figure of a sentence too ("in 1980 and 1993, 60 each time")."""
    cells = [binding.cell for binding in own if binding.cell is not None]
    every, rows = range(names.sheet.height), names.sheet.table.rows
    return frozenset(r for r in every if cells and all(rows[r][c] == rows[row][c] for row, c in cells))


def _years(
    visible: Visible, names: Names, sentence: Sentence, rows: Sequence[int], own: Sequence[Binding]
) -> Iterator[SpanFinding]:
    """Yield years that stand in the cells of other rows, and nowhere in those that a sentence is about."""
    told = [(q.start, q.end) for q in sentence.quantities]  # "1203 votes" is no year
    found = [y for y in YEAR.finditer(visible.text, sentence.start, sentence.end) if y.span() not in told]
    about = frozenset(rows).union(
        *(
            m.rows
            for m in sentence.rows
            if not any(m.start < y.end() and y.start() < m.end for y in found)
            and not _is_measured_by(visible.text, m)
        )
    )
    yield from _stretches(visible, names, sentence, rows)
    yield from _happened(visible, names, sentence, rows or sorted(about))
    for year in found if rows else ():
        said = year.group()
        holding = names.sheet.years.get(said, frozenset())
        labelled = any(said in names.sheet.label(c) for c in range(len(names.sheet.columns)))
        parts = frozenset(range(names.sheet.height)) - names.sheet.totals
        if names.sheet.wholes.issuperset(rows) and holding >= parts:
            continue  # "Between 2 and 29 March 2026 we moved 82,460", of all rows
        led = MEASURED_FROM.search(visible.text[max(0, year.start() - 24) : year.start()])
        if led or not holding or about & holding or labelled or said in names.subject:
            continue
        if any(m.end + 2 == year.start() and m.rows <= holding for m in sentence.rows if m.full):
            continue  # "Stack Point (1984)"
        if holding & _alike(names, own):
            continue
        start, end = visible.span(*year.span())
        yield SpanFinding(
            code="wrong_cell",
            start=start,
            end=end,
            text=visible.raw[start:end],
            message=f"{said} stands in another row than this sentence is about",
            next_step="Name the year of the row.",
        )


def _said_in_cell(names: Names, row: int, verb: str) -> tuple[list[int], str]:
    """Return the one text cell that tells the year of an event itself ("Scrapped 1959"), and that year."""
    told = re.compile(
        rf"\b{re.escape(verb)}\b[^\d;]{{0,24}}(?:\d\d?\s\w+\s)?(?P<year>(?:1\d|20)\d\d)\b", re.IGNORECASE
    )
    cells = [(key, as_text(names.sheet.table.rows[row][key])) for key in names.sheet.keys]
    held = [(key, found["year"]) for key, cell in cells for found in told.finditer(cell)]
    return ([held[0][0]], held[0][1]) if len(held) == 1 else ([], "")


def _happened(
    visible: Visible, names: Names, sentence: Sentence, rows: Sequence[int]
) -> Iterator[SpanFinding]:
    """Yield the year of an event that is not the one in its own column ("left in 1912" of Left: 1919)."""
    for said in HAPPENED.finditer(visible.text, sentence.start, sentence.end) if len(rows) == 1 else ():
        verb, keys = stem(said["verb"]), names.sheet.keys
        columns = [c for c in keys if verb in names.sheet.label_words[c]]
        value = as_text(names.sheet.table.rows[rows[0]][columns[0]]).strip() if len(columns) == 1 else ""
        if not columns:
            columns, value = _said_in_cell(names, rows[0], said["verb"])
        if not YEAR.fullmatch(value) or value == said["year"]:
            continue
        cell = (rows[0], columns[0])
        yield contradicted(visible, names.sheet, said.span("year"), cell, value, f"Write {value}.")
    for said in UNTIL.finditer(visible.text, sentence.start, sentence.end) if len(rows) == 1 else ():
        columns = [c for c in names.sheet.keys if ENDED & names.sheet.label_words[c]]
        value = as_text(names.sheet.table.rows[rows[0]][columns[0]]).strip() if len(columns) == 1 else ""
        if YEAR.fullmatch(value) and value != said["year"]:
            cell = (rows[0], columns[0])
            yield contradicted(visible, names.sheet, said.span("year"), cell, value, f"Write {value}.")


def _stretches(
    visible: Visible, names: Names, sentence: Sentence, rows: Sequence[int]
) -> Iterator[SpanFinding]:
    """Yield the end of a stretch that a row does not hold, where it holds the other end and another year."""
    own = {year for year, holding in names.sheet.years.items() if holding & frozenset(rows)}
    for said in STRETCH.finditer(visible.text, sentence.start, sentence.end) if len(rows) == 1 else ():
        ends = {said["first"] or said["a"], said["last"] or said["b"]}
        others = (m for m in sentence.rows if m.full and said.start() <= m.start and m.end == said.end())
        apart = any(not m.rows & frozenset(rows) for m in others)  # all of it is another row's
        if len(own) < 2 or not (ends & own or apart) or ends <= own:
            continue
        start, end = visible.span(*said.span())
        strange = min(ends - own)
        yield SpanFinding(
            code="wrong_cell",
            start=start,
            end=end,
            text=visible.raw[start:end],
            message=f"{strange} is no year of the row that this sentence is about",
            expected=", ".join(sorted(own)),
            next_step="Name the years of the row.",
        )


def _agreed_row(sentence: Sentence) -> list[int]:
    """Return the one row that most names of a sentence without numbers agree on, two at least."""
    found = [(m.column, row) for m in sentence.rows if m.full for row in m.rows]
    votes = Counter(row for _, row in set(found))
    best = votes.most_common(2)
    return [best[0][0]] if best and best[0][1] > 1 and (len(best) < 2 or best[1][1] < best[0][1]) else []


def _strangers(visible: Visible, names: Names, sentence: Sentence, row: int) -> Iterator[SpanFinding]:
    """Yield what is said of the one row of a sentence and is true of other rows ("directed by Cho")."""
    full = [m for m in sentence.rows if m.full and m.column not in names.row_windows]
    then = THEN.search(visible.text, sentence.quantities[-1].end if sentence.quantities else 0, sentence.end)
    full = [m for m in full if then is None or not sentence.quantities or m.start < then.start()]
    own = {m.column for m in sentence.rows if m.full and row in m.rows}
    said = {(m.start, m.column): m for m in full if row not in m.rows}.values() if own else ()
    for mention in said:
        value = as_text(names.sheet.table.rows[row][mention.column]).strip()
        lead = visible.text[max(sentence.start, mention.start - 24) : mention.start]
        shared = any(m.start < mention.end and mention.start < m.end and row in m.rows for m in full)
        said_of_row = SAID_OF_ROW.search(lead) and not _is_of_neighbour(mention, full)
        if mention.column in own or shared or value in ("", "-") or not said_of_row:
            continue
        start, end = visible.span(mention.start, mention.end)
        text, column = visible.raw[start:end], names.sheet.columns[mention.column]
        yield SpanFinding(
            code="wrong_cell",
            start=start,
            end=end,
            text=text,
            message=f"{text} belongs to another row than this sentence is about",
            belongs_to=Cell(row=min(mention.rows), column=column.name),
            expected=value,
            next_step=f"Write {value}.",
        )


def _is_of_neighbour(mention: Mention, full: Sequence[Mention]) -> bool:
    """Tell whether a name is of the row that is named next to it ("drew Ashfall by Dina Marsh and ...")."""
    before = (m for m in reversed(full) if m.end <= mention.start and m.column != mention.column)
    after = (m for m in full if m.start >= mention.end and m.column != mention.column)
    for other in full:  # "beat Labour's Tom Reed"
        if 0 < other.start - mention.end < 2 and other.column != mention.column and other.rows & mention.rows:
            return True
    near = next(before, None) or next(after, None)
    return near is not None and bool(near.rows & mention.rows)


def _named_row(text: str, names: Names, sentence: Sentence, before: list[int]) -> list[int]:
    """Return the one row that the full names of a sentence without numbers agree on, its periods left out.

    Where it names only what "it" is measured against, that is the row of the sentence `before`.
    """
    full = [m for m in sentence.rows if m.full and m.column not in names.row_windows]
    own = [m for m in full if not _is_measured_by(text, m)]
    if full and not own:
        return before if OPENS_IT.match(text, sentence.start, sentence.end) else []
    rows = frozenset.intersection(*(m.rows for m in own)) if own else frozenset()
    return list(rows) if len(rows) == 1 else []


def _is_measured_by(text: str, mention: Mention) -> bool:
    """Tell whether a name is only what something is measured against ("a year after Stack Point")."""
    return MEASURED_BY.search(text[max(0, mention.start - 24) : mention.start]) is not None


def _periods(
    visible: Visible, names: Names, periods: Sequence[Period], sentence: Sentence, row: int
) -> Iterator[SpanFinding]:
    if not names.row_windows:
        return
    columns = frozenset(names.dated.values())
    within = _inside(periods, sentence)
    said = [p for p in within if p.readings and not p.relative and columns.isdisjoint(p.readings)]
    own = [window for windows in names.row_windows.values() if (window := windows.get(row))]
    for key, windows in names.row_windows.items():
        window = windows.get(row)
        like = [p for p in said if window and _is_like(p, window)]
        if window is None or not like or any(_holds(p, each) for p in said for each in own):
            continue
        if REPRISED.search(visible.text, sentence.start, like[0].start):
            continue
        if _is_in_a_cell(visible.text, names, like[0], row) or _is_of_other_clause(like, sentence, key, row):
            continue
        start, end = visible.span(like[0].start, like[0].end)
        text = visible.raw[start:end]
        value = as_text(names.sheet.table.rows[row][key])
        yield SpanFinding(
            code="window",
            start=start,
            end=end,
            text=text,
            message=f"{text}: the row stands for {value}",
            belongs_to=Cell(row=row, column=names.sheet.columns[key].name),
            expected=value,
            next_step="Name the period of the row.",
        )


def _inside(periods: Sequence[Period], sentence: Sentence) -> Sequence[Period]:
    """Return the periods of one sentence."""
    first = bisect_left(periods, sentence.start, key=lambda period: period.start)
    return periods[first : bisect_left(periods, sentence.end, key=lambda period: period.start)]


def _is_of_other_clause(like: Sequence[Period], sentence: Sentence, key: int, row: int) -> bool:
    """Tell whether all numbers stand nearer to the row's own period ("joined in 1921, in 1924 won 3")."""
    own = [m for m in sentence.rows if m.column == key and m.full and m.rows == {row}]
    return bool(own) and all(
        min(_gap(q.start, q.end, m.start, m.end) for m in own)
        < min(_gap(q.start, q.end, p.start, p.end) for p in like)
        for q in sentence.quantities
    )


def _gap(start: int, end: int, first: int, last: int) -> int:
    """Return how far two stretches of text are apart."""
    return max(first - end, start - last)


def _is_in_a_cell(text: str, names: Names, period: Period, row: int) -> bool:
    """Tell whether another text cell of a row says this period too ("Scuttled 1939")."""
    said = text[period.start : period.end].lower()
    others = (key for key in names.sheet.keys if key not in names.row_windows)
    return any(said in as_text(names.sheet.table.rows[row][key]).lower() for key in others)


def _is_like(period: Period, window: Window) -> bool:
    """Tell whether a period is about as long as the row's own."""
    days = (window[1] - window[0]).days
    return any(abs((after - first).days - days) <= 3 for first, after in period.readings)


def _holds(period: Period, window: Window) -> bool:
    inside = any(first <= window[0] and window[1] <= after for first, after in period.readings)
    return inside or names_window(period, window)
