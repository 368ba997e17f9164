"""The manifest holds: promises have tests and guards that exist, and every check has its promise."""

import ast
from functools import cache
from importlib import import_module
from pathlib import Path

from policies.register import (
    ANSWER_CHECKS,
    COST_CHECKS,
    DIFFERENCE_CHECKS,
    GUARD_CHECKS,
    PLAN_CHECKS,
    SQL_CHECKS,
)
from tests.requirements import requirements

REQUIREMENTS = requirements()
TESTS = Path(__file__).resolve().parent
STAGES = (PLAN_CHECKS, SQL_CHECKS, COST_CHECKS, GUARD_CHECKS, DIFFERENCE_CHECKS, ANSWER_CHECKS)
CHECKS = {check.id for stage in STAGES for check in stage}


@cache
def functions_of(file: Path) -> frozenset[str]:
    """Return the names of all functions of a file: none of one that is not there."""
    tree = ast.parse(file.read_text(encoding="utf-8") if file.is_file() else "")
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, kinds))


def exists(test: str) -> bool:
    name, _, wanted = test.partition("::")
    return wanted in functions_of(TESTS / name)


def stands_guard(first: str) -> bool:
    module, _, name = first.partition(":")
    return first in CHECKS or (bool(name) and hasattr(import_module(module), name))


def test_every_requirement_has_an_id_of_its_own_and_says_one_sentence() -> None:
    ids = [requirement.id for requirement in REQUIREMENTS]
    assert len(ids) == len(set(ids))
    assert not [r.id for r in REQUIREMENTS if not (r.source and r.sentence.endswith("."))]


def test_every_requirement_is_proved_by_tests_that_exist() -> None:
    unproved = {r.id: tuple(test for test in r.tests if not exists(test)) for r in REQUIREMENTS}
    assert not {name: tests for name, tests in unproved.items() if tests}
    assert not [r.id for r in REQUIREMENTS if not r.tests]


def test_every_requirement_names_the_guard_that_catches_it_first() -> None:
    assert not [r.id for r in REQUIREMENTS if not stands_guard(r.first)]


def test_every_check_is_there_for_a_requirement() -> None:
    assert not CHECKS - {r.first for r in REQUIREMENTS}
