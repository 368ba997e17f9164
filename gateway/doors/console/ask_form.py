"""The form of a question: words or a plan, the readings chosen so far, and the conversation it goes on."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from urllib.parse import urlencode

from pydantic import ValidationError
from starlette.datastructures import FormData, QueryParams

from gateway.asking import MOST_ID, AskOptions
from gateway.cancellation import Cancellation
from gateway.doors.arguments import argument_issues, pydantic_errors
from gateway.doors.ask_body import AskBody
from gateway.doors.console.desk import DOOR
from gateway.doors.json_input import BadJson, read_json
from gateway.reply import Reply, ReplyIssue, issue_of
from gateway.service import Gateway
from metric_layer.plan import MetricPlan
from traces.records import Caller

SEPARATOR = "\x1f"
MOST_TURNS = 6
MOST_TEXT = 100_000


@dataclass(frozen=True, slots=True)
class AskForm:
    """What a person filled in. `key` tells one press of a button from another; `thread` are earlier traces.

    `shown` is the digest of the plan that the person saw before it ran; empty where none was shown.
    """

    question: str = ""
    plan: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    conversation: str = ""
    thread: tuple[str, ...] = ()
    key: str = ""
    shown: str = ""
    approval_id: str = ""

    def body(self, *, dry_run: bool) -> AskBody | tuple[ReplyIssue, ...]:
        """Return the question as the house takes it, or what is wrong with the form."""
        try:
            options = AskOptions(
                choices=dict(self.choices),
                conversation=self.conversation,
                approval_id=self.approval_id,
                dry_run=dry_run,
            )
        except ValidationError as fault:
            return argument_issues(pydantic_errors(fault))
        if not self.plan:
            return AskBody(question=self.question, options=options)
        try:
            return AskBody(plan=read_json(self.plan.encode("utf-8", "replace"), "plan"), options=options)
        except BadJson as fault:
            return (issue_of(fault.issue, "input"),)

    def ask(self, gateway: Gateway, caller: Caller, leaver: Cancellation, *, dry_run: bool) -> Reply:
        """Put the question to the house; a second press of the same button gets the same reply."""
        asked = self.body(dry_run=dry_run)
        if not isinstance(asked, AskBody):
            return Reply(outcome="invalid_plan", issues=asked)

        def work() -> Reply:
            return asked.asked(gateway, caller, replace(DOOR, key="" if dry_run else self.key), leaver)

        if dry_run or not self.key:
            return work()
        sent = [self.question, self.plan, dict(self.choices), self.conversation, self.approval_id]
        digest = sha256(json.dumps(sent, sort_keys=True).encode("utf-8", "replace")).hexdigest()
        return gateway.once(caller, self.key, digest, work)

    def after(self, trace_id: str, changed: bool) -> str:
        """Return the address of the conversation with this answer at its end."""
        turns = (*self.thread, trace_id)[-MOST_TURNS:]
        pairs = [("c", self.conversation), *(("t", turn) for turn in turns)]
        return urlencode([*pairs, ("changed", "1")] if changed else pairs)

    def fresh(self) -> "AskForm":
        """Return the form as it is shown again: under a new key, with a conversation to go on."""
        return replace(
            self,
            key=secrets.token_urlsafe(18),
            conversation=self.conversation or secrets.token_urlsafe(12),
        )


def form_of(sent: FormData | QueryParams) -> AskForm:
    """Read the form. A button of a question back adds its reading to those chosen before."""
    choices: dict[str, str] = {}
    for given in (*sent.getlist("choice"), *sent.getlist("choose")):
        term, split, option = given.partition(SEPARATOR) if isinstance(given, str) else ("", "", "")
        if split:
            choices[term] = option
    return AskForm(
        question=_text(sent, "question"),
        plan=_text(sent, "plan").strip(),
        choices=choices,
        conversation=_text(sent, "c")[:MOST_ID],
        thread=tuple(t for t in sent.getlist("t") if isinstance(t, str) and t.isalnum())[-MOST_TURNS:],
        key=_text(sent, "key")[:MOST_ID],
        shown=_text(sent, "shown")[:MOST_ID],
        approval_id=_text(sent, "approval_id")[:MOST_ID],
    )


def plan_digest(plan: MetricPlan | None) -> str:
    """Return what tells the plan a person saw from another one."""
    return sha256(plan.model_dump_json().encode()).hexdigest() if plan else ""


def _text(sent: FormData | QueryParams, name: str) -> str:
    value = sent.get(name, "")
    return value[:MOST_TEXT] if isinstance(value, str) else ""
