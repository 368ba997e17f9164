"""Where the state of a project stands when it is not a file."""

from typing import Annotated

from pydantic import Field

from metric_layer.record import Record


class StateSettings(Record):
    """Where holds, choices, conversations, kept replies, budgets, tokens and results go besides files.

    `url` is a PostgreSQL database (postgres://...) that all replicas of one project share; its password comes
    from the environment or from a password file. Without one they are files under `paths`.
    """

    url: Annotated[str, Field(pattern=r"^(postgres(ql)?://.+)?$", repr=False)] = ""
