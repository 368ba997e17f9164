"""The matrix of faults is whole: every row has its tests, and they exist."""

import tomllib
from pathlib import Path

from tests.test_requirements import exists

MATRIX = tomllib.loads(Path(__file__).with_name("faults.toml").read_text(encoding="utf-8"))["fault"]
ROWS = 28


def test_every_row_of_the_matrix_of_faults_is_there_once() -> None:
    assert [each["row"] for each in MATRIX] == list(range(1, ROWS + 1))
    assert all(each["fault"] and each["right"] for each in MATRIX)


def test_every_fault_is_made_by_tests_that_exist() -> None:
    gone = {each["row"]: [test for test in each["tests"] if not exists(test)] for each in MATRIX}
    assert not {row: tests for row, tests in gone.items() if tests}
    assert all(each["tests"] for each in MATRIX)
