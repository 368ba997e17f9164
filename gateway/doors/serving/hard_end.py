"""The hard end: a process that its grace and the seconds after it did not end is ended as it stands."""

import os
import threading
from collections.abc import Callable

STATUS = 1


class HardEnd:
    """Ends this process so many seconds after `arm`. What is durable stays; nothing else is waited for."""

    def __init__(self, seconds: float, tell: Callable[[str], None]) -> None:
        self._seconds = seconds
        self._tell = tell

    def arm(self) -> None:
        """Begin to count. A process that ends before the time is up never hears of it."""
        timer = threading.Timer(self._seconds, self._end)
        timer.daemon = True
        timer.start()

    def _end(self) -> None:
        self._tell(f"process {os.getpid()} did not end in time and was ended as it stood")
        # Whatever hangs would hang the interpreter's own end as well.
        os._exit(STATUS)
