"""Keys: stable by purpose, readable by their owner only, and destroyable one person at a time."""

import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from traces.errors import KeysUnusable
from traces.keyfile import encode_key
from traces.keys import ENVIRONMENT, KeyStore, SubjectKey, pseudonym

MASTER = {ENVIRONMENT: encode_key(bytes(range(32)))}


def test_keys_by_purpose_differ_and_are_the_same_after_opening_again(tmp_path: Path) -> None:
    first = KeyStore.open(tmp_path / "keys.json")
    again = KeyStore.open(tmp_path / "keys.json")
    assert first.commitment("result") == again.commitment("result")
    assert first.key_id == again.key_id
    keys = {first.commitment("result"), first.commitment("other"), first.wrapping_key("result")}
    assert {len(key) for key in keys} == {32}
    assert len(keys) == 3


def test_the_key_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    keys = KeyStore.open(path)
    keys.subject_key("u_1")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_key_file_open_to_others_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    KeyStore.open(path)
    path.chmod(0o640)
    with pytest.raises(KeysUnusable, match="0640") as refused:
        KeyStore.open(path)
    assert refused.value.code == "keys_open_to_others"
    assert "0600" in refused.value.next_step


def test_a_key_file_inside_the_trace_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeysUnusable) as refused:
        KeyStore.open(tmp_path / "traces" / "deep" / "keys.json", apart_from=tmp_path / "traces")
    assert refused.value.code == "keys_beside_traces"


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"master_id": "x", "surprise": 1}', "\x00\x01"])
def test_a_malformed_key_file_is_refused_without_showing_what_is_in_it(tmp_path: Path, content: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(KeysUnusable) as refused:
        KeyStore.open(path)
    assert refused.value.code == "keys_unreadable"
    assert "surprise" not in str(refused.value)
    assert path.read_text() == content


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeysUnusable) as refused:
        KeyStore.open(tmp_path / "file" / "keys.json")
    assert refused.value.code == "keys_unwritable"


def test_the_master_key_may_come_from_the_environment_and_is_then_in_no_file(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    keys = KeyStore.from_env(path, MASTER)
    secret = keys.subject_key("u_1")
    again = KeyStore.from_env(path, MASTER)
    assert again.subject_key("u_1") == secret
    content = path.read_text()
    assert MASTER[ENVIRONMENT] not in content
    assert encode_key(secret.key) not in content


@pytest.mark.parametrize("value", ["", "short", "not base64 at all !", encode_key(bytes(31))])
def test_a_master_key_of_the_wrong_form_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(KeysUnusable) as refused:
        KeyStore.from_env(tmp_path / "keys.json", {ENVIRONMENT: value})
    assert refused.value.code == "keys_malformed"


def test_another_master_key_than_the_one_that_began_is_refused(tmp_path: Path) -> None:
    KeyStore.from_env(tmp_path / "keys.json", MASTER)
    with pytest.raises(KeysUnusable) as refused:
        KeyStore.from_env(tmp_path / "keys.json", {ENVIRONMENT: encode_key(bytes(32))})
    assert refused.value.code == "keys_other_master"


def test_a_project_started_from_the_environment_does_not_open_without_it(tmp_path: Path) -> None:
    KeyStore.from_env(tmp_path / "keys.json", MASTER)
    with pytest.raises(KeysUnusable) as refused:
        KeyStore.open(tmp_path / "keys.json")
    assert refused.value.code == "keys_no_master"


def test_every_subject_has_a_key_of_its_own_made_on_first_use(tmp_path: Path) -> None:
    keys = KeyStore.open(tmp_path / "keys.json")
    first, second = keys.subject_key("u_1"), keys.subject_key("u_2")
    assert first != second
    assert keys.subject_key("u_1") == first
    assert KeyStore.open(tmp_path / "keys.json").subject_key("u_1") == first


def test_a_destroyed_subject_key_is_gone_for_every_holder_of_the_store_at_once(tmp_path: Path) -> None:
    here, there = KeyStore.open(tmp_path / "keys.json"), KeyStore.open(tmp_path / "keys.json")
    before = here.subject_key("u_1")
    assert there.find_subject_key("u_1", before.id) == before
    assert here.destroy_subject("u_1") == (before.id,)
    for keys in (here, there, KeyStore.open(tmp_path / "keys.json")):
        assert keys.find_subject_key("u_1", before.id) is None
        assert keys.was_destroyed(before.id)
    assert there.subject_key("u_1").key != before.key


def test_the_bytes_of_a_destroyed_key_do_not_stay_in_the_replaced_file(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    keys = KeyStore.open(path)
    keys.subject_key("u_1")
    with path.open("rb") as old:
        assert b"u_1" in old.read()
        keys.destroy_subject("u_1")
        old.seek(0)
        assert set(old.read()) == {0}


def test_destroying_an_unknown_subject_changes_nothing(tmp_path: Path) -> None:
    keys = KeyStore.open(tmp_path / "keys.json")
    assert keys.destroy_subject("nobody") == ()


def test_many_threads_making_keys_at_once_lose_none(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    made: dict[str, SubjectKey] = {}

    def make(number: int) -> Callable[[], None]:
        def run() -> None:
            keys = KeyStore.open(path)
            for subject in (f"u_{number}", "u_shared"):
                made[f"{subject}/{number}"] = keys.subject_key(subject)

        return run

    threads = [threading.Thread(target=make(number)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    keys = KeyStore.open(path)
    assert len(made) == 16
    assert {name: keys.subject_key(name.split("/")[0]) for name in made} == made


def test_a_reader_never_sees_a_file_that_is_being_replaced(tmp_path: Path) -> None:
    keys, reader = KeyStore.open(tmp_path / "keys.json"), KeyStore.open(tmp_path / "keys.json")
    steady = keys.subject_key("u_steady")
    seen: set[SubjectKey] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.add(reader.subject_key("u_steady"))

    thread = threading.Thread(target=read)
    thread.start()
    for number in range(20):
        keys.subject_key(f"u_{number}")
        keys.destroy_subject(f"u_{number}")
    done.set()
    thread.join()
    assert seen == {steady}


def test_a_pseudonym_is_stable_and_tells_tenants_and_projects_apart(tmp_path: Path) -> None:
    keys, other = KeyStore.open(tmp_path / "a.json"), KeyStore.open(tmp_path / "b.json")
    ann = pseudonym(keys, "ann", "acme")
    assert ann == pseudonym(KeyStore.open(tmp_path / "a.json"), "ann", "acme")
    assert len({ann, pseudonym(keys, "ann", "other"), pseudonym(other, "ann", "acme")}) == 3
    assert pseudonym(keys, "b", "a") != pseudonym(keys, "", "ab")
    assert "ann" not in ann


def test_the_store_shows_no_key_when_printed(tmp_path: Path) -> None:
    keys = KeyStore.open(tmp_path / "keys.json")
    found = keys.subject_key("u_1")
    secret = found.key
    shown = repr(keys) + repr(found) + repr(keys.file.read())
    assert encode_key(secret) not in shown
    assert repr(secret) not in shown
