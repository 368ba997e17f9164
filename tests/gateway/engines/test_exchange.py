"""An asker's own token becomes one of the database's, at every engine that logs in as its askers."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gateway.engines.base import EngineError
from gateway.engines.credentials import FromEnvironment, Secrets, secrets_of
from gateway.engines.exchange import TokenExchange
from gateway.engines.postgres import open_postgres
from gateway.engines.present import Present
from gateway.engines.snowflake import open_snowflake
from gateway.settings.file import EngineSettings
from gateway.settings.identity import ExchangeSettings
from tests.gateway.engines import snowflake_house
from tests.gateway.engines.snowflake_house import Snowhouse
from tests.gateway.engines.warehouse import ALICE, BOB, LIMITS, MEMBERS, Warehouse
from tests.servers import oidc

AUDIENCE = "the warehouse"
OWN = "SELECT current_user::text, count(*) FROM sales"


@pytest.fixture
def provider() -> Iterator[oidc.Provider]:
    with oidc.running() as found:
        yield found


@pytest.fixture
def present() -> Present:
    return Present()


def exchange_of(provider: oidc.Provider, present: Present, otherwise: Secrets | None = None) -> TokenExchange:
    settings = ExchangeSettings(
        url=f"{provider.issuer}/token", client_id=oidc.EXCHANGER, audience=AUDIENCE, seconds=1.0
    )
    return TokenExchange(settings, oidc.EXCHANGE_SECRET, present, otherwise)


def test_the_database_gets_a_token_of_its_own_and_never_the_asker_s(
    provider: oidc.Provider, present: Present
) -> None:
    provider.exchange_gives = {"ann": "what the database takes"}
    token = provider.token("ann")
    with present.during("ann", token):
        assert exchange_of(provider, present).of("ann", {}) == "what the database takes"
    (asked,) = provider.exchanged
    assert (asked["subject_token"], asked["audience"]) == (token, AUDIENCE)
    provider.exchange_gives = {"ann": token}
    with present.during("ann", token), pytest.raises(EngineError) as caught:
        exchange_of(provider, present).of("ann", {})
    assert caught.value.code == "exchange_refused" and token not in str(caught.value)


def test_a_login_that_is_not_asking_now_is_proved_otherwise_or_not_at_all(
    provider: oidc.Provider, present: Present
) -> None:
    with present.during("ann", provider.token("ann")):
        pass
    with pytest.raises(EngineError) as caught:
        exchange_of(provider, present).of("ann", {})
    assert caught.value.code == "credential_missing"
    otherwise = FromEnvironment({"CELLBOUND_DB_PASSWORD_ANN": "a member's own"})
    assert exchange_of(provider, present, otherwise).of("ann", {}) == "a member's own"
    assert not provider.exchanged


@pytest.mark.parametrize(
    "fault", ["down", "slow", "stranger", "expired", "not meant for us", "another client"]
)
def test_what_cannot_be_exchanged_is_refused_without_the_token_in_words(
    provider: oidc.Provider, present: Present, fault: str
) -> None:
    provider.exchange_gives = {} if fault == "stranger" else {"ann": "x"}
    claims: dict[str, dict[str, Any]] = {"expired": {"exp": 1}, "not meant for us": {"aud": "elsewhere"}}
    token = provider.token("ann", **claims.get(fault, {}))
    provider.down, provider.slow = fault == "down", 3.0 if fault == "slow" else 0.0
    exchange = exchange_of(provider, present, FromEnvironment({"CELLBOUND_DB_PASSWORD_ANN": "never"}))
    if fault == "another client":
        exchange = TokenExchange(ExchangeSettings(url=f"{provider.issuer}/token"), "", present, None)
    with present.during("ann", token), pytest.raises(EngineError) as caught:
        exchange.of("ann", {})
    assert caught.value.code == "exchange_refused"
    assert token not in f"{caught.value} {caught.value.next_step}"


def test_each_asker_has_their_own_token_for_as_long_as_they_ask(present: Present) -> None:
    seen: dict[str, str] = {}
    inside, go = threading.Barrier(3), threading.Event()

    def asks(user: str) -> None:
        with present.during(user, f"token of {user}"):
            inside.wait(10)
            seen[user] = present.token(user)
            go.wait(10)

    threads = [threading.Thread(target=asks, args=(user,)) for user in ("ann", "carl")]
    for thread in threads:
        thread.start()
    inside.wait(10)
    with present.during("ann", "a newer one"):
        assert present.token("ann") == "a newer one"
    assert present.token("ann") == "token of ann"
    go.set()
    for thread in threads:
        thread.join(10)
    assert seen == {"ann": "token of ann", "carl": "token of carl"}
    assert present.token("ann") == present.token("carl") == ""
    assert "token of" not in repr(present)


def test_exchange_without_an_endpoint_is_said_when_the_engine_is_opened(tmp_path: Path) -> None:
    with pytest.raises(EngineError) as caught:
        secrets_of("exchange", tmp_path)
    assert caught.value.code == "exchange_missing"


@pytest.mark.engine("postgres")
def test_on_postgresql_an_asker_logs_in_with_what_their_token_was_exchanged_for(
    warehouse: Warehouse, provider: oidc.Provider, present: Present
) -> None:
    warehouse.execute("ALTER ROLE alice PASSWORD 'alice now'; ALTER ROLE bob PASSWORD 'bob now'")
    provider.exchange_gives = {"alice": "alice now", "bob": "of somebody else"}
    url = warehouse.url(port=warehouse.server.port)
    settings = EngineSettings(url=url, credentials="exchange")
    exchange = exchange_of(provider, present)
    engine = open_postgres(settings, LIMITS, MEMBERS, Path(), exchange)
    warehouse.engines.append(engine)
    with present.during("alice", provider.token("alice")):
        assert engine.run(OWN, ALICE, LIMITS, "q").rows == (("alice", 100),)
    with present.during("bob", provider.token("bob")), pytest.raises(EngineError) as wrong:
        engine.run(OWN, BOB, LIMITS, "q")
    assert wrong.value.code == "login_refused"


@pytest.mark.engine("snowflake")
def test_on_snowflake_an_asker_logs_in_with_what_their_token_was_exchanged_for(
    snowhouse: Snowhouse, provider: oidc.Provider, present: Present
) -> None:
    provider.exchange_gives = {"ann": snowflake_house.token_of("ann", {})}
    settings = EngineSettings(url=snowhouse.url(), credentials="exchange")
    exchange = exchange_of(provider, present)
    engine = open_snowflake(settings, snowflake_house.LIMITS, snowflake_house.MEMBERS, Path(), exchange)
    snowhouse.engines.append(engine)
    counted = "SELECT COUNT(*) FROM SHOP.PUBLIC.ORDERS"
    with present.during("ann", provider.token("ann")):
        assert engine.run(counted, snowflake_house.ANN, snowflake_house.LIMITS, "q").rows == ((30_000,),)
    with present.during("carl", provider.token("carl")), pytest.raises(EngineError) as refused:
        engine.run(counted, snowflake_house.CARL, snowflake_house.LIMITS, "q")
    assert refused.value.code == "exchange_refused"
