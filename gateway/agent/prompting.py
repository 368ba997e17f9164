"""The prompts of the agent, read from their files, and the one hash that a trace pins."""

from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import get_args

from traces.model_records import Purpose

PURPOSES: tuple[Purpose, ...] = get_args(Purpose)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is told for one purpose; `digest` is the SHA-256 of the text."""

    purpose: Purpose
    text: str

    @property
    def digest(self) -> str:
        """Return the hash of the text."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts that are in force together, one per purpose."""

    each: tuple[Prompt, ...]

    def of(self, purpose: Purpose) -> Prompt:
        """Return the prompt of a purpose."""
        return next(prompt for prompt in self.each if prompt.purpose == purpose)

    @property
    def digest(self) -> str:
        """Return one hash over all prompts."""
        return sha256("\n".join(prompt.digest for prompt in self.each).encode()).hexdigest()

    def with_one(self, purpose: Purpose, text: str) -> "Prompts":
        """Return the same prompts with another text for one purpose."""
        other = Prompt(purpose, text)
        return Prompts(tuple(other if each.purpose == purpose else each for each in self.each))


def shipped() -> Prompts:
    """Return the prompts that the package brings."""
    folder = files("gateway.agent.prompts")
    return Prompts(tuple(Prompt(of, (folder / f"{of}.md").read_text(encoding="utf-8")) for of in PURPOSES))
