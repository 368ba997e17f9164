"""Parts told behind their whole ("Of the 159 passengers, 131 were from Hungary"): in a column or a row."""

import re
from collections.abc import Sequence
from decimal import Decimal

from gateway.ground.lexing.cues import PART_GAP
from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.stems import stem
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.bound import Binding, chance_of
from gateway.ground.sentence.clauses import Sentence, between, neighbours
from gateway.ground.table.sheet import CellAt, Sheet

LED = re.compile(
    r"(?:\A|[,:(]\s|\b(?:and|but)\s)(?:out\sof\s|(?:out\s)?of\s(?:an?\stotal\sof\s|(?:the|its|all|all\sthe|these|those|his|her|their)\s))"
    r"(?:total\s)?\Z",
    re.IGNORECASE,
)
# "Of 520 orders": enough to refuse, not to bind.
BARE = re.compile(r"\W*(?:out\s)?of\s", re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
# What may stand around the name of a whole, or of a part, and says nothing of it.
JOINING = words("a an the of and or in on at to for by from with as all its their our total overall alone")
# How a part is told to be one: of anything else that happened to it the table says nothing.
TOLD = JOINING | words(
    "but while whereas only just about some around almost nearly another other remaining further "
    "came come comes coming were was are is be been went go goes gone had has have fell falls stemmed "
    "originated belonged belong belongs counted made this that these those who which them it one"
)
ONE = re.compile(r"\bone\b", re.IGNORECASE)
# "The remaining came from Iberia": how many is not said.
REST = frozenset(("other", "remaining", "further", "another"))
# "620 of 2,214 orders (28%)", "90 of 2,214, or 4%": the share that the part is.
SHARE_GAP = re.compile(
    r"(?:\s[^\W\d_]+){0,3},?\s?(?:[(\[=\u2013\u2014-]|\b(?:or|i\.e\.|(?:that|which)\sis|a\sshare\sof),?)\s?(?:(?:about|around|roughly|some|only|just|nearly|almost)\s)?",
    re.IGNORECASE,
)
SHARE_END = re.compile(
    r"[)\]]|[,;:.](?:\s|\Z)|\s?\Z|\s(?:and|but|while)\b|\sof\s(?:the\s|all\s|its\s)?(?:total|whole|all|them|it)\b",
    re.IGNORECASE,
)

# "5% of orders": what a share is of.
OF_NOUN = re.compile(r"\sof\s(?:the\s|all\s|its\s|total\s){0,2}(?P<noun>[^\W\d_]+)\b")


def out_of(text: str, sheet: Sheet, bindings: Sequence[Binding], sentence: Sentence) -> list[Binding]:
    """Bind a whole and its parts, and refuse a whole that its parts, or the words around them, deny."""
    found = list(bindings)
    if not found or any(b.quantity.slot is not None for b in found):
        return found
    whole, parts = found[0], found[1:]
    plain = all(b.quantity.measure == "plain" for b in found)
    lead = text[sentence.start : whole.quantity.start]
    led = LED.search(lead) is not None
    if led and plain and whole.cell is not None and any(b.cell == whole.cell for b in parts):
        found[0] = whole._replace(cell=None, value=None, elsewhere=(whole.cell,))
        return found
    if led and plain and not all(b.grounded for b in found):
        _bind(sheet, found, _of_column(sheet, found) or _of_row(sheet, found, sentence))
    if (led or BARE.fullmatch(lead)) and not _is_in(text, sheet, found, sentence):
        found[0] = _refused(found[0])
    return found


def _refused(binding: Binding) -> Binding:
    """Return a number without its source."""
    return binding._replace(cell=None, derived=None, implicit="", value=None, elsewhere=(), unbound=False)


def _is_in(text: str, sheet: Sheet, found: Sequence[Binding], sentence: Sentence) -> bool:
    """Tell whether the first part lies in the whole, and the words around both say no more than that."""
    whole, part = found[0], found[1] if len(found) > 1 else None
    if part is None or part.cell is None:
        return True
    end = _tail_end(text, whole.quantity, part.quantity)
    named = _rows_named(sheet, sentence, whole.quantity.end, end)
    if whole.derived is not None:
        return part.cell[0] in whole.derived.rows and named in (frozenset(), whole.derived.rows)
    if whole.cell is None or whole.cell[0] == part.cell[0]:
        return True
    if whole.cell[0] not in sheet.totals:
        return part.cell[0] in sheet.totals
    if whole.cell[1] != part.cell[1] or whole.cell[0] not in sheet.wholes:
        return True
    return (
        not named
        and _is_of(text, sheet, sentence, whole, end)
        and all(_is_all(text, sheet, sentence, at, found) for at in range(1, len(found)))
    )


def _tail_end(text: str, whole: Quantity, part: Quantity) -> int:
    """Return where what is said of a whole ends: at the first comma, else at the part."""
    comma = text.find(",", whole.end, part.start)
    return comma if comma >= 0 else part.start


def _rows_named(sheet: Sheet, sentence: Sentence, start: int, end: int) -> frozenset[int]:
    """Return the rows, no totals, that a stretch of text names."""
    columns = {(m.start, m.end) for m in between(sentence.columns, start, end)}
    rows = (m.rows for m in between(sentence.rows, start, end) if (m.start, m.end) not in columns)
    return frozenset().union(*rows) - sheet.totals


def _is_of(text: str, sheet: Sheet, sentence: Sentence, whole: Binding, end: int) -> bool:
    """Tell whether the words behind a whole are names of its column, or nothing that says anything."""
    start, column = whole.quantity.end, whole.cell[1] if whole.cell else -1
    spans = [(m.start, m.end) for m in between(sentence.columns, start, end) if column in m.columns]
    if any(mark.isdigit() for mark in text[start:end]):
        return False
    known = sheet.label_words[column]
    return all(
        m[0].lower() in JOINING
        or stem(m[0].lower()) in known
        or any(first <= m.start() < last for first, last in spans)
        for m in WORD.finditer(text, start, end)
    )


def _is_all(text: str, sheet: Sheet, sentence: Sentence, at: int, found: Sequence[Binding]) -> bool:
    """Tell whether a part is all of what its clause names, and is said to be no more than a part."""
    part = found[at]
    if part.cell is None:
        return True
    start = _tail_end(text, found[0].quantity, part.quantity) if at == 1 else found[at - 1].quantity.end
    _, after = neighbours(part.quantity, sentence)
    single = ONE.search(text, part.quantity.end, after)
    end = single.start() if single else after
    spans = [(m.start, m.end) for m in (*sentence.rows, *sentence.columns)]
    known = TOLD - REST if after >= sentence.end else TOLD
    strange = (
        m
        for m in WORD.finditer(text, part.quantity.end, after)
        if m[0].lower() not in known and not any(first <= m.start() < last for first, last in spans)
    )
    if next(strange, None) is not None or (at == 1 and not _is_plain(text[start : part.quantity.start])):
        return False
    if single and {sheet.number(r, part.cell[1]) for r in _meant(sheet, sentence, end, after)} != {
        Decimal(1)
    }:
        return False
    return _meant(sheet, sentence, part.quantity.end, end) in (frozenset(), {part.cell[0]})


def _meant(sheet: Sheet, sentence: Sentence, start: int, end: int) -> frozenset[int]:
    """Return the rows, no totals, that names in a stretch of text agree on; of one column, any of them."""
    named: dict[int, frozenset[int]] = {}
    for m in between(sentence.rows, start, end):
        named[m.column] = named.get(m.column, frozenset()) | (m.rows - sheet.totals)
    return frozenset.intersection(*named.values()) if named else frozenset()


def _is_plain(text: str) -> bool:
    """Tell whether nothing but joining words stands in a stretch of text."""
    return all(m[0].lower() in TOLD - {"but", "all"} for m in WORD.finditer(text))


def with_shares(text: str, sheet: Sheet, bindings: Sequence[Binding]) -> list[Binding]:
    """Refuse a percentage told with a part and its whole ("90 of 2,214, or 10%") that is not their share."""
    found = list(bindings)
    for at, own in enumerate(bindings):
        if own.quantity.measure != "percent" or not own.grounded:
            continue
        pair = _pair_of(text, sheet, found, at)
        values = tuple(map(_value, pair)) if pair else _led_values(text, sheet, own, found[at + 1 : at + 2])
        if values and not _is_share(own.quantity, *values):
            found[at] = _refused(own)
    return found


def _pair_of(text: str, sheet: Sheet, found: Sequence[Binding], at: int) -> tuple[Binding, Binding] | None:
    """Return the part and the whole that a percentage stands with, before, behind or between them."""
    own, before, behind = found[at].quantity, found[max(0, at - 2) : at], found[at + 1 : at + 3]
    if len(before) == 2 and _is_behind(text, sheet, before[1], own):
        first, second = before
        if _is_parted(text, first.quantity, second.quantity, first.quantity.end):
            return first, second
    if own.bracketed and before and behind and not text[before[-1].quantity.end : own.start].strip():
        first, second = before[-1], behind[0]
        return (first, second) if _is_parted(text, first.quantity, second.quantity, own.end) else None
    if len(behind) == 2 and _is_led(text, sheet, behind[1], (own.end, behind[0].quantity.start)):
        first, second = behind
        return (
            (first, second) if _is_parted(text, first.quantity, second.quantity, first.quantity.end) else None
        )
    return None


def _is_behind(text: str, sheet: Sheet, whole: Binding, own: Quantity) -> bool:
    """Tell whether a percentage stands right behind a whole, and is told to be of nothing else."""
    opened = 1 if own.bracketed and text[own.start] == "(" else 0
    if not opened and SHARE_END.match(text, own.end) is None:
        named = OF_NOUN.match(text, own.end)
        if named is None or not _is_called(sheet, whole, named["noun"]):
            return False
    return SHARE_GAP.fullmatch(text, whole.quantity.end, own.start + opened) is not None


def _is_led(text: str, sheet: Sheet, whole: Binding, gap: tuple[int, int]) -> bool:
    """Tell whether a bracket opens behind a percentage, or behind the noun of a whole that it is of."""
    named = OF_NOUN.match(text, gap[0], gap[1])
    if named is not None and not _is_called(sheet, whole, named["noun"]):
        return False
    return text[named.end() if named else gap[0] : gap[1]].strip() == "("


def _is_called(sheet: Sheet, whole: Binding, noun: str) -> bool:
    """Tell whether a noun is a word of the column in which a whole stands."""
    return whole.cell is not None and stem(noun.lower()) in sheet.label_words[whole.cell[1]]


def _is_parted(text: str, part: Quantity, whole: Quantity, start: int) -> bool:
    """Tell whether one number is told to be out of another, in the same unit."""
    alike = part.measure == whole.measure != "percent" and part.currencies == whole.currencies
    return alike and PART_GAP.fullmatch(text[start : whole.start].strip()) is not None


def _led_values(text: str, sheet: Sheet, own: Binding, behind: Sequence[Binding]) -> tuple[Decimal, ...]:
    """Return the part of a percentage's row and the whole behind it ("42% of the 2,214 orders")."""
    if not behind or own.cell is None or own.cell[0] in sheet.totals:
        return ()
    whole = behind[0]
    cells = [cell for cell in _shown(whole) if cell[0] in sheet.wholes]
    gap = text[own.quantity.end : whole.quantity.start].strip()
    if len(cells) != 1 or PART_GAP.fullmatch(gap) is None:
        return ()
    values = sheet.number(own.cell[0], cells[0][1]), sheet.number(*cells[0])
    return () if values[0] is None or values[1] is None else (values[0], values[1])


def _value(binding: Binding) -> Decimal:
    """Return what a number stands for: its source's value, else the one that is written."""
    return binding.value if binding.value is not None else binding.quantity.readings[0].value


def _is_share(told: Quantity, part: Decimal, whole: Decimal) -> bool:
    """Tell whether a percentage is what one value is of another, to the place shown; about, where hedged."""
    share = part / whole if whole else Decimal(0)
    slack = Decimal("0.05") if told.hedge or told.loose else Decimal(0)
    return any(
        abs(r.value - share * scale) <= max(r.step / 2, abs(r.value) * slack)
        for r in told.readings
        for scale in (1, 100)
    )


def _bind(sheet: Sheet, found: list[Binding], cells: Sequence[CellAt]) -> None:
    for at, cell in enumerate(cells):
        own, chance = found[at], chance_of(found[at].quantity, 1)
        found[at] = own._replace(
            cell=cell, value=sheet.number(*cell), chance=chance, unbound=False, elsewhere=()
        )


def _of_column(sheet: Sheet, found: Sequence[Binding]) -> Sequence[CellAt]:
    """Return the cells of a whole and its parts, where the parts have theirs in one column with a total."""
    cells = [b.cell for b in found[1:] if b.cell is not None]
    columns = {column for _, column in cells}
    if len(cells) + 1 != len(found) or len(columns) != 1 or {row for row, _ in cells} & sheet.totals:
        return ()
    wholes = [c for c in _shown(found[0]) if c[0] in sheet.wholes and c[1] in columns]
    return [wholes[0], *cells] if len(wholes) == 1 else ()


def _of_row(sheet: Sheet, found: Sequence[Binding], sentence: Sentence) -> Sequence[CellAt]:
    """Return the cells of the one row in which the parts, all of them, make up the whole beside them."""
    kept: list[Sequence[CellAt]] = []
    for row in {row for row, _ in _shown(found[0])} if len(found) > 2 else ():
        own = [[c for c in _shown(b) if c[0] == row] for b in found]
        if any(len(cells) != 1 for cells in own) or len({cells[0] for cells in own}) < len(own):
            continue
        cells = [each[0] for each in own]
        values = [sheet.number(*cell) or Decimal(0) for cell in cells]
        pairs = zip(found[1:], cells[1:], strict=True)
        named = all(b.place.holds(c) or not _is_named(b, sentence) for b, c in pairs)
        if values[0] == sum(values[1:]) and named:
            kept.append(cells)
    return kept[0] if len(kept) == 1 else ()


def _shown(binding: Binding) -> Sequence[CellAt]:
    """Return the cells that a number could show."""
    return (binding.cell,) if binding.cell is not None else binding.elsewhere


def _is_named(binding: Binding, sentence: Sentence) -> bool:
    """Tell whether the name of a column stands behind a number, before the next one."""
    _, after = neighbours(binding.quantity, sentence)
    return any(binding.quantity.end <= m.start < after for m in sentence.columns)
