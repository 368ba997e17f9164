"""docs/interchange.md says what the code does: its tables are the tables that the importers read."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

from metric_layer.interchange.constructs import CONSTRUCTS, tables
from metric_layer.interchange.ossie_sql import REQUIREMENTS

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "interchange.md"
FOLDER = ROOT / "metric_layer" / "interchange"


def test_the_tables_of_the_page_are_those_of_the_code(golden: Callable[[Path, str], None]) -> None:
    prose = PAGE.read_text(encoding="utf-8").partition("## What is kept")[0]
    golden(PAGE, prose + tables())


def test_every_requirement_is_explained_in_the_same_words() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|$", text, re.MULTILINE))
    assert {name: rows.get(name) for name in REQUIREMENTS} == dict(REQUIREMENTS)


def test_every_code_that_the_importers_say_is_a_row_and_every_row_is_said() -> None:
    said = {
        node.value
        for file in FOLDER.glob("*.py")
        if not file.name.startswith("construct")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert not CONSTRUCTS.keys() - said
