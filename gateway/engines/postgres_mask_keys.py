"""Keys of hashes in PostgreSQL: made there, one per tenant, read by the reviewed views and by no asker."""

from collections.abc import Iterator

from gateway.engines.postgres_names import text
from gateway.engines.setup import Setup
from metric_layer.compile import HERE

KEYS = "cellbound_keys"
"""The schema of the keys: nobody is granted anything in it, and no later run drops it."""
_KEY = (
    f"(SELECT held.key FROM {KEYS}.masks AS held JOIN {KEYS}.askers AS own ON own.tenant = held.tenant"
    " WHERE own.asker = current_user)"
)
_INNER = f"encode(sha256(convert_to({_KEY} || {HERE}::text, 'UTF8')), 'hex')"
TOKEN = f"left(encode(sha256(convert_to({_KEY} || {_INNER}, 'UTF8')), 'hex'), 16)"
"""A value's token under the key of the asker's tenant, the hash of a hash; NULL where there is no key."""
HEAD = """\
-- Keys of hashes, one per tenant, made here and known to no text. Delete one, and run this again, to make
-- tokens that nobody can hold against the old ones."""
TABLES = f"""\
CREATE SCHEMA IF NOT EXISTS {KEYS};
CREATE TABLE IF NOT EXISTS {KEYS}.masks (tenant text PRIMARY KEY, key text NOT NULL);
CREATE TABLE IF NOT EXISTS {KEYS}.askers (asker name PRIMARY KEY, tenant text NOT NULL);
REVOKE ALL ON SCHEMA {KEYS} FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA {KEYS} FROM PUBLIC;
DELETE FROM {KEYS}.askers;"""
_MADE = "encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex')"


def mask_keys(setup: Setup) -> Iterator[str]:
    """Yield what makes a key for each tenant and says whose it is; nothing where no role hashes."""
    if not setup.tenants:
        return
    yield HEAD
    yield TABLES
    for tenant in dict.fromkeys(setup.tenants.values()):
        yield f"INSERT INTO {KEYS}.masks VALUES ({text(tenant)}, {_MADE}) ON CONFLICT (tenant) DO NOTHING;"
    for user, tenant in setup.tenants.items():
        yield f"INSERT INTO {KEYS}.askers VALUES ({text(user)}, {text(tenant)});"
