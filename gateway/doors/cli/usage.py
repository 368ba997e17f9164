"""What is wrong with a command line, all of it: unknown and missing options, and values that do not fit."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import typer
from pydantic import ValidationError
from typer.core import TyperCommand, TyperGroup

from gateway.doors.arguments import pydantic_errors, wanted
from gateway.doors.cli.options import WrongValue
from gateway.doors.json_input import BadInput
from metric_layer.issues import Issue
from metric_layer.vocabulary import near

PLACE = "command line"


class Usage:
    """One verb, or a group of verbs, and the words it was called with."""

    def __init__(self, command: TyperCommand | TyperGroup, context: typer.Context) -> None:
        self._command = command
        self._context = context
        self._help = f"`{context.command_path} --help` shows how it is used."
        self._options: Mapping[str, Any] = {
            name: option
            for option in command.get_params(context)
            if option.param_type_name == "option"
            for name in (*option.opts, *option.secondary_opts)
        }

    def wrong(self, written: Sequence[str], first: Exception) -> BadInput:
        """Return everything that is wrong with these words; `first` is what the reader stopped at."""
        known, issues = self._known(written)
        issues += self._values(known, loose=bool(issues))
        return BadInput(*(issues or [self._unread(str(first), "")]))

    def no_verb(self, word: str) -> BadInput:
        """Return that a word is no verb here."""
        names = tuple(self._command.commands) if isinstance(self._command, TyperGroup) else ()
        candidates = near(word, names)
        return BadInput(
            Issue(
                code="unknown_verb",
                message=f"{self._context.command_path} has no verb {word!r}.",
                place=PLACE,
                seen=word,
                candidates=candidates,
                next_step=f"Did you mean {self._context.command_path} {candidates[0]}?"
                if candidates
                else f"Its verbs: {', '.join(names)}.",
            )
        )

    def _known(self, written: Sequence[str]) -> tuple[list[str], list[Issue]]:
        """Return the words without the options that nobody knows and those that lack their value."""
        kept: list[str] = []
        issues: list[Issue] = []
        words = list(written)
        while words:
            word = words.pop(0)
            name, equals, _ = word.partition("=")
            option = self._options.get(name)
            if word == "--" or (isinstance(self._command, TyperGroup) and not word.startswith("-")):
                return [*kept, word, *words], issues
            if option is None and word.startswith("-") and len(word) > 1:
                issues.append(self._unknown(name))
                if not equals and words and not words[0].startswith("-") and self._takes_value(name):
                    words.pop(0)
            elif option is None or option.is_flag or equals:
                kept.append(word)
            elif words:
                kept += [word, words.pop(0)]
            else:
                issues.append(self._without_value(name))
        return kept, issues

    def _takes_value(self, unknown: str) -> bool:
        """Say whether the option that was probably meant has a value after it."""
        meant = near(unknown, self._options, 1)
        return bool(meant) and not self._options[meant[0]].is_flag

    def _values(self, words: list[str], *, loose: bool) -> list[Issue]:
        """Return what is wrong with the values of known options; with `loose`, an extra word may be one's."""
        parser = self._command.make_parser(self._context)
        try:
            given, rest, _ = parser.parse_args(args=list(words))
        except typer.TyperException as fault:
            return [self._unread(str(fault), "")]
        issues = [
            issue for param in self._command.get_params(self._context) for issue in self._held(param, given)
        ]
        if rest and not loose and not isinstance(self._command, TyperGroup):
            issues.append(self._extra(rest))
        return issues

    def _held(self, param: Any, given: Mapping[str, Any]) -> Iterator[Issue]:
        """Yield what is wrong with what was given for one option or argument."""
        try:
            param.handle_parse_result(self._context, given, [])
        except typer.TyperException as fault:
            yield self._fault(param, given.get(param.name), fault)

    def _fault(self, param: Any, seen: object, fault: typer.TyperException) -> Issue:
        name = _called(param)
        if seen is None or seen in ((), []):
            return Issue(
                code="missing_option" if name.startswith("-") else "missing_argument",
                message=f"`{name}` is missing.",
                place=PLACE,
                seen="",
                next_step=f"Add it: {param.help}" if getattr(param, "help", None) else self._help,
            )
        text = ", ".join(map(str, seen)) if isinstance(seen, list | tuple) else str(seen)
        if isinstance(fault, WrongValue):
            told = self._value(name, fault.message, text, fault.candidates, fault.next_step)
            return told.model_copy(update={"code": fault.code}) if fault.code else told
        if isinstance(fault.__cause__, ValidationError):
            error = pydantic_errors(fault.__cause__)[0]
            must = wanted(str(error["type"]), error)
            step = (
                f"Write a number that is {must}."
                if must.startswith(("at ", "more", "less"))
                else f"Write {must}."
            )
            return self._value(name, f"must be {must}.", text, (), step)
        return self._unread(fault.message, text)

    def _value(
        self, name: str, message: str, seen: str, candidates: tuple[str, ...], next_step: str
    ) -> Issue:
        return Issue(
            code="wrong_option" if name.startswith("-") else "wrong_argument",
            message=f"`{name}` {message}",
            place=PLACE,
            seen=seen[:200],
            candidates=candidates,
            next_step=next_step or self._help,
        )

    def _unknown(self, name: str) -> Issue:
        candidates = near(name, self._options)
        return Issue(
            code="unknown_option",
            message=f"{self._context.command_path} has no option {name}.",
            place=PLACE,
            seen=name,
            candidates=candidates,
            next_step=f"Did you mean {candidates[0]}?" if candidates else self._help,
        )

    def _without_value(self, name: str) -> Issue:
        return Issue(
            code="missing_value",
            message=f"`{name}` has no value after it.",
            place=PLACE,
            seen=name,
            next_step=f"Write {name} {self._options[name].metavar or 'VALUE'}.",
        )

    def _extra(self, rest: Sequence[str]) -> Issue:
        return Issue(
            code="unexpected_argument",
            message=f"{self._context.command_path} takes no more arguments here.",
            place=PLACE,
            seen=" ".join(rest)[:200],
            next_step=f"Leave it out. {self._help}",
        )

    def _unread(self, message: str, seen: str) -> Issue:
        return Issue(
            code="unread_command",
            message=f"This command line cannot be read: {message.rstrip('.')}.",
            place=PLACE,
            seen=seen,
            next_step=self._help,
        )


def _called(param: Any) -> str:
    """Return what a person calls an option or an argument: its longest name, or the word of the help."""
    if param.param_type_name == "option":
        return str(max(param.opts, key=len))
    return str(param.metavar or param.name.upper())
