"""Deleting whole segments from the trace database, over the one login that may."""

from collections.abc import Sequence

import psycopg

from traces.custody_records import RetiredSegment
from traces.store.postgres_session import connect, shown, unwritable

_DELETE = (
    "DELETE FROM cellbound.records WHERE (log, segment) IN (SELECT * FROM unnest(%s::text[], %s::int[]))"
)


def delete_segments(url: str, seconds: float, segments: Sequence[RetiredSegment]) -> None:
    """Delete segments, all or none; raises TraceUnwritable.

    The database refuses what is not on record, not whole, or not at the start of its log.
    """
    named = [each.log for each in segments], [each.number for each in segments]
    try:
        with connect(url, seconds, "cellbound retention") as connection:
            connection.execute(_DELETE, named)
    except psycopg.Error as error:
        raise unwritable(error, shown(url)) from None
