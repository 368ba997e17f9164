"""Settings -> layer, policy, engine, stores -> Gateway. The only file that builds."""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from evals.cases import CasesInvalid, examples_of, load_folder
from gateway.asked import words_of
from gateway.attestations import AttestationStore
from gateway.engines.base import Engine, RoleScope
from gateway.engines.open import dialect_of, open_engine
from gateway.errors import HouseError
from gateway.house import House, limits_of, scope_of_role
from gateway.proof import require_proof
from gateway.reload import digest_of
from gateway.results import ResultStore
from gateway.service import Gateway
from gateway.settings import Settings, load_settings
from gateway.state import StateStore
from metric_layer.catalog import Example
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
    files = FilesOf(settings)
    digest = files.digest()
    layer, governed = files.definitions()
    examples = files.examples()
    traces = settings.at(settings.paths.traces)
    keys = _keys(settings, traces)
    house = replace(build_house(settings, layer, governed, keys, now), examples=examples)
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
        AttestationStore(settings.at(settings.paths.state).with_name("attestations.sqlite"), clock=now),
        files=files,
        digest=digest,
    )


class FilesOf:
    """The definitions and policies of a project, read again whenever they are asked for."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._metrics = settings.at(settings.paths.metrics)
        self._policies = settings.at(settings.paths.policies)
        self._cases = settings.at(settings.paths.cases)

    def digest(self) -> str:
        """Return a hash of every file that a set is read from."""
        return digest_of((self._metrics, self._policies, self._cases))

    def definitions(self) -> tuple[Layer, Governed]:
        """Return what the files say. Raises LayerInvalid or PolicyInvalid with every problem."""
        layer = load_layer(self._metrics)
        return layer, load_policy(self._policies, layer)

    def examples(self) -> tuple[Example, ...]:
        """Return the questions with known answers. Raises HouseError with every problem."""
        dialect, _ = dialect_of(self._settings.engine.url)
        try:
            return examples_of(load_folder(self._cases), dialect)
        except CasesInvalid as fault:
            raise HouseError(fault.issues) from fault

    def read(self, old: House) -> House:
        """Return the house of the files as they are now, on the old one's engine where roles see the same.

        A new engine is proved before anybody asks it. Raises NotProved and EngineError, too.
        """
        layer, governed = self.definitions()
        examples = self.examples()
        was = old.layer.digest, old.governed.digest, old.examples
        if (layer.digest, governed.digest, examples) == was:
            return old
        new = build_house(self._settings, layer, governed, old.keys, old.now, old)
        new = replace(new, examples=examples)
        if new.engine is not old.engine:
            try:
                require_proof(new)
            except BaseException:
                new.engine.close()
                raise
        return new


def _keys(settings: Settings, traces: Path) -> KeyStore:
    """Open the key store: the master key from the environment if set, else from the project's key file."""
    file = settings.at(settings.paths.keys)
    if os.environ.get(ENVIRONMENT):
        return KeyStore.from_env(file, apart_from=traces)
    return KeyStore.open(file, apart_from=traces)


def build_house(
    settings: Settings,
    layer: Layer,
    governed: Governed,
    keys: KeyStore,
    now: Now,
    old: House | None = None,
) -> House:
    """Hold definitions and policy against the project's one database.

    The engine of an `old` house is kept where every role sees through it what it would see through a new one.
    """
    dialect, schema = dialect_of(settings.engine.url)
    entitlements = Entitlements(layer, governed, dialect, schema, now())
    kept = old.engine if old and _same_view(old, entitlements, governed) else None
    engine = kept or _open(settings, entitlements, governed)
    return House(
        layer=layer,
        words=words_of(layer),
        governed=governed,
        entitlements=entitlements,
        engine=engine,
        keys=keys,
        now=now,
    )


def _same_view(old: House, entitlements: Entitlements, governed: Governed) -> bool:
    """Say whether every role sees through the old engine what it would see through a new one."""
    was, now = _scopes(old.entitlements), _scopes(entitlements)
    return limits_of(old.governed.policy.caps) == limits_of(governed.policy.caps) and (
        {name: scope.relations for name, scope in was.items()}
        == {name: scope.relations for name, scope in now.items()}
    )


def _open(settings: Settings, entitlements: Entitlements, governed: Governed) -> Engine:
    return open_engine(
        settings.engine,
        _scopes(entitlements),
        limits_of(governed.policy.caps),
        folder=settings.folder,
        temp_directory=settings.at(settings.paths.spill),
        extracts=settings.at(settings.paths.extracts),
        members=_members(settings, entitlements),
    )


def _members(settings: Settings, entitlements: Entitlements) -> Mapping[str, tuple[str, ...]]:
    """Return the configured users of each role that is in force for somebody."""
    found: dict[str, tuple[str, ...]] = {}
    for user in settings.identity.users:
        role = entitlements.of(settings.identity.caller(user))
        if role is not None:
            found[role.role_name] = (*found.get(role.role_name, ()), user)
    return found


def _scopes(entitlements: Entitlements) -> Mapping[str, RoleScope]:
    return {role.role_name: scope_of_role(role) for role in entitlements}


def candidate(
    gateway: Gateway, settings: Settings, *, layer: Path | None = None, policy: Path | None = None
) -> House:
    """Return the gateway's house with other definitions or another policy, for a replay against them."""
    house = gateway.house
    definitions = load_layer(layer) if layer else house.layer
    governed = load_policy(policy, definitions) if policy else house.governed
    return build_house(settings, definitions, governed, house.keys, house.now)
