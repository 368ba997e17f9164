"""The loop's thread asks for short turns, for itself alone or for the threads that it starts, too."""

import platform
import threading

import pytest

from gateway.doors.serving.short_turns import TURN_NS, take_short_turns, turn_ns

RELEASE = tuple(int(part) for part in platform.release().split(".")[:2])


@pytest.mark.skipif(RELEASE < (6, 12), reason="an older kernel takes no notice")
@pytest.mark.parametrize("for_threads", [False, True])
def test_a_thread_gets_short_turns_and_those_it_starts_only_where_that_is_asked(for_threads: bool) -> None:
    seen: list[int] = []

    def loop() -> None:
        assert take_short_turns(for_threads=for_threads)
        seen.append(turn_ns())
        question = threading.Thread(target=lambda: seen.append(turn_ns()))
        question.start()
        question.join()

    thread = threading.Thread(target=loop)
    thread.start()
    thread.join()
    own, question = seen
    assert own == TURN_NS
    assert (question == TURN_NS) is for_threads
    assert turn_ns() != TURN_NS


def test_an_unknown_machine_is_served_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "pdp11")
    assert not take_short_turns()
    assert turn_ns() == 0
