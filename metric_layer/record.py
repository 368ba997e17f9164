"""The one base of every record in the house: frozen, unknown fields refused."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A value that never changes after it was made and never carries a field nobody declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with other values, unchecked. A record has no extra and no private parts to copy."""
        if deep:
            return super().model_copy(update=update, deep=deep)
        changed = update or {}
        made = self.__class__.__new__(self.__class__)
        object.__setattr__(made, "__dict__", {**self.__dict__, **changed})
        object.__setattr__(made, "__pydantic_fields_set__", {*self.__pydantic_fields_set__, *changed})
        object.__setattr__(made, "__pydantic_extra__", None)
        object.__setattr__(made, "__pydantic_private__", None)
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
