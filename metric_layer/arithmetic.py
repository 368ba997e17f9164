"""Derived metrics: `+ - * /`, numbers, brackets and metric names, read by a parser of our own."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from metric_layer.resolved import Arithmetic

MAX_TOKENS = 200
MAX_DEPTH = 30
_TOKEN = re.compile(r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[a-z][a-z0-9_]*)|(?P<sign>[-+*/()]))")


class FormulaFault(Exception):
    """An expression of a derived metric cannot be read; `position` counts characters from 0."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


def parse_formula(text: str) -> Arithmetic:
    """Return the expression as a tree whose leaves carry metric names. Raises FormulaFault."""
    return _Parser(text).whole()


def names_in(node: Arithmetic) -> Iterator[str]:
    """Yield every metric name of a parsed expression, left to right."""
    if node.op == "leaf":
        yield node.leaf
    for side in (node.left, node.right):
        if side is not None:
            yield from names_in(side)


def size_of(node: Arithmetic) -> int:
    """Return the number of operations, names and numbers of a parsed expression."""
    return 1 + sum(size_of(side) for side in (node.left, node.right) if side is not None)


def filled(node: Arithmetic, value_of: Callable[[str], Arithmetic]) -> Arithmetic:
    """Return the tree with every name replaced by what it stands for."""
    if node.op == "leaf":
        return value_of(node.leaf)
    if node.left is None or node.right is None:
        return node
    return replace(node, left=filled(node.left, value_of), right=filled(node.right, value_of))


class _Parser:
    """Recursive descent over at most MAX_TOKENS tokens."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._next = 0
        self._length = len(text)

    def whole(self) -> Arithmetic:
        found = self._sum(0)
        if self._next < len(self._tokens):
            self._fail("An operator is missing before this")
        return found

    def _sum(self, depth: int) -> Arithmetic:
        found = self._product(depth)
        while (sign := self._sign("+-")) is not None:
            found = Arithmetic("add" if sign == "+" else "sub", left=found, right=self._product(depth))
        return found

    def _product(self, depth: int) -> Arithmetic:
        found = self._atom(depth)
        while (sign := self._sign("*/")) is not None:
            found = Arithmetic("mul" if sign == "*" else "div", left=found, right=self._atom(depth))
        return found

    def _atom(self, depth: int) -> Arithmetic:
        if depth > MAX_DEPTH:
            self._fail(f"Brackets are nested deeper than {MAX_DEPTH}")
        if self._sign("-") is not None:
            return Arithmetic("sub", left=Arithmetic("number", number="0"), right=self._atom(depth + 1))
        if self._sign("(") is not None:
            found = self._sum(depth + 1)
            if self._sign(")") is None:
                self._fail("A closing bracket is missing")
            return found
        if self._next == len(self._tokens):
            self._fail("A metric or a number is missing at the end")
        kind, text, _ = self._tokens[self._next]
        if kind == "sign":
            self._fail("A metric or a number is missing before this")
        self._next += 1
        return Arithmetic("number", number=text) if kind == "number" else Arithmetic("leaf", leaf=text)

    def _sign(self, signs: str) -> str | None:
        if self._next < len(self._tokens):
            kind, text, _ = self._tokens[self._next]
            if kind == "sign" and text in signs:
                self._next += 1
                return text
        return None

    def _fail(self, message: str) -> None:
        ended = self._next == len(self._tokens)
        position = self._length if ended else self._tokens[self._next][2]
        raise FormulaFault(f"{message} (character {position + 1}).", position)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    position, count = 0, 0
    end = len(text.rstrip())
    while position < end:
        found = _TOKEN.match(text, position)
        if found is None or found.lastgroup is None:
            raise FormulaFault(f"This cannot be read: {text[position:end].strip()[:20]!r}.", position)
        count += 1
        if count > MAX_TOKENS:
            raise FormulaFault(f"The expression is longer than {MAX_TOKENS} parts.", position)
        yield found.lastgroup, found[found.lastgroup], found.start(found.lastgroup)
        position = found.end()
