"""How a login proves itself to PostgreSQL: by a secret, a password file, or what the server knows of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from gateway.engines.base import EngineError
from gateway.engines.credentials import OTHERS_MAY_READ, Secrets, secrets_of


class Credentials(Protocol):
    """Asked anew for every connection, so that what expires or changes is read when it is needed."""

    def of(self, login: str, parameters: Mapping[str, str]) -> Mapping[str, str]:
        """Return the connection parameters that prove the login. Raises EngineError `credential_missing`."""
        ...


@dataclass(frozen=True, slots=True)
class KnownToServer:
    """Nothing is sent: the server knows the gateway by its socket or certificate and maps it to the login."""

    def of(self, login: str, parameters: Mapping[str, str]) -> Mapping[str, str]:
        """Return nothing."""
        return {}


@dataclass(frozen=True, slots=True)
class Password:
    """A secret is sent as the password, for example a cloud's IAM token."""

    secrets: Secrets

    def of(self, login: str, parameters: Mapping[str, str]) -> Mapping[str, str]:
        """Return the login's password."""
        return {"password": self.secrets.of(login, parameters)}


@dataclass(frozen=True, slots=True)
class FromPassfile:
    """PostgreSQL's own password file, a line per login: host:port:database:user:password."""

    file: Path

    def of(self, login: str, parameters: Mapping[str, str]) -> Mapping[str, str]:
        """Return where the file is; the driver reads it."""
        if not self.file.is_file() or self.file.stat().st_mode & OTHERS_MAY_READ:
            raise EngineError(
                "credential_missing",
                f"the password file {self.file.name} is not there, or others may read it",
                next_step="Make it with mode 600.",
            )
        return {"passfile": str(self.file)}


def credentials_of(written: str, folder: Path, exchanged: Secrets | None = None) -> Credentials:
    """Return the source that the settings name; files are relative to `folder`.

    Raises EngineError for a hook that cannot be imported.
    """
    kind, _, rest = written.partition(":")
    if kind == "passfile":
        return FromPassfile(folder / rest)
    secrets = secrets_of(written, folder, exchanged)
    return Password(secrets) if secrets else KnownToServer()
