"""Keys of the metric kinds, of columns, hierarchies and fiscal years are held against their rules at load."""

import pytest

from metric_layer.issues import Issue
from metric_layer.load import LayerInvalid, load_text
from metric_layer.source import Source, read_text
from tests.metric_layer.ledger import LEDGER

HEAD = "{name: extra, version: 1, owner: o, description: d, "


def faults(text: str) -> list[Issue]:
    with pytest.raises(LayerInvalid) as caught:
        load_text(text)
    return list(caught.value.issues)


def metric(rest: str, *more: str) -> str:
    lines = [
        HEAD + rest,
        *(f"{{name: extra_{n}, version: 1, owner: o, description: d, {one}" for n, one in enumerate(more)),
    ]
    return LEDGER + "".join(f"  - {line}}}\n" for line in lines)


def changed(old: str, new: str) -> str:
    assert LEDGER.count(old) >= 1
    return LEDGER.replace(old, new, 1)


def fiscal(years: str) -> str:
    return changed(
        "calendar: {fiscal_start_month: 2, time_zone: Europe/Berlin}", f"calendar:\n  fiscal_years:\n{years}"
    )


def year(number: int, first: str, end: str, second: str = "01-29") -> str:
    rest = "".join(f", {first[:4]}-{month:02d}-15" for month in range(2, 12))
    return f"    - {{year: {number}, starts: [{first}, {first[:4]}-{second}{rest}], end: {end}}}\n"


FEE = "type: sum, dataset: payments, column: fee, time_field: paid_on"
SUM = "type: sum, dataset: balances, column: amount"

BROKEN = {
    "a percentile that does not say which": (
        metric("type: percentile, dataset: payments, column: fee"),
        "no_percentile",
        "type",
    ),
    "a percentile of another type": (metric(f"{FEE}, percentile: 0.5"), "wrong_type", "percentile"),
    "a percentile of everything": (
        metric("type: percentile, percentile: 1, dataset: payments, column: fee"),
        "invalid_value",
        "percentile",
    ),
    "a median of text": (
        metric("type: median, dataset: payments, column: currency"),
        "wrong_type",
        "type",
    ),
    "moments of an unknown dimension": (
        metric(f"{SUM}, snapshot: {{over: balance_dat, pick: last}}"),
        "unknown_dimension",
        "snapshot/over",
    ),
    "moments of another dataset's time": (
        metric(f"{SUM}, snapshot: {{over: paid_on, pick: last}}"),
        "wrong_dataset",
        "snapshot/over",
    ),
    "moments of a dimension that is no time": (
        metric("type: sum, dataset: payments, column: fee, snapshot: {over: currency, pick: last}"),
        "wrong_type",
        "snapshot/over",
    ),
    "moments per what is not reached": (
        metric(f"{SUM}, snapshot: {{over: balance_date, pick: last, per: [currency]}}"),
        "unreachable",
        "snapshot/per/0",
    ),
    "an average over moments of a maximum": (
        metric("type: max, dataset: balances, column: amount, snapshot: {over: balance_date, pick: average}"),
        "wrong_type",
        "snapshot/pick",
    ),
    "a snapshot counted by another time": (
        metric(f"{SUM}, time_field: booked_on, snapshot: {{over: balance_date, pick: last}}"),
        "snapshot_clock",
        "time_field",
    ),
    "a currency that is not reached": (
        metric(f"{SUM}, unit_dimension: currency".replace("EUR", "")),
        "unreachable",
        "unit_dimension",
    ),
    "a currency that is a number": (
        metric("type: sum, dataset: payments, column: cents, unit_dimension: account"),
        "wrong_type",
        "unit_dimension",
    ),
    "a unit and a currency of each row": (
        metric("type: sum, dataset: payments, column: cents, unit: USD, unit_dimension: currency"),
        "unit_and_unit_dimension",
        "unit_dimension",
    ),
    "a currency of a count": (
        metric("type: count, dataset: payments, unit_dimension: currency"),
        "wrong_type",
        "unit_dimension",
    ),
    "a currency of a moment": (
        metric("type: max, dataset: payments, column: paid_on, unit_dimension: currency"),
        "wrong_type",
        "unit_dimension",
    ),
    "a unit stated over rows that bring their own": (
        metric("type: derived, expression: paid * 2, unit: USD"),
        "mixed_units",
        "unit",
    ),
    "amounts of a stated and a changing unit": (
        metric("type: derived, expression: paid + fees"),
        "mixed_units",
        "expression",
    ),
    "a dimension that is not there for what is not added": (
        metric(f"{FEE}, non_additive: [paid_onn]"),
        "unknown_dimension",
        "non_additive/0",
    ),
    "a window and a start": (
        metric("type: cumulative, metric: fees, window: {count: 1, unit: day}, to_date: year"),
        "window_and_to_date",
        "to_date",
    ),
    "a start of each day": (
        metric("type: cumulative, metric: fees, to_date: day"),
        "wrong_values",
        "to_date",
    ),
    "a running figure of a running figure": (
        metric("type: cumulative, metric: extra_0", "type: derived, expression: fees_28 * 2"),
        "wrong_nesting",
        "metric",
    ),
    "a running figure of a growth": (
        metric("type: cumulative, metric: fees_growth"),
        "wrong_nesting",
        "metric",
    ),
    "a running figure of a balance": (
        metric("type: cumulative, metric: balance"),
        "wrong_nesting",
        "metric",
    ),
    "a growth of a growth": (
        metric("type: period_over_period, metric: fees_growth, offset: {count: 1, unit: year}"),
        "wrong_nesting",
        "metric",
    ),
    "an offset of nothing": (
        metric("type: period_over_period, metric: fees, offset: {count: 0, unit: year}"),
        "invalid_value",
        "offset/count",
    ),
    "a running figure of an unknown metric": (
        metric("type: cumulative, metric: feess"),
        "unknown_metric",
        "metric",
    ),
    "a running figure of itself": (metric("type: cumulative, metric: extra"), "cycle", "name"),
    "a conversion of a sum": (
        metric("type: conversion, base: fees, conversion: signup_count, entity: person"),
        "wrong_type",
        "base",
    ),
    "a conversion by an entity that is not carried": (
        metric("type: conversion, base: visit_count, conversion: signup_count, entity: country"),
        "unreachable",
        "entity",
    ),
    "a conversion by an unknown entity": (
        metric("type: conversion, base: visit_count, conversion: signup_count, entity: persn"),
        "unknown_dimension",
        "entity",
    ),
    "a constant that one event does not carry": (
        metric(
            "type: conversion, base: visit_count, conversion: signup_count, entity: person, "
            "constant: [plan_name]"
        ),
        "unreachable",
        "constant/0",
    ),
    "a conversion window of fiscal years": (
        metric(
            "type: conversion, base: visit_count, conversion: signup_count, entity: person, "
            "window: {count: 1, unit: fiscal_year}"
        ),
        "wrong_values",
        "window/unit",
    ),
    "events of which one has no time": (
        metric(
            "type: conversion, base: visit_count, conversion: extra_0, entity: person",
            "type: count, dataset: signups",
        ),
        "no_time_field",
        "conversion",
    ),
    "events of two kinds of time": (
        metric(
            "type: conversion, base: visit_count, conversion: extra_0, entity: person",
            "type: count, dataset: signups, time_field: signed_on",
        ),
        "wrong_type",
        "conversion",
    ),
    "a successor that does not exist": (
        metric(f"{FEE}, status: deprecated, successor: feess"),
        "unknown_metric",
        "successor",
    ),
    "a successor that is deprecated": (
        metric(f"{FEE}, status: deprecated, successor: old_fees"),
        "wrong_successor",
        "successor",
    ),
    "a certified growth of a draft": (
        metric("type: period_over_period, metric: new_fees, offset: {count: 1, unit: year}"),
        "rests_on_draft",
        "status",
    ),
    "a certified conversion of a draft": (
        metric(
            "type: conversion, base: visit_count, conversion: extra_0, entity: person",
            "type: count, dataset: signups, time_field: signed_at, status: draft",
        ),
        "rests_on_draft",
        "status",
    ),
    "a metric called like a comparison": (
        metric(FEE).replace("name: extra", "name: fees__previous"),
        "reserved_name",
        "name",
    ),
    "a dimension called like a comparison": (
        changed("dimensions:\n", "dimensions:\n  - {name: fees__growth, dataset: accounts, column: city}\n"),
        "reserved_name",
        "name",
    ),
    "a scale of text": (
        changed("{name: currency, type: string}", "{name: currency, type: string, scale: 0.01}"),
        "wrong_type",
        "columns/2/scale",
    ),
    "a dimension on a scaled column": (
        changed("column: fee}\n", "column: cents}\n"),
        "scaled_dimension",
        "column",
    ),
    "a zone of a date": (
        changed("{name: hit_on, type: date}", "{name: hit_on, type: date, time_zone: UTC}"),
        "wrong_type",
        "columns/0/time_zone",
    ),
    "a zone of an instant": (
        changed(
            "{name: visited_at, type: timestamptz}", "{name: visited_at, type: timestamptz, time_zone: UTC}"
        ),
        "wrong_type",
        "columns/3/time_zone",
    ),
    "a column's zone that does not exist": (
        changed("time_zone: America/New_York", "time_zone: America/New_Yrk"),
        "unknown_zone",
        "columns/4/time_zone",
    ),
    "an unknown level": (
        changed("levels: [branch, city]", "levels: [brunch, city]"),
        "unknown_dimension",
        "levels/0",
    ),
    "a level named twice": (
        changed("levels: [branch, city]", "levels: [city, city]"),
        "repeated_name",
        "levels/1",
    ),
    "a level out of reach": (
        changed("levels: [branch, city]", "levels: [country, city]"),
        "unreachable",
        "levels/0",
    ),
    "periods out of order": (
        fiscal(year(2026, "2026-01-01", "2026-12-31", "01-01")),
        "broken_fiscal_years",
        "fiscal_years/0/starts/1",
    ),
    "a year that ends before its last period": (
        fiscal(year(2026, "2026-01-01", "2026-11-01")),
        "broken_fiscal_years",
        "fiscal_years/0/end",
    ),
    "years with a gap between them": (
        fiscal(year(2026, "2026-01-01", "2026-12-30") + year(2027, "2027-01-01", "2027-12-31")),
        "broken_fiscal_years",
        "fiscal_years/1/starts/0",
    ),
    "a year that is missing": (
        fiscal(year(2026, "2026-01-01", "2026-12-31") + year(2028, "2027-01-01", "2027-12-31")),
        "broken_fiscal_years",
        "fiscal_years/1/year",
    ),
    "eleven periods": (
        fiscal("    - {year: 2026, starts: [2026-01-01], end: 2026-12-31}\n"),
        "invalid_value",
        "fiscal_years/0/starts",
    ),
}


def places_of(text: str, key: str) -> set[str]:
    """Return where a key stands in each definition of a text that has it."""
    source = read_text(text, "metrics.yml")
    assert isinstance(source, Source) and isinstance(source.data, dict)
    inside = tuple(int(part) if part.isdigit() else part for part in key.split("/"))
    items = [
        (name, index)
        for name, data in source.data.items()
        if isinstance(data, tuple)
        for index in range(len(data))
    ]
    return {source.place((*item, *inside)) for item in [*items, ("calendar",)]}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_named_at_its_key(name: str) -> None:
    text, code, key = BROKEN[name]
    found = faults(text)
    assert [issue.code for issue in found] == [code], found
    (issue,) = found
    assert issue.place in places_of(text, key)
    assert issue.message.endswith(".") and (issue.next_step or issue.candidates or issue.seen)


def test_several_kinds_of_fault_come_at_once() -> None:
    text = metric(
        f"{FEE}, non_additive: [nope], unit_dimension: nope",
        "type: cumulative, metric: fees_28",
        "type: conversion, base: fees, conversion: signup_count, entity: nope",
    )
    codes = [issue.code for issue in faults(text)]
    assert codes == ["unknown_dimension", "unknown_dimension", "wrong_nesting", "wrong_type"]


def test_whole_numbers_are_read_where_a_decimal_is_wanted() -> None:
    text = changed("scale: 0.01", "scale: 100").replace(
        "{name: fees, version: 1,", "{name: fees, tolerance: 0, version: 1,"
    )
    layer = load_text(text)
    assert layer.metrics["fees"].tolerance == 0
    assert layer.datasets["payments"].columns[3].scale == 100


def test_the_order_of_definitions_does_not_matter() -> None:
    head, metrics = LEDGER.split("metrics:\n")
    items = ["  - {name" + item for item in metrics.split("  - {name")[1:]]
    turned = head + "metrics:\n" + "".join(reversed(items))
    assert load_text(turned).digest == load_text(LEDGER).digest


def test_a_changed_hierarchy_changes_the_digest() -> None:
    other = load_text(changed("levels: [branch, city]", "levels: [city, branch]"))
    assert other.digest != load_text(LEDGER).digest
