"""Short turns on a core: who asks for little at a time is let in at once while others compute."""

import ctypes
import os
import platform
import struct
from collections.abc import Mapping

TURN_NS = 100_000
"""The shortest turn that Linux gives; from 6.12 on it asks for it, older kernels take no notice."""
_CALLS: Mapping[str, int] = {"x86_64": 314, "aarch64": 274}
"""The number of sched_setattr; the one behind it is sched_getattr."""
_ATTRIBUTES = "IIQiIQQQ"
"""Size, policy, flags, nice, priority, runtime, deadline, period."""
_NOT_FOR_THREADS_STARTED_HERE = 1


def take_short_turns() -> bool:
    """Ask for short turns for this thread alone; say whether the system gives them.

    A process that somebody put under another rule of the scheduler stays under it.
    """
    if os.sched_getscheduler(0) != os.SCHED_OTHER:
        return False
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    size = struct.calcsize(_ATTRIBUTES)
    asked = (size, os.SCHED_OTHER, _NOT_FOR_THREADS_STARTED_HERE, nice, 0, TURN_NS, 0, 0)
    return _called(0, ctypes.create_string_buffer(struct.pack(_ATTRIBUTES, *asked), size), 0)


def turn_ns(thread: int = 0) -> int:
    """Return how long a turn of a thread is; 0 where the system does not tell."""
    size = struct.calcsize(_ATTRIBUTES)
    told = ctypes.create_string_buffer(size)
    known = _called(thread, told, size, 0, behind=1)
    return int(struct.unpack(_ATTRIBUTES, told.raw)[5]) if known else 0


def _called(thread: int, attributes: object, *more: int, behind: int = 0) -> bool:
    number = _CALLS.get(platform.machine())
    return number is not None and ctypes.CDLL(None).syscall(number + behind, thread, attributes, *more) == 0
