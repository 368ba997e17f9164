"""Printed slots as quantities that know their source, and what may not stand directly beside one."""

import re
from decimal import Decimal

from gateway.ground.lexing.figures import AFTER, BEFORE, dress
from gateway.ground.lexing.tokens import Quantity, Reading, Slot

FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
GLUED_BEFORE = re.compile(
    r"(?:[\w%‰+\-\u2013\u2014±\u2212/\\^*×÷#@.]|(?:^|(?<=[\s\d])),|(?<=\d)[:'\u2019])\Z"
)
GLUED_AFTER = re.compile(r"[\w%‰+±\u2212/\\^*×÷#@]|[-\u2013\u2014](?=[\w$€£¥])|[.,:'\u2019](?=[\d$€£¥])")
MULTIPLE = frozenset(("x", "\u00d7", "times"))


def slot_quantity(text: str, slot: Slot) -> Quantity:
    """Return a printed figure as a quantity. One without digits ("no data") reads as nothing shown."""
    found = FIGURE.search(text, slot.start, slot.end)
    if found is None:
        shown = Quantity(slot.start, slot.end, "", (Reading(Decimal(0), Decimal(1)),))
    else:
        value = Decimal(found.group().replace(",", ""))
        exponent = value.as_tuple().exponent
        step = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
        digits = len(re.sub(r"\D", "", found.group()).lstrip("0")) or 1
        shown = dress(text, *found.span(), (Reading(value, step),), digits=digits)
    return Quantity(
        slot.start,
        slot.end,
        text[slot.start : slot.end],
        shown.readings,
        measure=shown.measure,
        currencies=shown.currencies,
        sign=shown.sign,
        hedge=shown.hedge,
        bracketed=shown.bracketed,
        digits=shown.digits,
        unit_word=shown.unit_word,
        slot=slot,
    )


def is_dressed(text: str, slot: Slot) -> bool:
    """Tell whether the text gives a printed figure a sign, scale, unit or further digits of its own."""
    before = text[max(0, slot.start - 24) : slot.start]
    led = BEFORE.search(before)
    if GLUED_BEFORE.search(before) or (led is not None and led.group() not in ("", "(")):
        return True
    trailed = AFTER.match(text, slot.end)
    if trailed is None or not trailed.group():
        return GLUED_AFTER.match(text, slot.end) is not None
    return not (slot.multiple and trailed.group().strip().lower() in MULTIPLE)
