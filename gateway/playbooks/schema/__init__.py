"""The JSON Schema of the files of saved analyses; `python -m gateway.playbooks.schema` writes it."""

import json
import shutil
from pathlib import Path

from gateway.playbooks.definition import Analysis

FILE = Path(__file__).parent / "analysis.json"
SCHEMA_FILE = "analysis.schema.json"
FIRST_LINE = f"# yaml-language-server: $schema={SCHEMA_FILE}\n"


def put_schema(folder: Path) -> None:
    """Put the schema into a folder of saved analyses, where their first line names it."""
    shutil.copyfile(FILE, folder / SCHEMA_FILE)


def schema_text() -> str:
    """Return the text that the committed schema has to hold."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Analysis.model_json_schema()}
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"
