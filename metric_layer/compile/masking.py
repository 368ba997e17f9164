"""A column's value as somebody gets it who may not see all of it: an expression, the same on every dialect.

Every mask but `hash` gives the same when it is applied to what it gave, so that a database that masks already
can be held against it. NULL stays NULL. `token` leaves what a database hashed with a key of its own.
"""

from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from metric_layer.definitions import NUMERIC_TYPES, TIME_TYPES, ColumnType

MaskKind = Literal["hide", "last_four", "first_letter", "domain", "generalise", "hash", "token"]
KEY = "{mask_key}"
"""Stands for the key of hashes in a statement; whoever makes a view puts the key in its place."""
HERE = "{column}"
"""Stands for the column in the text of a mask alone."""
LAST, HEAD, TOKEN = 4, 3, 16
IS_TOKEN = f"^[0-9a-f]{{{TOKEN}}}$"
LONG_ENOUGH = 8
"""Characters from which the last four are a part and not most of a value."""
TOO_LARGE = 10**15


@dataclass(frozen=True, slots=True)
class Mask:
    """What is done to a column: `text` stands where nothing of a value is left, `type` is the column's."""

    kind: MaskKind
    text: str
    type: ColumnType = "string"


def masked(column: exp.Expr, mask: Mask) -> exp.Expr:
    """Return a column behind a mask, as text."""
    missing = exp.Is(this=column.copy(), expression=exp.Null())
    first = exp.If(this=missing, true=exp.Null())
    hidden = exp.Literal.string(mask.text)
    branches, otherwise = _branches(column, mask)
    return exp.Case(ifs=[first, *branches], default=otherwise if otherwise is not None else hidden)


def mask_text(mask: Mask, dialect: str) -> str:
    """Return a mask as text of a dialect, the column under the placeholder HERE."""
    column = exp.Column(this=exp.Identifier(this="cellbound_masked", quoted=True))
    text = masked(column, mask).sql(dialect=dialect)
    for quote in ('"', "`"):
        text = text.replace(f"{quote}cellbound_masked{quote}", HERE)
    return text.replace("cellbound_masked", HERE)


def _branches(column: exp.Expr, mask: Mask) -> tuple[list[exp.If], exp.Expr | None]:
    """Return the cases in which something of a value is left, and what is left in every other."""
    text = column.copy() if mask.type == "string" else _as_text(column.copy())
    hidden = exp.Literal.string(mask.text)
    match mask.kind:
        case "last_four":
            long = exp.GTE(this=_length(text), expression=exp.Literal.number(LONG_ENOUGH))
            tail = exp.Right(this=text.copy(), expression=exp.Literal.number(LAST))
            shown = exp.DPipe(this=hidden, expression=tail)
            return [
                exp.If(this=_already(text, mask, len(mask.text) + LAST), true=text.copy()),
                exp.If(this=long, true=shown),
            ], None
        case "first_letter":
            more = exp.GT(this=_length(text), expression=exp.Literal.number(1))
            other = exp.NEQ(this=text.copy(), expression=hidden.copy())
            head = exp.Left(this=text.copy(), expression=exp.Literal.number(1))
            shown = exp.DPipe(this=head, expression=hidden)
            return [exp.If(this=exp.And(this=more, expression=other), true=shown)], None
        case "domain":
            at = exp.StrPosition(this=text.copy(), substr=exp.Literal.string("@"))
            there = exp.GT(this=at, expression=exp.Literal.number(0))
            rest = exp.Substring(this=text.copy(), start=at.copy())
            return [exp.If(this=there, true=exp.DPipe(this=hidden, expression=rest))], None
        case "generalise":
            return _general(column, text, mask)
        case "hash":
            digest = _keyed(_keyed(text))
            return [], exp.Left(this=digest, expression=exp.Literal.number(TOKEN))
        case "token":
            made = exp.RegexpLike(this=text.copy(), expression=exp.Literal.string(IS_TOKEN))
            return [exp.If(this=made, true=text.copy())], None
    return [], None


def _general(column: exp.Expr, text: exp.Expr, mask: Mask) -> tuple[list[exp.If], exp.Expr | None]:
    """Return a value in a class of its like: a year, the head of a code, a rounded number."""
    if mask.type in TIME_TYPES:
        whole = exp.GTE(this=_length(text), expression=exp.Literal.number(4))
        return [exp.If(this=whole, true=exp.Left(this=text.copy(), expression=exp.Literal.number(4)))], None
    if mask.type in NUMERIC_TYPES:
        number = exp.Cast(this=column.copy(), to=exp.DataType.build("DOUBLE"))
        size = exp.Abs(this=number)
        cases = [
            exp.If(this=exp.GTE(this=size, expression=exp.Literal.number(TOO_LARGE)), true=_hidden(mask))
        ]
        for line in (1000, 100):
            above = exp.GTE(this=size.copy(), expression=exp.Literal.number(line))
            cases.append(exp.If(this=above, true=_floored(number, line)))
        return cases, _floored(number, 10)
    if mask.type != "string":
        return [], None
    long = exp.GT(this=_length(text), expression=exp.Literal.number(HEAD))
    head = exp.Left(this=text.copy(), expression=exp.Literal.number(HEAD))
    return [exp.If(this=long, true=exp.DPipe(this=head, expression=_hidden(mask)))], None


def _keyed(text: exp.Expr) -> exp.Expr:
    """Return the hash of a text behind the key; taken twice, no hash leads to a longer text's."""
    salted = exp.DPipe(this=exp.Literal.string(KEY), expression=text)
    return exp.SHA2(this=salted, length=exp.Literal.number(256))


def _floored(number: exp.Expr, size: int) -> exp.Expr:
    """Return a number rounded down to a multiple, as text without a point."""
    each = exp.Literal.number(f"{size}.0")
    steps = exp.Floor(this=exp.Div(this=number.copy(), expression=each))
    whole = exp.Mul(this=steps, expression=exp.Literal.number(size))
    return _as_text(exp.Cast(this=whole, to=exp.DataType.build("BIGINT")))


def _already(text: exp.Expr, mask: Mask, length: int) -> exp.Expr:
    """Say whether a text is what the mask gives."""
    begins = exp.EQ(
        this=exp.Left(this=text.copy(), expression=exp.Literal.number(len(mask.text))),
        expression=_hidden(mask),
    )
    as_long = exp.EQ(this=_length(text), expression=exp.Literal.number(length))
    return exp.And(this=begins, expression=as_long)


def _hidden(mask: Mask) -> exp.Expr:
    return exp.Literal.string(mask.text)


def _length(text: exp.Expr) -> exp.Expr:
    return exp.Length(this=text.copy())


def _as_text(value: exp.Expr) -> exp.Expr:
    return exp.Cast(this=value, to=exp.DataType.build("TEXT"))
