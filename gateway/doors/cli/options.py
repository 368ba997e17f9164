"""The options that verbs of the command line share."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

Project = Annotated[
    Path | None,
    typer.Option("--project", metavar="DIR", help="Project folder; the nearest cellbound.toml otherwise."),
]
AsUser = Annotated[
    str, typer.Option("--as", metavar="USER", help="Ask as this user; identity.cli_user otherwise.")
]
Choices = Annotated[
    list[str] | None,
    typer.Option("--choice", metavar="TERM=READING", help="How to read a term that was asked back."),
]
Cases = Annotated[
    Path | None,
    typer.Option("--cases", metavar="FILE|DIR", help="Cases in YAML; the project's own otherwise."),
]
Server = Annotated[
    str, typer.Option("--server", metavar="URL", help="Ask a gateway that is served there, not a project.")
]
TokenEnv = Annotated[
    str, typer.Option("--token-env", metavar="NAME", help="Variable with the token for --server.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=200, help="How many at most.")]


def metric_names(incomplete: str) -> list[str]:
    """Return the metrics a shell may offer; what reads them is loaded only then."""
    from gateway.doors.cli.completion import metric_names as names

    return names(incomplete)


def code_names(incomplete: str) -> list[str]:
    """Return the codes a shell may offer; what reads them is loaded only then."""
    from gateway.doors.cli.completion import codes

    return codes(incomplete)


class WrongValue(typer.BadParameter):
    """A value that an option or an argument does not take: what it must be, near words, what to do next."""

    def __init__(
        self, message: str, next_step: str, candidates: tuple[str, ...] = (), code: str = ""
    ) -> None:
        super().__init__(message)
        self.next_step = next_step
        self.candidates = candidates
        self.code = code


def one_of(*known: str, code: str = "") -> Callable[[str], str]:
    """Return what reads the value of an option that takes one of a few words; a near miss is told."""

    def read(written: str) -> str:
        return chosen(written, known, code)

    read.__name__ = "|".join(known)
    return read


def chosen(written: str, known: Sequence[str], code: str = "") -> str:
    """Return a word that is one of those known. Raises WrongValue with the near ones."""
    if written in known:
        return written
    from metric_layer.vocabulary import near

    candidates = near(written, known)
    step = f"Did you mean {candidates[0]}?" if candidates else "Write one of them."
    raise WrongValue(f"must be one of {', '.join(known)}.", step, candidates, code)


def a_day(written: str) -> datetime:
    """Read a day, or a moment of one, in UTC. Raises WrongValue."""
    for form in ("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"):
        with suppress(ValueError):
            return datetime.strptime(written, form)
    from metric_layer.dates import no_such_date

    absent = no_such_date(written)
    if absent is not None:
        raise WrongValue(f"must be a day: {absent.why}.", absent.step, (absent.nearest.isoformat(),))
    raise WrongValue("must be a day as YYYY-MM-DD.", "Write a day like 2026-07-01, or 2026-07-01T09:30:00.")
