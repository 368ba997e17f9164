"""The committed JSON Schemas are those of the models, and accept what the loader accepts."""

import json

import pytest
import yaml
from jsonschema import Draft202012Validator

from metric_layer.schema import FOLDER, schemas
from tests.metric_layer.trap_shop import CLOCKS, DEFINITIONS


@pytest.mark.parametrize("name", ["definitions.json", "plan.json"])
def test_a_committed_schema_is_what_the_models_say(name: str) -> None:
    wanted = {path.name: text for path, text in schemas()}
    assert (FOLDER / name).read_text(encoding="utf-8") == wanted[name], "run python -m metric_layer.schema"


def test_an_editor_accepts_the_definitions_the_loader_accepts() -> None:
    schema = json.loads((FOLDER / "definitions.json").read_text(encoding="utf-8"))
    validator = Draft202012Validator(schema)
    assert list(validator.iter_errors(yaml.safe_load(CLOCKS + DEFINITIONS))) == []
    assert list(validator.iter_errors({"metrcs": []}))


def test_the_plan_schema_refuses_an_unknown_key() -> None:
    validator = Draft202012Validator(json.loads((FOLDER / "plan.json").read_text(encoding="utf-8")))
    assert list(validator.iter_errors({"metrics": ["a"]})) == []
    assert list(validator.iter_errors({"metrics": ["a"], "sql": "select 1"}))
