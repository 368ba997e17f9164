"""dbt's metrics of both layouts -> metrics here; each part that a metric needs gets a name of its own."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Never

from metric_layer.definitions import GRAINS
from metric_layer.expression_apart import formula_text
from metric_layer.expression_foreign import ForeignSql
from metric_layer.interchange.dbt_aggregates import aggregate_of
from metric_layer.interchange.dbt_book import Declared, MetricBook, Payload
from metric_layer.interchange.dbt_conversions import conversion_of
from metric_layer.interchange.dbt_filters import filters_of, where_texts
from metric_layer.interchange.dbt_graph import DbtGraph, Unresolved
from metric_layer.interchange.dbt_inputs import Input, input_of, inputs_of, span_of
from metric_layer.interchange.dbt_models import Aggregation, read_aggregation
from metric_layer.interchange.gathered import Gathered
from metric_layer.interchange.names import Names
from metric_layer.interchange.reading import Part
from metric_layer.interchange.refused import Refused

MAX_DEPTH = 40


class DbtMetrics:
    """Builds every declared metric, those it is made of first."""

    def __init__(self, graph: DbtGraph, gathered: Gathered, names: Names, top: Iterable[Part]) -> None:
        self._graph = graph
        self._names = names
        self._measures = {
            name: each for model in graph.models.values() for name, each in model.measures.items()
        }
        self._used: set[str] = set()
        self._declared = {each.name: each for each in self._declarations(top)}
        self._bare = dict(self._bare_measures())
        self._built: dict[str, str] = {}
        self._refused: set[str] = set()
        self._open: list[str] = []
        self._book = MetricBook(graph, gathered, names)
        self._of_measure: dict[str, str] = {}

    def build(self) -> None:
        """Add every metric that can be kept; report every other."""
        for name in self._declared:
            try:
                self._resolve(name)
            except Refused:
                continue
        for model in self._graph.models.values():
            for name in sorted(model.create_metrics - self._declared.keys()):
                self._alone(model.measures[name])
        for name, measure in self._measures.items():
            if name not in self._used:
                measure.part.lose("dbt_unused_measure", f"{measure.model}.{name}")

    def _declarations(self, top: Iterable[Part]) -> Iterator[Declared]:
        inside = ((part, model) for model in self._graph.models.values() for part in model.metrics)
        for part, model in (*((part, None) for part in top), *inside):
            name = part.text("name")
            given = self._names.give("asked", name)
            if given != name:
                part.lose("renamed", name, given, at="name")
            yield Declared(name, given, part, model)

    def _bare_measures(self) -> Iterator[tuple[str, str]]:
        """Yield (measure, metric) of the metrics that are a measure and nothing else."""
        for name, declared in reversed(self._declared.items()):
            measure = declared.part.peek("type_params", "measure")
            if isinstance(measure, dict):
                said = {key: value for key, value in measure.items() if value}
                measure = said.get("name") if said.keys() == {"name"} else None
            if isinstance(measure, str) and not declared.part.holds("filter"):
                yield measure, name

    def _resolve(self, name: str) -> str:
        """Return the name here of a declared metric, building it if need be. Raises Refused."""
        if name in self._built:
            return self._built[name]
        declared = self._declared.get(name)
        if declared is None:
            raise Refused("dbt_unknown_metric", seen=name)
        if name in self._refused or len(self._open) >= MAX_DEPTH:
            raise Refused("rests_on_refused", seen=name)
        self._refused.add(name)  # so that a circle comes back here and is refused
        self._open.append(name)
        begun = self._book.begin()
        try:
            self._one(declared)
        except Refused as fault:
            self._left_out(declared, begun, fault.code, fault.why, fault.seen)
        except (ForeignSql, Unresolved) as fault:
            code = "sql_not_read" if isinstance(fault, ForeignSql) else "dbt_unresolved"
            self._left_out(declared, begun, code, fault.message, "")
        finally:
            self._open.pop()
        self._book.commit(begun)
        self._refused.discard(name)
        self._built[name] = declared.given
        return declared.given

    def _left_out(self, declared: Declared, begun: int, code: str, why: str, seen: object) -> Never:
        self._book.forget(begun)
        declared.part.refuse(code, declared.name, seen, why=why)
        raise Refused("rests_on_refused", seen=declared.name)

    def _one(self, declared: Declared) -> None:
        part = declared.part
        part.skip("metadata")
        kinds: Mapping[str, Callable[[Declared, Part], None]] = {
            "simple": self._simple,
            "ratio": self._ratio,
            "derived": self._derived,
            "cumulative": self._cumulative,
            "conversion": self._conversion,
        }
        kind = part.text("type", "simple").lower()
        if kind not in kinds:
            raise Refused("dbt_unknown_type", seen=kind)
        params = declared.params
        params.skip("input_measures")
        for holder in {id(each): each for each in (part, params)}.values():
            if holder.flag("is_private"):
                part.lose("dbt_private", declared.name)
        if part.holds("time_granularity"):
            part.lose(
                "dbt_default_grain", declared.name, part.text("time_granularity"), at="time_granularity"
            )
        kinds[kind](declared, params)

    def _simple(self, declared: Declared, params: Part) -> None:
        found, texts, holders = self._aggregation(declared, params)
        filled = next(
            (value for each in holders if (value := each.number("fill_nulls_with")) is not None), None
        )
        if filled:
            raise Refused("dbt_fill_value", seen=filled)
        spines = [each.flag("join_to_timespine") for each in holders]
        if any(spines):
            declared.part.lose("dbt_time_spine", declared.name)
        time = found.time or self._graph.models[found.model].default_time
        payload = self._book.head(declared.part, declared.name, declared.given, found) | aggregate_of(
            found, self._graph
        )
        filters = filters_of(texts, found.model, time, self._graph)
        if filters:
            payload["filters"] = filters
        if filled is not None:
            payload["null_as_zero"] = True
        self._book.stage(payload, declared.part, self._book.scope_of(found))

    def _aggregation(
        self, declared: Declared, params: Part
    ) -> tuple[Aggregation, tuple[str, ...], list[Part]]:
        """Return what a simple metric aggregates, its filters, and the parts that say how gaps are filled."""
        texts, part = where_texts(declared.part, "filter"), declared.part
        if declared.model is not None:
            found = read_aggregation(part, declared.model.name)
            return replace(found, name=declared.name), texts, [part]
        latest = params.part("metric_aggregation_params")
        if latest is not None:
            model = latest.text("semantic_model")
            if model not in self._graph.models:
                raise Refused("dbt_unknown_model", seen=model)
            found = read_aggregation(latest, model, expr=params.text("expr"))
            return replace(found, name=declared.name), texts, [params]
        measure = input_of(params, "measure")
        if measure is None:
            raise Refused("dbt_unknown_measure", "it names none")
        holders = [measure.part, params] if measure.part else [params]
        return self._measure(measure.name), (*measure.filters, *texts), holders

    def _measure(self, name: str) -> Aggregation:
        if name not in self._measures:
            raise Refused("dbt_unknown_measure", seen=name)
        self._used.add(name)
        return self._measures[name]

    def _alone(self, found: Aggregation) -> None:
        """Add a measure as a metric of its own name."""
        begun = self._book.begin()
        self._used.add(found.name)
        try:
            self._over(found, found.name)
        except (Refused, ForeignSql, Unresolved) as fault:
            code = fault.code if isinstance(fault, Refused) else "sql_not_read"
            found.part.refuse(code, found.name, why=str(fault))
            self._book.forget(begun)
        self._book.commit(begun)

    def _metric_of(self, found: Aggregation, *wanted: str) -> str:
        """Return the metric over a measure alone, staging one if there is none yet."""
        if found.name in self._of_measure:
            return self._of_measure[found.name]
        name = self._bare.get(found.name)
        if name is not None and name not in self._refused:
            return self._resolve(name)
        return self._over(found, *wanted)

    def _over(self, found: Aggregation, *wanted: str) -> str:
        """Stage a metric that is a measure and nothing else."""
        given = self._names.give("asked", *wanted)
        payload = self._book.head(found.part, found.name, given, found) | aggregate_of(found, self._graph)
        self._book.stage(payload, found.part, self._book.scope_of(found))
        self._of_measure[found.name] = given
        return given

    def _ratio(self, declared: Declared, params: Part) -> None:
        sides = []
        for key in ("numerator", "denominator"):
            found = input_of(params, key)
            if found is None:
                raise Refused("dbt_unknown_metric", f"it has no {key}")
            sides.append(self._input(found, declared, key))
        payload: Payload = {"type": "ratio", "numerator": sides[0], "denominator": sides[1]}
        self._compose(declared, payload, sides)

    def _derived(self, declared: Declared, params: Part) -> None:
        found = inputs_of(params, "metrics") or inputs_of(params, "input_metrics")
        named = {each.alias or each.name: self._input(each, declared, each.alias) for each in found}

        def name_of(word: str) -> str:
            if word not in named:
                raise Refused("dbt_unknown_metric", "the expression names it, the inputs do not", word)
            return named[word]

        payload: Payload = {"type": "derived", "expression": formula_text(params.text("expr"), name_of)}
        self._compose(declared, payload, list(named.values()))

    def _compose(self, declared: Declared, payload: Payload, made_of: list[str]) -> None:
        """Stage a metric over others; its own filter is put around it."""
        scope = self._book.together(made_of)
        filters = self._book.filters(where_texts(declared.part, "filter"), scope)
        head = self._book.head(declared.part, declared.name, declared.given)
        if not filters:
            self._book.stage(head | payload, declared.part, scope)
            return
        inner = self._names.give("asked", f"{declared.given}_unfiltered")
        self._book.stage(head | {"name": inner, "label": ""} | payload, declared.part, scope)
        self._book.stage(
            head | {"type": "filtered", "metric": inner, "filters": filters}, declared.part, scope
        )

    def _cumulative(self, declared: Declared, params: Part) -> None:
        inner = params.part("cumulative_type_params") or params
        base = self._base(declared, params, inner, ("metric", "input_metric"), "measure")
        scope = self._book.scopes[base]
        filters = self._book.filters(where_texts(declared.part, "filter"), scope)
        if filters:
            base = self._book.restricted(base, filters, declared, f"{declared.given}_base")
        payload = self._book.head(declared.part, declared.name, declared.given) | {
            "type": "cumulative",
            "metric": base,
        }
        window = span_of(inner, "window") or span_of(params, "window")
        to_date = inner.text("grain_to_date") or params.text("grain_to_date")
        if window:
            payload["window"] = window
        if to_date:
            payload["to_date"] = to_date.lower()
        if inner.text("period_agg", "first").lower() != "last":
            grains = sorted(scope.granularities & set(GRAINS)) or ["day"]
            payload["grains"] = tuple(grains[:1])
            declared.part.lose("dbt_period_agg", declared.name, inner.text("period_agg", "first"))
        self._book.stage(payload, declared.part, scope)

    def _conversion(self, declared: Declared, params: Part) -> None:
        inner = params.part("conversion_type_params") or params
        if where_texts(declared.part, "filter"):
            raise Refused("dbt_conversion_filter")
        base = self._base(declared, inner, inner, ("base_metric",), "base_measure")
        goal = self._base(declared, inner, inner, ("conversion_metric",), "conversion_measure")
        head = self._book.head(declared.part, declared.name, declared.given)
        payload = head | conversion_of(inner, base, goal, self._book)
        declared.part.lose("dbt_conversion", declared.name)
        self._book.stage(payload, declared.part, self._book.together([base, goal]))

    def _base(
        self, declared: Declared, params: Part, inner: Part, keys: tuple[str, ...], measure: str
    ) -> str:
        """Return the metric that a cumulative or conversion metric stands on."""
        for key in keys:
            found = input_of(inner, key)
            if found is not None:
                return self._input(found, declared, key.removesuffix("_metric"))
        found = input_of(params, measure)
        if found is None:
            raise Refused("dbt_unknown_metric", "it names no metric to stand on")
        name = self._metric_of(self._measure(found.name), found.name, f"{declared.given}_base")
        if found.part and found.part.number("fill_nulls_with"):
            raise Refused("dbt_fill_value")
        if found.part and found.part.flag("join_to_timespine"):
            declared.part.lose("dbt_time_spine", declared.name)
        filters = self._book.filters(found.filters, self._book.scopes[name])
        return self._book.restricted(name, filters, declared, f"{declared.given}_base") if filters else name

    def _input(self, found: Input, declared: Declared, word: str) -> str:
        """Return the metric that an input stands for: itself, restricted, or as it was some periods ago."""
        name = self._resolve(found.name)
        wanted = f"{declared.given}_{word or found.name}"
        if found.to_grain:
            raise Refused("dbt_offset_to_grain", seen=found.to_grain)
        filters = self._book.filters(found.filters, self._book.scopes[name])
        if filters:
            name = self._book.restricted(name, filters, declared, wanted)
        if found.offset:
            given = self._names.give("asked", wanted)
            payload: Payload = {"type": "period_over_period", "metric": name, "offset": found.offset}
            self._book.helper(given, payload | {"calculation": "value"}, declared, self._book.scopes[name])
            name = given
        return name
