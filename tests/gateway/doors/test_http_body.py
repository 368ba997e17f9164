"""A body arrives whole, in time and within its limit, or the application never hears of it."""

import asyncio
from collections.abc import Sequence

import pytest
from starlette.types import Message, Receive, Scope, Send

from gateway.doors.http.body import BodyLimit

pytestmark = pytest.mark.anyio
SCOPE: Scope = {"type": "http", "method": "POST", "path": "/v1/questions", "headers": []}


class Heard:
    """An application that takes down the body it was given, then what comes after it."""

    def __init__(self) -> None:
        self.body: bytes | None = None
        self.after = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.body = (await receive())["body"]
        self.after = (await receive())["type"]


async def sent(
    messages: Sequence[Message], limit: int = 10, seconds: float = 5
) -> tuple[Heard, list[Message]]:
    heard, answered, waiting = Heard(), [], iter(messages)

    async def receive() -> Message:
        for message in waiting:
            return message
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        answered.append(message)

    await BodyLimit(heard, limit, seconds)(SCOPE, receive, send)
    return heard, answered


def part(body: bytes, *, more: bool) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


LEFT: Message = {"type": "http.disconnect"}


async def test_a_body_in_parts_arrives_in_one_and_a_caller_who_leaves_later_is_still_noticed() -> None:
    heard, answered = await sent([part(b"12345", more=True), part(b"67890", more=False), LEFT])
    assert (heard.body, heard.after, answered) == (b"1234567890", "http.disconnect", [])


async def test_one_byte_more_than_the_limit_is_413() -> None:
    heard, answered = await sent([part(b"12345", more=True), part(b"678901", more=True)])
    assert (heard.body, answered[0]["status"]) == (None, 413)


async def test_a_body_that_does_not_arrive_is_408() -> None:
    heard, answered = await sent([part(b"1", more=True)], seconds=0.01)
    assert (heard.body, answered[0]["status"]) == (None, 408)


async def test_a_caller_who_leaves_before_the_end_is_answered_nothing() -> None:
    heard, answered = await sent([part(b"1", more=True), LEFT])
    assert (heard.body, answered) == (None, [])
