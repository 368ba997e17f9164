"""Keys of hashes in BigQuery: made there, one per tenant, read by the reviewed views and by no asker."""

from collections.abc import Iterator, Mapping

from gateway.engines.base import Identity
from gateway.engines.bigquery_names import ASKER, part, text
from gateway.engines.bigquery_target import Target
from gateway.engines.setup import Setup, commented
from metric_layer.compile import HERE

KEYS = "cellbound_keys"
"""The dataset of the keys: the reviewed dataset's views may read it, and nobody else."""
HELD = "{held}"
"""Stands for the table of the askers' keys, by its full name, in the text of a token."""
_KEY = f"(SELECT held.key FROM {HELD} AS held WHERE held.asker = {ASKER})"
_INNER = f"TO_HEX(SHA256(CONCAT({_KEY}, CAST({HERE} AS STRING))))"
TOKEN = f"LEFT(TO_HEX(SHA256(CONCAT({_KEY}, {_INNER}))), 16)"
"""A value's token under the key of the asker's tenant, the hash of a hash; NULL where there is no key."""
HEAD = """\
-- Keys of hashes, one per tenant, made here and known to no text. Take from the dataset whoever may read it
-- by a role of the project: a new one lets every viewer of the project in. Delete a key, and run this again,
-- to make tokens that nobody can hold against the old ones."""
_MADE = "TO_HEX(SHA256(CONCAT(GENERATE_UUID(), GENERATE_UUID())))"


def held_keys(target: Target) -> str:
    """Return the full name of the table of the askers' keys, quoted."""
    return _table(target, "masks")


def mask_keys(setup: Setup, target: Target) -> Iterator[str]:
    """Yield what makes a key for each tenant and says whose it is; nothing where no role hashes."""
    if not setup.tenants:
        return
    tenants, location = _table(target, "tenants"), text(target.location)
    yield HEAD
    yield f"CREATE SCHEMA IF NOT EXISTS {part(target.project)}.{part(KEYS)} OPTIONS (location = {location});"
    yield f"CREATE TABLE IF NOT EXISTS {tenants} (tenant STRING NOT NULL, key STRING NOT NULL);"
    for tenant in dict.fromkeys(setup.tenants.values()):
        yield f"INSERT INTO {tenants} (tenant, key) SELECT {text(tenant)}, {_MADE} FROM UNNEST([1])"
        yield f"  WHERE NOT EXISTS (SELECT 1 FROM {tenants} WHERE tenant = {text(tenant)});"
    own = _tenants_of(setup, target)
    if shared := [asker for asker, of in own.items() if len(of) > 1]:
        yield commented(
            f"No key, and so no token, for accounts of several tenants: {', '.join(shared)}", "-- "
        )
    alone = [(asker, *of) for asker, of in own.items() if len(of) == 1]
    askers = ",\n  ".join(
        f"STRUCT({text(asker)} AS asker, {text(tenant)} AS tenant)" for asker, tenant in alone
    )
    nobody = "STRUCT('' AS asker, '' AS tenant)"
    yield f"CREATE OR REPLACE TABLE {held_keys(target)} AS SELECT own.asker, made.key"
    yield f"FROM UNNEST([\n  {askers or nobody}"
    yield f"]) AS own JOIN {tenants} AS made ON made.tenant = own.tenant;"


def _tenants_of(setup: Setup, target: Target) -> Mapping[str, tuple[str, ...]]:
    """Return the tenants of each address by which the service knows askers: it tells no two of one apart."""
    found: dict[str, tuple[str, ...]] = {}
    for role in setup.roles:
        for user in role.users:
            asker = target.principal_of(Identity(user, role.name)).lower()
            found[asker] = tuple(dict.fromkeys((*found.get(asker, ()), setup.tenants[user])))
    return found


def _table(target: Target, name: str) -> str:
    return ".".join(map(part, (target.project, KEYS, name)))
