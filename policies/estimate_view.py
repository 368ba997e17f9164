"""What an asker reads of an estimate: nothing that tells of rows a role's own rules keep from it."""

from math import floor, isfinite, log10

from policies.policy import Role
from traces.records import Estimate


def shown_estimate(estimate: Estimate, role: Role) -> Estimate:
    """Return the estimate as the role may read it.

    A database estimates over base tables. Under row rules, of the policy or of the database itself, the parts
    of the plan are left out, and rows, bytes and cost keep one significant digit.
    """
    if not role.rows and not estimate.row_secured:
        return estimate
    return estimate.model_copy(
        update={
            "rows": None if estimate.rows is None else int(_rounded(estimate.rows)),
            "bytes": None if estimate.bytes is None else int(_rounded(estimate.bytes)),
            "cost": None if estimate.cost is None else _rounded(estimate.cost),
            "scans": (),
            "joins": (),
        }
    )


def _rounded(value: float) -> float:
    """Return a number with one significant digit; what is no finite number stays."""
    if not value or not isfinite(value):
        return value
    return round(value, -floor(log10(abs(value))))
