"""One question to a model: asked, read, and asked again with what was wrong; counted and recorded."""

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from gateway.agent.meter import Exhausted, Meter
from gateway.agent.prompting import Prompts
from gateway.agent.replies import NotJson, read_object
from gateway.asking import ModelWork
from gateway.cancellation import Cancellation
from gateway.models.verb import Left, Model, ModelFault, ModelReply, ModelRequest
from metric_layer.issues import Issue
from traces.model_records import ModelCall, Purpose

T = TypeVar("T")
FIRST_WAIT = 0.25
LONGEST_WAIT = 20.0
MOST_ECHOED = 8_000
"""Characters of a rejected reply that the model sees again."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A reply that was read and not taken, or (`unreadable`) does not fit its schema; with every reason."""

    issues: tuple[Issue, ...]
    unreadable: bool = False


@dataclass(slots=True)
class Dialogue:
    """All that is asked of a model about one question. `seal` hides a reply for the trace."""

    model: Model
    prompts: Prompts
    meter: Meter
    work: ModelWork
    seal: Callable[[str], str]
    leaver: Cancellation = field(default_factory=Cancellation)

    def ask(
        self,
        purpose: Purpose,
        fields: Mapping[str, object],
        schema: Mapping[str, object],
        read: Callable[[Mapping[str, object]], T | Rejected],
        wrong: tuple[str, Rejected] | None = None,
    ) -> T:
        """Ask until `read` takes the reply. Raises Exhausted, ModelFault and Left.

        `wrong` is an earlier reply and why it was not taken after all. A reply that is not taken goes back
        with the reasons; a provider that is busy is asked again later.
        """
        attempt = 0
        while True:
            attempt += 1
            last, issues = (wrong[0], wrong[1].issues) if wrong else (None, ())
            said = {"last_reply": last and last[:MOST_ECHOED], "rejected": _told(issues)}
            reply, spent = self._replied(purpose, {**fields, **said}, schema, attempt)
            found = _object(reply)
            taken = found if isinstance(found, Rejected) else read(found)
            self._note(purpose, attempt, reply, spent, taken if isinstance(taken, Rejected) else None)
            if not isinstance(taken, Rejected):
                return taken
            wrong = reply.text, taken
            try:
                self.meter.retry()
            except Exhausted as fault:
                fault.issues = taken.issues
                raise

    def _replied(
        self, purpose: Purpose, fields: Mapping[str, object], schema: Mapping[str, object], attempt: int
    ) -> tuple[ModelReply, int]:
        """Return a reply and its milliseconds; wait and try again where the provider cannot give one now."""
        prompt = self.prompts.of(purpose)
        request = ModelRequest(purpose, prompt.text, fields, schema)
        length = len(prompt.text) + len(json.dumps([fields, schema], default=str))
        waited = 0
        while True:
            most_tokens = self.meter.call(length)
            began = time.perf_counter_ns()
            try:
                reply = self.model.complete(
                    request, seconds=self.meter.seconds_left(), most_tokens=most_tokens, leaver=self.leaver
                )
            except ModelFault as fault:
                self.meter.used(0, length)
                self._note_fault(purpose, attempt, fault, _since(began))
                if not fault.transient:
                    raise
                try:
                    self.meter.retry()
                except Exhausted:
                    raise fault from None
                self.wait(waited, fault.retry_after)
                waited += 1
                continue
            self.meter.used(reply.tokens_in + reply.tokens_out, length + len(reply.text))
            return reply, _since(began)

    def wait(self, earlier: int, asked: float | None = None) -> None:
        """Wait before something is tried again: as long as was asked, else twice as long each time.

        Raises Left at once where the caller goes, and Exhausted where no time is left after it.
        """
        left = self.meter.seconds_left()
        pause = min(max(asked or 0.0, FIRST_WAIT * 2**earlier), LONGEST_WAIT, left)
        gone = threading.Event()
        with self.leaver.stopping(gone.set):
            if gone.wait(pause):
                raise Left
        self.meter.seconds_left()

    def _note(
        self, purpose: Purpose, attempt: int, reply: ModelReply, spent: int, wrong: Rejected | None
    ) -> None:
        call = self._call(purpose, attempt, spent)
        update: dict[str, object] = {
            "outcome": "used" if wrong is None else "unreadable" if wrong.unreadable else "rejected",
            "checks": tuple(dict.fromkeys(issue.code for issue in wrong.issues)) if wrong else (),
            "tokens_in": reply.tokens_in,
            "tokens_out": reply.tokens_out,
            "sealed_reply": self.seal(reply.text) if reply.text else "",
        }
        self.work.calls.append(call.model_copy(update=update))

    def _note_fault(self, purpose: Purpose, attempt: int, fault: ModelFault, spent: int) -> None:
        self.work.calls.append(self._call(purpose, attempt, spent).model_copy(update={"fault": fault.code}))

    def _call(self, purpose: Purpose, attempt: int, spent: int) -> ModelCall:
        return ModelCall(
            purpose=purpose,
            model=self.model.pinned,
            prompt=self.prompts.of(purpose).digest,
            attempt=attempt,
            outcome="failed",
            ms=spent,
        )


def _object(reply: ModelReply) -> Mapping[str, object] | Rejected:
    """Read a reply as a JSON object, or say why it is none."""
    if reply.cut:
        return _unreadable("cut_off", "The reply ended at its limit of tokens.", "Write a shorter one.")
    try:
        return read_object(reply.text)
    except NotJson as fault:
        return _unreadable(fault.code, str(fault), "Reply with one JSON object that fits the schema.")


def _unreadable(code: str, message: str, step: str) -> Rejected:
    return Rejected((Issue(code=code, message=message, next_step=step),), unreadable=True)


def _told(issues: Sequence[Issue]) -> list[Mapping[str, object]]:
    return [issue.model_dump(exclude_defaults=True) for issue in issues]


def _since(began: int) -> int:
    return (time.perf_counter_ns() - began) // 1_000_000
