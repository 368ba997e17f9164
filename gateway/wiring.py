"""Settings -> layer, policy, engine, stores -> Gateway. The only file that builds."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from gateway.asked import words_of
from gateway.engines.open import dialect_of, open_engine
from gateway.house import House, limits_of, scope_of_role
from gateway.results import ResultStore
from gateway.service import Gateway
from gateway.settings import Settings, load_settings
from gateway.state import StateStore
from metric_layer.layer import Layer
from metric_layer.load import load_layer
from policies.entitlement import Entitlements
from policies.load import Governed, load_policy
from traces.keys import ENVIRONMENT, KeyStore
from traces.store.files import FileTraceStore

Now = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the wall clock in UTC."""
    return datetime.now(UTC)


def open_gateway(folder: Path, now: Now = utc_now) -> Gateway:
    """Open a project folder. Definitions and policy are read and checked before any file is made."""
    settings = load_settings(folder)
    layer = load_layer(settings.at(settings.paths.metrics))
    governed = load_policy(settings.at(settings.paths.policies), layer)
    traces = settings.at(settings.paths.traces)
    keys = _keys(settings, traces)
    house = build_house(settings, layer, governed, keys, now)
    results = ResultStore(
        settings.at(settings.paths.results),
        keys.wrapping_key("results"),
        ttl_seconds=settings.results.minutes * 60,
        clock=now,
    )
    return Gateway(
        house,
        FileTraceStore(traces, keys.chain_key()),
        results,
        StateStore(settings.at(settings.paths.state), clock=now),
    )


def _keys(settings: Settings, traces: Path) -> KeyStore:
    """Open the key store: the master key from the environment if set, else from the project's key file."""
    file = settings.at(settings.paths.keys)
    if os.environ.get(ENVIRONMENT):
        return KeyStore.from_env(file, apart_from=traces)
    return KeyStore.open(file, apart_from=traces)


def build_house(settings: Settings, layer: Layer, governed: Governed, keys: KeyStore, now: Now) -> House:
    """Hold definitions and policy against the project's one database."""
    url = settings.engine.url
    dialect, schema = dialect_of(url)
    entitlements = Entitlements(layer, governed, dialect, schema, now())
    engine = open_engine(
        url,
        {role.role_name: scope_of_role(role) for role in entitlements},
        limits_of(governed.policy.caps),
        folder=settings.folder,
        temp_directory=settings.at(settings.paths.spill),
    )
    return House(
        layer=layer,
        words=words_of(layer),
        governed=governed,
        entitlements=entitlements,
        engine=engine,
        keys=keys,
        now=now,
    )


def candidate(
    gateway: Gateway, settings: Settings, *, layer: Path | None = None, policy: Path | None = None
) -> House:
    """Return the gateway's house with other definitions or another policy, for a replay against them."""
    house = gateway.house
    definitions = load_layer(layer) if layer else house.layer
    governed = load_policy(policy, definitions) if policy else house.governed
    return build_house(settings, definitions, governed, house.keys, house.now)
