"""A relation's name, taken apart at its dots."""

import re
from functools import lru_cache

_PART = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^."]*))\s*(?:\.|$)')


@lru_cache(maxsize=4096)
def relation_parts(relation: str) -> tuple[str, ...]:
    """Split a relation's name at its dots; a quoted part may hold dots, and quotes written twice."""
    parts, at, text = [], 0, relation.strip()
    while at <= len(text) and (found := _PART.match(text, at)) is not None:
        quoted, plain = found.groups()
        parts.append(plain.strip() if quoted is None else quoted.replace('""', '"'))
        if not found.group().endswith("."):
            return tuple(parts)
        at = found.end()
    return (text,)
