"""A judgement proves itself: it is signed on its way into a log, and no field of it can be another."""

from pathlib import Path

import pytest

from metric_layer.definitions import Document
from metric_layer.layer import build_layer
from tests.traces.complete import complete
from tests.traces.samples import KEY, NOON, opened
from traces.keys import KeyStore
from traces.records import Judgement
from traces.signatures import is_signed, signed, verifies
from traces.store.files import FileTraceStore
from traces.store.sealed import SealedStore


@pytest.fixture
def keys(tmp_path: Path) -> KeyStore:
    return KeyStore.open(tmp_path / "keys.json")


def judgement() -> Judgement:
    return complete(Judgement, trace_id="t1", verdict="accept", sealed_reason="", v=3)


@pytest.mark.parametrize("field", [name for name in Judgement.model_fields if name != "kind"])
def test_a_judgement_with_any_field_changed_is_not_the_one_that_was_signed(
    keys: KeyStore, field: str
) -> None:
    whole = signed(judgement(), keys)
    assert is_signed(whole, keys)
    other = complete(Judgement, trace_id="t2", verdict="deny", sealed_reason="x", v=4)
    changed = {
        "at": NOON.replace(year=2027), "mono_us": 9, "hold_id": "h9", "by": "u_9", "findings": (),
        "own": False, "key_id": "another", "signature": "AAAA",
    }  # fmt: skip
    value = changed.get(field, getattr(other, field))
    assert value != getattr(whole, field)
    assert not is_signed(whole.model_copy(update={field: value}), keys)


def test_whoever_has_the_public_key_alone_can_tell(keys: KeyStore) -> None:
    whole = signed(judgement(), keys)
    (public,) = keys.verifier_keys().values()
    assert verifies(whole, public)
    keys.rotate("signing", NOON)
    assert is_signed(whole, keys), "an older signing key still vouches for what it signed"
    assert not verifies(whole, list(keys.verifier_keys().values())[-1])


def test_no_judgement_goes_unsigned_into_a_log(keys: KeyStore, tmp_path: Path) -> None:
    layer = build_layer(Document())
    store = SealedStore(FileTraceStore(tmp_path / "traces", KEY), keys, lambda: layer)
    store.append(opened("t1"), durable=False)
    store.append(judgement().model_copy(update={"key_id": "", "signature": ""}), durable=True)
    trace = store.read("t1")
    assert trace is not None and [is_signed(each, keys) for each in trace.judgements] == [True]
    store.close()


def test_a_judgement_that_nobody_signed_is_none_of_the_project(keys: KeyStore) -> None:
    assert not is_signed(judgement().model_copy(update={"signature": ""}), keys)
    assert not is_signed(judgement().model_copy(update={"signature": "not base64!"}), keys)
