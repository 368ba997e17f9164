"""What is loaded stands in large pages where the system gives them; one that gives none is left alone."""

import subprocess
import sys
from pathlib import Path

import pytest

from gateway.operation import large_pages
from gateway.operation.large_pages import LARGE, take_large_pages

LOADED = """
import re
from pathlib import Path
from gateway.operation.large_pages import take_large_pages

loaded = [[number, str(number)] for number in range(300_000)]
given = take_large_pages()
told = Path("/proc/self/smaps_rollup").read_text()
print(given, int(re.search(r"AnonHugePages: +([0-9]+)", told)[1]) * 1024)
"""
HEAD = "7f0000000000-7f0000{last:06x} rw-p 00000000 00:00 0 {name}\nSize:{size:>19} kB\n"
REST = "KernelPageSize:        4 kB\nMMUPageSize:           4 kB\nRss:{used:>20} kB\nPss: 1 kB\n"


def told(*, large: int, used: float, name: str = "") -> str:
    size = large * LARGE // 1024
    head = HEAD.format(last=large * LARGE, size=size, name=name)
    return head + REST.format(used=int(size * used))


def test_what_is_loaded_moves_into_large_pages() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    given, held = map(int, done.stdout.split())
    if not given:
        pytest.skip("this system gives no large pages")
    assert held >= given * LARGE // 2


@pytest.mark.parametrize(
    ("stretch", "pages"),
    [
        (told(large=3, used=1.0), 3),
        (told(large=3, used=1.0, name="[heap]"), 3),
        (told(large=3, used=0.5), 0),
        (told(large=3, used=1.0, name="[stack]"), 0),
        (told(large=3, used=1.0).replace("rw-p", "r-xp"), 0),
        (told(large=3, used=1.0).replace("7f0000000000", "7f0000001000"), 2),
    ],
)
def test_only_our_own_memory_that_is_mostly_in_use_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stretch: str, pages: int
) -> None:
    asked: list[int] = []

    class Library:
        def __init__(self, _: object) -> None:
            self.madvise = self

        def __call__(self, page: int, size: int, advice: int) -> int:
            assert size == LARGE and advice == 25
            asked.append(page)
            return 0

    file = tmp_path / "smaps"
    file.write_text(stretch)
    monkeypatch.setattr(large_pages, "_STRETCHES", file)
    monkeypatch.setattr("ctypes.CDLL", Library)
    assert take_large_pages() == pages == len(asked)
    assert all(page % LARGE == 0 for page in asked)


def test_a_system_that_does_not_tell_of_its_memory_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_pages, "_STRETCHES", tmp_path / "none")
    assert take_large_pages() == 0
