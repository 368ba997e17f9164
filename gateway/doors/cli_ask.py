"""Verbs of the command line that ask: `ask`, `check-answer`, `sql check`."""

from typing import Annotated

import typer

from gateway.doors.ask_body import AskBody, split_ask
from gateway.doors.cli_input import read_json_file, read_text
from gateway.doors.cli_options import AsJson, AsUser, Project, leave
from gateway.doors.face import Face
from gateway.doors.json_input import BadInput
from gateway.doors.terminal import Terminal
from gateway.doors.terminal_reply import print_draft, print_reply, print_sql_report
from gateway.reply import TOLD, DraftReply, Refusal, Reply
from metric_layer.issues import Issue
from traces.records import Caller

CLIENT = "cli"


class AskReport(Reply):
    """A reply, and what the answer check said of the draft that came with the question."""

    draft: DraftReply


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    app.command("ask")(ask)
    app.command("check-answer")(check_answer)
    sql = typer.Typer(no_args_is_help=True, help="Try SQL against the checks. Nothing is executed.")
    sql.command("check")(sql_check)
    sql.callback()(lambda: None)
    app.add_typer(sql, name="sql")


def ask(
    plan: Annotated[
        str, typer.Argument(metavar="PLAN.json|-", help="A metric plan; `-` reads standard input.")
    ],
    draft: Annotated[
        str, typer.Option("--draft", metavar="FILE", help="Check this text against the answer.")
    ] = "",
    user: AsUser = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check and price only; nothing runs.")] = False,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Ask a metric plan and print the answer with its evidence.

    Choices and an approval id stand beside the plan in the file: {"plan": {...}, "choices": {...}}.
    """
    from gateway.doors.cli_open import opened

    raw = read_json_file(plan)
    text = read_text(draft) if draft else ""
    with opened(project) as house:
        caller = house.callers.for_cli(user)
        reply = _asked(house.gateway, caller, raw, dry_run=dry_run)
        checked = None
        if draft and reply.outcome in TOLD:
            checked = house.gateway.check_answer(caller, text, [reply.trace_id])
    terminal = Terminal()
    if as_json:
        terminal.object(_together(reply, checked))
    else:
        print_reply(terminal, reply)
        if checked is not None:
            print_draft(terminal, checked)
    raise leave(reply if checked is None else checked)


def check_answer(
    given: Annotated[
        list[str], typer.Argument(metavar="TRACE... DRAFT.txt|-", help="Trace ids, then the draft.")
    ],
    declare: Annotated[
        str, typer.Option("--declare", metavar="FILE.json", help="Figures that code has to compute.")
    ] = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Check a draft against recorded answers: every number must have its cell."""
    from gateway.doors.cli_open import opened

    *trace_ids, draft = given
    if not trace_ids:
        raise BadInput(
            Issue(
                code="no_trace",
                message="A draft is checked against at least one trace.",
                next_step="Write `cellbound check-answer TRACE DRAFT.txt`.",
            )
        )
    text = read_text(draft)
    declared = read_json_file(declare) if declare else ()
    with opened(project) as house:
        result = house.gateway.check_answer(house.callers.for_cli(user), text, trace_ids, declared)
    terminal = Terminal()
    terminal.object(result) if as_json else print_draft(terminal, result)
    raise leave(result)


def sql_check(
    file: Annotated[str, typer.Argument(metavar="FILE.sql|-", help="One SELECT; `-` reads standard input.")],
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Say what every check thinks of a piece of SQL. Nothing is executed."""
    from gateway.doors.cli_open import opened

    text = read_text(file)
    with opened(project) as house:
        result = house.gateway.check_sql(house.callers.for_cli(user), text)
    terminal = Terminal()
    if as_json:
        terminal.object(result)
    elif isinstance(result, Refusal):
        terminal.issues(result.issues)
    else:
        print_sql_report(terminal, result)
    raise leave(result)


def _asked(face: Face, caller: Caller, raw: object, *, dry_run: bool) -> Reply:
    asked = split_ask(raw)
    if not isinstance(asked, AskBody):
        return Reply(outcome="invalid_plan", issues=asked)
    return face.ask(
        caller,
        asked.plan,
        choices=asked.beside.choices,
        dry_run=dry_run or asked.beside.dry_run,
        approval_id=asked.beside.approval_id,
        client=CLIENT,
    )


def _together(reply: Reply, checked: DraftReply | None) -> Reply:
    return reply if checked is None else AskReport(**dict(reply), draft=checked)
