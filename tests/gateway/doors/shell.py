"""What one command line said, and how it left."""

import json
from collections.abc import Callable
from typing import Any

Shell = Callable[..., "Said"]


class Said:
    """What one command said and how it left."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err
        assert "Traceback" not in out + err

    @property
    def object(self) -> dict[str, Any]:
        assert self.out.count("\n") == 1, "one object on one line"
        found: dict[str, Any] = json.loads(self.out)
        return found
