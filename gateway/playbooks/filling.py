"""Parameters put into the plan and the sentence of a step."""

import re
from collections.abc import Iterator, Mapping

from gateway.playbooks.parameters import Given

NAMED = re.compile(r"\$(?P<name>[a-z][a-z0-9_]*)(?:\.(?P<part>[a-z]+))?")
PRINTED = re.compile(r"\{\{\s*p:\s*(?P<name>[^{}]{1,100}?)\s*\}\}")
Path = tuple[str | int, ...]


def filled(plan: object, bound: Mapping[str, Given]) -> object:
    """Return a plan with every `$name` replaced by its parameter; a list in a list is laid out in it."""
    if isinstance(plan, Mapping):
        return {key: filled(value, bound) for key, value in plan.items()}
    if isinstance(plan, list | tuple):
        items: list[object] = []
        for item in plan:
            found = filled(item, bound)
            items.extend(found) if isinstance(found, tuple) and isinstance(item, str) else items.append(found)
        return tuple(items)
    return _value(plan, bound) if isinstance(plan, str) else plan


def worded(wording: str, bound: Mapping[str, Given]) -> str:
    """Return a sentence with every `{{p:NAME}}` printed; slots of cells and figures stay."""
    return PRINTED.sub(lambda slot: bound[slot["name"]].shown, wording)


def names_in(plan: object, at: Path = ()) -> Iterator[tuple[Path, str, str]]:
    """Yield every text of a plan that names a parameter: where, the parameter, and its part or nothing."""
    if isinstance(plan, Mapping):
        for key, value in plan.items():
            yield from names_in(value, (*at, key))
    elif isinstance(plan, list | tuple):
        for index, item in enumerate(plan):
            yield from names_in(item, (*at, index))
    elif isinstance(plan, str) and plan.startswith("$") and not plan.startswith("$$"):
        found = NAMED.fullmatch(plan)
        yield at, found["name"] if found else plan[1:], (found["part"] or "") if found else ""


def _value(text: str, bound: Mapping[str, Given]) -> object:
    if text.startswith("$$"):
        return text[1:]
    found = NAMED.fullmatch(text)
    if found is None:
        return text
    given = bound[found["name"]]
    return given.parts[found["part"]] if found["part"] else given.value
