"""Which columns a plan of PostgreSQL computes with, out of the expressions that EXPLAIN VERBOSE writes."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

Node = Mapping[str, Any]

PASSING = frozenset({"Append", "Gather", "Gather Merge", "Limit", "Merge Append", "Result", "Subquery Scan"})
EXPRESSIONS = frozenset(
    {
        "Output",
        "Filter",
        "Sort Key",
        "Presorted Key",
        "Group Key",
        "Hash Key",
        "Index Cond",
        "Recheck Cond",
        "TID Cond",
        "Hash Cond",
        "Merge Cond",
        "Join Filter",
        "One-Time Filter",
        "Cache Key",
        "Order By",
        "Window",
    }
)
_NAME = r'(?:"(?:[^"]|"")+"|[a-z_][\w$]*)'
_TEXT = re.compile(r"'(?:[^']|'')*'")
_TYPE = re.compile(rf"::[a-z_][a-z_0-9. ]*(?:\(\d+(?:,\s*\d+)?\))?(?:\[\])*| COLLATE {_NAME}(?:\.{_NAME})?")
_ALONE = re.compile(rf'(?<![\w".:])(?!true\b|false\b)({_NAME})(?![\w(."]| FROM\b)')
_COLUMN = re.compile(rf'(?<![\w".])({_NAME})\.({_NAME})(?![\w(."])')


def columns_used(root: Node) -> tuple[str, ...]:
    """Return the columns of stored relations in a plan's expressions, as `schema.relation.column`, sorted.

    What a scan hands up to a join or an aggregate is left out: it is often the whole row, whatever is needed.
    """
    nodes = tuple(_walk(root, shown=True))
    stored = {
        str(node["Alias"]): f"{node['Schema']}.{node['Relation Name']}"
        for node, _ in nodes
        if _is_stored(node)
    }
    # the only relation of a statement is not named before what is put out of it
    alone = next(iter(stored)) if sum("Alias" in node for node, _ in nodes) == len(stored) == 1 else ""
    texts = (text for node, shown in nodes for text in _expressions(node, shown=shown))
    named = {pair for text in texts for pair in _columns(text, alone)}
    return tuple(sorted(f"{stored[alias]}.{column}" for alias, column in named if alias in stored))


def _walk(node: Node, *, shown: bool) -> Iterator[tuple[Node, bool]]:
    """Yield the nodes; `shown` marks those whose rows are the statement's own."""
    yield node, shown
    for child in node.get("Plans", []):
        yield from _walk(child, shown=shown and node["Node Type"] in PASSING)


def _is_stored(node: Node) -> bool:
    return "Relation Name" in node and "Schema" in node and "Alias" in node


def _expressions(node: Node, *, shown: bool) -> Iterator[str]:
    for key, value in node.items():
        if key not in EXPRESSIONS or (key == "Output" and _is_stored(node) and not shown):
            continue
        for text in value if isinstance(value, list) else (value,):
            if isinstance(text, str):
                yield text


def _columns(text: str, alone: str) -> Iterator[tuple[str, str]]:
    plain = _TYPE.sub("", _TEXT.sub("''", text))
    for found in _COLUMN.finditer(plain):
        yield _bare(found[1]), _bare(found[2])
    if alone:
        yield from ((alone, _bare(found[1])) for found in _ALONE.finditer(_COLUMN.sub("''", plain)))


def _bare(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name
