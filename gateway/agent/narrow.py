"""The narrow slice of a layer that a model sees: what a search of the catalogue finds for the question."""

from collections.abc import Mapping
from dataclasses import dataclass

from gateway.catalogue import describe_metric
from gateway.house import House
from gateway.reply import MetricCard, Refusal
from gateway.search import search_catalog
from metric_layer.asked_periods import ONE_DAY, Phrase, QuestionPeriods
from metric_layer.catalog_hits import CatalogHit
from metric_layer.period_bounds import Window
from metric_layer.sql import CatalogueTable
from policies.agent_policy import AgentRules
from policies.entitlement import Entitlement
from policies.visible import sources_of
from traces.records import Caller

MOST_HITS = 60
MOST_EXAMPLES = 5
MOST_VALUES = 30


@dataclass(frozen=True, slots=True)
class Periods:
    """The windows that a question names, half-open, and whether a plan has to keep to them."""

    windows: tuple[Window, ...]
    readings: frozenset[Window]

    def told(self) -> list[Mapping[str, str]]:
        """Return the windows as a model sees them: both dates inclusive."""
        return [{"from": str(start), "to": str(end - ONE_DAY)} for start, end in self.windows]


@dataclass(frozen=True, slots=True)
class Slice:
    """What of the layer a model sees for one question, all of it visible to the asker."""

    metrics: tuple[str, ...]
    dimensions: tuple[str, ...]
    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Schema:
    """What of the database a model sees for one question: tables and the joins between them."""

    fields: Mapping[str, object]


def periods_of(house: House, question: str) -> Periods:
    """Read the periods of a question with the one parser of the layer."""
    finder = QuestionPeriods(house.layer.calendar, house.now().date(), house.prepared().rules)
    found = [phrase for phrase in finder.find(question) if phrase.window and not phrase.fault]
    windows = tuple(phrase.window for phrase in found if phrase.window and not phrase.is_shift)
    return Periods(windows, frozenset(window for phrase in found for window in _readings(phrase)))


def _readings(phrase: Phrase) -> tuple[Window, ...]:
    return tuple(window for window in (phrase.window, phrase.whole, phrase.earlier) if window)


def slice_of(house: House, caller: Caller, question: str, rules: AgentRules) -> Slice:
    """Return the metrics that a search finds, the dimensions they go with, and examples like the question."""
    hits = _hits(house, caller, question)
    names = _metrics(house, caller, hits, rules.metrics)
    visible = house.visible_for(caller)
    cards = [
        card for name in names if isinstance(card := describe_metric(house.layer, visible, name), MetricCard)
    ]
    lines = {line.name: line for card in cards for line in card.dimensions}
    said = {hit.name: hit.value for hit in hits if hit.kind == "value"}
    values = {
        name: [*dict.fromkeys((*((said[name],) if name in said else ()), *line.values))][:MOST_VALUES]
        for name, line in lines.items()
    }
    return Slice(
        metrics=tuple(card.name for card in cards),
        dimensions=tuple(lines),
        fields={
            "metrics": [_card(card) for card in cards],
            "dimensions": [
                {
                    "name": line.name,
                    "label": line.label,
                    "type": line.type,
                    "description": line.description,
                    "values": values[line.name],
                }
                for line in lines.values()
            ],
            "examples": [
                {"question": hit.text, "metrics": list(hit.metrics)} for hit in hits if hit.kind == "example"
            ][:MOST_EXAMPLES],
        },
    )


def schema_slice(house: House, role: Entitlement, caller: Caller, question: str, rules: AgentRules) -> Schema:
    """Return the tables behind what a search finds, without columns that the role may not read."""
    wanted: dict[str, None] = {}
    for name in _metrics(house, caller, _hits(house, caller, question), rules.metrics):
        wanted.update(dict.fromkeys(sorted(sources_of(name, house.layer)[0])))
    tables = [t for t in role.catalogue.tables if t.dataset in wanted] or list(role.catalogue.tables)
    near = {t.name for t in tables}
    for join in role.catalogue.joins:  # what one declared step leads to
        if join.left_table in near:
            tables.extend(t for t in role.catalogue.tables if t.name == join.right_table)
    kept = list({t.name: t for t in tables}.values())[: rules.tables]
    names = {t.name for t in kept}
    return Schema(
        fields={
            "dialect": house.engine.dialect,
            "most_rows": role.caps.rows,
            "tables": [_table(t) for t in kept],
            "joins": [
                {
                    "left": join.left_table,
                    "left_columns": list(join.left_columns),
                    "right": join.right_table,
                    "right_columns": list(join.right_columns),
                }
                for join in role.catalogue.joins
                if {join.left_table, join.right_table} <= names
            ],
        }
    )


def _hits(house: House, caller: Caller, question: str) -> tuple[CatalogHit, ...]:
    found = search_catalog(house, caller, question, MOST_HITS)
    return () if isinstance(found, Refusal) else found.hits


def _metrics(house: House, caller: Caller, hits: tuple[CatalogHit, ...], most: int) -> tuple[str, ...]:
    """Return the metrics found, those of dimensions and values after; of a small layer all the others."""
    visible = house.visible_for(caller)
    own = [hit.name for hit in hits if hit.kind == "metric"]
    beside = [name for hit in hits if hit.kind in ("value", "example", "dimension") for name in hit.metrics]
    every = [name for name in sorted(house.layer.metrics) if visible.metric(name)]
    rest = every if len(every) <= most or not own else []
    return tuple(dict.fromkeys((*own, *beside, *rest)))[:most]


def _card(card: MetricCard) -> Mapping[str, object]:
    return {
        "name": card.name,
        "label": card.label,
        "description": card.description,
        "formula": card.formula,
        "unit": card.unit,
        "synonyms": list(card.synonyms),
        "time_field": card.time_field,
        "grains": list(card.grains),
        "dimensions": [line.name for line in card.dimensions],
    }


def _table(table: CatalogueTable) -> Mapping[str, object]:
    return {
        "name": table.name,
        "columns": [
            {
                "name": column.name,
                "type": column.type,
                **({"only": column.personal} if column.personal else {}),
            }
            for column in table.columns
            if column.personal != "deny"
        ],
        "key": list(table.grain),
        "time_column": table.time_column,
        "most_days": table.max_window_days or None,
    }
