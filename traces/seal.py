"""Personal text under a key of its subject's own: destroying the key is the erasure."""

import base64
import binascii
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from traces.errors import Unsealable
from traces.keys import KeyStore

_FORM = "s1"
_NONCE_BYTES = 12


def seal(keys: KeyStore, subject: str, text: str) -> str:
    """Return `text` encrypted for `subject`; the empty text stays empty."""
    if not text:
        return ""
    current = keys.subject_key(subject)
    nonce = secrets.token_bytes(_NONCE_BYTES)
    plain = text.encode("utf-8", "surrogatepass")
    locked = AESGCM(current.key).encrypt(nonce, plain, _bound(subject, current.id))
    return f"{_FORM}.{current.id}.{base64.urlsafe_b64encode(nonce + locked).decode()}"


def unseal(keys: KeyStore, subject: str, sealed: str) -> str:
    """Return the text sealed for `subject`; raises Unsealable when its key is gone or it was altered."""
    if not sealed:
        return ""
    key_id, blob = _take_apart(sealed)
    key = keys.find_subject_key(subject, key_id)
    if key is None:
        raise _without_key(keys, key_id)
    try:
        plain = AESGCM(key).decrypt(blob[:_NONCE_BYTES], blob[_NONCE_BYTES:], _bound(subject, key_id))
    except InvalidTag:
        raise _altered() from None
    return plain.decode("utf-8", "surrogatepass")


def _take_apart(sealed: str) -> tuple[str, bytes]:
    form, _, rest = sealed.partition(".")
    key_id, _, body = rest.partition(".")
    try:
        blob = base64.b64decode(body, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        blob = b""
    one_spelling = base64.urlsafe_b64encode(blob).decode() == body
    if form != _FORM or not one_spelling or len(blob) <= _NONCE_BYTES:
        raise _altered()
    return key_id, blob


def _bound(subject: str, key_id: str) -> bytes:
    return f"{_FORM}\n{key_id}\n{subject}".encode()


def _without_key(keys: KeyStore, key_id: str) -> Unsealable:
    if keys.was_destroyed(key_id):
        return Unsealable("seal_destroyed", "this text was erased: the key that sealed it was destroyed")
    return Unsealable(
        "seal_no_key",
        "this key store holds no key for this text and this subject",
        next_step="open it with the key store and the subject it was sealed for",
    )


def _altered() -> Unsealable:
    return Unsealable(
        "seal_altered",
        "this is not a text that was sealed here: it was altered or cut",
        next_step="run `cellbound trace verify`",
    )
