"""Signatures of decisions about stages, so that the state file alone can release nothing."""

from base64 import b64decode, b64encode
from binascii import Error
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from traces.keys import KeyStore
from traces.release_records import StageDecided

PURPOSE = b"cellbound stage decision\n"


def signed(decision: StageDecided, keys: KeyStore) -> StageDecided:
    """Return a decision with the signature of the project's signing key."""
    key = keys.signing_key()
    named = decision.model_copy(update={"key_id": key.id, "signature": ""})
    value = b64encode(key.private.sign(_bytes(named))).decode()
    return named.model_copy(update={"signature": value})


def is_genuine(decision: StageDecided, keys: KeyStore) -> bool:
    """Say whether a decision was signed by a signing key of the project, as it stands."""
    key = keys.verifier_keys().get(decision.key_id)
    if key is None:
        return False
    return _holds(key.public_bytes_raw(), decision)


@lru_cache(maxsize=256)
def _holds(key: bytes, decision: StageDecided) -> bool:
    try:
        value = b64decode(decision.signature, validate=True)
        unsigned = decision.model_copy(update={"signature": ""})
        Ed25519PublicKey.from_public_bytes(key).verify(value, _bytes(unsigned))
    except (InvalidSignature, Error, ValueError):
        return False
    return True


def _bytes(decision: StageDecided) -> bytes:
    return PURPOSE + decision.model_dump_json().encode()
