"""From a project to a look at its data for personal values: its own process, its own login, no gateway."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from gateway.discovery.decisions import Decided, TagDecision, TagFile, decide, tags_said, with_tags
from gateway.discovery.decisions import Definitions as InForce
from gateway.discovery.drift import drift_between
from gateway.discovery.kept import keep, last_look, merged, recheck_of
from gateway.discovery.reports import DiscoveryReport
from gateway.doors.identity import Callers
from gateway.doors.json_input import BadInput
from gateway.doors.project import Definitions, definitions_of, settings_of
from gateway.engines.open import DRIVERS, dialect_of, open_sampler
from gateway.errors import HouseError
from gateway.reply import Refusal, issue_of
from gateway.settings.file import Settings
from gateway.wiring import utc_now
from metric_layer.interchange.writing import yaml_text
from metric_layer.issues import Issue
from metric_layer.load import load_layer
from metric_layer.source import read_model
from metric_layer.vocabulary import near

TO_READ = """\
# Take out what is wrong, write `none` where nothing is personal, then: cellbound discover accept FILE
"""
LIBRARIES = ("phonenumbers", "stdnum")


def looked(project: Path | None, datasets: Sequence[str], *, drift: bool) -> DiscoveryReport:
    """Look at the datasets that are named, at all where none is, and keep what was found.

    With `drift` it is held against the last look, which stays the one to go by; over all datasets, what had
    changed is kept beside it. Raises BadInput for a dataset that does not exist, HouseError where there is no
    login or library for it, and EngineError.
    """
    settings = settings_of(project)
    layer = load_layer(settings.at(settings.paths.metrics))
    for name in datasets:
        if name not in layer.datasets:
            candidates = near(name, tuple(layer.datasets))
            raise BadInput(
                Issue(
                    code="unknown_dataset",
                    message=f"There is no dataset {name!r}.",
                    seen=name,
                    candidates=candidates,
                    next_step=f"Did you mean {candidates[0]}?" if candidates else "See metrics/.",
                )
            )
    url = _login(settings)
    _require_libraries()
    from gateway.discovery.look import Look, datasets_of

    file = settings.at(settings.paths.discovery)
    before = last_look(file)
    chosen = tuple(datasets_of(layer, datasets))
    sampler = open_sampler(url, settings.folder, settings.engine.duckdb, settings.discovery.seconds)
    try:
        said = tags_said(settings.at(settings.paths.metrics))
        found = Look(sampler, settings.discovery, said).at(chosen, utc_now())
    finally:
        sampler.close()
    if not drift:
        keep(file, merged(before, found, frozenset(each.name for each in chosen)))
        recheck_of(file).unlink(missing_ok=True)
        return found
    if before is None:
        raise BadInput(
            Issue(
                code="no_look_yet",
                message="There is no earlier look to hold this one against.",
                place=file.name,
                next_step="Run `cellbound discover` first.",
            )
        )
    changed = with_tags(drift_between(before, found), said)
    held_against = found.model_copy(update={"drift": changed})
    if not datasets:
        keep(recheck_of(file), held_against)
    return held_against


def accepted(
    project: Path | None, user: str, *, file: Path | None, column: str, tag: str
) -> Decided | Refusal:
    """Write down what a data owner decided: a file of decisions, or one column. Raises BadInput."""
    if (file is None) == (not column):
        raise BadInput(
            Issue(
                code="one_of_two",
                message="Name a file of decisions, or one column.",
                next_step="cellbound discover accept FILE, or --column DATASET.COLUMN --tag TAG.",
            )
        )
    found = definitions_of(project)
    caller = Callers(found.settings.identity).for_cli(user)
    decisions = _read(file) if file is not None else (TagDecision(column=column, tag=tag),)
    if isinstance(decisions, Refusal):
        return decisions
    return decide(_in_force(found), caller, decisions, utc_now().date())


def proposal(report: DiscoveryReport) -> str:
    """Return what nobody has decided as a file of decisions, to be read, mended and accepted."""
    open_ones = [
        {"column": each.column, "tag": each.tag, "because": f"{each.kind}, confidence {each.confidence:g}"}
        for each in report.open
    ]
    return TO_READ + yaml_text({"decisions": open_ones})


def _in_force(found: Definitions) -> InForce:
    return InForce(found.layer, found.policy, found.settings.at(found.settings.paths.metrics))


def _read(file: Path) -> tuple[TagDecision, ...] | Refusal:
    read = read_model(file, TagFile)
    if isinstance(read, TagFile):
        return read.decisions
    return Refusal(issues=tuple(issue_of(issue, "input") for issue in read))


def _login(settings: Settings) -> str:
    """Return the url that discovery reads with. Raises HouseError for a server without one of its own."""
    own, engine = settings.discovery.url, settings.engine.url
    dialect, _ = dialect_of(engine)
    if not own and dialect in DRIVERS:
        raise HouseError(
            (
                Issue(
                    code="discovery_login_missing",
                    message="Discovery reads a database server under a login of its own, and none is set.",
                    seen="discovery.url",
                    next_step="Give a role SELECT on the tables and write its url under [discovery].",
                ),
            )
        )
    if own and dialect_of(own)[0] != dialect:
        raise HouseError(
            (
                Issue(
                    code="discovery_elsewhere",
                    message="discovery.url names another kind of database than engine.url.",
                    seen=dialect_of(own)[0],
                    next_step="Name the same database, with the login of discovery.",
                ),
            )
        )
    return own or engine


def _require_libraries() -> None:
    try:
        for name in LIBRARIES:
            import_module(name)
    except ImportError as fault:
        raise HouseError(
            (
                Issue(
                    code="discovery_missing",
                    message=f"What recognises personal data is not installed ({fault}).",
                    next_step="Install the extra: pip install 'cellbound[discovery]'.",
                ),
            )
        ) from fault
