"""The JSON Schema of a trace line, made from the records themselves so that it cannot say anything else."""

import json

from pydantic import TypeAdapter

from traces.log_records import FORMAT
from traces.records import AnyRecord

FILE_NAME = f"trace-line-{FORMAT}.json"


def line_schema() -> str:
    """Return the schema of one line of a segment as indented JSON text, newline included."""
    record = TypeAdapter(AnyRecord).json_schema(mode="serialization")
    definitions = record.pop("$defs")
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"One line of a cellbound trace log, format {FORMAT}",
        "description": (
            "h is the HMAC-SHA-256, in hex, under the log's key, of the h of the line before (64 zeros "
            "before the first line of a log) followed by the SHA-256 of a zero byte and the bytes of r "
            "exactly as they stand in the line; s counts a log's lines from 0."
        ),
        "type": "object",
        "properties": {
            "h": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "s": {"type": "integer", "minimum": 0},
            "r": record,
        },
        "required": ["h", "s", "r"],
        "additionalProperties": False,
        "$defs": definitions,
    }
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"
