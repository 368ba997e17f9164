"""How deep a parser could recurse on a text, counted on its tokens before any parser runs."""

from collections.abc import Iterator, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from metric_layer.sql.catalogue import ReadLimits
from metric_layer.sql.reading import Fault

OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE})
CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END})
ARROWS = frozenset({TokenType.ARROW, TokenType.DARROW, TokenType.HASH_ARROW, TokenType.DHASH_ARROW})
LINKS = ARROWS | {TokenType.L_BRACKET, TokenType.DOT, TokenType.DCOLON}
CALLS = frozenset({TokenType.L_PAREN})
STACKED = frozenset({TokenType.JOIN, TokenType.UNION, TokenType.INTERSECT, TokenType.EXCEPT})
MAX_STACKED = 200
MAX_RUN = 2000


def depth_faults(tokens: Sequence[Token], limits: ReadLimits) -> Iterator[Fault]:
    """Yield what is nested, chained, stacked or run on for too long."""
    depth = Depth()
    for token in tokens:
        depth.take(token.token_type)
    checks = (
        (depth.nesting, limits.nesting, "nested_too_deep", "brackets inside each other"),
        (depth.chain, limits.subscripts, "chain_too_long", "subscripts, casts or dots in one chain"),
        (depth.stacked, MAX_STACKED, "too_many_joins", "joins and set operations"),
        (depth.run, MAX_RUN, "expression_too_long", "tokens that no comma separates"),
    )
    for found, limit, code, what in checks:
        if found > limit:
            message = f"the text has {found} {what}"
            yield Fault("resource_bomb", code, message, next_step=f"at most {limit} are read")


class Depth:
    """The deepest nesting, the longest chain and the longest run of the tokens taken so far."""

    def __init__(self) -> None:
        self.nesting = self.chain = self.stacked = self.run = 0
        self._runs = [0]
        self._total = 0
        self._chains = [0]
        self._last: list[TokenType | None] = [None]

    def take(self, kind: TokenType) -> None:
        """Count one token."""
        if kind in CLOSING and len(self._runs) > 1:
            self._total -= self._runs.pop()
            self._chains.pop()
            self._last.pop()
        self._count(kind)
        self._last[-1] = kind
        if kind in OPENING:
            self._runs.append(0)
            self._chains.append(0)
            self._last.append(None)
            self.nesting = max(self.nesting, len(self._runs) - 1)

    def _count(self, kind: TokenType) -> None:
        """Count a token at its level: a comma ends a run, and all but links and calls end a chain."""
        if kind == TokenType.COMMA:
            self._total -= self._runs[-1]
            self._runs[-1] = 0
        else:
            self._runs[-1] += 1
            self._total += 1
            self.run = max(self.run, self._total)
        if kind in LINKS:
            self._chains[-1] += 1
            self.chain = max(self.chain, self._chains[-1])
        elif kind not in CALLS and kind not in CLOSING and self._last[-1] not in LINKS:
            self._chains[-1] = 0
        self.stacked += kind in STACKED
