"""Moves what is in memory into large pages: of the small ones a question meets more than a core remembers."""

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path

LARGE = 1 << 21
"""Bytes of a large page, on the processors that servers have."""
FULL = 0.75
"""How much of a stretch is in use, at least: the rest of it becomes memory that is in use, too."""
_COLLAPSE = 25
"""MADV_COLLAPSE of Linux 6.1 and newer."""
_STRETCHES = Path("/proc/self/smaps")
_STRETCH = re.compile(
    r"^([0-9a-f]+)-([0-9a-f]+) rw-p \S+ \S+ 0 *(?:\[heap\])?\nSize: +(\d+) kB\n(?:.*\n){0,3}?Rss: +(\d+) kB$",
    re.MULTILINE,
)


def take_large_pages() -> int:
    """Move what there is now, and return how many large pages were asked for and given.

    None where the system knows no such call, or has no room.
    """
    try:
        told = _STRETCHES.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return sum(advise(page, LARGE, _COLLAPSE) == 0 for page in _pages(told))


def _pages(told: str) -> Iterator[int]:
    """Yield where large pages begin that lie whole in a stretch of our own memory that is mostly in use."""
    for first, last, size, used in _STRETCH.findall(told):
        if int(used) >= FULL * int(size):
            yield from range(-(-int(first, 16) // LARGE) * LARGE, int(last, 16) - LARGE + 1, LARGE)
