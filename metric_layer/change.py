"""What changed between two versions of a layer: definition by definition, field by field."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from metric_layer.layer import Kind, Layer
from metric_layer.record import Record
from metric_layer.telling import told

Changing = Kind | Literal["calendar", "asking"]
How = Literal["added", "removed", "renamed", "changed"]
Slip = Literal["", "no_new_version", "version_without_change", "version_went_back"]

WORDS = frozenset(
    {"label", "description", "synonyms", "owner", "display", "status", "successor", "tolerance", "values"}
)
"""Fields that say how a definition is called, shown and kept: no number moves with them."""
NAMED = frozenset({"columns", "values"})
"""Fields that hold a list of things with a name of their own, compared one by one."""


class FieldChange(Record):
    """One field with what it was and what it is; an empty text means that nothing stood there.

    `meaning` says whether a number may move with it.
    """

    field: str
    old: str
    new: str
    meaning: bool = True


class DefinitionChange(Record):
    """One definition that is not what it was. `was` is the name it looks renamed from.

    `slip` is what its owner forgot: a new version, or a change that would deserve the one it has.
    """

    kind: Changing
    name: str
    how: How
    was: str = ""
    old_version: int | None = None
    new_version: int | None = None
    fields: tuple[FieldChange, ...] = ()
    slip: Slip = ""

    @property
    def moves(self) -> bool:
        """Whether a number may be another one because of this."""
        return self.how in ("added", "removed") or any(field.meaning for field in self.fields)


def compare_definitions(old: Layer, new: Layer) -> tuple[DefinitionChange, ...]:
    """Return every definition that differs, by kind and name. Slips are judged on the fields alone."""
    found: list[DefinitionChange] = []
    for kind, before, after in _sections(old, new):
        found += _section(kind, before, after)
    fields = tuple(_fields(old.calendar.rules, new.calendar.rules))
    if fields:
        found.append(DefinitionChange(kind="calendar", name="calendar", how="changed", fields=fields))
    # How words are read moves no number of a plan.
    words = tuple(f.model_copy(update={"meaning": False}) for f in _fields(old.asking, new.asking))
    if words:
        found.append(DefinitionChange(kind="asking", name="asking", how="changed", fields=words))
    return tuple(found)


def _sections(old: Layer, new: Layer) -> Iterator[tuple[Kind, Mapping[str, Record], Mapping[str, Record]]]:
    yield "metric", old.metrics, new.metrics
    yield "dimension", old.dimensions, new.dimensions
    yield "dataset", old.datasets, new.datasets
    yield "relationship", old.relationships, new.relationships
    yield "clock", old.clocks, new.clocks
    yield "hierarchy", old.hierarchies, new.hierarchies


def _section(
    kind: Kind, before: Mapping[str, Record], after: Mapping[str, Record]
) -> Iterator[DefinitionChange]:
    renamed = _renamed(before, after)
    for name in sorted({*before, *after} - set(renamed.values())):
        was = renamed.get(name, name)
        one, other = before.get(was), after.get(name)
        how: How = "changed" if was == name else "renamed"
        if one is None or other is None:
            how = "added" if one is None else "removed"
        fields = tuple(_fields(one, other)) if one and other else ()
        if how == "changed" and not fields and _version(one) == _version(other):
            continue
        yield DefinitionChange(
            kind=kind,
            name=name,
            how=how,
            was=was if how == "renamed" else "",
            old_version=_version(one),
            new_version=_version(other),
            fields=fields,
            slip=_slip(_version(one), _version(other), fields) if how == "changed" else "",
        )


def _slip(old: int | None, new: int | None, fields: Sequence[FieldChange]) -> Slip:
    if old is None or new is None:
        return ""
    if new < old:
        return "version_went_back"
    if new == old:
        return "no_new_version" if any(field.meaning for field in fields) else ""
    return "" if fields else "version_without_change"


def _renamed(before: Mapping[str, Record], after: Mapping[str, Record]) -> Mapping[str, str]:
    """Return new name -> old name where one definition went and one alike in all that it means came."""
    gone = {name: _meaning(record) for name, record in before.items() if name not in after}
    come = {name: _meaning(record) for name, record in after.items() if name not in before}
    found: dict[str, str] = {}
    for name, meaning in come.items():
        alike = [was for was, other in gone.items() if other == meaning]
        rivals = [other for other, same in come.items() if same == meaning]
        if len(alike) == len(rivals) == 1:
            found[name] = alike[0]
    return found


def _meaning(record: Record) -> Mapping[str, object]:
    return {key: value for key, value in record if key not in WORDS and key not in ("name", "version")}


def _version(record: Record | None) -> int | None:
    found = getattr(record, "version", None)
    return found if isinstance(found, int) else None


def _fields(old: Record, new: Record) -> Iterator[FieldChange]:
    """Yield each field that differs; of columns and values each one by its own name."""
    before, after = dict(old), dict(new)
    for key in dict.fromkeys((*before, *after)):
        one, other = before.get(key), after.get(key)
        if one == other or key in ("name", "version"):
            continue
        meaning = key not in WORDS
        if key in NAMED:
            yield from _items(key, _by_own_name(one), _by_own_name(other), meaning=meaning)
        else:
            yield FieldChange(field=key, old=told(one), new=told(other), meaning=meaning)


def _items(
    key: str, before: Mapping[str, Record], after: Mapping[str, Record], *, meaning: bool
) -> Iterator[FieldChange]:
    for name in dict.fromkeys((*before, *after)):
        one, other = before.get(name), after.get(name)
        if one is None or other is None:
            old, new = told(one), told(other)
            yield FieldChange(field=f"{key}.{name}", old=old, new=new, meaning=meaning)
            continue
        for inner in _fields(one, other):
            field = f"{key}.{name}.{inner.field}"
            yield inner.model_copy(update={"field": field, "meaning": meaning and inner.meaning})


def _by_own_name(items: object) -> Mapping[str, Record]:
    if not isinstance(items, Iterable):
        return {}
    return {
        str(getattr(item, "name", None) or getattr(item, "value", "")): item
        for item in items
        if isinstance(item, Record)
    }
