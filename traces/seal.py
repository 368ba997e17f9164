"""Personal text under a key of its subject's own: destroying the key is the erasure."""

import base64
import binascii
import hmac
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from traces.errors import Unsealable
from traces.keys import KeyStore, SubjectKey

_FORM = "s2"
_OLDER = "s1"
_NONCE_BYTES = 12
_SHORT = 32


def seal(keys: KeyStore, subject: str, text: str) -> str:
    """Return `text` encrypted for `subject`, beside a commitment to it; the empty text stays empty.

    The form is `s2.<key id>.<nonce and ciphertext>.<HMAC-SHA-256 of nonce and text>`.
    """
    return seal_by(keys.subject_key(subject), subject, text) if text else ""


def seal_by(current: SubjectKey, subject: str, text: str) -> str:
    """Return a text that is not empty as `seal` does, under the subject's key that is given."""
    nonce = secrets.token_bytes(_NONCE_BYTES)
    plain = text.encode("utf-8", "surrogatepass")
    locked = AESGCM(current.key).encrypt(nonce, plain, _bound(_FORM, subject, current.id))
    return ".".join((_FORM, current.id, _coded(nonce + locked), _coded(_committed(current, nonce, plain))))


def unseal(keys: KeyStore, subject: str, sealed: str) -> str:
    """Return the text sealed for `subject`; raises Unsealable when its key is gone or it was altered."""
    if not sealed:
        return ""
    form, key_id, blob, committed = _take_apart(sealed)
    key = keys.find_subject_key(subject, key_id)
    if key is None:
        raise _without_key(keys, key_id)
    nonce = blob[:_NONCE_BYTES]
    try:
        plain = AESGCM(key.key).decrypt(nonce, blob[_NONCE_BYTES:], _bound(form, subject, key_id))
    except InvalidTag:
        raise _altered() from None
    if form == _FORM and not hmac.compare_digest(_committed(key, nonce, plain), committed):
        raise _altered()
    return plain.decode("utf-8", "surrogatepass")


def unseal_any(keys: KeyStore, sealed: str) -> str:
    """Return a sealed text whoever's it is: its key id names the subject; raises Unsealable as `unseal`."""
    return unseal(keys, keys.subject_of(key_id_of(sealed)), sealed) if sealed else ""


def key_id_of(sealed: str) -> str:
    """Return the id of the key that sealed a text; raises Unsealable for what was not sealed here."""
    return _take_apart(sealed)[1]


def keyed(keys: KeyStore, subject: str, digest: str) -> str:
    """Return 32 hex digits that stand for a digest and tell nothing without the subject's key."""
    return keyed_by(keys.subject_key(subject), digest)


def keyed_by(key: SubjectKey, digest: str) -> str:
    """Return what `keyed` does, under the subject's key that is given."""
    return hmac.digest(key.commitment, digest.encode(), "sha256").hex()[:_SHORT]


def named(keys: KeyStore, subject: str, name: str) -> str:
    """Return 32 hex digits under which a store may keep what a subject calls `name`; no rotation moves it."""
    spoken = f"{subject}\n{name}".encode("utf-8", "surrogatepass")
    return hmac.digest(keys.commitment("names"), spoken, "sha256").hex()[:_SHORT]


def _committed(key: SubjectKey, nonce: bytes, plain: bytes) -> bytes:
    return hmac.digest(key.commitment, nonce + plain, "sha256")


def _take_apart(sealed: str) -> tuple[str, str, bytes, bytes]:
    form, *rest = sealed.split(".")
    if form == _OLDER and len(rest) == 2:
        key_id, body, commitment = *rest, ""
    elif form == _FORM and len(rest) == 3:
        key_id, body, commitment = rest
    else:
        raise _altered()
    blob, committed = _decoded(body), _decoded(commitment)
    if len(blob) <= _NONCE_BYTES or bool(committed) != (form == _FORM):
        raise _altered()
    return form, key_id, blob, committed


def _coded(blob: bytes) -> str:
    return base64.urlsafe_b64encode(blob).decode()


def _decoded(text: str) -> bytes:
    """Return what a text encodes; empty for one that is not the one spelling of anything."""
    try:
        blob = base64.b64decode(text, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""
    return blob if _coded(blob) == text else b""


def _bound(form: str, subject: str, key_id: str) -> bytes:
    return f"{form}\n{key_id}\n{subject}".encode()


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
