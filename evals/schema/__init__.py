"""The JSON Schemas of case files, answers and results; `python -m evals.schema` writes them."""

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from evals.cases import CaseFile
from evals.given import GivenAnswer
from evals.results import RunLine

FOLDER = Path(__file__).parent


def schemas() -> Iterator[tuple[Path, str]]:
    """Yield each committed schema file with the text it has to hold."""
    models: tuple[tuple[str, type[BaseModel]], ...] = (
        ("cases", CaseFile),
        ("answer", GivenAnswer),
        ("result", RunLine),
    )
    for name, model in models:
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
        yield FOLDER / f"{name}.json", json.dumps(schema, indent=2, sort_keys=True) + "\n"
