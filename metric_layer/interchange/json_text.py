"""JSON text -> plain values that know their line and column, as strictly as YAML is read."""

import json
import re
from bisect import bisect_right
from decimal import Decimal

from metric_layer.issues import Issue
from metric_layer.source import Source
from metric_layer.validate import Pointer, pointer_text

MAX_DEPTH = 32
NUMBER_CHARACTERS = 80
_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<part>\.[0-9]+)?(?P<power>[eE][-+]?[0-9]{1,3})?")
_WORD = re.compile(r"true|false|null")
_WORDS = {"true": True, "false": False, "null": None}


class _NotJson(Exception):
    """The text cannot be taken literally; `offset` counts characters from 0."""

    def __init__(self, message: str, offset: int, step: str = "Mend the text at this place.") -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.step = step


def read_json_text(text: str, file: str) -> Source | list[Issue]:
    """Read JSON text as plain values with their places, or return what is wrong with it."""
    reader = _Reader(text)
    try:
        data = reader.whole()
    except _NotJson as fault:
        line, column = reader.place(fault.offset)
        return [
            Issue(
                code="json_syntax",
                message=fault.message,
                place=f"{file}:{line}:{column}",
                seen=text[fault.offset : fault.offset + 40].split("\n")[0],
                next_step=fault.step,
            )
        ]
    places = {pointer: reader.place(offset) for pointer, offset in reader.offsets.items()}
    return Source(file, data, places, {})


class _Reader:
    """Recursive descent, at most MAX_DEPTH levels deep."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self.offsets: dict[Pointer, int] = {}

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character, from 1."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def whole(self) -> object:
        found = self._value(())
        self._skip()
        if self._at < len(self._text):
            raise _NotJson("Something stands behind the end of the JSON value.", self._at)
        return found

    def _value(self, pointer: Pointer) -> object:
        self._skip()
        self.offsets[pointer] = self._at
        if len(pointer) > MAX_DEPTH:
            raise _NotJson(f"Nested deeper than {MAX_DEPTH} levels.", self._at, "Flatten it.")
        match self._text[self._at : self._at + 1]:
            case "{":
                return self._object(pointer)
            case "[":
                return self._array(pointer)
            case '"':
                return self._string()
        return self._word()

    def _object(self, pointer: Pointer) -> dict[str, object]:
        found: dict[str, object] = {}
        while self._another("{" if not found else ",", "}", first=not found):
            self._skip()
            at = self._at
            key = self._string()
            if key in found:
                message = f"The key {key[:80]!r} is written twice at {pointer_text(pointer) or 'the top'}."
                raise _NotJson(message, at, "Keep one of the two.")
            self._take(":")
            found[key] = self._value((*pointer, key))
            if isinstance(found[key], dict | tuple):
                self.offsets[(*pointer, key)] = at
        return found

    def _array(self, pointer: Pointer) -> tuple[object, ...]:
        found: list[object] = []
        while self._another("[" if not found else ",", "]", first=not found):
            found.append(self._value((*pointer, len(found))))
        return tuple(found)

    def _another(self, sign: str, end: str, *, first: bool) -> bool:
        """Say whether an item follows; the opening bracket, comma or closing bracket is passed."""
        self._skip()
        if not first and self._text.startswith(end, self._at):
            self._at += 1
            return False
        self._take(sign)
        self._skip()
        if first and self._text.startswith(end, self._at):
            self._at += 1
            return False
        return True

    def _take(self, sign: str) -> None:
        self._skip()
        if not self._text.startswith(sign, self._at):
            raise _NotJson(f"{sign!r} is missing here.", self._at)
        self._at += 1

    def _string(self) -> str:
        found = _STRING.match(self._text, self._at)
        if found is None:
            raise _NotJson("Text in double quotes is missing here.", self._at)
        try:
            text = str(json.loads(found[0]))
            text.encode()
        except ValueError as fault:
            raise _NotJson("This text holds an escape or half a character.", self._at) from fault
        self._at = found.end()
        return text

    def _word(self) -> object:
        word = _WORD.match(self._text, self._at)
        if word is not None:
            self._at = word.end()
            return _WORDS[word[0]]
        number = _NUMBER.match(self._text, self._at)
        if number is None:
            raise _NotJson("A JSON value is missing here.", self._at)
        if len(number[0]) > NUMBER_CHARACTERS:
            raise _NotJson(f"A number of {len(number[0])} characters is too long.", self._at)
        self._at = number.end()
        return Decimal(number[0]) if number["part"] or number["power"] else int(number[0])

    def _skip(self) -> None:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at
