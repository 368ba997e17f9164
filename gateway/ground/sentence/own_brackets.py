"""Names in brackets behind a figure ("13.61 in the hurdles (Bern 2016)"): of that figure, and of no other."""

from bisect import bisect_left
from collections.abc import Sequence

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence

REACH = 120


def is_in_own_bracket(text: str, quantity: Quantity, sentence: Sentence, mention: Mention) -> bool:
    """Tell whether a name stands in the brackets behind a figure."""
    return "(" in text and mention.start > quantity.end and _holder(text, mention, sentence) == quantity.start


def of_own_bracket(
    text: str, quantity: Quantity, sentence: Sentence, mentions: Sequence[Mention]
) -> list[Mention]:
    """Leave out names in the brackets of other figures, where one stands in a bracket of this one's own."""
    held = [_holder(text, mention, sentence) for mention in mentions] if "(" in text else []
    if quantity.start not in held:
        return list(mentions)
    return [m for m, start in zip(mentions, held, strict=True) if start in (-1, quantity.start)]


def _holder(text: str, mention: Mention, sentence: Sentence) -> int:
    """Return where the figure starts whose bracket a name stands in; -1 where it stands in none."""
    opened = text.rfind("(", max(sentence.start, mention.start - REACH), mention.start)
    if opened < 0 or text.find(")", opened, mention.start) >= 0:
        return -1
    closed = text.find(")", mention.end, sentence.end)
    behind = bisect_left(sentence.quantities, opened, key=lambda q: q.start)
    inner = behind < len(sentence.quantities) and sentence.quantities[behind].start < closed
    return sentence.quantities[behind - 1].start if behind and not inner else -1
