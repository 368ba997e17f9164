"""BigQuery's pipe operators: which chains the parser turns into one SELECT that means the same.

The parser puts WHERE, JOIN, ORDER BY, LIMIT and DISTINCT of a chain into the SELECT at hand, whatever their
order, and begins a new one only at other operators. A chain whose order matters there is refused.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from metric_layer.sql.depth import CLOSING, OPENING
from metric_layer.sql.reading import Fault

SET_OPERATORS = frozenset({TokenType.UNION, TokenType.INTERSECT, TokenType.EXCEPT})
OUTER = frozenset({TokenType.RIGHT, TokenType.FULL})
CLAUSES = frozenset(
    {
        TokenType.DISTINCT,
        TokenType.FROM,
        TokenType.WHERE,
        TokenType.GROUP_BY,
        TokenType.HAVING,
        TokenType.QUALIFY,
        TokenType.WINDOW,
        TokenType.ORDER_BY,
        TokenType.LIMIT,
        TokenType.STRUCT,
    }
)
BEFORE_STAR = frozenset({TokenType.SELECT, TokenType.DISTINCT, TokenType.COMMA, TokenType.DOT})
NEW_QUERY = frozenset({"AS", "SET"})
AFTER = {
    "LIMIT": NEW_QUERY | {"SELECT"},
    "DISTINCT": NEW_QUERY | {"WHERE", "ORDER BY", "LIMIT"},
}
NEVER_AFTER = {
    "WHERE": frozenset({"PIVOT", "UNPIVOT", "OUTER JOIN"}),
    "JOIN": frozenset({"PIVOT", "UNPIVOT"}),
    "OUTER JOIN": frozenset({"PIVOT", "UNPIVOT"}),
}
KEEPING = frozenset({"WHERE", "JOIN", "OUTER JOIN", "ORDER BY", "LIMIT", "DISTINCT"})
Segment = list[Token]


def pipe_faults(tokens: Sequence[Token], *, known: bool) -> Iterator[Fault]:
    """Yield what is wrong with the pipe operators of a text. `known` says whether the engine has any."""
    for head, *steps in _chains(tokens):
        if not steps:
            continue
        if not known:
            yield _fault("pipes", "this engine knows no pipe operators", steps[0])
        elif _begins_with_select(head):
            yield _fault("pipe_head", "a chain of pipe operators starts with FROM or a bracket", steps[0])
        else:
            yield from _steps(steps)


def stars_are_ours(tokens: Sequence[Token]) -> bool:
    """Say whether every star of the tree was made by the parser from pipe operators, and none was written."""
    if not any(token.token_type == TokenType.PIPE_GT for token in tokens):
        return False
    return not any(
        star.token_type == TokenType.STAR and before.token_type in BEFORE_STAR
        for before, star in pairwise(tokens)
    )


def name_sources(tree: exp.Expr) -> None:
    """Make a table name of every alias that |> AS left as a source."""
    for clause in tree.find_all(exp.From):
        if isinstance(clause.this, exp.TableAlias):
            clause.set("this", exp.Table(this=clause.this.this.copy()))


def _steps(steps: Sequence[Segment]) -> Iterator[Fault]:
    met: list[str] = []
    for step in steps:
        word = _word(step)
        wrong = [w for w in met if word not in AFTER.get(w, {word}) or word in NEVER_AFTER.get(w, ())]
        if wrong:
            yield _fault("pipe_order", f"|> {word} after |> {wrong[-1]} is not read in this order", step)
        if word == "SELECT" and any(token.token_type in CLAUSES for token in _outside_brackets(step)):
            yield _fault("pipe_select", "a |> SELECT takes a list of columns and no clauses", step)
        over = any(token.token_type == TokenType.OVER for token in step)
        if word == "SELECT" and over and "LIMIT" in met:
            yield _fault("pipe_order", "a window function after |> LIMIT is not read in this order", step)
        met = [*met, word] if word in KEEPING else []


def _chains(tokens: Sequence[Token]) -> Iterator[list[Segment]]:
    """Yield the segments between pipe operators, one chain per bracket and one for the text."""
    open_chains: list[list[Segment]] = [[[]]]
    for token in tokens:
        kind = token.token_type
        if kind in CLOSING and len(open_chains) > 1:
            yield open_chains.pop()
        if kind == TokenType.PIPE_GT:
            open_chains[-1].append([])
            continue
        for chain in open_chains:
            chain[-1].append(token)
        if kind in OPENING:
            open_chains.append([[]])
    yield from reversed(open_chains)


def _outside_brackets(segment: Segment) -> Iterator[Token]:
    depth = 0
    for token in segment:
        depth -= token.token_type in CLOSING
        if depth == 0:
            yield token
        depth += token.token_type in OPENING


def _begins_with_select(head: Segment) -> bool:
    reading = (t.token_type for t in _outside_brackets(head))
    return (
        next((kind for kind in reading if kind in (TokenType.SELECT, TokenType.FROM)), None)
        == TokenType.SELECT
    )


def _word(step: Segment) -> str:
    """Return the name of an operator: joins are told apart by what they keep, set operations are alike."""
    kinds = {token.token_type for token in _outside_brackets(step)}
    if TokenType.JOIN in kinds:
        return "OUTER JOIN" if OUTER & kinds else "JOIN"
    if SET_OPERATORS & kinds:
        return "SET"
    if step and step[0].token_type == TokenType.ORDER_BY:
        return "ORDER BY"
    return step[0].text.upper() if step else ""


def _fault(code: str, message: str, step: Segment) -> Fault:
    span = (step[0].start, step[-1].end + 1) if step else None
    return Fault(
        "parse_differential",
        code,
        message,
        seen=" ".join(token.text for token in step)[:60],
        span=span,
        retry=True,
        next_step="begin a new query with |> AS, or write the query without pipe operators",
    )
