"""Rules on the text itself, counted on tokens before any parser runs: characters, comments, depth, statements."""

import re
from collections.abc import Iterator, Sequence

from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.errors import TokenError
from sqlglot.tokens import Token, TokenType

from metric_layer.sql.catalogue import ReadLimits
from metric_layer.sql.reading import Fault

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
TEMPLATE = re.compile(r"\{[#%{]")
COMMENT_MODE = re.compile(r"/\*[!+]|#\s*legacysql", re.IGNORECASE)
LONE_RETURN = re.compile(r"\r(?!\n)")
STRANGE_SPACE = re.compile(r"[^\x00-\x7f]")
OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE})
CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END})
CHAINED = frozenset({TokenType.R_BRACKET, TokenType.DOT, TokenType.DCOLON})
STACKED = frozenset(
    {TokenType.JOIN, TokenType.UNION, TokenType.INTERSECT, TokenType.EXCEPT, TokenType.STRAIGHT_JOIN}
)
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
QUERY_STARTS = frozenset({"SELECT", "WITH", "FROM", "PIVOT", "UNPIVOT"})
SMUGGLED = frozenset({"EXPLAIN", "ANALYZE", "ANALYSE", "DESCRIBE", "DESC", "SUMMARIZE"})
MAX_STACKED = 200
MAX_RUN = 3000


def tokenise(text: str, dialect: SqlglotDialect, limits: ReadLimits) -> tuple[list[Token], list[Fault]]:
    """Return the tokens of the one statement, or what is wrong with the text. Tokens are empty when it must not parse."""
    if len(text) > limits.characters:
        return [], [
            _bomb("text_too_long", f"the text has {len(text)} characters", f"at most {limits.characters} are read")
        ]
    if found := CONTROL.search(text):
        span = (found.start(), found.end())
        return [], [_differential("control_character", "the text holds a control character", repr(found[0]), span)]
    try:
        tokens = dialect.tokenize(text)
    except TokenError as error:
        return [], [_unreadable(str(error))]
    faults = [*_gap_faults(text, tokens), *_token_faults(text, tokens), *_depth_faults(tokens, limits)]
    statements = _statements(tokens)
    faults.extend(_statement_faults(statements))
    return (statements[0] if statements and not faults else []), faults


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


def _gap_faults(text: str, tokens: Sequence[Token]) -> Iterator[Fault]:
    """Look at what stands between tokens: comments and white space that two parsers might read differently."""
    at = 0
    for start, end in ((t.start, t.end + 1) for t in (*tokens, None) if t is not None):
        if start > at:
            yield from _gap(text[at:start], at)
        at = end
    if at < len(text):
        yield from _gap(text[at:], at)


def _gap(gap: str, at: int) -> Iterator[Fault]:
    if gap.isspace() and gap.isascii():
        return
    rules = (
        (TEMPLATE, "template", "the text holds a template marker outside a literal"),
        (COMMENT_MODE, "mode_comment", "the text holds a comment that changes how an engine reads it"),
        (LONE_RETURN, "lone_return", "a carriage return inside a comment ends it for some engines only"),
    )
    for pattern, code, message in rules:
        if found := pattern.search(gap):
            yield _differential(code, message, repr(found[0]), (at + found.start(), at + found.end()))
    bare = re.sub(r"/\*.*?\*/|(?:--|//|#)[^\n]*", "", gap, flags=re.DOTALL)
    if found := STRANGE_SPACE.search(bare):
        yield _differential("strange_space", "the text holds white space that only some engines read", repr(found[0]), (at, at + len(gap)))


def _token_faults(text: str, tokens: Sequence[Token]) -> Iterator[Fault]:
    ascii_only = text.isascii()
    before: Token | None = None
    for token in tokens:
        span = (token.start, token.end + 1)
        if token.token_type in TEMPLATED:
            yield _differential("template", "the text holds a template marker outside a literal", token.text, span)
        if token.token_type == TokenType.UNICODE_STRING or _is_unicode_escape(token, before, text):
            yield _differential("unicode_escape", "U& escapes are read by some parsers only", token.text, span)
        if not ascii_only and token.token_type not in LITERALS and not text[span[0] : span[1]].isascii():
            yield _differential(
                "non_ascii_name", "names outside quotes must be plain ASCII", token.text, span, retry=True
            )
        before = token


def _is_unicode_escape(token: Token, before: Token | None, text: str) -> bool:
    return (
        token.token_type == TokenType.AMP
        and before is not None
        and before.text.upper() == "U"
        and before.end + 1 == token.start
        and text[token.end + 1 : token.end + 2] in ("'", '"')
    )


def _depth_faults(tokens: Sequence[Token], limits: ReadLimits) -> Iterator[Fault]:
    """Bound how deep any parser could recurse: brackets, chains, and runs of tokens that no comma cuts."""
    runs = [0]
    deepest = longest = chain = stacked = 0
    before: TokenType | None = None
    for token in tokens:
        kind = token.token_type
        runs[-1] += 1
        stacked += kind in STACKED
        if kind in OPENING:
            chain = chain + 1 if kind == TokenType.L_BRACKET and before in CHAINED else chain
            runs.append(0)
            deepest = max(deepest, len(runs) - 1)
        elif kind in CLOSING:
            longest = max(longest, sum(runs))
            if len(runs) > 1:
                runs.pop()
        elif kind == TokenType.COMMA:
            longest = max(longest, sum(runs))
            runs[-1] = chain = 0
        elif kind in CHAINED:
            chain += 1
        elif before not in CHAINED:
            chain = 0
        if chain > limits.subscripts:
            yield _bomb("chain_too_long", f"more than {limits.subscripts} subscripts, casts or dots in one chain", "")
            return
        before = kind
    if deepest > limits.nesting:
        yield _bomb("nested_too_deep", f"brackets are nested {deepest} deep", f"at most {limits.nesting} are read")
    if stacked > MAX_STACKED:
        yield _bomb("too_many_joins", f"{stacked} joins and set operations", f"at most {MAX_STACKED} are read")
    if max(longest, sum(runs)) > MAX_RUN:
        yield _bomb("expression_too_long", "one expression runs on for too long", f"at most {MAX_RUN} tokens are read")


def _bomb(code: str, message: str, allowed: str) -> Fault:
    return Fault("resource_bomb", code, message, next_step=allowed)


def _differential(code: str, message: str, seen: str, span: tuple[int, int], retry: bool = False) -> Fault:
    return Fault("parse_differential", code, message, seen=seen, span=span, retry=retry, next_step="remove it")


def _unreadable(message: str) -> Fault:
    return Fault(
        "syntax",
        "syntax_error",
        "the text cannot be read",
        seen=message.splitlines()[0][:200],
        retry=True,
        next_step="correct the syntax",
    )
