"""What is proved of a role is proved as each of its configured users, one after the other."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from gateway.engines.base import EngineError, Promise, RoleScope

Members = Mapping[str, Sequence[str]]


def faults_of_each(
    members: Members, scope: RoleScope, faults: Callable[[str, RoleScope], Iterable[str]]
) -> tuple[str, ...]:
    """Return what is wrong with a role, as each of its users finds it; a role without one is not proved."""
    users = members.get(scope.role, ())
    if not users:
        return (f"{scope.role}: no user under [identity.users] has this role, so nobody can prove it",)
    return tuple(f"{scope.role}: {fault}" for user in users for fault in faults(user, scope))


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
