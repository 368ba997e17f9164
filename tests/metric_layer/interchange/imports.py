"""Imports a document written as plain values or as text, and small documents to begin from."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from metric_layer.definitions import Document
from metric_layer.draft import DraftReader
from metric_layer.interchange.importing import Format, ImportReport, import_file

Plain = dict[str, object]


@dataclass(frozen=True)
class Imported:
    """What an import wrote, read back, and its report."""

    document: Document
    report: ImportReport

    def codes(self, level: str = "") -> list[str]:
        return [line.code for line in self.report.lines if level in ("", line.level)]

    def metric(self, name: str) -> Plain:
        return next(each for each in self.document.metrics if each.name == name).model_dump(
            exclude_defaults=True
        )

    def dimension(self, name: str) -> Plain:
        found = next(each for each in self.document.dimensions if each.name == name)
        return found.model_dump(exclude_defaults=True)

    def dataset(self, name: str) -> Plain:
        return next(each for each in self.document.datasets if each.name == name).model_dump(
            exclude_defaults=True
        )


def imported(
    kind: Format,
    data: Mapping[str, object] | str,
    *,
    owner: str = "",
    certify: bool = False,
    present: str = "",
) -> Imported:
    """Import a document; `present` is a file of definitions that the project has already."""
    text, suffix = (data, "yml") if isinstance(data, str) else (json.dumps(data), "json")
    with TemporaryDirectory() as place:
        file, folder = Path(place) / f"document.{suffix}", Path(place) / "metrics"
        file.write_text(text, encoding="utf-8")
        if present:
            folder.mkdir()
            (folder / "present.yml").write_text(present, encoding="utf-8")
        report = import_file(file, kind, folder, owner, certify=certify)
        document = DraftReader().read_folder(folder).document() if folder.is_dir() else Document()
    return Imported(document, report)


def dbt(*metrics: Plain, orders: Plain | None = None, more: tuple[Plain, ...] = (), **top: object) -> Plain:
    """A manifest over orders and customers; `orders` changes the model of orders."""
    model: Plain = {
        "name": "orders",
        "description": "One row per order.",
        "defaults": {"agg_time_dimension": "ordered_on"},
        "node_relation": {"alias": "orders", "schema_name": "shop", "database": None},
        "entities": [
            {"name": "order", "type": "primary", "expr": "order_id"},
            {"name": "customer", "type": "foreign", "expr": "customer_id"},
        ],
        "dimensions": [
            {"name": "ordered_on", "type": "time", "type_params": {"time_granularity": "day"}},
            {"name": "order_status", "type": "categorical"},
            {"name": "is_gift", "type": "categorical"},
        ],
        "measures": [{"name": "revenue", "agg": "sum", "expr": "amount"}],
    }
    customers: Plain = {
        "name": "customers",
        "node_relation": {"alias": "customers", "schema_name": "shop"},
        "entities": [{"name": "customer", "type": "primary", "expr": "id"}],
        "dimensions": [{"name": "region", "type": "categorical", "label": "Region"}],
    }
    return {
        "semantic_models": [model | (orders or {}), customers, *more],
        "metrics": list(metrics) or [simple("revenue")],
        **top,
    }


def simple(name: str, measure: object = "revenue", **more: object) -> Plain:
    return {
        "name": name,
        "type": "simple",
        "description": f"What {name} is.",
        "type_params": {"measure": measure},
        **more,
    }


def metric(name: str, kind: str, where: object = None, **params: object) -> Plain:
    found = {"name": name, "type": kind, "description": f"What {name} is.", "type_params": params}
    return found | ({"filter": where} if where else {})


def ossie(
    *metrics: Plain, fields: tuple[Plain, ...] = (), orders: Plain | None = None, **top: object
) -> Plain:
    """A flat document over orders and customers."""
    dataset: Plain = {
        "name": "orders",
        "source": "shop.orders",
        "primary_key": ["order_id"],
        "fields": [
            column("order_id", "Integer"),
            column("customer_id", "Integer"),
            column("amount", "Decimal"),
            column("ordered_on", "Date", dimension={"is_time": True}),
            *fields,
        ],
    }
    customers: Plain = {
        "name": "customers",
        "source": "shop.customers",
        "primary_key": ["id"],
        "fields": [column("id", "Integer"), column("region", "String", dimension={})],
    }
    edge = {"name": "orders_to_customers", "from": "orders", "to": "customers"}
    return {
        "version": "0.2.0.dev0",
        "name": "shop",
        "datasets": [dataset | (orders or {}), customers],
        "relationships": [edge | {"from_columns": ["customer_id"], "to_columns": ["id"]}],
        "metrics": list(metrics) or [aggregate("revenue", "SUM(orders.amount)")],
        **top,
    }


def column(name: str, datatype: str = "", sql: str = "", **more: object) -> Plain:
    said = {"datatype": datatype} if datatype else {}
    return {"name": name, "expression": ansi(sql or name), **said, **more}


def aggregate(name: str, sql: str, **more: object) -> Plain:
    return {"name": name, "expression": ansi(sql), "description": f"What {name} is.", **more}


def ansi(sql: str) -> Plain:
    return {"dialects": [{"dialect": "ANSI_SQL", "expression": sql}]}


def cube(
    *measures: Plain, dimensions: tuple[Plain, ...] = (), orders: Plain | None = None, **top: object
) -> Plain:
    """A data model over orders and customers."""
    found: Plain = {
        "name": "orders",
        "sql_table": "shop.orders",
        "joins": [
            {
                "name": "customers",
                "relationship": "many_to_one",
                "sql": "{CUBE}.customer_id = {customers.id}",
            }
        ],
        "dimensions": [
            {"name": "order_id", "sql": "id", "type": "number", "primary_key": True},
            {"name": "status", "sql": "{CUBE}.order_status", "type": "string"},
            {"name": "created_at", "sql": "created_at", "type": "time"},
            *dimensions,
        ],
        "measures": list(measures) or [measure("revenue", "sum", "amount")],
    }
    customers: Plain = {
        "name": "customers",
        "sql": "SELECT * FROM shop.customers",
        "dimensions": [
            {"name": "id", "sql": "id", "type": "number", "primary_key": True},
            {"name": "region", "sql": "region", "type": "string", "title": "Region"},
        ],
    }
    return {"cubes": [found | (orders or {}), customers], **top}


def measure(name: str, kind: str, sql: str = "", **more: object) -> Plain:
    said = {"sql": sql} if sql else {}
    return {"name": name, "type": kind, "description": f"What {name} is.", **said, **more}
