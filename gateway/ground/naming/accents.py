"""Names that only their accents tell apart ("Peña", "Pena"): the one written just so is meant."""

from collections.abc import Sequence

from gateway.ground.lexing.stems import without_accents
from gateway.ground.naming.phrases import Phrase


def as_written(said: str, named: list[Phrase]) -> list[Phrase]:
    """Leave out the names that a text spells with other accents, where it spells one of them just so."""
    if len(named) < 2:
        return named
    low = said.lower()
    just_so = [p for p in named if p.text.lower() == low]
    plain = without_accents(low)
    return [p for p in named if not _is_respelled(p, low, plain)] if just_so else _together(named, plain)


def _is_respelled(phrase: Phrase, low: str, plain: str) -> bool:
    """Tell whether a name is the one said but for its accents."""
    text = phrase.text.lower()
    return phrase.column >= 0 and text != low and without_accents(text) == plain


def _together(named: Sequence[Phrase], plain: str) -> list[Phrase]:
    """Leave out all names that a text has without any accents of theirs, where it could be either."""
    alike = [p for p in named if p.full and p.column >= 0 and without_accents(p.text.lower()) == plain]
    spellings = {(p.column, p.text.lower()) for p in alike}
    either = len(spellings) > len({column for column, _ in spellings})
    return [p for p in named if p not in alike] if either else list(named)
