"""How MCP clients write down a server: their file, the key in it, and how a token is referred to."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Entry = dict[str, Any]
INPUT = "cellbound-token"


@dataclass(frozen=True, slots=True)
class McpClient:
    """One kind of client. `reference` is how its file names an environment variable; empty: it cannot.

    `asks` says that the client itself asks for the token and keeps it, so that the file only names the input.
    """

    name: str
    key: str
    file: Callable[[Path], Path]
    typed: bool = True
    reference: str = ""
    asks: bool = False
    http: bool = True

    def local(self, command: str, arguments: list[str]) -> Entry:
        """Return the entry of a program that the client starts."""
        entry = {"command": command, "args": arguments}
        return {"type": "stdio", **entry} if self.typed else entry

    def remote(self, url: str, variable: str) -> Entry:
        """Return the entry of a served gateway; the token stays where the client runs."""
        token = f"${{input:{INPUT}}}" if self.asks else self.reference.format(variable)
        entry = {"url": url, "headers": {"Authorization": f"Bearer {token}"}}
        return {"type": "http", **entry} if self.typed else entry

    def inputs(self) -> list[Entry]:
        """Return what the client has to ask its user for, once."""
        asked = {"id": INPUT, "type": "promptString", "description": "Token for cellbound", "password": True}
        return [asked] if self.asks else []


def desktop_file(_: Path) -> Path:
    """Return where Claude Desktop keeps its configuration on this system."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library/Application Support/Claude/claude_desktop_config.json"
    if sys.platform == "win32":
        roaming = os.environ.get("APPDATA", str(home / "AppData/Roaming"))
        return Path(roaming) / "Claude/claude_desktop_config.json"
    return (
        Path(os.environ.get("XDG_CONFIG_HOME", str(home / ".config"))) / "Claude/claude_desktop_config.json"
    )


CLIENTS: Mapping[str, McpClient] = {
    client.name: client
    for client in (
        McpClient("claude-code", "mcpServers", lambda here: here / ".mcp.json", reference="${{{}}}"),
        McpClient("claude-desktop", "mcpServers", desktop_file, typed=False, http=False),
        McpClient(
            "cursor",
            "mcpServers",
            lambda here: here / ".cursor" / "mcp.json",
            typed=False,
            reference="${{env:{}}}",
        ),
        McpClient("vscode", "servers", lambda here: here / ".vscode" / "mcp.json", asks=True),
    )
}
