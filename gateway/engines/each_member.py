"""What is proved of a role is proved as each of its configured users, one after the other."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from gateway.engines.base import EngineError, Promise, Relation, RoleScope

CLOCKS_APART = 5.0

Members = Mapping[str, Sequence[str]]
Said = tuple[str, str, Iterable[str]]
"""A limit, what holds it, and what is wrong with it; looked at when the faults are."""


def faults_of_each(
    members: Members, scope: RoleScope, faults: Callable[[str, RoleScope], Iterable[str]]
) -> tuple[str, ...]:
    """Return what is wrong with a role, as each of its users finds it; a role without one is not proved.

    A user who cannot be tried is said to be so.
    """
    users = members.get(scope.role, ())
    if not users:
        return (f"{scope.role}: no user under [identity.users] has this role, so nobody can prove it",)
    return tuple(f"{scope.role}: {fault}" for user in users for fault in _tried(user, scope, faults))


def _tried(user: str, scope: RoleScope, faults: Callable[[str, RoleScope], Iterable[str]]) -> Iterator[str]:
    try:
        yield from faults(user, scope)
    except EngineError as error:
        yield f"{user} cannot be tried: {error}"


def faults_as(
    user: str,
    scope: RoleScope,
    session: Callable[[], Iterable[str]],
    relation: Callable[[Relation], Iterable[str]],
) -> Iterator[str]:
    """Yield what one user finds wrong with their `session`, then with each `relation` of the role.

    Where one relation cannot be proved the others still are. Raises what `session` raises.
    """
    yield from (f"{user} {fault}" for fault in session())
    for each in scope.relations:
        try:
            faults = tuple(relation(each))
        except EngineError as error:
            faults = (f"could not be proved: {error}",)
        yield from (f"{each.name}, as {user}: {fault}" for fault in faults)


def promises_of_each(
    members: Members, scope: RoleScope, promises: Callable[[str, RoleScope], Iterable[Promise]]
) -> tuple[Promise, ...]:
    """Return what was tried as each user of a role; one that cannot be tried is said to be so."""
    found: list[Promise] = []
    for user in members.get(scope.role, ()):
        try:
            found += promises(user, scope)
        except EngineError as error:
            found.append(Promise(f"identity, as {user}", "", (f"cannot be tried: {error}",)))
    return tuple(found)


def promises_as(user: str, said: Iterable[Said]) -> tuple[Promise, ...]:
    """Return what was tried as one user; a limit that cannot be tried is said to be so, the others are."""
    return tuple(_kept(f"{name}, as {user}", found, faults) for name, found, faults in said)


def clock_said(tell: Callable[[], datetime | None]) -> Said:
    """Return whether a database's clock is the gateway's; `tell` asks it once somebody wants to know."""
    return ("clock", f"within {CLOCKS_APART:g} s of the database's", _clock(tell))


def _kept(name: str, found: str, faults: Iterable[str]) -> Promise:
    try:
        return Promise(name, found, tuple(faults))
    except EngineError as error:
        return Promise(name, found, (f"cannot be tried: {error}",))


def _clock(tell: Callable[[], datetime | None]) -> Iterator[str]:
    before = time.time()
    theirs = tell()
    if theirs is None:
        yield "meets a database that does not tell its clock"
        return
    apart = max(before - theirs.timestamp(), theirs.timestamp() - time.time())
    if apart > CLOCKS_APART:
        yield f"meets a database whose clock is {apart:.0f} s away from the gateway's"
