"""Verbs of the command line that prepare a database: `setup sql`."""

import sys
from typing import Annotated, Literal

import typer

from gateway.doors.cli.options import Project, one_of


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    setup = typer.Typer(no_args_is_help=True, help="Prepare a database. Nothing is run for you.")
    setup.command("sql")(sql)
    setup.callback()(lambda: None)
    app.add_typer(setup, name="setup")


def sql(
    engine: Annotated[
        Literal["duckdb", "postgres", "snowflake", "bigquery"] | None,
        typer.Option(
            "--engine",
            parser=one_of("duckdb", "postgres", "snowflake", "bigquery"),
            help="In whose SQL or commands; the project's own engine otherwise.",
        ),
    ] = None,
    traces: Annotated[
        bool, typer.Option("--traces", help="The database for traces in PostgreSQL instead, as SQL.")
    ] = False,
    state: Annotated[
        bool, typer.Option("--state", help="The database for the state of several replicas instead, as SQL.")
    ] = False,
    project: Project = None,
) -> None:
    """Print what makes the database hold the project's roles, columns, rows and limits.

    Made from metrics/, policies/ and cellbound.toml; nothing is connected to. Read it, then run it yourself;
    `cellbound doctor` says what is still missing. With --traces: the database that [traces] store names, its
    writer, who may insert and select only, and the triggers that refuse every change. With --state: the
    database that [state] url names, and its login.
    """
    from gateway.doors.project import settings_of
    from traces.store.postgres_setup import traces_setup

    if traces:
        sys.stdout.write(traces_setup(settings_of(project).traces.store))
        return
    if state:
        from gateway.stores.postgres_setup import state_setup

        sys.stdout.write(state_setup(settings_of(project).state.url))
        return
    from gateway.doors.project import definitions_of
    from gateway.doors.terminal.screen import plain
    from gateway.engines.open import dialect_of
    from gateway.operation.setup import setup_text

    found = definitions_of(project)
    chosen = engine or dialect_of(found.settings.engine.url)[0]
    sys.stdout.write(plain(setup_text(found.settings, found.layer, found.policy, chosen)))
