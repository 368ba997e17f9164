"""Names and texts as Snowflake's SQL writes them."""

from metric_layer.relation import relation_parts

KEYS = "CELLBOUND_KEYS"
"""The schema of the keys of hashes: no role is granted anything in it."""
EVERYBODY = "PUBLIC"
"""The role that everybody has."""


def literal(text: str) -> str:
    """Return a text as a literal; a backslash is special in one."""
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def like(text: str) -> str:
    """Return the literal of a pattern that only the text itself matches, whatever its capitals."""
    return literal(text.replace("\\", "\\\\").replace("_", "\\_").replace("%", "\\%"))


def part(name: str) -> str:
    """Return one name, quoted."""
    return '"' + name.replace('"', '""') + '"'


def quoted(name: str) -> str:
    """Return a relation's name, every part of it quoted."""
    return ".".join(part(each) for each in relation_parts(name))
