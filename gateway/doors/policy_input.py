"""Reads what the policy verbs are given, labelled cases and policy folders, against a project."""

from pathlib import Path

from gateway.doors.project import definitions_of, settings_of
from gateway.engines.open import dialect_of
from gateway.replay.rejudge import Rejudgement
from gateway.reply import Refusal, issue_of
from gateway.settings.file import FILE, load_settings
from gateway.wiring import utc_now
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.load import load_layer
from metric_layer.record import Record
from policies.changes import PolicyChange
from policies.entitlement import Entitlements
from policies.labelled import LabelReport, judge_cases, read_cases
from policies.load import Governed, govern, load_policy


class PolicyDiff(Record):
    """Two policies side by side; `questions` with --against-traces."""

    changes: tuple[PolicyChange, ...]
    questions: Rejudgement | None = None


def judged(text: str, name: str, project: Path | None) -> LabelReport | Refusal:
    """Judge the cases of a file by a project's policy; every line that is wrong is named at once."""
    given = definitions_of(project)
    place = "stdin" if name == "-" else name
    cases = read_cases(text, place, given.policy)
    wrong = tuple(each for each in cases if isinstance(each, Issue))
    if wrong:
        return Refusal(issues=tuple(issue_of(issue, "input") for issue in wrong))
    now = utc_now()
    dialect, schema = dialect_of(given.settings.engine.url)
    entitlements = Entitlements(given.layer, govern(given.policy), dialect, schema, now)
    good = tuple(each for each in cases if not isinstance(each, Issue))
    return judge_cases(good, entitlements, given.policy, now)


def both_policies(old: Path, new: Path, project: Path | None) -> tuple[Governed, Governed]:
    """Read two policies against a project's definitions. Raises PolicyInvalid with every problem."""
    settings = settings_of(project)
    layer = load_layer(settings.at(settings.paths.metrics))
    return _policy_at(old, layer), _policy_at(new, layer)


def _policy_at(folder: Path, layer: Layer) -> Governed:
    """Read the policy of a folder that holds nothing else, or of a project."""
    settings = load_settings(folder) if (folder / FILE).is_file() else None
    return load_policy(settings.at(settings.paths.policies) if settings else folder, layer)
