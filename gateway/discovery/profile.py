"""Sampled values of a column -> shares of what they look like, and a suggestion. Values end here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gateway.discovery.kinds import PROVED, TAG_OF, Kind
from gateway.discovery.names import NameHint, hint_of
from gateway.discovery.patterns import Patterns
from gateway.discovery.reports import ColumnProfile, Evidence, Suggestion

LEAST = 0.5
"""Confidence from which something is suggested."""
MOST_ARE = 0.6
"""Share of values from which a form says what the column is."""
SURE = 0.95
ENOUGH = 10
"""Different values from which a share counts fully."""
TEXT_LENGTH = 25
"""Mean length from which a column of several words each is free text."""
NO_WORDS = frozenset(("boolean",))
NUMERIC = frozenset(("integer", "decimal", "float"))
TIMES = frozenset(("date", "timestamp", "timestamptz"))
INSIDE: frozenset[Kind] = frozenset(("email", "phone", "card", "iban"))
"""Kinds that are found inside longer texts, too."""
NUMBERS: frozenset[Kind] = frozenset(("card", "national_id"))
NAMED_NUMBERS: frozenset[Kind] = frozenset((*NUMBERS, "phone", "coordinates", "postcode", "iban"))


@dataclass(frozen=True, slots=True)
class Looked:
    """A column and a sample of its values as texts; NULLs are left out."""

    dataset: str
    column: str
    type: str
    values: tuple[str, ...]
    tagged: str = ""


def profile_of(looked: Looked, patterns: Patterns) -> ColumnProfile:
    """Return the share of values of each kind, in percent; of different values each counts once."""
    values = tuple(dict.fromkeys(looked.values))
    shares = {kind: percent for kind, percent in _shares(looked, values, patterns) if percent}
    return ColumnProfile(
        column=f"{looked.dataset}.{looked.column}", type=looked.type, sampled=len(values), percent=shares
    )


def suggestion_of(
    looked: Looked, profile: ColumnProfile, patterns: Patterns, *, guess: bool
) -> Suggestion | None:
    """Return what is suggested of a column, or None where neither its name nor its values say enough."""
    if looked.type in NO_WORDS:
        return None
    hint = _fitting(looked, hint_of(looked.dataset, looked.column, guess=guess), patterns)
    formed = _formed(looked, profile)
    kind, confidence = _best(hint, formed)
    if kind is None or confidence < LEAST:
        return None
    by_name = hint is not None and hint.kind == kind
    by_form = profile.percent.get(kind, 0)
    return Suggestion(
        column=profile.column,
        kind=kind,
        tag=looked.tagged or TAG_OF[kind],
        confidence=round(confidence, 2),
        sampled=profile.sampled,
        evidence=Evidence(
            name=looked.column if by_name else "", form=kind if by_form else "", percent=by_form
        ),
        tagged=looked.tagged,
    )


def _shares(looked: Looked, values: Sequence[str], patterns: Patterns) -> Iterator[tuple[Kind, int]]:
    """Yield each kind with the percentage of the values that are of it, or hold some of it."""
    if not values or looked.type in NO_WORDS | TIMES:
        return
    country, count = patterns.national_id(values)
    if country:
        yield "national_id", _percent(count, len(values))
    # A long number that happens to pass a check digit is no card inside a text.
    texts = [text for text in values if looked.type not in NUMERIC and any(map(str.isalpha, text))]
    inside = [patterns.inside(text) for text in texts]
    for kind, test in patterns.alone.items():
        if looked.type in NUMERIC and kind not in NUMBERS:
            continue
        alone = sum(map(test, values))
        within = sum(kind in found for found in inside)
        yield kind, _percent(max(alone, within), len(values))


def _formed(looked: Looked, profile: ColumnProfile) -> Mapping[Kind, float]:
    """Return the confidence that forms alone give, by kind."""
    trust = min(1.0, profile.sampled / ENOUGH)
    worded = any(any(map(str.isalpha, text)) for text in looked.values)
    found: dict[Kind, float] = {}
    for kind in PROVED:
        share = profile.percent.get(kind, 0) / 100
        if share >= MOST_ARE:
            found[kind] = SURE * share * trust
        if share and kind in INSIDE and worded:
            # Somebody's contact data among other text: one value is one too many.
            found[kind] = max(found.get(kind, 0.0), LEAST + share / 4)
    lengths = [len(text) for text in looked.values]
    long = bool(lengths) and sum(lengths) / len(lengths) >= TEXT_LENGTH
    if long and profile.percent.get("free_text", 0) >= MOST_ARE * 100 and profile.sampled > 1:
        found["free_text"] = 0.6 * max(trust, LEAST)
    return found


def _fitting(looked: Looked, hint: NameHint | None, patterns: Patterns) -> NameHint | None:
    """Return a name's hint as far as the values bear it out: an `email` without a single address is none."""
    if hint is None or not _type_fits(looked.type, hint.kind):
        return None
    values = tuple(dict.fromkeys(looked.values))
    test = patterns.named.get(hint.kind)
    if not values or test is None or looked.type in TIMES:
        return hint
    share = sum(map(test, values)) / len(values)
    if share < 0.2 and len(values) >= 3:
        return None
    return NameHint(hint.kind, min(SURE, hint.weight + 0.3 * share))


def _type_fits(type_: str, kind: Kind) -> bool:
    if type_ in TIMES:
        return kind == "birth_date"
    return type_ not in NUMERIC or kind in NAMED_NUMBERS


def _best(hint: NameHint | None, formed: Mapping[Kind, float]) -> tuple[Kind | None, float]:
    """Return the likeliest kind; a name and a form that say the same make each other surer."""
    chances = dict(formed)
    if hint is not None:
        chances[hint.kind] = 1 - (1 - hint.weight) * (1 - formed.get(hint.kind, 0.0))
    if not chances:
        return None, 0.0
    kind = max(chances, key=chances.__getitem__)
    return kind, min(chances[kind], 0.99)


def _percent(part: int, whole: int) -> int:
    """Return a share in whole percent; one that is not nothing is never said to be 0."""
    return max(1, round(100 * part / whole)) if part else 0
