"""Verbs of the command line that evaluate: `eval run|score|report|compare|import`."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, AsUser, Cases, Project

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
Results = Annotated[Path, typer.Argument(metavar="RESULTS.jsonl", help="What `eval run` wrote.")]


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    from gateway.doors.cli.eval_work import add_work_verbs

    verbs = typer.Typer(no_args_is_help=True)
    verbs.callback()(demand_extra)
    verbs.command("run")(run)
    verbs.command("score")(score)
    verbs.command("report")(report)
    verbs.command("compare")(compare)
    verbs.command("import")(import_pairs)
    add_work_verbs(verbs)
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
    """Ask cases and score the answers beside live gold SQL, both as the case's asker, else the run's.

    `gold` asks each case's own gold plan: it measures definitions and checks, no agent. `gateway` asks the
    question in words. A run that stopped goes on where it was; what it wrote is kept.
    """
    from gateway.doors.evaluating.run import Wanted, evaluate
    from gateway.doors.terminal.eval import tell_report

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
    tables: Tables = 50,
    junit: Junit = None,
    html: Html = None,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Score answers that were recorded; gold SQL runs now. Short for `eval run --agent recorded:FILE`."""
    run(
        agent=f"recorded:{answers}",
        cases=cases,
        through=through,
        out=out,
        tag=tag,
        at_once=at_once,
        tables=tables,
        junit=junit,
        html=html,
        user=user,
        as_json=as_json,
        project=project,
    )


def report(
    results: Results,
    junit: Junit = None,
    html: Html = None,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Say what a run found: families side by side with n and ceilings, shapes in words, a page per run."""
    from gateway.doors.evaluating.run import reread
    from gateway.doors.terminal.eval import tell_report

    raise tell_report(reread(results, project), junit=junit, html=html, as_json=as_json)


def compare(
    before: Annotated[Path, typer.Argument(metavar="BEFORE.jsonl", help="The earlier run.")],
    after: Annotated[Path, typer.Argument(metavar="AFTER.jsonl", help="The later run.")],
    as_json: AsJson = False,
) -> None:
    """Hold two runs against each other: ceilings first, then paired differences with n, then what moved."""
    from evals.compare import compare as compared
    from gateway.doors.evaluating.run import lines_of
    from gateway.doors.terminal.eval import print_comparison
    from gateway.doors.terminal.exit import told

    raise told(compared(lines_of(before), lines_of(after)), print_comparison, as_json=as_json)


def import_pairs(
    pairs: Annotated[Path, typer.Argument(metavar="PAIRS.json[l]", help="Questions with their SQL.")],
    out: Annotated[Path, typer.Argument(metavar="CASES.yml", help="The file of cases to write.")],
    database: Annotated[str, typer.Option("--db", metavar="DB_ID", help="Only pairs of this db_id.")] = "",
    as_json: AsJson = False,
) -> None:
    """Turn question and SQL pairs (Spider, BIRD and alike) into a file of cases; twins are told."""
    from gateway.doors.evaluating.run import imported
    from gateway.doors.terminal.eval import print_import
    from gateway.doors.terminal.exit import told

    raise told(imported(pairs, out, database), print_import, as_json=as_json)
