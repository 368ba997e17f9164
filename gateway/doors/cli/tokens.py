"""Verbs of the command line over bearer tokens: `token create|revoke|list`."""

from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, Project

Scopes = Annotated[
    list[str] | None,
    typer.Option("--scope", metavar="SCOPE", help="What it may be used for; repeat. Everything otherwise."),
]


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    tokens = typer.Typer(no_args_is_help=True, help="Issue bearer tokens, list them and take them back.")
    tokens.command("create")(create)
    tokens.command("revoke")(revoke)
    tokens.command("list")(list_tokens)
    app.add_typer(tokens, name="token")


def create(
    user: Annotated[str, typer.Option("--user", metavar="USER", help="Whom it stands for.")],
    expires: Annotated[
        str, typer.Option("--expires", metavar="TIME", help="30m, 12h, 30d, 4w, or never.")
    ] = "30d",
    scope: Scopes = None,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Issue a bearer token. It is shown once and kept nowhere; a running server takes it at once."""
    from gateway.doors.cli.token_acts import create_token
    from gateway.doors.terminal.screen import Terminal

    found = create_token(project, user, expires, scope or ())
    terminal = Terminal()
    if as_json:
        terminal.object(found)
        return
    until = f"until {found.expires:%Y-%m-%d %H:%M} UTC" if found.expires else "until it is revoked"
    terminal.note(f"Token {found.id} for {found.user}, {until}: {', '.join(found.scopes)}.")
    terminal.note("It is shown only now:")
    terminal.line(found.token)


def revoke(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="The token's id, as `token list` shows it.")],
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Take a token back. It opens nothing from this moment, at no server of the project."""
    from gateway.doors.cli.token_acts import revoke_token
    from gateway.doors.terminal.screen import Terminal

    found = revoke_token(project, token_id)
    terminal = Terminal()
    said = f"token {found.id} of {found.user} is {found.state}"
    terminal.object(found) if as_json else terminal.verdict("ok", said)


def list_tokens(as_json: AsJson = False, project: Project = None) -> None:
    """List the tokens that were issued, without the tokens."""
    from gateway.doors.cli.token_acts import list_tokens as listed
    from gateway.doors.terminal.screen import Terminal

    found = listed(project)
    terminal = Terminal()
    if as_json:
        terminal.object(found)
        return
    rows = [
        (
            each.id,
            each.user,
            each.state,
            f"{each.expires:%Y-%m-%d %H:%M}" if each.expires else "never",
            " ".join(each.scopes),
        )
        for each in found.tokens
    ]
    terminal.table(("id", "user", "state", "expires (UTC)", "scopes"), rows)
