"""Each number of a sentence bound to the row and column its words name, or the reason why it cannot be."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from gateway.ground.clauses import Sentence
from gateway.ground.derive import Derived
from gateway.ground.direction import Direction, direction_of
from gateway.ground.match import Interval, intervals
from gateway.ground.names import Mention, split_words
from gateway.ground.sheet import CellAt, Sheet
from gateway.ground.tokens import Quantity
from gateway.ground.units import Measured, factor
from metric_layer.periods import PLURAL

Side = Literal["before", "after"]
CUE_AFTER = re.compile(r"\s?(?:(?!and\s|but\s|while\s|with\s|then\s|or\s)[^\W\d_]+[\s-]){0,4}?(?:for|in|from|at|by|of|among|across|on|during|to)\s(?:the\s|[^\W\d_]+\s)?|\s?[(\[]\s?", re.IGNORECASE)  # fmt: skip
CUE_BEFORE = re.compile(r"\s?(?:[:(=|]|\u2013|\u2014|,?\s?(?:with|at|was|were|is|had|has|made|reached|recorded|placed|held|brought\sin|contributed|came\sin\sat|of|sold|did))\s*", re.IGNORECASE)  # fmt: skip
BREAKS = re.compile(r"[,;:()|]|\b(?:and|or|but|with|on|from|in|for|at|of|to|by|against|versus|vs|than|while|plus)\b", re.IGNORECASE)  # fmt: skip
PARTS = re.compile(r"[,;:()|]|\b(?:and|but|while|whereas|then|versus|vs|against|compared|than)\b", re.IGNORECASE)
OF_COLUMN = re.compile(r"\s?(?:worth\s)?(?:of|in|for|during)\s(?:the\s|total\s|all\s)?", re.IGNORECASE)
TOTALS = re.compile(r"\b(?:total|totals|totall?ed|totall?ing|sum|summed|together|combined|overall|altogether|aggregate|in\sall|across|grand\stotal|all|insgesamt|both)\b", re.IGNORECASE)  # fmt: skip
MEANS = re.compile(r"\b(?:average|averaged|averaging|mean|on\saverage|per\s[a-z]+\son\saverage|typical|durchschnitt\w*)\b", re.IGNORECASE)  # fmt: skip
HIGHS = re.compile(r"\b(?:highest|largest|biggest|greatest|most|maximum|max|top|peak(?:ed)?|best|strongest|leading|longest|tallest|busiest|ranged?|ranging|leads?|led|first)\b", re.IGNORECASE)  # fmt: skip
LOWS = re.compile(r"\b(?:lowest|smallest|least|fewest|minimum|min|bottom|worst|weakest|shortest|ranged?|ranging|trough|last)\b", re.IGNORECASE)  # fmt: skip
ROW_NOUNS = frozenset("row rows result results entry entries record records line lines item items".split())
MONEY_WORDS = frozenset("dollars euros pounds francs rupees across thousands millions billions sales earnings revenues versus perhaps always".split())
CHANGE_LABEL = re.compile(r"chang|growth|delta|diff|varianc|\bvs\b|yoy|mom\b|qoq|movement|swing|[\u0394\u00b1]|increase|decrease|gain", re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Where a number's words point: rows and columns, None where they name none. `firm` rows stand in the sentence."""

    rows: frozenset[int] | None
    columns: frozenset[int] | None
    firm: bool = False


@dataclass(frozen=True, slots=True)
class Binding:
    """What became of one number: its source, or the candidates that exist elsewhere."""

    quantity: Quantity
    place: Place
    direction: Direction
    cell: CellAt | None = None
    derived: Derived | None = None
    implicit: str = ""
    value: Decimal | None = None
    elsewhere: tuple[CellAt, ...] = ()
    unbound: bool = False
    chance: float = 0.0

    @property
    def grounded(self) -> bool:
        """Tell whether the number has a source."""
        return self.cell is not None or self.derived is not None or bool(self.implicit)


class Binder:
    """Binds the numbers of sentences to one sheet."""

    def __init__(
        self, sheet: Sheet, text: str, derived: Sequence[Derived], headers: dict[int, frozenset[int]],
        periods: frozenset[int], line: float,
    ) -> None:
        """Stand on a sheet and a text. `periods` are the columns that are periods; `line` is the chance above which a number must be bound by row and column."""
        self.sheet = sheet
        self.text = text
        self.derived = derived
        self.headers = headers
        self.line = line
        self.period_columns = periods
        self.change_columns = frozenset(c for c in sheet.numeric if self._tells_change(c))

    def bind(self, sentence: Sentence, previous: Sentence | None) -> tuple[Binding, ...]:
        """Bind every number of a sentence with one reading for all: names before them, or names after them."""
        best: tuple[Binding, ...] = ()
        failures = len(sentence.quantities) + 1
        for side in ("before", "after"):
            bindings = tuple(self._bind(q, sentence, side, previous) for q in sentence.quantities)
            bindings = self._in_order(bindings)
            failed = sum(not binding.grounded for binding in bindings)
            if failed < failures:
                best, failures = bindings, failed
            if not failed:
                break
        return best

    def _in_order(self, bindings: tuple[Binding, ...]) -> tuple[Binding, ...]:
        """Refuse "296,966 of 10,640" and "between 500 and 200": a part above its whole, a range upside down."""
        checked = list(bindings)
        for place, (first, second) in enumerate(zip(bindings, bindings[1:], strict=False)):
            gap = self.text[first.quantity.end : second.quantity.start].strip().lower()
            lead = self.text[max(0, first.quantity.start - 16) : first.quantity.start].lower()
            parts = gap == "of" and first.quantity.measure == second.quantity.measure == "plain"
            span = (gap == "and" and lead.endswith("between ")) or (gap == "to" and re.search(r"rang(?:ed|es|ing)\sfrom\s\Z", lead))
            if (parts or span) and first.value is not None and second.value is not None and first.value > second.value:
                checked[place] = replace(first, cell=None, derived=None, implicit="", unbound=True)
        return tuple(checked)

    def _bind(self, quantity: Quantity, sentence: Sentence, side: Side, previous: Sentence | None) -> Binding:
        place = self._place(quantity, sentence, side, previous)
        direction = self._direction(quantity, sentence)
        cells = self._cells(quantity, direction)
        here = [cell for cell in cells if _is_in(cell, place) and not self._counts_else(quantity, cell[1])]
        if here:
            cell = self._best(here, quantity)
            chance = self._chance(quantity, place)
            if self._may_stand(quantity, sentence, place, cell, chance):
                return Binding(quantity, place, direction, cell=cell, value=self.sheet.number(*cell), chance=chance)
        found = self._derivation(quantity, sentence, place, direction)
        if found is not None:
            return Binding(quantity, place, direction, derived=found, value=found.value, chance=_chance_of(quantity, 1))
        implicit = self._parameter(quantity) or self._implicit(quantity, sentence, place)
        if implicit is not None:
            return Binding(quantity, place, direction, implicit=implicit[0], value=implicit[1])
        return Binding(quantity, place, direction, elsewhere=tuple(cells[:20]), unbound=bool(here))

    # -- where the words point ---------------------------------------------------------------------------------

    def _place(self, quantity: Quantity, sentence: Sentence, side: Side, previous: Sentence | None) -> Place:
        rows, firm = self._rows(quantity, sentence, side)
        return Place(rows, self._columns(quantity, sentence, previous), firm)

    def _rows(self, quantity: Quantity, sentence: Sentence, side: Side) -> tuple[frozenset[int] | None, bool]:
        """Return the rows that the nearest name of every key column agrees on, nearest and fullest first."""
        chosen: list[tuple[tuple[bool, bool, int], Mention, bool]] = []
        before, after = _neighbours(quantity, sentence)
        for key in {mention.column for mention in sentence.rows}:
            mentions = [mention for mention in sentence.rows if mention.column == key]
            mention, sure = self._choose(quantity, sentence, mentions, side)
            own = before <= mention.start and mention.end <= after
            distance = max(mention.start - quantity.end, quantity.start - mention.end)
            chosen.append(((not mention.full, not own, distance), mention, mention.full and own and sure))
        rows: frozenset[int] | None = None
        firm = False
        for _, mention, strong in sorted(chosen, key=lambda item: item[0]):
            narrowed = mention.rows if rows is None else rows & mention.rows
            if narrowed or strong:
                rows, firm = narrowed, True
        for mention in sentence.carried:
            narrowed = mention.rows if rows is None else rows & mention.rows
            rows = narrowed or rows
        return rows, firm

    def _choose(self, quantity: Quantity, sentence: Sentence, mentions: Sequence[Mention], side: Side) -> tuple[Mention, bool]:
        """Choose among the names of one key column: by a cue that settles it, by "respectively", by the side.

        The flag is false for a name on the other side of the number, taken for want of one on this side.
        """
        earlier = [mention for mention in mentions if mention.end <= quantity.start]
        later = [mention for mention in mentions if mention.start >= quantity.end]
        if "respectively" in self.text[sentence.start : sentence.end] and len(mentions) == len(sentence.quantities):
            return mentions[_position(quantity, sentence)], True
        if later and CUE_AFTER.fullmatch(self.text[quantity.end : later[0].start]):
            close = earlier and CUE_BEFORE.fullmatch(self.text[earlier[-1].end : quantity.start])
            return (earlier[-1] if close else later[0]), True
        if not earlier or not later:
            return (earlier or later or mentions)[-1 if earlier else 0], bool(earlier)
        parted_before = self._is_parted(earlier[-1].end, quantity.start, sentence)
        parted_after = self._is_parted(quantity.end, later[0].start, sentence)
        if parted_before != parted_after:
            return (later[0] if parted_before else earlier[-1]), True
        if parted_after or CUE_BEFORE.fullmatch(self.text[earlier[-1].end : quantity.start]):
            return earlier[-1], True
        return (earlier[-1] if side == "before" else later[0]), True

    def _is_parted(self, start: int, end: int, sentence: Sentence) -> bool:
        """Tell whether a comma, a conjunction or another number stands between two places."""
        first = bisect_left(sentence.quantities, start, key=lambda other: other.start)
        between = first < len(sentence.quantities) and sentence.quantities[first].start < end
        return between or PARTS.search(self.text[start:end]) is not None

    def _columns(self, quantity: Quantity, sentence: Sentence, previous: Sentence | None) -> frozenset[int] | None:
        """Return the columns that the words next to a number name, among those whose unit can take it."""
        headed = self._header(quantity)
        if headed:
            return headed
        fitting = [(m, fit) for m in sentence.columns if (fit := self._fitting(quantity, m.columns))]
        before, after = _neighbours(quantity, sentence)
        later = [(m, fit) for m, fit in fitting if quantity.end <= m.start and m.start < after]
        if later and self._belongs_after(self.text[quantity.end : later[0][0].start]):
            return later[0][1]
        own = [fit for m, fit in fitting if before <= m.start and m.end <= quantity.start]
        if own:
            return own[-1]
        if later:
            return later[0][1]
        earlier = [(m, fit) for m, fit in fitting if m.end <= quantity.start]
        if earlier and not self._is_claimed(earlier[-1][0], quantity, sentence):
            return earlier[-1][1]
        if not sentence.columns and previous is not None and not previous.quantities and previous.columns:
            return self._fitting(quantity, previous.columns[-1].columns) or None
        return self._left_over(quantity, fitting)

    def _left_over(
        self, quantity: Quantity, fitting: Sequence[tuple[Mention, frozenset[int]]]
    ) -> frozenset[int] | None:
        """A number beside which no column stands means none of those the sentence names beside other numbers."""
        named = frozenset(c for _, fit in fitting for c in fit)
        fit = self._fitting(quantity, frozenset(self.sheet.numeric) - named)
        return fit if named and fit else None

    def _header(self, quantity: Quantity) -> frozenset[int]:
        start = self.text.rfind("|", 0, quantity.start) + 1
        return self.headers.get(start, frozenset()) if self.headers else frozenset()

    def _belongs_after(self, gap: str) -> bool:
        return OF_COLUMN.fullmatch(gap) is not None or (not BREAKS.search(gap) and len(gap.split()) <= 4)

    def _is_claimed(self, mention: Mention, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a column name already belongs to a number that measures something else."""
        for other in sentence.quantities:
            if other.end <= mention.start and self._belongs_after(self.text[other.end : mention.start]):
                return (other.measure, other.currencies) != (quantity.measure, quantity.currencies)
        return False

    def _fitting(self, quantity: Quantity, columns: Iterable[int]) -> frozenset[int]:
        return frozenset(
            c for c in columns if factor(quantity.measure, quantity.currencies, self.sheet.measured[c]) is not None
        )

    # -- what could be meant -----------------------------------------------------------------------------------

    def _direction(self, quantity: Quantity, sentence: Sentence) -> Direction:
        before, after = _neighbours(quantity, sentence)
        direction = direction_of(quantity, self.text, before, after)
        overlaps = any(m.start <= direction.start < m.end for m in sentence.columns)
        if overlaps or (direction.word and not direction.firm and quantity.measure == "multiple"):
            return Direction(0, either=False)
        if not direction.sign and quantity.bracketed and not direction.either:
            return self._restated(quantity, sentence)
        return direction

    def _restated(self, quantity: Quantity, sentence: Sentence) -> Direction:
        """A bracketed number right after another takes its direction: "added 15,737 (0.5%)"."""
        place = _position(quantity, sentence)
        if place == 0:
            return Direction(0)
        return self._direction(sentence.quantities[place - 1], sentence)

    def _cells(self, quantity: Quantity, direction: Direction) -> list[CellAt]:
        """Return every cell of any row and column whose value the number could show."""
        found: list[CellAt] = []
        for shelf in self.sheet.shelves:
            by = factor(quantity.measure, quantity.currencies, shelf.measured)
            if by is None or not _unit_word_fits(quantity, shelf.measured):
                continue
            for interval in intervals(quantity):
                scaled = Interval(interval.low / by, interval.high / by, interval.open_low, interval.open_high)
                found += [c for c in shelf.within(scaled) if self._sign_fits(c, direction, 1)]
                if direction.sign < 0 or direction.either:
                    found += [c for c in shelf.within(scaled.negated()) if self._sign_fits(c, direction, -1)]
        return found

    def _sign_fits(self, cell: CellAt, direction: Direction, sign: int) -> bool:
        if direction.either or direction.sign == sign or direction.sign == 0:
            return True
        if direction.word in ("sign", "brackets"):
            return (self.sheet.number(*cell) or Decimal(0)) == 0
        return not direction.firm and cell[1] not in self.change_columns

    def _tells_change(self, column: int) -> bool:
        """Tell whether a column holds changes: its label says so, or it has negative values."""
        label = self.sheet.columns[column].label or self.sheet.columns[column].name
        return bool(CHANGE_LABEL.search(label)) or any(v < 0 for _, v in self.sheet.column_values(column))

    def _counts_else(self, quantity: Quantity, column: int) -> bool:
        """Tell whether a bare number counts things ("2,948,150 orders") that an amount of money cannot be."""
        if quantity.measure != "plain" or self.sheet.measured[column].carrier != "currency":
            return False
        found = re.match(r"\s([a-z]+)\b", self.text[quantity.end : quantity.end + 24])
        word = found.group(1) if found else ""
        label = self.sheet.columns[column].label or self.sheet.columns[column].name
        return PLURAL.fullmatch(word) is not None and word not in MONEY_WORDS and not set(split_words(word)) & set(split_words(label))

    def _best(self, here: Sequence[CellAt], quantity: Quantity) -> CellAt:
        return min(here, key=lambda cell: (cell[1] in self.sheet.keys, cell))

    def _may_stand(
        self, quantity: Quantity, sentence: Sentence, place: Place, cell: CellAt, chance: float
    ) -> bool:
        """Tell whether a match is bound well enough not to be chance."""
        if self.sheet.height == 1 or quantity.digits >= 4:
            return True
        if place.rows is not None and (place.columns is not None or quantity.digits >= 3):
            return True
        if quantity.digits >= 3 and place.columns is not None:
            return True
        if place.rows is not None and place.firm and (self._room(quantity, place) == 1 or chance <= self.line):
            return True
        return self._is_extreme(cell, sentence)

    def _is_extreme(self, cell: CellAt, sentence: Sentence) -> bool:
        words = self.text[sentence.start : sentence.end]
        values = [value for _, value in self.sheet.column_values(cell[1])]
        own = self.sheet.number(*cell)
        return bool(values) and ((own == max(values) and bool(HIGHS.search(words))) or (own == min(values) and bool(LOWS.search(words))))

    def _chance(self, quantity: Quantity, place: Place) -> float:
        """Return the share of random numbers of the same shape that would have passed for this one."""
        return _chance_of(quantity, self._room(quantity, place))

    def _room(self, quantity: Quantity, place: Place) -> int:
        """Return how many cells with a figure the words of a number leave open."""
        columns = place.columns if place.columns is not None else self._fitting(quantity, self.sheet.numeric)
        if place.rows is None or len(place.rows) > 50:
            return max(1, len(columns) * (self.sheet.height if place.rows is None else len(place.rows)))
        return max(1, sum(self.sheet.number(row, column) is not None for row in place.rows for column in columns))

    def _derivation(
        self, quantity: Quantity, sentence: Sentence, place: Place, direction: Direction
    ) -> Derived | None:
        """Return the declared derivation that the number shows and whose cells its words name."""
        for derived in self.derived:
            if shows(quantity, derived, direction) and self._is_named(derived, quantity, sentence, place):
                return derived
        return None

    def _is_named(self, derived: Derived, quantity: Quantity, sentence: Sentence, place: Place) -> bool:
        words = self.text[sentence.start : sentence.end]
        if derived.whole:
            if place.firm and not (TOTALS.search(words) or MEANS.search(words) or HIGHS.search(words) or LOWS.search(words)):
                return self.sheet.height == 1
        elif derived.rows and place.firm and place.rows is not None and not derived.rows & place.rows:
            return not any(mention.full for mention in sentence.rows)
        if not derived.columns:
            return True
        before, after = _neighbours(quantity, sentence)
        near = [m for m in sentence.columns if before <= m.start and m.end <= after and m.full]
        if any(not self.period_columns & m.columns <= derived.columns for m in near if len(m.columns) == 1):
            return False
        named = [m for m in near if not all(self.sheet.measured[c].carrier in ("percent", "fraction", "ratio") for c in m.columns)]
        return not named or any(m.columns & derived.columns for m in near)

    def _parameter(self, quantity: Quantity) -> tuple[str, Decimal] | None:
        """Return the parameter of a declared condition that the number repeats ("more than 10%")."""
        bare = replace(quantity, hedge="")
        for derived in self.derived:
            for value, measured in derived.parameters:
                if value_fits(bare, value, measured, Direction(0)):
                    return f"parameter of {derived.id}", value
        return None

    def _implicit(self, quantity: Quantity, sentence: Sentence, place: Place) -> tuple[str, Decimal] | None:
        """Return the row count or a whole-column aggregate, where the clause names what is counted or added."""
        if self.sheet.table.truncated:
            return None
        counted = self._counted(quantity)
        if counted is not None:
            return counted
        if place.firm or self.sheet.height < 2:
            return None
        columns = place.columns or self._fitting(quantity, self.sheet.numeric)
        if len(columns) != 1:
            return None
        words = self.text[sentence.start : sentence.end]
        for name, value in self._aggregates(next(iter(columns)), words):
            measured = self.sheet.measured[next(iter(columns))]
            if value_fits(quantity, value, measured, Direction(0)):
                return name, value
        return None

    def _counted(self, quantity: Quantity) -> tuple[str, Decimal] | None:
        if quantity.measure != "plain" or quantity.readings[0].step != 1:
            return None
        nouns = split_words(self.text[quantity.end : quantity.end + 40])[:3]
        value = quantity.readings[0].value
        for key in self.sheet.keys:
            label = split_words(self.sheet.columns[key].label or self.sheet.columns[key].name)
            distinct = len({row[key] for row in self.sheet.table.rows} - {None})
            if label and label[-1] in nouns and value == distinct:
                return f"count_distinct({self.sheet.columns[key].name})", value
        if ROW_NOUNS.intersection(nouns) and value == self.sheet.height:
            return "count_rows(all)", value
        return None

    def _aggregates(self, column: int, words: str) -> Iterable[tuple[str, Decimal]]:
        values = [value for _, value in self.sheet.column_values(column)]
        name = self.sheet.columns[column].name
        rate = self.sheet.measured[column].carrier in ("percent", "fraction", "ratio", "points")
        if not values:
            return
        if TOTALS.search(words) and not rate:
            yield f"sum({name})", sum(values, Decimal(0))
        if MEANS.search(words):
            yield f"mean({name})", sum(values, Decimal(0)) / len(values)
        if HIGHS.search(words):
            yield f"max({name})", max(values)
        if LOWS.search(words):
            yield f"min({name})", min(values)


def shows(quantity: Quantity, derived: Derived, direction: Direction) -> bool:
    """Tell whether a number is a way to show a derived value: unit, sign and precision."""
    falling = direction.sign < 0
    if not derived.change:
        direction = Direction(direction.sign if direction.word in ("sign", "brackets") else 0, either=direction.either)
    if quantity.measure == "multiple" and falling and quantity.readings[0].value > 1:
        return False
    if quantity.measure == "multiple" and derived.measured.carrier == "change":
        grown = 1 + derived.value / 100
        return any(interval.holds(grown) for interval in intervals(quantity))
    return value_fits(quantity, derived.value, derived.measured, direction)


def value_fits(quantity: Quantity, value: Decimal, measured: Measured, direction: Direction) -> bool:
    """Tell whether a number of this shape shows a value."""
    by = factor(quantity.measure, quantity.currencies, measured)
    if by is None or not _unit_word_fits(quantity, measured):
        return False
    shown = value * by
    for interval in intervals(quantity):
        if direction.either and (interval.holds(shown) or interval.holds(-shown)):
            return True
        if interval.holds(-shown if direction.sign < 0 else shown):
            return True
    return False


def _neighbours(quantity: Quantity, sentence: Sentence) -> tuple[int, int]:
    """Return where the number before ends and where the number after starts, within the sentence."""
    place = _position(quantity, sentence)
    before = sentence.quantities[place - 1].end if place else sentence.start
    after = sentence.quantities[place + 1].start if place + 1 < len(sentence.quantities) else sentence.end
    return before, after


def _position(quantity: Quantity, sentence: Sentence) -> int:
    """Return which number of its sentence a quantity is."""
    return bisect_left(sentence.quantities, quantity.start, key=lambda other: other.start)


def _is_in(cell: CellAt, place: Place) -> bool:
    return (place.rows is None or cell[0] in place.rows) and (place.columns is None or cell[1] in place.columns)


def _unit_word_fits(quantity: Quantity, measured: Measured) -> bool:
    """A number of hours cannot show a column of days, nor one of points a percentage."""
    if quantity.unit_word == "points":
        return measured.carrier not in ("percent", "fraction", "change", "share", "currency")
    times = ("seconds", "minutes", "hours", "days", "weeks", "months", "years", "milliseconds")
    return not (quantity.unit_word and measured.unit in times and quantity.unit_word != measured.unit)


def _chance_of(quantity: Quantity, cells: int) -> float:
    if quantity.hedge or quantity.loose:
        return min(1.0, cells * 0.05)
    return float(min(1.0, cells / (9 * 10 ** (quantity.digits - 1))))
