"""Opens a project and an agent, runs the cases and keeps the lines: what `eval` verbs do."""

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evals.agents import Command, GoldPlans, PlainWords, Recorded, Url, read_recorded
from evals.cases import Case, CasesInvalid, load_cases, load_folder, twins_among
from evals.pairs import read_pairs, write_cases
from evals.replies import given_of_reply
from evals.results import ResultsInvalid, RunLine, append, read_results, resumed
from evals.runner import RunPlan, run_plan
from evals.subject import Given, Subject
from gateway.asking import EVALUATION
from gateway.bench import open_benches
from gateway.doors.evaluating.progress import progress
from gateway.doors.evaluating.remote import OverHttp, OverMcp
from gateway.doors.json_input import BadInput
from gateway.doors.opened import Opened, opened
from gateway.doors.private_file import write_private
from gateway.doors.project import settings_of
from gateway.engines.open import dialect_of
from gateway.errors import IdentityRefused
from gateway.reply import Refusal, Reply
from gateway.service import Gateway
from metric_layer.issues import Issue
from metric_layer.plan import Dialect
from metric_layer.record import Record
from metric_layer.vocabulary import near
from traces.records import Caller

TOKEN = "CELLBOUND_TOKEN"
GATEWAYS = ("local", "http:URL", "mcp:URL")
AGENTS = ("gold", "gateway", "command:CMD", "url:URL", "recorded:FILE")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks of a run."""

    agent: str
    cases: Path | None
    through: str
    out: Path
    tags: frozenset[str]
    sample: int = 0
    phrasings: bool = False
    repeats: int = 1
    at_once: int = 4
    seconds: float = 120.0
    tables: int = 50
    user: str = ""
    project: Path | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """The lines of a run, and what the report needs to show them; `gateway` is the one that was asked."""

    lines: tuple[RunLine, ...]
    dialect: Dialect
    title: str
    gateway: str = ""


@dataclass(frozen=True, slots=True)
class Local:
    """The project's own gateway, in this process. Where it is too busy it is asked again for `seconds`."""

    gateway: Gateway
    caller: Caller
    seconds: float

    def plan(self, plan: Mapping[str, Any]) -> Given:
        """Ask a plan."""
        return self._told(lambda: self.gateway.ask(self.caller, plan, door=EVALUATION))

    def words(self, question: str) -> Given:
        """Ask a question in words."""
        return self._told(lambda: self.gateway.ask_question(self.caller, question, door=EVALUATION))

    def _told(self, ask: Callable[[], Reply]) -> Given:
        until = time.monotonic() + self.seconds
        reply = ask()
        while reply.retry_after is not None and time.monotonic() + reply.retry_after < until:
            time.sleep(reply.retry_after)
            reply = ask()
        return replace(given_of_reply(reply.model_dump(mode="json", by_alias=True)), live=True)


@dataclass(frozen=True, slots=True)
class ByAsker:
    """A gateway as each asker reaches it; the empty name is the run's own asker."""

    known: Mapping[str, Local | OverHttp | OverMcp]

    def plan(self, plan: Mapping[str, Any], asker: str) -> Given:
        """Ask a plan as an asker."""
        return self.known[asker].plan(plan)

    def words(self, question: str, asker: str) -> Given:
        """Ask a question in words as an asker."""
        return self.known[asker].words(question)


class Imported(Record):
    """What an import wrote, and which cases ask the same gold query."""

    file: str
    cases: int
    twins: tuple[tuple[str, ...], ...]


def evaluate(wanted: Wanted) -> Told | Refusal:
    """Run what is wanted. Raises what an unusable project, case file, agent or result file raises."""
    with opened(wanted.project) as house:
        caller = house.callers.for_cli(wanted.user)
        cases = cases_at(wanted.cases or house.settings.at(house.settings.paths.cases))
        require_tags(wanted.tags, cases)
        plan = RunPlan(
            known=cases,
            subject_name=f"{wanted.agent} through {wanted.through}",
            tags=wanted.tags,
            sample=wanted.sample,
            phrasings=wanted.phrasings,
            repeats=wanted.repeats,
            at_once=wanted.at_once,
        )
        callers = _askers(house, plan)
        benches = open_benches(house.gateway, caller, callers, shown_rows=wanted.tables)
        if isinstance(benches, Refusal):
            return benches
        subject = _agent(wanted, cases, _gateway(wanted, house, {"": caller, **callers}))
        with _readable():
            done = resumed(wanted.out)
        total = sum(1 for _ in plan.questions())
        fresh = append(wanted.out, run_plan(plan, subject, benches, done))
        lines = (*done, *progress(fresh, total=total, done=len(done)))
        dialect = benches.of("").warehouse.dialect
        return Told(lines, dialect, f"Evaluation of {wanted.agent}", _asked(wanted, house))


def _asked(wanted: Wanted, house: Opened) -> str:
    """Return in words which gateway a run asks."""
    if wanted.through == "local":
        return f"of the project {house.settings.project.name} in this process"
    return wanted.through


def reread(results: Path, project: Path | None) -> Told:
    """Return a run that was written before."""
    dialect, _ = dialect_of(settings_of(project).engine.url)
    return Told(lines_of(results), dialect, f"Evaluation in {results.name}")


def lines_of(results: Path) -> tuple[RunLine, ...]:
    """Return the lines of a run. Raises BadInput for a file that is not there or holds something else."""
    if not results.is_file():
        raise _wrong("no_file", f"{results} is no file.", str(results), "Name what `eval run --out` wrote.")
    with _readable():
        found = read_results(results)
    if not found:
        message = f"{results} holds no result."
        raise _wrong(
            "no_result", message, str(results), "Name a file that `eval run --out` wrote to its end."
        )
    return found


def imported(pairs: Path, out: Path, database: str) -> Imported:
    """Write pairs as cases. Raises BadInput for unreadable pairs, or a file in the way."""
    if out.exists():
        raise _wrong("file_exists", f"{out} exists.", str(out), "Name a file that does not exist yet.")
    found = read_pairs(pairs, database)
    if isinstance(found, list):
        raise BadInput(*found)
    write_private(out, write_cases(found).encode())
    return Imported(file=str(out), cases=len(found), twins=twins_among(found, "duckdb"))


def cases_at(path: Path) -> tuple[Case, ...]:
    """Return the cases of a file or of a folder's files. Raises BadInput where one is wrong, or none is."""
    try:
        found = load_cases(path) if path.is_file() else list(load_folder(path))
    except CasesInvalid as fault:
        raise BadInput(*fault.issues) from fault
    cases = tuple(case for case in found if isinstance(case, Case))
    if len(cases) < len(found):
        raise BadInput(*(issue for issue in found if isinstance(issue, Issue)))
    if not cases:
        raise _wrong("no_cases", f"{path} holds no cases.", str(path), "Write some, or name them by --cases.")
    return cases


def _askers(house: Opened, plan: RunPlan) -> Mapping[str, Caller]:
    """Return the askers that the cases of a run name. Raises IdentityRefused with all that are unknown."""
    found: dict[str, Caller] = {}
    issues: list[Issue] = []
    for name in sorted({case.asker for case in plan.cases()} - {""}):
        try:
            found[name] = house.callers.for_cli(name)
        except IdentityRefused as fault:
            issues.extend(fault.issues)
    if issues:
        raise IdentityRefused(tuple(issues))
    return found


def _agent(wanted: Wanted, cases: Sequence[Case], asking: ByAsker) -> Subject:
    kind, _, rest = wanted.agent.partition(":")
    ask_plan = asking.plan
    if kind == "gold" and not rest:
        return GoldPlans({case.id: case for case in cases}, ask_plan)
    if kind == "gateway" and not rest:
        return PlainWords(asking.words)
    if kind == "command" and rest:
        return Command(rest, ask_plan, wanted.seconds)
    if kind == "url" and rest:
        return Url(rest, ask_plan, wanted.seconds)
    if kind == "recorded" and rest:
        answers = read_recorded(Path(rest))
        if isinstance(answers, list):
            raise BadInput(*answers)
        return Recorded(answers, ask_plan)
    step = f"Write {', '.join(AGENTS)}."
    raise _wrong("bad_agent", "That names no agent.", wanted.agent, step, _kinds(AGENTS))


def _gateway(wanted: Wanted, house: Opened, callers: Mapping[str, Caller]) -> ByAsker:
    kind, _, url = wanted.through.partition(":")
    if kind == "local" and not url:
        return ByAsker(
            {name: Local(house.gateway, caller, wanted.seconds) for name, caller in callers.items()}
        )
    if kind in ("http", "mcp") and url:
        # Both `http:http://host` and the bare `http://host` name a gateway.
        address = wanted.through if url.startswith("//") else url
        over = OverHttp if kind == "http" else OverMcp
        tokens = _tokens(callers, wanted.through)
        return ByAsker({name: over(address, token, wanted.seconds) for name, token in tokens.items()})
    step = f"Write {', '.join(GATEWAYS)}."
    raise _wrong("bad_gateway", "That names no gateway.", wanted.through, step, _kinds(GATEWAYS))


def _tokens(askers: Iterable[str], through: str) -> Mapping[str, str]:
    """Return the bearer token of each asker. Raises BadInput that names every variable that is not set."""
    named = {name: _variable(name) for name in askers}
    missing = [variable for variable in named.values() if not os.environ.get(variable)]
    if missing:
        message = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not set."
        raise _wrong("no_token", message, through, "Put the bearer token of each asker into its variable.")
    return {name: os.environ[variable] for name, variable in named.items()}


def _variable(asker: str) -> str:
    """Return where the token of an asker is looked for: `CELLBOUND_TOKEN_ANA_LIMA` for ana.lima."""
    return f"{TOKEN}_{re.sub('[^0-9A-Za-z]', '_', asker).upper()}" if asker else TOKEN


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except ResultsInvalid as fault:
        raise BadInput(*fault.issues) from fault


def _kinds(forms: Sequence[str]) -> tuple[str, ...]:
    return tuple(form.partition(":")[0] for form in forms)


def _wrong(code: str, message: str, seen: str, next_step: str, known: Iterable[str] = ()) -> BadInput:
    candidates = near(seen, known)
    return BadInput(Issue(code=code, message=message, seen=seen, candidates=candidates, next_step=next_step))


def require_tags(tags: Iterable[str], cases: Sequence[Case]) -> None:
    """Raise BadInput for every tag that no case has: a run of nothing looks like a run without a fault."""
    known = sorted({tag for case in cases for tag in case.tags})
    unknown = [tag for tag in sorted(tags) if tag not in known]
    if unknown:
        raise BadInput(
            *(
                Issue(
                    code="unknown_tag",
                    message=f"No case has the tag {tag!r}.",
                    place="--tag",
                    seen=tag,
                    candidates=near(tag, known),
                    next_step=f"Their tags: {', '.join(known)}." if known else "Leave --tag out.",
                )
                for tag in unknown
            )
        )
