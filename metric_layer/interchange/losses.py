"""What an import could not keep as it was: one line each, with the place in the foreign file."""

from collections.abc import Iterator
from typing import Literal, Protocol

from metric_layer.interchange.construct import Level
from metric_layer.interchange.constructs import CONSTRUCTS
from metric_layer.record import Record
from metric_layer.validate import Pointer

MAX_SEEN = 120
_ORDER: tuple[Level, ...] = ("error", "degraded", "info")


class Loss(Record):
    """One construct that is refused, kept in another form, or worth knowing of.

    `code` is a row of the table of constructs, `name` what it happened to, `place` is `file:line:column`.
    """

    level: Literal["error", "degraded", "info"]
    code: str
    name: str
    message: str
    place: str
    seen: str = ""
    next_step: str = ""


class Opened(Protocol):
    """A part of a foreign document that somebody reads."""

    key: Pointer

    def leftovers(self) -> Iterator[tuple[str, str, object]]:
        """Yield (key, place, value) of what says something and was not taken."""


class Losses:
    """Collects lines, and at the end the keys that nobody read."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str, str, str], tuple[Loss, Pointer | None]] = {}
        self._opened: list[Opened] = []
        self._silent: set[Pointer] = set()

    def add(
        self,
        code: str,
        name: str,
        place: str,
        *,
        seen: object = "",
        why: str = "",
        inside: Pointer | None = None,
    ) -> None:
        """Report one construct by its code; `inside` is the part whose refusal makes the line needless."""
        construct = CONSTRUCTS[code]
        text = "" if seen is None else str(seen)
        line = Loss(
            level=construct.level,
            code=code,
            name=name,
            message=f"{construct.outcome}{f': {why}' if why else ''}.",
            place=place,
            seen=text if len(text) <= MAX_SEEN else f"{text[: MAX_SEEN - 3]}...",
            next_step=construct.step,
        )
        key = (code, name, place, line.message)
        if key not in self._lines or inside is None:
            self._lines[key] = (line, inside)

    def opened(self, part: Opened) -> None:
        """Note a part whose keys all have to be taken."""
        self._opened.append(part)

    def silence(self, pointer: Pointer) -> None:
        """Say nothing of what is below a part, known by its file and pointer, that is refused as a whole."""
        self._silent.add(pointer)

    def failed(self) -> bool:
        """Say whether anything was refused so far."""
        return any(line.level == "error" for line in self.lines())

    def lines(self) -> tuple[Loss, ...]:
        """Return all lines, the gravest first, then by kind and place, with the keys that nobody took."""
        for part in self._opened:
            for key, place, value in part.leftovers():
                self.add("key_not_kept", key, place, seen=value, inside=part.key)
        self._opened.clear()
        spoken = (line for line, inside in self._lines.values() if inside is None or self._speaks(inside))
        return tuple(sorted(spoken, key=_rank))

    def _speaks(self, pointer: Pointer) -> bool:
        return not any(pointer[:length] in self._silent for length in range(len(pointer) + 1))


def _rank(line: Loss) -> tuple[int, str, str, int, int, str]:
    file, *numbers = line.place.rsplit(":", 2)
    row, column = (int(part) for part in numbers) if len(numbers) == 2 else (0, 0)
    return _ORDER.index(line.level), line.code, file, row, column, line.name
