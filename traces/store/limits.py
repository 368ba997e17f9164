"""How much a trace store takes, and how long it waits."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoreLimits:
    """How large a segment grows, and how many seconds a caller waits for the disk or the database."""

    segment_bytes: int = 64 * 1024 * 1024
    patience: float = 30.0


DEFAULT = StoreLimits()
