"""Where a verb of the command line asks: a project opened here, or a gateway that is served elsewhere."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from gateway.client import Client, ClientError, RequestRefused
from gateway.doors.ask_body import AskBody, split_ask
from gateway.doors.cli.ids import whole_hold, whole_trace
from gateway.doors.cli.plan import asked
from gateway.doors.json_input import BadInput
from gateway.doors.opened import opened
from gateway.errors import Busy, HouseError, IdentityRefused
from gateway.reply import DraftReply, Refusal, Reply, ReplyIssue, SqlReport
from gateway.reviews.view import HoldView
from gateway.service import Gateway
from metric_layer.issues import Issue
from traces.records import Caller

TOKEN = "CELLBOUND_TOKEN"
UNKNOWN, TOO_MANY, UNAVAILABLE = 401, 429, 503


class Asker(Protocol):
    """What the asking verbs need of a gateway, here or elsewhere."""

    def ask(self, raw: object, *, dry_run: bool) -> Reply:
        """Ask what a file holds."""
        ...

    def check_answer(
        self, draft: str, trace_ids: Sequence[str], declare: object = (), approval_id: str = ""
    ) -> DraftReply:
        """Check a draft."""
        ...

    def check_sql(self, sql: str) -> SqlReport | Refusal:
        """Hold SQL against the checks."""
        ...

    def wait_decision(self, hold_id: str, seconds: float) -> HoldView | Refusal:
        """Show a hold, once it is decided or after so many seconds."""
        ...


@contextmanager
def asker_of(project: Path | None, user: str, server: str, token_env: str) -> Iterator[Asker]:
    """Open the project, or reach the gateway at `server` with the token of a variable.

    Raises BadInput, and as a HouseError whatever a served gateway refuses a request with.
    """
    if not server:
        with opened(project) as house:
            yield _Here(house.gateway, house.callers.for_cli(user))
        return
    if user or project:
        raise BadInput(_who_asks("--as" if user else "--project"))
    if not server.startswith(("http://", "https://")):
        raise BadInput(_no_address(server))
    token = os.environ.get(token_env, "")
    if not token:
        raise BadInput(_no_token(token_env))
    try:
        with Client(server, token) as client:
            yield _Elsewhere(client)
    except ClientError as fault:
        raise _as_fault(fault) from fault


class _Here:
    def __init__(self, gateway: Gateway, caller: Caller) -> None:
        self._gateway = gateway
        self._caller = caller

    def ask(self, raw: object, *, dry_run: bool) -> Reply:
        if isinstance(raw, Mapping) and isinstance(raw.get("approval_id"), str):
            raw = {**raw, "approval_id": self._hold(raw["approval_id"])}
        return asked(self._gateway, self._caller, raw, dry_run=dry_run)

    def check_answer(
        self, draft: str, trace_ids: Sequence[str], declare: object = (), approval_id: str = ""
    ) -> DraftReply:
        cited = [whole_trace(self._gateway, self._caller, each) for each in trace_ids]
        hold = self._hold(approval_id)
        return self._gateway.check_answer(self._caller, draft, cited, declare, hold)

    def check_sql(self, sql: str) -> SqlReport | Refusal:
        return self._gateway.check_sql(self._caller, sql)

    def wait_decision(self, hold_id: str, seconds: float) -> HoldView | Refusal:
        return self._gateway.await_decision(self._caller, self._hold(hold_id), seconds)

    def _hold(self, written: str) -> str:
        return whole_hold(self._gateway, self._caller, written)


class _Elsewhere:
    def __init__(self, client: Client) -> None:
        self._client = client

    def ask(self, raw: object, *, dry_run: bool) -> Reply:
        body = {**raw, "dry_run": True} if dry_run and isinstance(raw, Mapping) else raw
        found = split_ask(body)
        if not isinstance(found, AskBody):
            return Reply(outcome="invalid_plan", issues=found)
        return self._client.ask_body(body)

    def check_answer(
        self, draft: str, trace_ids: Sequence[str], declare: object = (), approval_id: str = ""
    ) -> DraftReply:
        return self._client.check_answer(draft, trace_ids, declare, approval_id)

    def check_sql(self, sql: str) -> SqlReport | Refusal:
        return self._client.check_sql(sql)

    def wait_decision(self, hold_id: str, seconds: float) -> HoldView | Refusal:
        try:
            return self._client.wait_decision(hold_id, seconds)
        except RequestRefused as refused:
            if refused.status in (UNKNOWN, TOO_MANY, UNAVAILABLE):
                raise
            return refused.refusal


def _as_fault(fault: ClientError) -> HouseError:
    if not isinstance(fault, RequestRefused):
        return HouseError((_not_reached(str(fault)),))
    issues = tuple(map(_issue, fault.refusal.issues))
    if fault.status == UNKNOWN:
        return IdentityRefused(issues)
    return Busy(issues) if fault.status in (TOO_MANY, UNAVAILABLE) else HouseError(issues)


def _issue(told: ReplyIssue) -> Issue:
    return Issue(
        code=told.code, message=told.message, path=told.path, seen=told.seen, next_step=told.next_step
    )


def _not_reached(why: str) -> Issue:
    return Issue(
        code="gateway_not_reached",
        message=f"The gateway was not reached: {why}",
        next_step="Look at --server: is it the address that `cellbound serve` prints, and is it running?",
    )


def _no_address(server: str) -> Issue:
    return Issue(
        code="no_address",
        message="The address of a gateway begins with http:// or https://.",
        place="--server",
        seen=server[:200],
        next_step="Write the address that `cellbound serve` prints, like http://127.0.0.1:8321.",
    )


def _who_asks(option: str) -> Issue:
    return Issue(
        code="token_says_who",
        message=f"{option} is for a project on this machine; a served gateway knows who asks by the token.",
        seen=option,
        next_step="Leave it out, or leave --server out.",
    )


def _no_token(name: str) -> Issue:
    return Issue(
        code="no_token",
        message=f"The variable {name} holds no token.",
        seen=name,
        next_step="Put the token there, or name another variable with --token-env.",
    )
