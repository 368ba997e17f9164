"""Asks a deployed gateway, over HTTP or MCP, as the holder of a token."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx2
from mcp import Client as McpClient
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from evals.replies import given_of_reply
from evals.subject import Given
from gateway.client import Client, ClientError

LOST = "not_reached"
"""What names a question whose gateway could not be reached or said nothing readable."""


@dataclass(frozen=True, slots=True)
class OverHttp:
    """`POST /v1/questions` of a served gateway."""

    url: str
    token: str
    seconds: float

    def plan(self, plan: Mapping[str, Any]) -> Given:
        """Ask a plan; a gateway that cannot be reached or answers no reply is a failure."""
        return self._asked({"plan": plan})

    def words(self, question: str) -> Given:
        """Ask a question in words."""
        return self._asked({"question": question})

    def _asked(self, body: Mapping[str, Any]) -> Given:
        try:
            with Client(self.url, self.token, seconds=self.seconds) as gateway:
                reply = gateway.ask_body(body)
        except ClientError:
            return Given("fail", checks=(LOST,))
        return _told(reply.model_dump(mode="json", by_alias=True))


@dataclass(frozen=True, slots=True)
class OverMcp:
    """The tools `ask_metric` and `ask_question` of a served gateway; one session per question."""

    url: str
    token: str
    seconds: float

    def plan(self, plan: Mapping[str, Any]) -> Given:
        """Ask a plan; a gateway that cannot be reached or answers no reply is a failure."""
        return self._asked("ask_metric", dict(plan))

    def words(self, question: str) -> Given:
        """Ask a question in words."""
        return self._asked("ask_question", {"question": question})

    def _asked(self, tool: str, arguments: dict[str, Any]) -> Given:
        try:
            return _told(asyncio.run(asyncio.wait_for(self._called(tool, arguments), self.seconds)))
        except (MCPError, httpx2.HTTPError, OSError, TimeoutError, ExceptionGroup):
            return Given("fail", checks=(LOST,))

    async def _called(self, tool: str, arguments: dict[str, Any]) -> object:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=self.seconds) as web,
            McpClient(streamable_http_client(self.url, http_client=web)) as client,
        ):
            result = await client.call_tool(tool, arguments)
        return result.structured_content


def _told(body: object) -> Given:
    if not isinstance(body, Mapping) or "outcome" not in body:
        return Given("fail", checks=(LOST,))
    return given_of_reply(body)
