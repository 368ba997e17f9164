"""The resources of the MCP door: how an answer came about, and the rows of one's own answer."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from gateway.doors.counters import Counters
from gateway.doors.face import Face
from gateway.doors.faults import FAULTS, refusal_for
from gateway.doors.workers import Workers
from gateway.reply import Refusal
from traces.records import Caller

JSON = "application/json"
Found = TypeVar("Found")


def add_resources(
    server: MCPServer[Any], face: Face, who: Callable[[], Caller], workers: Workers, counters: Counters
) -> None:
    """Give a server `trace://ID` and `data://ID`. What is not the caller's own is as if it were not there."""

    @server.resource("trace://{trace_id}", name="trace", mime_type=JSON)
    async def trace(trace_id: str) -> str:
        """Return how an answer came about: plan, SQL, verdicts, cost and shape. No rows."""
        view = await _read(workers, partial(face.get_trace, who(), trace_id))
        if view is None:
            raise ResourceNotFoundError(f"No trace {trace_id} that you may read.")
        return view.model_dump_json(by_alias=True)

    @server.resource("data://{trace_id}", name="data", mime_type=JSON)
    async def data(trace_id: str) -> str:
        """Return the rows of your own answer while they are kept, as many as policy shows of them."""
        found = await _read(workers, partial(face.result, who(), trace_id))
        counters.result("mcp", type(found).__name__)
        if isinstance(found, Refusal):
            raise ResourceNotFoundError(" ".join(issue.message for issue in found.issues))
        return found.view.model_dump_json(by_alias=True)


async def _read(workers: Workers, work: Callable[[], Found]) -> Found:
    try:
        return await workers.call(work)
    except FAULTS as fault:
        raise ResourceError(refusal_for(fault).issues[0].message) from fault
