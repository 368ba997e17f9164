"""Verbs of the command line that ask: `ask`, `check-answer`, `sql check`."""

from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, AsUser, Choices, Project, Server, TokenEnv


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
    ] = "",
    question: Annotated[
        str, typer.Option("--question", metavar="TEXT", help="A question in words instead of a plan.")
    ] = "",
    draft: Annotated[
        str, typer.Option("--draft", metavar="FILE", help="Check this text against the answer.")
    ] = "",
    conversation: Annotated[
        str, typer.Option("--conversation", metavar="ID", help="Your id of the conversation it goes on.")
    ] = "",
    choice: Choices = None,
    approval: Annotated[
        str, typer.Option("--approval", metavar="HOLD", help="The hold under which this was accepted.")
    ] = "",
    user: AsUser = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check and price only; nothing runs.")] = False,
    as_json: AsJson = False,
    project: Project = None,
    server: Server = "",
    token_env: TokenEnv = "CELLBOUND_TOKEN",
) -> None:
    """Ask a metric plan, or a question in words, and print the answer with its evidence.

    A question back is answered with --choice, once for each term. Choices, a conversation, an approval id and
    a narrower window that will do after a timeout may also stand beside the plan or the question in the file:
    {"question": "...", "choices": {...}, "conversation": "..."}.
    """
    from gateway.doors.cli.asking import asker_of
    from gateway.doors.cli.input import read_text
    from gateway.doors.cli.plan import body_of, together
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.reply import print_draft, print_reply
    from gateway.doors.terminal.screen import Terminal
    from gateway.reply import TOLD

    raw = body_of(plan, question, choice or (), conversation=conversation, approval_id=approval)
    text = read_text(draft) if draft else ""
    with asker_of(project, user, server, token_env) as asker:
        reply = asker.ask(raw, dry_run=dry_run)
        checked = None
        if draft and reply.outcome in TOLD:
            checked = asker.check_answer(text, [reply.trace_id])
    terminal = Terminal()
    if as_json:
        terminal.object(together(reply, checked))
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
    approval: Annotated[
        str, typer.Option("--approval", metavar="HOLD", help="The hold under which this draft was accepted.")
    ] = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
    server: Server = "",
    token_env: TokenEnv = "CELLBOUND_TOKEN",
) -> None:
    """Check a draft against recorded answers: every number must have its cell."""
    from gateway.doors.cli.asking import asker_of
    from gateway.doors.cli.input import read_json_file, read_text
    from gateway.doors.cli.plan import split_draft
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.reply import print_draft
    from gateway.doors.terminal.screen import Terminal

    trace_ids, draft = split_draft(given)
    text = read_text(draft)
    declared = read_json_file(declare) if declare else ()
    with asker_of(project, user, server, token_env) as asker:
        result = asker.check_answer(text, trace_ids, declared, approval)
    terminal = Terminal()
    terminal.object(result) if as_json else print_draft(terminal, result)
    raise leave(result)


def sql_check(
    file: Annotated[str, typer.Argument(metavar="FILE.sql|-", help="One SELECT; `-` reads standard input.")],
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
    server: Server = "",
    token_env: TokenEnv = "CELLBOUND_TOKEN",
) -> None:
    """Say what every check thinks of a piece of SQL. Nothing is executed."""
    from gateway.doors.cli.asking import asker_of
    from gateway.doors.cli.input import read_text
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.screen import Terminal
    from gateway.doors.terminal.sql import print_sql_report
    from gateway.reply import Refusal

    text = read_text(file)
    with asker_of(project, user, server, token_env) as asker:
        result = asker.check_sql(text)
    terminal = Terminal()
    if as_json:
        terminal.object(result)
    elif isinstance(result, Refusal):
        terminal.issues(result.issues)
    else:
        print_sql_report(terminal, result)
    raise leave(result)
