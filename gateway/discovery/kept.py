"""The last look, kept in one private file for the console and for drift, and one that was held against it.

Neither holds a value.
"""

import os
from collections.abc import Container
from pathlib import Path
from tempfile import NamedTemporaryFile

from pydantic import ValidationError

from gateway.discovery.reports import NO_COLUMN, DiscoveryReport
from gateway.errors import HouseError
from metric_layer.issues import Issue


def keep(file: Path, report: DiscoveryReport) -> None:
    """Write a look down: whole or not at all. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_text(file, report.model_dump_json(indent=1) + "\n")


def last_look(file: Path) -> DiscoveryReport | None:
    """Return the last look; None where nobody looked yet. Raises HouseError for a file that is none."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    try:
        return DiscoveryReport.model_validate_json(text)
    except ValidationError as fault:
        raise HouseError(
            (
                Issue(
                    code="discovery_unreadable",
                    message=f"{file.name} is not what `cellbound discover` wrote.",
                    place=str(file),
                    next_step="Move it away and run `cellbound discover` again.",
                ),
            )
        ) from fault


def recheck_of(file: Path) -> Path:
    """Return where the newest look is kept that was held against the one in a file."""
    return file.with_name(f"{file.stem}.recheck{file.suffix}")


def take_up(file: Path, at: str) -> bool:
    """Make a look that was held against the one in a file the one to go by; says whether it was still there.

    `at` tells which look is meant. Raises OSError and HouseError.
    """
    newer = last_look(recheck_of(file))
    if newer is None or newer.at.isoformat() != at:
        return False
    keep(file, _with_what_was_missed(last_look(file), newer).model_copy(update={"drift": ()}))
    recheck_of(file).unlink(missing_ok=True)
    return True


def _with_what_was_missed(before: DiscoveryReport | None, newer: DiscoveryReport) -> DiscoveryReport:
    """Return a look with what the one before said of what is there and could not be read this time."""
    missed = {each.place for each in newer.unread if each.code != NO_COLUMN}
    if before is None or not missed:
        return newer
    known = {each.column for each in before.profiles if missed & {each.column, each.column.partition(".")[0]}}
    return newer.model_copy(
        update={
            "suggestions": (
                *(each for each in newer.suggestions if each.column not in known),
                *(each for each in before.suggestions if each.column in known),
            ),
            "profiles": (
                *(each for each in newer.profiles if each.column not in known),
                *(each for each in before.profiles if each.column in known),
            ),
            "unlisted": (
                *newer.unlisted,
                *(each for each in before.unlisted if each.partition(".")[0] in missed),
            ),
        }
    )


def replace_text(file: Path, text: str) -> None:
    """Put a text in the place of a file: whole or not at all; the rights of one that was there stay."""
    mode = file.stat().st_mode & 0o777 if file.exists() else None
    with NamedTemporaryFile(
        "w", dir=file.parent, prefix=f".{file.name}.", delete=False, encoding="utf-8"
    ) as draft:
        try:
            draft.write(text)
            draft.flush()
            os.fsync(draft.fileno())
            if mode is not None:
                os.fchmod(draft.fileno(), mode)
            Path(draft.name).replace(file)
        except OSError:
            Path(draft.name).unlink(missing_ok=True)
            raise


def merged(before: DiscoveryReport | None, now: DiscoveryReport, datasets: Container[str]) -> DiscoveryReport:
    """Return a look at some datasets with what an earlier one said of the others."""
    if before is None:
        return now

    def others(place: str) -> bool:
        return place.partition(".")[0] not in datasets

    return now.model_copy(
        update={
            "suggestions": (*now.suggestions, *(each for each in before.suggestions if others(each.column))),
            "profiles": (*now.profiles, *(each for each in before.profiles if others(each.column))),
            "unlisted": (*now.unlisted, *filter(others, before.unlisted)),
            "unread": (*now.unread, *(each for each in before.unread if others(each.place))),
        }
    )
