"""A database's catalogue -> definitions for an owner to accept: datasets, keys, joins, dimensions, counts."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gateway.engines.catalogue import CatalogueColumn, CatalogueTable
from gateway.proposal.draft import LONGEST, Draft, filled, free_name, one_line, slug
from gateway.proposal.joins import Joins
from metric_layer.definitions import GRAINS, TIME_TYPES
from metric_layer.interchange.writing import yaml_text

MOST = 200_000
"""Characters of a file of definitions, of which a reader takes half a million."""
OWNER = "my-team"
PERSONAL = (
    ("contact", re.compile(r"e_?mail|phone|mobile|fax|address|street|zip|postal|city_of_birth")),
    ("identity", re.compile(r"(first|last|full|sur|maiden)_?name|birth|dob|ssn|passport|national_id")),
    ("bank", re.compile(r"iban|bic|card_?number|account_?number")),
)
GROUPABLE = ("string", "boolean", *TIME_TYPES)

DATASETS = """\
# Proposed from the database's catalogue; nothing here was asked of the data. Accept it line by line.
# A column that is named like personal data carries a tag: a role sees it by a rule of the policy only.
"""
JOINS = """\
# Many rows of `from_dataset` meet at most one row of `to_dataset`: every join here is a foreign key.
"""
NOT_ENFORCED = """\
# The database declares these keys and does not enforce them: `cellbound metrics attest` counts the data.
"""
DIMENSIONS = "# Every column that is no key, no number and not personal. Take out what nobody groups by.\n"
DRAFTS = """\
# One count per dataset, as a draft: nobody may ask it. Say what it means, then write `status: certified`.
"""
REVIEW = """\

# Joins that no foreign key declares, only names and types support: the far column is a declared key.
# Look at the data, then take one out of its comment and put it under `relationships`.
"""
LEFT_OUT = "\n# Left out, because a result cannot carry it or no join can use it:\n"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Definitions by file name, and the datasets in them."""

    files: Mapping[str, str]
    datasets: tuple[str, ...]


def propose(tables: Sequence[CatalogueTable], default_schema: str) -> Proposal:
    """Return drafts for every table that has a column a result can carry; one catalogue, one text."""
    taken: set[str] = set()
    drafts: list[Draft] = []
    left_out: list[str] = []
    for table in tables:
        left_out.extend(
            one_line(f"{table.schema}.{table.name}.{column.name} ({column.native})")
            for column in table.columns
            if column.type is None
        )
        if any(column.type for column in table.columns):
            drafts.append(Draft(free_name(slug(table.name), taken), table))
    joins = Joins(drafts)
    left_out.extend(joins.unusable)
    names: set[str] = {*GRAINS}
    counts = {draft.name: free_name(f"{draft.name[: LONGEST - 6]}_count", names) for draft in drafts}
    dimensions = _dimensions(drafts, joins.near_columns, names)
    shown = [{key: part for key, part in each.items() if key != "time"} for each in dimensions]
    found = joins.declared, joins.guessed, left_out
    joined = (
        JOINS
        + ("" if all(table.enforced for table in tables) else NOT_ENFORCED)
        + (_section("relationships", joins.declared) or "\nrelationships: []\n")
        + _commented(REVIEW, _section("relationships", joins.guessed).strip().splitlines())
        + _commented(LEFT_OUT, left_out)
    )
    datasets = [_dataset(draft, default_schema, dimensions) for draft in drafts]
    metrics = [_count(counts[draft.name], draft, dimensions) for draft in drafts]
    return Proposal(
        files={
            **dict(_files("datasets", DATASETS, "datasets", datasets)),
            **({"joins.yml": joined} if any(found) else {}),
            **dict(_files("dimensions", DIMENSIONS, "dimensions", shown)),
            **dict(_files("drafts", DRAFTS, "metrics", metrics)),
        },
        datasets=tuple(draft.name for draft in drafts),
    )


def _files(
    stem: str, title: str, section: str, items: Sequence[Mapping[str, object]]
) -> Iterator[tuple[str, str]]:
    """Yield as many files as it takes to keep each of them readable."""
    parts: list[list[Mapping[str, object]]] = [[]]
    size = 0
    for item in items:
        length = len(yaml_text({section: [item]}))
        if parts[-1] and size + length > MOST:
            parts.append([])
            size = 0
        parts[-1].append(item)
        size += length
    for number, part in enumerate(parts, 1):
        yield f"{stem}{f'_{number}' if number > 1 else ''}.yml", title + _section(section, part)


def _section(name: str, items: Sequence[Mapping[str, object]]) -> str:
    return f"\n{yaml_text({name: items})}" if items else ""


def _commented(title: str, lines: Sequence[str]) -> str:
    return title + "".join(f"#   {line}\n" for line in lines) if lines else ""


def _dataset(
    draft: Draft, default_schema: str, dimensions: Sequence[Mapping[str, object]]
) -> Mapping[str, object]:
    table = draft.table
    schema = () if table.schema == default_schema else (table.schema,)
    keys = list(draft.keys)
    primary = [key for key in keys if key == table.primary_key]
    return filled(
        name=draft.name,
        relation=".".join(map(_part, (*schema, table.name))),
        owner=OWNER,
        description=one_line(table.comment),
        primary_key=primary[0] if primary else (),
        unique_keys=tuple(key for key in keys if key != table.primary_key),
        time_column=next((d["column"] for d in dimensions if d["dataset"] == draft.name and d["time"]), ""),
        columns=[_column(column) for column in table.columns if column.type],
    )


def _column(column: CatalogueColumn) -> Mapping[str, object]:
    found = filled(
        name=column.name,
        type=column.type or "",
        personal=_personal(column.name),
        description=one_line(column.comment),
    )
    return found if column.nullable else {**found, "nullable": False}


def _dimensions(
    drafts: Sequence[Draft], joined: set[tuple[str, str]], taken: set[str]
) -> list[dict[str, object]]:
    """Return the dimensions; `time` says which of them the draft's count goes by."""
    slugs = Counter(slug(column.name) for draft in drafts for column in draft.table.columns)
    found: list[dict[str, object]] = []
    for draft in drafts:
        keyed = {column for key in draft.keys for column in key}
        columns = [
            column
            for column in draft.table.columns
            if column.type in GROUPABLE
            and column.name not in keyed
            and (draft.name, column.name) not in joined
            and not _personal(column.name)
        ]
        times = [column for column in columns if column.type in TIME_TYPES]
        clock = next((column for column in times if not column.nullable), times[0] if times else None)
        for column in columns:
            own = slug(column.name)
            name = own if slugs[own] == 1 else slug(f"{draft.name}_{own}")
            found.append(
                {
                    "name": free_name(name, taken),
                    "dataset": draft.name,
                    "column": column.name,
                    "label": own.replace("_", " ").capitalize(),
                    "time": column is clock,
                }
            )
    return found


def _count(name: str, draft: Draft, dimensions: Sequence[Mapping[str, object]]) -> Mapping[str, object]:
    clock = next((d["name"] for d in dimensions if d["dataset"] == draft.name and d["time"]), "")
    words = draft.name.replace("_", " ")
    return filled(
        name=name,
        type="count",
        version=1,
        owner=OWNER,
        status="draft",
        label=f"{words.capitalize()}: rows",
        description=f"Rows of {words}. Say which of them count, and what one of them is.",
        dataset=draft.name,
        time_field=clock,
        unit="rows",
        display={"style": "integer", "decimals": 0},
    )


def _personal(name: str) -> str:
    return next((tag for tag, pattern in PERSONAL if pattern.search(slug(name))), "")


def _part(name: str) -> str:
    """Return a part of a relation's name; quoted where a dot or a space could be taken for something else."""
    return name if re.fullmatch(r"\w+", name) else '"' + name.replace('"', '""') + '"'
