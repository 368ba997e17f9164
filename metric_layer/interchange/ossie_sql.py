"""Metrics as the free SQL of an Ossie document, and what a reader must also understand to use that SQL."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from metric_layer.arithmetic import FormulaFault, parse_formula
from metric_layer.definitions import (
    GRAINS,
    TIME_TYPES,
    Aggregate,
    Column,
    Derived,
    Document,
    Filtered,
    Metric,
    Ratio,
)
from metric_layer.expression import quoted
from metric_layer.expression_apart import qualified
from metric_layer.expression_foreign import ForeignSql, columns_in
from metric_layer.plan import Filter, Scalar
from metric_layer.resolved import Arithmetic

MARKER = "CELLBOUND_REQUIRES"
MAX_DEPTH = 100
MAX_SQL = 20_000
REQUIREMENTS: Mapping[str, str] = {
    "status": "a draft may not be asked",
    "effective": "the definition holds between two dates only",
    "dimensions": "only the dimensions that are listed may group or filter it",
    "grains": "only the grains that are listed may be asked",
    "non_additive": "its values may not be added up over some dimensions",
    "snapshot": "rows that repeat a state: one moment of each period is read",
    "unit_dimension": "each row carries its own currency",
    "filters": "filters over other datasets, or over days",
    "personal": "an aggregate over personal data",
    "dataset": "a count of rows whose dataset the SQL cannot name",
    "cumulative": "a trailing window, or since the start of a period",
    "period_over_period": "the value of an earlier period",
    "conversion": "events followed by another event within a window",
    "definition": "a part that SQL text cannot say",
}
"""What the SQL of a metric leaves unsaid. A reader that does not know one of them must not use the metric."""

_CALLS = {
    "sum": "SUM({})",
    "count": "COUNT({})",
    "count_distinct": "COUNT(DISTINCT {})",
    "approx_count_distinct": "COUNT(DISTINCT {})",
    "min": "MIN({})",
    "max": "MAX({})",
    "avg": "AVG({})",
    "median": "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {})",
}
_SIGNS = {"eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


@dataclass(frozen=True, slots=True)
class Rendered:
    """The SQL of a metric, and what it leaves unsaid."""

    sql: str
    requires: frozenset[str] = frozenset()

    @property
    def shown(self) -> str:
        """Return the SQL, or a call that no database knows where the SQL alone would be another number."""
        names = ", ".join(f"'{name}'" for name in sorted(self.requires))
        return f"{MARKER}({names})" if self.requires else self.sql


class MetricSql:
    """Renders the metrics of a document, each out of the metrics it is made of."""

    def __init__(self, document: Document) -> None:
        self._metrics = {metric.name: metric for metric in document.metrics}
        self._datasets = {dataset.name: dataset for dataset in document.datasets}
        self._dimensions = {dimension.name: dimension for dimension in document.dimensions}
        self._open: set[str] = set()
        self._known: dict[tuple[str, tuple[Filter, ...]], Rendered] = {}

    def of(self, name: str, filters: tuple[Filter, ...] = ()) -> Rendered:
        """Return a metric, restricted by filters that stand around it."""
        if (name, filters) not in self._known:
            self._known[name, filters] = self._of(name, filters)
        return self._known[name, filters]

    def _of(self, name: str, filters: tuple[Filter, ...]) -> Rendered:
        metric = self._metrics.get(name)
        if metric is None or name in self._open or len(self._open) >= MAX_DEPTH:
            return Rendered("", frozenset(("definition",)))
        self._open.add(name)
        found = self._rendered(metric, filters)
        self._open.discard(name)
        if len(found.sql) > MAX_SQL:
            found = Rendered("", found.requires | {"definition"})
        sql = f"COALESCE({found.sql}, 0)" if metric.null_as_zero else found.sql
        return replace(found, sql=sql, requires=found.requires | _own_requirements(metric))

    def _rendered(self, metric: Metric, filters: tuple[Filter, ...]) -> Rendered:
        match metric:
            case Aggregate():
                return self._aggregate(metric, (*metric.filters, *filters))
            case Ratio():
                top, bottom = self.of(metric.numerator, filters), self.of(metric.denominator, filters)
                return Rendered(f"({top.sql}) / NULLIF({bottom.sql}, 0)", top.requires | bottom.requires)
            case Filtered():
                return self.of(metric.metric, (*metric.filters, *filters))
            case Derived():
                return self._derived(metric, filters)
        return Rendered("", frozenset((metric.type,)))

    def _derived(self, metric: Derived, filters: tuple[Filter, ...]) -> Rendered:
        try:
            return self._arithmetic(parse_formula(metric.expression), filters)
        except FormulaFault:
            return Rendered("", frozenset(("definition",)))

    def _arithmetic(self, node: Arithmetic, filters: tuple[Filter, ...]) -> Rendered:
        if node.op == "leaf":
            found = self.of(node.leaf, filters)
            return replace(found, sql=f"({found.sql})")
        if node.left is None or node.right is None:
            return Rendered(node.number)
        left, right = self._arithmetic(node.left, filters), self._arithmetic(node.right, filters)
        divisor = f"NULLIF({right.sql}, 0)" if node.op == "div" else right.sql
        return Rendered(f"({left.sql} {_OPERATORS[node.op]} {divisor})", left.requires | right.requires)

    def _aggregate(self, metric: Aggregate, filters: tuple[Filter, ...]) -> Rendered:
        dataset = self._datasets.get(metric.dataset)
        columns = {column.name: column for column in dataset.columns} if dataset else {}
        requires = set(_of_aggregate(metric))
        if any(columns[name].personal for name in _read_by(metric) if name in columns):
            requires.add("personal")
        conditions = [self._condition(each, metric.dataset, columns) for each in filters]
        if None in conditions:
            requires.add("filters")
        try:
            scalar = self._scalar(metric, columns)
        except ForeignSql:
            return Rendered("", frozenset((*requires, "definition")))
        if not scalar:
            return Rendered("", frozenset((*requires, "dataset")))
        kept = [each for each in conditions if each]
        if kept:
            scalar = f"CASE WHEN {' AND '.join(kept)} THEN {scalar} END"
        return Rendered(_call(metric, scalar), frozenset(requires))

    def _scalar(self, metric: Aggregate, columns: Mapping[str, Column]) -> str:
        """Return what is aggregated; for a count of rows a key column. Empty where there is none."""
        scales = {name: column.scale for name, column in columns.items() if column.scale is not None}
        text = quoted(metric.column) if metric.column else metric.expression
        if text:
            return qualified(text, metric.dataset, scales)
        dataset = self._datasets.get(metric.dataset)
        key = dataset.primary_key if dataset else ()
        never_empty = [name for name in key if name in columns and not columns[name].nullable]
        return qualified(quoted(never_empty[0]), metric.dataset, {}) if never_empty else ""

    def _condition(self, asked: Filter, dataset: str, columns: Mapping[str, Column]) -> str | None:
        """Return a filter over the dataset's own column as SQL, or None where it is more than that."""
        dimension = self._dimensions.get(asked.field)
        if dimension is None or dimension.dataset != dataset or dimension.via:
            return None
        column = columns.get(dimension.column)
        if column is None or column.type in TIME_TYPES:
            return None
        name = qualified(quoted(column.name), dataset, {})
        values = [_literal(value) for value in asked.values]
        return _compared(name, asked, values)


def _compared(name: str, asked: Filter, values: list[str]) -> str | None:
    """Return `name op values`; `ne` and `not_in` keep rows without a value, as filters here do."""
    match asked.op:
        case "is_null":
            return f"{name} IS NULL"
        case "not_null":
            return f"NOT {name} IS NULL"
        case "in" if values:
            return f"{name} IN ({', '.join(values)})"
        case "not_in" if values:
            return f"({name} IS NULL OR NOT {name} IN ({', '.join(values)}))"
        case "between" if len(values) == 2:
            return f"{name} BETWEEN {values[0]} AND {values[1]}"
    if asked.op not in _SIGNS or len(values) != 1:
        return None
    found = f"{name} {_SIGNS[asked.op]} {values[0]}"
    return f"({name} IS NULL OR {found})" if asked.op == "ne" else found


def _literal(value: Scalar) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return format(value, "f") if not isinstance(value, int) else str(value)


def _call(metric: Aggregate, scalar: str) -> str:
    if metric.type == "percentile":
        return f"PERCENTILE_DISC({metric.percentile}) WITHIN GROUP (ORDER BY {scalar})"
    return _CALLS[metric.type].format(scalar)


def _read_by(metric: Aggregate) -> tuple[str, ...]:
    try:
        found = columns_in(quoted(metric.column) if metric.column else metric.expression or "1")
    except ForeignSql:
        return ()
    return tuple(column.name for column in found)


def _of_aggregate(metric: Aggregate) -> tuple[str, ...]:
    found = []
    if metric.snapshot is not None:
        found.append("snapshot")
    if metric.unit_dimension is not None:
        found.append("unit_dimension")
    if metric.type == "percentile" and metric.percentile is None:
        found.append("definition")
    return tuple(found)


def _own_requirements(metric: Metric) -> frozenset[str]:
    """Return what a metric says of itself that changes what may be asked of it."""
    said = {
        "status": metric.status == "draft",
        "effective": metric.effective_from is not None or metric.effective_to is not None,
        "dimensions": metric.dimensions is not None,
        "grains": metric.grains != GRAINS,
        "non_additive": bool(metric.non_additive),
    }
    return frozenset(name for name, is_said in said.items() if is_said)
