"""Plain values -> YAML and JSON text that reads back as the same values, whatever a text holds."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from decimal import Decimal

WIDTH = 100
INDENT = "  "
_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*(?: [A-Za-z0-9_.]+)*")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def yaml_text(value: Mapping[str, object]) -> str:
    """Return a mapping as YAML in block style; short inner values stand on one line."""
    return "\n".join(_block(value, "")) + "\n"


def json_text(value: object) -> str:
    """Return a value as JSON on one line; decimals keep every digit."""
    return _flow(value, quote=_json_quoted)


def _block(value: Mapping[str, object], indent: str) -> Iterator[str]:
    for key, item in value.items():
        head = f"{indent}{_word(key)}:"
        line = f"{head} {_flow(item, quote=_word)}"
        if (
            not isinstance(item, Mapping | tuple | list)
            or not item
            or (_is_flat(item) and len(line) <= WIDTH)
        ):
            yield line
        elif isinstance(item, Mapping):
            yield head
            yield from _block(item, indent + INDENT)
        else:
            yield head
            for each in item:
                yield from _item(each, indent + INDENT)


def _item(value: object, indent: str) -> Iterator[str]:
    line = f"{indent}- {_flow(value, quote=_word)}"
    if not isinstance(value, Mapping) or not value or (_is_flat(value) and len(line) <= WIDTH):
        yield line
        return
    lines = _block(value, indent + INDENT)
    yield f"{indent}- {next(lines)[len(indent) + len(INDENT) :]}"
    yield from lines


def _is_flat(value: object) -> bool:
    """Say whether a value reads well on one line: nothing inside it holds another mapping."""
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple | list) else ()
    return not any(isinstance(item, Mapping) for item in items)


def _flow(value: object, *, quote: Callable[[str], str]) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{quote(str(key))}: {_flow(item, quote=quote)}" for key, item in value.items())
        return f"{{{inner}}}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(_flow(item, quote=quote) for item in value)}]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | Decimal):
        return str(value)
    return quote(value.isoformat() if isinstance(value, date) else str(value))


def _json_quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _word(text: str) -> str:
    """Return a text as a YAML scalar: bare where nobody could take it for anything else."""
    if _BARE.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if letter == " " or letter.isprintable():
        return letter
    return f"\\U{ord(letter):08X}"
