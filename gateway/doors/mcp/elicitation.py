"""A question back as a form of the client (MCP elicitation), where it can show one; never an approval."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anyio
from mcp.server.mcpserver import Context
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import is_version_at_least
from pydantic import ValidationError

from gateway.asking import Door, door_of
from gateway.doors.http.auth import entered_by
from gateway.reply import Reply, ReplyIssue
from metric_layer.record import Record

RESUMES_SINCE = "2026-07-28"
"""Since this revision a server answers with what it asks, and the client sends its call again."""
MOST_ROUNDS = 3
LONGEST_LOOK = 50.0
"""How many seconds a form may stay open in the middle of a call: a client that says it shows forms, and does
not, would hold it for ever, and many end a call after a minute."""
KEY = "choices"


class Rounds(Record):
    """What was asked and chosen so far: `terms` are those of the last form, in order."""

    chosen: Mapping[str, str] = {}
    terms: tuple[str, ...] = ()
    asked: int = 0


def questions_in(found: Record) -> tuple[ReplyIssue, ...]:
    """Return what a reply asks back, where every question has options to choose from; else nothing."""
    if not isinstance(found, Reply) or found.outcome != "needs_clarification":
        return ()
    open_ones = tuple(issue for issue in found.issues if issue.term)
    closed = len(open_ones) == len(found.issues) and all(issue.options for issue in open_ones)
    return open_ones if closed else ()


@dataclass
class Form:
    """The forms of one call. What a client sends back is a choice like any other: the checks judge it."""

    context: Context[Any, Any]
    asked: int = 0

    @property
    def door(self) -> Door:
        """Return how the caller came in."""
        request = self.context.request_context
        params = request.session.client_params
        said = f"{params.client_info.name} {params.client_info.version}" if params else ""
        return entered_by(door_of(f"mcp {request.protocol_version}", said))

    @property
    def resumes(self) -> bool:
        """Say whether this client sends its call again with its answers."""
        return is_version_at_least(self.context.request_context.protocol_version, RESUMES_SINCE)

    @property
    def can_ask(self) -> bool:
        """Say whether the client shows forms, and has not shown too many in this call."""
        capabilities = self.context.client_capabilities
        able = capabilities.elicitation if capabilities is not None else None
        shows = able is not None and (able.form is not None or able.url is None)
        return shows and self.asked < MOST_ROUNDS and (self.resumes or self._back_channel)

    @property
    def _back_channel(self) -> bool:
        """Say whether this client can be asked while its call runs; over HTTP without a session it cannot."""
        return self.context.request_context.session.can_send_request

    def chosen(self) -> Mapping[str, str]:
        """Return what was chosen in earlier rounds of this call."""
        rounds = _rounds(self.context.request_state)
        self.asked = rounds.asked
        answer = (self.context.input_responses or {}).get(KEY)
        if not isinstance(answer, ElicitResult):
            return rounds.chosen
        if answer.action != "accept":
            self.asked = MOST_ROUNDS
        return {**rounds.chosen, **_given(answer, rounds.terms)}

    def to_fill_in(self, questions: Sequence[ReplyIssue], choices: Mapping[str, str]) -> InputRequiredResult:
        """Return the form, and what the client has to send back with it."""
        terms = tuple(issue.term for issue in questions)
        rounds = Rounds(chosen=choices, terms=terms, asked=self.asked + 1)
        return InputRequiredResult(
            input_requests={KEY: ElicitRequest(params=_form(questions))},
            request_state=rounds.model_dump_json(),
        )

    async def answer(self, questions: Sequence[ReplyIssue]) -> Mapping[str, str]:
        """Show the form in the middle of the call; nothing where the person declines or nobody answers."""
        self.asked += 1
        params = _form(questions)
        related = self.context.request_context.request_id
        with anyio.move_on_after(LONGEST_LOOK):
            found = await self.context.request_context.session.elicit_form(
                params.message, params.requested_schema, related
            )
            return _given(found, [issue.term for issue in questions])
        return {}


def _form(questions: Sequence[ReplyIssue]) -> ElicitRequestFormParams:
    """Return a form with one list to choose from for each open term."""
    fields = {
        _field(number): {
            "type": "string",
            "title": issue.term,
            "description": issue.message,
            "oneOf": [
                {"const": option.name, "title": option.description or option.name} for option in issue.options
            ],
        }
        for number, issue in enumerate(questions)
    }
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    said = " ".join(issue.message for issue in questions)
    return ElicitRequestFormParams(message=f"{said} Which is meant?", requested_schema=schema)


def _given(answer: ElicitResult, terms: Sequence[str]) -> Mapping[str, str]:
    if answer.action != "accept":
        return {}
    content = answer.content or {}
    found = {term: content.get(_field(number)) for number, term in enumerate(terms)}
    return {term: value for term, value in found.items() if isinstance(value, str) and value}


def _field(number: int) -> str:
    return f"choice_{number + 1}"


def _rounds(state: str | None) -> Rounds:
    """Return the rounds so far; a state that is none counts as no round."""
    try:
        return Rounds.model_validate(json.loads(state)) if state else Rounds()
    except (ValueError, ValidationError):
        return Rounds()
