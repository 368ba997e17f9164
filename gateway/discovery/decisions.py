"""A data owner's word on suggestions: written into the project's definitions, whole or not at all."""

import fcntl
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeVar

from gateway.discovery.kept import last_look, recheck_of, replace_text
from gateway.discovery.reports import Drift, Suggestion, SuggestionList
from gateway.reply import Refusal, ReplyIssue, issue_of
from metric_layer.definitions import PersonalTag
from metric_layer.draft import Draft, DraftReader
from metric_layer.interchange.writing import yaml_text
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.load import LayerInvalid
from metric_layer.record import Record
from metric_layer.rules import check_rules
from metric_layer.source import Source, read_source, read_text, yaml_files
from metric_layer.vocabulary import near
from policies.policy import Policy
from policies.visible import role_in_force
from traces.records import Caller

TaggedT = TypeVar("TaggedT", Suggestion, Drift)

FILE = "personal.yml"
MOST = 500
"""Characters of a reason that are kept."""
HEAD = """\
# What data owners said of columns: the tag of personal data, or `none`. Written by `cellbound discover
# accept` and the console; each tag counts as if it stood with its column.

"""


class TagDecision(Record):
    """A column (`dataset.column`) and its tag; `none` where it holds no personal data."""

    column: str
    tag: str
    because: str = ""


class TagFile(Record):
    """Decisions in a file, as `discover accept FILE` takes them."""

    decisions: tuple[TagDecision, ...]


class Decided(Record):
    """What was written down, and where."""

    file: str
    accepted: tuple[PersonalTag, ...]


@dataclass(frozen=True, slots=True)
class Definitions:
    """The definitions in force with the policy, and the folder they are written in."""

    layer: Layer
    policy: Policy
    metrics: Path


def refused(policy: Policy, caller: Caller) -> Refusal | None:
    """Return why somebody may not see or decide suggestions; None for a data owner."""
    name = role_in_force(policy.roles, caller)
    if name and "accept_tags" in policy.roles[name].may:
        return None
    return Refusal(
        issues=(
            ReplyIssue(
                code="right_missing",
                message="Your role may not decide what is personal data: it lacks the right accept_tags.",
                stage="input",
                seen=name or "no role",
                next_step="Ask the policy's owner for the right accept_tags.",
            ),
        )
    )


def tags_said(metrics: Path) -> Mapping[str, str]:
    """Return the tag of every column that somebody decided about, `none` among them. Raises LayerInvalid."""
    reader = DraftReader()
    draft = reader.read_folder(metrics)
    issues = [*reader.issues, *check_rules(draft)]
    if issues:
        raise LayerInvalid(issues)
    own = {f"{d.name}.{c.name}": c.personal for d, _ in draft.datasets for c in d.columns if c.personal}
    return {**{tag.column: tag.tag for tag, _ in draft.personal}, **own}


def with_tags(found: Iterable[TaggedT], said: Mapping[str, str]) -> tuple[TaggedT, ...]:
    """Return what was found of columns, each with what an owner said of it."""
    return tuple(each.model_copy(update={"tagged": said.get(each.column, "")}) for each in found)


def listed(definitions: Definitions, caller: Caller, file: Path) -> SuggestionList | Refusal:
    """Return what the last look suggested and what became of it, for a data owner; looks at no data."""
    problem = refused(definitions.policy, caller)
    if problem is not None:
        return problem
    report = last_look(file)
    if report is None:
        return SuggestionList()
    said = tags_said(definitions.metrics)
    newer = last_look(recheck_of(file))
    return SuggestionList(
        at=report.at,
        suggestions=with_tags(report.suggestions, said),
        rechecked=newer.at if newer else None,
        drift=with_tags(newer.drift if newer else (), said),
        unread=newer.unread if newer else (),
    )


def decide(
    definitions: Definitions, caller: Caller, decisions: Sequence[TagDecision], today: date
) -> Decided | Refusal:
    """Write decisions into `personal.yml` of the definitions, or refuse all of them with every reason.

    The definitions with them are checked before anything is written. Whoever decides later about the same
    column takes the earlier word's place.
    """
    problem = refused(definitions.policy, caller) or _wrong(definitions.layer, decisions)
    if problem is not None:
        return problem
    file = definitions.metrics / FILE
    with _alone(definitions.metrics):
        read = _drafted(definitions.metrics, None)
        if isinstance(read, Refusal):
            return read
        kept = {tag.column: tag for tag, site in read.personal if site.source.file.endswith(f"/{FILE}")}
        made = tuple(
            PersonalTag(
                column=each.column, tag=each.tag, by=caller.user, at=today, because=each.because[:MOST]
            )
            for each in decisions
        )
        kept.update({tag.column: tag for tag in made})
        text = HEAD + yaml_text({"personal": [_plain(kept[name]) for name in sorted(kept)]})
        checked = _drafted(definitions.metrics, text)
        if isinstance(checked, Refusal):
            return checked
        replace_text(file, text)
    return Decided(file=f"{definitions.metrics.name}/{FILE}", accepted=made)


def _wrong(layer: Layer, decisions: Sequence[TagDecision]) -> Refusal | None:
    """Return every decision that cannot be one: about no column, twice about one, or none at all."""
    columns = [f"{d.name}.{column.name}" for d in layer.datasets.values() for column in d.columns]
    problems: list[ReplyIssue] = []
    seen: set[str] = set()
    for at, each in enumerate(decisions):
        if each.column not in columns:
            problems.append(_issue("unknown_column", at, each.column, near(each.column, tuple(columns))))
        elif each.column in seen:
            problems.append(_issue("decided_twice", at, each.column))
        if not _TAG.fullmatch(each.tag):
            problems.append(_issue("bad_tag", at, each.tag))
        seen.add(each.column)
    if not decisions:
        empty = _issue("nothing_decided", 0, "")
        problems.append(empty.model_copy(update={"path": "/decisions", "seen": "0 decisions"}))
    return Refusal(issues=tuple(problems)) if problems else None


def _issue(code: str, at: int, seen: str, candidates: tuple[str, ...] = ()) -> ReplyIssue:
    message, step = _SAID[code]
    return ReplyIssue(
        code=code,
        message=message,
        stage="input",
        path=f"/decisions/{at}/column",
        seen=seen,
        candidates=candidates,
        next_step=f"Did you mean {candidates[0]}?" if candidates else step,
    )


_TAG = re.compile(r"[a-z][a-z0-9_]{0,47}")
_SAID = {
    "unknown_column": (
        "There is no such column in the definitions.",
        "Write DATASET.COLUMN.",
    ),
    "bad_tag": ("That is no tag.", "Write small letters, digits and underscores, for example contact."),
    "decided_twice": ("The same column is decided twice.", "Keep one of the two."),
    "nothing_decided": (
        "There are no decisions in it: no column is decided about.",
        "Write a column and its tag under `decisions`; `cellbound discover --out FILE` lists what is open.",
    ),
}


def _drafted(metrics: Path, personal: str | None) -> Draft | Refusal:
    """Read the definitions, with another text in place of personal.yml if one is given; check them."""
    reader = DraftReader()
    for path in yaml_files(metrics):
        name = path.relative_to(metrics.parent).as_posix()
        if personal is not None and path == metrics / FILE:
            continue
        _add(reader, read_source(path, name))
    if personal is not None:
        _add(reader, read_text(personal, f"{metrics.name}/{FILE}"))
    draft = reader.draft()
    issues = [*reader.issues, *check_rules(draft)]
    return Refusal(issues=tuple(issue_of(issue, "house") for issue in issues)) if issues else draft


def _add(reader: DraftReader, source: Source | list[Issue]) -> None:
    if isinstance(source, Source):
        reader.add(source)
    else:
        reader.issues.extend(source)


def _plain(tag: PersonalTag) -> dict[str, object]:
    return {key: value for key, value in tag.model_dump().items() if value != ""}


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process at a time write: the folder itself is the lock."""
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
