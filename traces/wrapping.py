"""Keys encrypted under other keys, and keys derived from them."""

import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from traces.errors import KeysUnusable
from traces.keyfile import KEY_BYTES, decode_key, encode_key

_NONCE_BYTES = 12


def derive(key: bytes, label: str) -> bytes:
    """Return the 32-byte key that belongs to `label` under `key`."""
    info = b"cellbound/1/" + label.encode()
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=info).derive(key)


def wrap(under: bytes, key: bytes, bound: str) -> str:
    """Return a 32-byte key encrypted, as base64; it opens for the same `bound` only."""
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return encode_key(nonce + AESGCM(under).encrypt(nonce, key, bound.encode()))


def unwrap(under: bytes, wrapped: str, bound: str, place: str) -> bytes:
    """Return the key that `wrap` encrypted; raises KeysUnusable, naming `place`, for anything else."""
    blob = decode_key(wrapped, place, size=_NONCE_BYTES + KEY_BYTES + 16)
    try:
        return AESGCM(under).decrypt(blob[:_NONCE_BYTES], blob[_NONCE_BYTES:], bound.encode())
    except InvalidTag:
        raise KeysUnusable(
            "keys_altered",
            f"key {bound.splitlines()[0]} is not what this store wrote",
            place=place,
            next_step="restore the key file from its backup",
        ) from None
