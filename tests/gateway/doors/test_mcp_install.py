"""`cellbound mcp install`: a client's file with this gateway in it, the rest as it was, and no token."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.doors.shell import Shell

FILES = {"claude-code": ".mcp.json", "cursor": ".cursor/mcp.json", "vscode": ".vscode/mcp.json"}
KEYS = {
    "claude-code": "mcpServers",
    "claude-desktop": "mcpServers",
    "cursor": "mcpServers",
    "vscode": "servers",
}
URL = "https://gateway.example"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, where Claude Desktop would keep its file."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    return tmp_path / "home"


def read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("client", KEYS)
def test_what_is_shown_starts_this_project_and_nothing_is_written(
    cellbound: Shell, shop: Path, home: Path, client: str
) -> None:
    said = cellbound("mcp", "install", "--client", client)
    assert said.status == 0
    entry = json.loads(said.out)[KEYS[client]]["cellbound"]
    assert entry["args"] == ["mcp", "--project", str(shop)]
    assert Path(entry["command"]).name == "cellbound"
    assert "asks as ana" in said.err
    assert not any((shop / file).exists() for file in FILES.values())
    assert not home.exists()


@pytest.mark.parametrize("client", FILES)
def test_writing_keeps_what_is_there_with_a_backup_and_the_mode_of_the_file(
    cellbound: Shell, shop: Path, client: str
) -> None:
    file = shop / FILES[client]
    file.parent.mkdir(exist_ok=True)
    before = {KEYS[client]: {"other": {"command": "other", "env": {"KEY": "ü"}}}, "theirs": [1, 2.50]}
    file.write_text(json.dumps(before), encoding="utf-8")
    file.chmod(0o644)
    said = cellbound("mcp", "install", "--client", client, "--write", "--json")
    assert (said.status, said.object["state"]) == (0, "written")
    after = read(file)
    assert after[KEYS[client]].pop("cellbound")["args"][0] == "mcp"
    assert after == before
    assert read(Path(said.object["backup"])) == before
    assert file.stat().st_mode & 0o777 == 0o644
    assert "other" not in json.dumps(said.object["adds"]), "what else the file holds is not told"


def test_writing_twice_changes_nothing_and_makes_no_second_backup(cellbound: Shell, shop: Path) -> None:
    cellbound("mcp", "install", "--client", "cursor", "--write")
    first = (shop / ".cursor" / "mcp.json").read_bytes()
    said = cellbound("mcp", "install", "--client", "cursor", "--write", "--json")
    assert (said.object["state"], said.object["backup"]) == ("unchanged", "")
    assert (shop / ".cursor" / "mcp.json").read_bytes() == first
    assert [each.name for each in (shop / ".cursor").iterdir()] == ["mcp.json"]


def test_every_change_has_a_backup_of_its_own(cellbound: Shell, shop: Path) -> None:
    for url in ("https://one.example", "https://two.example", "https://three.example"):
        cellbound("mcp", "install", "--client", "cursor", "--http", url, "--write")
    names = sorted(each.name for each in (shop / ".cursor").iterdir())
    assert names == ["mcp.json", "mcp.json.bak", "mcp.json.bak2"]
    assert "one.example" in (shop / ".cursor" / "mcp.json.bak").read_text(encoding="utf-8")


def test_claude_desktop_has_its_file_at_home(cellbound: Shell, home: Path) -> None:
    said = cellbound("mcp", "install", "--client", "claude-desktop", "--write", "--json")
    file = Path(said.object["file"])
    assert file.is_relative_to(home)
    assert "cellbound" in read(file)["mcpServers"]


@pytest.mark.parametrize(
    ("client", "reference"),
    [
        ("claude-code", "Bearer ${GATEWAY_TOKEN}"),
        ("cursor", "Bearer ${env:GATEWAY_TOKEN}"),
        ("vscode", "Bearer ${input:cellbound-token}"),
    ],
)
def test_over_http_the_file_refers_to_the_token_and_never_holds_it(
    cellbound: Shell, shop: Path, monkeypatch: pytest.MonkeyPatch, client: str, reference: str
) -> None:
    monkeypatch.setenv("GATEWAY_TOKEN", "cellbound_a_secret")
    said = cellbound(
        "mcp",
        "install",
        "--client",
        client,
        "--http",
        URL,
        "--token-env",
        "GATEWAY_TOKEN",
        "--write",
        "--json",
    )
    file = shop / FILES[client]
    entry = read(file)[KEYS[client]]["cellbound"]
    assert entry["headers"] == {"Authorization": reference}
    assert entry["url"] == f"{URL}/mcp"
    assert "a_secret" not in file.read_text(encoding="utf-8") + said.out + said.err


def test_vscode_asks_for_the_token_itself_beside_the_inputs_it_had(cellbound: Shell, shop: Path) -> None:
    file = shop / ".vscode" / "mcp.json"
    file.parent.mkdir()
    file.write_text(
        '{"inputs": [{"id": "theirs"}, {"id": "cellbound-token", "type": "old"}]}', encoding="utf-8"
    )
    cellbound("mcp", "install", "--client", "vscode", "--http", URL, "--write")
    theirs, ours = read(file)["inputs"]
    assert theirs == {"id": "theirs"}
    assert (ours["id"], ours["type"], ours["password"]) == ("cellbound-token", "promptString", True)


def test_everything_that_is_wrong_is_said_at_once_and_nothing_is_written(
    cellbound: Shell, home: Path
) -> None:
    said = cellbound(
        *("mcp", "install", "--client", "claude-desktop", "--write", "--json"),
        *("--http", "ftp://gateway.example", "--token-env", "cellbound_x y"),
    )
    assert said.status == 2
    codes = [issue["code"] for issue in said.object["issues"]]
    assert codes == ["client_no_http", "bad_address", "bad_variable"]
    assert "cellbound_x y" not in said.out + said.err, "what may be a token is not repeated"
    assert not home.exists()


@pytest.mark.parametrize(
    "url",
    [
        "https://[::1",
        "https://ana:secret@gateway.example",
        "https://gateway.example?token=1",
        "gateway",
        "https://gateway.example/\nmcp",
        "https://gate\tway.example",
        "https://gateway.example/a b",
        "https://gateway.example:65536",
        "https://gateway.example:0",
        "https://gateway.example:x",
    ],
)
def test_an_address_with_more_than_an_address_in_it_is_refused(cellbound: Shell, url: str) -> None:
    said = cellbound("mcp", "install", "--client", "cursor", "--http", url, "--json")
    assert [issue["code"] for issue in said.object["issues"]] == ["bad_address"]


@pytest.mark.parametrize(
    "text",
    [
        "// a comment\n{}",
        "[]",
        '{"mcpServers": []}',
        '{"a": 1, "a": 2}',
        "{",
        b"\xff\xfe{}",
        '{"a": 1e999}',
        '{"a": [1e-999]}',
        '{"a": {"b": 0.12345678901234567890123}}',
    ],
)
def test_a_file_that_cannot_be_added_to_stays_as_it_is(
    cellbound: Shell, shop: Path, text: str | bytes
) -> None:
    file = shop / ".mcp.json"
    data = text if isinstance(text, bytes) else text.encode()
    file.write_bytes(data)
    said = cellbound("mcp", "install", "--client", "claude-code", "--write", "--json")
    assert said.status == 2
    (issue,) = said.object["issues"]
    assert (issue["code"], issue["place"]) == ("client_config_unreadable", str(file))
    assert file.read_bytes() == data


def test_a_file_behind_a_link_is_written_where_it_lies(cellbound: Shell, shop: Path) -> None:
    real = shop / "real.json"
    real.write_text("{}", encoding="utf-8")
    (shop / ".mcp.json").symlink_to(real)
    cellbound("mcp", "install", "--client", "claude-code", "--write")
    assert (shop / ".mcp.json").is_symlink()
    assert "cellbound" in read(real)["mcpServers"]


def test_numbers_that_come_back_the_same_are_kept(cellbound: Shell, shop: Path) -> None:
    file = shop / ".mcp.json"
    file.write_text('{"a": [0.1, 2.50, 1e3, -0, 123456789012345678901234567890]}', encoding="utf-8")
    said = cellbound("mcp", "install", "--client", "claude-code", "--write", "--json")
    assert said.object["state"] == "written"
    assert read(file)["a"] == [0.1, 2.5, 1000, 0, 123456789012345678901234567890]


@pytest.mark.parametrize("link", [".cursor/mcp.json", ".cursor"])
def test_a_link_to_nothing_is_refused_and_nothing_is_made_there(
    cellbound: Shell, shop: Path, tmp_path: Path, link: str
) -> None:
    place, nowhere = shop / link, tmp_path / "nowhere"
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(nowhere)
    said = cellbound("mcp", "install", "--client", "cursor", "--write", "--json")
    assert (said.status, said.object["issues"][0]["code"]) == (2, "client_config_unreadable")
    assert not nowhere.exists() and place.is_symlink()


def test_a_file_that_is_a_folder_is_refused(cellbound: Shell, shop: Path) -> None:
    (shop / ".mcp.json").mkdir()
    said = cellbound("mcp", "install", "--client", "claude-code", "--json")
    assert [issue["code"] for issue in said.object["issues"]] == ["client_config_unreadable"]


def test_a_token_sent_in_clear_is_warned_of_and_a_loopback_is_not(cellbound: Shell) -> None:
    clear = cellbound("mcp", "install", "--client", "cursor", "--http", "http://gateway.example")
    assert "use https" in clear.err
    near = cellbound("mcp", "install", "--client", "cursor", "--http", "http://127.0.0.1:8321")
    assert "use https" not in near.err


def test_a_misspelt_client_is_met_with_its_near_name(cellbound: Shell) -> None:
    said = cellbound("mcp", "install", "--client", "cusor")
    assert said.status == 2
    assert "Did you mean cursor?" in said.err


def test_a_project_that_lets_nobody_in_over_stdio_says_so(cellbound: Shell, shop: Path) -> None:
    settings = shop / "cellbound.toml"
    text = settings.read_text(encoding="utf-8").replace('stdio_user = "ana"\n', "")
    settings.write_text(text, encoding="utf-8")
    said = cellbound("mcp", "install", "--client", "cursor")
    assert "identity.stdio_user is not set" in said.err
