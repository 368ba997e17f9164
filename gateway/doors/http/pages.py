"""Pages of a list: so many at a time, and a cursor that says where the next one goes on."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Annotated, Generic, NamedTuple, TypeVar

from fastapi import Query

from gateway.reply import ReplyIssue

T = TypeVar("T")
MOST = 200
WHOLE = 100_000
"""How much of a list is taken from the house to cut a page from."""

Limit = Annotated[int, Query(ge=1, le=MOST, description="How many at most.")]
Cursor = Annotated[
    str, Query(max_length=400, description="`next_cursor` of the page before; empty for the first page.")
]


class CursorRefused(Exception):
    """A cursor that this list did not give, or whose place in it is gone."""

    def __init__(self) -> None:
        super().__init__("cursor refused")
        self.issue = ReplyIssue(
            code="bad_cursor",
            message="This cursor is none of this list, or the list has changed where it stood.",
            stage="input",
            path="/query/cursor",
            next_step="Leave `cursor` out to begin at the first page again.",
        )


class Page(NamedTuple, Generic[T]):
    """Some items of a list, how many are left, and the cursor of those."""

    items: tuple[T, ...]
    left_off: int
    next_cursor: str


def page_of(items: Sequence[T], key: Callable[[T], str], limit: int, cursor: str, listing: str) -> Page[T]:
    """Return the items behind the cursor, `limit` at most, and the cursor of the next page.

    `key` names an item for good; `listing` is the list with all that it was asked by. Raises CursorRefused.
    """
    first = 0
    if cursor:
        after = place_in(cursor, listing)
        at = next((number for number, item in enumerate(items) if key(item) == after), None)
        if at is None:
            raise CursorRefused
        first = at + 1
    shown = tuple(items[first : first + limit])
    left = max(0, len(items) - first - limit)
    return Page(shown, left, cursor_of(key(shown[-1]), listing) if left else "")


def cursor_of(after: str, listing: str) -> str:
    """Return the cursor of a page that goes on behind an item."""
    return urlsafe_b64encode(json.dumps([_named(listing), after]).encode()).decode().rstrip("=")


def place_in(cursor: str, listing: str) -> str:
    """Return the item that a page goes on behind. Raises CursorRefused for one of another list."""
    try:
        found = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (Error, ValueError):
        raise CursorRefused from None
    match found:
        case [str(of), str(after)] if of == _named(listing) and after:
            return after
    raise CursorRefused


def _named(listing: str) -> str:
    return sha256(listing.encode()).hexdigest()[:12]
