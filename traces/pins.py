"""What traces pin by hash, kept by content: layers, policies, and whatever else an answer rests on."""

import hmac
import json
import os
import secrets
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

FORMAT = 1
DECIMAL = "$decimal"
CONTENT = ', "content": '
M = TypeVar("M", bound=BaseModel)


class PinUnusable(Exception):
    """A pinned artefact that is there and cannot be used; the message says why."""


class PinStore:
    """A folder with one file per artefact, named by the hash that traces pin. Nothing in it ever changes.

    Each file carries a keyed hash of its content: whoever has the folder alone can put nothing else into it.
    """

    def __init__(self, folder: Path, key: bytes) -> None:
        self._folder = folder
        self._key = key

    def keep(self, kind: str, digest: str, record: BaseModel) -> None:
        """Keep an artefact under the hash that traces pin it by. Raises OSError; no half file is seen."""
        file = self._folder / digest
        if file.exists():
            return
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write_whole(file, self._whole(kind, digest, to_json(record)).encode())

    def find(self, kind: str, digest: str, model: type[M]) -> M | None:
        """Return an artefact, or None where it is not kept. Raises PinUnusable for one that was altered."""
        try:
            text = (self._folder / digest).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as fault:
            raise PinUnusable("cannot be read") from fault
        content = text.rstrip("\n").partition(CONTENT)[2][:-1]
        if not hmac.compare_digest(text.encode(), self._whole(kind, digest, content).encode()):
            raise PinUnusable("is not what was kept here, or was kept under another key")
        try:
            return from_json(content, model)
        except ValidationError as fault:
            raise PinUnusable("is of a form that this version does not read") from fault

    def _whole(self, kind: str, digest: str, content: str) -> str:
        """Return the one text that an artefact has in its file."""
        said = f"{FORMAT}\n{kind}\n{digest}\n{content}".encode()
        mac = hmac.digest(self._key, said, sha256).hex()
        head = json.dumps({"v": FORMAT, "kind": kind, "digest": digest, "mac": mac})
        return f"{head[:-1]}{CONTENT}{content}}}\n"


def to_json(record: BaseModel) -> str:
    """Return a record as JSON from which it comes back as it was: exact decimals are told from texts."""
    plain = record.model_dump(by_alias=True)
    return json.dumps(plain, default=_plain, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str, model: type[M]) -> M:
    """Return the record that `to_json` wrote. Raises ValidationError."""
    return model.model_validate(json.loads(text, object_hook=_decimal))


def _plain(value: object) -> object:
    match value:
        case Decimal():
            return {DECIMAL: str(value)}
        case date():
            return value.isoformat()
        case Mapping():
            return dict(value)
    raise TypeError(f"{type(value).__name__} has no form in a pinned artefact")


def _decimal(found: dict[str, object]) -> object:
    return Decimal(str(found[DECIMAL])) if tuple(found) == (DECIMAL,) else found


def _write_whole(file: Path, content: bytes) -> None:
    """Write a file that is whole on disk before it has its name."""
    beside = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
