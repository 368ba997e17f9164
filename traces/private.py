"""What of a question is personal, and how a text that repeats it is written without it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from metric_layer.plan import Filter, MetricFilter, MetricPlan, Scalar
from traces.literals import MARK
from traces.records import Ask, Open

Known = Callable[[str], bool]
"""Says whether a name is one of the layer's own, or is made of one."""
_LEAST_WORD = 4


@dataclass(frozen=True, slots=True)
class Private:
    """Whose question it is and what in it came from the asker alone.

    `values` are their own words, as they may be spelled in a reason. `worded` questions came in words, and
    `free` ones as SQL: what is said of those repeats them in ways that no list foresees.
    """

    subject: str
    values: frozenset[str] = frozenset()
    worded: bool = False
    free: bool = False
    _folded: frozenset[str] = field(init=False, compare=False, repr=False)
    _pattern: list[re.Pattern[str]] = field(default_factory=list, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Fold the values, for case never tells two of them apart."""
        object.__setattr__(self, "_folded", frozenset(value.casefold() for value in self.values))

    def holds(self, text: str) -> bool:
        """Say whether a text as a whole is a private value."""
        return text.casefold() in self._folded

    def touches(self, text: str) -> bool:
        """Say whether a private value stands in a text."""
        low = text.casefold() if self.values else ""
        return any(value in low for value in self._folded)

    def scrubbed(self, text: str) -> str:
        """Return a text with a mark for every private value in it."""
        return self._matching().sub(MARK, text) if self.touches(text) else text

    def _matching(self) -> re.Pattern[str]:
        if not self._pattern:
            longest = sorted(self.values, key=lambda value: (-len(value), value))
            self._pattern.append(re.compile("|".join(map(_anywhere, longest)), re.IGNORECASE))
        return self._pattern[0]


def private_of(opened: Open, known: Known) -> Private:
    """Return what is personal in an opening record that is whole."""
    free = opened.origin != "plan"
    spelled = (each for word in _words_of(opened.ask, known) for each in _spellings(word, known))
    return Private(opened.subject, frozenset(spelled), worded=bool(opened.sealed_question), free=free)


def names_of(plan: MetricPlan) -> tuple[str, ...]:
    """Return every name that a plan writes."""
    found = (
        *plan.metrics,
        *plan.dimensions,
        *(each.field if isinstance(each, Filter) else each.metric for each in plan.filters),
        *((plan.order.by,) if plan.order else ()),
    )
    window = plan.time
    return (*found, *(name for name in (window.field, window.zone) if name)) if window else found


def _words_of(ask: Ask, known: Known) -> Iterator[str]:
    plan = ask.plan
    for filtered in plan.filters if plan else ():
        yield from map(_printed, filtered.values)
    names = (*(names_of(plan) if plan else ()), *ask.choices, *ask.choices.values())
    yield from (name for name in names if not known(name))


def _printed(value: Scalar) -> str:
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _spellings(word: str, known: Known) -> Iterator[str]:
    """Yield a value as typed, quoted, escaped and word by word, in either case."""
    bare = word.strip()
    if not bare:
        return
    escaped = (repr(bare)[1:-1], bare.replace("'", "''"), bare.replace("\\", "\\\\").replace("'", "\\'"))
    parts = [part for part in re.split(r"[^\w@.+-]+", bare) if len(part) >= _LEAST_WORD]
    for text in (bare, *escaped, *(part for part in parts if not known(part))):
        yield from (text, text.upper(), text.lower())


def _anywhere(value: str) -> str:
    """Return the pattern of a value; a short one counts only where it stands alone."""
    found = re.escape(value)
    return found if len(value) >= _LEAST_WORD else rf"(?<!\w){found}(?!\w)"


def filter_values(plan: MetricPlan) -> tuple[tuple[Scalar, ...], ...]:
    """Return the values of each filter of a plan."""
    return tuple(each.values for each in plan.filters)


def with_values(plan: MetricPlan, values: tuple[tuple[Scalar, ...], ...]) -> MetricPlan:
    """Return a plan whose filters have these values instead."""
    filters: tuple[Filter | MetricFilter, ...] = tuple(
        each.model_copy(update={"values": own}) for each, own in zip(plan.filters, values, strict=True)
    )
    return plan.model_copy(update={"filters": filters})
