"""A number said of the period beside another one: "80 points a year later", "from 60 the month before"."""

import re
from collections.abc import Iterator, Mapping

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.headers import ORDINALS
from gateway.ground.naming.names import Names
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, neighbours
from metric_layer.period_bounds import Window

_UNIT = r"(?P<unit>year|season|quarter|month|week|decade|day)"
COUNTS = {word: number for number, (word, _) in ORDINALS.items()}
BEHIND = re.compile(
    rf"(?:\s[^\W\d_]+){{0,3}}?\s(?:(?:in|for|during)\sthe\s(?P<which>previous|prior|preceding|following|next)\s{_UNIT}"
    r"|(?:an?|one|the)\s(?P<one>year|season|quarter|month|week|decade|day)\s(?P<way>earlier|before|later|after))\b",
    re.IGNORECASE,
)
# "Ten years before it had 6,702", "6,702 two years later".
_COUNT = "|".join(COUNTS)
_SPAN = rf"(?P<count>\d{{1,2}}|{_COUNT})\s(?P<unit>year|decade)s?\s(?P<way>earlier|before|later|after)\b"
LED = re.compile(rf"\W*(?:just\s|only\s)?{_SPAN}(?!\s(?:that|the|its|his|her|their)\b)", re.IGNORECASE)
TRAILED = re.compile(rf"(?:\s[^\W\d_]+){{0,3}}?\s{_SPAN}", re.IGNORECASE)
# "Was 87 in 2019, down from 91": of the period before.
DOWN_FROM = re.compile(
    r"(?:,\s(?:up|down|higher|lower)|\A\s?(?:[MQY]o[MQY]|yoy|mom|qoq))\sfrom\s(?:about\s|just\s|only\s)?[^\w\s]?\Z",
    re.IGNORECASE,
)
BACK = frozenset(("previous", "prior", "preceding", "earlier", "before"))
DAYS = {"year": (350, 380), "season": (350, 380), "decade": (3640, 3660)}


class Shifts:
    """Reads words that move a number to the period before or after the one named."""

    def __init__(self, names: Names, text: str) -> None:
        """Stand on the names of a sheet and a text."""
        self.sheet = names.sheet
        self.columns = names.dated
        self.rows = names.row_windows
        self.text = text

    def shifted(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place | None:
        """Return where a number points when words behind it move it by a period; None where none do."""
        if not (self.columns or self.rows):
            return None
        far = self._far(quantity, sentence)
        if far:
            rows = frozenset(self._rows_at(place, far))
            return place._replace(rows=rows) if rows else None
        said = BEHIND.match(self.text, quantity.end, neighbours(quantity, sentence)[1])
        if said is None and not self._is_set_against(quantity, sentence):
            return None
        unit = (said["unit"] or said["one"]).lower() if said else ""
        step = -1 if said is None or (said["which"] or said["way"]).lower() in BACK else 1
        base = self._base(quantity, sentence, place)
        columns = frozenset(self._beside_columns(base, unit, step))
        if columns:
            return place._replace(columns=columns)
        rows = frozenset(self._beside_rows(place, unit, step))
        if rows:
            return place._replace(rows=rows)
        absent = unit in DAYS and bool(base) and base <= self.columns.keys()
        level = quantity.measure in ("plain", "currency")
        return place._replace(columns=base, named=True) if absent and level else None

    def _far(self, quantity: Quantity, sentence: Sentence) -> int:
        """Return by how many years words move a number from the period named; 0 for not at all."""
        before, after = neighbours(quantity, sentence)
        said = TRAILED.match(self.text, quantity.end, after) or LED.match(self.text, before, quantity.start)
        if said is None:
            return 0
        count = COUNTS.get(said["count"].lower()) or int(said["count"])
        years = count * (10 if said["unit"].lower() == "decade" else 1)
        return -years if said["way"].lower() in BACK else years

    def _rows_at(self, place: Place, years: int) -> Iterator[int]:
        """Yield the rows that lie some years from the only row named, alike in every other key."""
        if place.rows is None or len(place.rows) != 1:
            return
        row = next(iter(place.rows))
        for key, windows in self.rows.items():
            year = windows[row][0].year + years if row in windows else 0
            yield from (
                r for r, own in windows.items() if own[0].year == year and self._is_alike(r, row, key)
            )

    def _is_set_against(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a number is what an earlier one is measured from, of no period of its own."""
        before, _ = neighbours(quantity, sentence)
        if before == sentence.start or not DOWN_FROM.search(self.text[before : quantity.start]):
            return False
        dated = (
            m
            for m in (*sentence.columns, *sentence.rows)
            if m.full and (m.columns & self.columns.keys() or m.column in self.rows)
        )
        return not any(m.start >= quantity.end for m in dated)

    def _base(self, quantity: Quantity, sentence: Sentence, place: Place) -> frozenset[int]:
        """Return the columns that a number is moved from: its own, else those of the period named last."""
        dated = [
            m.columns
            for m in sentence.columns
            if m.full and m.end <= quantity.start and m.columns <= self.columns.keys()
        ]
        return dated[-1] if dated and not place.named else place.columns or frozenset()

    def _beside_columns(self, named: frozenset[int], unit: str, step: int) -> Iterator[int]:
        """Yield the columns of the period beside that of the dated columns named."""
        for column in sorted(named):
            window = self.columns.get(column)
            other = _beside(self.columns, window, unit, step) if window else None
            if other is not None:
                yield from (c for c, own in self.columns.items() if own == other)

    def _beside_rows(self, place: Place, unit: str, step: int) -> Iterator[int]:
        """Yield the rows of the period beside that of the only row named, alike in every other key."""
        if place.rows is None or len(place.rows) != 1:
            return
        row = next(iter(place.rows))
        for key, windows in self.rows.items():
            other = _beside(windows, windows[row], unit, step) if row in windows else None
            if other is not None:
                yield from (r for r, own in windows.items() if own == other and self._is_alike(r, row, key))

    def _is_alike(self, one: int, other: int, but: int) -> bool:
        """Tell whether two rows of a split table stand in the same group."""
        rows = self.sheet.table.rows
        groups = [key for key in self.sheet.keys if key not in self.rows and key != but]
        split = len(set(self.rows[but].values())) < len(self.rows[but])
        return not split or all(rows[one][key] == rows[other][key] for key in groups)


def _beside(windows: Mapping[int, Window], window: Window, unit: str, step: int) -> Window | None:
    """Return the window one unit before or after another, among those the result holds."""
    others = sorted({other for other in windows.values() if (other > window) == (step > 0)} - {window})
    if unit in DAYS:
        low, high = DAYS[unit]
        return next((o for o in others if low <= abs((o[0] - window[0]).days) <= high), None)
    if not unit:
        return max((o for o in others if o[1] <= window[1]), default=None)
    joined = (o for o in others if (o[0] == window[1] if step > 0 else o[1] == window[0]))
    return next(joined, None)
