"""Keys change hands, are backed up and come back, and nothing that was sealed or signed is lost by it."""

import json
import stat
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from traces.errors import KeysUnusable, Unsealable
from traces.keybackup import back_up, open_backup, restore
from traces.keyfile import encode_key, fresh_key
from traces.keys import ENVIRONMENT, KeyStore, pseudonym
from traces.kms import KeyService
from traces.rotation import NEXT, rotate_master
from traces.seal import seal, unseal

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
PHRASE = "several words nobody puts together"
SERVICE = """
import base64, json, sys
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
asked = json.load(sys.stdin)
cipher, bound = AESGCM(bytes(32)), asked["context"].encode()
if asked["do"] == "wrap":
    key = base64.b64encode(cipher.encrypt(bytes(12), base64.b64decode(asked["key"]), bound))
else:
    key = base64.b64encode(cipher.decrypt(bytes(12), base64.b64decode(asked["key"]), bound))
print(json.dumps({"key": key.decode()}))
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "keys.json"


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], KeyService]:
    """Makes a key service of a Python program; the tests' stand-in for a site's own."""

    def made(text: str, seconds: float = 20.0) -> KeyService:
        script = tmp_path / "service.py"
        script.write_text(text, encoding="utf-8")
        return KeyService((sys.executable, str(script)), seconds, "cellbound/test")

    return made


def facts(keys: KeyStore) -> tuple[object, ...]:
    """Everything that must not change when a master key does."""
    chain = keys.chain_key()
    return (
        (chain.id, chain.secret),
        keys.signing_key().id,
        pseudonym(keys, "ana", "shop"),
        keys.commitment("result"),
        keys.wrapping_key("results"),
        keys.subject_key("u_1"),
    )


def test_a_rotated_chain_key_is_new_and_the_older_one_is_still_known_by_name(file: Path) -> None:
    keys = KeyStore.open(file)
    first = keys.chain_key()
    new = keys.rotate("chain", NOON)
    now = KeyStore.open(file).chain_key()
    assert now.id == new != first.id and now.secret != first.secret
    old = now.named(first.id)
    assert old is not None and old.secret == first.secret and now.named("k9") is None
    third = keys.rotate("chain", NOON)
    assert [key.id for key in keys.chain_key().older] == [first.id, new] and keys.chain_key().id == third


def test_a_rotated_signing_key_signs_and_the_older_one_still_verifies(file: Path) -> None:
    keys = KeyStore.open(file)
    first = keys.signing_key()
    signature = first.private.sign(b"a checkpoint")
    keys.rotate("signing", NOON)
    again = KeyStore.open(file)
    assert again.signing_key().id != first.id
    assert list(again.verifier_keys()) == [first.id, again.signing_key().id]
    again.verifier_keys()[first.id].verify(signature, b"a checkpoint")
    public = again.verifier_keys()[again.signing_key().id]
    public.verify(again.signing_key().private.sign(b"another"), b"another")


def test_rotated_subject_keys_seal_what_is_new_and_open_what_is_old(file: Path) -> None:
    keys = KeyStore.open(file)
    before = seal(keys, "u_1", "old")
    assert keys.rotate_subjects() == 1
    after = seal(keys, "u_1", "new")
    assert before.split(".")[1] != after.split(".")[1]
    assert (unseal(keys, "u_1", before), unseal(keys, "u_1", after)) == ("old", "new")
    assert len(keys.destroy_subject("u_1")) == 2
    for text in (before, after):
        with pytest.raises(Unsealable):
            unseal(keys, "u_1", text)


def test_another_master_key_in_the_file_changes_nothing_that_was_made_under_the_first(file: Path) -> None:
    keys = KeyStore.open(file)
    keys.rotate("chain", NOON)
    before, sealed, master = facts(keys), seal(keys, "u_1", "text"), json.loads(file.read_text())["master"]
    rotate_master(file, {}, None)
    again = KeyStore.open(file)
    assert facts(again) == before and unseal(again, "u_1", sealed) == "text"
    assert master not in file.read_text() and stat.S_IMODE(file.stat().st_mode) == 0o600
    rotate_master(file, {}, None)
    assert facts(KeyStore.open(file)) == before


def test_another_master_key_from_the_environment_locks_the_first_one_out(file: Path) -> None:
    first, second = ({ENVIRONMENT: encode_key(fresh_key())} for _ in range(2))
    before = facts(KeyStore.from_env(file, first))
    rotate_master(file, first | {NEXT: second[ENVIRONMENT]}, None)
    assert facts(KeyStore.from_env(file, second)) == before
    with pytest.raises(KeysUnusable) as refused:
        KeyStore.from_env(file, first)
    assert refused.value.code == "keys_other_master"
    with pytest.raises(KeysUnusable) as unnamed:
        rotate_master(file, second, None)
    assert (unnamed.value.code, unnamed.value.place) == ("keys_malformed", NEXT)


def test_a_key_service_opens_the_master_key_and_the_file_holds_none(
    file: Path, program: Callable[[str], KeyService]
) -> None:
    service = program(SERVICE)
    before = facts(KeyStore.from_service(file, service))
    content = json.loads(file.read_text())
    assert content["master"] == "" and content["wrapped_master"]
    assert facts(KeyStore.from_service(file, service)) == before
    with pytest.raises(KeysUnusable) as refused:
        KeyStore.open(file)
    assert refused.value.code == "keys_no_master"


def test_a_project_moves_from_its_file_to_a_key_service(
    file: Path, program: Callable[[str], KeyService]
) -> None:
    before, service = facts(KeyStore.open(file)), program(SERVICE)
    with pytest.raises(KeysUnusable) as early:
        KeyStore.from_service(file, service)
    assert early.value.code == "keys_not_wrapped" and "keys rotate --kind master" in early.value.next_step
    rotate_master(file, {}, service)
    assert json.loads(file.read_text())["master"] == ""
    assert facts(KeyStore.from_service(file, service)) == before


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("import sys; sys.exit(3)", "kms_refused"),
        ("print('no key today')", "kms_wrong_answer"),
        ("print('{\"key\": 7}')", "kms_wrong_answer"),
        ('print(\'{"key": "c2hvcnQ="}\')', "kms_wrong_answer"),
        ("import time; time.sleep(60)", "kms_too_slow"),
    ],
)
def test_a_key_service_that_fails_is_named_and_never_waited_for(
    file: Path, program: Callable[..., KeyService], text: str, code: str
) -> None:
    KeyStore.from_service(file, program(SERVICE))
    broken = program(text, seconds=1.0 if code == "kms_too_slow" else 20.0)
    started = time.monotonic()
    with pytest.raises(KeysUnusable) as refused:
        KeyStore.from_service(file, broken)
    assert refused.value.code == code and refused.value.next_step
    assert time.monotonic() - started < 15
    wrapped = json.loads(file.read_text())["wrapped_master"]
    assert wrapped not in str(refused.value)


def test_a_key_service_that_is_not_there_is_named(file: Path) -> None:
    with pytest.raises(KeysUnusable) as refused:
        KeyStore.from_service(file, KeyService(("/nonexistent/service",)))
    assert (refused.value.code, refused.value.place) == ("kms_no_program", "/nonexistent/service")
    assert not file.exists()


def test_a_backup_opens_with_its_passphrase_only_and_shows_no_key(file: Path) -> None:
    keys = KeyStore.open(file)
    keys.subject_key("u_1")
    content = keys.file.read()
    backup = back_up(content, PHRASE, NOON)
    assert content.master.encode() not in backup
    assert content.subjects["u_1"][0].wrapped.encode() not in backup
    assert open_backup(backup, PHRASE) == content
    for wrong in (PHRASE + "!", ""):
        with pytest.raises(KeysUnusable) as closed:
            open_backup(backup, wrong, "b.json")
        assert (closed.value.code, closed.value.place) == ("backup_closed", "b.json")
    changed = backup.replace(b'"2026-07-01', b'"2027-07-01')
    for spoilt, code in ((changed, "backup_closed"), (b"{}", "no_backup"), (b"\x00", "no_backup")):
        with pytest.raises(KeysUnusable) as refused:
            open_backup(spoilt, PHRASE)
        assert refused.value.code == code
    with pytest.raises(KeysUnusable, match="at least 12"):
        back_up(content, "short", NOON)


def test_a_lost_key_file_comes_back_without_the_keys_of_the_erased(file: Path) -> None:
    keys = KeyStore.open(file)
    kept, gone = seal(keys, "u_1", "kept"), seal(keys, "u_2", "gone")
    backup = open_backup(back_up(keys.file.read(), PHRASE, NOON), PHRASE)
    erased = keys.destroy_subject("u_2")
    file.unlink()
    restore(file, backup, erased)
    again = KeyStore.open(file)
    assert unseal(again, "u_1", kept) == "kept" and stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(Unsealable) as refused:
        unseal(again, "u_2", gone)
    assert refused.value.code == "seal_destroyed"


def test_a_backup_adds_to_a_key_file_and_brings_back_nobody_who_was_erased(file: Path) -> None:
    keys = KeyStore.open(file)
    seal(keys, "u_2", "gone")
    backup = open_backup(back_up(keys.file.read(), PHRASE, NOON), PHRASE)
    keys.destroy_subject("u_2")
    newer = seal(keys, "u_3", "newer")
    keys.hold("u_3")
    restored = restore(file, backup, ())
    assert restored.subjects.keys() == {"u_3"} and restored.held == ("u_3",)
    assert unseal(KeyStore.open(file), "u_3", newer) == "newer"


def test_a_backup_of_another_project_is_refused(file: Path, tmp_path: Path) -> None:
    backup = KeyStore.open(tmp_path / "other.json").file.read()
    before = KeyStore.open(file).file.read()
    with pytest.raises(KeysUnusable) as refused:
        restore(file, backup, ())
    assert refused.value.code == "backup_other_keys"
    assert KeyStore.open(file).file.read() == before


def test_a_held_subject_is_never_destroyed_by_any_holder_of_the_file(file: Path) -> None:
    here, there = KeyStore.open(file), KeyStore.open(file)
    sealed = seal(here, "u_1", "text")
    assert there.hold("u_1") and not there.hold("u_1") and here.held() == ("u_1",)
    with pytest.raises(KeysUnusable) as refused:
        here.destroy_subject("u_1")
    assert refused.value.code == "subject_held" and unseal(here, "u_1", sealed) == "text"
    assert there.release("u_1") and not there.release("u_1")
    assert len(here.destroy_subject("u_1")) == 1


def test_a_key_file_of_the_first_format_is_read_and_written_anew(file: Path) -> None:
    keys = KeyStore.open(file)
    sealed, chain = seal(keys, "u_1", "text"), keys.chain_key()
    content = json.loads(file.read_text())
    first = {key: content[key] for key in ("master", "master_id", "subjects", "destroyed")} | {"format": 1}
    file.write_text(json.dumps(first), encoding="utf-8")
    again = KeyStore.open(file)
    assert unseal(again, "u_1", sealed) == "text" and again.chain_key() == chain
    again.subject_key("u_2")
    assert json.loads(file.read_text())["format"] == 2
