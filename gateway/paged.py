"""A page of a list, and where the next one goes on."""

from typing import Annotated

from pydantic import Field

from metric_layer.record import Record


def _last(cursor: str) -> bool:
    return not cursor


class Paged(Record):
    """A page of a list: `next_cursor` gets the next one, and is left out on the last."""

    next_cursor: Annotated[str, Field(exclude_if=_last)] = ""
