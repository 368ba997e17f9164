"""Personal data that a role sees a part of: the mask of each rule."""

from collections.abc import Mapping

from metric_layer.compile import Mask
from metric_layer.compile.masking import MaskKind
from metric_layer.definitions import Column
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


def mask_of(rule: str | None, column: Column) -> Mask | None:
    """Return the mask that a rule puts before a column; None for a rule that is none."""
    kind = MASKS.get(rule or "")
    return Mask(kind, MASK, column.type) if kind else None
