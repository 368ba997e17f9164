"""Ossie metrics: free aggregate SQL -> aggregates over one dataset each, ratios and derived metrics."""

from collections.abc import Mapping, Sequence

from metric_layer.expression_apart import Formula, Leaf, rewritten, take_apart
from metric_layer.expression_foreign import ForeignSql, plain_column
from metric_layer.interchange.column_types import ASSUMED, TOLD, ColumnTypes
from metric_layer.interchange.composite import Composites, Payload, head
from metric_layer.interchange.ossie_datasets import OssieDataset, expression_of, synonyms_of
from metric_layer.interchange.ossie_own import extension_of
from metric_layer.interchange.reading import Part
from metric_layer.interchange.refused import Refused

COUNTING = ("count", "count_distinct", "approx_count_distinct")


class OssieMetrics:
    """Adds metrics, plain aggregates first, so that others are made of them."""

    def __init__(
        self, datasets: Mapping[str, OssieDataset], types: ColumnTypes, composites: Composites
    ) -> None:
        self._datasets = datasets
        self._types = types
        self._composites = composites

    def add(self, metrics: Sequence[tuple[Part, str]]) -> None:
        """Add the metrics that can be kept; report the others."""
        read = [found for part, given in metrics if (found := self._read(part, given))]
        for part, said, formula in sorted(read, key=lambda each: each[2].shape != "leaf"):
            try:
                self._add(part, said, formula)
            except Refused as fault:
                part.refuse(fault.code, str(said["name"]), fault.seen, why=fault.why)
            except ForeignSql as fault:
                part.refuse("sql_not_read", str(said["name"]), why=fault.message)

    def _read(self, part: Part, given: str) -> tuple[Part, Payload, Formula] | None:
        extension_of(part)
        part.skip("datatype")
        name, description, sql = part.text("name"), part.text("description"), expression_of(part)
        if given != name:
            part.lose("renamed", name, given, at="name")
        if not description:
            part.lose("no_description", name)
        said = head(given, "", "" if given == name else name, description)
        said["synonyms"] = synonyms_of(part, name)
        try:
            formula = take_apart(sql) if sql else None
        except ForeignSql as fault:
            part.refuse("sql_not_read", name, sql, why=fault.message)
            return None
        if formula is None:
            part.refuse("ossie_dialect", name)
            return None
        return part, said, formula

    def _add(self, part: Part, said: Payload, formula: Formula) -> None:
        place = part.place()
        if formula.shape == "leaf":
            self._composites.add_leaf(said, self._payload(formula.leaves[0], place), place)
        else:
            self._composites.add(said, formula, lambda leaf: self._payload(leaf, place), place)
        part.lose("no_time_field", str(said["name"]))

    def _payload(self, leaf: Leaf, place: str) -> Payload:
        dataset = self._dataset(leaf)
        payload: Payload = {"type": leaf.type, "dataset": dataset.name}
        if leaf.percentile is not None:
            payload["percentile"] = leaf.percentile
        if leaf.null_as_zero:
            payload["null_as_zero"] = True
        if not leaf.expression:
            return payload
        pieces = {**dataset.computed, **{name: f'"{column}"' for name, column in dataset.columns.items()}}
        plain = {name: column for name, column in dataset.columns.items() if name == column}
        sql = rewritten(leaf.expression, {name: text for name, text in pieces.items() if name not in plain})
        column = plain_column(sql)
        counting = leaf.type in COUNTING
        if column is None:
            self._types.learn(dataset.name, sql, "string" if counting else "decimal", place)
            return payload | {"expression": sql}
        self._types.know(
            dataset.name, column, "string" if counting else "decimal", ASSUMED if counting else TOLD, place
        )
        return payload | {"column": column}

    def _dataset(self, leaf: Leaf) -> OssieDataset:
        if not leaf.columns:
            if len(self._datasets) == 1:
                return next(iter(self._datasets.values()))
            raise Refused("ossie_count_dataset", seen=leaf.type)
        found: dict[str, OssieDataset] = {}
        for column in leaf.columns:
            owners = [
                (name, each)
                for name, each in self._datasets.items()
                if (name == column.table if column.table else each.has(column.name))
            ]
            if len(owners) != 1:
                raise Refused("ossie_unknown_column", seen=f"{column.table}.{column.name}".strip("."))
            found.update(owners)
        if len(found) != 1:
            raise Refused("ossie_several_datasets", seen=", ".join(sorted(found)))
        return next(iter(found.values()))
