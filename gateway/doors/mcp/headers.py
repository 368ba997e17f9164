"""Arguments that a tool wants repeated as HTTP headers: whether it wants any is looked up once per schema."""

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.shared.inbound import find_invalid_x_mcp_header, x_mcp_header_map


class HeadedServer(MCPServer[Any]):
    """The SDK's server. It walks a tool's whole schema twice in every call, and ours are walked once."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Take what the SDK's server takes."""
        self._looked_at: dict[str, tuple[object, bool]] = {}
        super().__init__(*args, **options)

    def _tool_input_schema(self, name: str) -> dict[str, Any] | None:
        """Return the schema to hold a call's headers against; None for a tool that declares no header."""
        schema = super()._tool_input_schema(name)
        if schema is None:
            return None
        known = self._looked_at.get(name)
        if known is None or known[0] is not schema:
            declares = bool(x_mcp_header_map(schema)) or find_invalid_x_mcp_header(schema) is not None
            known = self._looked_at[name] = (schema, declares)
        return schema if known[1] else None
