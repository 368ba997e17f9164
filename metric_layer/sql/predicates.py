"""Write a condition in one canonical way, so that two texts that say the same are the same text."""

from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation

from sqlglot import exp

from metric_layer.sql.frames import is_query

Write = Callable[[exp.Expr], str]

NEGATED: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.GT: exp.LTE,
    exp.LTE: exp.GT,
    exp.LT: exp.GTE,
    exp.GTE: exp.LT,
    exp.NullSafeEQ: exp.NullSafeNEQ,
    exp.NullSafeNEQ: exp.NullSafeEQ,
}
MIRRORED: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.EQ: exp.EQ,
    exp.NEQ: exp.NEQ,
    exp.GT: exp.LT,
    exp.LT: exp.GT,
    exp.GTE: exp.LTE,
    exp.LTE: exp.GTE,
    exp.NullSafeEQ: exp.NullSafeEQ,
    exp.NullSafeNEQ: exp.NullSafeNEQ,
}
SIGNS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.GT: ">",
    exp.LT: "<",
    exp.GTE: ">=",
    exp.LTE: "<=",
    exp.NullSafeEQ: "is",
    exp.NullSafeNEQ: "is not",
}
VARYING = (exp.Column, exp.Query, exp.AggFunc, exp.Window, exp.Star)


def conjuncts(condition: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the parts of a condition that all have to hold, NOT pushed in and BETWEEN split."""
    pushed = _pushed(condition, negate=False)
    return _parts(pushed, exp.And)


def canonical(node: exp.Expr, write: Write) -> str:
    """Return one conjunct, its columns resolved already, as canonical text; empty when it always holds."""
    node = _without_literal_casts(node)
    if isinstance(node, exp.And):
        texts = {canonical(part, write) for part in _parts(node, exp.And)} - {""}
        return " and ".join(sorted(texts)) if len(texts) < 2 else f"({' and '.join(sorted(texts))})"
    if isinstance(node, exp.Or):
        return _alternatives(node, write)
    if isinstance(node, exp.Boolean):
        return "" if node.this else "false"
    if isinstance(node, exp.In) and _is_list(node):
        return _member(write(node.this), [_constant(e, write) for e in node.expressions])
    if isinstance(node, exp.Not) and isinstance(node.this, exp.In) and _is_list(node.this):
        return _no_member(write(node.this.this), [_constant(e, write) for e in node.this.expressions])
    if type(node) in SIGNS:
        return _comparison(node, write)
    return write(node)


def is_constant(node: exp.Expr) -> bool:
    """Say whether an expression is the same for every row: no column, no query, no aggregate."""
    return not any(isinstance(part, VARYING) or is_query(part) for part in node.walk())


def _pushed(node: exp.Expr, *, negate: bool) -> exp.Expr:
    if isinstance(node, exp.Paren):
        return _pushed(node.this, negate=negate)
    if isinstance(node, exp.Not):
        return _pushed(node.this, negate=not negate)
    if isinstance(node, (exp.And, exp.Or)):
        sides = (_pushed(node.left, negate=negate), _pushed(node.right, negate=negate))
        joined = exp.And if isinstance(node, exp.And) != negate else exp.Or
        return joined(this=sides[0], expression=sides[1])
    if isinstance(node, exp.Between):
        return _range(node, negate=negate)
    if isinstance(node, exp.Boolean):
        return exp.Boolean(this=bool(node.this) != negate)
    if node.args.get("negate"):
        plain = node.copy()
        plain.set("negate", None)
        return _pushed(plain, negate=not negate)
    if not negate:
        return node.copy()
    if type(node) in NEGATED and not isinstance(node.args["expression"], (exp.All, exp.Any)):
        return NEGATED[type(node)](this=node.this.copy(), expression=node.args["expression"].copy())
    return exp.Not(this=node.copy())


def _range(node: exp.Between, *, negate: bool) -> exp.Expr:
    low, high = node.args["low"].copy(), node.args["high"].copy()
    if negate:
        below = exp.LT(this=node.this.copy(), expression=low)
        return exp.Or(this=below, expression=exp.GT(this=node.this.copy(), expression=high))
    above = exp.GTE(this=node.this.copy(), expression=low)
    return exp.And(this=above, expression=exp.LTE(this=node.this.copy(), expression=high))


def _parts(node: exp.Expr, kind: type[exp.Connector]) -> Iterator[exp.Expr]:
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, exp.Paren):
            stack.append(part.this)
        elif isinstance(part, kind):
            stack += [part.right, part.left]
        else:
            yield part


def _alternatives(node: exp.Or, write: Write) -> str:
    """An OR of equalities over one expression is a list of members."""
    members: dict[str, list[str]] = {}
    texts: set[str] = set()
    for part in _parts(node, exp.Or):
        found = _membership(part, write)
        if found is not None:
            members.setdefault(found[0], []).extend(found[1])
            continue
        text = canonical(part, write)
        if not text:
            return ""
        texts.add(text)
    texts.discard("false")
    texts |= {_member(left, values) for left, values in members.items()}
    return next(iter(texts)) if len(texts) == 1 else f"({' or '.join(sorted(texts))})"


def _membership(node: exp.Expr, write: Write) -> tuple[str, list[str]] | None:
    if isinstance(node, exp.In) and _is_list(node):
        return write(node.this), [_constant(e, write) for e in node.expressions]
    if isinstance(node, exp.EQ):
        left, right = (node.right, node.left) if is_constant(node.left) else (node.left, node.right)
        if is_constant(right) and not is_constant(left):
            return write(left), [_constant(right, write)]
    return None


def _is_list(node: exp.In) -> bool:
    return bool(node.expressions) and not node.args.get("query") and all(map(is_constant, node.expressions))


def _member(left: str, values: list[str]) -> str:
    found = sorted(set(values))
    return f"{left} = {found[0]}" if len(found) == 1 else f"{left} in ({', '.join(found)})"


def _no_member(left: str, values: list[str]) -> str:
    found = sorted(set(values))
    return f"{left} <> {found[0]}" if len(found) == 1 else f"{left} not in ({', '.join(found)})"


def _comparison(node: exp.Expr, write: Write) -> str:
    left, right, kind = node.this, node.args["expression"], type(node)
    texts = _constant(left, write), _constant(right, write)
    fixed = is_constant(left), is_constant(right)
    if all(fixed):
        if kind in (exp.EQ, exp.NullSafeEQ, exp.GTE, exp.LTE) and texts[0] == texts[1]:
            return ""
    elif fixed[0] or (not fixed[1] and texts[0] > texts[1] and not isinstance(right, (exp.All, exp.Any))):
        texts, kind = (texts[1], texts[0]), MIRRORED[kind]
    return f"{texts[0]} {SIGNS[kind]} {texts[1]}"


def _constant(node: exp.Expr, write: Write) -> str:
    if isinstance(node, exp.Paren):
        return _constant(node.this, write)
    if isinstance(node, exp.Literal) and not node.is_string:
        return _number(node.name)
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal) and not node.this.is_string:
        return _number("-" + node.this.name)
    return write(node)


def _number(text: str) -> str:
    try:
        value = Decimal(text.replace("_", ""))
    except InvalidOperation:
        return text
    return format(value.normalize(), "f") if value.is_finite() and abs(value.adjusted()) < 60 else text


def _without_literal_casts(node: exp.Expr) -> exp.Expr:
    def drop(part: exp.Expr) -> exp.Expr:
        inner = part
        while isinstance(inner, (exp.Cast, exp.Paren)):
            inner = inner.this
        return inner if isinstance(inner, exp.Literal) else part

    return node.transform(drop)
