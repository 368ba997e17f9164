"""Reads a command line in one go: every option that is wrong is told at once, and in our own words."""

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup


class Verb(TyperCommand):
    """A verb of the command line. What is wrong with its options is raised together, as BadInput."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options and arguments of this verb."""
        written = list(args)
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as fault:
            from gateway.doors.cli.usage import Usage

            raise Usage(self, ctx).wrong(written, fault) from fault


class Verbs(TyperGroup):
    """Verbs under one name. A word that is none of them is told with the near ones."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what stands before the verb; without any word, show the help."""
        written = list(args)
        if not written:
            return super().parse_args(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as fault:
            from gateway.doors.cli.usage import Usage

            raise Usage(self, ctx).wrong(written, fault) from fault

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the verb that a word names."""
        try:
            return super().resolve_command(ctx, args)
        except typer.TyperException as fault:
            from gateway.doors.cli.usage import Usage

            raise Usage(self, ctx).no_verb(args[0]) from fault


def in_our_words(app: typer.Typer) -> None:
    """Let an application and all below it tell what is wrong with a command line this way."""
    app.info.cls = Verbs
    for command in app.registered_commands:
        command.cls = Verb
    for group in app.registered_groups:
        if group.typer_instance is not None:
            in_our_words(group.typer_instance)
