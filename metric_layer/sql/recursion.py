"""How many steps a recursive CTE can take at most, as far as a literal bound on its counter tells."""

from collections.abc import Iterator

from sqlglot import exp

from metric_layer.plan import Dialect
from metric_layer.sql.literals import BACK, FORWARD, integer_of, moment_of, step_seconds
from metric_layer.sql.names import fold_identifier
from metric_layer.sql.reading import Size, Span
from metric_layer.sql.scope import conjuncts
from metric_layer.sql.sizes import NOW

GROWING = (
    exp.DPipe,
    exp.Concat,
    exp.ConcatWs,
    exp.Repeat,
    exp.Replace,
    exp.ArrayConcat,
    exp.Anonymous,
    exp.Pow,
)


MANY_ROWS = (exp.Unnest, exp.Explode, exp.Posexplode, exp.GenerateSeries, exp.ExplodingGenerateSeries)
MANY_ROWS_NAMED = frozenset(
    {
        "unnest",
        "generate_series",
        "generate_subscripts",
        "regexp_split_to_table",
        "regexp_matches",
        "string_to_table",
        "json_each",
        "json_tree",
        "jsonb_each",
        "json_array_elements",
        "jsonb_array_elements",
        "json_object_keys",
        "jsonb_object_keys",
    }
)


def steps_of(
    body: exp.SetOperation, name: str, columns: list[str], dialect: Dialect, span: Span | None
) -> Size:
    """Return the largest number of steps of a counter that starts, moves and stops at literals."""
    starts, step = _starts(body.this), _select(body.expression)
    found: list[int] = []
    if step is not None and not _grows(step, name, set(columns), dialect):
        for at, column in enumerate(columns):
            steps = [_counted(start, step, at, column, dialect) for start in starts]
            counted = [count for count in steps if count is not None]
            if counted and len(counted) == len(steps):
                found.append(max(counted))
    return Size(name, min(found, default=None), "steps", span)


def _grows(step: exp.Select, name: str, columns: set[str], dialect: Dialect) -> bool:
    """Say whether a step multiplies rows (reads itself twice) or values (a column with itself)."""
    tables = [
        t for t in step.find_all(exp.Table) if isinstance(t.this, exp.Identifier) and t.args.get("db") is None
    ]
    if sum(fold_identifier(dialect, table.this) == name for table in tables) > 1:
        return True
    return any(_makes_rows(each) or _doubles(each, columns, dialect) for each in step.expressions)


def _makes_rows(projection: exp.Expr) -> bool:
    """Say whether an output makes several rows of one."""
    named = (str(call.this).lower() for call in projection.find_all(exp.Anonymous))
    return projection.find(*MANY_ROWS) is not None or not MANY_ROWS_NAMED.isdisjoint(named)


def _doubles(projection: exp.Expr, columns: set[str], dialect: Dialect) -> bool:
    columns_in = (c for c in projection.find_all(exp.Column) if isinstance(c.this, exp.Identifier))
    named = [name for column in columns_in if (name := fold_identifier(dialect, column.this)) in columns]
    if named and projection.find(exp.Repeat, exp.Pad) is not None:
        return True
    if projection.find(*GROWING) is not None:
        return len(named) > 1
    return projection.find(exp.Mul) is not None and len(named) > len(set(named))


def _select(node: exp.Expr) -> exp.Select | None:
    while isinstance(node, exp.Subquery):
        node = node.this
    return node if isinstance(node, exp.Select) else None


def _starts(anchor: exp.Expr) -> list[exp.Expr]:
    """Return what a recursion starts from: its first SELECT, or the rows of its VALUES."""
    select = _select(anchor)
    if select is None:
        return list(anchor.expressions) if isinstance(anchor, exp.Values) else []
    listed = select.args["from_"].this if select.is_star and select.args.get("from_") else None
    return list(listed.expressions) if isinstance(listed, exp.Values) else [select]


def _counted(anchor: exp.Expr, step: exp.Select, at: int, column: str, dialect: Dialect) -> int | None:
    if at >= len(anchor.expressions) or at >= len(step.expressions):
        return None
    start, move = (_value(each.expressions[at]) for each in (anchor, step))
    by = _moved_by(move, column, dialect)
    if by is None:
        return None
    up = isinstance(move, FORWARD)
    stops = _stops(step, column, dialect, up=up)
    return min((n for stop in stops if (n := _steps(start, stop, by, up=up)) is not None), default=None)


def _moved_by(move: exp.Expr, column: str, dialect: Dialect) -> exp.Expr | None:
    """Return what the counter moves by: `n + 1`, `1 + n`, `n - 1` and their dates."""
    if not isinstance(move, (*FORWARD, *BACK)):
        return None
    by: exp.Expr | None = None
    if _is_column(move.this, column, dialect):
        by = move.args.get("expression")
    elif isinstance(move, exp.Add) and _is_column(move.expression, column, dialect):
        by = move.this
    return by


def _value(node: exp.Expr) -> exp.Expr:
    node = node.this if isinstance(node, exp.Alias) else node
    while isinstance(node, (exp.Paren, exp.Cast)) and not isinstance(node.this, exp.Literal):
        node = node.this
    return node


def _is_column(node: exp.Expr, name: str, dialect: Dialect) -> bool:
    while isinstance(node, (exp.Paren, exp.Cast)):
        node = node.this
    return (
        isinstance(node, exp.Column)
        and isinstance(node.this, exp.Identifier)
        and fold_identifier(dialect, node.this) == name
    )


def _stops(step: exp.Select, column: str, dialect: Dialect, *, up: bool) -> Iterator[exp.Expr]:
    """Yield what the counter has to stay under (or over, when it counts down) in the recursive branch."""
    low, high = ((exp.GT, exp.GTE), (exp.LT, exp.LTE))
    under, over = (high, low) if up else (low, high)
    for node in _conditions(step):
        if isinstance(node, exp.Between) and _mentions(node.this, column, dialect):
            yield node.args["high" if up else "low"]
        elif isinstance(node, under) and _mentions(node.this, column, dialect):
            yield node.expression
        elif isinstance(node, over) and _mentions(node.expression, column, dialect):
            yield node.this


def _conditions(step: exp.Select) -> Iterator[exp.Expr]:
    where = step.args.get("where")
    yield from conjuncts(where.this) if where is not None else ()
    for join in step.args.get("joins") or ():
        on = join.args.get("on")
        if on is not None and not join.args.get("side"):
            yield from conjuncts(on)


def _mentions(node: exp.Expr, column: str, dialect: Dialect) -> bool:
    return _is_column(node.this if isinstance(node, (*FORWARD, *BACK)) else node, column, dialect)


def _steps(start: exp.Expr, stop: exp.Expr, by: exp.Expr, *, up: bool) -> int | None:
    low, high, size = integer_of(start), integer_of(stop), integer_of(by)
    sign = 1 if up else -1
    if low is not None and high is not None:
        return max(0, sign * (high - low) // size) + 1 if size and size > 0 else None
    first, last = moment_of(start, NOW), moment_of(stop, NOW)
    seconds = step_seconds(by) or (86_400.0 * size if size and size > 0 else None)
    if first is None or last is None or not seconds:
        return None
    return max(0, int(sign * (last - first).total_seconds() / seconds)) + 1
