"""Which keys a model knows at a place of its data: the candidates for an unknown key."""

from types import NoneType, UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo


def keys_at(model: object, location: tuple[str | int, ...]) -> tuple[str, ...]:
    """Return the keys known at a pydantic error location, in the order of their declaration."""
    return tuple(dict.fromkeys(key for member in _at(model, location) for key in _keys(member)))


def tags_at(model: object, location: tuple[str | int, ...]) -> tuple[str, ...]:
    """Return the types that a mapping at a pydantic error location may name."""
    return tuple(dict.fromkeys(str(tag) for member in _at(model, location) for tag in _tags(member)))


def _at(model: object, location: tuple[str | int, ...]) -> list[object]:
    here = _members(model)
    for part in location:
        here = [step for member in here for step in _step(member, part)]
    return here


def _step(member: object, part: str | int) -> list[object]:
    """Follow one part of a location: a key, an index, or the name of a union's member."""
    if isinstance(member, type) and issubclass(member, BaseModel):
        if part == member.__name__ or part in _tags(member):
            return [member]
        field = next((f for name, f in member.model_fields.items() if part in (name, f.alias)), None)
        return _members(field.annotation) if field else []
    if isinstance(part, int) or get_origin(member) is dict or "Mapping" in str(get_origin(member)):
        arguments = [argument for argument in get_args(member) if argument is not Ellipsis]
        return _members(arguments[-1]) if arguments else []
    return []


def _members(annotation: object) -> list[object]:
    """Unfold Annotated and unions into their members."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _members(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return [leaf for member in get_args(annotation) for leaf in _members(member)]
    return [] if annotation is NoneType else [annotation]


def _tags(model: object) -> tuple[object, ...]:
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        return ()
    field = model.model_fields.get("type")
    return get_args(field.annotation) if field and get_origin(field.annotation) is Literal else ()


def _keys(member: object) -> list[str]:
    if isinstance(member, type) and issubclass(member, BaseModel):
        return [_name(name, field) for name, field in member.model_fields.items()]
    return []


def _name(name: str, field: FieldInfo) -> str:
    return field.alias or name
