"""Rules on the text itself, before any parser runs: characters, comments, statements."""

import re
from collections.abc import Iterator, Sequence

from sqlglot.dialects.bigquery import BigQuery
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from metric_layer.sql.catalogue import ReadLimits
from metric_layer.sql.depth import depth_faults
from metric_layer.sql.pipes import pipe_faults
from metric_layer.sql.reading import Fault

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
TEMPLATE = re.compile(r"\{[#%{]")
COMMENT_MODE = re.compile(r"/\*[!+]|#\s*legacysql", re.IGNORECASE)
COMMENT = re.compile(r"/\*.*?\*/|(?:--|//|(?<!\{)#)[^\n]*", re.DOTALL)
LONE_RETURN = re.compile(r"\r(?!\n)")
STRANGE_SPACE = re.compile(r"[^\x00-\x7f]")
LITERALS = frozenset(
    {
        TokenType.STRING,
        TokenType.IDENTIFIER,
        TokenType.HEREDOC_STRING,
        TokenType.RAW_STRING,
        TokenType.BYTE_STRING,
        TokenType.NATIONAL_STRING,
        TokenType.UNICODE_STRING,
        TokenType.NUMBER,
    }
)
TEMPLATED = frozenset({TokenType.BLOCK_START, TokenType.BLOCK_END})
WATCHED = TEMPLATED | {TokenType.UNICODE_STRING, TokenType.AMP, TokenType.NOT}
"""Tokens that may be read in two ways."""
QUERY_STARTS = frozenset({"SELECT", "WITH", "FROM", "PIVOT", "UNPIVOT"})
SMUGGLED = frozenset({"EXPLAIN", "ANALYZE", "ANALYSE", "DESCRIBE", "DESC", "SUMMARIZE"})


def tokenise(text: str, dialect: SqlglotDialect, limits: ReadLimits) -> tuple[list[Token], list[Fault]]:
    """Return the tokens of the one statement, or what is wrong with the text and no tokens."""
    if len(text) > limits.characters:
        return [], [_too_long(len(text), limits.characters)]
    if found := CONTROL.search(text):
        span = (found.start(), found.end())
        return [], [
            _differential("control_character", "the text holds a control character", repr(found[0]), span)
        ]
    try:
        tokens = dialect.tokenize(text)
        gaps = _gaps(text, tokens)
        faults = [fault for gap, at in gaps for fault in _gap_faults(gap, at)]
        kinds = {token.token_type for token in tokens}
        if not text.isascii() or not kinds.isdisjoint(WATCHED):
            faults.extend(_token_faults(text, tokens))
        faults.extend(depth_faults(tokens, limits))
        if TokenType.PIPE_GT in kinds:
            faults.extend(pipe_faults(tokens, known=isinstance(dialect, BigQuery)))
        if gaps and not faults:
            tokens = dialect.tokenize(_blanked(text, gaps))
    except TokenError as error:
        return [], [_unreadable(str(error))]
    statements = _statements(tokens)
    faults.extend(_statement_faults(statements))
    return (statements[0] if statements and not faults else []), faults


def _gaps(text: str, tokens: Sequence[Token]) -> list[tuple[str, int]]:
    """Return what stands between tokens, with its place, where it is more than plain white space."""
    found: list[tuple[str, int]] = []
    at = 0
    for start, end in (*((token.start, token.end + 1) for token in tokens), (len(text), 0)):
        gap = text[at:start] if start > at else " "
        if gap != " " and not (gap.isspace() and gap.isascii()):
            found.append((gap, at))
        at = end
    return found


def _blanked(text: str, gaps: Sequence[tuple[str, int]]) -> str:
    """Return the text without its comments, every token in its place."""
    for gap, at in gaps:
        text = f"{text[:at]}{' ' * len(gap)}{text[at + len(gap) :]}"
    return text


def _statements(tokens: Sequence[Token]) -> list[list[Token]]:
    statements: list[list[Token]] = [[]]
    for token in tokens:
        if token.token_type == TokenType.SEMICOLON:
            statements.append([])
        else:
            statements[-1].append(token)
    return [statement for statement in statements if statement]


def _statement_faults(statements: Sequence[Sequence[Token]]) -> Iterator[Fault]:
    if not statements:
        yield Fault("statement_type", "empty", "the text holds no statement", next_step="write one SELECT")
    if len(statements) > 1:
        second = statements[1]
        yield Fault(
            "single_statement",
            "several_statements",
            f"the text holds {len(statements)} statements",
            seen=second[0].text,
            span=(second[0].start, second[-1].end + 1),
            next_step="send exactly one SELECT",
        )
    for statement in statements:
        first = next((t for t in statement if t.token_type != TokenType.L_PAREN), statement[0])
        word = first.text.upper()
        if word not in QUERY_STARTS or first.token_type in LITERALS:
            yield Fault(
                "explain_smuggle" if word in SMUGGLED else "statement_type",
                "not_a_query",
                f"the statement starts with {word[:40]}",
                seen=first.text[:40],
                span=(first.start, first.end + 1),
                next_step="only SELECT (with CTEs and set operations) is read here",
            )


def _gap_faults(gap: str, at: int) -> Iterator[Fault]:
    """Look at comments and white space between tokens that two parsers might read differently."""
    bare = COMMENT.sub(lambda found: " " * len(found[0]), gap)
    rules = (
        (gap, COMMENT_MODE, "mode_comment", "the text holds a comment that changes how an engine reads it"),
        (gap, LONE_RETURN, "lone_return", "a carriage return inside a comment ends it for some engines only"),
        (bare, TEMPLATE, "template", "the text holds a template marker outside a literal"),
        (bare, STRANGE_SPACE, "strange_space", "the text holds white space that only some engines read"),
    )
    for where, pattern, code, message in rules:
        if found := pattern.search(where):
            yield _differential(code, message, repr(found[0]), (at + found.start(), at + found.end()))


def _token_faults(text: str, tokens: Sequence[Token]) -> Iterator[Fault]:
    ascii_only = text.isascii()
    before: Token | None = None
    for token in tokens:
        span = (token.start, token.end + 1)
        if token.token_type in TEMPLATED:
            yield _differential(
                "template", "the text holds a template marker outside a literal", token.text, span
            )
        if token.token_type == TokenType.UNICODE_STRING or _is_unicode_escape(token, before, text):
            yield _differential(
                "unicode_escape", "U& escapes are read by some parsers only", token.text, span
            )
        if not ascii_only and token.token_type not in LITERALS and not text[span[0] : span[1]].isascii():
            yield _differential(
                "non_ascii_name", "names outside quotes must be plain ASCII", token.text, span, retry=True
            )
        if before is not None and _is_lone_mark(before, token):
            yield _differential("lone_mark", "! is no operator of these engines", "!", span, retry=True)
        before = token


def _is_lone_mark(mark: Token, after: Token) -> bool:
    """Say whether a `!` stands for NOT; before ~ it is part of an operator."""
    matching = after.start == mark.end + 1 and after.text.startswith("~")
    return mark.token_type == TokenType.NOT and mark.text == "!" and not matching


def _is_unicode_escape(token: Token, before: Token | None, text: str) -> bool:
    return (
        token.token_type == TokenType.AMP
        and before is not None
        and before.text.upper() == "U"
        and before.end + 1 == token.start
        and text[token.end + 1 : token.end + 2] in ("'", '"')
    )


def _too_long(length: int, limit: int) -> Fault:
    message = f"the text has {length} characters"
    return Fault("resource_bomb", "text_too_long", message, next_step=f"at most {limit} are read")


def _differential(code: str, message: str, seen: str, span: tuple[int, int], retry: bool = False) -> Fault:
    return Fault(
        "parse_differential", code, message, seen=seen, span=span, retry=retry, next_step="remove it"
    )


def _unreadable(message: str) -> Fault:
    return Fault(
        "syntax",
        "syntax_error",
        "the text cannot be read",
        seen=message.splitlines()[0][:200],
        retry=True,
        next_step="correct the syntax",
    )
