"""Words of a plan that could mean several definitions, and readings that were chosen for them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from metric_layer.describing import option_of
from metric_layer.issues import Issue
from metric_layer.known import metric_visible
from metric_layer.layer import Layer
from metric_layer.plan import Filter, MetricFilter, MetricPlan
from metric_layer.visible import Visible
from metric_layer.vocabulary import folded

Known = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Words:
    """What a caller may mean by the words of a plan, and the readings that were chosen for some of them."""

    layer: Layer
    visible: Visible
    choices: Mapping[str, str]

    def is_metric(self, name: str) -> bool:
        """Say whether a metric of this name exists for the caller."""
        return metric_visible(self.layer, name, self.visible)

    def is_dimension(self, name: str) -> bool:
        """Say whether a dimension of this name exists for the caller."""
        dimension = self.layer.dimensions.get(name)
        return dimension is not None and self.visible.dimension(dimension)

    def senses(self, word: str, known: Known) -> tuple[str, ...]:
        """Return the definitions that a word may stand for; none where it is a governed name itself."""
        if known(word):
            return ()
        return tuple(name for name in self.layer.senses.get(folded(word), ()) if known(name))

    def chosen(self, word: str, known: Known) -> str:
        """Return the definition that was chosen for an ambiguous word, else the word itself."""
        if word not in self.choices:
            return word
        found = self.senses(word, known)
        choice = self.choices[word]
        return choice if len(found) > 1 and choice in found else word


def settled(plan: MetricPlan, words: Words) -> tuple[MetricPlan, tuple[str, ...]]:
    """Put chosen definitions in the place of ambiguous words; the notes say which."""
    notes: list[str] = []

    def metric(word: str) -> str:
        return _said(words.chosen(word, words.is_metric), word, words.layer, notes)

    def dimension(word: str) -> str:
        return _said(words.chosen(word, words.is_dimension), word, words.layer, notes)

    time = plan.time
    if time is not None and time.field is not None:
        time = time.model_copy(update={"field": dimension(time.field)})
    found = plan.model_copy(
        update={
            "metrics": tuple(metric(word) for word in plan.metrics),
            "dimensions": tuple(dimension(word) for word in plan.dimensions),
            "filters": tuple(_filter(each, metric, dimension) for each in plan.filters),
            "time": time,
            "order": plan.order
            and plan.order.model_copy(update={"by": _order(plan.order.by, metric, dimension)}),
        }
    )
    return (found, tuple(dict.fromkeys(notes))) if notes else (plan, ())


def _filter(
    asked: Filter | MetricFilter, metric: Callable[[str], str], dimension: Callable[[str], str]
) -> Filter | MetricFilter:
    if isinstance(asked, MetricFilter):
        return asked.model_copy(update={"metric": metric(asked.metric)})
    return asked.model_copy(update={"field": dimension(asked.field)})


def _order(word: str, metric: Callable[[str], str], dimension: Callable[[str], str]) -> str:
    found = metric(word)
    return found if found != word else dimension(word)


def _said(name: str, word: str, layer: Layer, notes: list[str]) -> str:
    if name != word:
        definition = layer.metrics.get(name) or layer.dimensions[name]
        notes.append(f"{word!r} is read as {name} (version {definition.version}).")
    return name


def ambiguous(kind: str, word: str, place: str, senses: tuple[str, ...], words: Words) -> Issue:
    """Return the question which of several definitions a word means."""
    seen = words.choices.get(word, "")
    names = ", ".join(senses)
    message = f"{word!r} may mean more than one {kind}: {names}."
    if seen:
        message = f"{seen!r} is no reading of {word!r}, which may mean: {names}."
    return Issue(
        code="ambiguous_term",
        message=message,
        path=place,
        seen=seen or word,
        candidates=senses[:10],
        next_step=f"Name one of them, or send it as choices[{word!r}].",
        term=word,
        options=tuple(option_of(words.layer, name) for name in senses),
    )
