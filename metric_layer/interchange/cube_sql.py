"""Cube's SQL with references in braces (`{CUBE}.x`, `{orders.status}`) -> SQL that can be read."""

import re
from dataclasses import dataclass

from metric_layer.expression_foreign import MAX_TEXT, ForeignSql

_REFERENCE = re.compile(r"\$?\{(?P<path>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)\}")
_COLUMN = re.compile(r'\s*\.\s*(?:"(?P<quoted>[^"]+)"|(?P<plain>[A-Za-z_][A-Za-z0-9_]*))')
OWN = ("CUBE", "TABLE")


@dataclass(frozen=True, slots=True)
class Reference:
    """What braces name: `member` for `{cube.member}`, `column` for `{cube}.x`; no cube is the own one."""

    cube: str
    member: str = ""
    column: str = ""


def is_template(text: str) -> bool:
    """Say whether a text has to be run before it says anything: Jinja, or a context variable."""
    return any(
        mark in text for mark in ("{{", "{%", "{#", "COMPILE_CONTEXT", "SECURITY_CONTEXT", "FILTER_PARAMS")
    )


def references_out(text: str) -> tuple[str, list[Reference]]:
    """Return SQL with a quoted placeholder `__0`, `__1`, ... per reference, and the references.

    Raises ForeignSql for a template.
    """
    if len(text) > MAX_TEXT:
        raise ForeignSql(f"it is longer than {MAX_TEXT} characters")
    if is_template(text):
        raise ForeignSql("it is a template, which says nothing until it is run")
    found: list[Reference] = []
    parts: list[str] = []
    at = 0
    for match in _REFERENCE.finditer(text):
        if match.start() < at:
            continue
        parts.append(text[at : match.start()])
        at = match.end()
        reference = _reference(match["path"])
        column = _COLUMN.match(text, at)
        if not reference.member and column is not None:
            reference = Reference(reference.cube, column=column["quoted"] or column["plain"])
            at = column.end()
        if reference not in found:
            found.append(reference)
        parts.append(f'"__{found.index(reference)}"')
    sql = "".join((*parts, text[at:]))
    if "{" in sql or "}" in sql:
        raise ForeignSql("a reference in it cannot be read")
    return sql, found


def _reference(path: str) -> Reference:
    words = path.split(".")
    if words[0] in OWN:
        words = words[1:] or [""]
        return Reference("", member=words[0]) if words[0] else Reference("")
    if len(words) == 1:
        return Reference(words[0])
    if len(words) > 2:
        raise ForeignSql(f"{{{path}}} walks over several cubes")
    return Reference(words[0], member=words[1])
