"""Which syntax nodes a tree is made of, and with which arguments: what the list of node kinds is held against."""

from sqlglot import exp

from metric_layer.sql.ledger import Ledger
from metric_layer.sql.reading import NodeKind

def note_kinds(tree: exp.Expr, ledger: Ledger) -> None:
    """Note every kind of node in a tree once per set of arguments it carries.

    An argument that is a word (a join's kind, a type's name) is noted with its value.
    """
    known = ledger.kinds
    stack = [tree]
    while stack:
        node = stack.pop()
        name = type(node).__name__
        called = isinstance(node, exp.Func)
        found: list[str] = []
        for argument, value in node.args.items():
            if isinstance(value, exp.Expr):
                stack.append(value)
            elif isinstance(value, list):
                if not value:
                    continue
                stack.extend(item for item in value if isinstance(item, exp.Expr))
            elif value is None or value is False:
                continue
            elif name == "Join":
                argument = f"{argument}={str(value).upper()}"
            elif name == "DataType" and argument == "this":
                argument = f"type={getattr(value, 'value', 'NAMED')}"
            found.append(argument)
        key = (name, () if called else tuple(found))
        if key not in known:
            known[key] = NodeKind(*key, called, ledger.span(node))
