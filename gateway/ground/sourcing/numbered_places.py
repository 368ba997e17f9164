"""Places told as numbers ("the number one depot by trips is B"): those of a row in the order of a figure."""

from decimal import Decimal

from gateway.ground.compared.ordered import places_in
from gateway.ground.lexing.cues import NUMBER_LED, RANKS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

LEAD = 12


def numbered_place(
    text: str, sheet: Sheet, quantity: Quantity, sentence: Sentence, place: Place
) -> tuple[str, Decimal] | None:
    """Return the place that a row has by the column named beside it, else by a figure of its sentence."""
    value = quantity.readings[0].value
    if quantity.measure != "plain" or not 1 <= value <= sheet.height or sheet.table.truncated:
        return None
    if NUMBER_LED.search(text, max(0, quantity.start - LEAD), quantity.start) is None:
        return None
    if len(place.rows or ()) != 1 or any(RANKS & said for said in sheet.label_words):
        return None
    row = min(place.rows or ())
    told = {reading.value for q in sentence.quantities if q is not quantity for reading in q.readings}
    by = place.columns if place.named and place.columns is not None else frozenset()
    columns = by & sheet.figured or {c for c in sheet.figured if sheet.figure(row, c) in told}
    if len(columns) != 1 or value not in places_in(sheet, row, min(columns)):
        return None
    return f"rank({sheet.columns[min(columns)].name})", value
