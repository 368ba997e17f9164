"""The labelled development questions, judged through the adapter by the corpus's own script."""

import json
import subprocess
import sys
from pathlib import Path

from tests.corpora.__main__ import main


def test_every_labelled_question_has_its_outcome(corpus_folder: Path, tmp_path: Path) -> None:
    cases, out = corpus_folder / "intake_dev.jsonl", tmp_path / "verdicts.jsonl"
    vocabulary = str(corpus_folder / "vocabulary.yml")
    assert main(["intake", str(cases), "--vocabulary", vocabulary, "--out", str(out)]) == 0
    script = [sys.executable, str(corpus_folder / "score.py"), "intake", str(cases), str(out)]
    figures = json.loads(subprocess.run(script, check=True, capture_output=True, text=True).stdout)
    assert figures["right"] == figures["cases"] > 0
    assert "silent_wrong_plans" not in figures
