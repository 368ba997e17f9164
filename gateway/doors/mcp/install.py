"""Puts this gateway into the configuration of an MCP client: shown, or written beside what is there."""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gateway.doors.json_input import BadInput, BadJson, read_json
from gateway.doors.mcp.clients import CLIENTS, Entry, McpClient
from gateway.doors.private_file import write_private
from gateway.doors.project import settings_of
from metric_layer.issues import Issue
from metric_layer.record import Record

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class ClientConfig(Record):
    """The configuration of an MCP client with this gateway in it.

    `adds` is what it adds to the file, and nothing of what else is there; `state` is shown, written or
    unchanged. `backup` is where the file as it was is kept.
    """

    client: str
    file: str
    state: str
    adds: Mapping[str, Any]
    backup: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be installed: the project, or with `http` the address of a served gateway."""

    client: str
    name: str = "cellbound"
    project: Path | None = None
    http: str = ""
    variable: str = "CELLBOUND_TOKEN"
    file: Path | None = None


def install(wanted: Wanted, *, write: bool) -> ClientConfig:
    """Return what a client's file takes of this gateway; with `write`, put it there.

    What the file holds beside it stays, and the file as it was is kept as a backup. Raises BadInput with all
    that is wrong; then nothing is written.
    """
    client = CLIENTS[wanted.client]
    file = (wanted.file or client.file(Path.cwd())).absolute()
    entry, notes = _entry(client, wanted)
    before = _read(file)
    config = _with(client, before, wanted.name, entry, file)
    adds = _with(client, {}, wanted.name, entry, file)
    found = ClientConfig(client=client.name, file=str(file), state="shown", adds=adds, notes=notes)
    if not write:
        return found
    if config == before:
        return found.model_copy(update={"state": "unchanged"})
    backup = _write(file, config)
    return found.model_copy(update={"state": "written", "backup": backup})


def _entry(client: McpClient, wanted: Wanted) -> tuple[Entry, tuple[str, ...]]:
    if wanted.http:
        _require_reachable(client, wanted)
        url = _address(wanted.http)
        return client.remote(url, wanted.variable), _remote_notes(client, url, wanted.variable)
    settings = settings_of(wanted.project)
    command = Path(sys.executable).parent / "cellbound"
    known = command if command.is_file() else Path("cellbound")
    user = settings.identity.stdio_user
    note = f"This client asks as {user} (identity.stdio_user)."
    if not user:
        note = "identity.stdio_user is not set: name a user there, or this client is refused."
    return client.local(str(known), ["mcp", "--project", str(settings.folder.absolute())]), (note,)


def _require_reachable(client: McpClient, wanted: Wanted) -> None:
    """Raise BadInput with all that keeps a client from a served gateway."""
    wrong = []
    if not client.http:
        wrong.append(
            Issue(
                code="client_no_http",
                message=f"The file of {client.name} holds programs only, no addresses.",
                seen=wanted.http[:200],
                next_step="Add the address in its settings under Connectors, or leave out --http.",
            )
        )
    if not _is_address(wanted.http):
        wrong.append(
            Issue(
                code="bad_address",
                message="The address is no http or https address without a user and a query.",
                next_step="Write it like https://gateway.example or https://gateway.example/mcp.",
            )
        )
    if not VARIABLE.fullmatch(wanted.variable):
        wrong.append(
            Issue(
                code="bad_variable",
                message="That is no name of an environment variable. A token itself is never written.",
                next_step="Put the token into a variable and name that: --token-env CELLBOUND_TOKEN.",
            )
        )
    if wrong:
        raise BadInput(*wrong)


def _is_address(url: str) -> bool:
    if not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    plain = port != 0 and parts.hostname and not parts.username and not parts.query and not parts.fragment
    return parts.scheme in ("http", "https") and bool(plain)


def _address(url: str) -> str:
    parts = urlsplit(url)
    return url if parts.path.strip("/") else f"{parts.scheme}://{parts.netloc}/mcp"


def _remote_notes(client: McpClient, url: str, variable: str) -> tuple[str, ...]:
    parts = urlsplit(url)
    token = "The client asks for the token once and keeps it." if client.asks else ""
    notes = [token or f"Start the client with the token in {variable}; the file only names the variable."]
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        notes.append("Over http the token can be read on the way: use https.")
    return tuple(notes)


def _read(file: Path) -> Entry:
    """Return what a configuration holds; nothing where there is none. Raises BadInput."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        _refuse_link_to_nothing(file)
        return {}
    except UnicodeDecodeError as fault:
        raise _unreadable(file, "it is not UTF-8") from fault
    except OSError as fault:
        raise _unreadable(file, f"it cannot be read ({type(fault).__name__})") from fault
    if not text.strip():
        return {}
    try:
        exact = read_json(text)
        found: object = json.loads(text)
    except BadJson as fault:
        raise _unreadable(file, fault.issue.message.rstrip(".")) from fault
    if not isinstance(found, dict):
        raise _unreadable(file, "it holds no object")
    if not _comes_back(found, exact):
        raise _unreadable(file, "it holds a number that would not come back as it is written there")
    return found


def _refuse_link_to_nothing(file: Path) -> None:
    """Raise BadInput where a file is missing because it, or a folder above it, is a link to nothing."""
    for place in (file, *file.parents):
        if place.is_symlink() and not place.exists():
            raise _unreadable(file, "it is, or lies behind, a link to what is not there")


def _comes_back(found: object, exact: object) -> bool:
    """Say whether writing a configuration changes none of its numbers: a float holds 17 digits of one."""
    try:
        return read_json(json.dumps(found, allow_nan=False)) == exact
    except ValueError:
        return False


def _with(client: McpClient, before: Entry, name: str, entry: Entry, file: Path) -> Entry:
    servers, inputs = before.get(client.key, {}), before.get("inputs", [])
    if not isinstance(servers, dict) or not isinstance(inputs, list):
        raise _unreadable(file, f"`{client.key}` or `inputs` is not what the client has there")
    config = {**before, client.key: {**servers, name: entry}}
    if "url" in entry and client.asks:
        asked = {each["id"] for each in client.inputs()}
        kept = [each for each in inputs if not (isinstance(each, dict) and each.get("id") in asked)]
        config["inputs"] = [*kept, *client.inputs()]
    return config


def _write(file: Path, config: Entry) -> str:
    """Write a configuration whole, with the mode the file had; return where the old one is kept."""
    place = file.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    backup, mode = "", 0o600
    if place.exists():
        mode = place.stat().st_mode & 0o777
        kept = _free(place)
        write_private(kept, place.read_bytes())
        backup = str(kept)
    write_private(place, (json.dumps(config, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode())
    place.chmod(mode)
    return backup


def _free(place: Path) -> Path:
    """Return a name for a backup that nothing has yet."""
    number, found = 1, place.with_name(f"{place.name}.bak")
    while found.exists() or found.is_symlink():
        number += 1
        found = place.with_name(f"{place.name}.bak{number}")
    return found


def _unreadable(file: Path, why: str) -> BadInput:
    return BadInput(
        Issue(
            code="client_config_unreadable",
            message=f"The client's file cannot be added to: {why}.",
            place=str(file),
            next_step="Mend it, or leave out --write and copy the entry by hand. Nothing was changed.",
        )
    )
