"""Signatures of decisions about stages, so that the state file alone can release nothing."""

from base64 import b64decode, b64encode
from binascii import Error
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from metric_layer.record import Record
from traces.keys import KeyStore
from traces.release_records import StageDecided

PURPOSE = b"cellbound stage decision\n"
DECISION = frozenset(
    ("kind", "v", "at", "by", "sealed_reason", "question_class", "number", "was", "stage", "start")
) | {"policy", "rule", "evidence", "key_id", "signature"}
FIGURE = frozenset(("name", "value", "n"))
"""The fields that are signed whatever they say. A later one is signed where it says something."""


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
    """Return what is signed: every field but the later ones that say nothing, which older records lack."""
    silent: dict[str, Any] = dict.fromkeys(_silent(decision, DECISION), True)
    figures = {at: _silent(figure, FIGURE) for at, figure in enumerate(decision.evidence)}
    silent["evidence"] = {at: names for at, names in figures.items() if names}
    return PURPOSE + decision.model_dump_json(exclude=silent).encode()


def _silent(record: Record, always: frozenset[str]) -> set[str]:
    later = {name: field for name, field in type(record).model_fields.items() if name not in always}
    return {name for name, field in later.items() if getattr(record, name) == field.get_default()}
