"""Functions that keep the name they were called by, where the parser's own spelling of them means another.

PostgreSQL's `date_part` gives a double and EXTRACT a decimal, and it has no HEX. DuckDB's `approx_top_k` and
`reduce` are not those of other engines, which the parser takes them for.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.tokenizer_core import Token, TokenType

from metric_layer.plan import Dialect

KEPT: Mapping[Dialect, frozenset[str]] = {
    "postgres": frozenset({"DATE_PART", "TO_HEX"}),
    "duckdb": frozenset({"APPROX_TOP_K", "REDUCE"}),
}
TEXTS = frozenset(
    {
        TokenType.STRING,
        TokenType.HEREDOC_STRING,
        TokenType.RAW_STRING,
        TokenType.NATIONAL_STRING,
        TokenType.NUMBER,
    }
)
MARK = "kept__"
"""Stands before a name while the parser reads it; a name that begins so in a text loses it, and is judged."""


def mark_names(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """Return the tokens with a mark before every name that is to be kept; the same list without any."""
    kept = KEPT.get(dialect)
    if kept is None:
        return tokens
    places = {at for at, token in enumerate(tokens) if token.text.upper() in kept and _is_called(tokens, at)}
    return [_marked(t) if at in places else t for at, t in enumerate(tokens)] if places else tokens


def restore_names(tree: exp.Expr) -> None:
    """Take the marks away again."""
    for call in tree.find_all(exp.Anonymous):
        if isinstance(call.this, str) and call.this.lower().startswith(MARK):
            call.set("this", call.this[len(MARK) :])


def called_names(sql: str, dialect: Dialect) -> frozenset[str]:
    """Return every name that stands before a bracket in a text, in small letters; literals hold none."""
    tokens = SqlglotDialect.get_or_raise(dialect).tokenize(sql)
    opened = (before for before, at in pairwise(tokens) if at.token_type == TokenType.L_PAREN)
    return frozenset(token.text.lower() for token in opened if token.token_type not in TEXTS)


def _is_called(tokens: Sequence[Token], at: int) -> bool:
    following = tokens[at + 1].token_type if at + 1 < len(tokens) else None
    return tokens[at].token_type == TokenType.VAR and following == TokenType.L_PAREN


def _marked(token: Token) -> Token:
    return Token(
        token.token_type, MARK + token.text, token.line, token.col, token.start, token.end, token.comments
    )
