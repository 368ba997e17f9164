"""The model that the settings name, its client loaded when it is first asked, its key read from elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from gateway.cancellation import Cancellation
from gateway.models.verb import ModelFault, ModelReply, ModelRequest
from gateway.settings.file import AgentSettings

LIBRARY = "pydantic_ai"
KEY_VARIABLE = "CELLBOUND_AGENT_KEY"


class _Wire(Protocol):
    """What gateway.models.wire has."""

    ask: Callable[[AgentSettings, str, ModelRequest, float, int, Cancellation], ModelReply]


@dataclass(frozen=True, slots=True)
class ConfiguredModel:
    """A model by its settings. `key` is in no text that this object gives."""

    settings: AgentSettings
    key: str = field(default="", repr=False)

    @property
    def pinned(self) -> str:
        """Return provider, name and parameters, as a trace pins them."""
        of = self.settings
        chosen = {"temperature": of.temperature, "seed": of.seed, "max_tokens": of.max_tokens}
        said = " ".join(f"{name}={value}" for name, value in chosen.items() if value is not None)
        return f"{of.provider}:{of.model} {said}"

    @property
    def lacks_key(self) -> bool:
        """Say whether no key is set and the endpoint is the provider's own, which takes nobody without."""
        return not self.key and not self.settings.base_url

    def complete(
        self, request: ModelRequest, *, seconds: float, most_tokens: int, leaver: Cancellation
    ) -> ModelReply:
        """Ask the endpoint once. Raises ModelFault and Left."""
        if not is_installed():
            raise ModelFault("no_client", "the extra `agent` is not installed")
        if self.lacks_key:
            raise ModelFault("no_key", f"{KEY_VARIABLE} is not set, and its provider asks for a key")
        # Its import takes seconds, which nobody who only asks plans should wait for.
        wire = cast("_Wire", import_module("gateway.models.wire"))
        return wire.ask(self.settings, self.key, request, seconds, most_tokens, leaver)


def is_installed() -> bool:
    """Say whether the client library is there, without loading it."""
    return find_spec(LIBRARY) is not None
