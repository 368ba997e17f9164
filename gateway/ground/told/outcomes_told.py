"""What is said to be won, lost or only nominated, against the cells of its rows that say how it ended."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.compared.ranks import MEDALS, RANK_LABEL, rank_of
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import Mention, is_name, rows_by_span
from gateway.ground.naming.names import Names
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import LOOKED_AT, Sheet, as_text
from traces.grounding import SpanFinding

# A text cell that says how something ended, and the words of a sentence that say so.
RESULT = re.compile(
    r"(?:(?P<won>W|Won|Win|Victory)|(?P<named>Nominated)|L|Lost|Loss|Defeat)(?:\b(?!\.)|\Z)", re.IGNORECASE
)
WON = re.compile(
    r"\b(?:won|winning|beat|beating|(?<!was\s)(?<!were\s)defeated|defeating|victory|win\sover)\b",
    re.IGNORECASE,
)
LOST = re.compile(r"\b(?:lost|losing|loss|defeat|(?:was|were)\sdefeated|beaten)\b", re.IGNORECASE)
# One of these is in any text in which `LOST` stands.
LOSSES = frozenset(("lost", "losing", "loss", "defeat", "defeated", "beaten"))
# How one of the words begins without which nothing is said to have ended.
ENDINGS = ("won", "win", "beat", "defeat", "victory", "los", "award", "nominat")
# What ended in one way for one name of a sentence, in another for the next.
ENDED = re.compile(
    r"\b(?:(?P<won>won|wins|winning|(?:was|were|been)\s(?:also\s)?awarded)|(?P<lost>lost|loses|losing)"
    r"|(?P<named>nominat\w+))\b",
    re.IGNORECASE,
)
# "Lost the gold medal", "lost first place": false of whoever has it, unless a match for it is meant.
LOST_PRIZE = re.compile(
    r"\b(?:lost|loses|losing)\s(?:(?:the|an?|his|her|their|double)\s)?(?:olympic\s)?"
    r"(?P<prize>gold|silver|bronze|first|second|third|1st|2nd|3rd|(?:1\d|20)\d\d)\b(?:\s(?:medals?|place))?(?!\s(?:medal\s)?(?:match|game|round|set|leg|final|to\b))",
    re.IGNORECASE,
)
PLACES = {**MEDALS, "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3}
# Who holds an office or a title in a row got it there.
HOLDER = re.compile(
    r".*\b(?:members?|m\.?l\.?a\.?|m\.?p|winners?|champions?|elected)\.?(?:\s\(.*\))?", re.IGNORECASE
)
LOST_IN = re.compile(
    r"(?:\s(?:of|for|from)\s(?:the\s)?[^,;:()\d]{1,40})?\s(?:lost|was\sdefeated|was\sbeaten|after\slosing)\b(?P<gap>[^;:()\d]{0,40}?)(?<!to)",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?:1\d|20)\d\d")
Rows = frozenset[int]


def tells_lost(spoken: Spoken) -> bool:
    """Tell whether a text says that anything was lost."""
    return spoken.says(LOSSES) and LOST.search(spoken.text) is not None


def ends(sheet: Sheet, spoken: Spoken) -> bool:
    """Tell whether a text says how something ended, and a text column too."""
    return spoken.opens(ENDINGS) and any(
        RESULT.match(as_text(row[key])) for row in sheet.table.rows[:LOOKED_AT] for key in sheet.keys
    )


def check_outcome(visible: Visible, names: Names, sentence: Sentence, row: int) -> Iterator[SpanFinding]:
    """Yield that a row is said to be won that its result says was lost, or the other way round."""
    cells = [(key, as_text(names.sheet.table.rows[row][key])) for key in names.sheet.keys]
    results = [(key, cell, RESULT.match(cell)) for key, cell in cells]
    found = [(key, cell, result["won"] is not None) for key, cell, result in results if result]
    won = WON.search(visible.text, sentence.start, sentence.end)
    lost = LOST.search(visible.text, sentence.start, sentence.end)
    said = won or lost
    if len(found) != 1 or said is None or (won and lost) or found[0][2] == (won is not None):
        return
    column, value = found[0][:2]
    yield contradicted(visible, names.sheet, said.span(), (row, column), value, "Say what the row says.")


def check_outcomes(visible: Visible, names: Names, sentence: Sentence) -> Iterator[SpanFinding]:
    """Yield each thing won, lost or nominated whose rows, named behind the verb, all ended otherwise."""
    said = list(ENDED.finditer(visible.text, sentence.start, sentence.end))
    columns = [key for key in names.sheet.keys if _is_of_results(names.sheet, key)] if said else []
    for at, verb in enumerate(said if len(columns) == 1 else ()):
        until = said[at + 1].start() if at + 1 < len(said) else sentence.end
        before = said[at - 1].end() if at else sentence.start
        called = [m for m in sentence.rows if m.full and m.column != columns[0]]
        behind = [m for m in called if verb.end() <= m.start < until]
        led = [m for m in called if before <= m.start < verb.start()]
        rows = _agreed(behind, _agreed(led[::-1], None)) or NOBODY
        ended = [RESULT.match(as_text(names.sheet.table.rows[row][columns[0]])) for row in sorted(rows)]
        if ended and all(result is not None and _denies(verb, result) for result in ended):
            cell = min(rows), columns[0]
            value = as_text(names.sheet.table.rows[cell[0]][cell[1]])
            yield contradicted(visible, names.sheet, verb.span(), cell, value, "Say what the row says.")


def _denies(verb: re.Match[str], result: re.Match[str]) -> bool:
    """Tell whether a result is another one than the verb says; who was nominated may have won."""
    if verb["named"]:
        return result["won"] is None and result["named"] is None
    return (result["won"] is not None) != (verb["won"] is not None)


def _is_of_results(sheet: Sheet, key: int) -> bool:
    cells = [as_text(row[key]) for row in sheet.table.rows[:LOOKED_AT]]
    said = [cell for cell in cells if cell.strip(" -\u2013")]
    return bool(said) and sum(RESULT.match(cell) is not None for cell in said) * 2 > len(said)


def _agreed(mentions: Sequence[Mention], rows: Rows | None) -> Rows | None:
    """Return the rows that names have together, cut down by others; what does not fit is left out."""
    named: Rows | None = None
    for each in rows_by_span(mentions).values():
        named = each if named is None else named & each or named
    if named is None or rows is None:
        return rows if named is None else named
    return named & rows or named


def check_lost(visible: Visible, names: Names, sentence: Sentence) -> Iterator[SpanFinding]:
    """Yield a medal, a place or a seat that is said to be lost by whom a row says to have it."""
    sheet, text = names.sheet, visible.text
    ranked = [c for c in range(len(sheet.columns)) if RANK_LABEL.fullmatch(sheet.label(c))]
    for said in LOST_PRIZE.finditer(text, sentence.start, sentence.end) if ranked else ():
        prize = PLACES.get(said["prize"].lower(), 1)
        rows = _agreed([m for m in sentence.rows if is_name(text, m)], None) or NOBODY
        held = [(row, c) for row in sorted(rows) for c in ranked if rank_of(sheet, row, c) == prize]
        for cell in held[:1]:
            yield contradicted(visible, sheet, said.span(), cell, str(prize), "Say who has it.")
    for mention in sentence.rows:
        said_of = LOST_IN.match(text, mention.end) if mention.full else None
        if said_of is None or not HOLDER.fullmatch(sheet.label(mention.column)):
            continue
        year = YEAR.search(text, sentence.start, mention.start) or YEAR.search(
            text, said_of.start(), sentence.end
        )
        own = sheet.years.get(year.group(), NOBODY) & mention.rows if year else NOBODY
        for row in sorted(own)[:1]:
            value = as_text(sheet.table.rows[row][mention.column])
            cell = row, mention.column
            yield contradicted(visible, sheet, said_of.span(), cell, value, "Say who won then.")
