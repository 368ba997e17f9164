"""The page of one answer, in one file, without script: every number leads to its cell, definition and SQL."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypedDict

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from gateway.charts.draw import Picture, draw
from gateway.charts.plot import Plot, Undrawn
from gateway.doors.sql_shape import in_lines
from gateway.record.evidence import Evidence, MetricSource
from policies.checks.budget import size
from traces.records import Citation

PAGES = Path(__file__).resolve().parent / "pages"
# Characters that a value could move, hide or turn the text around it with.
_TURNING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Number:
    """One cited number as the page shows it: its place on the page, its source in words, its metric.

    `linked` says that its own words are on the page.
    """

    n: int
    citation: Citation
    row: int | None
    column: int | None
    column_label: str
    key: tuple[tuple[str, str], ...]
    metric: MetricSource | None
    linked: bool

    @property
    def cell(self) -> str:
        """Return the anchor of its cell, empty where that cell is not on the page."""
        return "" if self.row is None or self.column is None else f"c{self.row}-{self.column}"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the answer's text; `n` is the number it is the words of, 0 for the text between numbers."""

    text: str
    n: int = 0


def evidence_page(evidence: Evidence, *, seconds: float = 30.0) -> bytes:
    """Return the page in UTF-8. Charts are drawn within `seconds`, where the extra `charts` is there."""
    drawn = draw(evidence.kept.plots, seconds=seconds) if evidence.kept.plots else ()
    pictures, no_picture = ((), drawn.reason) if isinstance(drawn, Undrawn) else (drawn, "")
    return render(evidence, pictures, no_picture=no_picture or evidence.kept.no_plot)


def render(evidence: Evidence, pictures: Sequence[Picture], *, no_picture: str) -> bytes:
    """Return the page in UTF-8 with these pictures, or with the reason why there are none."""
    shown = page_values(evidence, pictures, no_picture=no_picture)
    style = (PAGES / "evidence.css").read_text(encoding="utf-8") + _lit(shown["numbers"])
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    page = templates().get_template("evidence.html").render(**shown, policy=policy, style=Markup(style))
    return page.encode("utf-8", "replace")


class PageValues(TypedDict):
    """What the templates of an evidence page are filled with.

    `charts_at` is where charts can be had later, `home` the page that links to definitions and SQL lead to
    where they are not on this one. `lit` says that the checks are shown in another way.
    """

    e: Evidence
    title: str
    pieces: tuple[Piece, ...]
    sent: tuple[Piece, ...]
    numbers: tuple[Number, ...]
    cited: Mapping[str, Number]
    pictures: tuple[tuple[Plot, Markup], ...]
    no_picture: str
    charts_at: str
    home: str
    lit: bool
    sql: str
    pins: tuple[tuple[str, str], ...]


def page_values(
    evidence: Evidence,
    pictures: Sequence[Picture] = (),
    *,
    no_picture: str = "",
    charts_at: str = "",
    home: str = "",
    lit: bool = False,
) -> PageValues:
    """Return what a page of this evidence shows, with these pictures or why there are none."""
    numbers = tuple(numbers_of(evidence))
    return PageValues(
        e=evidence,
        title=title_of(evidence),
        pieces=tuple(pieces_of(evidence.told.text, evidence.told.citations)),
        sent=tuple(_sent_pieces(evidence)),
        numbers=numbers,
        cited={number.cell: number for number in reversed(numbers) if number.cell},
        pictures=tuple((picture.plot, Markup(picture.data.decode())) for picture in pictures),
        no_picture=no_picture,
        charts_at=charts_at,
        home=home,
        lit=lit,
        sql=in_lines(evidence.ran.sql),
        pins=tuple(pins_of(evidence)),
    )


def templates(*folders: Path) -> Environment:
    """Return the templates of these folders and our own, every value escaped; an open name is a defect."""
    found = Environment(
        loader=FileSystemLoader((*folders, PAGES)),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=steady,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["amount"] = lambda value, unit: "not known" if value is None else size(unit, value)
    found.filters["share"] = lambda chance: f"{chance:.2%}" if chance >= 0.0001 else "0.01%"
    found.filters["moment"] = lambda at: at.strftime("%Y-%m-%d %H:%M:%S UTC")
    return found


def steady(value: object) -> object:
    """Return text without control characters and without those that turn the direction of what follows."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return _TURNING.sub(_REPLACEMENT, value.replace("\r\n", "\n"))


def numbers_of(evidence: Evidence) -> Iterator[Number]:
    """Yield the cited numbers of the answer, then those of the draft that left, in the order of citation."""
    table = evidence.kept.table
    places = {number: at for at, number in enumerate(table.numbers)} if table else {}
    columns = {column.name: at for at, column in enumerate(table.columns)} if table else {}
    metrics = {metric.name: metric for metric in evidence.metrics}
    texts = (evidence.told, evidence.sent) if evidence.sent else (evidence.told,)
    cited = [(citation, bool(text.text)) for text in texts for citation in text.citations]
    for n, (citation, linked) in enumerate(cited, start=1):
        cell = citation.cell
        row = places.get(cell.row) if cell else None
        column = columns.get(cell.column) if cell else None
        source = metrics.get(citation.metric or (cell.column if cell else ""))
        label = table.columns[column].label if table and column is not None else ""
        yield Number(
            n=n,
            citation=citation,
            row=row,
            column=column,
            column_label=label or (source.label if source else "") or (cell.column if cell else ""),
            key=tuple(_key(evidence, citation, row)),
            metric=source,
            linked=linked,
        )


def _key(evidence: Evidence, citation: Citation, row: int | None) -> Iterator[tuple[str, str]]:
    """Yield what tells a cell's row from the others: from the table, else from the citation alone."""
    table = evidence.kept.table
    if table is None or row is None:
        yield from (("", part) for part in citation.row_key)
        return
    for column, text in zip(table.columns, table.printed[row], strict=True):
        if column.kind != "metric":
            yield column.label or column.name, text


def _sent_pieces(evidence: Evidence) -> Iterator[Piece]:
    """Yield the draft that left cut at its numbers, which count on from those of the answer."""
    if evidence.sent is not None and evidence.sent.text:
        first = len(evidence.told.citations) + 1
        yield from pieces_of(evidence.sent.text, evidence.sent.citations, first)


def pieces_of(text: str, citations: Sequence[Citation], first: int = 1) -> Iterator[Piece]:
    """Cut a text at its cited numbers, counted from `first`; a citation that does not fit is left out."""
    at = 0
    for n, citation in sorted(enumerate(citations, start=first), key=lambda pair: pair[1].start):
        if not at <= citation.start < citation.end <= len(text):
            continue
        yield Piece(text[at : citation.start])
        yield Piece(text[citation.start : citation.end], n)
        at = citation.end
    yield Piece(text[at:])


def _lit(numbers: Sequence[Number]) -> str:
    """Return the rules that light a cell and a number while the source of that number is open."""
    rules = (
        f"body:has(#n{number.n}:target) :is(#a{number.n}{f', #{number.cell}' if number.cell else ''})"
        " { outline: 3px solid var(--mark); outline-offset: -2px; background: var(--mark-soft) }\n"
        for number in numbers
    )
    return "".join(rules)


def title_of(evidence: Evidence) -> str:
    """Return what was asked, by the labels of its metrics."""
    labels = {metric.name: metric.label for metric in evidence.metrics}
    return ", ".join(labels.get(name, name) for name in evidence.asked.metrics) or "A question without a plan"


def pins_of(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield the name and value of every pin; nothing where none was taken."""
    if evidence.pins is None:
        return
    pinned: Mapping[str, object] = evidence.pins.model_dump(exclude={"used", "data"})
    yield from ((name.replace("_", " "), str(value)) for name, value in pinned.items() if value)
    data = evidence.pins.data
    yield "data", f"{data.kind.replace('_', ' ')} {data.value}".strip()
