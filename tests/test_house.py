"""The house keeps its shape: small rooms, honest names, no circles, drivers only where they belong."""

import ast
import os
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TypeVar

import grimp

Node = TypeVar("Node", bound=ast.AST)

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("metric_layer", "traces", "policies", "evals", "gateway")
FILE_LINES = 400
FUNCTION_LINES = 60
DRAWERS = {"utils", "util", "helpers", "helper", "common", "core", "manager", "misc", "handlers", "handler"}
SKIPPED = {".git", ".venv", ".hypothesis", "var", "dist", "build", "__pycache__"}
DOORS = "gateway/doors/*"

# What comes from outside, and the only files that may import it.
ROOMS_OF = {
    "duckdb": ("gateway/engines/duckdb*.py",),
    "psycopg": ("gateway/engines/postgres*.py", "gateway/stores/postgres.py", "traces/store/postgres*.py"),
    "snowflake": ("gateway/engines/snowflake*.py",),
    "google": ("gateway/engines/bigquery*.py",),
    "sqlglot": (
        "metric_layer/sql*.py",
        "metric_layer/compile*.py",
        "metric_layer/expression*.py",
        "policies/checks/*.py",
    ),
    "altair": ("gateway/charts/spec.py",),
    "vl_convert": ("gateway/charts/worker.py",),
    **dict.fromkeys(
        ("fastapi", "starlette", "uvicorn", "mcp", "mcp_types", "typer", "click", "rich"), (DOORS,)
    ),
}


def files_of(*folders: str) -> list[Path]:
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))


HOUSE = files_of(*FLOORS)
EVERYTHING = HOUSE + files_of("tests", "docs", "benchmarks")


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), filename=name_of(file))


@cache
def nodes_of(file: Path) -> Mapping[type[ast.AST], list[ast.AST]]:
    """Return all nodes of a file by their kind."""
    found: dict[type[ast.AST], list[ast.AST]] = {}
    for node in ast.walk(tree_of(file)):
        found.setdefault(type(node), []).append(node)
    return found


def imports_of(file: Path) -> Iterator[str]:
    yield from (alias.name for _, node in places([file], ast.Import) for alias in node.names)
    yield from (node.module for _, node in places([file], ast.ImportFrom) if node.module)


def committed_texts() -> Iterator[tuple[str, str]]:
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in SKIPPED and not name.endswith("_cache")]
        for file in (Path(folder) / name for name in names):
            try:
                yield name_of(file), file.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def places(files: list[Path], kind: type[Node]) -> Iterator[tuple[str, Node]]:
    for file in files:
        for node in nodes_of(file).get(kind, ()):
            if isinstance(node, kind):
                yield f"{name_of(file)}:{getattr(node, 'lineno', 0)}", node


def test_every_room_and_every_file_says_what_it_holds() -> None:
    folders = {file.parent / "__init__.py" for file in HOUSE}
    silent = {name_of(file) for file in {*HOUSE, *folders} if not ast.get_docstring(tree_of(file))}
    assert silent == set()


def test_no_file_is_longer_than_the_alarm_line() -> None:
    lines = {name_of(file): len(file.read_text(encoding="utf-8").splitlines()) for file in EVERYTHING}
    assert not {name: count for name, count in lines.items() if count > FILE_LINES}


def test_no_function_is_longer_than_the_alarm_line() -> None:
    long = {}
    functions: list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]] = [
        *places(EVERYTHING, ast.FunctionDef),
        *places(EVERYTHING, ast.AsyncFunctionDef),
    ]
    for place, node in functions:
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        if lines > FUNCTION_LINES:
            long[f"{place} {node.name}"] = lines
    assert not long


def test_nothing_is_put_in_a_drawer() -> None:
    named = {name_of(file) for file in EVERYTHING if {file.stem, file.parent.name} & DRAWERS}
    assert not named, "name the file by its one job"


def test_every_file_says_its_one_job_in_its_first_line() -> None:
    silent = []
    for file in EVERYTHING:
        words = ast.get_docstring(tree_of(file)) or ""
        if file.read_text(encoding="utf-8").strip() and not words.splitlines()[:1]:
            silent.append(name_of(file))
    assert not silent


def test_no_two_modules_import_each_other_in_a_circle() -> None:
    graph = grimp.build_graph(*FLOORS)
    below = {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}
    assert list(TopologicalSorter(below).static_order()), "static_order names the circle it meets"


def test_annotations_need_no_imports_that_are_hidden_from_the_interpreter() -> None:
    hidden = [place for place, node in places(HOUSE, ast.Name) if node.id == "TYPE_CHECKING"]
    assert not hidden


def test_nobody_swallows_every_exception_but_the_outermost_door() -> None:
    broad = []
    for place, node in places(HOUSE, ast.ExceptHandler):
        caught = {
            name.id for name in ast.walk(node.type or ast.Name("Exception")) if isinstance(name, ast.Name)
        }
        passed_on = isinstance(node.body[-1], ast.Raise)
        at_a_door = fnmatch(place.split(":")[0], DOORS)
        if caught & {"Exception", "BaseException"} and not passed_on and not at_a_door:
            broad.append(place)
    assert not broad


def test_only_doors_print() -> None:
    prints = [
        place
        for place, node in places(HOUSE, ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert not [place for place in prints if not fnmatch(place.split(":")[0], DOORS)]


def test_every_refusal_says_what_to_do_next() -> None:
    """A refusal without a next step leaves its reader with nothing to type; findings that allow need none."""
    silent = []
    for place, node in places(HOUSE, ast.Call):
        named = {keyword.arg for keyword in node.keywords}
        what = node.func.id if isinstance(node.func, ast.Name) else ""
        if what == "Finding":
            verdict = node.args[0] if node.args else None
            refuses = isinstance(verdict, ast.Constant) and verdict.value in ("soft", "hold", "hard")
        else:
            refuses = what in ("Issue", "ReplyIssue")
        if refuses and not named & {"next_step", None}:
            silent.append(place)
    assert not silent


def test_drivers_frameworks_and_the_sql_parser_stay_in_their_rooms() -> None:
    strays = [
        f"{name_of(file)} imports {module}"
        for file in HOUSE
        for module in imports_of(file)
        for rooms in [ROOMS_OF.get(module.split(".")[0], ("*",))]
        if not any(fnmatch(name_of(file), room) for room in rooms)
    ]
    assert not strays


def test_no_committed_text_knows_a_machine_or_a_package_registry() -> None:
    machine = r"/(?:wor[k]|roo[t])/|\.librar[y]/|site-package[s]/"
    hosts = r"(?:pyp[i]|pythonhoste[d]|npmj[s]|debia[n])\.org"
    told = re.compile(f"{machine}|{hosts}")
    assert not {name: found[0] for name, text in committed_texts() if (found := told.search(text))}


def test_test_folders_are_no_packages_that_could_hide_ours() -> None:
    packages = {name_of(file.parent) for file in files_of("tests") if file.name == "__init__.py"}
    assert packages <= {"tests", "tests/corpora"}
