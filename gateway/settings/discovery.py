"""The settings of the search for personal data."""

from typing import Annotated

from pydantic import Field

from metric_layer.record import Record


class DiscoverySettings(Record):
    """How `cellbound discover` looks for personal data: as its own login, never as somebody who asks.

    `url` is the database with the login of discovery in it; a file is opened as it is under [engine]. At most
    `rows` values are read of a column, in `seconds`. `regions` are the countries (ISO codes) whose phone
    numbers may be written without a +. With `guess_names`, names that only resemble known words count, too.
    While the project is served, a process of its own looks again every `recheck_hours`; 0 is never.
    """

    url: str = ""
    rows: Annotated[int, Field(ge=1, le=1_000)] = 200
    seconds: Annotated[float, Field(gt=0, le=300)] = 10.0
    regions: tuple[Annotated[str, Field(pattern=r"^[A-Z]{2}$")], ...] = ("US", "GB", "DE", "FR")
    guess_names: bool = False
    recheck_hours: Annotated[int, Field(ge=0, le=8_760)] = 0
