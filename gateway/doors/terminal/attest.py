"""Prints what counting the declared keys gave."""

from gateway.doors.terminal.screen import Terminal
from gateway.reply import AttestedKey, AttestedLevel, AttestReport


def print_attested(terminal: Terminal, report: AttestReport) -> None:
    """Print one line per key and hierarchy level, what is wrong, and the query that shows it."""
    if report.refused:
        terminal.verdict("refused", report.refused)
        return
    rows = [(key.relationship, key.key, *_counts(key), _word(key)) for key in report.keys]
    terminal.table(("relationship", "key", "repeated", "rows", "orphans", "verdict"), rows)
    for key in report.keys:
        if key.uncounted:
            terminal.line(f"{key.relationship}: not counted, {key.uncounted}")
        if key.query:
            terminal.line(f"{key.relationship}: the rows that repeat the key: {key.query}")
    for level in report.levels:
        terminal.line(_level(level))
    terminal.verdict(
        "ok" if report.ok else "findings", f"attested {report.at:%Y-%m-%d %H:%M} UTC, data {report.data}"
    )


def _counts(key: AttestedKey) -> tuple[str, str, str]:
    if key.repeated is None:
        return "", "", ""
    if key.rows is None or key.orphans is None:
        return f"{key.repeated:,}", "large", ""
    share = f" ({key.orphans / key.rows:.2%})" if key.rows and key.orphans else ""
    return f"{key.repeated:,}", f"{key.rows:,}", f"{key.orphans:,}{share}"


def _word(key: AttestedKey) -> str:
    if key.uncounted:
        return "not counted"
    return "unique" if key.ok else "NOT UNIQUE"


def _level(level: AttestedLevel) -> str:
    if level.uncounted:
        return f"hierarchy {level.hierarchy}: not counted, {level.uncounted}"
    if not level.straddling:
        return f"hierarchy {level.hierarchy}: every {level.level} lies in one value above"
    return f"hierarchy {level.hierarchy}: {level.straddling:,} values of {level.level} lie in several above"
