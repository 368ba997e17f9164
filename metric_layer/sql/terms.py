"""A governed statement taken apart to what each of its outputs means, from its text alone.

Aliases, derived tables and unions are gone from a term: a column is told by the keys that lead to it, an
aggregate by the rows it reads, and every spelling of a dialect by one name.
"""

from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp, parse_one

from metric_layer.plan import Dialect
from metric_layer.relation import relation_parts
from metric_layer.sql.literals import integer_of
from metric_layer.sql.reading import Reading
from metric_layer.sql.said import SaidScope
from metric_layer.sql.scope import conjuncts
from metric_layer.sql.tellers import items_of
from metric_layer.sql.term import Term, in_order


@dataclass(frozen=True, slots=True)
class Terms:
    """What a statement says: outputs and groups in order, filters on outputs, its order and its limit."""

    outputs: tuple[tuple[str, Term], ...]
    groups: tuple[Term, ...]
    having: tuple[Term, ...]
    order: tuple[tuple[Term, bool], ...]
    limit: int | None


def terms_of(reading: Reading, dialect: Dialect, tables: tuple[str, ...]) -> Terms:
    """Return what a governed statement says; `tables` are the names that its tables may go by.

    What no governed statement holds comes out as a term that no plan has. Raises SqlglotError for text that
    is no SQL.
    """
    root = reading.tree or parse_one(reading.sql, dialect=dialect)
    scope = SaidScope({relation_parts(name): name for name in tables}, {}, None)
    if not isinstance(root, exp.Select):
        return Terms((), (type(root).__name__,), (), (), None)
    outputs = scope.read(root)
    having, limit = root.args.get("having"), root.args.get("limit")
    beside = (*scope.joined, *scope.where, *scope.strange) if scope.stitched else ()
    return Terms(
        outputs=tuple(outputs.items()),
        groups=(*scope.groups, *beside),
        having=in_order(scope.term(each) for each in conjuncts(having.this)) if having else (),
        order=tuple(scope.ordered(each) for each in items_of(root, "order")),
        limit=integer_of(limit.expression) if isinstance(limit, exp.Limit) else None,
    )


@lru_cache(maxsize=1024)
def expression_term(expression: str, columns: tuple[tuple[str, str], ...], root: Term) -> Term:
    """Return what an owner's scalar SQL means over the columns of one table, its divisions made safe.

    Each column stands with its scale as it is written, "" for none: it means the column times that.
    """
    scales = dict(columns)
    spelled = {name.lower(): name for name in scales} | {name: name for name in scales}

    def column(name: str) -> Term:
        known = spelled.get(name, spelled.get(name.lower(), name))
        found: Term = ("column", root, known)
        return ("Mul", found, scales[known]) if scales.get(known) else found

    scope = SaidScope({}, {}, None, sources={"": column}, owners=True)
    return scope.term(parse_one(expression, dialect="duckdb"))
