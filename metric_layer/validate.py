"""Plain values -> a model, strictly; what does not fit is said in our own words, all of it at once."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Generic, TypeVar, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from metric_layer.bounds import bound_of, kind_of
from metric_layer.dates import no_such_date
from metric_layer.shapes import keys_at, tags_at
from metric_layer.vocabulary import near

Pointer = tuple[str | int, ...]
T = TypeVar("T")

_TRUTHS = {"yes": True, "on": True, "no": False, "off": False}
ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Problem:
    """One value that does not fit: where, what was seen, what to do."""

    pointer: Pointer
    code: str
    message: str
    seen: str = ""
    candidates: tuple[str, ...] = ()
    next_step: str = ""


def pointer_text(pointer: Pointer) -> str:
    """Return a pointer as RFC 6901 text."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in pointer)


def read_value(
    data: object,
    validate: Callable[[object], T],
    shape: object,
    *,
    texts: Mapping[Pointer, str] | None = None,
    base: Pointer = (),
) -> T | list[Problem]:
    """Read plain values (dict, tuple, str, int, Decimal, bool, None) strictly, or return all problems.

    `validate` is pydantic's strict validation of `shape`, the model or union of models the data has to fit.
    `texts` holds unquoted scalars as written: they stand in where text is wanted and another type was read.
    `base` is where the data stands in its file: `texts` and the problems' pointers begin there.
    """
    reading = _Reading(validate, shape, texts or {}, base)
    read = reading.read(data)
    if not isinstance(read, _Unfit):
        return read
    found = {(problem.pointer, problem.code): problem for problem in reading.problems(read)}
    for error in read.errors:
        if error["type"] in ("union_tag_not_found", "union_tag_invalid"):
            for problem in _whatever_type(reading, read.value, error):
                found.setdefault((problem.pointer, problem.code), problem)
    return list(found.values())


def problems_of(fault: ValidationError, data: object, shape: object) -> list[Problem]:
    """Return what a validation of plain values found, in our own words."""
    errors = fault.errors(include_url=False, include_context=True, include_input=True)
    return _problems(data, errors, shape, ())


@dataclass(frozen=True, slots=True)
class _Unfit:
    """A value that does not fit although it was mended, and why."""

    value: object
    errors: list[ErrorDetails]


@dataclass(frozen=True, slots=True)
class _Reading(Generic[T]):
    """How values are read: the validation, its shape, the scalars as written, and where the data stands."""

    validate: Callable[[object], T]
    shape: object
    texts: Mapping[Pointer, str]
    base: Pointer

    def read(self, value: object) -> T | _Unfit:
        """Return what a value says, or why it does not fit."""
        errors: list[ErrorDetails] = []
        for _ in range(ROUNDS):
            try:
                return self.validate(value)
            except ValidationError as fault:
                errors = fault.errors(include_url=False, include_context=True, include_input=True)
            mended = _mend(value, errors, self.texts, self.base)
            if mended is value:
                break
            value = mended
        return _Unfit(value, errors)

    def problems(self, unfit: _Unfit) -> list[Problem]:
        """Return why a value does not fit, in our own words."""
        return _problems(unfit.value, unfit.errors, self.shape, self.base)


def _whatever_type(reading: _Reading[T], value: object, error: ErrorDetails) -> Iterable[Problem]:
    """Return the problems that a mapping without a type has, whichever of the known types is meant."""
    pointer = _walk(value, error)
    here = _at(value, pointer)
    shared: dict[tuple[Pointer, str], Problem] | None = None
    if not isinstance(here, dict):
        return ()
    for tag in tags_at(reading.shape, error["loc"]):
        again = reading.read(_replaced(value, (), {pointer: {**here, "type": tag}}))
        found = reading.problems(again) if isinstance(again, _Unfit) else []
        whole = (*reading.base, *pointer)
        below = {(one.pointer, one.code): one for one in found if one.pointer[: len(whole)] == whole}
        if shared is not None:
            below = {key: _of_both(one, below[key]) for key, one in shared.items() if key in below}
        shared = below
    return (shared or {}).values()


def _of_both(one: Problem, other: Problem) -> Problem:
    """Return a problem that two types have; what only one of them would advise is left out."""
    if one == other:
        return one
    return replace(one, candidates=(), next_step="Correct the type first, then this key.")


def plain(raw: object) -> object:
    """Return JSON values as plain values: lists become tuples, floats the decimals they were written as."""
    if isinstance(raw, dict):
        return {str(key): plain(value) for key, value in raw.items()}
    if isinstance(raw, list | tuple):
        return tuple(plain(item) for item in raw)
    return Decimal(repr(raw)) if isinstance(raw, float) else raw


def _mend(value: object, errors: list[ErrorDetails], texts: Mapping[Pointer, str], base: Pointer) -> object:
    """Replace scalars that only look wrong because plain values know fewer types than the model."""
    mended: dict[Pointer, object] = {}
    for error in errors:
        pointer = _walk(value, error)
        better = _better(error["type"], _at(value, pointer), texts.get((*base, *pointer)))
        if better is not None:
            mended[pointer] = better
    return _replaced(value, (), mended) if mended else value


def _better(kind: str, seen: object, text: str | None) -> object:
    if kind == "string_type" and text and seen is not None and not isinstance(seen, str):
        return text
    if kind == "bool_type" and text is not None and isinstance(seen, str):
        return _TRUTHS.get(text.lower())
    if kind == "is_instance_of" and isinstance(seen, int) and not isinstance(seen, bool):
        return Decimal(seen)
    if kind == "float_type" and isinstance(seen, Decimal):
        return float(seen)
    if kind == "date_type" and isinstance(seen, str) and len(seen) == 10:
        with suppress(ValueError):
            return date.fromisoformat(seen)
    return None


def _replaced(value: object, pointer: Pointer, mended: Mapping[Pointer, object]) -> object:
    """Return a value with all that was mended in it, in one pass: a list may hold thousands of mends."""
    if pointer in mended:
        return mended[pointer]
    if isinstance(value, dict):
        return {key: _replaced(item, (*pointer, key), mended) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(_replaced(item, (*pointer, index), mended) for index, item in enumerate(value))
    return value


def _walk(value: object, error: ErrorDetails) -> Pointer:
    """Return where an error points in the data, leaving out the names of union members that pydantic adds."""
    pointer: list[str | int] = []
    here, told_apart = value, False
    last = len(error["loc"]) - 1
    for index, part in enumerate(error["loc"]):
        if not told_apart and isinstance(here, dict) and here.get("type") == part:
            told_apart = True
            continue
        if _holds(here, part):
            here, told_apart = _at(here, (part,)), False
        elif index != last or error["type"] != "missing":
            continue
        pointer.append(part)
    return tuple(pointer)


def _holds(value: object, part: str | int) -> bool:
    if isinstance(value, tuple):
        return isinstance(part, int) and part < len(value)
    return isinstance(value, dict) and part in value


def _at(value: object, pointer: Pointer) -> object:
    for part in pointer:
        if not _holds(value, part):
            return None
        value = cast(Mapping[str | int, object], value)[part]
    return value


def _problems(value: object, errors: list[ErrorDetails], shape: object, base: Pointer) -> list[Problem]:
    found: dict[tuple[Pointer, str], Problem] = {}
    likely = _likely(value, errors)
    pointers = [_walk(value, error) for error in likely]
    for error, pointer in zip(likely, pointers, strict=True):
        if error["type"] == "too_short" and any(
            other[: len(pointer)] == pointer != other for other in pointers
        ):
            continue  # its items are wrong, and each of them says so
        problem = _problem(error, pointer, _at(value, pointer), shape)
        found.setdefault((pointer, problem.code), replace(problem, pointer=(*base, *problem.pointer)))
    return list(found.values())


def _likely(value: object, errors: list[ErrorDetails]) -> list[ErrorDetails]:
    """Of a union's members keep the errors of the one that fits best: the one with the fewest."""
    groups: dict[tuple[str | int, ...], dict[str, list[ErrorDetails]]] = {}
    kept: list[ErrorDetails] = []
    for error in errors:
        fork = _fork(value, error)
        if fork is None:
            kept.append(error)
        else:
            groups.setdefault(error["loc"][:fork], {}).setdefault(str(error["loc"][fork]), []).append(error)
    for members in groups.values():
        kept.extend(sorted(members.values(), key=len)[0])
    return kept


def _fork(value: object, error: ErrorDetails) -> int | None:
    """Return the index of the first part of an error's place that is a union member's name, not a key."""
    here = value
    last = len(error["loc"]) - 1
    for index, part in enumerate(error["loc"]):
        if not _holds(here, part):
            return None if index == last and error["type"] == "missing" else index
        here = _at(here, (part,))
    return None


def _problem(error: ErrorDetails, pointer: Pointer, seen: object, shape: object) -> Problem:
    kind = error["type"]
    name = str(pointer[-1]) if pointer else ""
    context = error.get("ctx", {})
    if kind == "extra_forbidden":
        known = keys_at(shape, error["loc"][:-1])
        candidates = near(name, known)
        step = f"Did you mean {candidates[0]}?" if candidates else f"Known keys: {', '.join(known)}."
        return Problem(pointer, "unknown_key", f"The key {name!r} is not known here.", name, candidates, step)
    if kind == "missing":
        return Problem(pointer, "missing_key", f"The key {name!r} is missing.", "", (), f"Add {name}.")
    if kind in ("literal_error", "union_tag_invalid"):
        return _not_listed(pointer, name, seen, context)
    if kind == "union_tag_not_found":
        return _no_type(pointer, seen)
    absent = no_such_date(seen) if kind.startswith("date") else None
    if absent is not None:
        message, near_one = (
            f"{absent.written} is on no calendar: {absent.why}.",
            (absent.nearest.isoformat(),),
        )
        return Problem(pointer, "wrong_type", message, _short(seen), near_one, absent.step)
    words = kind_of(kind)
    if words:  # a filter value may be of several types; naming only one of them would mislead
        words = "text, a number, or true or false" if "values" in pointer else words
        return Problem(
            pointer, "wrong_type", f"{_label(name)} must be {words}.", _short(seen), (), f"Write {words}."
        )
    must, step = bound_of(kind, context)
    return Problem(pointer, "invalid_value", f"{_label(name)} {must}.", _short(seen), (), step)


def _no_type(pointer: Pointer, seen: object) -> Problem:
    """Say that a mapping has no `type`; a key that looks like a slip of it is named instead."""
    written = near("type", tuple(map(str, seen))) if isinstance(seen, dict) else ()
    if written:
        name = written[0]
        words = f"The key {name!r} is not known here."
        return Problem((*pointer, name), "unknown_key", words, name, ("type",), "Did you mean type?")
    return Problem((*pointer, "type"), "missing_key", "The key 'type' is missing.", "", (), "Add type.")


def _not_listed(pointer: Pointer, name: str, seen: object, context: Mapping[str, object]) -> Problem:
    listed = (
        str(context.get("expected") or context.get("expected_tags") or "").replace(" or ", ", ").split(", ")
    )
    known = tuple(word.strip("'") for word in listed)
    if isinstance(seen, dict):
        seen, pointer, name = seen.get("type"), (*pointer, "type"), "type"
    candidates = near(str(seen), known)
    step = f"Did you mean {candidates[0]}?" if candidates else f"One of: {', '.join(known)}."
    return Problem(
        pointer,
        "invalid_value",
        f"{_label(name)} must be one of {', '.join(known)}.",
        _short(seen),
        candidates,
        step,
    )


def _label(name: str) -> str:
    return f"The value of {name!r}" if name and not name.isdigit() else "The value"


def _short(seen: object) -> str:
    text = "" if seen is None else str(seen)
    return text if len(text) <= 80 else f"{text[:77]}..."
