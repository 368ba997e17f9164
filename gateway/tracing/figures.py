"""A number as somebody types it (1.23M, 1,234,568, 12.3 %) -> the values it may stand for."""

from decimal import Decimal

from gateway.ground.lexing.lexer import Known, tokenize

_NOTHING_KNOWN = Known(
    slots=(),
    names=(),
    periods=(),
    heads=frozenset(),
    nouns=frozenset(),
    time_units=frozenset(),
    clocks=None,
    locale="en",
)
MOST_CHARACTERS = 60


def readings_of(text: str) -> tuple[Decimal, ...]:
    """Return every value that a typed number may have, without its sign; none for what is not one number.

    It is read as the answer check reads the numbers of a draft.
    """
    if len(text) > MOST_CHARACTERS:
        return ()
    tokens = tokenize(text.strip(), _NOTHING_KNOWN)
    if len(tokens.quantities) != 1 or tokens.marks or tokens.leftovers:
        return ()
    return tuple(dict.fromkeys(abs(reading.value) for reading in tokens.quantities[0].readings))
