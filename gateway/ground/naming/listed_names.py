"""Names listed in one cell, each with a figure in brackets ("Ann Holt (53.10) Ida Moss (52.90)")."""

from collections.abc import Iterable, Iterator

from gateway.ground.lexing.amounts import FIGURE_OF, LISTED


def listed_names(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (cell, name) of each name that one cell alone lists with a figure of its own."""
    found: dict[str, list[str]] = {}
    for text in texts:
        if LISTED.fullmatch(text):
            for piece in FIGURE_OF.finditer(text):
                found.setdefault(piece["name"], []).append(text)
    yield from ((cells[0], name) for name, cells in found.items() if len(cells) == 1)
