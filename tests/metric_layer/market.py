"""A market: keys of two columns, roles, three hops, two clocks, states, events; as a layer and as tables."""

from dataclasses import dataclass

ZONE = "Europe/Berlin"
TABLES = {
    "sales": "sale INTEGER, shop INTEGER, area VARCHAR(9), ship INTEGER, bill INTEGER, ordered_on DATE,"
    " paid_at TIMESTAMPTZ, amount DECIMAL(12, 2), pieces INTEGER, rough REAL, note VARCHAR(20)",
    "returns": "shop INTEGER, area VARCHAR(9), returned_on DATE, worth DECIMAL(14, 4), pieces BIGINT,"
    " weight DOUBLE PRECISION, note VARCHAR",
    "shops": "shop INTEGER, area VARCHAR(9), town INTEGER, tier VARCHAR",
    "towns": "town_id INTEGER, town VARCHAR, country INTEGER",
    "countries": "country_id INTEGER, country VARCHAR",
    "stock": "shop INTEGER, area VARCHAR(9), seen_on DATE, level INTEGER",
    "visits": "person INTEGER, channel VARCHAR, visited_at TIMESTAMPTZ",
    "signups": "person INTEGER, channel VARCHAR, signed_at TIMESTAMPTZ, tariff VARCHAR",
    "people": "person_id INTEGER, age VARCHAR",
    "channels": "channel VARCHAR",
}
_TYPES = {
    "INTEGER": "integer", "BIGINT": "integer", "DATE": "date", "TIMESTAMPTZ": "timestamptz", "REAL": "float",
    "DOUBLE": "float",
}  # fmt: skip
KEYS = {"shops": ("shop", "area"), "towns": ("town_id",), "countries": ("country_id",)} | {
    "people": ("person_id",),
    "channels": ("channel",),
}
EDGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "sale_shop": ("sales", "shops", ("shop", "area")),
    "return_shop": ("returns", "shops", ("shop", "area")),
    "stock_shop": ("stock", "shops", ("shop", "area")),
    "ship": ("sales", "towns", ("ship",)),
    "bill": ("sales", "towns", ("bill",)),
    "shop_town": ("shops", "towns", ("town",)),
    "town_country": ("towns", "countries", ("country",)),
    "visit_person": ("visits", "people", ("person",)),
    "signup_person": ("signups", "people", ("person",)),
    "visit_channel": ("visits", "channels", ("channel",)),
    "signup_channel": ("signups", "channels", ("channel",)),
}
DIMENSIONS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "tier": ("shops", "tier", ()),
    "shop_town_name": ("towns", "town", ("shop_town",)),
    "shop_country": ("countries", "country", ("shop_town", "town_country")),
    "ship_town": ("towns", "town", ("ship",)),
    "bill_country": ("countries", "country", ("bill", "town_country")),
    "sale_pieces": ("sales", "pieces", ()),
    "sale_note": ("sales", "note", ()),
    "age": ("people", "age", ()),
    "person": ("people", "person_id", ()),
    "way": ("channels", "channel", ()),
    "stock_place": ("stock", "shop", ()),
    "tariff": ("signups", "tariff", ()),
    "ordered_on": ("sales", "ordered_on", ()),
    "paid_at": ("sales", "paid_at", ()),
    "returned_on": ("returns", "returned_on", ()),
    "seen_on": ("stock", "seen_on", ()),
    "visited_at": ("visits", "visited_at", ()),
    "signed_at": ("signups", "signed_at", ()),
}
TIMES = {"sales": "ordered_on", "returns": "returned_on", "stock": "seen_on", "visits": "visited_at"} | {
    "signups": "signed_at"
}


@dataclass(frozen=True)
class Metric:
    """A metric as the reference knows it; `of` are the metrics under it."""

    kind: str
    fact: str = ""
    column: str = ""
    of: tuple[str, ...] = ()
    kept: tuple[tuple[str, str, object], ...] = ()
    unit: str = ""
    count: int = 0
    way: str = ""
    zero: bool = False


METRICS: dict[str, Metric] = {
    "revenue": Metric("sum", "sales", "amount"),
    "orders": Metric("count", "sales"),
    "pieces": Metric("sum", "sales", "pieces"),
    "kinds": Metric("count_distinct", "sales", "pieces"),
    "dearest": Metric("max", "sales", "amount"),
    "first_note": Metric("min", "sales", "note"),
    "first_order": Metric("min", "sales", "ordered_on"),
    "rough": Metric("sum", "sales", "rough"),
    "mean": Metric("avg", "sales", "amount"),
    "middle": Metric("median", "sales", "pieces"),
    "ninth": Metric("percentile", "sales", "pieces"),
    "returned": Metric("sum", "returns", "worth"),
    "back": Metric("count", "returns"),
    "back_pieces": Metric("sum", "returns", "pieces"),
    "weight": Metric("max", "returns", "weight"),
    "last_note": Metric("max", "returns", "note"),
    "returned_or_none": Metric("sum", "returns", "worth", zero=True),
    "large": Metric("filtered", of=("revenue",), kept=(("sale_pieces", "ge", 2),)),
    "large_abroad": Metric("filtered", of=("large",), kept=(("bill_country", "ne", "P"),)),
    "aov": Metric("ratio", of=("revenue", "orders")),
    "large_share": Metric("ratio", of=("large", "revenue")),
    "net": Metric("sub", of=("revenue", "returned")),
    "net_or_none": Metric("sub", of=("revenue", "returned_or_none")),
    "per_back": Metric("ratio", of=("net", "back")),
    "week_run": Metric("window", of=("revenue",), unit="day", count=7),
    "two_months": Metric("window", of=("returned",), unit="month", count=2),
    "month_run": Metric("to_date", of=("large",), unit="month"),
    "year_run": Metric("to_date", of=("orders",), unit="year"),
    "ever": Metric("ever", of=("back_pieces",)),
    "month_back": Metric("offset", of=("revenue",), unit="month", count=1, way="value"),
    "week_back": Metric("offset", of=("orders",), unit="week", count=1, way="difference"),
    "share_back": Metric("offset", of=("large_share",), unit="month", count=1, way="growth"),
    "quarter_back": Metric("offset", of=("back",), unit="month", count=3, way="difference"),
    "year_back": Metric("offset", of=("aov",), unit="month", count=12, way="value"),
    "run_back": Metric("offset", of=("month_run",), unit="month", count=1, way="value"),
    "level": Metric("last", "stock", "level"),
    "level_first": Metric("first", "stock", "level"),
    "level_each": Metric("last", "stock", "level", way="stock_place"),
    "level_mean": Metric("average", "stock", "level"),
    "level_back": Metric("offset", of=("level",), unit="month", count=1, way="value"),
    "shop_count": Metric("count", "shops"),
    "visit_count": Metric("count", "visits"),
    "signup_count": Metric("count", "signups"),
    "paying": Metric("filtered", of=("signup_count",), kept=(("tariff", "ne", "free"),)),
    "led": Metric("converted", of=("visit_count", "paying"), unit="day", count=3, way="count"),
    "lead_rate": Metric("converted", of=("visit_count", "paying"), unit="day", count=3, way="rate"),
}


def definitions() -> str:
    """Return the market as a layer's YAML."""
    text = [f"calendar: {{week_start: sunday, fiscal_start_month: 2, time_zone: {ZONE}}}", "datasets:"]
    for table, columns in TABLES.items():
        named = [
            column.split()[:2] for column in columns.replace(", 2)", ")").replace(", 4)", ")").split(", ")
        ]
        shown = ", ".join(
            f"{{name: {name}, type: {_TYPES.get(kind) or ('decimal' if 'DECIMAL' in kind else 'string')}}}"
            for name, kind in named
        )
        key = f"    primary_key: [{', '.join(KEYS[table])}]\n" if table in KEYS else ""
        text.append(f"  - name: {table}\n    relation: {table}\n{key}    columns: [{shown}]")
    text.append("relationships:")
    for name, (start, end, names) in EDGES.items():
        keys = ", ".join(KEYS[end])
        text.append(
            f"  - {{name: {name}, from_dataset: {start}, to_dataset: {end},"
            f" from_columns: [{', '.join(names)}], to_columns: [{keys}]}}"
        )
    text.append("dimensions:")
    for name, (table, column, via) in DIMENSIONS.items():
        text.append(f"  - {{name: {name}, dataset: {table}, column: {column}, via: [{', '.join(via)}]}}")
    text.append(f"clocks: [{{name: any_day, fields: [{', '.join(TIMES.values())}]}}]\nmetrics:")
    text.extend(
        f"  - {{name: {n}, version: 1, owner: o, description: d, {_told(m)}}}" for n, m in METRICS.items()
    )
    return "\n".join(text) + "\n"


def _told(metric: Metric) -> str:
    kept = ", ".join(f"{{field: {f}, op: {op}, values: [{value}]}}" for f, op, value in metric.kept)
    span = f"{{count: {metric.count}, unit: {metric.unit}}}"
    under = metric.of[0] if metric.of else ""
    match metric.kind:
        case "filtered":
            return f"type: filtered, metric: {under}, filters: [{kept}]"
        case "ratio":
            return f"type: ratio, numerator: {under}, denominator: {metric.of[1]}"
        case "sub":
            return f"type: derived, expression: {under} - {metric.of[1]}"
        case "window" | "to_date" | "ever":
            more = {"window": f", window: {span}", "to_date": f", to_date: {metric.unit}"}.get(
                metric.kind, ""
            )
            return f"type: cumulative, metric: {under}{more}"
        case "offset":
            return f"type: period_over_period, metric: {under}, offset: {span}, calculation: {metric.way}"
        case "converted":
            return (
                f"type: conversion, base: {under}, conversion: {metric.of[1]}, entity: person,"
                f" window: {span}, constant: [way], calculation: {metric.way}"
            )
        case "last" | "first" | "average":
            per = f", per: [{metric.way}]" if metric.way else ""
            snapshot = f"snapshot: {{over: seen_on, pick: {metric.kind}{per}}}"
            return f"type: sum, dataset: stock, column: {metric.column}, {snapshot}"
    column = f", column: {metric.column}" if metric.column else ""
    zero = ", null_as_zero: true" if metric.zero else ""
    zero += ", percentile: 0.9" if metric.kind == "percentile" else ""
    time = f", time_field: {TIMES[metric.fact]}" if metric.fact in TIMES else ""
    return f"type: {metric.kind}, dataset: {metric.fact}{column}{time}{zero}"
