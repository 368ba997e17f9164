"""A file of another layer -> plain values with places, within limits; unread keys are never lost silently."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path

from metric_layer.interchange.json_text import read_json_text
from metric_layer.interchange.losses import Losses
from metric_layer.issues import Issue
from metric_layer.source import Source, read_text, yaml_files
from metric_layer.validate import Pointer

MAX_BYTES = 5_000_000


class ForeignUnreadable(Exception):
    """The file is no document of its format; `issues` says where and why."""

    def __init__(self, *issues: Issue) -> None:
        super().__init__("; ".join(f"{issue.place} {issue.message}".strip() for issue in issues))
        self.issues = issues


def read_foreign(path: Path) -> Source:
    """Read a JSON (`.json`) or YAML file strictly, at most MAX_BYTES of it. Raises ForeignUnreadable."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as fault:
        message = f"The file cannot be read: {fault.strerror}."
        raise _unreadable("unreadable", message, str(path), "Check path and rights.") from fault
    if len(raw) > MAX_BYTES:
        message = f"The file is larger than {MAX_BYTES} bytes."
        raise _unreadable("too_large", message, str(path), "Import it in parts.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise _unreadable(
            "not_utf8", "The file is not UTF-8 text.", str(path), "Save it as UTF-8."
        ) from fault
    found = read_json_text(text, str(path)) if path.suffix == ".json" else read_text(text, str(path))
    if isinstance(found, list):
        raise ForeignUnreadable(*found)
    return found


def read_folder(folder: Path) -> tuple[Source, ...]:
    """Read every YAML file below a folder, together at most MAX_BYTES. Raises ForeignUnreadable."""
    files = tuple(yaml_files(folder))
    if not files:
        message = "The folder holds no YAML file."
        raise _unreadable("no_files", message, str(folder), "Name the folder of the data model.")
    if sum(file.stat().st_size for file in files) > MAX_BYTES:
        message = f"The files of the folder are larger than {MAX_BYTES} bytes."
        raise _unreadable("too_large", message, str(folder), "Import it in parts.")
    return tuple(read_foreign(file) for file in files)


def top_of(source: Source, losses: Losses, format_name: str) -> "Part":
    """Return the mapping that a document consists of. Raises ForeignUnreadable."""
    if not isinstance(source.data, dict):
        message = f"A document of {format_name} is a mapping."
        raise _unreadable(
            "wrong_document", message, source.place(()), "Name another file, or another --from."
        )
    return Part(source, (), losses)


def _unreadable(code: str, message: str, place: str, step: str) -> ForeignUnreadable:
    where = place if place.count(":") >= 2 else f"{place}:1:1"
    return ForeignUnreadable(Issue(code=code, message=message, place=where, next_step=step))


class Part:
    """One mapping of a foreign document. Reading a key takes it; `leftovers` names the keys nobody took."""

    def __init__(self, source: Source, pointer: Pointer, losses: Losses) -> None:
        self.source = source
        self.pointer = pointer
        self.key: Pointer = (source.file, *pointer)
        self.losses = losses
        self._data: Mapping[str, object] = _at(source.data, pointer)
        self._taken: set[str] = set()
        losses.opened(self)

    def place(self, *inside: str | int) -> str:
        """Return `file:line:column` of a value inside."""
        return self.source.place((*self.pointer, *inside))

    def lose(self, code: str, name: str, seen: object = "", *, at: str = "", why: str = "") -> None:
        """Report what becomes of a construct at a key of this mapping."""
        place = self.place(at) if at else self.place()
        self.losses.add(code, name, place, seen=seen, why=why, inside=self.key)

    def refuse(self, code: str, name: str, seen: object = "", *, at: str = "", why: str = "") -> None:
        """Report that a construct is left out; the keys inside are then not spoken of."""
        self.losses.add(code, name, self.place(at) if at else self.place(), seen=seen, why=why)
        self.losses.silence(self.key)

    def holds(self, key: str) -> bool:
        """Say whether a key has a value that says something."""
        return _speaks(self._data.get(key))

    def spoken(self) -> Iterator[str]:
        """Yield the keys that say something."""
        return (key for key in self._data if self.holds(key))

    def skip(self, *keys: str) -> None:
        """Take keys that change no meaning: positions, versions of the writer, hints for a user interface."""
        self._taken.update(keys)

    def raw(self, key: str) -> object:
        """Take a value as it is."""
        self._taken.add(key)
        return self._data.get(key)

    def whole(self) -> Mapping[str, object]:
        """Return the mapping as it is, without taking anything."""
        return self._data

    def peek(self, *keys: str) -> object:
        """Return a value further inside without taking it; None where there is none."""
        here: object = self._data
        for key in keys:
            here = here.get(key) if isinstance(here, dict) else None
        return here

    def text(self, key: str, default: str = "") -> str:
        """Take a text; a number or a truth that YAML wrote without quotes counts as written."""
        value = self.raw(key)
        if value is None or isinstance(value, str):
            return default if value is None else value
        written = self.source.texts.get((*self.pointer, key))
        if written is not None or isinstance(value, int | Decimal):
            return written if written is not None else str(value)
        self.lose("wrong_type", key, value, at=key, why="text is wanted")
        return default

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Take a truth."""
        value = self.raw(key)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self.lose("wrong_type", key, value, at=key, why="true or false is wanted")
        return default

    def number(self, key: str) -> Decimal | None:
        """Take a number."""
        value = self.raw(key)
        if value is None:
            return None
        if isinstance(value, int | Decimal) and not isinstance(value, bool):
            return Decimal(value)
        self.lose("wrong_type", key, value, at=key, why="a number is wanted")
        return None

    def part(self, key: str) -> "Part | None":
        """Take a mapping."""
        value = self.raw(key)
        if value is None:
            return None
        if isinstance(value, dict):
            return Part(self.source, (*self.pointer, key), self.losses)
        self.lose("wrong_type", key, value, at=key, why="a mapping is wanted")
        return None

    def parts(self, key: str) -> list["Part"]:
        """Take a list of mappings; an item that is none is reported."""
        found = []
        for index, item in enumerate(self._items(key)):
            if isinstance(item, dict):
                found.append(Part(self.source, (*self.pointer, key, index), self.losses))
            else:
                place = self.place(key, index)
                self.losses.add("wrong_type", key, place, seen=item, why="a mapping is wanted")
        return found

    def named(self, key: str) -> list["Part"]:
        """Take a list of mappings that are known by their name; the second of a name is refused."""
        found: dict[str, Part] = {}
        for part in self.parts(key):
            name = part.text("name")
            if name in found:
                part.refuse("repeated", name)
            else:
                found[name] = part
        return list(found.values())

    def child(self, *inside: str | int) -> "Part":
        """Return a mapping further inside that was already taken as a value."""
        return Part(self.source, (*self.pointer, *inside), self.losses)

    def texts(self, key: str) -> tuple[str, ...]:
        """Take a list of texts, or one text as a list of one."""
        if isinstance(self._data.get(key), str):
            return (self.text(key),)
        found = []
        for index, item in enumerate(self._items(key)):
            written = self.source.texts.get((*self.pointer, key, index))
            if isinstance(item, str) or written:
                found.append(item if isinstance(item, str) else str(written))
            else:
                place = self.place(key, index)
                self.losses.add("wrong_type", key, place, seen=item, why="text is wanted")
        return tuple(found)

    def leftovers(self) -> Iterator[tuple[str, str, object]]:
        """Yield (key, place, value) of what says something and was not taken."""
        for key in self.spoken():
            if key not in self._taken:
                yield key, self.place(key), self._data[key]

    def _items(self, key: str) -> tuple[object, ...]:
        value = self.raw(key)
        if value is None or isinstance(value, tuple):
            return value or ()
        self.lose("wrong_type", key, value, at=key, why="a list is wanted")
        return ()


def _at(data: object, pointer: Pointer) -> Mapping[str, object]:
    here = data
    for part in pointer:
        match here, part:
            case (dict(), str()):
                here = here[part]
            case (tuple(), int()):
                here = here[part]
    return here if isinstance(here, dict) else {}


def _speaks(value: object) -> bool:
    """Say whether a value says anything: not if it is empty, or holds only what is empty."""
    if isinstance(value, dict):
        return any(_speaks(item) for item in value.values())
    if isinstance(value, tuple):
        return any(_speaks(item) for item in value)
    return value is not None and value is not False and value != ""
