"""Records that are signed one by one, so that each proves itself without the log it stands in."""

from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Callable

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from traces.keys import KeyStore
from traces.records import Judgement

PURPOSE = b"cellbound judgement\n"
SIGNED_SINCE = 3
"""The first format whose judgements are signed."""


def signed(judgement: Judgement, keys: KeyStore) -> Judgement:
    """Return a judgement with the signature of the project's signing key."""
    key = keys.signing_key()
    named = judgement.model_copy(update={"key_id": key.id, "signature": ""})
    value = b64encode(key.private.sign(_bytes(named))).decode()
    return named.model_copy(update={"signature": value})


def is_signed(judgement: Judgement, keys: KeyStore) -> bool:
    """Say whether a signing key of the project signed a judgement as it stands."""
    key = keys.verifier_keys().get(judgement.key_id)
    return key is not None and verifies(judgement, key)


def stands(judgement: Judgement, asked: int, signed: Callable[[Judgement], bool]) -> bool:
    """Say whether a judgement is genuine as far as it tells; none is of an older format than its question."""
    return max(judgement.v, asked) < SIGNED_SINCE or signed(judgement)


def verifies(judgement: Judgement, key: Ed25519PublicKey) -> bool:
    """Say whether the owner of a public key signed a judgement as it stands."""
    try:
        value = b64decode(judgement.signature, validate=True)
        key.verify(value, _bytes(judgement.model_copy(update={"signature": ""})))
    except (InvalidSignature, Error, ValueError):
        return False
    return True


def _bytes(judgement: Judgement) -> bytes:
    """Return what is signed. Fields that say nothing are left out: a later format may have more of them."""
    said = judgement.model_dump_json(exclude={"v"}, exclude_defaults=True)
    return b"%b%d\n%b" % (PURPOSE, judgement.v, said.encode())
