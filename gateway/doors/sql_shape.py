"""Breaks SQL into lines at its clauses for the screen; white space is all that changes, unless it is cut."""

import re

INDENT = "  "
CLAUSES = "SELECT|FROM|LEFT JOIN|WHERE|GROUP BY|UNION ALL|ORDER BY|LIMIT"
_TOKEN = re.compile(
    rf"""(?P<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*")"""
    rf"""|(?P<subquery>\((?=SELECT\b))|(?P<open>\()|(?P<close>\))|(?P<clause>\b(?:{CLAUSES})\b)"""
)
_PLAIN_NAME = re.compile(r'"([a-z_][a-z0-9_]*)"')


def in_lines(sql: str) -> str:
    """Return the text with one clause to a line, subqueries indented."""
    parts: list[str] = []
    brackets: list[bool] = []
    place = 0
    for token in _TOKEN.finditer(sql):
        parts.append(sql[place : token.start()])
        place = token.end()
        match token.lastgroup:
            case "subquery" | "open":
                brackets.append(token.lastgroup == "subquery")
                parts.append(token.group())
            case "close":
                was_subquery = brackets.pop() if brackets else False
                parts.append(f"{_line(brackets)})" if was_subquery else ")")
            case "clause" if all(brackets):
                parts.append(f"{_line(brackets)}{token.group()}")
            case _:
                parts.append(token.group())
    text = "".join([*parts, sql[place:]])
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def folded(sql: str, width: int = 110) -> str:
    """Return the shape of the text: one clause to a line, plain names unquoted, long lines cut short."""
    lines = (_PLAIN_NAME.sub(r"\1", line) for line in in_lines(sql).splitlines())
    return "\n".join(line if len(line) <= width else f"{line[: width - 4]} ..." for line in lines)


def _line(brackets: list[bool]) -> str:
    return "\n" + INDENT * sum(brackets)
