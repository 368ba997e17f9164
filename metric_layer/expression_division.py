"""Division that gives NULL over zero and, of whole numbers and decimals, never passes through a float.

Each engine divides decimals in its own way (docs/metrics.md, "Divisions"). DuckDB makes floats of them: there
whole numbers are divided, to one place more than is kept, and the CAST around them rounds that place off.
"""

from sqlglot import exp

PLACES = 10
_KEPT = (38, PLACES)
_WIDE = (58, 2 * PLACES)
_SHIFT = str(10**PLACES)
_LONGER = str(10 ** (PLACES + 1))
_UNIT = f"0.{1:0{PLACES + 1}d}"
_WHOLE, _DECIMAL, _DOUBLE = exp.DType.INT128, exp.DType.DECIMAL, exp.DType.DOUBLE


def divide(
    numerator: exp.Expr, denominator: exp.Expr, *, exact: bool, dialect: str = "", whole: bool = False
) -> exp.Expr:
    """Return a division as SQL, NULL over zero; not `exact` makes it a float.

    An exact one is a DECIMAL of PLACES places, rounded half away from zero. `whole` says that the denominator
    has no places. Without a dialect the division is in the form that `spelled` takes.
    """
    if not exact:
        return exp.Div(this=_cast(numerator, _DOUBLE), expression=_or_null(denominator), typed=True)
    if dialect == "duckdb":
        return _cast(_of_whole_numbers(numerator, denominator, whole=whole), _DECIMAL, _KEPT)
    # PostgreSQL keeps as many places as the numerator has: fewer than 20 would be rounded twice
    top = _cast(numerator, _DECIMAL, _WIDE if dialect == "postgres" else _KEPT)
    return _cast(exp.Div(this=top, expression=_or_null(denominator), typed=True), _DECIMAL, _KEPT)


def spelled(tree: exp.Expr, dialect: str) -> exp.Expr:
    """Return a tree whose divisions are `divide`'s as an engine needs them. The tree given is used up."""
    root = exp.Paren(this=tree)
    for node in reversed(list(root.find_all(exp.Div))):
        if node.parent is not None and node.this.args["to"].this == _DECIMAL:
            top, below = node.this.this.pop(), node.expression.this.pop()
            node.parent.replace(divide(top, below, exact=True, dialect=dialect))
    found: exp.Expr = root.this.pop()
    return found


def divided_by(node: exp.Expr) -> tuple[exp.Expr, exp.Expr] | None:
    """Return what a product divides, and by what, if it is DuckDB's exact division; else None.

    By what is never zero: NULL stands for it there.
    """
    quotient = node.this
    if not isinstance(quotient, exp.IntDiv) or node.expression.name != _UNIT:
        return None
    top, below = quotient.this, quotient.expression
    if not isinstance(below, exp.Nullif) or below.expression.name != "0":
        return None
    if not isinstance(top, exp.Mul):
        return (top.this.this, below.this) if _shifted_by(top, _LONGER) else None
    both = _shifted_by(top.this, _SHIFT) and _shifted_by(below.this, _SHIFT)
    return (top.this.this.this, below.this.this.this) if both and top.expression.name == _LONGER else None


def _of_whole_numbers(numerator: exp.Expr, denominator: exp.Expr, *, whole: bool) -> exp.Expr:
    """Return a quotient cut off after PLACES + 1 places. Too long a number is an overflow error of DuckDB."""
    if whole:
        top, below = _shifted(numerator, _LONGER), denominator
    else:
        top = exp.Mul(this=_shifted(numerator, _SHIFT), expression=exp.Literal.number(_LONGER))
        below = _shifted(denominator, _SHIFT)
    quotient = exp.IntDiv(this=top, expression=_or_null(below))
    return exp.Mul(this=quotient, expression=exp.Literal.number(_UNIT))


def _shifted(value: exp.Expr, factor: str) -> exp.Expr:
    """Return a value times a power of ten as a whole number; the wide factor lets no count overflow."""
    by = _cast(exp.Literal.number(factor), _WHOLE)
    return _cast(exp.Mul(this=_bracketed(value), expression=by), _WHOLE)


def _shifted_by(node: exp.Expr, factor: str) -> bool:
    product = node.this
    return isinstance(node, exp.Cast) and isinstance(product, exp.Mul) and product.expression.name == factor


def _bracketed(node: exp.Expr) -> exp.Expr:
    return exp.Paren(this=node) if isinstance(node, exp.Binary) else node


def _or_null(denominator: exp.Expr) -> exp.Expr:
    return exp.Nullif(this=denominator, expression=exp.Literal.number(0))


def _cast(value: exp.Expr, kind: exp.DType, digits: tuple[int, ...] = ()) -> exp.Expr:
    sizes = [exp.DataTypeParam(this=exp.Literal.number(size)) for size in digits]
    to = (
        exp.DataType(this=kind, expressions=sizes, nested=False)
        if sizes
        else exp.DataType(this=kind, nested=False)
    )
    return exp.Cast(this=value, to=to)
