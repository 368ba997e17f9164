"""The one base of every record in the house: frozen, unknown fields refused."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A value that never changes after it was made and never carries a field nobody declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")
