"""The JSON Schemas of definition files and plans; `python -m metric_layer.schema` writes them."""

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from metric_layer.definitions import Document
from metric_layer.plan import MetricPlan

FOLDER = Path(__file__).parent


def schemas() -> Iterator[tuple[Path, str]]:
    """Yield each committed schema file with the text it has to hold."""
    models: tuple[tuple[str, type[BaseModel]], ...] = (("definitions", Document), ("plan", MetricPlan))
    for name, model in models:
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
        yield FOLDER / f"{name}.json", json.dumps(schema, indent=2, sort_keys=True) + "\n"
