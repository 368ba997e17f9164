"""Verbs of the command line that evaluate: `eval run|score|report|compare|import|case|firing|stef`."""

from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli_options import AsJson, AsUser, Project

Cases = Annotated[
    Path | None,
    typer.Option("--cases", metavar="FILE|DIR", help="Cases in YAML; the project's own otherwise."),
]
Out = Annotated[
    Path, typer.Option("--out", metavar="FILE.jsonl", help="Results; a run that stopped goes on.")
]
Through = Annotated[
    str,
    typer.Option(
        "--through",
        metavar="local|http:URL|mcp:URL",
        help="The gateway that is asked the plans; CELLBOUND_TOKEN holds the bearer token.",
    ),
]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="Only cases with this tag; may be repeated.")]
Seconds = Annotated[float, typer.Option("--seconds", min=0.1, help="Time limit of one question.")]
AtOnce = Annotated[int, typer.Option("--at-once", min=1, max=64, help="Questions under way at once.")]
Tables = Annotated[
    int, typer.Option("--tables", min=0, max=500, help="Keep tables of at most so many rows for the report.")
]
Junit = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML, too.")]
Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write one page, too.")]
Since = Annotated[
    datetime | None,
    typer.Option("--since", formats=["%Y-%m-%d"], help="Only questions since this day (UTC)."),
]
Results = Annotated[Path, typer.Argument(metavar="RESULTS.jsonl", help="What `eval run` wrote.")]


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    verbs = typer.Typer(no_args_is_help=True)
    verbs.callback()(demand_extra)
    verbs.command("run")(run)
    verbs.command("score")(score)
    verbs.command("report")(report)
    verbs.command("compare")(compare)
    verbs.command("import")(import_pairs)
    verbs.command("case")(case)
    verbs.command("firing")(firing)
    verbs.command("stef")(stef)
    app.add_typer(verbs, name="eval")


def demand_extra() -> None:
    """Measure an agent, case by case. No figure decides."""
    if find_spec("scipy") is None:
        from gateway.errors import SettingsInvalid
        from metric_layer.issues import Issue

        advice = "Install it: pip install 'cellbound[evals]'."
        message = "The extra evals is not installed."
        raise SettingsInvalid((Issue(code="extra_missing", message=message, next_step=advice),))


def run(
    agent: Annotated[
        str,
        typer.Option(
            "--agent", metavar="gold|gateway|command:CMD|url:URL|recorded:FILE", help="Who is asked."
        ),
    ] = "gold",
    cases: Cases = None,
    through: Through = "local",
    out: Out = Path("results.jsonl"),
    tag: Tags = None,
    sample: Annotated[int, typer.Option("--sample", min=0, help="So many cases, evenly; 0 is all.")] = 0,
    phrasings: Annotated[bool, typer.Option("--phrasings", help="Ask every wording of a case.")] = False,
    repeats: Annotated[int, typer.Option("--repeats", min=1, max=100, help="Ask everything so often.")] = 1,
    at_once: AtOnce = 4,
    seconds: Seconds = 120.0,
    tables: Tables = 50,
    junit: Junit = None,
    html: Html = None,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Ask cases and score the answers beside live gold SQL, both as the asker of the run.

    `gold` asks each case's own gold plan: it measures definitions and checks, no agent. `gateway` asks the
    question in words. A run that stopped goes on where it was; what it wrote is kept.
    """
    from gateway.doors.eval_run import Wanted, evaluate
    from gateway.doors.terminal_eval import tell_report

    wanted = Wanted(
        agent=agent,
        cases=cases,
        through=through,
        out=out,
        tags=frozenset(tag or ()),
        sample=sample,
        phrasings=phrasings,
        repeats=repeats,
        at_once=at_once,
        seconds=seconds,
        tables=tables,
        user=user,
        project=project,
    )
    raise tell_report(evaluate(wanted), junit=junit, html=html, as_json=as_json)


def score(
    answers: Annotated[Path, typer.Argument(metavar="ANSWERS.jsonl", help="One recorded answer per line.")],
    cases: Cases = None,
    through: Through = "local",
    out: Out = Path("results.jsonl"),
    tag: Tags = None,
    at_once: AtOnce = 4,
    seconds: Seconds = 120.0,
    tables: Tables = 50,
    junit: Junit = None,
    html: Html = None,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Score answers that were recorded; gold SQL runs now. The same as `eval run --agent recorded:FILE`."""
    from gateway.doors.eval_run import Wanted, evaluate
    from gateway.doors.terminal_eval import tell_report

    wanted = Wanted(
        agent=f"recorded:{answers}",
        cases=cases,
        through=through,
        out=out,
        tags=frozenset(tag or ()),
        at_once=at_once,
        seconds=seconds,
        tables=tables,
        user=user,
        project=project,
    )
    raise tell_report(evaluate(wanted), junit=junit, html=html, as_json=as_json)


def report(
    results: Results,
    junit: Junit = None,
    html: Html = None,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Say what a run found: families side by side with n and ceilings, shapes in words, a page per run."""
    from gateway.doors.eval_run import reread
    from gateway.doors.terminal_eval import tell_report

    raise tell_report(reread(results, project), junit=junit, html=html, as_json=as_json)


def compare(
    before: Annotated[Path, typer.Argument(metavar="BEFORE.jsonl", help="The earlier run.")],
    after: Annotated[Path, typer.Argument(metavar="AFTER.jsonl", help="The later run.")],
    as_json: AsJson = False,
) -> None:
    """Hold two runs against each other: ceilings first, then paired differences with n, then what moved."""
    from evals.compare import compare as compared
    from gateway.doors.eval_run import lines_of
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_eval import print_comparison

    found = compared(lines_of(before), lines_of(after))
    terminal = Terminal()
    terminal.object(found) if as_json else print_comparison(terminal, found)


def import_pairs(
    pairs: Annotated[Path, typer.Argument(metavar="PAIRS.json[l]", help="Questions with their SQL.")],
    out: Annotated[Path, typer.Argument(metavar="CASES.yml", help="The file of cases to write.")],
    database: Annotated[str, typer.Option("--db", metavar="DB_ID", help="Only pairs of this db_id.")] = "",
    as_json: AsJson = False,
) -> None:
    """Turn question and SQL pairs (Spider, BIRD and alike) into a file of cases; twins are told."""
    from gateway.doors.eval_run import imported
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_eval import print_import

    found = imported(pairs, out, database)
    terminal = Terminal()
    terminal.object(found) if as_json else print_import(terminal, found)


def case(
    trace_id: Annotated[str, typer.Argument(metavar="TRACE", help="The trace, or a held question's.")],
    question: Annotated[str, typer.Option("--question", help="The question in the asker's words.")],
    name: Annotated[str, typer.Option("--id", help="The case's id; the trace id otherwise.")] = "",
    tag: Annotated[list[str] | None, typer.Option("--tag", help="A tag of the case.")] = None,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Make a case of a question that was asked: its plan is the gold plan, or what stopped it is right.

    The file goes into the project's cases; review it before it counts. Cases with the same gold are told.
    """
    from gateway.doors.cli_exit import leave
    from gateway.doors.eval_work import case_of
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_eval import print_case
    from gateway.reply import Refusal

    found = case_of(trace_id, question, name, tuple(tag or ()), user=user, project=project)
    terminal = Terminal()
    if isinstance(found, Refusal):
        terminal.object(found) if as_json else terminal.issues(found.issues, to_stderr=True)
        raise leave(found)
    terminal.object(found) if as_json else print_case(terminal, found)


def firing(
    since: Since = None,
    sample: Annotated[int, typer.Option("--sample", min=0, max=100, help="Questions a week to look at.")] = 3,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Say how often each check fires, per class and week, and what moved suddenly, evaluations left out."""
    from gateway.doors.cli_exit import leave
    from gateway.doors.eval_work import firing_of
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_eval import print_firing
    from gateway.reply import Refusal

    found = firing_of(since.date() if since else None, sample, user=user, project=project)
    terminal = Terminal()
    if isinstance(found, Refusal):
        terminal.object(found) if as_json else terminal.issues(found.issues, to_stderr=True)
        raise leave(found)
    terminal.object(found) if as_json else print_firing(terminal, found)


def stef(
    since: Since = None,
    rulebook: Annotated[
        Path | None, typer.Option("--rulebook", metavar="FILE.yml", help="Names, values, benign filters.")
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option("--against", metavar="RESULTS.jsonl", help="Hold it against the families of a run."),
    ] = None,
    cases: Cases = None,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Score questions on record without a reference, from plan and SQL alone; always with its parts.

    It watches drift between evaluation runs and stays out of their families. With --against it scores the
    answers of a run by the gold plans of its cases, and says how far it agrees with the families.
    """
    from gateway.doors.cli_exit import leave
    from gateway.doors.eval_work import stef_against, stef_of
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_eval import print_against, print_stef
    from gateway.reply import Refusal

    terminal = Terminal()
    if against is not None:
        compared = stef_against(against, rulebook, cases, project=project)
        terminal.object(compared) if as_json else print_against(terminal, compared)
        return
    found = stef_of(since.date() if since else None, rulebook, user=user, project=project)
    if isinstance(found, Refusal):
        terminal.object(found) if as_json else terminal.issues(found.issues, to_stderr=True)
        raise leave(found)
    terminal.object(found) if as_json else print_stef(terminal, found)
