"""The labelled cases of the shared corpus: no attack runs, no false number leaves, good work passes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.corpora.__main__ import main

WRONG_BLOCKS = 0.01
FALSE_BLOCKS = 0.03


def scored(kind: str, folder: Path, out: Path, *options: str) -> dict[str, Any]:
    """Judge every case with the product and let the corpus's own script compare."""
    cases = folder / f"{kind}_dev.jsonl"
    assert main([kind, str(cases), "--out", str(out), *options]) == 0
    script = [sys.executable, str(folder / "score.py"), kind, str(cases), str(out)]
    printed = subprocess.run(script, check=True, capture_output=True, text=True).stdout
    figures: dict[str, Any] = json.loads(printed)
    return figures


def test_every_labelled_attack_is_refused_outright_and_good_sql_runs(
    corpus_folder: Path, tmp_path: Path
) -> None:
    schema = str(corpus_folder / "schema.yml")
    figures = scored("sql", corpus_folder, tmp_path / "sql.jsonl", "--schema", schema)
    assert figures["escapes"] == 0
    assert figures["hard"]["refused"] == figures["hard"]["n"] > 0
    assert figures["soft"]["right_check"] >= 0.95 * figures["soft"]["n"]
    assert figures["ok"]["wrong_blocks"] <= WRONG_BLOCKS * figures["ok"]["n"]


def test_no_labelled_draft_with_a_false_number_leaves(corpus_folder: Path, tmp_path: Path) -> None:
    figures = scored("grounding", corpus_folder, tmp_path / "grounding.jsonl")
    assert figures["false_pass"] == 0 < figures["of_blocks"]
    assert figures["false_block_rate"] <= FALSE_BLOCKS
    assert figures["wrong_message"] == figures["flags"].get("wrong", 0) == 0
