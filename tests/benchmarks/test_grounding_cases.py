"""The committed drafts of the grounding benchmark are well formed, and no false one passes our check."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.ground.peers import PEERS, as_rows
from benchmarks.grounding import CASES, by_kind, of_peer, rates
from tests.corpora.grounding import verdicts

DRAFTS: list[dict[str, Any]] = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def test_the_cases_are_enough_and_of_every_kind() -> None:
    kinds = Counter(case["kind"] for case in DRAFTS)
    assert len(DRAFTS) >= 60 and len({case["id"] for case in DRAFTS}) == len(DRAFTS)
    assert {"a_cell", "b_derived", "c_perturbed", "d_business", "e_format", "f_scope", "g_empty"} == set(
        kinds
    )


@pytest.mark.parametrize("case", DRAFTS, ids=lambda case: str(case["id"]))
def test_every_span_is_where_it_says_and_its_label_fits_the_verdict(case: dict[str, Any]) -> None:
    for span in case["spans"]:
        assert case["draft"][span["start"] : span["end"]] == span["text"]
    labels = {span["label"] for span in case["spans"]}
    if case["verdict"] == "pass":
        assert "ungrounded" not in labels and not case["block_reasons"]
    else:
        assert case["block_reasons"]


def test_no_false_draft_of_our_own_passes() -> None:
    passed = {line["id"]: line["verdict"] == "pass" for line in verdicts(DRAFTS)}
    figures = rates(DRAFTS, passed)
    assert figures["false_pass"] == 0, by_kind(DRAFTS, passed)
    assert figures["false_block"] is not None and figures["false_block"] < 0.1


def test_a_peer_that_cannot_be_had_is_said_to_be_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.peers.BENCH", tmp_path)
    monkeypatch.setattr("sys.executable", str(tmp_path / "no-python"))
    assert of_peer(PEERS[0], DRAFTS[:2]) == {"unavailable": "FileNotFoundError"}


def test_peers_are_given_figures_in_units_and_the_declared_values() -> None:
    scaled = next(case for case in DRAFTS if any(c.get("scale") for c in case["table"]["columns"]))
    assert as_rows(scaled)["rows"][0]["2025"] == scaled["table"]["rows"][0][1] * 1000
    derived = next(case for case in DRAFTS if case["declared"])
    assert as_rows(derived)["declared"] == [{"declared": "d1", "value": derived["declared"][0]["value"]}]
