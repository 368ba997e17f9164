"""JSON of plain values: texts, numbers, lists and mappings."""

import json

from pydantic_core import PydanticSerializationError, to_json

_ANY_TEXT = json.JSONEncoder(separators=(",", ":"))


def plain_json(value: object) -> bytes:
    """Return a value as JSON in UTF-8; a text that UTF-8 has no bytes for is escaped, and comes back."""
    try:
        return to_json(value)
    except PydanticSerializationError:
        return _ANY_TEXT.encode(value).encode()
