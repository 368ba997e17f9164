"""Places in an order said of a row ("came second", "3rd place"): those of its column of ranks."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gateway.ground.compared.ordered import ordered_by, places_in
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.headers import NTH
from gateway.ground.naming.mentions import Mention, is_name
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.titles import are_listed
from gateway.ground.table.sheet import Sheet, as_text
from traces.grounding import SpanFinding
from traces.records import Cell

_NTH = rf"\d{{1,3}}(?:st|nd|rd|th)|{'|'.join(NTH)}"
_ENDS = r"(?=[,.;)]|\s(?:and|with|on|behind|place|overall)\b|\Z)"
RANKED = re.compile(
    rf"\b(?:ranked|ranks|ranking|finish(?:ed|es|ing)?|placed|came|coming)\s(?:in\s|at\s|home\s)?(?:the\s)?(?P<rank>{_NTH})\b"
    rf"|\b(?:was|is|were|are|sits|sat)\s(?:in\s|at\s)?(?P<is>{_NTH})\b{_ENDS}"
    rf"|\b(?:perform(?:ed|ing|s)|sang|sung|singing|sings|took\sthe\sstage|drawn)\s(?:in\s)?(?P<drawn>{_NTH})\b"
    rf"|\b(?P<place>{_NTH})[\s-](?:place|position|overall|rank|spot)\b|\b(?P<grid>{_NTH})\son\sthe\sgrid\b"
    rf"|\b(?:took|takes|taking)\s(?P<took>{_NTH})\b{_ENDS}|\band\s(?P<also>{_NTH}|gold|silver|bronze)(?=\s(?:at|in)\s(?:the\s)?[A-Z\d])"
    r"|\b(?P<medallist>gold|silver|bronze)\smedall?ist\b"
    r"|\b(?:took|tak(?:es|ing)|won|win(?:s|ning)|claim(?:ed|ing)|earn(?:ed|ing)|got|gained|secur(?:ed|ing)|received|collected)"
    r"\s(?:home\s|double\s|both\s)?(?:the\s|an?\s|his\s|her\s|their\s)?"
    r"(?P<medal>gold|silver|bronze)\b(?!\s(?:disc|record|award|cert|boot|ball|glove|star|screen|bear|lion|palm|and\b))"
    r"|\b(?<!never\s)(?P<champion>won|wins)\sthe\s(?:[a-z]+\s)?"
    r"(?:league|title|championship|division|premiership|pennant|race|regatta|competition|contest)\b"
    r"|\b(?<!never\s)(?P<event>won|wins)\sthe(?=\s\d)(?![^.;,]{0,24}\b(?:gold|silver|bronze|heats?|semi\w*|qualif\w+|medal)\b)"
    rf"|(?P<bare>{_NTH})\b(?=[,.;)]|\sand\b|\Z)",
    re.IGNORECASE,
)
RANK_LABEL = re.compile(
    r"(?:(?:final|league|overall|chart)\s)?(?:rank|pos|pl|place|position|finish|standing|#)\.?", re.IGNORECASE
)
MEDALS = {"gold": 1, "silver": 2, "bronze": 3}
WINS = {"won": 1, "wins": 1}
PLACE = re.compile(r"\d{1,3}(?!\d)")
# Where somebody started, as against where they finished.
START_LABEL = re.compile(
    r"(?:start(?:ing)?\s)?(?:grid|start)(?:ing)?(?:\s(?:pos|position|place))?\.?", re.IGNORECASE
)
# When somebody's turn came, of a contest.
DRAW_LABEL = re.compile(r"draw|r/o|(?:running|performance|start(?:ing)?)\s?order|order", re.IGNORECASE)
STARTED = re.compile(r"\b(?:start(?:ed|ing|s)|qualif\w+)\b(?:\s[a-z]+){0,2}\s\Z", re.IGNORECASE)
# "Finished second and third": of as many names, in order.
SEVERAL = re.compile(rf"\b(?:{_NTH})\b(?:(?:,|,?\sand)\s(?:{_NTH})\b)+", re.IGNORECASE)
EACH = re.compile(rf"\b(?:{_NTH})\b", re.IGNORECASE)
# "And was followed in sixth spot by Ann Lowe": a place of who is named behind it.
FOLLOWED = re.compile(
    r"\b(?:followed|chased|trailed|pursued|joined)\s(?:home\s)?(?:[a-z]+\s){0,3}\Z", re.IGNORECASE
)
# What parts a place from the names behind it that say of which row it is ("silver in the 400 m at Oslo").
APART = re.compile(
    r"\b(?:and|but|while|whereas|who|which|that|before|after|behind|to|over|against|ahead|by|from|than|as)\b|[,;:]",
    re.IGNORECASE,
)
# "Was behind Lund and won silver": of whoever was behind.
SET_AGAINST = re.compile(
    r"\b(?:behind|over|against|ahead\sof|beating|defeating|beat|defeated|than|after|lost\sto)\s(?:[A-Z][\w.'\u2019-]*\s){0,3}\Z"
)
BY_NAME = re.compile(r"\sby\s(?:(?!and\b)[^\W\d_][\w.'\u2019-]*\s){0,4}[\"(]?", re.IGNORECASE)
LEADS_IN = re.compile(r"\s(?:(?:in|at|for|by|was|is|went\sto)\s)?(?:the\s)?[\"(]?", re.IGNORECASE)


def rank_columns(sheet: Sheet) -> tuple[int, ...]:
    """Return the columns of ranks, of places at the start and of turns."""
    labels = enumerate(map(sheet.label, range(len(sheet.columns))))
    kinds = (RANK_LABEL, START_LABEL, DRAW_LABEL)
    return tuple(c for c, label in labels if any(kind.fullmatch(label) for kind in kinds))


def check_ranks(visible: Visible, sheet: Sheet, sentence: Sentence, row: int) -> Iterator[SpanFinding]:
    """Yield places of a sentence that are not those of their row; `row` is its only one, -1 for several."""
    listed = _listed(visible.text, sentence)
    for found in RANKED.finditer(visible.text, sentence.start, sentence.end):
        said = next(filter(None, found.groups())).lower()
        number = MEDALS.get(said) or WINS.get(said) or NTH.get(said) or int(said[:-2])
        about = listed.get(found.end(), -1) if listed else -1
        about = about if about >= 0 else _row_of(visible.text, sentence, found, row)
        before = visible.text[max(sentence.start, found.start() - 40) : found.start()]
        if found["medal"] and any(not MEDALS.keys().isdisjoint(words) for words in sheet.label_words):
            continue  # a table of medals ranks by all of them
        started = found["grid"] or (not found["rank"] and STARTED.search(before))
        said_of = DRAW_LABEL if found["drawn"] else START_LABEL if started else RANK_LABEL
        columns = [c for c in range(len(sheet.columns)) if said_of.fullmatch(sheet.label(c))]
        held = [(c, rank) for c in columns if (rank := rank_of(sheet, about, c))] if about >= 0 else []
        said_by = ordered_by(visible.text, sheet, sentence, found.end()) if about >= 0 else None
        if said_by is not None:
            held = [(said_by, rank) for rank in sorted(places_in(sheet, about, said_by))]
        if not held or any(rank == number for _, rank in held):
            continue
        (column, rank), span = held[0], visible.span(*found.span())
        text = visible.raw[slice(*span)]
        yield SpanFinding(
            code="wrong_cell",
            start=span[0],
            end=span[1],
            text=text,
            message=f"{text}: {sheet.label(column)} of this row is {rank}"
            if said_by is None
            else f"{text}: by {sheet.label(column)} this row is number {rank}",
            belongs_to=Cell(row=about, column=sheet.columns[column].name),
            expected=str(rank),
            next_step=f"Write {rank}.",
        )


def _listed(text: str, sentence: Sentence) -> dict[int, int]:
    """Return the row of each place in a list of places that is led by as many names, by where it ends."""
    found: dict[int, int] = {}
    for places in SEVERAL.finditer(text, sentence.start, sentence.end):
        ends = [each.end() for each in EACH.finditer(text, *places.span())]
        led = {m.start: m for m in sentence.rows if m.full and len(m.rows) == 1 and m.end <= places.start()}
        names = list(led.values())[-len(ends) :]
        if len(names) == len(ends) and all(are_listed(text, a, b) for a, b in pairwise(names)):
            found.update((end, next(iter(m.rows))) for end, m in zip(ends, names, strict=True))
    return found


def rank_of(sheet: Sheet, row: int, column: int) -> int:
    """Return the place that a cell holds; 0 for none ("DNF").

    Leading rows without one, before a row of the place that it stands on, are those that medals stood for.
    """
    rows = sheet.table.rows
    found = PLACE.search(as_text(rows[row][column]).split(".")[0])
    if found or as_text(rows[row][column]).strip(" -\u2013"):
        return int(found.group()) if found else 0
    first = next((at for at, cells in enumerate(rows) if as_text(cells[column]).strip(" -\u2013")), 0)
    place = PLACE.match(as_text(rows[first][column])) if row < first <= len(MEDALS) else None
    return row + 1 if place and int(place.group()) == first + 1 else 0


def _row_of(text: str, sentence: Sentence, found: re.Match[str], row: int) -> int:
    """Return the one row a place is said of: named right behind it, else nearest before; -1 for none."""
    full = [m for m in sentence.rows if is_name(text, m)]
    full = [m for m in full if m.end <= found.start() or m.start >= found.end()]
    earlier = [m for m in full if m.end <= found.start()]
    earlier = [m for m in earlier if not SET_AGAINST.search(text, sentence.start, m.start)] or earlier
    behind = _behind(text, [m for m in full if m.start >= found.end()], found.end())
    if found["also"]:
        rows = _agreed(behind, None)
        return next(iter(rows)) if rows and len(rows) == 1 else -1
    if found["bare"] and not any(m.end == found.start() - 1 for m in earlier):
        return -1
    if FOLLOWED.search(text, max(sentence.start, found.start() - 60), found.start()):
        called = [m for m in full if m.start >= found.end() and BY_NAME.fullmatch(text, found.end(), m.start)]
        return next((next(iter(m.rows)) for m in called if len(m.rows) == 1), -1)
    later = [m for m in full if m.start >= found.end() and LEADS_IN.fullmatch(text, found.end(), m.start)]
    rows = _agreed(later, _agreed(earlier[::-1], None))
    if rows is None or len(rows) > 1:
        rows = _agreed(behind, rows)
    if rows is None:
        return row
    return next(iter(rows)) if len(rows) == 1 else -1


def _behind(text: str, names: Sequence[Mention], start: int) -> Sequence[Mention]:
    """Return the names that follow a place in its own clause."""
    found: list[Mention] = []
    for mention in names:
        if mention.start >= start and APART.search(text, start, mention.start):
            break
        found.append(mention)
        start = mention.end
    return found


def _agreed(mentions: Sequence[Mention], rows: frozenset[int] | None) -> frozenset[int] | None:
    """Return the rows of the first of some names, cut down by others that agree; None for no name."""
    named: frozenset[int] | None = None
    for mention in mentions:
        named = mention.rows if named is None else named & mention.rows or named
    if named is None or rows is None:
        return named if rows is None else rows
    return named & rows or named
