"""SQL text without its literals, by a scan over the dialect's own quotes: no parser, so it is cheap."""

import re
from collections.abc import Callable, Mapping

from metric_layer.plan import Dialect

MARK = "[sealed]"
"""What stands in the place of a personal value."""

_STANDARD = r"'[^']*+(?:''[^']*+)*+'"
_ESCAPED = r"'[^'\\]*+(?:(?:\\.|'')[^'\\]*+)*+'"
_NAME = r'"[^"]*+"'
_TICKED = r"`[^`\\]*+(?:\\.[^`\\]*+)*+`"
_COMMENT = r"--[^\n]*|/\*.*?\*/"
_DOLLARS = r"\$(?P<tag>[A-Za-z_]*)\$.*?\$(?P=tag)\$"
_NUMBER = r"(?<!\w)\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\w*+"
_WORD = r"(?![eE]')[^\W\d][\w$]*+"
_BETWEEN = r"[^\w'\"`$/-]++"
_OPEN = r"'.*|/\*.*"
_DATED = re.compile(r"'\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?'\Z")


def _scanner(literal: str, name: str) -> re.Pattern[str]:
    """Return a pattern whose every match is a literal, a comment, or a run of what stands between them."""
    plain = rf"(?P<plain>(?:{name}|{_WORD}|{_BETWEEN})++)"
    parts = f"{plain}|(?P<comment>{_COMMENT})|(?P<text>{literal}|{_OPEN})|(?P<number>{_NUMBER})"
    return re.compile(parts, re.DOTALL)


_SCANNERS: Mapping[Dialect, re.Pattern[str]] = {
    "duckdb": _scanner(f"[eE]{_ESCAPED}|{_STANDARD}|{_DOLLARS}", _NAME),
    "postgres": _scanner(f"[eE]{_ESCAPED}|{_STANDARD}|{_DOLLARS}", _NAME),
    "snowflake": _scanner(f"{_ESCAPED}|{_DOLLARS}", _NAME),
    "bigquery": _scanner(rf"{_ESCAPED}|\"(?:[^\"\\]|\\.)*\"", _TICKED),
}
_QUOTED: Mapping[Dialect, re.Pattern[str]] = {
    "duckdb": re.compile(_NAME),
    "postgres": re.compile(_NAME),
    "snowflake": re.compile(_NAME),
    "bigquery": re.compile(_TICKED),
}


def without_literals(
    sql: str, dialect: Dialect, private: Callable[[str], bool], known: Callable[[str], bool], *, whole: bool
) -> str:
    """Return SQL with a mark for each comment and text literal, and for each number that is private.

    Of text literals, dates and what is `known` (a grain, a name of the layer) stay, unless they are private.
    `whole` marks all literals, and every quoted name that is not known: a planner names columns as it likes.
    A quote that never closes hides all that follows it.
    """
    quoted = _QUOTED[dialect]

    def shown_name(found: re.Match[str]) -> str:
        name = found.group()
        return name if known(name[1:-1]) else f"{name[0]}{MARK}{name[-1]}"

    def shown(found: re.Match[str]) -> str:
        kind, text = found.lastgroup, found.group()
        if kind == "plain":
            return quoted.sub(shown_name, text) if whole else text
        if kind == "comment":
            return f"/* {MARK} */"
        if kind == "number":
            return MARK if whole or private(text) else text
        if whole or private(text[1:-1]):
            return f"'{MARK}'"
        return text if _DATED.match(text) or known(text[1:-1]) else f"'{MARK}'"

    return _SCANNERS[dialect].sub(shown, sql)
