"""What time it is in the database, and when each relation of a query was last changed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from gateway.engines.base import EngineError
from gateway.engines.snowflake_names import literal, quoted
from gateway.engines.snowflake_session import Answer

Ask = Callable[[str], Answer]

UNREADABLE = ("bad_sql", "statement_refused", "database_failed", "data_error")


@dataclass(frozen=True, slots=True)
class Moment:
    """`at` is UTC without a zone. `changes` is None where the database does not say; compare, do not read."""

    at: datetime
    changes: tuple[str, ...] | None


def moment_of(ask: Ask, names: Iterable[str]) -> Moment:
    """Return the moment, and the change mark of each relation by its full name."""
    marks = [f"SYSTEM$LAST_CHANGE_COMMIT_TIME({literal(quoted(name))})" for name in sorted(names)]
    try:
        (row,) = ask(f"SELECT {', '.join(('SYSDATE()', *marks))}").all()
    except EngineError as error:
        if not marks or error.code not in UNREADABLE:
            raise
        ((at,),) = ask("SELECT SYSDATE()").all()
        return Moment(at, None)
    at, *changes = row
    return Moment(at, tuple(map(str, changes)) if all(change is not None for change in changes) else None)
