"""Rows of totals over the rows of one name ("NHL totals", a club's "Total"): what is said of that name."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from gateway.ground.lexing.lexicon import HIGHS, LOWS, MEANS
from gateway.ground.lexing.numerals import parse_spelled
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, listed_run
from gateway.ground.sentence.in_order import LISTED
from gateway.ground.table.sheet import Sheet
from gateway.ground.told.careers import adding_up, of_club, went_on

TOTAL = re.compile(r"(?:career\s|grand\s|overall\s)?totals?|overall", re.IGNORECASE)
OF_NAME = re.compile(r"(?P<name>.+?)\s(?:career\s|grand\s|overall\s)?totals?", re.IGNORECASE)
ALL = re.compile(rf"{TOTAL.pattern}|career", re.IGNORECASE)
# Of a whole career, and of no best of it.
CAREER = re.compile(
    r"\b(?:his|her|the|a)\s(?:[a-z]+\s){0,2}career\b(?![\s-](?:high|best|low|long|debut))",
    re.IGNORECASE,
)
# One of its rows is meant, whatever it is called.
ONE_ROW = re.compile(r"\b(?:(?<!regular\s)season|year|campaign|debut|each|every|per)\b", re.IGNORECASE)
# Years from first to last ("From 1998 to 2003"), and no season written in full ("2006-2007").
YEARS = re.compile(
    r"(?<![\w.,/-])(?P<first>(?:1\d|20)\d\d)\s?(?:[-\u2013\u2014]|\s(?:to|and|until|till|through)\s)\s?"
    r"(?P<last>(?:1\d|20)\d\d)(?![\w%]|[.,/-]\d)",
    re.IGNORECASE,
)
SEASON = re.compile(
    r"(?<!\d)(?P<century>1\d|20)(?P<first>\d\d)(?:\s?[-\u2013\u2014/]\s?(?:\d\d)?(?P<last>\d\d))?(?!\d)"
)
THROUGH = re.compile(r"\s(?:to|and|through|until|till)\s(?:the\s)?|\s?[-\u2013\u2014]\s?")
# "787 games over 14 seasons": of all of them.
OVER_SEASONS = re.compile(
    r"\b(?:over|in|across|during|through|spanning)\s(?:(?:the|a)\s(?:course|span)\sof\s)?(?:his\s|her\s|their\s)?"
    r"(?P<count>\d{1,2}|[a-z]+(?:-[a-z]+)?)\s(?:[\w-]+\s){0,2}?(?:seasons|campaigns)\b",
    re.IGNORECASE,
)
# "A fleet of 167 aircraft": all that there are.
ALL_OF = re.compile(
    r"\b(?:fleet|stock|portfolio|collection|network|inventory|workforce|squad|roster)\s(?:size\s)?of\s"
    r"(?:(?:about|some|over|nearly|almost|around)\s)?\Z",
    re.IGNORECASE,
)
# "Before leaving in 2011": the year of what somebody did then, and not of the figure.
LEAVING = re.compile(
    r"\b(?:before|until|till|prior\sto)\s(?:(?:he|she|they|his|her|their)\s)?(?:[a-z]+ly\s)?"
    r"(?:leav|left|retir|mov|join|depart|transferr|sign|switch|return|release|quit)[a-z]*\b[^,;:.()\d]{0,40}\Z",
    re.IGNORECASE,
)
NOUN = re.compile(r"\s([a-z]+)(?=[.,;)]|\s(?:in|and|with|at|on|of)\b|\Z)")
Rows = frozenset[int]


class GroupTotals:
    """The rows of totals of one sheet, each with the rows that it sums up, for one text."""

    def __init__(self, sheet: Sheet, text: str) -> None:
        """Find the rows of totals once."""
        self.sheet = sheet
        self.text = text
        self.groups = list(self._groups())

    def summed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a number, in the row of totals of the name that it is said of."""
        if quantity.slot is not None or not (self.groups or self.sheet.totals):
            return place
        career = self._of_career(quantity, sentence, place)
        if career.rows != place.rows:
            return career
        said = self.text[sentence.start : sentence.end]
        if place.rows is None and place.named and not self._is_of_one(said):
            rows = self._of_all(quantity, said)
            if rows:
                return place._replace(rows=rows)
        if place.rows is None and CAREER.search(said) and not self._is_of_one(said) and self.career >= 0:
            return place._replace(rows=frozenset((self.career,)))
        if not self.groups or not place.rows:
            return place
        for total, rows in self.groups:
            whole = place.rows - {total} == rows or self._is_listed(rows, quantity, sentence)
            whole = whole or self._is_stretch(total, rows, sentence)
            whole = whole or self._is_until(total, rows, sentence, place)
            if whole and not self._is_spanned(rows, said):
                return place._replace(rows=place.rows - {total})
            if whole and not self._is_of_one(self._without_names(sentence)):
                return place._replace(rows=frozenset((total,)))
        return place

    def _of_career(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a number in the row of totals that its sentence names without saying so."""
        if place.rows is None or not self.sheet.totals:
            return place
        since = went_on(self.text, quantity, sentence)
        said = self.text[max(since, sentence.start) : sentence.end]
        if since >= 0 and self.groups and not self._is_of_one(said):
            return self._if_spanned(place._replace(rows=of_club(self.groups, sentence, since)), place, said)
        alone = len(place.rows) > 1 and len(listed_run(self.text, quantity, sentence)) == 1
        if not alone or self._is_of_one(self._without_names(sentence)):
            return place
        every = frozenset(range(self.sheet.height)) - self.sheet.totals
        if self.career >= 0 and place.rows == every and any(m.rows == every for m in sentence.rows):
            return self._if_spanned(place._replace(rows=frozenset((self.career,))), place, said)
        return self._if_spanned(adding_up(self.text, self.sheet, self.groups, sentence, place), place, said)

    def _if_spanned(self, found: Place, place: Place, said: str) -> Place:
        """Return the first place if years from first to last, where they are said, are those of its rows."""
        if not found.rows:
            return place
        rows = dict(self.groups).get(min(found.rows)) or place.rows or NOBODY
        return found if self._is_spanned(rows, said) else place

    def _of_all(self, quantity: Quantity, said: str) -> Rows:
        """Return the row of totals that "over 14 seasons" and "a fleet of 167" mean; empty for none."""
        of_all = ALL_OF.search(self.text, max(0, quantity.start - 40), quantity.start) is not None
        if self.career >= 0 and (of_all or self._is_of_things(quantity)):
            return frozenset((self.career,))
        spanned = OVER_SEASONS.search(said)
        if spanned is None or not (self.career >= 0 or len(self.groups) == 1):
            return NOBODY
        every = frozenset(range(self.sheet.height)) - self.sheet.totals
        total, rows = (self.career, every) if self.career >= 0 else self.groups[0]
        word = spanned["count"].lower()
        parsed = parse_spelled(word.split("-"))
        count = int(word) if word.isdigit() else parsed[0] if parsed else 0
        keys = [key for key in self.sheet.keys if key not in self.sheet.figured]
        counts = {len({self.sheet.table.rows[row][key] for row in rows}) for key in keys} | {len(rows)}
        return frozenset((total,)) if count in counts else NOBODY

    def _is_of_things(self, quantity: Quantity) -> bool:
        """Tell whether a number counts what the rows are ("operates 167 aircraft", rows by Aircraft)."""
        noun = NOUN.match(self.text, quantity.end)
        key = next((key for key in self.sheet.keys if key not in self.sheet.figured), -1)
        label = split_words(self.sheet.label(key)) if key >= 0 else ()
        return noun is not None and bool(label) and split_words(noun[1])[:1] == label[-1:]

    def _is_until(self, total: int, rows: Rows, sentence: Sentence, place: Place) -> bool:
        """Tell whether a number is said of a group whose last row is only when somebody left it."""
        if place.rows != frozenset((max(rows),)):
            return False
        named = [m for m in sentence.rows if place.rows <= m.rows]
        years = [m for m in named if LEAVING.search(self.text, max(0, m.start - 60), m.start)]
        others = [m for m in named if m not in years]
        return bool(years) and bool(others) and all(m.rows - {total} == rows for m in others)

    def _is_spanned(self, rows: Rows, said: str) -> bool:
        """Tell whether years from first to last, if any are said, are those of the first and the last row."""
        spans = [(int(span["first"]), int(span["last"])) for span in YEARS.finditer(said)]
        spans = [(first, last) for first, last in spans if last > first + 1]
        opened, closed = self._years_of(min(rows)), self._years_of(max(rows))
        return not (spans and opened and closed) or any(a == min(opened) and b in closed for a, b in spans)

    def _years_of(self, row: int) -> frozenset[int]:
        """Return the years of a row, both of a season ("1999-00")."""
        found: set[int] = set()
        for season in SEASON.finditer(" ".join(self.sheet.row_key(row))):
            first = int(season["century"] + season["first"])
            later = (int(season["last"] or season["first"]) - int(season["first"])) % 100
            found |= {first, first + later}
        return frozenset(found)

    @cached_property
    def career(self) -> int:
        """Return the one row of totals over all others; -1 for none or several."""
        groups = {total for total, _ in self.groups}
        every = ((row, self.sheet.row_key(row)) for row in sorted(self.sheet.totals - groups))
        found = [row for row, names in every if any(ALL.fullmatch(name.strip()) for name in names)]
        return found[0] if len(found) == 1 else -1

    def _without_names(self, sentence: Sentence) -> str:
        """Return the words of a sentence that are in no name ("First Division" ranks nothing)."""
        until, kept = sentence.start, []
        for mention in sentence.rows:
            if mention.full and mention.start >= until:
                kept.append(self.text[until : mention.start])
                until = mention.end
        return " ".join((*kept, self.text[until : sentence.end]))

    def _is_of_one(self, said: str) -> bool:
        """Tell whether words single out one row, or tell a mean."""
        return any(words.search(said) for words in (ONE_ROW, HIGHS, LOWS, MEANS))

    def _is_listed(self, rows: Rows, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether the name of a group is said, and behind a number a list of who is in it."""
        named = [m for m in sentence.rows if m.full and m.rows - self.sheet.totals == rows]
        others = [m for m in sentence.rows if m.full and m.rows & rows and m not in named]
        parts = [m for m in others if m.start >= quantity.end]
        if not parts:  # "spent 1966-67 and 1967-68 with Vale, and scored 6 goals": all that there are
            parts = list({m.start: m for m in others}.values())
            every = rows <= NOBODY.union(*(m.rows for m in parts))
            if not every or len(listed_run(self.text, quantity, sentence)) > 1:
                return False
        return bool(named) and len(parts) > 1 and self._is_list(parts)

    def _is_stretch(self, total: int, rows: Rows, sentence: Sentence) -> bool:
        """Tell whether the name of a group is said, and from its first row to its last."""
        if not any(m.full and m.rows - {total} == rows for m in sentence.rows):
            return False
        ends = [m for m in sentence.rows if m.full and not m.rows >= rows]
        return any(
            first.column == last.column
            and first.rows & rows == {min(rows)}
            and last.rows & rows == {max(rows)}
            and THROUGH.fullmatch(self.text, first.end, last.start) is not None
            for first, last in pairwise(ends)
        )

    def _is_list(self, parts: list[Mention]) -> bool:
        """Tell whether names of one key stand in a list."""
        same = len({m.column for m in parts}) == 1
        gaps = (self.text[a.end : b.start].strip().lower() for a, b in pairwise(parts))
        return same and LISTED.issuperset(gaps)

    def _groups(self) -> Iterator[tuple[int, Rows]]:
        """Yield every row of totals of one name, with the rows of that name."""
        keys = [key for key in self.sheet.keys if key not in self.sheet.figured]
        held: dict[str, set[int]] = {}
        for row in range(self.sheet.height) if self._is_told() else ():
            for key in keys:
                held.setdefault(str(self.sheet.table.rows[row][key] or "").lower(), set()).add(row)
        for row in range(self.sheet.height) if held else ():
            cells = {str(self.sheet.table.rows[row][key] or "") for key in keys}
            names = {named["name"] for cell in cells if (named := OF_NAME.fullmatch(cell))}
            if any(TOTAL.fullmatch(cell) for cell in cells):
                names |= {cell for cell in cells if not TOTAL.fullmatch(cell)}
            for name in names:
                rows = frozenset(held.get(name.lower(), ())) - {row} or self._led_by(name.lower(), held)
                if rows and not rows & self.sheet.totals:
                    yield row, rows

    def _led_by(self, name: str, held: Mapping[str, set[int]]) -> Rows:
        """Return the rows of the one longer name that opens with a name ("Norway First Division")."""
        found = [rows for other, rows in held.items() if other.startswith(f"{name} ")]
        return frozenset(found[0]) if len(found) == 1 else NOBODY

    def _is_told(self) -> bool:
        """Tell whether a row says that it is a total of something."""
        names = (name for row in range(self.sheet.height) for name in self.sheet.row_key(row))
        return any(name[-6:].lower().endswith(("total", "totals")) for name in names)
