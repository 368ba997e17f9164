"""Who of two rows is ahead by the figures that a sentence tells of both ("Broad (270) beat Lund (268)")."""

from collections.abc import Sequence

from gateway.ground.compared.extremes import LOW_WINS, TIME_LABEL
from gateway.ground.compared.leads import TIMES
from gateway.ground.compared.wanted import COSTS, UNWANTED
from gateway.ground.lexing.units import RATES, TIME_UNITS
from gateway.ground.pointing.bound import Binding, figure_told
from gateway.ground.table.sheet import CellAt, Sheet

Lead = tuple[int, CellAt]


def leads_told(sheet: Sheet, one: int, other: int, own: Sequence[Binding]) -> Sequence[Lead]:
    """Return for each column of which a sentence tells both rows who is ahead: 1 for the first, else -1."""
    found: list[Lead] = []
    cells = {b.cell: figure_told(b) for b in own if b.cell is not None}
    for (row, column), value in cells.items():
        against = cells.get((other, column)) if row == one else None
        if value is None or against is None or against == value or not _is_won_by(sheet, column):
            continue
        ahead = (value > against) != _is_timed(sheet, column)
        found.append((1 if ahead else -1, (row, column)))
    return found


def _is_timed(sheet: Sheet, column: int) -> bool:
    """Tell whether a column holds times, of which the smaller one wins."""
    measured = sheet.measured[column]
    clock = measured.carrier == "clock" or measured.unit in TIME_UNITS.values()
    sized = measured.carrier not in RATES and not TIMES.isdisjoint(sheet.sizes.get(column, ()))
    if clock or sized:  # "Second round %" is no time
        return True
    return measured.carrier not in RATES and TIME_LABEL.search(sheet.label(column)) is not None


def _is_won_by(sheet: Sheet, column: int) -> bool:
    """Tell whether it is known which of two figures of a column is ahead."""
    label = sheet.label(column)
    unknown = LOW_WINS.search(label) or UNWANTED.search(label) or COSTS.search(label)
    return _is_timed(sheet, column) or unknown is None
