"""Prints the configuration of an MCP client: the JSON on stdout, what to know of it on stderr."""

import json

from gateway.doors.mcp.install import ClientConfig
from gateway.doors.terminal.screen import Terminal


def print_config(terminal: Terminal, found: ClientConfig) -> None:
    """Print what the file holds, or that it was written, and what is left to do."""
    if found.state == "shown":
        for line in json.dumps(found.adds, indent=2, ensure_ascii=False).splitlines():
            terminal.line(line)
        terminal.note(f"For {found.file}; --write puts it there and keeps what is in it.")
    else:
        terminal.verdict("ok", f"{found.file} is {found.state}")
        if found.backup:
            terminal.note(f"As it was: {found.backup}")
    for note in found.notes:
        terminal.note(note)
