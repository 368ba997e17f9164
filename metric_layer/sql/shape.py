"""Which syntax nodes a tree is made of, and with which arguments."""

from functools import partial

from sqlglot import exp

from metric_layer.sql.ledger import Ledger
from metric_layer.sql.reading import NodeKind

NAMES = frozenset({"Table", "Column"})
WORDED = frozenset({"Join", "Union", "DataType"})


def note_kinds(tree: exp.Expr, ledger: Ledger) -> list[exp.Expr]:
    """Note every kind of node in a tree once per set of arguments it carries.

    Returns the tables and columns of the tree, which all have to be followed.
    """
    known = ledger.kinds
    names: list[exp.Expr] = []
    stack = [tree]
    while stack:
        node = stack.pop()
        name = type(node).__name__
        if name in NAMES:
            names.append(node)
        arguments = _take(node, name, stack)
        called = isinstance(node, exp.Func)
        key = (name, () if called else arguments)
        if key not in known:
            known[key] = NodeKind(*key, called, partial(ledger.span, node))
    return names


def _take(node: exp.Expr, name: str, stack: list[exp.Expr]) -> tuple[str, ...]:
    """Put the children of a node on the stack and return the arguments in use.

    An argument that is a word (a join's or a union's kind, a type's name) is named with its value.
    """
    found: list[str] = []
    for argument, value in node.args.items():
        if value is None or value is False:
            continue
        if isinstance(value, exp.Expr):
            stack.append(value)
        elif isinstance(value, list):
            if not value:
                continue
            stack += [item for item in value if isinstance(item, exp.Expr)]
        elif name in WORDED:
            argument = _worded(name, argument, value)
        found.append(argument)
    return tuple(found)


def _worded(name: str, argument: str, value: object) -> str:
    if name == "Join" or (name == "Union" and isinstance(value, str)):
        return f"{argument}={str(value).upper()}"
    if name == "DataType" and argument == "this":
        return f"type={getattr(value, 'value', 'NAMED')}"
    return argument
