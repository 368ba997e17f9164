"""Agents behind the one verb: recorded answers, a command, a URL, the gateway itself, the gold plan."""

import json
import shlex
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from evals.cases import Case
from evals.given import GivenAnswer, read_given
from evals.subject import Asked, Given
from metric_layer.issues import Issue

AskPlan = Callable[[Mapping[str, Any], str], Given]
"""Ask a gateway a plan, as an asker; empty for the run's own."""

AskWords = Callable[[str, str], Given]
"""Ask a gateway a question in words, as an asker; empty for the run's own."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Answers that were given before, by case and phrasing. What was not answered is missing."""

    answers: Mapping[tuple[str, int], GivenAnswer]
    ask_plan: AskPlan

    def answer(self, asked: Asked) -> Given:
        """Return the recorded answer."""
        found = self.answers.get((asked.case_id, asked.phrasing))
        return _told(found, self.ask_plan, asked) if found else Given("fail", left_out=False)


@dataclass(frozen=True, slots=True)
class Command:
    """A program that reads one question as JSON on standard input and writes one answer on its output."""

    command: str
    ask_plan: AskPlan
    seconds: float

    def answer(self, asked: Asked) -> Given:
        """Run the program; one that fails, says nothing readable or takes too long gave no answer."""
        try:
            done = subprocess.run(
                shlex.split(self.command),
                input=asked.model_dump_json().encode(),
                capture_output=True,
                timeout=self.seconds,
                check=True,
            )
        except subprocess.TimeoutExpired:
            return Given("fail", checks=("time_limit",), left_out=False)
        except (OSError, ValueError, subprocess.CalledProcessError):
            return Given("fail", checks=("command_failed",), left_out=False)
        return _told(read_given(done.stdout), self.ask_plan, asked)


@dataclass(frozen=True, slots=True)
class Url:
    """A service that takes one question as a JSON POST and returns one answer."""

    url: str
    ask_plan: AskPlan
    seconds: float

    def answer(self, asked: Asked) -> Given:
        """Post the question; a service that fails or takes too long gave no answer."""
        try:
            got = httpx.post(self.url, json=asked.model_dump(mode="json"), timeout=self.seconds)
            got.raise_for_status()
        except httpx.TimeoutException:
            return Given("fail", checks=("time_limit",), left_out=False)
        except (httpx.HTTPError, httpx.InvalidURL):
            return Given("fail", checks=("url_failed",), left_out=False)
        return _told(read_given(got.content), self.ask_plan, asked)


@dataclass(frozen=True, slots=True)
class PlainWords:
    """Asks the gateway itself, in the words of the case. It reads no examples: nothing is to leave out."""

    ask_words: AskWords

    def answer(self, asked: Asked) -> Given:
        """Ask the question as it stands."""
        return self.ask_words(asked.question, asked.asker)


@dataclass(frozen=True, slots=True)
class GoldPlans:
    """Asks each case's own gold plan: what is measured then is the gateway and its definitions, no agent."""

    cases: Mapping[str, Case]
    ask_plan: AskPlan

    def answer(self, asked: Asked) -> Given:
        """Ask the gold plan; nothing is asked, and nothing judged, of a case without one."""
        plan = self.cases[asked.case_id].gold_plan
        if plan is None:
            return Given("not_asked", checks=("no_gold_plan",))
        return self.ask_plan(plan.model_dump(mode="json", by_alias=True, exclude_none=True), asked.asker)


def read_recorded(path: Path) -> dict[tuple[str, int], GivenAnswer] | list[Issue]:
    """Read a JSONL file of answers, or return every line that is wrong."""
    found: dict[tuple[str, int], GivenAnswer] = {}
    issues = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        given = read_given(line)
        message = given if isinstance(given, str) else "" if given.case_id else "it names no case_id"
        if message or isinstance(given, str):
            issues.append(
                Issue(
                    code="bad_answer",
                    message=f"The line holds no answer: {message}.",
                    place=f"{path}:{number}",
                    seen=line[:80],
                    next_step="Write one JSON object a line: case_id, action, and plan, sql or rows.",
                )
            )
            continue
        found[given.case_id, given.phrasing] = given
    return issues or found


def _told(given: GivenAnswer | str, ask_plan: AskPlan, to: Asked) -> Given:
    """Ask the plan an agent wrote; what the agent says of itself (cost, offers, text) stays."""
    if isinstance(given, str):
        return Given("fail", checks=("bad_answer",), left_out=False)
    said = given.given()
    if given.plan is None:
        return said
    return ask_plan(json.loads(json.dumps(given.plan, default=str)), to.asker).said_by(said)
