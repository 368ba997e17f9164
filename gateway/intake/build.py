"""From what was said to a plan, with every rule that a plan from words must keep."""

from dataclasses import dataclass, replace

from gateway.ground.lexing.lexicon import words
from gateway.intake.comparing import days_of, plan_compare
from gateway.intake.follow import Scope, inherit
from gateway.intake.prepared import Prepared
from gateway.intake.said import Said
from gateway.intake.tokens import tokens
from gateway.intake.windows import When
from metric_layer.asked_periods import ONE_DAY
from metric_layer.asked_shift import period_before
from metric_layer.definitions import Metric
from metric_layer.plan import Filter, Grain, MetricPlan, Order, Window
from metric_layer.visible import Visible

BASES: dict[str, tuple[Grain, Grain]] = {
    "quarter": ("quarter", "fiscal_quarter"),
    "year": ("year", "fiscal_year"),
    "fiscal_quarter": ("quarter", "fiscal_quarter"),
    "fiscal_year": ("year", "fiscal_year"),
}
WORSE = words(
    "waste shrink return returned refund refunded complaint stockout churn cost expense error defect "
    "delay late loss cancellation cancelled incident outage downtime scrap debt overdue absence turnover "
    "risk claim bounce failure failed time missed wait waiting infection mortality death accident injury "
    "readmission dropout attrition breakdown fault overtime emission"
)
BACKWARDS = frozenset(("previous", "prior", "preceding", "last"))
TIME_UNITS = words("second seconds s minute minutes min hour hours h day days d week weeks month months")
SHARES = frozenset(("percent", "%", "ratio", "rate"))


@dataclass(frozen=True, slots=True)
class Build:
    """Builds the plan of one question. Problems are noted in `said`; a plan comes back only where none is."""

    said: Said
    words: Prepared
    when: When
    previous: MetricPlan | None
    visible: Visible

    def plan(self) -> MetricPlan | None:
        """Return the plan, or None when something stands in the way."""
        self._counts()
        scope = self._scope()
        if self.previous is not None and not self.said.says_anything and not self.said.problems:
            self.said.ask("missing_metric", "metric")
        if not scope.metrics and not self.said.has_metric and not self._lacks("unknown_metric"):
            self.said.ask("missing_metric", "metric")
        self._allowed(scope)
        scope = self._ordered(scope)
        if self.said.problems or not scope.metrics:
            return None
        time, compared = self._window(scope), self.when.compare
        if self._stands_still(scope, time):
            return None
        calendar = self.words.layer.calendar
        return MetricPlan(
            metrics=scope.metrics,
            dimensions=scope.dimensions,
            filters=scope.filters,
            time=time,
            compare=plan_compare(compared, time, calendar, self.when.today) if compared and time else None,
            order=scope.order,
            limit=scope.limit,
        )

    def _stands_still(self, scope: Scope, time: Window | None) -> bool:
        """Ask back where "the previous quarter" is the very one that the plan before it was about already."""
        main, before = self.when.main, self.previous
        if before is None or before.time is None or time is None or main is None or not self.when.fresh:
            return False
        inherited = before.metrics, before.dimensions, before.time.grain, before.filters, before.order
        same = (scope.metrics, scope.dimensions, scope.grain, scope.filters, scope.order) == inherited
        days = (time.from_, time.to) == (before.time.from_, before.time.to)
        if not (same and days and main.which in BACKWARDS) or self.when.compare or before.compare:
            return False
        earlier = period_before(self.words.layer.calendar, main)
        windows = [window for window in (main.window, earlier) if window is not None]
        self.said.ask("ambiguous_date", main.text, [days_of(window) for window in windows])
        return True

    def _lacks(self, reason: str) -> bool:
        return any(problem.reason == reason for problem in self.said.problems)

    def _scope(self) -> Scope:
        said = self.said
        self._apart()
        grain = self._grain()
        if self.previous is not None:
            return inherit(said, grain, self.previous)
        for name in said.dropped:  # there is nothing to take it from
            said.ask("ambiguous_value", name)
        if "included" in said.flags:  # "sales including the North" may mean more than the North
            said.ask("ambiguous_value", "including")
        filters = [self._filter(name) for name in dict.fromkeys(each.dimension for each in said.kept)]
        return Scope(tuple(said.metrics), tuple(said.breakdown), grain, tuple(filters), None, None)

    def _filter(self, dimension: str) -> Filter:
        """Return what is kept of a dimension; beside values to keep, others left out say nothing more."""
        kept = [k.value for k in self.said.kept if k.dimension == dimension and not k.negated]
        left_out = [k.value for k in self.said.kept if k.dimension == dimension and k.negated]
        for value in dict.fromkeys(value for value in kept if value in left_out):
            self.said.ask("ambiguous_value", value, (f"{dimension}:{value}",))
        values = tuple(dict.fromkeys(kept or left_out))
        return Filter(field=dimension, op="in" if kept else "not_in", values=values)

    def _apart(self) -> None:
        """ "North versus South" and "separately" split by the dimension of the values named."""
        said = self.said
        if not said.flags & {"separately", "compare", "each"}:
            return
        several = [
            dimension
            for dimension in dict.fromkeys(each.dimension for each in said.kept)
            if len({k.value for k in said.kept if k.dimension == dimension and not k.negated}) > 1
        ]
        if len(several) > 1:  # "web in the North versus app in the South" names pairs
            said.ask("ambiguous_value", " / ".join(several), tuple(f"by {name}" for name in several))
        for dimension in several:
            if dimension not in said.breakdown:
                said.breakdown.append(dimension)
        compared = (
            self.when.compare or said.compared or said.breakdown or said.grains or len(said.metrics) > 1
        )
        if "compare" in said.flags and not compared and not said.problems:
            said.ask("missing_dimension", "comparison")
        if not several and "separately" in said.flags and not said.breakdown and not said.problems:
            said.ask("missing_dimension", "breakdown")

    def _grain(self) -> Grain | None:
        """Return the grain asked for; quarters and years go by the calendar the window was said in."""
        grains = list(dict.fromkeys(self.said.grains))
        if len(grains) > 1:
            self.said.ask("ambiguous_value", " / ".join(grains), grains)
        if not grains:
            return None
        main = self.when.main
        if grains[0] not in BASES or self.said.by_fiscal_word or main is None:
            return grains[0]
        plain, fiscal = BASES[grains[0]]
        if main.fiscal:
            return fiscal
        return plain if main.kind in ("year", "calendar_year") else grains[0]

    def _counts(self) -> None:
        """ "Number of" goes with counts, "value of" with amounts; else another metric may be meant."""
        metrics = [self.words.layer.metrics[name] for name in self.said.metrics]
        for flag in self.said.flags:
            kind, _, text = flag.partition(":")
            if kind == "number_of" and metrics and not any(_is_count(metric) for metric in metrics):
                self.said.abstain("unknown_metric", f"{text} {self.said.metrics[0]}")
            if kind == "amount_of" and "value" in text and metrics and all(_is_count(m) for m in metrics):
                self.said.abstain("unknown_metric", f"{text} {self.said.metrics[0]}")
        moves = bool(self.said.movement) and not (self.when.compare or self.said.grains or self.said.compared)
        if moves and not (self.previous and self.previous.time and self.previous.time.grain):
            self.said.abstain("unknown_metric", self.said.movement)

    def _allowed(self, scope: Scope) -> None:
        """Note each dimension that the definition of a metric does not go with."""
        asked = [*scope.dimensions, *(each.field for each in scope.filters if isinstance(each, Filter))]
        for metric in scope.metrics:
            allowed = self.words.allowed.get(metric, frozenset())
            for dimension in dict.fromkeys(asked):
                if dimension not in allowed:
                    near = sorted(name for name in allowed if self._is_shown(name))
                    self.said.abstain("incompatible_dimension", f"{metric} by {dimension}", near)

    def _is_shown(self, dimension: str) -> bool:
        return self.visible.dimension(self.words.layer.dimensions[dimension])

    def _ordered(self, scope: Scope) -> Scope:
        said = self.said
        if said.order_dimension:
            return self._by_dimension(scope)
        wanted = bool(said.direction or said.order_metrics or "sorting" in said.flags)
        if not wanted:
            if said.limit:
                said.ask("ambiguous_value", str(said.limit), ("top", "bottom"))
            return scope
        if not scope.dimensions and not scope.grain:
            said.ask("missing_dimension", "breakdown")
            return scope
        named = list(dict.fromkeys(said.order_metrics)) or list(scope.metrics)
        if len(named) != 1:
            if named:
                said.ask("ambiguous_metric", "order", named)
            return scope
        self._judged(scope, named[0])
        direction = said.direction or "desc"
        one = said.ranked and "one_row" in said.flags
        kept = scope.limit if scope.order is not None and not said.ranked else None
        limit = said.limit or (1 if one else kept)
        return replace(scope, order=Order.model_validate({"by": named[0], "dir": direction}), limit=limit)

    def _judged(self, scope: Scope, name: str) -> None:
        """Ask where the words do not say which rows come first, or of what the first ones are."""
        said = self.said
        if "judged" in said.flags and self._is_bad(name):
            said.ask("ambiguous_value", "best or worst", ("highest", "lowest"))
        if "timed" in said.flags and self.words.layer.metrics[name].unit.lower() not in TIME_UNITS:
            said.ask("ambiguous_value", "longest or shortest", ("highest", "lowest"))
        limited = said.limit or (said.ranked and "one_row" in said.flags)
        others = [*scope.dimensions[1:], *((scope.grain,) if scope.grain and scope.dimensions else ())]
        if limited and others:  # "top 3 products in each region" are three in all, or three a region
            said.ask(
                "ambiguous_value", str(said.limit or 1), ("of all rows", *(f"of each {o}" for o in others))
            )

    def _is_bad(self, name: str) -> bool:
        """Tell whether more of a metric may well be worse, so that "best" does not say which way."""
        metric = self.words.layer.metrics[name]
        said = {token.fold for text in (name.replace("_", " "), metric.label) for token in tokens(text)}
        return bool(said & WORSE)

    def _by_dimension(self, scope: Scope) -> Scope:
        name = self.said.order_dimension
        if name not in scope.dimensions:
            self.said.ask("missing_dimension", name, (f"by {name}",))
            return scope
        given = {"by": name, "dir": self.said.direction or "asc"}
        return replace(scope, order=Order.model_validate(given), limit=self.said.limit or None)

    def _window(self, scope: Scope) -> Window | None:
        main = self.when.main
        if main is None or main.window is None:
            return None
        fields = {self.words.layer.metrics[name].time_field for name in scope.metrics}
        first, after = main.window
        given = {
            "field": fields.pop() if len(fields) == 1 else None,
            "from": first,
            "to": after - ONE_DAY,
            "grain": scope.grain,
        }
        return Window.model_validate(given)


def _is_count(metric: Metric) -> bool:
    """Tell whether a metric counts things: no currency and no share."""
    unit = metric.unit
    currency = len(unit) == 3 and unit.isupper()
    return not currency and unit.lower() not in SHARES
