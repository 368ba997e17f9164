"""A key service of the site's own: a program that wraps and unwraps the master key."""

import base64
import binascii
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from traces.errors import KeysUnusable
from traces.keyfile import KEY_BYTES, encode_key

_MOST_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class KeyService:
    """A program that reads one JSON object and writes one: `{"do", "key", "context"}` in, `{"key"}` out.

    `do` is `wrap` or `unwrap`. A plain key is 32 bytes in base64; a wrapped one is whatever text the program
    made of it. No shell runs; a program that takes longer than `seconds` is killed.
    """

    command: Sequence[str]
    seconds: float = 10.0
    context: str = "cellbound"

    def wrap(self, key: bytes) -> str:
        """Return the key as the service wrapped it; raises KeysUnusable."""
        return self._ask("wrap", encode_key(key))

    def unwrap(self, wrapped: str) -> bytes:
        """Return the key that the service wrapped; raises KeysUnusable."""
        try:
            key = base64.b64decode(self._ask("unwrap", wrapped), validate=True)
        except binascii.Error:
            key = b""
        if len(key) != KEY_BYTES:
            raise self._fault("kms_wrong_answer", f"it gave back no key of {KEY_BYTES} bytes")
        return key

    def _ask(self, do: Literal["wrap", "unwrap"], key: str) -> str:
        question = json.dumps({"do": do, "key": key, "context": self.context}).encode()
        try:
            done = subprocess.run(
                list(self.command), input=question, capture_output=True, timeout=self.seconds, check=False
            )
        except subprocess.TimeoutExpired:
            raise self._fault("kms_too_slow", f"it took longer than {self.seconds:g} s") from None
        except OSError as error:
            raise self._fault("kms_no_program", f"it cannot be started: {error.strerror}") from error
        if done.returncode != 0:
            raise self._fault("kms_refused", f"it ended with status {done.returncode}")
        return self._answer(done.stdout[:_MOST_BYTES])

    def _answer(self, text: bytes) -> str:
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        key = answer.get("key") if isinstance(answer, dict) else None
        if not isinstance(key, str) or not key:
            raise self._fault("kms_wrong_answer", 'it did not answer {"key": ...}')
        return key

    def _fault(self, code: str, why: str) -> KeysUnusable:
        return KeysUnusable(
            code,
            f"the key service gave no key: {why}",
            place=self.command[0],
            next_step="try the program by hand; what it gets and gives is in docs/keys.md",
        )
