"""The release ladder in the console: the evidence first, then one decision of an owner, on record."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.doors.terminal.release import figure_text
from gateway.service import Gateway
from tests.gateway.doors.console.visitor import Visitor
from traces.records import Close
from traces.release_records import EvidenceFigure, StageDecided

SignedIn = Callable[..., Visitor]
CLASS = "/console/ladder/governed"


@pytest.fixture
def shop(shop: Path) -> Path:
    """A shop in shadow, whose reviewers may release."""
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8").replace("governed: autonomous", "governed: shadow")
    policy.write_text(text, encoding="utf-8")
    return shop


@pytest.fixture
def console_shop(console_shop: Path) -> Path:
    policy = console_shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    policy.write_text(text.replace("evaluate, review]", "evaluate, review, release]"), encoding="utf-8")
    return console_shop


def test_an_owner_reads_the_evidence_and_moves_a_class_up(gateway: Gateway, visitor: SignedIn) -> None:
    rita = visitor("rita")
    assert "shadow" in rita.get("/console/ladder")
    page = rita.get(CLASS)
    assert "Median time to an answer" in page and "undefined" in page and "Up to reviewed" in page
    moved = rita.send(page, CLASS, press=("to", "reviewed"), reason="Forty compared, none wrong.")
    assert "Forty compared, none wrong." in moved and "Down to shadow" in moved
    (record,) = (each for each in gateway.traces.records() if isinstance(each, StageDecided))
    assert (record.was, record.stage) == ("shadow", "reviewed")


def test_a_count_of_an_evaluation_is_no_share(visitor: SignedIn, monkeypatch: pytest.MonkeyPatch) -> None:
    count = EvidenceFigure(name="eval retrieval spurious", value=2.0, n=3)
    share = EvidenceFigure(name="eval retrieval precision", value=0.5, n=3)
    monkeypatch.setattr("gateway.ladder.desk.families_of", lambda runs, name: ("night", (count, share)))
    page = visitor("rita").get(CLASS)
    assert ">2.0<" in page.html and ">50.0%<" in page.html and "200.0%" not in page.html
    assert (figure_text(count), figure_text(share)) == ("2.0", "0.500")


def test_a_decision_without_a_reason_is_refused_on_the_page(gateway: Gateway, visitor: SignedIn) -> None:
    rita = visitor("rita")
    page = rita.send(rita.get(CLASS), CLASS, press=("to", "reviewed"), reason=" ")
    assert "reason_missing" in page and "Up to reviewed" in page
    assert not [each for each in gateway.traces.records() if isinstance(each, StageDecided)]


def test_who_may_not_release_sees_no_button_and_moves_nothing(gateway: Gateway, visitor: SignedIn) -> None:
    ana = visitor("ana")
    assert "right_missing" in ana.get(CLASS)
    assert "Release" not in ana.get("/console/metrics")
    ada = visitor("ada")
    assert "Your decision" not in ada.get(CLASS)


def test_a_question_in_shadow_shows_its_asker_nothing(gateway: Gateway, visitor: SignedIn) -> None:
    ana = visitor("ana")
    page = ana.ask("net revenue in Q3 2026")
    closed = [each for each in gateway.traces.records() if isinstance(each, Close) and each.came_to]
    (cited,) = (each for each in closed[-1].answer if each.metric)
    whole = f"{int(float(cited.value)):,}"
    assert "in_shadow" in page
    for path in ("", "/charts"):
        trace = ana.get(f"/console/traces/{closed[-1].trace_id}{path}")
        assert all(secret not in text for secret in (whole, cited.value) for text in (page, trace))
