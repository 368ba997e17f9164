"""An authority that signs certificates for tests, and a PostgreSQL that shows one and asks for one."""

import datetime
import ipaddress
import os
import time
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.servers.postgres import Server

HERE = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
RELOAD_SECONDS = 10


def _key() -> EllipticCurvePrivateKey:
    return generate_private_key(SECP256R1())


@dataclass(frozen=True, slots=True)
class Authority:
    """Signs for whatever name it is told."""

    name: str
    key: EllipticCurvePrivateKey = field(default_factory=_key)

    def write(self, file: Path) -> Path:
        """Write the authority's own certificate."""
        file.write_bytes(self._signed(self.name, self.key, days=1, ca=True).public_bytes(Encoding.PEM))
        return file

    def sign(self, common_name: str, folder: Path, stem: str = "", *, days: int = 1) -> tuple[Path, Path]:
        """Write a certificate, over by `days` days from now, and its key with mode 600; return both files."""
        stem, key = stem or common_name, _key()
        certificate, secret = folder / f"{stem}.crt", folder / f"{stem}.key"
        signed = self._signed(common_name, key, days=days, ca=False)
        certificate.write_bytes(signed.public_bytes(Encoding.PEM))
        secret.touch(0o600)
        secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return certificate, secret

    def _signed(
        self, common_name: str, key: EllipticCurvePrivateKey, *, days: int, ca: bool
    ) -> x509.Certificate:
        now = datetime.datetime.now(datetime.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(_called(common_name))
            .issuer_name(_called(self.name))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=9))
            .not_valid_after(now + datetime.timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
            .add_extension(HERE, critical=False)
        )
        return builder.sign(self.key, hashes.SHA256())


def encrypt(server: Server, authority: Authority) -> None:
    """Let a running server encrypt, show a certificate of the authority, and ask for one of the same."""
    data = server.folder / "data"
    owner = data.stat()
    for file in (authority.write(data / "ca.crt"), *authority.sign("127.0.0.1", data, "server")):
        os.chown(file, owner.st_uid, owner.st_gid)
    for setting in ("ssl_ca_file = 'ca.crt'", "ssl = on"):
        server.execute(f"ALTER SYSTEM SET {setting}")
    reload(server)


def reload(server: Server) -> None:
    """Let a server read its files again, and wait until a new session sees that."""
    server.execute("SELECT pg_reload_conf()")
    until = time.monotonic() + RELOAD_SECONDS
    while time.monotonic() < until:
        with psycopg.connect(server.dsn()) as connection:
            if connection.execute("SHOW ssl").fetchone() == ("on",):
                return
        time.sleep(0.02)
    raise AssertionError("the server does not encrypt")


def _called(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
