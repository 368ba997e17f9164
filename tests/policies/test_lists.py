"""The reviewed lists cover the pinned parser: a class that nobody has looked at fails here."""

import inspect
from importlib.resources import files
from typing import get_args

import pytest
import yaml
from sqlglot import exp

from metric_layer.plan import Dialect
from metric_layer.sql.reading import FaultCheck
from policies.lists import sql_lists
from policies.register import SQL_CHECKS

CALLED_BY_NAME = {"Anonymous", "AnonymousAggFunc"}


def reviewed(name: str, group: str) -> tuple[set[str], set[str]]:
    """Return the allowed and the refused names of one list file."""
    lists = yaml.safe_load((files("policies") / "functions" / name).read_text(encoding="utf-8"))
    return {str(entry) for entries in lists[group].values() for entry in entries}, set(lists["refused"])


def classes() -> dict[str, type[exp.Expr]]:
    """Return every syntax class of the parser."""
    found = (c for c in vars(exp).values() if inspect.isclass(c) and issubclass(c, exp.Expression))
    return {c.__name__: c for c in found}


def test_every_function_class_of_the_parser_was_reviewed() -> None:
    allowed, refused = reviewed("typed.yaml", "pure")
    known = {name for name, c in classes().items() if issubclass(c, exp.Func)} - CALLED_BY_NAME
    assert allowed | refused == known
    assert not allowed & refused


def test_every_other_node_class_of_the_parser_was_reviewed() -> None:
    allowed, refused = reviewed("nodes.yaml", "kinds")
    known = {name for name, c in classes().items() if not issubclass(c, exp.Func)}
    assert allowed | refused == known
    assert not allowed & refused


def test_a_listed_argument_is_one_the_node_has() -> None:
    known = classes()
    for name, arguments in sql_lists("postgres").kinds.items():
        assert {argument.split("=")[0] for argument in arguments} <= {*known[name].arg_types, "negate"}


@pytest.mark.parametrize("dialect", get_args(Dialect))
def test_no_list_holds_a_function_that_reaches_outside_its_arguments(dialect: Dialect) -> None:
    lists = sql_lists(dialect)
    outside = (
        "current_user",
        "current_setting",
        "version",
        "getenv",
        "read_",
        "pg_sleep",
        "nextval",
        "dblink",
        "system$",
    )
    assert not [name for name in lists.named if name.startswith(outside)]
    assert not lists.typed & {
        "CurrentUser",
        "CurrentSchema",
        "ReadCSV",
        "ReadParquet",
        "NextValueFor",
        "AIGenerate",
    }


def test_a_team_adds_reviewed_functions_and_the_digest_tells() -> None:
    plain, more = sql_lists("postgres"), sql_lists("postgres", ("Our_Udf",))
    assert "our_udf" in more.named - plain.named
    assert plain.digest != more.digest


def test_every_fault_of_the_reader_is_reported_by_a_check() -> None:
    assert set(get_args(FaultCheck)) <= {check.id for check in SQL_CHECKS}
