"""A project -> what its database has to hold, written as the SQL or commands of one engine."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal
from urllib.parse import urlsplit

from gateway.engines import bigquery_mask_keys, postgres_mask_keys, snowflake_mask_keys
from gateway.engines.bigquery_setup import bigquery_home, bigquery_setup
from gateway.engines.duckdb_setup import duckdb_setup
from gateway.engines.postgres_setup import postgres_setup
from gateway.engines.setup import Reading, RoleSetup, Setup
from gateway.engines.snowflake_setup import snowflake_home, snowflake_setup
from gateway.house import limits_of
from gateway.settings.file import Settings
from metric_layer.compile import compile_row_rules, mask_text
from metric_layer.definitions import Column
from metric_layer.layer import Layer
from metric_layer.plan import Dialect
from metric_layer.relation import relation_parts
from policies.personal_masks import MASKS, mask_of
from policies.policy import Policy, Role
from policies.visible import personal_rule, role_in_force, visible_to

SetupEngine = Literal["postgres", "snowflake", "bigquery", "duckdb"]
WRITERS: Mapping[SetupEngine, Callable[[Setup], str]] = {
    "postgres": postgres_setup,
    "snowflake": snowflake_setup,
    "bigquery": bigquery_setup,
    "duckdb": duckdb_setup,
}
SCHEMAS: Mapping[SetupEngine, Callable[[str], str]] = {
    "postgres": lambda _: "public",
    "snowflake": lambda url: snowflake_home(url).schema,
    "bigquery": lambda url: bigquery_home(url).dataset,
    "duckdb": lambda _: "main",
}
"""The schema that a bare table name means under the engine's url."""
TOKENS: Mapping[Dialect, str] = {
    "postgres": postgres_mask_keys.TOKEN,
    "snowflake": snowflake_mask_keys.TOKEN,
    "bigquery": bigquery_mask_keys.TOKEN,
}
"""What a server makes a token with."""


def setup_text(settings: Settings, layer: Layer, policy: Policy, engine: SetupEngine) -> str:
    """Return what a person runs so that `doctor` finds nothing. Nothing is connected to.

    Raises LayerInvalid for a row rule that has no one meaning.
    """
    return WRITERS[engine](setup_of(settings, layer, policy, engine))


def setup_of(settings: Settings, layer: Layer, policy: Policy, engine: SetupEngine) -> Setup:
    """Return the roles of a project with their users, what each reads, and the limits of one question."""
    url = settings.engine.url
    schema = SCHEMAS[engine](url)
    roles = tuple(
        RoleSetup(
            name, _users_of(settings, policy, name), _readings(layer, policy.roles[name], engine, schema)
        )
        for name in policy.roles
    )
    return Setup(
        project=settings.project.name,
        url=url,
        login=(urlsplit(url).username or "") if settings.engine.mode == "set_role" else "",
        credentials=settings.engine.credentials,
        connections=settings.engine.connections,
        limits=limits_of(policy.caps),
        roles=roles,
        types={
            dataset.name: {column.name: column.type for column in dataset.columns}
            for dataset in layer.datasets.values()
        },
        parquet=settings.engine.duckdb.paths,
        tenants=_tenants_of(settings, policy),
    )


def _tenants_of(settings: Settings, policy: Policy) -> Mapping[str, str]:
    """Return the tenant of each configured user where some role sees hashes, as each tenant has a key."""
    if not any("hash" in role.personal.values() for role in policy.roles.values()):
        return {}
    return {user: settings.identity.caller(user).tenant for user in settings.identity.users}


def _partly(role: Role, shown: Sequence[Column], dialect: Dialect) -> Iterator[tuple[str, str]]:
    """Yield the columns of which the role sees a part, each with its mask as text of the dialect."""
    for column in shown:
        mask = mask_of(personal_rule(role, column), column, dialect)
        if mask is not None and mask.kind != "hide":
            yield column.name, TOKENS[dialect] if mask.kind == "token" else mask_text(mask, dialect)


def _users_of(settings: Settings, policy: Policy, role: str) -> tuple[str, ...]:
    identity = settings.identity
    return tuple(
        user for user in identity.users if role_in_force(policy.roles, identity.caller(user)) == role
    )


def _readings(layer: Layer, role: Role, dialect: Dialect, schema: str) -> tuple[Reading, ...]:
    visible = visible_to(role, layer)
    found = []
    for dataset in (layer.datasets[each] for each in role.datasets):
        shown = [c for c in dataset.columns if f"{dataset.name}.{c.name}" not in visible.hidden_columns]
        rules = [
            rule
            for rule in role.rows
            if dataset.name in layer.to_one_sources[layer.dimensions[rule.field].dataset]
        ]
        parts = relation_parts(dataset.relation)
        found.append(
            Reading(
                dataset=dataset.name,
                relation=(schema, *parts) if len(parts) == 1 else parts,
                columns=tuple(column.name for column in shown),
                masked=tuple(column.name for column in shown if personal_rule(role, column) in MASKS),
                rules=compile_row_rules(layer, dataset.name, rules, dialect, schema),
                masks=dict(_partly(role, shown, dialect)),
            )
        )
    return tuple(found)
