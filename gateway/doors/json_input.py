"""Reads JSON from outside: exact decimals, whole characters, no repeated keys; errors with a place."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Never

from metric_layer.issues import Issue
from metric_layer.validate import Pointer, pointer_text

NUMBER_CHARACTERS = 400
SHORTER = "Write a shorter number."


class BadInput(Exception):
    """What a caller handed in cannot be used. `issue` says where and why, `issues` all that is wrong."""

    def __init__(self, issue: Issue, *more: Issue) -> None:
        super().__init__(issue.message)
        self.issue = issue
        self.issues = (issue, *more)


class BadJson(BadInput):
    """The text is not JSON that can be taken literally."""

    def __init__(self, message: str, place: str = "", next_step: str = "", path: str = "") -> None:
        super().__init__(Issue(code="bad_json", message=message, path=path, place=place, next_step=next_step))


def read_json(text: str | bytes, source: str = "") -> object:
    """Return what a JSON text says; fractions become Decimal.

    `source` names the text in the place of an error. Raises BadJson.
    """
    try:
        value: object = _DECODER.decode(text.decode("utf-8") if isinstance(text, bytes) else text)
    except json.JSONDecodeError as fault:
        place = f"{source or 'input'}:{fault.lineno}:{fault.colno}"
        raise BadJson(
            f"Not JSON: {fault.msg[:1].lower()}{fault.msg[1:]}.", place, "Send one JSON object."
        ) from fault
    except UnicodeDecodeError as fault:
        raise BadJson(f"Not UTF-8: byte {fault.start} cannot be read.", source, "Send UTF-8.") from fault
    except RecursionError as fault:
        raise BadJson("Nested too deeply.", source, "A plan needs four levels.") from fault
    except BadJson as fault:
        raise BadJson(fault.issue.message, source, fault.issue.next_step) from fault
    if not isinstance(text, bytes) or b"\\u" in text:
        # Whole UTF-8 can hold half a character only as an escape.
        refuse_half_characters(value, source)
    return value


def refuse_half_characters(value: object, source: str = "") -> None:
    """Raise BadJson at the first text or key, at any depth, that UTF-8 cannot carry: a lone surrogate."""
    waiting: list[tuple[Pointer, object]] = [((), value)]
    while waiting:
        pointer, here = waiting.pop()
        if isinstance(here, str):
            half = "" if here.isascii() else _half_character(here)
            if half:
                raise BadJson(
                    f"A text holds {half}, half of a character.",
                    source,
                    "Send the other half with it, or leave it out.",
                    path=pointer_text(pointer),
                )
        elif isinstance(here, Mapping):
            waiting.extend((pointer, key) for key in here)
            waiting.extend(((*pointer, _shown(key)), item) for key, item in here.items())
        elif isinstance(here, list | tuple):
            waiting.extend(((*pointer, index), item) for index, item in enumerate(here))


def _half_character(text: str) -> str:
    """Return the code point of a text's first lone surrogate, or nothing."""
    try:
        text.encode()
    except UnicodeEncodeError as fault:
        return f"U+{ord(text[fault.start]):04X}"
    return ""


def _shown(key: object) -> str:
    return str(key).encode(errors="backslashreplace").decode()


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(_bounded(digits))
    except InvalidOperation as fault:
        raise BadJson(f"{digits[:40]} is beyond what a decimal holds.", next_step=SHORTER) from fault


def _integer(digits: str) -> int:
    return int(_bounded(digits))


def _bounded(digits: str) -> str:
    if len(digits) > NUMBER_CHARACTERS:
        raise BadJson(f"A number of {len(digits)} characters is too long.", next_step=SHORTER)
    return digits


def _constant(name: str) -> Never:
    raise BadJson(f"{name} is not a JSON number.", next_step="Leave the value out or use null.")


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadJson(f"The key {twice!r} stands twice in one object.", next_step="Keep one of them.")
    return found


_DECODER = json.JSONDecoder(
    parse_float=_decimal, parse_int=_integer, parse_constant=_constant, object_pairs_hook=_object
)
