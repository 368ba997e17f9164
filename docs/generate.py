"""Write the pages of docs/ that list what the code holds: checks, settings, commands, tools, codes."""

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeGuard, get_args

from pydantic_core import PydanticUndefined
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from docs.harvest import Said, said_codes, said_findings, steps_of
from docs.rooms import rooms
from evals.words import CEILINGS, FAULTS, NOT_ASKED
from gateway.doors.cli.main import build_cli
from gateway.doors.identity.scopes import TOOLS
from gateway.doors.mcp.prompts import PROMPTS
from gateway.doors.mcp.tools import Tools
from gateway.doors.meanings import DRAFTS_SAY, OUTCOMES_SAY, SQL_SAYS, Advice
from gateway.doors.status import DRAFTS, OUTCOMES, SQL_VERDICTS, DoorStatus
from gateway.settings.file import Settings
from metric_layer.interchange.constructs import CONSTRUCTS
from metric_layer.record import Record
from policies.facts import Check
from policies.register import (
    ANSWER_CHECKS,
    COST_CHECKS,
    DIFFERENCE_CHECKS,
    GUARD_CHECKS,
    PLAN_CHECKS,
    SQL_CHECKS,
)
from traces.grounding import SpanCode

HERE = Path(__file__).resolve().parent
CODES_FILE = HERE.parent / "gateway" / "doors" / "codes.json"
WRITTEN = "<!-- Written by `make docs`; change the code, not this page. -->\n"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    heads = tuple(heads)
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def first_sentence(thing: object) -> str:
    """Return what the first line of a docstring says."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def checks_page() -> str:
    """Return every check of every stage, in the order in which it runs."""
    stages = (
        ("Plan", "before any SQL is written", PLAN_CHECKS),
        ("SQL", "on the tree of the text that would run", SQL_CHECKS),
        ("Cost", "on the database's estimate; nothing has run", COST_CHECKS),
        ("Rows", "on what the joins of the run counted", GUARD_CHECKS),
        ("Rows over people", "on how many people a figure rests on, before it is told", DIFFERENCE_CHECKS),
        ("Answer", "on a draft, before anyone reads it", ANSWER_CHECKS),
    )
    parts = [
        WRITTEN,
        "# Checks\n",
        "All checks of a stage run before the stage is judged, so every reason is said at once. Every check",
        "writes its verdict, also when it allows. `hard` ends the text: no judge sees it. `soft` goes back",
        "to whoever wrote the SQL. `hold` waits for somebody entitled to decide.",
    ]
    for name, when, checks in stages:
        rows = ((f"`{check.id}`", first_sentence(check.run)) for check in checks)
        parts += [f"\n## {name}: {when}\n", table(("check", "what it does"), rows)]
    return "\n".join(parts) + "\n"


def settings_page() -> str:
    """Return every key of cellbound.toml with its type and default."""
    parts = [
        WRITTEN,
        "# Settings\n",
        "`cellbound.toml` at the top of a project folder, read once at start. Paths are relative to that",
        "folder. A key that is not listed here is refused with the nearest one that is.",
    ]
    for name, field in Settings.model_fields.items():
        room = field.annotation
        if not (isinstance(room, type) and issubclass(room, Record)):
            continue
        parts += [f"\n## [{name}]\n", first_sentence(room), "", *_keys(name, room)]
    return "\n".join(parts) + "\n"


def _keys(prefix: str, room: type[Record]) -> Iterator[str]:
    rows = []
    inner: list[tuple[str, type[Record]]] = []
    for key, field in room.model_fields.items():
        if _is_record(field.annotation):
            inner.append((key, field.annotation))
            continue
        kind = _type_name(field.annotation)
        default = "required" if field.default is PydanticUndefined else f"`{_toml(field.default)}`"
        rows.append((f"`{key}`", kind, default))
        inner += [(key, part) for part in get_args(field.annotation) if _is_record(part)]
    yield table(("key", "type", "default"), rows)
    for key, part in inner:
        whole = room.model_fields[key].annotation
        named = "" if _is_record(whole) else ".NAME"
        heading = f"[[{prefix}.{key}]]" if "tuple" in str(whole) else f"[{prefix}.{key}{named}]"
        yield f"\n### {heading}\n\n{first_sentence(part)}\n"
        yield from _keys(f"{prefix}.{key}", part)


def _is_record(part: object) -> TypeGuard[type[Record]]:
    return isinstance(part, type) and issubclass(part, Record)


def _type_name(annotation: Any) -> str:
    plain = isinstance(annotation, type) and not get_args(annotation)
    text = annotation.__name__ if plain else str(annotation)
    text = re.sub(r"(?:\w+\.)+(\w+)", r"\1", text)
    return re.sub(r"tuple\[(\w+), \.\.\.\]", r"list of \1", text).replace("Mapping[str, ", "table of [")


def _toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case tuple():
            return "[" + ", ".join(_toml(item) for item in value) + "]"
        case Mapping():
            return "{}"
    return str(value)


def cli_page() -> str:
    """Return every command with its arguments and options."""
    parts = [
        WRITTEN,
        "# Command line\n",
        "With `--json` a command prints one object on stdout and nothing else. Colour and progress go to a",
        "terminal only. The exit status says what became of the request: see [codes.md](codes.md).",
    ]
    for path, command in _commands("cellbound", get_command(build_cli())):
        usage = " ".join((path, *(_usage(p) for p in command.params if isinstance(p, TyperArgument))))
        parts += [f"\n## {path}\n", f"    {usage} [OPTIONS]\n", inspect.cleandoc(command.help or "")]
        kinds = inspect.signature(command.callback or build_cli).parameters
        rows = [
            (_option(param, kinds[param.name or ""].annotation), param.help or "")
            for param in command.params
            if isinstance(param, TyperOption) and param.name != "help" and not param.hidden
        ]
        if rows:
            parts += ["", table(("option", "meaning"), rows)]
    return "\n".join(parts) + "\n"


def _commands(path: str, command: object) -> Iterator[tuple[str, TyperCommand | TyperGroup]]:
    if isinstance(command, TyperGroup):
        if " " in path and command.invoke_without_command:
            yield path, command
        for name, inner in command.commands.items():
            yield from _commands(f"{path} {name}", inner)
    elif isinstance(command, TyperCommand):
        yield path, command


def _option(option: TyperOption, annotation: object) -> str:
    value = option.metavar or "|".join(_choices(annotation)) or (option.name or "").upper()
    return f"`{' '.join(option.opts)}{'' if option.is_flag else f' {value}'}`"


def _choices(annotation: object) -> Iterator[str]:
    for part in get_args(annotation):
        if isinstance(part, str):
            yield part
        else:
            yield from _choices(part)


def _usage(argument: TyperArgument) -> str:
    shown = argument.metavar or (argument.name or "").upper()
    return shown if argument.required else f"[{shown}]"


def tools_page() -> str:
    """Return every MCP tool with what it says of itself."""
    rows = ((f"`{name}`", _sentences(getattr(Tools, name))) for name in TOOLS)
    prompts = ((f"`{verb.__name__}`", _sentences(verb)) for _, verb in PROMPTS)
    parts = [
        WRITTEN,
        "# MCP tools\n",
        "No tool takes SQL. Arguments of `ask_metric` and `dry_run_plan` are the plan's own keys, flat; see",
        "[metrics.md](metrics.md). All tools only read. Resources: `trace://{id}` (how an answer came about)",
        "and `data://{id}` (its rows).\n",
        table(("tool", "what it does"), rows),
        "",
        table(("prompt", "what it is for"), prompts),
    ]
    return "\n".join(parts) + "\n"


def _sentences(verb: object) -> str:
    return " ".join((inspect.getdoc(verb) or "").split())


def codes_page() -> str:
    """Return outcomes, verdicts and every code an issue or a finding can carry."""
    status = ("HTTP", "exit", "MCP error", "meaning", "next")
    codes = sorted((code, said[0]) for code, (said, _) in said_codes().items())
    findings = sorted((f"`{code}`", said[0]) for code, (said, _) in said_findings().items())
    words = {**CEILINGS, **FAULTS, **NOT_ASKED}
    parts = [
        WRITTEN,
        "# Outcomes and codes\n",
        "One table for all doors. A refusal has the same body everywhere; its status is the door's own.\n",
        "## Outcomes of a question\n",
        table(
            ("outcome", *status), (_outcome(name, row, OUTCOMES_SAY[name]) for name, row in OUTCOMES.items())
        ),
        "\n## Outcomes of a draft\n",
        table(("outcome", *status), (_outcome(name, row, DRAFTS_SAY[name]) for name, row in DRAFTS.items())),
        "\n## Verdicts of `sql check`\n",
        table(
            ("verdict", "exit", "meaning", "next"),
            ((f"`{name}`", str(row.exit), *SQL_SAYS[name]) for name, row in SQL_VERDICTS.items()),
        ),
        "\n## Findings that no registered check decides\n",
        "Checks are listed in [checks.md](checks.md).\n",
        table(("finding", "reason"), findings),
        "\n## Words of an eval report\n",
        table(("word", "meaning"), ((f"`{word}`", says) for word, says in words.items())),
        "\n## What can be wrong with a span of a draft\n",
        ", ".join(f"`{code}`" for code in get_args(SpanCode)) + ".",
        "\n## Codes of issues\n",
        "A code is stable; its sentence is not. `\N{HORIZONTAL ELLIPSIS}` stands for what was seen.\n",
        table(("code", "sentence"), ((f"`{code}`", said) for code, said in codes)),
    ]
    return "\n".join(parts) + "\n"


def _outcome(name: str, row: DoorStatus, advice: Advice) -> tuple[str, ...]:
    return (f"`{name}`", *_status(row), *advice)


def _status(row: DoorStatus) -> tuple[str, str, str]:
    return str(row.http), str(row.exit), "yes" if row.is_error else "no"


def modules_page() -> str:
    """Return every room of the code, and what each of its files holds."""
    parts = [
        WRITTEN,
        "# Where things live\n",
        "Every room with its files, in the words of their first lines. Search this page for a word of the",
        "question; [journey.md](journey.md) goes through the rooms in the order in which a question does.",
    ]
    for package, purpose, files in rooms():
        parts += [f"\n## {package}\n", *([purpose, ""] if purpose else [])]
        parts += (
            [table(("file", "what it holds"), ((f"`{name}`", says) for name, says in files))] if files else []
        )
    return "\n".join(parts) + "\n"


def codes_file() -> str:
    """Return what `cellbound explain` reads as JSON: codes with their sentences and next steps, by kind."""
    constructs = {
        code: ([each.outcome], [each.step] if each.step else []) for code, each in CONSTRUCTS.items()
    }
    checks: Said = {each.id: ([first_sentence(each.run)], steps_of(each.run)) for each in all_checks()}
    kinds = {"check": checks, "finding": said_findings(), "import": constructs, "issue": said_codes()}
    found = {
        kind: {code: {"sentences": says, "next_steps": steps} for code, (says, steps) in sorted(said.items())}
        for kind, said in kinds.items()
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def all_checks() -> Iterator[Check[Any]]:
    """Yield every registered check, in the order of the stages."""
    yield from PLAN_CHECKS
    yield from SQL_CHECKS
    yield from COST_CHECKS
    yield from GUARD_CHECKS
    yield from DIFFERENCE_CHECKS
    yield from ANSWER_CHECKS


PAGES: Mapping[str, Callable[[], str]] = {
    "checks.md": checks_page,
    "cli.md": cli_page,
    "codes.md": codes_page,
    "modules.md": modules_page,
    "settings.md": settings_page,
    "tools.md": tools_page,
}


def main() -> None:
    """Write every generated page, and what `cellbound explain` reads."""
    CODES_FILE.write_text(codes_file(), encoding="utf-8")
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
