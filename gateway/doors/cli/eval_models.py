"""`eval firing --by model`: what each model gets wrong, told."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from evals.by_model import FiringByModel, ModelRates
from gateway.doors.opened import opened
from gateway.doors.terminal.screen import Terminal
from gateway.reply import Refusal

NAMES = ("purpose", "calls", "used", "rejected", "unreadable", "failed", "tokens", "ms", "reasons")


def firing_by_model_of(since: date | None, *, user: str, project: Path | None) -> FiringByModel | Refusal:
    """Return what became of the replies of each model, for who may audit."""
    with opened(project) as house:
        return house.gateway.agent.firing(house.callers.for_cli(user), since)


def print_models(terminal: Terminal, found: FiringByModel) -> None:
    """Print each model with its calls by purpose, and the reasons why replies were not taken."""
    terminal.line(f"{found.questions} questions on record that a model took part in")
    for each in found.models:
        _print_model(terminal, each)


def _print_model(terminal: Terminal, each: ModelRates) -> None:
    terminal.line(f"{each.model}: {each.questions} questions, {_counts(each.outcomes)}", "bold")
    rows = [
        (
            rates.purpose,
            *map(str, (rates.calls, rates.used, rates.rejected, rates.unreadable, rates.failed)),
            f"{rates.tokens_in + rates.tokens_out:,}",
            str(rates.ms),
            _counts(rates.reasons),
        )
        for rates in each.purposes
    ]
    terminal.table(NAMES, rows, right=(False, *(True,) * 7, False))
    if each.fired:
        terminal.line(f"  fired in the end: {_counts(each.fired)}", "dim")


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
