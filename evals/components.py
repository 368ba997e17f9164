"""The component family: which part of the query made it wrong, as six sets scored side by side."""

from evals.precision import PrecisionRecall, of_sets
from metric_layer.record import Record
from metric_layer.sql.components import Components, Unread

SETS = ("tables", "columns", "joins", "filters", "aggregations", "group_by")


class ComponentScore(Record):
    """Six sets: precision falls where something was added, recall where something is missing."""

    tables: PrecisionRecall = PrecisionRecall()
    columns: PrecisionRecall = PrecisionRecall()
    joins: PrecisionRecall = PrecisionRecall()
    filters: PrecisionRecall = PrecisionRecall()
    aggregations: PrecisionRecall = PrecisionRecall()
    group_by: PrecisionRecall = PrecisionRecall()


def score_components(gold: Components | Unread, candidate: Components | Unread) -> ComponentScore:
    """Compare two queries set by set, both read alike.

    An unread candidate has six empty sets; an unread gold leaves every set undefined. A candidate that parses
    but failed to run is compared all the same.
    """
    if isinstance(gold, Unread):
        return ComponentScore()
    found = Components() if isinstance(candidate, Unread) else candidate
    return ComponentScore(**{name: of_sets(getattr(found, name), getattr(gold, name)) for name in SETS})
