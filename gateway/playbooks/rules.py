"""What a saved analysis must satisfy at load: names exist, its example call resolves, its SQL is pinned."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from gateway.ground.derived.slots import SLOT
from gateway.playbooks.acceptance import accepted
from gateway.playbooks.definition import (
    Analysis,
    DateParameter,
    IntegerParameter,
    Parameter,
    PeriodParameter,
    Step,
    ValueParameter,
)
from gateway.playbooks.filling import PRINTED, filled, names_in
from gateway.playbooks.parameters import Asking, Given, allowed_values, bind, default_issue
from gateway.playbooks.statements import PARTS as SQL_PARTS
from gateway.playbooks.statements import names_in_sql, used_in_sql
from metric_layer.issues import Issue
from metric_layer.parse import parse_plan
from metric_layer.plan import MetricPlan
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.settle import Words
from metric_layer.sql.parameters import NotBindable
from metric_layer.unread import unread
from metric_layer.validate import Pointer
from metric_layer.visible import Visible
from metric_layer.vocabulary import near

PARTS = ("from", "to")
Placed = tuple[Pointer, Issue]
Plans = Mapping[str, MetricPlan | tuple[Issue, ...]]


def plans_of(analysis: Analysis, bound: Mapping[str, Given], asking: Asking) -> Plans:
    """Return each step's plan with its parameters, under the layer's own names, or what is wrong with it."""
    found: dict[str, MetricPlan | tuple[Issue, ...]] = {}
    for step in analysis.steps:
        if step.plan is None:
            continue
        raw = filled(step.plan, bound)
        plan = parse_plan(raw)
        everything = Words(asking.layer, Visible(), {})
        found[step.id] = _settled(plan, asking) if isinstance(plan, MetricPlan) else unread(raw, everything)
    return found


def _settled(plan: MetricPlan, asking: Asking) -> MetricPlan | tuple[Issue, ...]:
    """Return a plan under the layer's own names, for somebody who may see everything."""
    found = resolve(
        plan, asking.layer, visible=Visible(), choices={}, today=asking.today, allow=("draft", "expired")
    )
    return found.plan if isinstance(found, ResolvedPlan) else found


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules over one analysis; every problem comes with its place in the file's values."""

    analysis: Analysis
    asking: Asking
    key: bytes

    def issues(self) -> Iterator[Placed]:
        """Yield all that is wrong. The example is tried only where the names are sound."""
        found = [*self.of_parameters(), *self._steps(), *self._used()]
        yield from found
        if not found:
            yield from self._example()

    def of_parameters(self) -> Iterator[Placed]:
        """Yield what is wrong with the parameters alone; only sound ones can be given a value."""
        yield from self._names()
        yield from self._parameters()

    def _names(self) -> Iterator[Placed]:
        for what, names in (
            ("parameters", [p.name for p in self.analysis.parameters]),
            ("steps", [s.id for s in self.analysis.steps]),
        ):
            twice = [name for name, count in Counter(names).items() if count > 1]
            for name in twice:
                step = "Give each a name of its own."
                yield (
                    (what, names.index(name)),
                    _issue("duplicate_name", f"{name!r} is there twice.", name, step),
                )

    def _parameters(self) -> Iterator[Placed]:
        for index, parameter in enumerate(self.analysis.parameters):
            unsound = tuple(self._parameter(parameter))
            yield from ((("parameters", index), issue) for issue in unsound)
            wrong = None if unsound else default_issue(parameter, self.asking)
            if wrong is not None:
                yield ("parameters", index, "default"), wrong

    def _parameter(self, parameter: Parameter) -> Iterator[Issue]:
        dimensions = self.asking.layer.dimensions
        match parameter:
            case ValueParameter() if parameter.dimension not in dimensions:
                close = near(parameter.dimension, tuple(dimensions))
                message = f"The layer has no dimension {parameter.dimension!r}."
                yield _issue("unknown_dimension", message, parameter.dimension, "Name one it has.", close)
            case ValueParameter() if not allowed_values(parameter, self.asking.layer):
                message = f"Nothing says which values {parameter.name} may have."
                step = "List them under `values`, here or at the dimension."
                yield _issue("no_allowed_values", message, parameter.dimension, step)
            case ValueParameter():
                yield from self._foreign_values(parameter)
            case IntegerParameter(minimum=least, maximum=most) if least > most:
                yield _reversed(parameter.name, f"{least} to {most}")
            case DateParameter(minimum=date() as first, maximum=date() as last) if first > last:
                yield _reversed(parameter.name, f"{first} to {last}")

    def _foreign_values(self, parameter: ValueParameter) -> Iterator[Issue]:
        known = [value.value for value in self.asking.layer.dimensions[parameter.dimension].values]
        for value in parameter.values:
            if known and value not in known:
                message = f"{parameter.dimension} has no value {value!r}."
                yield _issue("unknown_value", message, value, "Name one it has.", near(value, known))

    def _steps(self) -> Iterator[Placed]:
        known = {parameter.name: parameter for parameter in self.analysis.parameters}
        for index, step in enumerate(self.analysis.steps):
            at: Pointer = ("steps", index)
            yield from ((at, issue) for issue in self._kind(step))
            for path, name, part in names_in(step.plan):
                issue = _reference(name, part, known)
                if issue is not None:
                    yield (*at, "plan", *path), issue
            yield from (((*at, "sql"), issue) for issue in self._in_sql(step, known))
            for issue in _slots(step, known):
                yield (*at, "wording"), issue

    def _kind(self, step: Step) -> Iterator[Issue]:
        if (step.plan is None) == (not step.sql):
            message = f"Step {step.id} is a plan or accepted SQL, one of the two."
            yield _issue(
                "plan_or_sql", message, step.id, "Write `plan`, or take SQL in with `analyses accept`."
            )
        elif step.plan is not None and step.accepted is not None:
            message = f"Step {step.id} is a plan, which nobody has to accept."
            yield _issue("plan_or_sql", message, step.id, "Leave `accepted` out.")
        elif step.sql and not self._accepted(step):
            yield _issue(
                "sql_not_accepted",
                f"The SQL of step {step.id} is not the one that was accepted in this project.",
                step.accepted.hold if step.accepted else "",
                "Undo the change, or have the new SQL reviewed and run `cellbound analyses accept HOLD`.",
            )

    def _accepted(self, step: Step) -> bool:
        """Say whether SQL is what was accepted; what does not parse cannot be."""
        try:
            parameters = used_in_sql(step, self.analysis, self.asking.dialect)
        except NotBindable:
            return False
        return accepted(step, self.key, parameters)

    def _in_sql(self, step: Step, known: Mapping[str, Parameter]) -> Iterator[Issue]:
        """Yield what is wrong with the parameters of a statement that was accepted."""
        if not step.sql or not self._accepted(step):
            return
        for name, part in names_in_sql(step, self.analysis, self.asking.dialect):
            issue = _reference(name, part, known, SQL_PARTS)
            if issue is not None:
                yield issue

    def _used(self) -> Iterator[Placed]:
        used = {name for step in self.analysis.steps for _, name, _ in names_in(step.plan)}
        for step in self.analysis.steps:
            if self._accepted(step):
                used |= {name for name, _ in names_in_sql(step, self.analysis, self.asking.dialect)}
        for index, parameter in enumerate(self.analysis.parameters):
            if parameter.name not in used:
                message = f"No step uses the parameter {parameter.name}."
                told = f"Put ${parameter.name} into a plan, or drop it."
                yield ("parameters", index), _issue("unused_parameter", message, parameter.name, told)

    def _example(self) -> Iterator[Placed]:
        """Yield why the example call does not work."""
        bound = bind(self.analysis, self.analysis.example, self.asking)
        if isinstance(bound, tuple):
            for issue in bound:
                yield ("example", issue.path.rsplit("/", 1)[-1]), issue
            return
        plans = plans_of(self.analysis, bound, self.asking)
        for index, step in enumerate(self.analysis.steps):
            found = plans.get(step.id, ())
            issues = found if isinstance(found, tuple) else ()
            yield from ((("steps", index, "plan", *_pointer(issue.path)), issue) for issue in issues)


def _reversed(name: str, bounds: str) -> Issue:
    message = f"The bounds of {name} leave nothing between them."
    return _issue("reversed_bounds", message, bounds, "Turn them around.")


def _reference(
    name: str, part: str, known: Mapping[str, Parameter], of_period: tuple[str, ...] = PARTS
) -> Issue | None:
    parameter = known.get(name)
    if parameter is None:
        step = "Declare it under `parameters`; write $$ for a dollar sign."
        message = f"${name} is no parameter of this analysis."
        return _issue("unknown_parameter", message, f"${name}", step, near(name, tuple(known)))
    parts = of_period if isinstance(parameter, PeriodParameter) else ()
    if part and part not in parts:
        message = f"${name} has no part {part!r}."
        step = f"Its parts are: {', '.join(parts)}." if parts else f"Write ${name}."
        return _issue("unknown_part", message, part, step, near(part, parts))
    if isinstance(parameter, PeriodParameter) and not part:
        message = f"${name} is a period; a plan takes its days."
        return _issue("unknown_part", message, f"${name}", f"Write ${name}.from and ${name}.to.")
    return None


def _slots(step: Step, known: Mapping[str, Parameter]) -> Iterator[Issue]:
    """Yield the slots of a sentence that name no parameter, or no figure that is declared."""
    declared = tuple(each.id for each in step.declare)
    for slot in PRINTED.finditer(step.wording):
        if slot["name"] not in known:
            message = f"{slot.group()} names no parameter."
            yield _issue("bad_slot", message, slot["name"], "Name one.", near(slot["name"], tuple(known)))
    for slot in SLOT.finditer(step.wording):
        body = slot["body"].strip()
        if slot["kind"] == "d" and body not in declared:
            step_said = "Declare it under `declare`."
            yield _issue(
                "bad_slot", f"{slot.group()} is not declared.", body, step_said, near(body, declared)
            )
        elif slot["kind"] not in "cdp":
            message = f"{slot.group()} is no slot."
            yield _issue(
                "bad_slot", message, slot["kind"], "Slots are {{c:ROW.COLUMN}}, {{d:ID}}, {{p:NAME}}."
            )


def _pointer(path: str) -> Pointer:
    parts = (part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:])
    return tuple(int(part) if part.isdecimal() else part for part in parts)


def _issue(code: str, message: str, seen: str, step: str, close: Iterable[str] = ()) -> Issue:
    return Issue(code=code, message=message, seen=seen, next_step=step, candidates=tuple(close))
