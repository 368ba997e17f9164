"""What traces tell: how often each check fires, and how questions score without a reference."""

import json
from datetime import date
from pathlib import Path

from evals.firing import Firing, samples_by_week, week_of
from evals.firing import firing as counted
from evals.stef.against import AgainstFamilies, against_families
from evals.stef.batch import StefReport
from evals.stef.marks import Marks
from evals.stef.rulebook import Rulebook, load_rulebook
from gateway.doors.evaluating.run import cases_at, lines_of
from gateway.doors.json_input import BadInput
from gateway.doors.opened import opened
from gateway.doors.private_file import write_private
from gateway.doors.project import definitions_of
from gateway.engines.open import dialect_of
from gateway.record.recorded import recorded
from gateway.reply import Refusal
from gateway.trace_scores import kept_scores, score_record


def firing_of(
    since: date | None, sample: int, into: Path | None, *, user: str, project: Path | None
) -> Firing | Refusal:
    """Return the firing rates of the project's traces, for who may audit.

    With `into`, the samples of every week that is over are written there, unless they are there already.
    """
    with opened(project) as house:
        gateway, caller = house.gateway, house.callers.for_cli(user)
        ended = recorded(gateway.house, gateway.traces, caller, since)
        if isinstance(ended, Refusal):
            return ended
        found = counted(ended, sample=sample)
        this_week = week_of(gateway.house.now())
    if into is not None:
        into.mkdir(parents=True, exist_ok=True)
        for week, drawn in samples_by_week(found).items():
            file = into / f"{week}.json"
            if week < this_week and not file.exists():
                write_private(file, json.dumps({"week": week, **drawn}, indent=2).encode() + b"\n")
    return found


def stef_of(
    since: date | None, rulebook: Path | None, reason: str, *, user: str, project: Path | None
) -> StefReport | Refusal:
    """Return the reference-free scores of the project's traces, for who may unseal; on record first."""
    rules = _rules(rulebook)
    with opened(project) as house:
        caller = house.callers.for_cli(user)
        why = reason or f"eval stef{f' --since {since}' if since else ''}"
        return score_record(house.gateway, caller, since, rules, why)


def marks_of(since: date | None, *, user: str, project: Path | None) -> Marks | Refusal:
    """Return the scores that the project's questions were closed with, for who may audit."""
    with opened(project) as house:
        return kept_scores(house.gateway, house.callers.for_cli(user), since)


def stef_against(
    results: Path, rulebook: Path | None, cases: Path | None, *, project: Path | None
) -> AgainstFamilies:
    """Return how STEF compares with the families on the answers of a run."""
    rules = _rules(rulebook)
    found = definitions_of(project)
    dialect, _ = dialect_of(found.settings.engine.url)
    known = cases_at(cases or found.settings.at(found.settings.paths.cases))
    return against_families(lines_of(results), known, found.layer, dialect, rules)


def _rules(rulebook: Path | None) -> Rulebook:
    rules = load_rulebook(rulebook) if rulebook else Rulebook()
    if isinstance(rules, list):
        raise BadInput(*rules)
    return rules
