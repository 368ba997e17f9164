"""Names as BigQuery's SQL writes them."""

from metric_layer.relation import relation_parts


def part(name: str) -> str:
    """Return one name, quoted."""
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def quoted(name: str) -> str:
    """Return a relation's name, every part of it quoted."""
    return ".".join(part(each) for each in relation_parts(name))


def full_name(name: str, project: str, dataset: str) -> str:
    """Return a relation's name with project and dataset filled in, as the service names it."""
    parts = relation_parts(name)
    return ".".join((*(project, dataset)[: max(0, 3 - len(parts))], *parts))
