"""The row cap of a query: read it, add it, clamp it. The only change to a tree besides qualified names."""

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from metric_layer.sql.ledger import Ledger
from metric_layer.sql.literals import integer_of
from metric_layer.sql.reading import Fault


def cap_rows(tree: exp.Expr, max_rows: int, ledger: Ledger) -> int | None:
    """Make sure that the query returns at most `max_rows` rows; return the cap that holds."""
    inner = _bracketed(tree)
    if inner is not None:
        return cap_rows(inner, max_rows, ledger)
    limit = tree.args.get("limit")
    if limit is None:
        tree.set("limit", exp.Limit(expression=exp.Literal.number(max_rows)))
        return max_rows
    part = "count" if isinstance(limit, exp.Fetch) else "expression"
    asked = limit.args.get(part)
    rows = integer_of(asked)
    unlimited = isinstance(asked, exp.Null) or (
        isinstance(asked, (exp.Column, exp.Var)) and asked.name.upper() == "ALL"
    )
    options = limit.args.get("limit_options")
    if options is not None and any(value for name, value in options.args.items() if name != "rows"):
        rows = None
    if unlimited or (rows is not None and rows > max_rows):
        limit.set(part, exp.Literal.number(max_rows))
        return max_rows
    if rows is None or rows < 0:
        ledger.faults.append(
            Fault(
                "row_limit",
                "limit_is_no_literal",
                "the row limit is not a number that can be read",
                seen=limit.sql(unsupported_level=ErrorLevel.IGNORE)[:120],
                span=ledger.span(limit),
                retry=True,
                next_step=f"write a number up to {max_rows}, or leave it out",
            )
        )
        return None
    return rows


def _bracketed(tree: exp.Expr) -> exp.Query | None:
    """Return the query in a bracket that says nothing of order or number itself: there the cap belongs.

    PostgreSQL takes a bracket and what follows it for one SELECT, which may have one LIMIT only.
    """
    said = any(tree.args.get(part) is not None for part in ("limit", "offset", "order"))
    inner = tree.this if isinstance(tree, exp.Subquery) and not said else None
    return inner if isinstance(inner, exp.Query) else None
