"""The last look, kept in one private file for the console and for drift. It holds no value."""

import os
from collections.abc import Container
from pathlib import Path
from tempfile import NamedTemporaryFile

from pydantic import ValidationError

from gateway.discovery.reports import DiscoveryReport
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
