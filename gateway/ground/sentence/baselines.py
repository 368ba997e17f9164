"""Names around a number that it is only measured against ("up 2% on B", "A is taller than B with 31")."""

import re
from bisect import bisect_left

from gateway.ground.lexing.cues import AWAY, BASELINE, CUE_BEFORE, ITS_OWN, MULTIPLE_OF, RESUMES
from gateway.ground.lexing.direction import GOVERNS
from gateway.ground.lexing.lexicon import COMPARED, PARTS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence, position

OF_GROUP = re.compile(r"\s\(?(?:in|of|on|from)\s(?:the\s)?", re.IGNORECASE)


class Baselines:
    """Reads what numbers of one text are measured against."""

    def __init__(self, text: str) -> None:
        """Stand on a text."""
        self.text = text

    def is_baseline(self, quantity: Quantity, mention: Mention) -> bool:
        """Tell whether a name behind a number is only what it is measured against ("up 2% from 1930")."""
        gap = self.text[quantity.end : mention.start]
        if AWAY.fullmatch(gap):
            return True
        if COMPARED.search(gap) and not PARTS.search(gap.split("than")[0]):
            return True
        return (
            BASELINE.fullmatch(gap) is not None
            and GOVERNS.search(self.text[max(0, quantity.start - 40) : quantity.start]) is not None
        )

    def drop(self, earlier: list[Mention], sentence: Sentence) -> list[Mention]:
        """Leave out names that a number before was only measured against ("up 9% on Q2, with 40")."""
        while len(earlier) > 1:
            place = bisect_left(sentence.quantities, earlier[-1].start, key=lambda other: other.start)
            first = sentence.quantities[place - 1] if place else None
            gap = self.text[first.end : earlier[-1].start] if first is not None else ""
            if self._is_multiplied(first, gap, earlier[-1]):
                earlier = earlier[:-1]
                continue
            if first is None or first.measure == "plain" or not BASELINE.fullmatch(gap):
                break
            if ITS_OWN.match(self.text, earlier[-1].end) or not GOVERNS.search(
                self.text[: first.start][-40:]
            ):
                break
            earlier = earlier[:-1]
        return earlier

    def _is_multiplied(self, number: Quantity | None, gap: str, mention: Mention) -> bool:
        """Tell whether a name is only what a multiple is of ("2.4x that of B, and stays there average 3")."""
        if number is None or number.measure != "multiple" or not MULTIPLE_OF.fullmatch(gap):
            return False
        return RESUMES.match(self.text, mention.end) is not None

    def is_compared(self, subject: Mention, mention: Mention, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a name is only measured against ("Benelux outsold Iberia with 500")."""
        if holds_number(subject.end, mention.start, sentence):
            return False
        if self._is_answered(subject, mention, quantity, sentence):
            return False
        compared = COMPARED.search(self.text[sentence.start : mention.start]) is not None
        return compared and not ITS_OWN.match(self.text[mention.end : quantity.start + 1])

    def _is_answered(
        self, subject: Mention, mention: Mention, quantity: Quantity, sentence: Sentence
    ) -> bool:
        """Tell whether the subject has its number already ("With 38 m, A is taller than B with 31 m")."""
        place = position(quantity, sentence)
        first = sentence.quantities[place - 1] if place else None
        own = first is not None and first.end <= subject.start and first.measure == quantity.measure
        end = mention.end
        for other in sentence.rows:  # "ahead of Vihren in Pirin at 2,914 m"
            if other.full and mention.rows <= other.rows and OF_GROUP.fullmatch(self.text, end, other.start):
                end = other.end
        return own and CUE_BEFORE.fullmatch(self.text[end : quantity.start]) is not None


def holds_number(start: int, end: int, sentence: Sentence) -> bool:
    """Tell whether a number of a sentence stands between two places."""
    first = bisect_left(sentence.quantities, start, key=lambda other: other.start)
    return first < len(sentence.quantities) and sentence.quantities[first].start < end
