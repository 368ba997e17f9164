"""A sealed text opens for its own subject under its own key, and for nobody after the key is gone."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traces.errors import Unsealable
from traces.keys import KeyStore
from traces.seal import seal, unseal


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyStore:
    return KeyStore.open(tmp_path_factory.mktemp("keys") / "keys.json")


@given(text=st.text(), subject=st.sampled_from(["u_1", "u_2", "ü"]))
def test_every_text_comes_back_as_it_was(keys: KeyStore, text: str, subject: str) -> None:
    assert unseal(keys, subject, seal(keys, subject, text)) == text


def test_the_same_text_is_never_sealed_the_same_way_twice(keys: KeyStore) -> None:
    assert seal(keys, "u_1", "hello") != seal(keys, "u_1", "hello")


def test_the_empty_text_stays_empty(keys: KeyStore) -> None:
    assert seal(keys, "u_1", "") == ""
    assert unseal(keys, "u_1", "") == ""


def test_another_subject_cannot_open_it(keys: KeyStore) -> None:
    sealed = seal(keys, "u_1", "hello")
    keys.subject_key("u_2")
    with pytest.raises(Unsealable) as refused:
        unseal(keys, "u_2", sealed)
    assert refused.value.code == "seal_no_key"


@given(data=st.data())
def test_an_altered_text_never_opens(keys: KeyStore, data: st.DataObject) -> None:
    sealed = seal(keys, "u_1", "hello, world")
    at = data.draw(st.integers(0, len(sealed) - 1))
    other = data.draw(st.characters(codec="ascii").filter(lambda char: char != sealed[at]))
    with pytest.raises(Unsealable):
        unseal(keys, "u_1", sealed[:at] + other + sealed[at + 1 :])


@pytest.mark.parametrize("text", ["hello", "s1", "s1.", "s1.k.", "s1..AAAA", "s2.k.AAAA", "s1.k.é"])
def test_what_was_never_sealed_is_refused_in_words(keys: KeyStore, text: str) -> None:
    with pytest.raises(Unsealable) as refused:
        unseal(keys, "u_1", text)
    assert refused.value.code == "seal_altered"


def test_after_the_key_is_destroyed_the_text_is_gone_and_the_reason_is_said(tmp_path: Path) -> None:
    keys = KeyStore.open(tmp_path / "keys.json")
    sealed = seal(keys, "u_1", "hello")
    keys.destroy_subject("u_1")
    with pytest.raises(Unsealable, match="erased") as refused:
        unseal(keys, "u_1", sealed)
    assert refused.value.code == "seal_destroyed"
    assert unseal(keys, "u_1", seal(keys, "u_1", "a new life")) == "a new life"
