"""A folder of YAML -> saved analyses, held against the layer, or every issue with file, line and column."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from gateway.errors import HouseError
from gateway.playbooks.definition import Analysis, Wanted
from gateway.playbooks.parameters import Asking, bind
from gateway.playbooks.rules import Rules, plans_of
from gateway.playbooks.shelf import Saved, Shelf, content_digest, shelve
from gateway.playbooks.statements import statement
from metric_layer.issues import Issue
from metric_layer.settle import Words
from metric_layer.source import Source, read_source, without_echo, yaml_files
from metric_layer.unread import name_problems
from metric_layer.validate import read_value
from metric_layer.visible import Visible


class AnalysesInvalid(HouseError):
    """Files of saved analyses are wrong."""


def load_analyses(folder: Path, asking: Asking, key: bytes) -> Shelf:
    """Read every saved analysis below a folder; none where there is no folder.

    Each file is held against the layer, its example call included. `key` is the project's for accepted SQL.
    Raises AnalysesInvalid with every problem of every file.
    """
    issues: list[Issue] = []
    found: dict[str, Saved] = {}
    places: dict[str, str] = {}
    for file in yaml_files(folder):
        read = read_analysis(file, asking, key)
        if not isinstance(read, Saved):
            issues.extend(read)
            continue
        name = read.analysis.name
        if name in found:
            issues.append(_taken(name, str(file), places[name]))
        found[name] = read
        places[name] = str(file)
    if issues:
        raise AnalysesInvalid(issues)
    return shelve(found)


def read_analysis(file: Path, asking: Asking, key: bytes) -> Saved | list[Issue]:
    """Read one file as one analysis, or return everything that is wrong with it."""
    source = read_source(file, as_far_as_it_goes=True)
    if isinstance(source, list):
        return source
    validate = partial(Analysis.model_validate, strict=True)
    found = read_value(source.data, validate, Analysis, texts=source.texts)
    if isinstance(found, list) or source.issues:
        shape = map(source.issue, found) if isinstance(found, list) else ()
        return without_echo((*source.issues, *shape, *_unknown_names(source, asking)))
    issues = list(_against(found, source, asking, key))
    if issues:
        return issues
    bound = bind(found, found.example, asking)
    plans = plans_of(found, bound, asking) if isinstance(bound, Mapping) else {}
    settled = {step: plan for step, plan in plans.items() if not isinstance(plan, tuple)}
    given = bound if isinstance(bound, Mapping) else {}
    statements = {s.id: statement(s, found, given, asking.dialect) for s in found.steps if s.sql}
    return Saved(found, content_digest(found), settled, statements)


def read_wanted(file: Path) -> Wanted | list[Issue]:
    """Read the parameters that an accepted statement is to take, or return all that is wrong with them."""
    source = read_source(file)
    if isinstance(source, list):
        return source
    validate = partial(Wanted.model_validate, strict=True)
    found = read_value(source.data, validate, Wanted, texts=source.texts)
    return [source.issue(problem) for problem in found] if isinstance(found, list) else found


def _unknown_names(source: Source, asking: Asking) -> Iterator[Issue]:
    """Yield the unknown names in the plans of a file that does not fit the shape of an analysis."""
    steps = source.data.get("steps") if isinstance(source.data, dict) else None
    everything = Words(asking.layer, Visible(), {})
    for index, step in enumerate(steps if isinstance(steps, tuple) else ()):
        for issue in name_problems(step.get("plan") if isinstance(step, dict) else None, everything):
            path = f"/steps/{index}/plan{issue.path}"
            yield issue.model_copy(update={"path": path, "place": source.place_at(path)})


def _against(analysis: Analysis, source: Source, asking: Asking, key: bytes) -> Iterator[Issue]:
    """Yield what is wrong with an analysis whose file fits the shape."""
    for pointer, issue in Rules(analysis, asking, key).issues():
        yield issue.model_copy(update={"place": source.place(pointer)})


def _taken(name: str, place: str, other: str) -> Issue:
    return Issue(
        code="duplicate_analysis",
        message=f"The name {name!r} is taken by another file.",
        place=f"{place}:1:1",
        seen=other,
        next_step="Give each analysis a name of its own.",
    )
