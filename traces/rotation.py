"""Another master key over the same keys: nothing that was sealed or signed has to be touched."""

from collections.abc import Mapping
from pathlib import Path

from traces.errors import KeysUnusable
from traces.keyfile import KeyFileStore, decode_key, encode_key, fresh_key
from traces.keys import ENVIRONMENT, KeyStore
from traces.kms import KeyService

NEXT = "CELLBOUND_NEXT_MASTER_KEY"


def open_as_kept(path: Path, environ: Mapping[str, str], service: KeyService | None) -> KeyStore:
    """Open a key file by where its master key is now, whatever the settings say of tomorrow."""
    content = KeyFileStore(path).read()
    if content.master:
        return KeyStore.open(path)
    if content.wrapped_master:
        if service is None:
            raise KeysUnusable(
                "keys_no_service",
                "a key service wrapped the master key of this project, and none is named",
                place=str(path),
                next_step="name it under [keys] command",
            )
        return KeyStore.from_service(path, service)
    return KeyStore.from_env(path, environ)


def rotate_master(path: Path, environ: Mapping[str, str], service: KeyService | None) -> str:
    """Put a fresh master key in force and return its id; raises KeysUnusable.

    With a `service` the new one is wrapped by it. A project that keeps its key in the environment goes on
    with the one in CELLBOUND_NEXT_MASTER_KEY. Else the new one lies in the file.
    """
    keys = open_as_kept(path, environ, service)
    if service is not None:
        master = fresh_key()
        return keys.rotate_master(master, wrapped=service.wrap(master))
    if environ.get(ENVIRONMENT):
        return keys.rotate_master(decode_key(environ.get(NEXT, "").strip(), NEXT))
    master = fresh_key()
    return keys.rotate_master(master, held=encode_key(master))
