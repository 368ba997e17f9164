"""Who may ask what: a role held against the layer gives names, columns, row rules, catalogue and hash."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from metric_layer.compile import Mask, compile_role_view, relation_text
from metric_layer.definitions import Column, Dataset
from metric_layer.layer import Layer
from metric_layer.paths import find_path
from metric_layer.plan import Dialect, Filter
from metric_layer.sql import Catalogue, CatalogueColumn, CatalogueJoin, CatalogueTable, Reader, ReadLimits
from metric_layer.sql.catalogue import PersonalUse
from metric_layer.visible import Visible
from policies.lists import sql_lists
from policies.load import Governed
from policies.personal_masks import MASKS, mask_of
from policies.policy import Policy, Role, RowCaps
from policies.visible import personal_rule, role_in_force, visible_to
from traces.records import Caller


@dataclass(frozen=True, slots=True)
class RoleView:
    """A relation as a role sees it: the statement that makes it (`{source}`), its columns, its proof.

    `whole` says that no row rule of the role takes rows away from the dataset. `unkeyed` is the statement for
    a tenant without a key: what it would see hashed is hidden.
    """

    dataset: str
    name: str
    select: str
    columns: tuple[str, ...]
    probe: str
    whole: bool
    unkeyed: str


@dataclass(frozen=True, slots=True)
class Entitlement:
    """Everything a role may ask and see, worked out once per layer and policy."""

    role_name: str
    role: Role
    caps: RowCaps
    visible: Visible
    catalogue: Catalogue
    reader: Reader
    views: tuple[RoleView, ...]
    digest: str
    allowlist: str


class Entitlements:
    """The entitlements of every role of a policy over one layer and one dialect."""

    def __init__(
        self, layer: Layer, governed: Governed, dialect: Dialect, default_schema: str, now: datetime
    ) -> None:
        self._of_role: Mapping[str, Entitlement] = {
            name: entitle(name, layer, governed.policy, dialect, default_schema, now)
            for name in governed.policy.roles
        }

    def of(self, caller: Caller) -> Entitlement | None:
        """Return the entitlement of the first of the caller's roles that the policy knows."""
        return self._of_role.get(role_in_force(self._of_role, caller))

    def __iter__(self) -> Iterator[Entitlement]:
        """Go through the entitlements in the policy's order."""
        return iter(self._of_role.values())


def entitle(
    name: str, layer: Layer, policy: Policy, dialect: Dialect, default_schema: str, now: datetime
) -> Entitlement:
    """Hold one role against the layer."""
    role = policy.roles[name]
    visible = visible_to(role, layer)
    catalogue = _catalogue(role, layer, visible, dialect, default_schema, now)
    views = tuple(_views(role, layer, visible, dialect))
    limits = ReadLimits(
        characters=policy.text.characters,
        nesting=policy.text.nesting,
        subscripts=policy.text.subscripts,
        generated_rows=policy.text.generated_rows,
        recursion_steps=policy.text.recursion_steps,
        max_rows=policy.caps.rows + 1,
    )
    reader = Reader(catalogue, limits)
    lists = sql_lists(dialect, tuple(policy.functions_extra.get(dialect, ())))
    personal = ",".join(f"{tag}={rule}" for tag, rule in sorted(role.personal.items()))
    metrics = ",".join(sorted(visible.metrics or ()))
    smallest = f"min_group={policy.reading.min_group}"
    seen = "\n".join((name, metrics, personal, smallest, *(f"{v.name}={v.select}" for v in views)))
    return Entitlement(
        role_name=name,
        role=role,
        caps=policy.caps,
        visible=visible,
        catalogue=catalogue,
        reader=reader,
        views=views,
        digest=sha256(seen.encode()).hexdigest(),
        allowlist=sha256(f"{catalogue.digest}\n{lists.digest}".encode()).hexdigest(),
    )


def view_read(
    found: Entitlement, layer: Layer, view: RoleView, columns: Iterable[str], dialect: Dialect
) -> str:
    """Return the statement of what a role reads of some columns of a view: its rows, its masks.

    Two of them are equal where the role sees the same rows and values, whatever else it may see.
    """
    dataset = layer.datasets[view.dataset]
    read = [column for column in view.columns if column in set(columns)]
    rules = [rule for rule in found.role.rows if _reaches(view.dataset, rule.field, layer)]
    masks = {name: mask for name, mask in _masks(found.role, dataset, dialect).items() if name in read}
    return compile_role_view(layer, view.dataset, read or view.columns[:1], rules, dialect, masks)


def _catalogue(
    role: Role, layer: Layer, visible: Visible, dialect: Dialect, default_schema: str, now: datetime
) -> Catalogue:
    datasets = [layer.datasets[name] for name in role.datasets]
    tables = tuple(
        CatalogueTable(
            name=dataset.relation,
            columns=tuple(
                _catalogue_column(role, c)
                for c in dataset.columns
                if c.name in _shown(dataset, visible) or personal_rule(role, c) == "deny"
            ),
            grain=dataset.primary_key,
            unique=dataset.unique_keys,
            time_column=dataset.time_column if dataset.large else "",
            max_window_days=dataset.max_window_days,
            dataset=dataset.name,
        )
        for dataset in datasets
    )
    joins = tuple(
        CatalogueJoin(
            left_table=layer.datasets[edge.from_dataset].relation,
            left_columns=edge.from_columns,
            right_table=layer.datasets[edge.to_dataset].relation,
            right_columns=edge.to_columns,
            cardinality=edge.cardinality,
        )
        for edge in layer.relationships.values()
        if edge.from_dataset in role.datasets and edge.to_dataset in role.datasets
    )
    content = "\n".join(map(repr, (*tables, *joins)))
    return Catalogue(
        dialect=dialect,
        default_catalog="",
        default_schema=default_schema,
        tables=tables,
        joins=joins,
        now=now,
        digest=sha256(content.encode()).hexdigest(),
        folds=dialect == "snowflake",
        week_start=layer.calendar.rules.week_start,
        fiscal_start_month=layer.calendar.rules.fiscal_start_month,
    )


def _catalogue_column(role: Role, column: Column) -> CatalogueColumn:
    """Return a column with the type its values have for the role: a mask is a text."""
    rule = personal_rule(role, column)
    if rule in MASKS:
        return CatalogueColumn(column.name, "string", "mask")
    use: PersonalUse = "deny" if rule == "deny" else "aggregate" if rule == "aggregate" else ""
    return CatalogueColumn(column.name, column.type, use, column.scale)


def _views(role: Role, layer: Layer, visible: Visible, dialect: Dialect) -> Iterator[RoleView]:
    for name in role.datasets:
        dataset = layer.datasets[name]
        columns = _shown(dataset, visible)
        rules = [rule for rule in role.rows if _reaches(name, rule.field, layer)]
        masks = _masks(role, dataset, dialect)
        select = compile_role_view(layer, name, columns, rules, dialect, masks)
        shut = {each: replace(mask, kind="hide") for each, mask in masks.items() if mask.kind == "hash"}
        unkeyed = (
            compile_role_view(layer, name, columns, rules, dialect, {**masks, **shut}) if shut else select
        )
        yield RoleView(
            dataset=name,
            name=dataset.relation,
            select=select,
            columns=columns,
            whole=not rules,
            unkeyed=unkeyed,
            probe=_probe(dataset, select, dialect)
            if rules and _provable(name, rules, role, layer, visible)
            else "",
        )


def _shown(dataset: Dataset, visible: Visible) -> tuple[str, ...]:
    return tuple(c.name for c in dataset.columns if f"{dataset.name}.{c.name}" not in visible.hidden_columns)


def _reaches(dataset: str, dimension: str, layer: Layer) -> bool:
    return dataset in layer.to_one_sources[layer.dimensions[dimension].dataset]


def _provable(dataset: str, rules: list[Filter], role: Role, layer: Layer, visible: Visible) -> bool:
    """Say whether the role's own views hold everything its row rules look at, unmasked."""
    dimensions = [layer.dimensions[rule.field] for rule in rules]
    return all(
        visible.dimension(d)
        and isinstance(find_path(layer, dataset, d, visible), tuple)
        and d.column not in _masks(role, layer.datasets[d.dataset], "duckdb")
        for d in dimensions
    )


def _masks(role: Role, dataset: Dataset, dialect: Dialect) -> Mapping[str, Mask]:
    found = {column.name: mask_of(personal_rule(role, column), column, dialect) for column in dataset.columns}
    return {name: mask for name, mask in found.items() if mask is not None}


def _probe(dataset: Dataset, select: str, dialect: Dialect) -> str:
    """Count rows of the role's view that its rule, applied once more over its views, would take away."""
    again = select.replace("{source}.", "")
    relation = relation_text(dataset.relation, dialect)
    return f"SELECT (SELECT count(*) FROM {relation}) - (SELECT count(*) FROM ({again}) AS kept)"
