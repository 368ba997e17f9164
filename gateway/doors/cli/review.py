"""Verbs of the command line over held questions: `review list`, `show`, `decide`, `calibration`."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, AsUser, Limit, Project, Server, TokenEnv, one_of

STATUSES = ("waiting", "accepted", "denied", "expired", "used", "superseded", "all")
HoldId = Annotated[str, typer.Argument(metavar="HOLD", help="The hold_id of a held reply.")]


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    review = typer.Typer(no_args_is_help=True, help="Decide questions that code could not settle.")
    review.command("list")(list_holds)
    review.command("show")(show)
    review.command("decide")(decide)
    review.command("calibration")(calibration)
    app.add_typer(review, name="review")


def list_holds(
    status: Annotated[
        str,
        typer.Option(
            "--status",
            metavar="STATUS",
            parser=one_of(*STATUSES, code="unknown_status"),
            help="waiting, accepted, denied, expired, used, superseded or all.",
        ),
    ] = "waiting",
    limit: Limit = 100,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """List held questions: a reviewer those of the tenant, anybody else their own."""
    from gateway.doors.opened import opened
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.review import print_holds

    with opened(project) as house:
        found = house.gateway.list_holds(house.callers.for_cli(user), status, limit)
    raise told(found, print_holds, as_json=as_json)


def show(
    hold_id: HoldId,
    wait: Annotated[
        float, typer.Option("--wait", min=0, max=300, help="Wait this many seconds for the decision.")
    ] = 0,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
    server: Server = "",
    token_env: TokenEnv = "CELLBOUND_TOKEN",
) -> None:
    """Show a held question: the plan in words, each finding with both lines, the estimate and the usual."""
    from gateway.doors.cli.asking import asker_of
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.review import print_hold

    with asker_of(project, user, server, token_env) as asker:
        found = asker.wait_decision(hold_id, wait)
    raise told(found, print_hold, as_json=as_json)


def decide(
    hold_id: HoldId,
    verdict: Annotated[
        str,
        typer.Argument(
            metavar="accept|deny|revoke",
            parser=one_of("accept", "deny", "revoke", code="unknown_verdict"),
            help="Your decision.",
        ),
    ],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; one sentence will do.")],
    finding: Annotated[
        list[str] | None,
        typer.Option("--finding", metavar="KEY", help="Only this finding; may be repeated."),
    ] = None,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Accept or deny a held question, or take an accept back. Nothing runs: its asker comes back with it."""
    from gateway.doors.cli.ids import whole_hold
    from gateway.doors.opened import opened
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.review import print_hold

    with opened(project) as house:
        caller = house.callers.for_cli(user)
        hold_id = whole_hold(house.gateway, caller, hold_id)
        found = house.gateway.decide_hold(caller, hold_id, verdict, reason, tuple(finding or ()))
    raise told(found, print_hold, as_json=as_json)


def calibration(
    plots: Annotated[
        Path | None,
        typer.Option("--plots", metavar="DIR", help="Write a reliability diagram (SVG) per finding."),
    ] = None,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Show how far judges agreed with people who decided the same findings later, and how those decide."""
    from gateway.doors.opened import opened
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.review import print_calibration
    from gateway.reply import Refusal
    from gateway.reviews.reliability import reliability_svg

    with opened(project) as house:
        found = house.gateway.calibration(house.callers.for_cli(user))
    if plots is not None and not isinstance(found, Refusal):
        plots.mkdir(parents=True, exist_ok=True)
        for each in found.findings:
            drawn = reliability_svg(each)
            (plots / f"{each.check}-{each.judge}.svg").write_text(drawn, encoding="utf-8")
    raise told(found, print_calibration, as_json=as_json)
