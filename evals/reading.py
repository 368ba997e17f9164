"""What the shape of a case's figures says, in words: the first thing to look at comes first."""

from collections.abc import Iterator

from evals.precision import PrecisionRecall
from evals.scores import CaseScores, OutputFigures


def read_shape(scores: CaseScores) -> tuple[str, ...]:
    """Name what the figures of one case point at; empty when nothing is wrong with any that is defined."""
    return tuple(_words(scores))


def _words(scores: CaseScores) -> Iterator[str]:
    if scores.ceilings.perfect_but_not_exact:
        yield "fault of the scorer: perfect figures over unequal tables"
    if scores.retrieval is not None and _below_one(scores.retrieval.score.recall):
        yield "retrieval recall below one: a needed table was not offered"
    if scores.ceilings.gold_failed:
        yield "the gold query failed: nothing about the output is known"
    elif scores.ceilings.candidate_missing or scores.ceilings.candidate_failed:
        yield "the candidate returned no table"
    elif scores.ceilings.no_paired_columns:
        yield "no column pairs: another answer, or another type"
    else:
        yield from _output(scores.output)


def _output(output: OutputFigures) -> Iterator[str]:
    columns, cells = output.columns, output.cells
    if _below_one(columns.recall):
        yield "columns recall below one: information is missing or its values differ"
    elif _below_one(columns.precision) and cells.precision == cells.recall == 1.0:
        yield "columns precision below one with right cells: columns nobody asked for"
    yield from _rows(cells)


def _rows(cells: PrecisionRecall) -> Iterator[str]:
    if cells.precision is None or cells.recall is None:
        return
    if cells.precision < cells.recall:
        yield "cells precision below recall: too many rows"
    elif cells.recall < cells.precision:
        yield "cells recall below precision: too few rows"
    elif cells.precision < 1.0:
        yield "cells alike and below one: the right number of rows with wrong values"


def _below_one(value: float | None) -> bool:
    return value is not None and value < 1.0
