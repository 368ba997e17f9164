"""`replay --against`: recorded questions under other definitions, or put to another model or prompt."""

from collections.abc import Mapping
from pathlib import Path

from gateway.agent.candidate_report import CandidateReport
from gateway.agent.prompting import PURPOSES, Prompts, shipped
from gateway.doors.cli.ids import whole_trace
from gateway.doors.cli.input import read_text
from gateway.doors.faults import unknown_trace
from gateway.doors.json_input import BadInput
from gateway.doors.opened import candidate_of, opened
from gateway.replay.sample import Choice, ReplaySample
from gateway.reply import Refusal, ReplayReport
from gateway.wiring import model_of
from metric_layer.issues import Issue

ASKED = ("model", "prompt")


def replayed_against(
    given: Mapping[str, str], trace_id: str, choice: Choice | None, *, user: str, project: Path | None
) -> ReplayReport | ReplaySample | CandidateReport | Refusal:
    """Replay one question or a sample: under other definitions, or by asking a candidate. Raises BadInput."""
    if asks_a_model(given, choice):
        return candidate_report(given, choice, user=user, project=project)
    others = {key: Path(path) for key, path in given.items()}
    with opened(project) as house:
        caller = house.callers.for_cli(user)
        with candidate_of(house, others) as other:
            if choice is not None:
                return house.gateway.replay_sample(caller, choice, other)
            trace_id = whole_trace(house.gateway, caller, trace_id)
            return house.gateway.replay(caller, trace_id, other) or unknown_trace(trace_id)


def asks_a_model(given: Mapping[str, str], choice: Choice | None) -> bool:
    """Say whether a replay asks a candidate. Raises BadInput where that does not go with the rest."""
    asks = [key for key in given if key in ASKED]
    if not asks:
        return False
    if len(asks) < len(given) or choice is None:
        raise BadInput(
            Issue(
                code="bad_against",
                message="A candidate is asked a sample, and under today's definitions and policy.",
                seen=", ".join(f"{key}={value}" for key, value in given.items()),
                next_step="Write --sample N --against model=NAME, or prompt=FILE, or both of these.",
            )
        )
    return True


def candidate_report(
    given: Mapping[str, str], choice: Choice | None, *, user: str, project: Path | None
) -> CandidateReport:
    """Ask the candidate and hold it beside the record. Raises BadInput."""
    prompts = _prompts(given["prompt"]) if "prompt" in given else shipped()
    with opened(project) as house:
        model = model_of(house.settings, given.get("model", ""))
        if model is None:
            raise BadInput(
                Issue(
                    code="no_model",
                    message="The settings name no model that could be asked.",
                    next_step="Name one under [agent], or with --against model=NAME.",
                )
            )
        caller = house.callers.for_cli(user)
        return house.gateway.agent.replay_candidate(caller, choice or Choice(), model, prompts)


def _prompts(file: str) -> Prompts:
    """Return the shipped prompts with one replaced; the file's name says which of them."""
    purpose = next((each for each in PURPOSES if Path(file).stem == each), None)
    if purpose is None:
        raise BadInput(
            Issue(
                code="bad_prompt",
                message=f"{file} does not say by its name which prompt it is.",
                seen=Path(file).name,
                candidates=tuple(f"{each}.md" for each in PURPOSES),
                next_step="Call the file like the prompt that it replaces.",
            )
        )
    return shipped().with_one(purpose, read_text(file))
