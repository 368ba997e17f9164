"""Prints results for people: colour on a terminal only, no control character of a value gets through."""

import shlex
import sys
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from textwrap import wrap
from unicodedata import category

from rich.box import SIMPLE
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gateway.reply import ReplyIssue
from metric_layer.record import Record

WIDE = 200
GAP = 3
"""Cells between two columns."""
WORD = 24
"""The longest word that a column which may break keeps whole."""
BAD = "bold red"
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_STYLES = {
    "answered": "bold green",
    "dry_run": "bold cyan",
    "passed": "bold green",
    "allow": "green",
    "same": "bold green",
    "intact": "bold green",
    "ok": "green",
    "held": "bold yellow",
    "needs_clarification": "bold yellow",
    "hold": "yellow",
    "soft": "yellow",
    "partial": "bold yellow",
    "skipped": "dim",
}


class Terminal:
    """Results on stdout, problems on stderr. Colour only on a terminal, and NO_COLOR is obeyed."""

    def __init__(self) -> None:
        self._out = _console(sys.stdout.isatty(), stderr=False)
        self._err = _console(sys.stderr.isatty(), stderr=True)

    def object(self, result: Record) -> None:
        """Print a result as one JSON object on one line."""
        sys.stdout.write(result.model_dump_json(by_alias=True) + "\n")

    def line(self, text: str = "", style: str = "") -> None:
        """Print a line of text."""
        self._out.print(Text(plain(text), style=style), soft_wrap=True)

    def paragraph(self, text: str, style: str = "", indent: str = "") -> None:
        """Print lines of text; those that are wider than the screen go on below."""
        for line in text.splitlines():
            begins = indent + line[: len(line) - len(line.lstrip())]
            room = max(self._out.width - len(begins), WORD)
            told = wrap(plain(line.lstrip()), room, subsequent_indent="  " if begins else "")
            self._out.print(Text("\n".join(f"{begins}{part}" for part in told), style=style), soft_wrap=True)

    @property
    def width(self) -> int:
        """Return how many cells a line has."""
        return self._out.width

    def verdict(self, word: str, text: str = "") -> None:
        """Print a line that begins with a verdict or an outcome in its colour."""
        found = Text().append(plain(word), style=_STYLES.get(word, BAD))
        self._out.print(found.append(f"  {plain(text)}" if text else ""), soft_wrap=True)

    def table(
        self,
        names: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        right: Sequence[bool] = (),
        whole: Collection[str] = (),
    ) -> None:
        """Print rows under their names. `right` says which columns hold numbers.

        The columns that are named in `whole`, ids and names to copy, never break over lines: the others give
        way, and where the screen is narrower still they stand on a line of their own under them.
        """
        if whole and _least_width(names, rows, whole) > self._out.width:
            self._in_two_lines(names, rows, whole)
            return
        table = Table(box=SIMPLE, show_edge=False, pad_edge=False, header_style="bold")
        for index, name in enumerate(names):
            numeric = index < len(right) and right[index]
            width = _width(index, names, rows) if name in whole else None
            table.add_column(
                Text(plain(name)),
                justify="right" if numeric else "left",
                overflow="fold",
                no_wrap=name in whole,
                min_width=width,
            )
        for row in rows:
            table.add_row(*(Text(plain(cell)) for cell in row))
        self._out.print(table)

    def _in_two_lines(
        self, names: Sequence[str], rows: Sequence[Sequence[str]], whole: Collection[str]
    ) -> None:
        for row in rows:
            told = dict(zip(names, row, strict=True))
            self.line("  ".join(cell for name, cell in told.items() if name in whole), "bold")
            self.line("  " + "  ".join(cell for name, cell in told.items() if cell and name not in whole))

    def issues(self, issues: Sequence[ReplyIssue], *, to_stderr: bool = False) -> None:
        """Print problems: code and place, what was seen, near names, and what to do next."""
        console = self._err if to_stderr else self._out
        for issue in issues:
            console.print(_issue(issue), soft_wrap=True)

    def note(self, text: str) -> None:
        """Print a remark on stderr."""
        self._err.print(Text(plain(text), style="dim"), soft_wrap=True)


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun: 1 class, 2 classes; `many` is where more than an s is added."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def minute(moment: str) -> str:
    """Return an ISO moment in UTC to its minute: 2026-11-30 22:52Z."""
    return f"{datetime.fromisoformat(moment).astimezone(UTC):%Y-%m-%d %H:%MZ}" if moment else ""


def _width(index: int, names: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    return max(cell_len(plain(row[index])) for row in (names, *rows))


def _least_width(names: Sequence[str], rows: Sequence[Sequence[str]], whole: Collection[str]) -> int:
    """Return how wide a table is at least: whole columns as they are, the others as their longest word."""
    widths = []
    for index, name in enumerate(names):
        words = [word for row in (names, *rows) for word in row[index].split() or ("",)]
        widths.append(_width(index, names, rows) if name in whole else min(max(map(cell_len, words)), WORD))
    return sum(widths) + GAP * (len(names) - 1)


def plain(text: str) -> str:
    """Return text without control and format characters: no value moves the cursor, colours or turns text."""
    if text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    hidden = character not in "\t\n" and category(character) in _HIDDEN
    return "\N{REPLACEMENT CHARACTER}" if hidden else character


def _console(is_terminal: bool, *, stderr: bool) -> Console:
    width = None if is_terminal else WIDE
    return Console(stderr=stderr, markup=False, highlight=False, emoji=False, width=width)


def _issue(issue: ReplyIssue) -> Text:
    where = issue.place or issue.path
    head = f"{issue.verdict or 'error'}[{issue.code}]"
    text = Text().append(plain(head), style=_STYLES.get(issue.verdict or "", BAD))
    text.append(f"{' ' + plain(where) if where else ''}: {plain(issue.message)}")
    details = (
        (
            "seen",
            " beside ".join(
                part for part in (issue.seen, issue.threshold and f"line {issue.threshold}") if part
            ),
        ),
        ("near", ", ".join(issue.candidates)),
        ("next", issue.next_step.replace("with list_metrics", "with `cellbound metrics list`")),
    )
    for label, detail in details:
        if detail:
            text.append(f"\n  {label}: {plain(detail)}", style="dim")
    for option in issue.options:
        meaning = f": {plain(option.description)}" if option.description else ""
        text.append(f"\n  choose {plain(issue.term)}={plain(option.name)}{meaning}")
    if issue.options:
        example = shlex.quote(plain(f"{issue.term}={issue.options[0].name}"))
        text.append(f"\n  answer: ask again with --choice {example}", style="dim")
    return text
