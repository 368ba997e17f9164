"""The one verb of a language model: what it is asked, what it answers, how it fails."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from gateway.cancellation import Cancellation


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Instructions from a file, the fields they speak of, and the JSON Schema that the reply has to meet.

    Whatever comes from outside (words, definitions, values, an earlier reply) is a field, never a part of the
    instructions.
    """

    name: str
    instructions: str
    fields: Mapping[str, object]
    schema: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The text of a reply, unread, and the tokens that it took; `cut` says that it ended at a token limit."""

    text: str
    tokens_in: int
    tokens_out: int
    cut: bool = False


class ModelFault(Exception):
    """A model gave no reply. The message is ours: no word of a provider's, and no key, is in it.

    `transient` says whether trying again may help, after `retry_after` seconds where the provider says so.
    """

    def __init__(
        self, code: str, message: str, *, transient: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.transient = transient
        self.retry_after = retry_after


class Left(Exception):
    """The caller went away while a model was asked."""


class Model(Protocol):
    """A language model that answers in JSON."""

    @property
    def pinned(self) -> str:
        """Return provider, name and parameters, as a trace pins them."""
        ...

    def complete(
        self, request: ModelRequest, *, seconds: float, most_tokens: int, leaver: Cancellation
    ) -> ModelReply:
        """Answer within `seconds`, in at most `most_tokens` tokens. Raises ModelFault and Left."""
        ...
