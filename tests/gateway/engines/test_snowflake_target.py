"""Where a Snowflake session goes: to the url's account, host and database, whatever the machine would say."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from snowflake.connector.aio import connect

from gateway.engines import snowflake_session
from gateway.engines.base import EngineError
from gateway.engines.snowflake import open_snowflake
from gateway.engines.snowflake_target import target_of
from gateway.settings.file import EngineSettings
from tests.gateway.engines.snowflake_house import ANN, LIMITS, MEMBERS, Snowhouse, token_of

pytestmark = pytest.mark.engine("snowflake")

COUNT = "SELECT count(*) FROM orders"
PROFILE = """account = "other"
host = "127.0.0.9"
port = 9
protocol = "http"
database = "OTHER"
schema = "OTHER"
warehouse = "OTHER"
role = "CLERK"
"""
NAMES = (
    *("ACCOUNT", "HOST", "PORT", "PROTOCOL", "URL", "DATABASE", "SCHEMA", "WAREHOUSE"),
    *("ROLE", "USER", "TOKEN", "AUTHENTICATOR"),
)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine whose environment and home folder name another account in every way known."""
    for folder in (tmp_path, tmp_path / ".snowflake"):
        folder.mkdir(exist_ok=True)
        for file, prefix in (("connections.toml", ""), ("config.toml", "connections.")):
            said = "\n".join(f"[{prefix}{name}]\n{PROFILE}" for name in ("default", "other"))
            path = folder / file
            path.write_text(f'default_connection_name = "other"\n{said}', encoding="utf-8")
            path.chmod(0o600)
    for name in ("HOME", "SNOWFLAKE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("CONNECTION_NAME", "DEFAULT_CONNECTION_NAME"):
        monkeypatch.setenv(f"SNOWFLAKE_{name}", "other")
    for name in NAMES:
        monkeypatch.setenv(f"SNOWFLAKE_{name}", "9" if name == "PORT" else "OTHER")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The way out of the machine: a proxy that is asked for every server of the public network."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(10)
        for name in ("HTTPS_PROXY", "https_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{listening.getsockname()[1]}")
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        yield listening


@pytest.mark.usefixtures("elsewhere")
def test_nothing_of_a_target_is_left_to_the_environment_or_the_home_folder(snowhouse: Snowhouse) -> None:
    assert snowhouse.engine().run(COUNT, ANN, LIMITS, "q").rows == ((30_000,),)


@pytest.mark.parametrize(
    ("more", "host"),
    [("", "acme-eu.snowflakecomputing.com"), ("&host=acme.example.org", "acme.example.org")],
    ids=["of the account", "of the url"],
)
@pytest.mark.usefixtures("elsewhere")
def test_the_host_is_that_of_the_url_or_of_its_account(
    snowhouse: Snowhouse, asked: socket.socket, more: str, host: str
) -> None:
    url = f"snowflake://acme_eu/SHOP?warehouse=W{more}"
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(_fails, snowhouse, url)
        met, _ = asked.accept()
        with met:
            first = met.recv(4096).split(b"\r\n")[0].decode()
        asked.close()
        assert asking.result(20) == "database_unreachable"
    assert first == f"CONNECT {host}:443 HTTP/1.1"


@pytest.mark.parametrize("other", [{"account": "other"}, {"host": "localhost"}])
def test_a_connector_that_went_elsewhere_is_noticed_before_a_statement(
    snowhouse: Snowhouse, monkeypatch: pytest.MonkeyPatch, other: dict[str, str]
) -> None:
    async def led_astray(**given: Any) -> Any:
        return await connect(**{**given, **other})

    before = len(snowhouse.account.log)
    monkeypatch.setattr(snowflake_session, "connect", led_astray)
    with pytest.raises(EngineError) as caught:
        snowhouse.engine().run(COUNT, ANN, LIMITS, "q")
    assert caught.value.code == "target_refused" and caught.value.next_step
    assert len(snowhouse.account.log) == before


@pytest.mark.parametrize(
    ("account", "host", "there"),
    [
        ("acme", "acme.snowflakecomputing.com", True),
        ("acme", "ACME.snowflakecomputing.cn", True),
        ("my_org.eu-central-1", "my-org.eu-central-1.snowflakecomputing.com", True),
        ("acme", "acme.example.org", False),
        ("acme", "acme2.snowflakecomputing.com", False),
        ("acme", "acme.eu.snowflakecomputing.com", False),
    ],
)
def test_a_url_without_a_host_means_the_public_host_of_its_account(
    account: str, host: str, there: bool
) -> None:
    target = target_of(f"snowflake://{account}/SHOP?warehouse=W")
    assert target.is_at(account, host) is there
    assert not target.is_at("other", host)


def _fails(house: Snowhouse, url: str) -> str:
    found = EngineSettings.model_validate({"url": url, "credentials": f"hook:{token_of.__module__}:token_of"})
    engine = open_snowflake(found, LIMITS, MEMBERS, Path())
    house.engines.append(engine)
    with pytest.raises(EngineError) as caught:
        engine.run(COUNT, ANN, replace(LIMITS, seconds=3.0), "q")
    return caught.value.code
