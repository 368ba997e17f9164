"""What the docs say is what the code does: generated pages are fresh, commands exist, snippets are read."""

import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest
import yaml
from fastapi.routing import APIRoute
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from docs.generate import CODES_FILE, PAGES, codes_file
from gateway import __version__
from gateway.doors.cli.main import build_cli
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.replay.causes import FEEDS
from gateway.settings.file import IdentitySettings, ServerSettings
from metric_layer.definitions import GRAINS, Document, Metric
from metric_layer.plan import MetricPlan, Operator
from policies.policy import AnswerRules, Budget, Policy, ReadingRules, ReleaseStage, Role, RowCaps, TextLimits

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PROSE = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "examples").rglob("*.md")])


def text_of(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def snippets(kind: str) -> Iterator[tuple[str, str]]:
    for page in PROSE:
        for found in re.findall(
            rf"^```{kind}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        ):
            yield page.name, found


def commands_shown() -> Iterator[tuple[str, list[str]]]:
    for page in PROSE:
        for line in page.read_text(encoding="utf-8").splitlines():
            shown = re.search(r"(?:^ {4}(?:.*\| )?|`)(cellbound [a-z][^`#]*)", line)
            if shown and page.name != "cli.md":
                yield f"{page.name}: {shown[1]}", shlex.split(shown[1])[1:]


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_says_what_the_code_says(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(DOCS / name, PAGES[name]())


def test_what_explain_reads_says_what_the_code_says(golden: Callable[[Path, str], None]) -> None:
    golden(CODES_FILE, codes_file())


def test_every_link_inside_the_repository_leads_somewhere() -> None:
    dead = [
        f"{page.name}: {target}"
        for page in PROSE
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert not dead


def test_every_file_that_a_page_names_exists() -> None:
    rooms = "gateway|metric_layer|policies|evals|traces|tests|docs|benchmarks|examples"
    gone = [
        f"{page.name}: {path}"
        for page in PROSE
        if "examples" not in page.parts
        for path in re.findall(rf"`((?:{rooms})/[a-z_/.-]+)`", page.read_text(encoding="utf-8"))
        if not (ROOT / path).exists()
    ]
    assert not gone


def test_every_page_is_reached_from_the_index() -> None:
    index = text_of("index.md")
    assert not [
        page.name for page in DOCS.glob("*.md") if page.name != "index.md" and f"({page.name})" not in index
    ]


def test_every_command_that_a_page_shows_exists_with_its_options() -> None:
    wrong = []
    cellbound = get_command(build_cli())
    for place, words in commands_shown():
        command: object = cellbound
        while isinstance(command, TyperGroup) and words and words[0] in command.commands:
            command = command.commands[words.pop(0)]
        known = set()
        if isinstance(command, TyperCommand) or (
            isinstance(command, TyperGroup) and command.invoke_without_command
        ):
            known = {
                name for param in command.params if isinstance(param, TyperOption) for name in param.opts
            }
        if not known or {word for word in words if word.startswith("--")} - known:
            wrong.append(place)
    assert not wrong


def test_every_plan_that_a_page_shows_is_a_plan() -> None:
    plans = [body for _, text in snippets("json") if "metrics" in (body := json.loads(text))]
    assert plans
    for plan in plans:
        MetricPlan.model_validate(plan)


def test_every_policy_that_a_page_shows_is_a_policy() -> None:
    policies = [body for _, text in snippets("yaml") if "roles" in (body := yaml.safe_load(text))]
    assert policies
    for policy in policies:
        Policy.model_validate(policy)


def test_every_http_route_has_a_line() -> None:
    app = build_http(None, Callers(IdentitySettings()), ServerSettings())  # type: ignore[arg-type]
    routes = {
        f"{method} {route.path}"
        for route in app.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    page = text_of("doors.md")
    assert routes
    assert not [route for route in routes if f"`{route}`" not in page]


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("metrics.md", [*get_args(Operator), *GRAINS, *MetricPlan.model_fields, *Document.model_fields]),
        (
            "policies.md",
            [
                *get_args(ReleaseStage),
                *(
                    key
                    for part in (Policy, Role, Budget, RowCaps, AnswerRules, ReadingRules, TextLimits)
                    for key in part.model_fields
                ),
            ],
        ),
        (
            "traces.md",
            [
                "same",
                "cannot tell",
                "nondeterministic",
                *{cause for pins in FEEDS.values() for cause in pins},
            ],
        ),
    ],
)
def test_every_word_of_a_vocabulary_is_explained_on_its_page(page: str, words: list[str]) -> None:
    text = text_of(page)
    assert not [word for word in words if not re.search(rf"`[^`]*\b{word}\b[^`]*`", text)]


def test_every_metric_type_is_explained() -> None:
    kinds = {
        kind
        for model in get_args(get_args(Metric)[0])
        for kind in get_args(model.model_fields["type"].annotation)
    }
    text = text_of("metrics.md")
    assert kinds
    assert not [kind for kind in kinds if f"`{kind}`" not in text]


def test_the_changelog_tells_of_this_version() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[:2] == ["Unreleased", __version__]
