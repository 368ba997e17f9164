"""Reads a tutorial: the files it shows and the commands it gives, in the order in which they stand."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

STEP = re.compile(
    r"^## (?P<section>[^\n]+)"
    r"|`(?P<file>[\w./-]+)`[^\n`]*:\n\n```\w+\n(?P<text>.*?)```"
    r"|^ {4}(?P<command>\S[^\n]*)$",
    re.DOTALL | re.MULTILINE,
)
CHECKOUT = re.compile(r"From a checkout, `(pip install [^`]+)`")
"""What the page says to type in a folder that was cloned, in the place of its own `pip install`."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: a file to write or add to, or a command to type."""

    section: str
    file: str = ""
    text: str = ""
    command: str = ""

    @property
    def said(self) -> str:
        """Return the step in a few words."""
        return f"write {self.file}" if self.file else self.command


def steps_of(page: Path) -> Iterator[Step]:
    """Yield the steps of a page that somebody follows from a checkout."""
    text = page.read_text(encoding="utf-8")
    here = CHECKOUT.search(text)
    section = ""
    for found in STEP.finditer(text):
        section = found["section"] or section
        if found["section"]:
            continue
        command = found["command"] or ""
        if here is not None and command.startswith("pip install "):
            command = here[1]
        yield Step(section, found["file"] or "", found["text"] or "", command)
