"""What an evaluation asks: cases in YAML, each with the answer, question back or abstention that is right."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from metric_layer.catalog import Example
from metric_layer.issues import Issue
from metric_layer.plan import Dialect, MetricPlan
from metric_layer.record import Record
from metric_layer.source import Source, read_source, without_echo, yaml_files
from metric_layer.sql.components import twin_key
from metric_layer.validate import Problem, read_value

Expectation = Literal["answer", "ask", "abstain"]


class OwnersNumber(Record):
    """A figure by the metric's owner, right within `tolerance` (absolute) on the data named."""

    value: Decimal
    tolerance: Annotated[Decimal, Field(ge=0)] = Decimal(0)
    data: str = ""


class Case(Record):
    """One question. A case with gold SQL keeps no result: both queries run live, on the same data.

    `decimals` is the case's own tolerance: numbers with a fraction are rounded to it on both sides. `metric`
    and `version` name the definition that answers. `accepted` are checks whose findings a reviewer let pass
    for this very plan: to wait for those alone is to answer. `asker` is the user as whom question and gold
    are asked; without one it is the run's own.
    """

    id: Annotated[str, Field(min_length=1, max_length=200)]
    question: Annotated[str, Field(min_length=1)]
    phrasings: tuple[str, ...] = ()
    expect: Expectation = "answer"
    gold_sql: str = ""
    gold_plan: MetricPlan | None = None
    number: OwnersNumber | None = None
    metric: str = ""
    version: int | None = None
    accepted: tuple[str, ...] = ()
    decimals: Annotated[int, Field(ge=0, le=12)] | None = None
    tags: tuple[str, ...] = ()
    question_class: str = ""
    owner: str = ""
    asker: Annotated[str, Field(max_length=200)] = ""
    trace: str = ""


class CasesInvalid(Exception):
    """Files of cases are wrong. `issues` says where, what was seen and what to do next."""

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__("; ".join(f"{issue.place} {issue.message}".strip() for issue in issues))
        self.issues = tuple(issues)


class CaseFile(Record):
    """A file of cases."""

    cases: tuple[Case, ...]


def load_cases(path: Path) -> tuple[Case, ...] | list[Issue]:
    """Read a YAML file of cases, or return every issue it has with file, line and column."""
    source = read_source(path, as_far_as_it_goes=True)
    if isinstance(source, list):
        return source
    validate = partial(CaseFile.model_validate, strict=True)
    found = read_value(source.data, validate, CaseFile, texts=source.texts)
    whole = dict(enumerate(found.cases)) if isinstance(found, CaseFile) else _whole(source)
    problems = [*(found if isinstance(found, list) else ()), *_problems(whole)]
    issues = without_echo((*source.issues, *map(source.issue, problems)))
    return found.cases if isinstance(found, CaseFile) and not issues else issues


def _whole(source: Source) -> dict[int, Case]:
    """Return the cases that can be read in a file where not all can, by their place."""
    listed = source.data.get("cases") if isinstance(source.data, dict) else None
    found: dict[int, Case] = {}
    for place, raw in enumerate(listed if isinstance(listed, tuple) else ()):
        validate = partial(Case.model_validate, strict=True)
        case = read_value(raw, validate, Case, texts=source.texts, base=("cases", place))
        if isinstance(case, Case):
            found[place] = case
    return found


def load_folder(folder: Path) -> tuple[Case, ...]:
    """Return the cases of every YAML file of a folder; none where there is no folder.

    Raises CasesInvalid with every problem of every file, ids that two files share included.
    """
    issues: list[Issue] = []
    cases: dict[str, Case] = {}
    for file in yaml_files(folder):
        found = load_cases(file)
        if isinstance(found, list):
            issues += found
            continue
        for case in found:
            if case.id in cases:
                advice = "Give each case an id of its own."
                message = "The id is taken by a case of another file."
                place = str(file)
                issues.append(
                    Issue(code="duplicate_case", message=message, place=place, seen=case.id, next_step=advice)
                )
            cases[case.id] = case
    if issues:
        raise CasesInvalid(issues)
    return tuple(cases.values())


def examples_of(cases: Iterable[Case], dialect: Dialect) -> tuple[Example, ...]:
    """Return the cases that have an answer as examples a catalogue can serve."""
    return tuple(
        Example(
            id=case.id,
            question=case.question,
            phrasings=case.phrasings,
            metrics=case.gold_plan.metrics if case.gold_plan else (case.metric,) if case.metric else (),
            twin=_gold_key(case, dialect) or "",
        )
        for case in cases
        if case.expect == "answer"
    )


def twins_among(cases: Iterable[Case], dialect: Dialect) -> tuple[tuple[str, ...], ...]:
    """Return the ids of cases that ask the same gold query or plan, twins together."""
    groups: dict[str, list[str]] = {}
    for case in cases:
        if key := _gold_key(case, dialect):
            groups.setdefault(key, []).append(case.id)
    return tuple(tuple(ids) for ids in groups.values() if len(ids) > 1)


def _gold_key(case: Case, dialect: Dialect) -> str | None:
    """Return what twins share: the gold query as a tree, or the gold plan."""
    if case.gold_plan is not None:
        return case.gold_plan.model_dump_json(by_alias=True)
    return twin_key(case.gold_sql, dialect) if case.gold_sql else None


def left_out(cases: tuple[Case, ...], dialect: Dialect) -> Mapping[str, tuple[str, ...]]:
    """Return, per case, the ids a retriever must not serve while it is asked: its own and those of its twins.

    Twins have the same gold plan, or the same gold SQL compared as trees; a text that cannot be read is
    nobody's twin.
    """
    keys = {case.id: _gold_key(case, dialect) for case in cases}
    twins: dict[str, list[str]] = {}
    for name, key in keys.items():
        if key is not None:
            twins.setdefault(key, []).append(name)
    return {
        name: (name, *(other for other in twins.get(key or "", ()) if other != name))
        for name, key in keys.items()
    }


def _problems(cases: Mapping[int, Case]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for place, case in cases.items():
        if case.id in first:
            yield Problem(
                ("cases", place, "id"),
                "duplicate_case",
                f"The id is taken by case {first[case.id] + 1} of this file.",
                seen=case.id,
                next_step="Give each case an id of its own.",
            )
        first.setdefault(case.id, place)
        if case.expect == "answer" and not (case.gold_sql or case.gold_plan or case.number or case.metric):
            yield Problem(
                ("cases", place),
                "nothing_expected",
                "The case expects an answer and says nothing about it.",
                seen=case.id,
                next_step="Add gold_sql, gold_plan, number or metric, or set expect to ask or abstain.",
            )
        if case.expect != "answer" and (case.gold_sql or case.gold_plan or case.number):
            yield Problem(
                ("cases", place, "expect"),
                "two_expectations",
                f"The case expects {case.expect!r} and also brings an answer.",
                seen=case.expect,
                next_step="Remove gold_sql, gold_plan and number, or set expect to answer.",
            )
