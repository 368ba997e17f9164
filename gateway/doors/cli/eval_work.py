"""Verbs of the command line that learn from work on record: `eval case|firing|stef`."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from gateway.doors.cli.options import AsJson, AsUser, Cases, Project, a_day, one_of

Since = Annotated[
    datetime | None,
    typer.Option("--since", parser=a_day, help="Only questions since this day (UTC)."),
]


def add_work_verbs(verbs: typer.Typer) -> None:
    """Give `eval` these verbs."""
    verbs.command("case")(case)
    verbs.command("firing")(firing)
    verbs.command("stef")(stef)


def case(
    trace_id: Annotated[str, typer.Argument(metavar="TRACE|HOLD", help="A trace, or a held question.")],
    question: Annotated[str, typer.Option("--question", help="The question in the asker's words.")],
    name: Annotated[str, typer.Option("--id", help="The case's id; the trace id otherwise.")] = "",
    tag: Annotated[list[str] | None, typer.Option("--tag", help="A tag of the case.")] = None,
    gold_sql: Annotated[
        Path | None,
        typer.Option("--gold-sql", metavar="FILE.sql", help="The right query, where the answer was not."),
    ] = None,
    number: Annotated[
        str, typer.Option("--number", metavar="VALUE[~TOLERANCE]", help="The right figure, on today's data.")
    ] = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Make a case of a question that was asked: its plan is the gold plan, or what stopped it is right.

    An answer that somebody disagreed with is no gold: it takes --gold-sql or --number. The file goes into the
    project's cases; review it before it counts. Cases with the same gold are told.
    """
    from gateway.doors.evaluating.case import Told, case_of
    from gateway.doors.terminal.eval import print_case
    from gateway.doors.terminal.exit import told

    right = Told(question, name, tuple(tag or ()), gold_sql, number)
    raise told(case_of(trace_id, right, user=user, project=project), print_case, as_json=as_json)


def firing(
    since: Since = None,
    sample: Annotated[int, typer.Option("--sample", min=0, max=100, help="Questions a week to look at.")] = 3,
    into: Annotated[
        Path | None,
        typer.Option(
            "--into",
            metavar="DIR",
            help="Write the samples of each week that is over, once; for a scheduler.",
        ),
    ] = None,
    by: Annotated[
        Literal["check", "model"],
        typer.Option(
            "--by", parser=one_of("check", "model"), help="Count by check, or what each model gets wrong."
        ),
    ] = "check",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Say how often each check fires, per class and week, and what moved suddenly, evaluations left out.

    With --by model: what became of the replies of each model, by purpose, and why they were not taken.
    """
    from gateway.doors.cli.eval_models import firing_by_model_of, print_models
    from gateway.doors.evaluating.work import firing_of
    from gateway.doors.terminal.eval import print_firing
    from gateway.doors.terminal.exit import told

    day = since.date() if since else None
    if by == "model":
        raise told(firing_by_model_of(day, user=user, project=project), print_models, as_json=as_json)
    raise told(firing_of(day, sample, into, user=user, project=project), print_firing, as_json=as_json)


def stef(
    since: Since = None,
    rulebook: Annotated[
        Path | None, typer.Option("--rulebook", metavar="FILE.yml", help="Names, values, benign filters.")
    ] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why texts are read; it goes on record.")] = "",
    kept: Annotated[
        bool, typer.Option("--kept", help="Only the scores that questions closed with; unseals nothing.")
    ] = False,
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

    It watches drift between evaluation runs and stays out of their families. It takes the right to unseal,
    and one record says so; --kept takes the right to audit. With --against it scores the answers of a run by
    the gold plans of its cases, and says how far it agrees with the families.
    """
    from gateway.doors.evaluating.work import marks_of, stef_against, stef_of
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.stef import print_against, print_marks, print_stef

    day = since.date() if since else None
    if against is not None:
        raise told(stef_against(against, rulebook, cases, project=project), print_against, as_json=as_json)
    if kept:
        raise told(marks_of(day, user=user, project=project), print_marks, as_json=as_json)
    raise told(stef_of(day, rulebook, reason, user=user, project=project), print_stef, as_json=as_json)
