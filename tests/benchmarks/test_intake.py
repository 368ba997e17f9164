"""The questions of the intake benchmark are read as they were made, well inside the target."""

from random import Random

import pytest

from benchmarks.intake import ask, large, misspell, question, timed
from gateway.intake import IntakePlan

TARGET_MS = 10


@pytest.mark.slow
def test_made_up_questions_become_plans_within_the_target_and_misspelt_ones_never_do() -> None:
    draw = Random(3)
    words = large(draw)
    texts = [question(draw, words) for _ in range(40)]
    assert all(isinstance(ask(text, words), IntakePlan) for text in texts)
    assert not any(isinstance(ask(misspell(draw, text), words), IntakePlan) for text in texts)
    assert timed(lambda text: ask(text, words), texts)["ms_per_question"] < TARGET_MS
