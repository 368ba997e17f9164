"""Personal data that a role sees a part of: the mask of each rule."""

from collections.abc import Mapping

from metric_layer.compile import Mask
from metric_layer.compile.masking import MaskKind
from metric_layer.definitions import Column
from metric_layer.plan import Dialect
from policies.mask import MASK

MASKS: Mapping[str, MaskKind] = {
    "mask": "hide",
    "last_four": "last_four",
    "first_letter": "first_letter",
    "domain": "domain",
    "generalise": "generalise",
    "hash": "hash",
}
"""The rules of a policy under which a column is read behind a mask."""


KEEPS_KEYS: frozenset[Dialect] = frozenset(("postgres", "snowflake", "bigquery"))
"""Servers that hash with a key of their own, which no statement of ours has."""


def mask_of(rule: str | None, column: Column, dialect: Dialect) -> Mask | None:
    """Return the mask that a rule puts before a column; None for a rule that is none.

    Where the server hashes by itself, its tokens are what is left.
    """
    kind = MASKS.get(rule or "")
    if kind is None:
        return None
    return Mask("token" if kind == "hash" and dialect in KEEPS_KEYS else kind, MASK, column.type)
