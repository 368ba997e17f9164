"""Records to bytes and back: one reader for every format version that was ever written."""

from pydantic import TypeAdapter, ValidationError

from traces.errors import TraceDamaged
from traces.log_records import FORMAT
from traces.records import AnyRecord


def encode(record: AnyRecord) -> bytes:
    """Return a record's bytes; this exact spelling is what the chain hashes."""
    return record.__pydantic_serializer__.to_json(record, by_alias=True)


class RecordReader:
    """Reads the bytes of a record of every format there was.

    Format 1 had no `sealed` part: its plans, SQL and citations stood in clear, and so they are read. Formats
    1 and 2 knew neither driver nor `run`, and nothing signed a judgement: those come back empty.
    """

    def __init__(self) -> None:
        self._adapter: TypeAdapter[AnyRecord] = TypeAdapter(AnyRecord)
        self._frame: TypeAdapter[dict[str, object]] = TypeAdapter(dict[str, object])

    def read(self, body: bytes, place: str) -> AnyRecord:
        """Return the record; raises TraceDamaged, naming `place`, when it is none or is of a newer format."""
        try:
            record = self._adapter.validate_json(body)
        except ValidationError as error:
            newer = self._version(body) > FORMAT
            raise _too_new(place) if newer else _unreadable(place) from error
        if record.v > FORMAT:
            raise _too_new(place)
        return record

    def _version(self, body: bytes) -> int:
        try:
            version = self._frame.validate_json(body).get("v")
        except ValidationError:
            return 0
        return version if isinstance(version, int) else 0


def _too_new(place: str) -> TraceDamaged:
    return TraceDamaged(
        "trace_newer_format",
        f"this record was written by a newer gateway; this one reads formats up to {FORMAT}",
        place=place,
        next_step="read it with the gateway version that wrote it, or a later one",
    )


def _unreadable(place: str) -> TraceDamaged:
    return TraceDamaged(
        "trace_unreadable",
        "this is not a record as any gateway writes it",
        place=place,
        next_step="run `cellbound trace verify`",
    )
