"""Settings -> layer, policy, engine, stores -> Gateway. The only file that builds."""

import hmac
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from evals.cases import CasesInvalid, examples_of, load_folder
from gateway.engines.base import Engine, RoleScope, scope_of
from gateway.engines.credentials import Logins, secrets_of
from gateway.engines.exchange import TokenExchange
from gateway.engines.open import dialect_of, open_engine
from gateway.engines.present import Present
from gateway.errors import HouseError
from gateway.ground.question import words_of
from gateway.house import House, hashes, limits_of, scope_of_role
from gateway.judges.http import HttpJudge
from gateway.models.configured import KEY_VARIABLE, ConfiguredModel
from gateway.notices.channels import Channel, Mail, Webhook
from gateway.notices.outbox import Notices
from gateway.notices.store import NoticeStore
from gateway.operation.beside import Beside
from gateway.operation.proof import require_proof
from gateway.operation.reload import digest_of
from gateway.playbooks.acceptance import PURPOSE
from gateway.playbooks.load import load_analyses
from gateway.playbooks.parameters import Asking
from gateway.playbooks.shelf import Shelf
from gateway.record.ledger import Ledger
from gateway.replay.artefacts import keep
from gateway.service import Gateway
from gateway.settings.file import NotifySettings, Settings, load_settings
from gateway.settings.sharing import part_of
from gateway.state import StateStore
from gateway.stef.closing import scorer_of
from gateway.stores.attestations import AttestationStore
from gateway.stores.results import ResultStore
from gateway.stores.rows import Database, Place
from metric_layer.catalog import Example
from metric_layer.layer import Layer
from metric_layer.load import load_layer
from policies.entitlement import Entitlements
from policies.load import Governed, load_policy, require_fit
from traces.checkpoint import name_of_project
from traces.keys import ENVIRONMENT, KeyStore
from traces.kms import KeyService
from traces.pins import PinStore
from traces.signed_note import NoteSigner, VerifierKey
from traces.store.base import TraceStore
from traces.store.files import FileTraceStore
from traces.store.index import NAME as INDEX
from traces.store.keeper import CheckpointKeeper
from traces.store.notes import FolderOfNotes
from traces.store.place import store_in_postgres

Now = Callable[[], datetime]
HOLD_PAGE, PERSONAL_PAGE = "/console/holds/", "/console/personal"
EXCHANGE_SECRET = "CELLBOUND_EXCHANGE_SECRET"
JUDGE_TOKEN = "CELLBOUND_JUDGE_TOKEN"


def utc_now() -> datetime:
    """Return the wall clock in UTC."""
    return datetime.now(UTC)


def open_gateway(folder: Path, now: Now = utc_now, *, processes: int = 1) -> Gateway:
    """Open a project folder. Definitions and policy are read and checked before any file is made.

    One of several `processes` that serve it together takes its part of the database's connections.
    """
    settings = part_of(load_settings(folder), processes)
    files = FilesOf(settings)
    digest = files.digest()
    layer, governed = files.definitions()
    examples = files.examples()
    traces = settings.at(settings.paths.traces)
    keys = _keys(settings, traces)
    analyses = files.analyses(layer, keys, now().date())
    house = replace(build_house(settings, layer, governed, keys, now), examples=examples, analyses=analyses)
    results = ResultStore(
        _place(settings, keys, settings.paths.results),
        keys.wrapping_key("results"),
        ttl_seconds=settings.results.minutes * 60,
        clock=now,
    )
    state = StateStore(_place(settings, keys, settings.paths.state), clock=now)
    return Gateway(
        house,
        trace_store(settings, keys, now),
        results,
        state,
        AttestationStore(_place(settings, keys, settings.paths.state, "attestations.sqlite"), clock=now),
        Beside(
            files=files,
            digest=digest,
            notices=_notices(settings.notify, state.notices),
            pins=files.pins(keys, layer, governed),
            index=traces / INDEX,
            runs=settings.at(settings.paths.runs),
            samples=settings.at(settings.paths.samples),
            sample=settings.evals.samples,
            askers=tuple(settings.identity.caller(user) for user in settings.identity.users),
        ),
    )


def open_state(settings: Settings, now: Now) -> StateStore:
    """Open the small state that all who serve the project share, and nothing else. Raises StoreUnusable."""
    keys = _keys(settings, settings.at(settings.paths.traces)) if settings.state.url else None
    return StateStore(_place(settings, keys, settings.paths.state), clock=now)


def _place(settings: Settings, keys: KeyStore | None, file: str, beside: str = "") -> Place:
    """Return where a store keeps its rows: the database of all replicas, or a file (or one beside it).

    A database is told by the `keys` whose it is.
    """
    if settings.state.url and keys is not None:
        mark = hmac.digest(keys.commitment("state"), settings.project.name.encode(), "sha256")
        return Database(settings.state.url, settings.project.name, mark.hex())
    return settings.at(file).with_name(beside) if beside else settings.at(file)


def _notices(settings: NotifySettings, kept: NoticeStore) -> Notices:
    """Return the channels over which reviewers hear of a hold; their secrets come from the environment."""
    channels: list[Channel] = []
    if settings.webhook:
        channels.append(Webhook(settings, os.environ.get("CELLBOUND_WEBHOOK_TOKEN", "")))
    if settings.smtp_host and settings.mail_to:
        user, password = (os.environ.get(f"CELLBOUND_SMTP_{name}", "") for name in ("USER", "PASSWORD"))
        channels.append(Mail(settings, user, password))
    link, drift = _page(settings, HOLD_PAGE), _page(settings, PERSONAL_PAGE)
    return Notices(channels, kept, link=link, drift_link=drift, attempts=settings.attempts)


def _page(settings: NotifySettings, page: str) -> str:
    """Return where people reach a page; empty where the settings do not say."""
    base = settings.base_url.rstrip("/")
    return f"{base}{page}" if base else ""


def _judge(governed: Governed) -> HttpJudge | None:
    """Return the decision model that the policy names; its token comes from the environment."""
    model = governed.policy.judge
    return HttpJudge(model.url, model.seconds, os.environ.get(JUDGE_TOKEN, "")) if model else None


def model_of(settings: Settings, name: str = "") -> ConfiguredModel | None:
    """Return the language model of the settings, or another of the same endpoint; None where none is named.

    Its key comes from the environment.
    """
    named = name or settings.agent.model
    chosen = settings.agent.model_copy(update={"model": named})
    return ConfiguredModel(chosen, os.environ.get(KEY_VARIABLE, "")) if named else None


class FilesOf:
    """The definitions and policies of a project, read again whenever they are asked for."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._metrics = settings.at(settings.paths.metrics)
        self._policies = settings.at(settings.paths.policies)
        self._cases = settings.at(settings.paths.cases)
        self._analyses = settings.at(settings.paths.analyses)

    def digest(self) -> str:
        """Return a hash of every file that a set is read from."""
        return digest_of((self._metrics, self._policies, self._cases, self._analyses))

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

    def analyses(self, layer: Layer, keys: KeyStore, today: date) -> Shelf:
        """Return the saved analyses, held against a layer. Raises AnalysesInvalid with every problem."""
        dialect, _ = dialect_of(self._settings.engine.url)
        asking = Asking(layer, today, loading=True, dialect=dialect)
        return load_analyses(self._analyses, asking, keys.commitment(PURPOSE))

    def pins(self, keys: KeyStore, layer: Layer, governed: Governed) -> PinStore:
        """Return the store of pinned artefacts, with a set in it that is to be in force. Raises OSError."""
        store = PinStore(self._settings.at(self._settings.paths.pins), keys.commitment("pins"))
        keep(store, layer, governed)
        return store

    def read(self, old: House) -> House:
        """Return the house of the files as they are now, on the old one's engine where roles see the same.

        A new engine is proved before anybody asks it. Raises NotProved and EngineError, too.
        """
        layer, governed = self.definitions()
        examples = self.examples()
        analyses = self.analyses(layer, old.keys, old.now().date())
        was = old.layer.digest, old.governed.digest, old.examples, old.analyses.digest
        if (layer.digest, governed.digest, examples, analyses.digest) == was:
            return old
        self.pins(old.keys, layer, governed)
        new = build_house(self._settings, layer, governed, old.keys, old.now, old)
        new = replace(new, examples=examples, analyses=analyses)
        if new.engine is not old.engine:
            try:
                require_proof(new)
            except BaseException:
                new.engine.close()
                raise
        return new


def _keys(settings: Settings, traces: Path) -> KeyStore:
    """Open the key store: its master key from a key service, from the environment, or from its own file."""
    file = settings.at(settings.paths.keys)
    service = key_service(settings)
    if service is not None:
        return KeyStore.from_service(file, service, apart_from=traces)
    if os.environ.get(ENVIRONMENT):
        return KeyStore.from_env(file, apart_from=traces)
    return KeyStore.open(file, apart_from=traces)


def key_service(settings: Settings) -> KeyService | None:
    """Return the program that keeps the master key, if one is configured."""
    command, name = settings.keys.command, settings.project.name
    return KeyService(command, settings.keys.seconds, f"cellbound/{name}") if command else None


def trace_store(settings: Settings, keys: KeyStore, now: Now) -> TraceStore:
    """Return the place where traces go; nothing is opened before the first record."""
    key, keeper = keys.chain_key(), _keeper(settings, keys, now)
    if settings.traces.store:
        return store_in_postgres(settings.traces.store, key, now, keeper, settings.traces.retention)
    return FileTraceStore(settings.at(settings.paths.traces), key, clock=now, keeper=keeper)


def open_ledger(folder: Path, now: Now = utc_now) -> Ledger:
    """Open what was recorded, and nothing else: no definitions, no database, no other store.

    So that records can be checked where nothing else works: on a full disk, without the database.
    """
    settings = load_settings(folder)
    keys = _keys(settings, settings.at(settings.paths.traces))
    return Ledger(trace_store(settings, keys, now), _keeper(settings, keys, now).believed)


def _keeper(settings: Settings, keys: KeyStore, now: Now) -> CheckpointKeeper:
    """Return what signs checkpoints under the project's name and keeps them in the second place, too."""
    name = name_of_project(settings.project.name)
    second = settings.traces.checkpoints
    signer = NoteSigner(name, keys.signing_key().private)
    return CheckpointKeeper(
        signer,
        [signer.verifier, *(VerifierKey(name, key) for key in keys.verifier_keys().values())],
        now,
        FolderOfNotes(settings.at(second)) if second else None,
    )


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
    scorer = scorer_of(settings, layer)
    kept = old.engine if old and _same_view(old, entitlements, governed) else None
    present = old.present if old else Present()
    engine = kept or _open(settings, entitlements, governed, keys, present)
    return House(
        layer=layer,
        words=words_of(layer),
        governed=governed,
        entitlements=entitlements,
        engine=engine,
        keys=keys,
        now=now,
        judge=_judge(governed),
        model=model_of(settings),
        present=present,
        scorer=scorer,
        hold_page=_page(settings.notify, HOLD_PAGE),
    )


def _same_view(old: House, entitlements: Entitlements, governed: Governed) -> bool:
    """Say whether every role sees through the old engine what it would see through a new one."""
    any_tenant = ("any",)
    was = _scopes(old.entitlements, old.keys, any_tenant)
    now = _scopes(entitlements, old.keys, any_tenant)
    return limits_of(old.governed.policy.caps) == limits_of(governed.policy.caps) and (
        {name: scope.relations for name, scope in was.items()}
        == {name: scope.relations for name, scope in now.items()}
    )


def _open(
    settings: Settings, entitlements: Entitlements, governed: Governed, keys: KeyStore, present: Present
) -> Engine:
    return open_engine(
        settings.engine,
        _scopes(entitlements, keys, _tenants(settings)),
        limits_of(governed.policy.caps),
        folder=settings.folder,
        temp_directory=settings.at(settings.paths.spill),
        extracts=settings.at(settings.paths.extracts),
        logins=Logins(_members(settings, entitlements), _exchange(settings, present)),
    )


def _exchange(settings: Settings, present: Present) -> TokenExchange | None:
    """Return what exchanges an asker's token for one of the database's; its secret is in the environment."""
    exchange = settings.engine.exchange
    if not exchange.url:
        return None
    otherwise = secrets_of(exchange.otherwise, settings.folder)
    return TokenExchange(exchange, os.environ.get(EXCHANGE_SECRET, ""), present, otherwise)


def _members(settings: Settings, entitlements: Entitlements) -> Mapping[str, tuple[str, ...]]:
    """Return the configured users of each role that is in force for somebody."""
    found: dict[str, tuple[str, ...]] = {}
    for user in settings.identity.users:
        role = entitlements.of(settings.identity.caller(user))
        if role is not None:
            found[role.role_name] = (*found.get(role.role_name, ()), user)
    return found


def _scopes(entitlements: Entitlements, keys: KeyStore, tenants: Iterable[str]) -> Mapping[str, RoleScope]:
    """Return what each role sees; one that sees hashes has a scope for each tenant, with its own key."""
    found = {role.role_name: scope_of_role(role, keys) for role in entitlements}
    for role in filter(hashes, entitlements):
        found |= {scope_of(role.role_name, each): scope_of_role(role, keys, each) for each in tenants}
    return found


def _tenants(settings: Settings) -> tuple[str, ...]:
    """Return every tenant that the settings name."""
    identity = settings.identity
    users = (identity.caller(user).tenant for user in identity.users)
    return tuple(dict.fromkeys((*users, identity.oidc.tenant)))


def candidate(
    gateway: Gateway, settings: Settings, *, layer: Path | None = None, policy: Path | None = None
) -> House:
    """Return the gateway's house with other definitions or another policy, for a replay against them."""
    house = gateway.house
    definitions = load_layer(layer) if layer else house.layer
    governed = load_policy(policy, definitions) if policy else require_fit(house.governed, definitions)
    return build_house(settings, definitions, governed, house.keys, house.now)
