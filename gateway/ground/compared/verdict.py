"""What the cells say of one claim, and the words that keep a superlative from meaning all rows."""

from dataclasses import dataclass

from gateway.ground.lexing.lexicon import one_of

# Words that make a superlative one of several, of a smaller field, or no superlative at all.
SOME = one_of(
    "among", "one of", "next", "(?<!on )record", "so far", "since", "except", "excluding", "outside",
    "apart from", "other than", "after", "until", "till", "formerly", "previously", "joint", "not", "never",
    "personal", "career", "season's", "seasonal", r"season(?=\sbest)",
)  # fmt: skip
# Of all there ever were: the rows can refute it, and cannot bear it out.
EVER = one_of("ever", "of all time", "in history", "all-time")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the cells say of one claim: borne out, refuted or (None) neither, the figures, the word."""

    holds: bool | None
    how: str
    word: str = ""
