"""Verbs of the command line over policies: `policy test`, `policy diff`."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, AsUser, Project

PolicyFolder = Annotated[Path, typer.Argument(metavar="DIR", help="A policy folder, or a project.")]


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    policy = typer.Typer(no_args_is_help=True, help="Try a policy before it is in force.")
    policy.command("test")(test)
    policy.command("diff")(diff)
    app.add_typer(policy, name="policy")


def test(
    cases: Annotated[
        str, typer.Argument(metavar="CASES.jsonl|-", help="One {id, sql, role, verdict, checks?} per line.")
    ],
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the report as JUnit XML, too.")
    ] = None,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Hold your own labelled SQL against the policy. Nothing is executed, no database is opened.

    A case passes when it gets its verdict (allow, soft or hard), and every check it names says so.
    """
    from gateway.doors.cli.input import read_text
    from gateway.doors.policy_input import judged
    from gateway.doors.status import FINDINGS, OK
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.policy import print_label_report
    from gateway.doors.terminal.screen import Terminal
    from gateway.reply import Refusal
    from policies.junit import as_junit

    report = judged(read_text(cases), cases, project)
    terminal = Terminal()
    if isinstance(report, Refusal):
        terminal.object(report) if as_json else terminal.issues(report.issues, to_stderr=True)
        raise leave(report)
    if junit is not None:
        junit.write_bytes(as_junit(report, f"policy test {cases}"))
    terminal.object(report) if as_json else print_label_report(terminal, report)
    raise typer.Exit((OK if report.ok else FINDINGS).exit)


def diff(
    old: PolicyFolder,
    new: PolicyFolder,
    against_traces: Annotated[
        bool, typer.Option("--against-traces", help="Judge every recorded question under both.")
    ] = False,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Say what differs between two policies, and which recorded questions would get another verdict.

    Both are held against this project's definitions. Nothing runs: the estimates are those on record.
    """
    from gateway.doors.opened import opened
    from gateway.doors.policy_input import PolicyDiff, both_policies
    from gateway.doors.terminal.policy import print_policy_diff
    from gateway.doors.terminal.screen import Terminal
    from gateway.replay.rejudge import rejudge
    from policies.changes import policy_changes

    before, after = both_policies(old, new, project)
    questions = None
    if against_traces:
        with opened(project) as house:
            caller = house.callers.for_cli(user)
            questions = rejudge(house.gateway.house, house.gateway.traces, caller, before, after)
    found = PolicyDiff(changes=policy_changes(before.policy, after.policy), questions=questions)
    terminal = Terminal()
    terminal.object(found) if as_json else print_policy_diff(terminal, found)
