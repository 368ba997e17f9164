"""A resolved plan -> one SQL tree and the query that guards it; a key -> its attestation; a role's view."""

from metric_layer.compile.attest import compile_attestation, compile_duplicates, compile_levels
from metric_layer.compile.guard import Suspect, compile_guard, counted_rows, suspects
from metric_layer.compile.leaves import RowsRead, rows_read
from metric_layer.compile.masking import HERE, IS_TOKEN, KEY, Mask, mask_text
from metric_layer.compile.role_view import compile_role_view
from metric_layer.compile.row_rule import RowRule, compile_row_rules
from metric_layer.compile.statement import compile_plan
from metric_layer.compile.tables import relation_text, select_text
from metric_layer.compile.travel import TRAVELLING, as_of
from metric_layer.compile.watermark import below, compile_watermarks, last_day, mark_of, marked_days, until

__all__ = [
    "HERE",
    "IS_TOKEN",
    "KEY",
    "TRAVELLING",
    "Mask",
    "RowRule",
    "RowsRead",
    "Suspect",
    "as_of",
    "below",
    "compile_attestation",
    "compile_duplicates",
    "compile_guard",
    "compile_levels",
    "compile_plan",
    "compile_role_view",
    "compile_row_rules",
    "compile_watermarks",
    "counted_rows",
    "last_day",
    "mark_of",
    "marked_days",
    "mask_text",
    "relation_text",
    "rows_read",
    "select_text",
    "suspects",
    "until",
]
