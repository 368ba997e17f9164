"""Strict YAML: text -> plain values that know their file, line and column, or every issue of the file."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel

from metric_layer.issues import Issue
from metric_layer.validate import Pointer, Problem, pointer_text, read_value

MAX_BYTES = 500_000
MAX_DEPTH = 32
_SPLIT = "Split it: every .yml below the folder is read, and its sections are put together."
_TAGS = frozenset(
    f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool", "null", "map", "seq")
)
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")
_WORDS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}

ModelT = TypeVar("ModelT", bound=BaseModel)


@dataclass(frozen=True)
class Source:
    """A file as plain values. `texts` holds unquoted scalars as written, `places` (line, column) from 1.

    `issues` says what in it was ambiguous and left out; only who reads `as_far_as_it_goes` gets such a file.
    """

    file: str
    data: object
    places: dict[Pointer, tuple[int, int]] = field(repr=False)
    texts: dict[Pointer, str] = field(repr=False)
    issues: tuple[Issue, ...] = ()

    def place(self, pointer: Pointer) -> str:
        """Return `file:line:column` of a value, or of the nearest value around it."""
        while pointer and pointer not in self.places:
            pointer = pointer[:-1]
        line, column = self.places.get(pointer, (1, 1))
        return f"{self.file}:{line}:{column}"

    def place_at(self, path: str) -> str:
        """Return `file:line:column` of the value that a JSON pointer names, or of the nearest around it."""
        pointer: Pointer = ()
        for part in path.split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            counted = name.isdigit() and (*pointer, int(name)) in self.places
            pointer = (*pointer, int(name) if counted else name)
        return self.place(pointer)

    def issue(self, problem: Problem) -> Issue:
        """Return a problem of a value as an issue at its place."""
        return Issue(
            code=problem.code,
            message=problem.message,
            path=pointer_text(problem.pointer),
            place=self.place(problem.pointer),
            seen=problem.seen,
            candidates=problem.candidates,
            next_step=problem.next_step,
        )


def read_model(path: Path, model: type[ModelT]) -> ModelT | list[Issue]:
    """Read one YAML file as a model, or return every issue it has with file, line and column."""
    source = read_source(path, as_far_as_it_goes=True)
    if isinstance(source, list):
        return source
    found = read_value(source.data, partial(model.model_validate, strict=True), model, texts=source.texts)
    problems = [source.issue(problem) for problem in found] if isinstance(found, list) else []
    if isinstance(found, list) or source.issues:
        return without_echo((*source.issues, *problems))
    return found


def without_echo(issues: Iterable[Issue]) -> list[Issue]:
    """Return issues without those at the place of ambiguous YAML: they would only follow from it."""
    told = list(issues)
    ambiguous = {issue.place for issue in told if issue.code.startswith("yaml_")}
    return [issue for issue in told if issue.place not in ambiguous or issue.code.startswith("yaml_")]


def read_source(path: Path, name: str = "", *, as_far_as_it_goes: bool = False) -> Source | list[Issue]:
    """Read one YAML file as plain values; `name` is what issues call it, its path by default.

    A file with ambiguous YAML is its issues, or, `as_far_as_it_goes`, what is left of it with them.
    """
    file = name or str(path)
    try:
        raw = path.read_bytes()
    except OSError as fault:
        return [
            _fault(
                file, "unreadable", f"The file cannot be read: {fault.strerror}.", "Check path and rights."
            )
        ]
    if len(raw) > MAX_BYTES:
        seen = f"{len(raw)} bytes"
        return [_fault(file, "too_large", f"The file is larger than {MAX_BYTES} bytes.", _SPLIT, seen=seen)]
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = raw.count(b"\n", 0, fault.start) + 1
        return [_fault(file, "not_utf8", "The file is not UTF-8 text.", "Save it as UTF-8.", line=line)]
    return read_text(text, file, as_far_as_it_goes=as_far_as_it_goes)


def read_text(text: str, file: str, *, as_far_as_it_goes: bool = False) -> Source | list[Issue]:
    """Read YAML text as plain values, as `read_source` does."""
    loader = yaml.CSafeLoader(text)
    loader.yaml_implicit_resolvers = {}  # `_plain_value` alone says what an unquoted word is
    try:
        root = loader.get_single_node()
    except yaml.MarkedYAMLError as fault:
        return [_syntax(file, text, fault)]
    except yaml.YAMLError as fault:
        line = text.count("\n", 0, getattr(fault, "position", 0)) + 1
        step = "Delete the character there; it is often one that came with a paste and is not seen."
        return [_fault(file, "yaml", "The file holds a character YAML does not allow.", step, line=line)]
    finally:
        loader.dispose()
    if root is None:
        return Source(file, {}, {(): (1, 1)}, {})
    reader = _Reader(file)
    data = reader.value(root, ())
    if reader.issues and not as_far_as_it_goes:
        return reader.issues
    return Source(file, data, reader.places, reader.texts, tuple(reader.issues))


class _Reader:
    """Turns nodes into plain values, keeping places and refusing what makes YAML ambiguous."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.issues: list[Issue] = []
        self.places: dict[Pointer, tuple[int, int]] = {}
        self.texts: dict[Pointer, str] = {}
        self._seen: set[int] = set()

    def value(self, node: yaml.Node, pointer: Pointer) -> object:
        mark = node.start_mark
        self.places[pointer] = (mark.line + 1, mark.column + 1)
        if id(node) in self._seen:
            self._refuse(
                node, pointer, "yaml_alias", "An alias repeats a value written elsewhere.", "Write it out."
            )
            return None
        self._seen.add(id(node))
        if len(pointer) > MAX_DEPTH:
            self._refuse(
                node, pointer, "yaml_too_deep", f"Nested deeper than {MAX_DEPTH} levels.", "Flatten it."
            )
            return None
        if node.tag not in _TAGS:
            self._refuse(
                node, pointer, "yaml_tag", f"The tag {node.tag!r} is not read.", "Leave the tag out."
            )
            return None
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, pointer)
        if isinstance(node, yaml.SequenceNode):
            return tuple(self.value(item, (*pointer, index)) for index, item in enumerate(node.value))
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, pointer)
        return None

    def _mapping(self, node: yaml.MappingNode, pointer: Pointer) -> dict[str, object]:
        found: dict[str, object] = {}
        lines: dict[str, int] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._refuse(
                    key_node, pointer, "yaml_key", "A key must be a word.", "Write the key as plain text."
                )
                continue
            key = str(key_node.value)
            if key in lines:
                message = f"The key {key!r} is written twice; it was first written on line {lines[key]}."
                self._refuse(
                    key_node, pointer, "yaml_duplicate_key", message, "Keep one of the two.", seen=key
                )
                continue
            if key == "<<":
                self._refuse(
                    key_node,
                    pointer,
                    "yaml_alias",
                    "Merge keys are not read.",
                    "Write the keys out.",
                    seen=key,
                )
                continue
            lines[key] = key_node.start_mark.line + 1
            found[key] = self.value(value_node, (*pointer, key))
            self._place_key(key_node, value_node, (*pointer, key))
        return found

    def _place_key(self, key: yaml.Node, value: yaml.Node, pointer: Pointer) -> None:
        """A mapping or list below a key is placed at the key: that is the line its author looks for."""
        if not isinstance(value, yaml.ScalarNode):
            self.places[pointer] = (key.start_mark.line + 1, key.start_mark.column + 1)

    def _scalar(self, node: yaml.ScalarNode, pointer: Pointer) -> object:
        text = str(node.value)
        if node.style:
            return text
        self.texts[pointer] = text
        return _plain_value(text)

    def _refuse(
        self, node: yaml.Node, pointer: Pointer, code: str, message: str, step: str, seen: str = ""
    ) -> None:
        mark = node.start_mark
        self.issues.append(
            Issue(
                code=code,
                message=message,
                path=pointer_text(pointer),
                place=f"{self.file}:{mark.line + 1}:{mark.column + 1}",
                seen=seen,
                next_step=step,
            )
        )


def _plain_value(text: str) -> object:
    """Read an unquoted scalar as YAML 1.2 does: `no`, `on`, `007` and `1:30` are words."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) <= 40 else text
    return Decimal(text) if _DECIMAL.fullmatch(text) and len(text) <= 80 else text


def _syntax(file: str, text: str, fault: yaml.MarkedYAMLError) -> Issue:
    mark = fault.problem_mark or fault.context_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    written = text.splitlines()[line] if line < len(text.splitlines()) else ""
    if "\t" in written[: len(written) - len(written.lstrip())] or "'\\t'" in str(fault.problem):
        message, step = "A tab indents this line; YAML is indented with spaces.", "Replace the tab by spaces."
    elif "single document" in str(fault.context):
        message, step = "The file holds a second document after `---`.", "Keep one document per file."
    else:
        message, step = (
            f"This is not YAML: {fault.problem or fault.context}.",
            "Mend the line, or quote the value.",
        )
    return _fault(
        file, "yaml_syntax", message, step, line=line + 1, column=column + 1, seen=written.strip()[:80]
    )


def _fault(
    file: str, code: str, message: str, step: str, *, line: int = 1, column: int = 1, seen: str = ""
) -> Issue:
    return Issue(code=code, message=message, place=f"{file}:{line}:{column}", seen=seen, next_step=step)


def yaml_files(folder: Path) -> Iterator[Path]:
    """Yield the YAML files of a folder and its subfolders in the order of their names."""
    yield from sorted(
        path for path in folder.rglob("*") if path.suffix in (".yml", ".yaml") and path.is_file()
    )
