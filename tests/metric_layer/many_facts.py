"""As many facts as asked around one dimension, with a figure of every type of value in each of them."""

from itertools import cycle

from metric_layer.layer import Layer
from metric_layer.load import load_text

FIGURES = {
    "whole": ("sum", "integer"),
    "float": ("sum", "float"),
    "exact": ("sum", "decimal"),
    "text": ("min", "string"),
    "day": ("max", "date"),
    "moment": ("max", "timestamp"),
    "rows": ("count_distinct", "integer"),
}
"""Kinds of figures: the aggregate, and the type of its column, which is called like it."""
TYPES = tuple(dict.fromkeys(kind for _, kind in FIGURES.values()))


def many_facts(count: int) -> Layer:
    """Return a layer with `whole_0`, `float_0`, ... of each fact, and `wide_0`, ... all over the first."""
    columns = ", ".join(f"{{name: {name}, type: {name}}}" for name in TYPES)
    text = ["datasets:"]
    text += [
        f"  - {{name: f{at}, relation: f{at}, columns: [{{name: area, type: integer}}, {columns}]}}"
        for at in range(count)
    ]
    areas = "[{name: area, type: integer}, {name: region, type: string}]"
    text.append(
        f"  - {{name: areas, relation: areas, primary_key: [area], columns: {areas}}}\nrelationships:"
    )
    for at in range(count):
        ends = f"from_dataset: f{at}, to_dataset: areas, from_columns: [area], to_columns: [area]"
        text.append(f"  - {{name: r{at}, {ends}}}")
    text.append("dimensions:\n  - {name: region, dataset: areas, column: region}\nmetrics:")
    for at in range(count):
        for name, (aggregate, kind) in FIGURES.items():
            text.append(_metric(f"{name}_{at}", aggregate, f"dataset: f{at}, column: {kind}"))
        text.append(_metric(f"wide_{at}", "sum", f"dataset: f0, expression: integer + {at}"))
    return load_text("\n".join(text) + "\n")


def _metric(name: str, aggregate: str, of: str) -> str:
    return f"  - {{name: {name}, version: 1, owner: o, description: d, type: {aggregate}, {of}}}"


def asked(kind: str, facts: int) -> dict[str, list[str]]:
    """Return a plan over so many facts: of one kind, of every kind in turn, or one wide beside the others."""
    if kind == "mixed":
        names = [f"{name}_{at}" for at, name in zip(range(facts), cycle(FIGURES), strict=False)]
    elif kind == "wide":
        half = facts // 2
        names = [f"wide_{at}" for at in range(half)] + [f"whole_{at}" for at in range(1, facts - half + 1)]
    else:
        names = [f"{kind}_{at}" for at in range(facts)]
    return {"metrics": names, "dimensions": ["region"]}


def tables(count: int) -> str:
    """Return the facts as tables of a few rows: areas that are missing, unknown or empty among them."""
    kinds = {
        "string": "VARCHAR",
        "float": "DOUBLE PRECISION",
        "decimal": "DECIMAL(12, 2)",
        "integer": "BIGINT",
    }
    columns = ", ".join(f'"{name}" {kinds.get(name, name)}' for name in TYPES)
    text = ["CREATE TABLE areas (area INTEGER, region VARCHAR); INSERT INTO areas VALUES (1, 'n'), (2, 's')"]
    for at in range(count):
        text.append(f"CREATE TABLE f{at} (area INTEGER, {columns})")
        for area in ("1", "NULL", "9")[: at % 4]:
            times = f"'2026-01-{at % 28 + 1:02}', '2026-02-01 10:00:{at % 60:02}'"
            text.append(f"INSERT INTO f{at} VALUES ({area}, {at}, {at / 4}, {at}.25, 'v{at}', {times})")
    return "; ".join(text)
