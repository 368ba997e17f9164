"""The language in which SQL and a plan are held against each other: nested text."""

from collections.abc import Iterable
from typing import TypeAlias

Term: TypeAlias = "str | tuple[Term, ...]"
NULL = "NULL"


def either(terms: Iterable[Term]) -> Term:
    """Return what several parts mean by one column: the one thing they do, or each of them."""
    meant: set[Term] = set()
    for term in terms:
        meant.update(term[1:] if term[0] == "either" else (term,))
    meant.discard(NULL)
    return meant.pop() if len(meant) == 1 else ("either", *in_order(meant))


def in_order(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Return terms in one order, whatever order they were found in."""
    return tuple(sorted(terms, key=repr))
