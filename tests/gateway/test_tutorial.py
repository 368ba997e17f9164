"""The tutorial, typed by a new user: every file it shows is written, every command of it is run, in order."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.journey import INSTALLS, administered, figures_of, walked
from benchmarks.newcomer.page import steps_of
from benchmarks.newcomer.person import Person, borrowed, environment_of
from benchmarks.newcomer.terminal import StepFailed, Terminal
from tests.servers.postgres import DEFAULT_VERSION, SUPERUSER, Server, running, versions, why_missing

pytestmark = [pytest.mark.slow, pytest.mark.engine("postgres")]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def server() -> Iterator[Server]:
    if DEFAULT_VERSION not in versions():
        pytest.skip(why_missing(DEFAULT_VERSION))
    with running(DEFAULT_VERSION) as found:
        yield found


def test_a_new_user_gets_from_nothing_to_a_served_answer(server: Server, tmp_path: Path) -> None:
    home, programs = tmp_path / "home", tmp_path / "bin"
    home.mkdir()
    environment = environment_of(home, administered(server, home), SUPERUSER, programs)
    borrowed(programs, ROOT)
    user = Person(home, environment)
    done = walked(user, ROOT, without=INSTALLS)
    assert len(done) >= 15
    answered = user.said('cellbound ask --question "takings by town in October 2026"')
    assert "Leer" in answered and "2250.00" in answered and "row 1 column takings" in answered
    dry = user.said('cellbound ask --question "turnover in October 2026" --dry-run')
    assert "SELECT" in dry and "2250" not in dry
    served = json.loads(user.said("curl "))
    assert (served["outcome"], served["rows"]) == ("answered", [["Emden", "2250.00"], ["Leer", "2250.00"]])
    figures = figures_of(done, ROOT)
    assert 0 < figures["first_answer_s"] <= figures["machine_s"]
    assert [each["step"] for each in figures["steps"]] == [each.step.said for each in done]


def test_every_line_that_the_tutorial_shows_is_a_step() -> None:
    page = ROOT / "docs" / "tutorial.md"
    text = page.read_text(encoding="utf-8")
    steps = list(steps_of(page))
    commands = [line.strip() for line in text.splitlines() if line.startswith("    ") and "```" not in line]
    fenced = "".join(step.text for step in steps if step.file)
    shown = [line for line in commands if line not in {each.strip() for each in fenced.splitlines()}]
    assert len([step for step in steps if step.command]) == len(shown)
    assert len([step for step in steps if step.file]) == text.count("\n```\n")


def test_a_clone_is_installed_as_the_page_says_of_a_checkout() -> None:
    typed = [step.command for step in steps_of(ROOT / "docs" / "tutorial.md")]
    assert "pip install '.[postgres]'" in typed and "pip install 'cellbound[postgres]'" not in typed


def test_a_window_keeps_what_was_entered_and_names_the_command_that_failed(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    with Terminal(tmp_path, {"PATH": "/usr/bin:/bin"}) as window:
        window.run("cd inner")
        window.run("WORD=here")
        assert (window.here, window.run('echo "$WORD"')[0].strip()) == (tmp_path / "inner", "here")
        with pytest.raises(StepFailed, match="ls nowhere"):
            window.run("ls nowhere")
        assert window.run("echo on")[0].strip() == "on"
