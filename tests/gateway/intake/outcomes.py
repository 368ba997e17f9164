"""Outcomes of questions written in one short line each."""

from pathlib import Path

from gateway.intake import Intake, IntakePlan
from metric_layer.plan import Filter, MetricPlan

QUESTIONS = Path(__file__).parent / "questions.txt"
OUTCOMES = {"ask": "ask", "abstain": "no"}


def written(found: Intake) -> str:
    """Return an outcome as the question files write it."""
    if not isinstance(found, IntakePlan):
        return f"{OUTCOMES[found.action]}:{found.reason}"
    plan = found.plan
    parts = [f"m:{','.join(plan.metrics)}"]
    if plan.dimensions:
        parts.append(f"d:{','.join(plan.dimensions)}")
    for each in plan.filters:
        if isinstance(each, Filter):
            sign = "=" if each.op == "in" else "!="
            parts.append(f"f:{each.field}{sign}{','.join(map(str, each.values))}".replace(" ", "~"))
    if plan.time:
        parts.append(f"t:{plan.time.from_}..{plan.time.to}")
        parts.extend([f"g:{plan.time.grain}"] if plan.time.grain else [])
    if found.compared:
        parts.append(f"c:{found.compared.relation}:{found.compared.from_}..{found.compared.to}")
    parts.extend([f"o:{plan.order.by}:{plan.order.dir}"] if plan.order else [])
    parts.extend([f"n:{plan.limit}"] if plan.limit else [])
    return " ".join(parts)


def cases(path: Path = QUESTIONS) -> list[tuple[str, str, str]]:
    """Return (earlier plan's name, question, outcome) of every line."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            question, _, outcome = line.rpartition(" => ")
            name, _, rest = question.rpartition(" >> ")
            found.append((name, rest, outcome))
    return found


def plan_of(outcome: str) -> MetricPlan:
    """Return the plan that a line writes."""
    parts = [(part[0], part[2:].replace("~", " ")) for part in outcome.split()]
    given: dict[str, object] = {"metrics": (), "dimensions": (), "filters": ()}
    filters: list[dict[str, object]] = []
    time: dict[str, object] = {}
    for key, text in parts:
        if key in "md":
            given["metrics" if key == "m" else "dimensions"] = tuple(text.split(","))
        elif key == "f":
            field, _, values = text.partition("!=" if "!=" in text else "=")
            op = "not_in" if "!=" in text else "in"
            filters.append({"field": field, "op": op, "values": tuple(values.split(","))})
        elif key == "t":
            time["from"], _, time["to"] = text.partition("..")
        elif key == "g":
            time["grain"] = text
        elif key == "c":
            given["compare"] = {"kind": text.partition(":")[0]}
        elif key == "o":
            by, _, direction = text.partition(":")
            given["order"] = {"by": by, "dir": direction}
        elif key == "n":
            given["limit"] = int(text)
    return MetricPlan.model_validate({**given, "filters": tuple(filters), "time": time or None})
