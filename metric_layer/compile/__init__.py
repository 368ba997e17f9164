"""A resolved plan -> one SQL tree, and a role's view of a dataset -> SQL text."""

from metric_layer.compile.role_view import compile_role_view
from metric_layer.compile.statement import compile_plan

__all__ = ["compile_plan", "compile_role_view"]
