"""Who orders an act of custody, on whom, and why: the right, the person and the reason are all asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from gateway.house import House
from gateway.reply import Refusal, ReplyIssue
from metric_layer.vocabulary import near
from policies.policy import Right
from traces.keys import pseudonym
from traces.records import Caller
from traces.store.base import TraceStore

MOST_CHARACTERS = 1000


@dataclass(frozen=True, slots=True)
class Person:
    """Whose traces are meant: a user of the caller's own tenant, or a pseudonym as traces show it."""

    user: str = ""
    pseudonym: str = ""


def lacking(house: House, caller: Caller, right: Right) -> tuple[ReplyIssue, ...]:
    """Return what a caller is told who lacks a right; nothing for who has it."""
    role = house.entitlements.of(caller)
    return without(right, role.role_name, role.role.may) if role else without(right, "no role", ())


def without(right: Right, role: str, may: Sequence[Right]) -> tuple[ReplyIssue, ...]:
    """Return what somebody in a role is told that `may` not do what a right is for; nothing where it may."""
    if right in may:
        return ()
    return (
        ReplyIssue(
            code="right_missing",
            message=f"Your role may not do that: it lacks the right {right}.",
            stage="input",
            seen=role,
            next_step=f"Ask the policy's owner for the right {right}.",
        ),
    )


def refused(house: House, caller: Caller, right: Right, reason: str) -> Refusal | None:
    """Return why an act is refused: no right to it, or no reason; None where it may go on."""
    problems = list(lacking(house, caller, right))
    if not reason.strip() or len(reason) > MOST_CHARACTERS:
        problems.append(
            ReplyIssue(
                code="reason_missing",
                message=f"This needs a reason of 1 to {MOST_CHARACTERS} characters; it goes on record.",
                stage="input",
                path="/reason",
                seen=f"{len(reason)} characters",
                next_step="Say why with --reason.",
            )
        )
    return Refusal(issues=tuple(problems)) if problems else None


def knows_of(house: House, caller: Caller) -> bool:
    """Say whether a caller may know that traces of other people exist."""
    return not {"audit", "unseal"}.isdisjoint(house.rights(caller))


def subject_of(
    house: House, traces: TraceStore, caller: Caller, person: Person, users: Sequence[Caller]
) -> str | Refusal:
    """Return the pseudonym of a person; a Refusal where nobody, or two people, are named.

    A user is always one of the caller's own tenant: one of the listed `users`, or one who left a key, a hold
    or a trace. A pseudonym has to stand on a trace of that tenant; one of another tenant is answered like one
    that nobody has.
    """
    if bool(person.user) == bool(person.pseudonym):
        return Refusal(
            issues=(
                ReplyIssue(
                    code="no_subject",
                    message="Name one person: a user or a pseudonym.",
                    stage="input",
                    path="/subject",
                    next_step="Use --subject USER, or --pseudonym as `trace show` prints it.",
                ),
            )
        )
    if person.user:
        listed = tuple(each.user for each in users if each.tenant == caller.tenant)
        subject = pseudonym(house.keys, person.user, caller.tenant)
        if person.user in listed or house.keys.ids_of(subject) or subject in house.keys.held():
            return subject
        return subject if _asked(traces, subject, caller) else _nobody(person.user, listed)
    return person.pseudonym if _asked(traces, person.pseudonym, caller) else _unknown(person.pseudonym)


def _asked(traces: TraceStore, subject: str, caller: Caller) -> bool:
    return any(True for _ in traces.list(limit=1, subject=subject, tenant=caller.tenant))


def _nobody(user: str, listed: Sequence[str]) -> Refusal:
    close = near(user, listed)
    return Refusal(
        issues=(
            ReplyIssue(
                code="unknown_subject",
                message="No user is called that, and nobody of that name left a trace. Nothing was done.",
                stage="input",
                path="/subject",
                seen=user[:100],
                candidates=close,
                next_step=f"Did you mean {close[0]}?" if close else "Write the name as the user signs in.",
            ),
        )
    )


def _unknown(seen: str) -> Refusal:
    return Refusal(
        issues=(
            ReplyIssue(
                code="unknown_subject",
                message="No trace that you may know of is of that person.",
                stage="input",
                path="/subject",
                seen=seen[:100],
                next_step="Copy the pseudonym from `trace show`, or name the user with --subject.",
            ),
        )
    )
