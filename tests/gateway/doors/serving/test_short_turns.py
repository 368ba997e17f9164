"""The loop's thread asks for short turns, and the threads that it starts for longer work do not."""

import platform
import threading

import pytest

from gateway.doors.serving.short_turns import TURN_NS, take_short_turns, turn_ns

RELEASE = tuple(int(part) for part in platform.release().split(".")[:2])


@pytest.mark.skipif(RELEASE < (6, 12), reason="an older kernel takes no notice")
def test_a_thread_gets_short_turns_and_leaves_none_to_those_it_starts() -> None:
    seen: list[int] = []

    def loop() -> None:
        assert take_short_turns()
        seen.append(turn_ns())
        question = threading.Thread(target=lambda: seen.append(turn_ns()))
        question.start()
        question.join()

    thread = threading.Thread(target=loop)
    thread.start()
    thread.join()
    own, question = seen
    assert own == TURN_NS
    assert question != TURN_NS
    assert turn_ns() != TURN_NS


def test_an_unknown_machine_is_served_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "pdp11")
    assert not take_short_turns()
    assert turn_ns() == 0
