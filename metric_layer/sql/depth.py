"""How deep a parser could recurse on a text, counted on its tokens before any parser runs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlglot.parser import Parser
from sqlglot.tokenizer_core import Token, TokenType

from metric_layer.sql.catalogue import ReadLimits
from metric_layer.sql.reading import Fault

OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE})
CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END})
ARROWS = frozenset({TokenType.ARROW, TokenType.DARROW, TokenType.HASH_ARROW, TokenType.DHASH_ARROW})
LINKS = ARROWS | {TokenType.L_BRACKET, TokenType.DOT, TokenType.DCOLON}
CALLS = frozenset({TokenType.L_PAREN})
STACKED = frozenset({TokenType.JOIN, TokenType.UNION, TokenType.INTERSECT, TokenType.EXCEPT})
DEEPENING = OPENING | LINKS | STACKED
MAX_STACKED = 200
MAX_RUN = 2000
TYPED = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET})
MAX_RETRIES = 20_000
"""At four microseconds each, so much as a parser may try in vain."""


class Depth(NamedTuple):
    """The deepest nesting, the longest chain, how much is stacked, and the longest run of some tokens."""

    nesting: int
    chain: int
    stacked: int
    run: int


def depth_faults(tokens: Sequence[Token], limits: ReadLimits) -> Iterator[Fault]:
    """Yield what is nested, chained, stacked or run on for too long."""
    kinds = [token.token_type for token in tokens]
    depth = _at_most(kinds)
    if depth.run > MAX_RUN or depth.nesting > min(limits.nesting, limits.subscripts, MAX_STACKED):
        depth = depth_of(kinds)
    checks = (
        (depth.nesting, limits.nesting, "nested_too_deep", "brackets inside each other"),
        (depth.chain, limits.subscripts, "chain_too_long", "subscripts, casts or dots in one chain"),
        (depth.stacked, MAX_STACKED, "too_many_joins", "joins and set operations"),
        (depth.run, MAX_RUN, "expression_too_long", "tokens that no comma separates"),
        (retries_of(kinds), MAX_RETRIES, "types_nested_too_deep", "ways to read types with brackets"),
    )
    for found, limit, code, what in checks:
        if found > limit:
            message = f"the text has {found} {what}"
            yield Fault("resource_bomb", code, message, next_step=f"at most {limit} are read")


def _at_most(kinds: Sequence[TokenType]) -> Depth:
    """Return bounds that no text of so many tokens exceeds: most texts need no closer look."""
    deepening = len([kind for kind in kinds if kind in DEEPENING])
    return Depth(deepening, deepening, deepening, len(kinds))


def depth_of(kinds: Iterable[TokenType]) -> Depth:
    """Measure tokens level by level: a comma ends a run, and all but links and calls end a chain."""
    nesting = longest_chain = stacked = longest_run = 0
    run = chain = outside = 0
    before: TokenType | None = None
    levels: list[tuple[int, int]] = []
    for kind in kinds:
        if kind in CLOSING and levels:
            run, chain = levels.pop()
            outside -= run
        if kind == TokenType.COMMA:
            run = 0
        else:
            run += 1
            longest_run = max(longest_run, outside + run)
        if kind in LINKS:
            chain += 1
            longest_chain = max(longest_chain, chain)
        elif kind not in CALLS and kind not in CLOSING and before not in LINKS:
            chain = 0
        stacked += kind in STACKED
        before = kind
        if kind in OPENING:
            levels.append((run, chain))
            outside += run
            nesting = max(nesting, len(levels))
            run, chain, before = 0, 0, None
    return Depth(nesting, longest_chain, stacked, longest_run)


def retries_of(kinds: Sequence[TokenType]) -> int:
    """Return how often a parser reads brackets behind types anew.

    `DATE(...)` may be a type or a call: what is inside is read twice, and twice again on every level.
    """
    if Parser.TYPE_TOKENS.isdisjoint(kinds):
        return 0
    retries = 0
    ways = 1
    levels: list[int] = []
    before: TokenType | None = None
    for kind in kinds:
        if kind in OPENING:
            levels.append(ways)
            if kind in TYPED and before in Parser.TYPE_TOKENS:
                ways *= 2
                retries += ways
        elif kind in CLOSING and levels:
            ways = levels.pop()
        before = kind
    return retries
