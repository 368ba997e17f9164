"""Notes are the ones that others read and write: the vector of Go's note package comes out to the byte."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from traces.errors import CheckpointUnusable
from traces.signed_note import NoteSigner, VerifierKey, open_note

# golang.org/x/mod/sumdb/note, example of the package: a key, its public half, and the text it signs.
SEED = base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
LINE = (
    "\u2014 PeterNeumann "
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
NOTE = f"{TEXT}\n{LINE}"
PETER = VerifierKey.parse(PUBLIC)


def test_the_note_of_the_reference_comes_out_to_the_byte() -> None:
    signer = NoteSigner("PeterNeumann", Ed25519PrivateKey.from_private_bytes(SEED))
    assert signer.sign(TEXT) == NOTE
    assert signer.verifier.text == PUBLIC
    assert open_note(NOTE, [PETER]) == TEXT


def test_signatures_of_strangers_stand_beside_ours_and_are_passed_over() -> None:
    witness = NoteSigner("witness.example", Ed25519PrivateKey.generate())
    cosigned = NOTE + witness.sign(TEXT).rpartition("\n\n")[2]
    assert open_note(cosigned, [PETER]) == TEXT
    assert open_note(cosigned, [witness.verifier]) == TEXT


@pytest.mark.parametrize(
    "note",
    [
        NOTE.replace("answer", "answer "),
        NOTE.replace("x08go/Z", "x08go/a"),
        f"{TEXT}x\n\n{LINE}",
    ],
    ids=["text", "signature", "a line more"],
)
def test_a_changed_note_is_refused(note: str) -> None:
    with pytest.raises(CheckpointUnusable) as refused:
        open_note(note, [PETER], "place")
    assert (refused.value.code, refused.value.place) == ("checkpoint_not_signed", "place")


@pytest.mark.parametrize(
    "note",
    [
        "",
        TEXT,
        f"{TEXT}\n",
        f"{TEXT}{LINE}",
        NOTE.rstrip("\n"),
        f"\n\n{LINE}",
        NOTE.replace("know", "\x00"),
        NOTE * 400,
    ],
)
def test_what_is_no_note_is_refused(note: str) -> None:
    with pytest.raises(CheckpointUnusable):
        open_note(note, [PETER])


def test_a_note_that_only_others_signed_names_who_did_not() -> None:
    other = NoteSigner("other", Ed25519PrivateKey.generate())
    with pytest.raises(CheckpointUnusable, match="PeterNeumann"):
        open_note(other.sign(TEXT), [PETER])


def test_a_key_of_the_same_name_is_not_ours() -> None:
    other = NoteSigner("PeterNeumann", Ed25519PrivateKey.generate())
    with pytest.raises(CheckpointUnusable):
        open_note(other.sign(TEXT), [PETER])


@pytest.mark.parametrize(
    "text",
    ["", "name", PUBLIC[:-2], PUBLIC.replace("c74f", "c74e"), PUBLIC.replace("+A", "+B"), f"x{PUBLIC}"],
)
def test_a_public_key_that_was_copied_wrongly_is_refused(text: str) -> None:
    with pytest.raises(CheckpointUnusable) as refused:
        VerifierKey.parse(text)
    assert refused.value.code == "verifier_key_malformed"
