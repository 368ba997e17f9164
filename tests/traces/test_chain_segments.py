"""The verifier names what happened to whole segments of a log."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.traces.logs import check, damage, lines_of, rewrite
from tests.traces.samples import KEY, closed
from traces.chain import Verified
from traces.damage import DamageKind
from traces.store.files import FileTraceStore
from traces.store.limits import StoreLimits


def _three_segments(folder: Path, log: str) -> list[Path]:
    store = FileTraceStore(folder, KEY, log_id=log, limits=StoreLimits(segment_bytes=20_000))
    for number in range(6):
        store.append(closed(f"t{number}"), durable=True)
    store.close()
    return sorted(folder.glob(f"{log}.*.jsonl"))


def test_a_log_of_several_segments_is_verified_as_one(tmp_path: Path) -> None:
    paths = _three_segments(tmp_path, "a")
    found = check(paths[0])
    assert isinstance(found, Verified)
    assert (found.segments, found.records) == (len(paths), 6 + len(paths))


def _remove_first(paths: list[Path]) -> None:
    paths[0].unlink()


def _remove_middle(paths: list[Path]) -> None:
    paths[1].unlink()


def _swap_names(paths: list[Path]) -> None:
    first, second = paths[0].read_bytes(), paths[1].read_bytes()
    paths[0].write_bytes(second)
    paths[1].write_bytes(first)


def _take_from_another_log(paths: list[Path]) -> None:
    paths[1].write_bytes(paths[1].with_name(paths[1].name.replace("a.", "b.", 1)).read_bytes())


def _cut_inner_tail(paths: list[Path]) -> None:
    rewrite(paths[0], lines_of(paths[0])[:-1])


def _half_a_line_inside(paths: list[Path]) -> None:
    paths[0].write_bytes(paths[0].read_bytes()[:-40])


@pytest.mark.parametrize(
    ("tamper", "kind"),
    [
        (_remove_first, "missing"),
        (_remove_middle, "missing"),
        (_swap_names, "spliced"),
        (_take_from_another_log, "spliced"),
        (_cut_inner_tail, "removed"),
        (_half_a_line_inside, "flipped"),
    ],
)
def test_tampering_with_whole_segments_is_named(
    tmp_path: Path, tamper: Callable[[list[Path]], None], kind: DamageKind
) -> None:
    paths = _three_segments(tmp_path, "a")
    _three_segments(tmp_path, "b")
    tamper(paths)
    assert damage(paths[0])[0] == kind


def test_a_segment_of_the_same_log_from_another_history_is_spliced(tmp_path: Path) -> None:
    paths = _three_segments(tmp_path / "one", "a")
    others = _three_segments(tmp_path / "two", "a")
    paths[1].write_bytes(others[1].read_bytes())
    assert damage(paths[0])[0] == "spliced"
