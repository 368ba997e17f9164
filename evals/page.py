"""A run as one self-contained page without script: families side by side, a section for every question."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from evals.figures import figures_of
from evals.reading import read_shape
from evals.report import EvalReport, summarise_lines
from evals.results import RunLine
from evals.shown import ShownSide
from metric_layer.plan import Dialect
from metric_layer.sql.tree_diff import TreeDiff, laid_out, tree_diff

PAGES = Path(__file__).resolve().parent / "pages"


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell on the page: its text and how it is coloured."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class ShownTable:
    """One side's table on the page: headings that name the pair a column is in, and coloured cells."""

    headings: tuple[str, ...]
    rows: tuple[tuple[ShownCell, ...], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One question on the page."""

    line: RunLine
    title: str
    reading: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]
    ceilings: tuple[str, ...]
    sql: tuple[str, str]
    diff: TreeDiff
    tables: tuple[ShownTable, ShownTable] | None


def report_page(lines: Sequence[RunLine], dialect: Dialect, title: str) -> bytes:
    """Return the page in UTF-8."""
    style = (PAGES / "report.css").read_text(encoding="utf-8")
    digest = b64encode(sha256(style.encode()).digest()).decode()
    environment = Environment(loader=FileSystemLoader(PAGES), autoescape=True, undefined=StrictUndefined)
    page = environment.get_template("report.html").render(
        title=title,
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        style=Markup(style),
        report=summarise_lines(lines),
        families=tuple(_families(summarise_lines(lines))),
        sections=tuple(_section(line, dialect) for line in lines),
    )
    return page.encode("utf-8", "replace")


def _families(report: EvalReport) -> Iterator[tuple[str, tuple[tuple[str, str, int, str], ...]]]:
    for family, names in report.families.items():
        yield (
            family,
            tuple(
                (name, _figure(mean.mean), mean.n, _spread(report.spread.get(f"{family} {name}")))
                for name, mean in names.items()
            ),
        )


def _section(line: RunLine, dialect: Dialect) -> Section:
    run = line.run
    again = f", repeat {line.repeat + 1}" if line.repeat else ""
    wording = f", wording {run.phrasing}" if run.phrasing else ""
    scores = run.scores
    ceilings = scores.ceilings.model_dump() if scores else {}
    both = run.gold_sql, run.sql
    return Section(
        line=line,
        title=f"{run.case_id}{wording}{again}",
        reading=read_shape(scores) if scores else (),
        figures=tuple(
            (f"{family} {name}".strip(), _figure(value)) for family, name, value in figures_of(run)
        ),
        ceilings=tuple(_counted(ceilings)),
        sql=(laid_out(both[0], dialect), laid_out(both[1], dialect)),
        diff=tree_diff(*both, dialect) if all(both) else TreeDiff(),
        tables=_tables(line),
    )


def _counted(ceilings: Mapping[str, object]) -> Iterator[str]:
    for name, count in ceilings.items():
        if count:
            yield name if count is True else f"{name} {count}"


def _tables(line: RunLine) -> tuple[ShownTable, ShownTable] | None:
    shown = line.run.shown
    if shown is None:
        return None
    agree = frozenset(shown.agree)
    gold_pairs = {pair.gold: at for at, pair in enumerate(shown.pairs)}
    candidate_pairs = {pair.candidate: at for at, pair in enumerate(shown.pairs)}
    gold_cells = {(row, shown.pairs[at].gold) for row, at in agree}
    other_cells = {
        (met, shown.pairs[at].candidate) for row, at in agree if (met := shown.gold.meets[row]) is not None
    }
    return (
        _table(shown.gold, gold_pairs, gold_cells, line),
        _table(shown.candidate, candidate_pairs, other_cells, line),
    )


def _table(
    side: ShownSide, pairs: Mapping[int, int], hits: set[tuple[int, int]], line: RunLine
) -> ShownTable:
    shown = line.run.shown
    width = len(side.origins)
    headings = []
    for at in range(width):
        pair = shown.pairs[pairs[at]] if shown and at in pairs else None
        origin = f" {side.origins[at]}" if side.origins[at] else ""
        key = ", key" if pair and pair.in_key else ""
        headings.append(f"pair {pairs[at] + 1} by {pair.how}{key}{origin}" if pair else f"unpaired{origin}")
    rows = tuple(
        tuple(
            ShownCell(text, _kind((row, at) in hits, at in pairs, side.meets[row]))
            for at, text in enumerate(cells)
        )
        for row, cells in enumerate(side.rows)
    )
    return ShownTable(tuple(headings), rows)


def _kind(agrees: bool, paired: bool, meets: int | None) -> str:
    if agrees:
        return "agrees"
    if not paired:
        return "unpaired"
    return "alone" if meets is None else "differs"


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _spread(values: tuple[float, float] | None) -> str:
    return f"{values[0]:.3f} to {values[1]:.3f}" if values else ""
