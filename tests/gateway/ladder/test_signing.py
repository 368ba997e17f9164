"""A decision about a stage stays signed when its record gets new fields, and none can be slipped in."""

from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gateway.releases.signing import PURPOSE, is_genuine, signed
from traces.keys import KeyStore
from traces.release_records import EvidenceFigure, StageDecided


class LaterFigure(EvidenceFigure):
    """A figure as a later version may have it."""

    unit: str = ""


class Later(StageDecided):
    """A decision as a later version may have it."""

    evidence: tuple[LaterFigure, ...] = ()
    seconded: str = ""


@pytest.fixture
def keys(tmp_path: Path) -> KeyStore:
    return KeyStore.open(tmp_path / "keys.json")


def decision() -> StageDecided:
    return StageDecided(
        at=datetime(2026, 11, 3, 9, 30, tzinfo=UTC),
        by="s-1",
        question_class="governed",
        number=4,
        was="shadow",
        stage="reviewed",
        start="shadow",
        policy="0f",
        evidence=(EvidenceFigure(name="disagreed", value=0.0, n=31), EvidenceFigure(name="corrected", n=0)),
    )


def later(found: StageDecided, **more: object) -> Later:
    return Later.model_validate({**found.model_dump(), **more})


def test_what_was_signed_before_still_stands(keys: KeyStore) -> None:
    key = keys.signing_key()
    bare = decision().model_copy(update={"key_id": key.id})
    written = PURPOSE + bare.model_dump_json().encode()
    old = bare.model_copy(update={"signature": b64encode(key.private.sign(written)).decode()})
    assert old == signed(decision(), keys)
    assert is_genuine(old, keys) and is_genuine(later(old), keys)


def test_what_a_field_of_a_later_version_says_is_signed(keys: KeyStore) -> None:
    figure = LaterFigure(name="disagreed", value=0.0, n=31, unit="share")
    own = signed(later(decision(), seconded="s-2", evidence=(figure,)), keys)
    assert is_genuine(own, keys)
    for change in (
        {"seconded": ""},
        {"seconded": "s-3"},
        {"evidence": (figure.model_copy(update={"unit": ""}),)},
    ):
        assert not is_genuine(own.model_copy(update=change), keys)


@pytest.mark.parametrize(
    "change",
    [
        {"seconded": "s-2"},
        {"evidence": (LaterFigure(name="disagreed", value=0.0, n=31, unit="share"),)},
        {"stage": "autonomous"},
        {"rule": "by hand"},
        {"by": "s-2"},
        {"evidence": ()},
    ],
)
def test_nothing_can_be_put_into_a_decision_that_was_signed_before(
    keys: KeyStore, change: dict[str, object]
) -> None:
    assert not is_genuine(later(signed(decision(), keys)).model_copy(update=change), keys)
