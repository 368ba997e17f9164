"""What a database has to hold for a project: roles, what each reads, and limits, in no engine's own words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gateway.engines.base import Limits
from metric_layer.compile import RowRule
from metric_layer.definitions import ColumnType

REVIEWED = "cellbound_reviewed"
"""The schema, or dataset, of views that a person reviewed: they hold row rules and masks of every role."""


def commented(text: str, mark: str) -> str:
    """Return a text as comment lines behind a mark: no name in it can end the comment."""
    return "\n".join(f"{mark}{line}" for line in text.splitlines())


@dataclass(frozen=True, slots=True)
class Reading:
    """What a role reads of a dataset. `masked` columns may be read behind a mask only; `masks` are those that
    leave a part of the value, in the engine's words with `{column}` in its place.

    `relation` are the parts of the relation's name, schema included. Every rule has to keep a row.
    """

    dataset: str
    relation: tuple[str, ...]
    columns: tuple[str, ...]
    masked: tuple[str, ...]
    rules: tuple[RowRule, ...]
    masks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RoleSetup:
    """A role of the policy with its configured users."""

    name: str
    users: tuple[str, ...]
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything a setup is written from.

    `url` is the engine's, `credentials` what proves a login. `login` is the gateway's own login where one
    acts for everybody, else "". `types` are the types of each dataset's columns, `parquet` the paths of
    relations that are Parquet files. `tenants` are the tenants of the users where some role sees hashes, else
    empty.
    """

    project: str
    url: str
    login: str
    connections: int
    limits: Limits
    roles: tuple[RoleSetup, ...]
    types: Mapping[str, Mapping[str, ColumnType]]
    credentials: str = "server"
    parquet: tuple[str, ...] = ()
    tenants: Mapping[str, str] = field(default_factory=dict)

    @property
    def users(self) -> tuple[str, ...]:
        """Return every configured user once, in the order of the roles."""
        return tuple(dict.fromkeys(user for role in self.roles for user in role.users))

    def readers_of(self, relation: tuple[str, ...]) -> Sequence[tuple[RoleSetup, Reading]]:
        """Return the roles that read a relation, with what they read of it."""
        return [(role, each) for role in self.roles for each in role.readings if each.relation == relation]

    @property
    def relations(self) -> tuple[tuple[str, ...], ...]:
        """Return every relation that somebody reads, once."""
        return tuple(dict.fromkeys(each.relation for role in self.roles for each in role.readings))
