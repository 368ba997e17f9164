"""Every room of the code with its modules, each by the first line of its own docstring."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("gateway", "policies", "evals", "traces", "metric_layer")
"""The top-level packages, from the doors down."""


def rooms() -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Yield (package, what it is for, [(file, what it holds)]) in the order of the folders."""
    for floor in FLOORS:
        for folder in sorted({file.parent for file in (ROOT / floor).rglob("*.py")}):
            files = sorted(folder.glob("*.py"))
            held = [(file.name, _says(file)) for file in files if file.name != "__init__.py"]
            if held:
                yield folder.relative_to(ROOT).as_posix(), _says(folder / "__init__.py"), held


def _says(file: Path) -> str:
    """Return the first line of a module's docstring; nothing where there is none."""
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
