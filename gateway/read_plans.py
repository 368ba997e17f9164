"""Plans by the JSON that they came as: one that comes again is looked up, not read again."""

from gateway.remembered import Remembered
from metric_layer.issues import Issue
from metric_layer.parse import parse_plan
from metric_layer.plan import MetricPlan

LONGEST = 8_192
"""Characters of a plan that is kept: a longer one lists values that hardly come again."""


class ReadPlans:
    """Reads plans as `parse_plan` does. Safe from any thread."""

    def __init__(self) -> None:
        """Know none yet."""
        self._known: Remembered[str, MetricPlan] = Remembered()

    def read(self, raw: object) -> MetricPlan | tuple[Issue, ...]:
        """Return a plan, or every problem of it."""
        written = repr(raw) if isinstance(raw, dict) else ""
        if not written or len(written) > LONGEST:
            return parse_plan(raw)
        known = self._known.found(written)
        if known is not None:
            return known
        found = parse_plan(raw)
        return self._known.put(written, found) if isinstance(found, MetricPlan) else found
