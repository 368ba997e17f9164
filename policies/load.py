"""A folder of policy YAML -> one policy with its hashes, or all issues with file, line and column."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from hashlib import sha256
from pathlib import Path

from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.record import Record
from metric_layer.source import Source, read_model, read_source
from metric_layer.validate import Pointer, Problem, pointer_text, read_value
from metric_layer.vocabulary import near
from policies.judge_issues import judge_issues
from policies.policy import Lines, Measures, Policy, Role
from policies.release_issues import release_issues


class PolicyInvalid(Exception):
    """The policy cannot be used; `issues` holds every problem with its place."""

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__("; ".join(issue.message for issue in issues))
        self.issues = tuple(issues)


@dataclass(frozen=True, slots=True)
class Governed:
    """A policy with the hashes a trace pins: all of it, and its thresholds alone."""

    policy: Policy
    digest: str
    thresholds: str


def load_policy(folder: Path, layer: Layer) -> Governed:
    """Read the one policy file of a folder, or that file, and hold it against the layer it governs."""
    files = sorted((*folder.glob("*.yml"), *folder.glob("*.yaml"))) if folder.is_dir() else []
    if folder.is_file():
        files = [folder]
    if len(files) != 1:
        seen = ", ".join(file.name for file in files) or "none"
        raise PolicyInvalid(
            (
                Issue(
                    code="no_policy" if not files else "several_policies",
                    message=f"A project has exactly one policy file; {folder.name}/ holds {seen}.",
                    place=folder.name,
                    seen=seen,
                    next_step="Keep one policies/*.yml.",
                ),
            )
        )
    found = read_model(files[0], Policy)
    if not isinstance(found, Policy):
        issues = (*found, *_placed(_readable_roles(files[0], layer), files[0]))
        raise PolicyInvalid(tuple(_within(issues, folder)))
    issues = tuple(_placed(_against(found, layer, ""), files[0]))
    if issues:
        raise PolicyInvalid(tuple(_within(issues, folder)))
    return govern(found)


def _within(issues: Iterable[Issue], folder: Path) -> Iterator[Issue]:
    """Yield issues with their places as a project says them, `policies/FILE:LINE:COLUMN`."""
    above = f"{folder.parent}{os.sep}" if folder.is_dir() else ""
    for issue in issues:
        yield issue.model_copy(update={"place": issue.place.removeprefix(above)})


def _readable_roles(file: Path, layer: Layer) -> Iterator[Issue]:
    """Yield what is wrong with the roles of a policy that is not right as a whole, as far as they are."""
    source = read_source(file, as_far_as_it_goes=True)
    if isinstance(source, list) or not isinstance(source.data, dict):
        return
    roles = source.data.get("roles")
    for name, raw in roles.items() if isinstance(roles, dict) else ():
        role = _readable(source, raw, ("roles", name))
        if isinstance(role, Role):
            yield from _role_issues(name, role, layer, "")


def _readable(source: Source, raw: object, base: Pointer) -> Role | list[Problem]:
    """Return a role without the keys that cannot be read."""
    validate = partial(Role.model_validate, strict=True)
    found = read_value(raw, validate, Role, texts=source.texts, base=base)
    if isinstance(found, Role) or not isinstance(raw, dict):
        return found
    wrong = {problem.pointer[len(base)] for problem in found if len(problem.pointer) > len(base)}
    rest = {key: value for key, value in raw.items() if key not in wrong}
    return read_value(rest, validate, Role, texts=source.texts, base=base)


def _placed(issues: Iterable[Issue], file: Path) -> Iterator[Issue]:
    """Yield issues with the line and column of what they are about."""
    source = read_source(file, as_far_as_it_goes=True)
    for issue in issues:
        place = source.place_at(issue.path) if isinstance(source, Source) else str(file)
        yield issue.model_copy(update={"place": place})


def require_fit(governed: Governed, layer: Layer) -> Governed:
    """Return a policy that governs a layer it was not read with. Raises PolicyInvalid if it does not fit."""
    issues = tuple(_against(governed.policy, layer, "policy"))
    if issues:
        raise PolicyInvalid(issues)
    return governed


def govern(policy: Policy) -> Governed:
    """Return the policy with its hashes."""
    thresholds = {
        "budget": policy.budget,
        "caps": policy.caps,
        "text": policy.text,
        "answers": policy.answers,
        "reading": policy.reading,
        "agent": policy.agent,
        **{f"budget of class {name}": lines for name, lines in sorted(policy.class_budgets.items())},
        **{f"budget of {name}": role.budget for name, role in sorted(policy.roles.items()) if role.budget},
    }
    lines = "\n".join(f"{key}={value.model_dump_json()}" for key, value in thresholds.items())
    return Governed(policy=policy, digest=digest_of(policy), thresholds=sha256(lines.encode()).hexdigest())


def digest_of(record: Record) -> str:
    """Return the content hash of a record; the order of the keys in its file does not matter."""
    return sha256(record.model_dump_json().encode()).hexdigest()


def _against(policy: Policy, layer: Layer, place: str) -> list[Issue]:
    issues: list[Issue] = []
    issues.extend(release_issues(policy, layer, place))
    issues.extend(judge_issues(policy, place))
    for name, role in policy.roles.items():
        issues.extend(_role_issues(name, role, layer, place))
    issues.extend(
        Issue(
            code="budget_reversed",
            message=f"The warning line of {key} is above its hard line.",
            path=f"/{key.replace('.', '/')}",
            place=place,
            seen=f"warn {lines.warn}, hard {lines.hard}",
            next_step="Write the lower number as warn.",
        )
        for key, lines in _lines(policy)
        if lines.warn > lines.hard
    )
    return issues


def _lines(policy: Policy) -> Iterator[tuple[str, Lines]]:
    """Yield every pair of lines of a policy, with the key it stands under."""
    budgets: list[tuple[str, Measures]] = [
        (f"class_budgets.{name}", found) for name, found in policy.class_budgets.items()
    ]
    roles = {f"roles.{name}.budget": role.budget for name, role in policy.roles.items() if role.budget}
    for key, budget in {"budget": policy.budget, **roles}.items():
        budgets.extend(((key, budget), (f"{key}.day", budget.day)))
    for key, found in budgets:
        for measure, lines in (("bytes", found.bytes), ("rows", found.rows), ("cost", found.cost)):
            if lines is not None:
                yield f"{key}.{measure}", lines


def _role_issues(name: str, role: Role, layer: Layer, place: str) -> list[Issue]:
    issues: list[Issue] = []

    def unknown(kind: str, seen: str, key: str, index: int, pool: Sequence[str]) -> None:
        candidates = near(seen, tuple(pool))
        issues.append(
            Issue(
                code=f"unknown_{kind}",
                message=f"Role {name} names the {kind} {seen!r}, which the layer does not define.",
                path=pointer_text(("roles", name, key, index)),
                place=place,
                seen=seen,
                candidates=candidates,
                next_step=f"Did you mean {candidates[0]}?" if candidates else f"Define or drop the {kind}.",
            )
        )

    for index, dataset in enumerate(role.datasets):
        if dataset not in layer.datasets:
            unknown("dataset", dataset, "datasets", index, tuple(layer.datasets))
    for index, pattern in enumerate(role.metrics):
        if not any(fnmatchcase(metric, pattern) for metric in layer.metrics):
            unknown("metric", pattern, "metrics", index, tuple(layer.metrics))
    for index, rule in enumerate(role.rows):
        if rule.field not in layer.dimensions:
            unknown("dimension", rule.field, "rows", index, tuple(layer.dimensions))
    columns = {
        f"{dataset.name}.{column.name}" for dataset in layer.datasets.values() for column in dataset.columns
    }
    for index, hidden in enumerate(role.hidden_columns):
        if hidden not in columns:
            unknown("column", hidden, "hidden_columns", index, tuple(sorted(columns)))
    return issues
