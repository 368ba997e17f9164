"""DuckDB's PIVOT and UNPIVOT statements, put into the FROM of a SELECT so that there is one kind of root."""

from collections.abc import Sequence

from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.tokenizer_core import Token, TokenType

from metric_layer.sql.depth import CLOSING, OPENING

STATEMENTS = frozenset({TokenType.PIVOT, TokenType.UNPIVOT})
READING = frozenset({TokenType.SELECT, TokenType.FROM})
TAIL = frozenset({TokenType.ORDER_BY, TokenType.LIMIT, TokenType.OFFSET})


def as_select(tokens: list[Token], dialect: SqlglotDialect) -> list[Token]:
    """Return the tokens with a pivoting statement in brackets; what orders and cuts it stays outside."""
    start, end = _extent(tokens)
    if start is None:
        return tokens
    before, after = dialect.tokenize("SELECT * FROM ("), dialect.tokenize(")")
    return [*tokens[:start], *before, *tokens[start:end], *after, *tokens[end:]]


def _extent(tokens: Sequence[Token]) -> tuple[int | None, int]:
    """Return where the pivoting statement begins, if the text is one, and where its tail does."""
    start: int | None = None
    depth = 0
    for at, kind in enumerate(token.token_type for token in tokens):
        depth += (kind in OPENING) - (kind in CLOSING)
        if depth:
            continue
        if start is None and kind in READING:
            break
        if start is None and kind in STATEMENTS:
            start = at
        if start is not None and kind in TAIL:
            return start, at
    return start, len(tokens)
