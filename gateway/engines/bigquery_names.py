"""Names as BigQuery's SQL writes them."""

from metric_layer.relation import relation_parts

ASKER = "LOWER(SESSION_USER())"
"""Who asks, in a view as well: the e-mail address of whoever runs the query, in small letters."""


def part(name: str) -> str:
    """Return one name, quoted."""
    return _between("`", name)


def text(value: str) -> str:
    """Return a text as a literal."""
    return _between("'", value)


def member(name: str) -> str:
    """Return a user as a statement of rights names them."""
    return _between('"', name)


def _between(quote: str, value: str) -> str:
    """Return a value between quotes that nothing in it ends: one escape for all that could."""
    escaped = value.replace("\\", "\\\\").replace(quote, "\\" + quote)
    return quote + escaped.replace("\n", "\\n").replace("\r", "\\r") + quote


def quoted(name: str) -> str:
    """Return a relation's name, every part of it quoted."""
    return ".".join(part(each) for each in relation_parts(name))


def full_name(name: str, project: str, dataset: str) -> str:
    """Return a relation's name with project and dataset filled in, as the service names it."""
    parts = relation_parts(name)
    return ".".join((*(project, dataset)[: max(0, 3 - len(parts))], *parts))
