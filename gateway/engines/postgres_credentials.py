"""How a login proves itself to PostgreSQL: by a secret, a file, a certificate, or what the server knows."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from gateway.engines.base import EngineError
from gateway.engines.credentials import Secrets, kept_to_us, secrets_of


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
        if not kept_to_us(self.file):
            raise EngineError(
                "credential_missing",
                f"the password file {self.file.name} is not there, or others may read it",
                next_step="Make it with mode 600.",
            )
        return {"passfile": str(self.file)}


@dataclass(frozen=True, slots=True)
class FromCertificates:
    """A certificate per login, LOGIN.crt, and its key, LOGIN.key, in one folder."""

    folder: Path

    def of(self, login: str, parameters: Mapping[str, str]) -> Mapping[str, str]:
        """Return where both are; the driver reads them, and shows them over an encrypted connection only."""
        certificate, key = self.folder / f"{login}.crt", self.folder / f"{login}.key"
        if key.name != f"{login}.key" or not certificate.is_file() or not kept_to_us(key):
            raise EngineError(
                "credential_missing",
                f"the folder {self.folder.name} holds no certificate and key for the login {login!r}, or"
                " others may read the key",
                next_step="Put LOGIN.crt and LOGIN.key there, the key with mode 600.",
            )
        mode = parameters.get("sslmode", "require")
        return {"sslcert": str(certificate), "sslkey": str(key), "sslmode": mode}


def credentials_of(written: str, folder: Path, exchanged: Secrets | None = None) -> Credentials:
    """Return the source that the settings name; files are relative to `folder`.

    Raises EngineError for a hook that cannot be imported.
    """
    kind, _, rest = written.partition(":")
    if kind == "passfile":
        return FromPassfile(folder / rest)
    if kind == "certificates":
        return FromCertificates(folder / rest)
    secrets = secrets_of(written, folder, exchanged)
    return Password(secrets) if secrets else KnownToServer()
