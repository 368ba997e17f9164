"""Keys of hashes in Snowflake: made there, one per tenant, read by masking policies and by no asker."""

from collections.abc import Iterator

from gateway.engines.setup import Setup
from gateway.engines.snowflake_names import KEYS, literal
from metric_layer.compile import HERE

KEY = (
    f"(SELECT held.KEY FROM {KEYS}.MASKS AS held JOIN {KEYS}.ASKERS AS own ON own.TENANT = held.TENANT"
    " WHERE own.ASKER = UPPER(CURRENT_USER()))"
)
"""The key of the asker's tenant."""
TOKEN = f"LEFT(SHA2({KEY} || SHA2({KEY} || {HERE}, 256), 256), 16)"
"""A value's token under the key of the asker's tenant: the hash of a hash. Without a key NULL."""
HEAD = f"""\
-- Keys of hashes, one per tenant, made here and known to no text; a masking policy reads them with the rights
-- of its owner, and no role is granted anything in their schema.
CREATE SCHEMA IF NOT EXISTS {KEYS} WITH MANAGED ACCESS;
CREATE TABLE IF NOT EXISTS {KEYS}.MASKS (TENANT VARCHAR NOT NULL, KEY VARCHAR NOT NULL);
CREATE OR REPLACE TABLE {KEYS}.ASKERS (ASKER VARCHAR NOT NULL, TENANT VARCHAR NOT NULL);"""
_MADE = "SHA2(UUID_STRING() || UUID_STRING(), 256)"


def mask_keys(setup: Setup) -> Iterator[str]:
    """Yield what makes a key for each tenant and says whose it is; nothing where no role hashes."""
    if not setup.tenants:
        return
    yield HEAD
    for tenant in dict.fromkeys(setup.tenants.values()):
        yield f"INSERT INTO {KEYS}.MASKS SELECT {literal(tenant)}, {_MADE}"
        yield f"  WHERE NOT EXISTS (SELECT 1 FROM {KEYS}.MASKS WHERE TENANT = {literal(tenant)});"
    for user, tenant in setup.tenants.items():
        yield f"INSERT INTO {KEYS}.ASKERS VALUES ({literal(user.upper())}, {literal(tenant)});"
