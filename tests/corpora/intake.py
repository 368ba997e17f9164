"""Map a vocabulary file onto a layer and its asking rules, and a labelled question onto the intake."""

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Literal

import yaml

from gateway.intake import IntakePlan, Prepared, prepare, take
from metric_layer.asking import AskingRules, NamedPeriod
from metric_layer.definitions import (
    Aggregate,
    CalendarRules,
    Column,
    Dataset,
    Dimension,
    DimensionValue,
    Document,
)
from metric_layer.layer import build_layer
from metric_layer.plan import MetricPlan
from metric_layer.visible import Visible

Case = Mapping[str, Any]
NO_WINDOW = ("ask", "abstain", "none")
CURRENT: Mapping[str, Literal["to_date", "to_yesterday", "whole"]] = {
    "whole": "whole",
    "to_yesterday": "to_yesterday",
}
# The labels' names for what the product calls otherwise.
KINDS = {"previous_year": "same_period_last_year"}
GRAINS = {"fiscal_month": "month", "fiscal_quarter": "quarter", "fiscal_year": "year"}


def verdicts(cases: Iterable[Case], vocabulary_path: Path) -> Iterable[dict[str, Any]]:
    """Yield one verdict line per case."""
    vocabulary = yaml.safe_load(vocabulary_path.read_text(encoding="utf-8"))
    words = words_of(vocabulary)
    for case in cases:
        earlier = (case.get("context") or {}).get("previous_plan")
        found = take(
            case["question"],
            words,
            visible=Visible(),
            today=date.fromisoformat(str(vocabulary["today"])),
            previous=_plan(earlier) if earlier else None,
        )
        if isinstance(found, IntakePlan):
            yield {"id": case["id"], "action": "plan", "plan": _labelled(found)}
        else:
            shown = found.model_dump(mode="json", exclude={"problems"})
            yield {"id": case["id"], **shown}


def words_of(vocabulary: Mapping[str, Any]) -> Prepared:
    """Build a layer of one table from a vocabulary: each metric a sum, each dimension a column of its own."""
    metrics, dimensions = vocabulary["metrics"], vocabulary["dimensions"]
    times = sorted({metric["time_field"] for metric in metrics})
    names = [*(dimension["name"] for dimension in dimensions), *times]
    columns = (
        *(Column(name=name, type="date" if name in times else "string") for name in names),
        Column(name="amount", type="decimal"),
    )
    year = vocabulary["fiscal_year"]
    document = Document(
        datasets=(Dataset(name="facts", relation="facts", columns=columns),),
        dimensions=(
            *(_dimension(dimension) for dimension in dimensions),
            *(Dimension(name=name, dataset="facts", column=name) for name in times),
        ),
        metrics=tuple(_metric(metric) for metric in metrics),
        calendar=CalendarRules(
            fiscal_start_month=year["start_month"],
            fiscal_named_by=year["named_by"],
            week_start=vocabulary["week_start"],
        ),
    )
    return prepare(build_layer(document), _rules(vocabulary))


def _dimension(given: Mapping[str, Any]) -> Dimension:
    values = (given.get("values") or {}).items()
    return Dimension(
        name=given["name"],
        dataset="facts",
        column=given["name"],
        synonyms=_texts(given.get("synonyms")),
        values=tuple(DimensionValue(value=str(value), synonyms=_texts(said)) for value, said in values),
    )


def _metric(given: Mapping[str, Any]) -> Aggregate:
    return Aggregate(
        name=given["name"],
        version=1,
        owner="corpus",
        label=given.get("label", ""),
        description=given.get("label", given["name"]),
        unit=given.get("unit", ""),
        synonyms=_texts(given.get("synonyms")),
        time_field=given["time_field"],
        dimensions=_texts(given["dimensions"]) if "dimensions" in given else None,
        type="sum",
        dataset="facts",
        column="amount",
    )


def _texts(given: Iterable[Any] | None) -> tuple[str, ...]:
    return tuple(str(text) for text in given or ())


def _rules(vocabulary: Mapping[str, Any]) -> AskingRules:
    policy, held = vocabulary.get("policy") or {}, vocabulary.get("data_available") or {}
    window = policy.get("missing_time", "ask")
    return AskingRules(
        default_calendar=policy.get("default_calendar", "calendar"),
        bare_period="current_year" if policy.get("bare_quarter") == "current_year" else "begun",
        current_period=CURRENT.get(str(policy.get("current_period")), "to_date"),
        last_n="complete" if policy.get("last_n_units", "complete") == "complete" else "with_current",
        default_window="" if window in NO_WINDOW else window.replace("_", " "),
        data_from=held.get("from"),
        data_to=held.get("to"),
        named_periods=tuple(_named(each) for each in vocabulary.get("named_periods") or ()),
        ambiguous={
            word: _texts(options) for word, options in (vocabulary.get("ambiguous_terms") or {}).items()
        },
        unsupported={kind: _texts(words) for kind, words in (vocabulary.get("unsupported") or {}).items()},
        patterns={d["name"]: d["pattern"] for d in vocabulary["dimensions"] if d.get("pattern")},
    )


def _named(given: Mapping[str, Any]) -> NamedPeriod:
    occurrences = [
        {"year": int(year), "from": days[0], "to": days[1]} for year, days in given["occurrences"].items()
    ]
    return NamedPeriod.model_validate(
        {"name": given["name"], "synonyms": _texts(given.get("synonyms")), "occurrences": occurrences}
    )


def _plan(given: Mapping[str, Any]) -> MetricPlan:
    names = {label: kind for kind, label in KINDS.items()}
    compare = given.get("compare")
    if compare and compare["kind"] != "custom":
        given = {**given, "compare": {"kind": names.get(compare["kind"], compare["kind"])}}
    return MetricPlan.model_validate({key: value for key, value in given.items() if value is not None})


def _labelled(found: IntakePlan) -> dict[str, Any]:
    """A plan under the labels' names; they write out the days of every comparison."""
    shown = found.plan.model_dump(mode="json", by_alias=True)
    if found.compared:
        compared = found.compared.model_dump(mode="json", by_alias=True)
        relation = compared.pop("relation")
        shown["compare"] = {"kind": KINDS.get(relation, relation), **compared}
    if shown["time"]:
        shown["time"]["grain"] = GRAINS.get(shown["time"]["grain"], shown["time"]["grain"])
    return shown
