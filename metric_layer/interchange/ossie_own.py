"""An Ossie document that was exported here -> the definitions it came from, if nobody edited it since."""

from collections.abc import Mapping
from functools import partial
from typing import cast

from metric_layer.interchange.gathered import SINGLES, Gathered
from metric_layer.interchange.json_text import read_json_text
from metric_layer.interchange.ossie_sql import REQUIREMENTS
from metric_layer.interchange.ossie_write import FORMAT, LAYER_SECTIONS, VENDOR, ossie_document
from metric_layer.interchange.reading import Part
from metric_layer.source import Source
from metric_layer.validate import read_value

SECTIONS = ("datasets", "relationships", "metrics")


def extension_of(part: Part) -> Mapping[str, object] | None:
    """Return the data of our extension, or None where there is none; those of others are reported."""
    found: Mapping[str, object] | None = None
    for each in part.parts("custom_extensions"):
        vendor, data = each.text("vendor_name"), each.text("data")
        if vendor != VENDOR:
            each.lose("ossie_extension", vendor, data)
            continue
        read = read_json_text(data, each.source.file)
        if isinstance(read, Source) and isinstance(read.data, dict):
            found = read.data
        else:
            each.lose("ossie_bad_extension", part.text("name"), data)
    return found


def read_own(model: Part, layer: Mapping[str, object], gathered: Gathered) -> None:
    """Add the definitions of a document that carries our extension."""
    if layer.get("format") != FORMAT:
        model.refuse("ossie_bad_extension", VENDOR, layer.get("format"))
        return
    kept: dict[str, list[tuple[Part, str]]] = {section: [] for section in SECTIONS}
    for section in SECTIONS:
        for part in model.named(section):
            name = part.text("name")
            if _restored(section, name, part, gathered):
                kept[section].append((part, name))
    for section in LAYER_SECTIONS:
        for item in cast("tuple[Mapping[str, object], ...]", layer.get(section) or ()):
            gathered.add(section, item, model.place("custom_extensions"))
    for name in SINGLES:
        _single(name, layer, model, gathered)
    gathered.stated.update(metric.name for metric in gathered.document().metrics)
    if layer.get("policies"):
        model.lose("ossie_policies", VENDOR, layer["policies"], at="custom_extensions")
    _compare(model, kept, gathered)


def _restored(section: str, name: str, part: Part, gathered: Gathered) -> bool:
    extension = extension_of(part)
    definition = extension.get("definition") if extension else None
    if extension is None or not isinstance(definition, dict) or definition.get("name") != name:
        part.refuse("ossie_no_extension", name)
        return False
    requires = extension.get("requires") or ()
    unknown = sorted(str(each) for each in cast("tuple[object, ...]", requires) if each not in REQUIREMENTS)
    if unknown:
        part.refuse("ossie_unknown_requirement", name, ", ".join(unknown))
        return False
    return gathered.add(section, definition, part.place())


def _single(name: str, layer: Mapping[str, object], model: Part, gathered: Gathered) -> None:
    if layer.get(name) is None:
        return
    shape = SINGLES[name]
    found = read_value(layer[name], partial(shape.model_validate, strict=True), shape)
    if isinstance(found, list):
        model.lose("does_not_fit", name, at="custom_extensions", why=found[0].message)
    else:
        gathered.set_single(name, found, model.place("custom_extensions"))


def _compare(model: Part, kept: Mapping[str, list[tuple[Part, str]]], gathered: Gathered) -> None:
    """Refuse what says another thing beside its extension than inside it: somebody edited one of the two."""
    written = ossie_document(gathered.document(), model.text("name"))
    for section, parts in kept.items():
        items = cast("tuple[Mapping[str, object], ...]", written[section])
        by_name = {item["name"]: _visible(item) for item in items}
        for part, name in parts:
            if by_name.get(name) != _visible(part.whole()):
                part.refuse("ossie_edited", name)
                gathered.drop(section, name)
            else:
                part.skip(*part.spoken())


def _visible(item: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in item.items() if key != "custom_extensions"}
