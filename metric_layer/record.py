"""The one base of every record in the house: frozen, unknown fields refused."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

_new = object.__new__
_SLOTS = BaseModel.__dict__
"""Where a record keeps what it is made of; a question copies a hundred of them."""
_hold = _SLOTS["__dict__"].__set__
_note_set = _SLOTS["__pydantic_fields_set__"].__set__
_note_extra = _SLOTS["__pydantic_extra__"].__set__
_note_private = _SLOTS["__pydantic_private__"].__set__


class Record(BaseModel):
    """A value that never changes after it was made and never carries a field nobody declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with other values, unchecked. A record has no extra and no private parts to copy."""
        if deep:
            return super().model_copy(update=update, deep=deep)
        made = _new(self.__class__)
        held, was_set = self.__dict__.copy(), self.__pydantic_fields_set__
        if update:
            held.update(update)
            if not was_set.issuperset(update):
                was_set = was_set.union(update)
        _hold(made, held)
        _note_set(made, was_set)
        _note_extra(made, None)
        _note_private(made, None)
        return made


class Written(Record):
    """A record whose JSON is measured before it leaves, and so is written once."""

    @cached_property
    def as_json(self) -> str:
        """The record as the doors send it."""
        return self.model_dump_json(by_alias=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with other values, unchecked, and without the text of this one."""
        made = super().model_copy(update=update, deep=deep)
        made.__dict__.pop("as_json", None)
        return made
