"""A question of an evaluation that finds the house full is asked again: that is no failure of an agent."""

import time
from typing import cast

from gateway.doors.evaluating.run import Local
from gateway.reply import Reply
from gateway.service import Gateway
from traces.records import Caller

RITA = Caller(user="rita", roles=("reviewer",), tenant="shop")


class Full:
    """A stand-in for a gateway whose database has no place for the first so many questions."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.asked = 0

    def ask(self, *_: object, **__: object) -> Reply:
        self.asked += 1
        self.left -= 1
        if self.left >= 0:
            return Reply(outcome="failed", trace_id="t", retry_after=1)
        return Reply(outcome="answered", trace_id="t")


def test_a_question_that_finds_no_place_is_asked_again() -> None:
    house = Full(1)
    given = Local(cast("Gateway", house), RITA, seconds=30).plan({"metrics": ["net_revenue"]})
    assert (given.action, house.asked) == ("answer", 2)


def test_it_is_not_asked_beyond_the_time_of_a_question() -> None:
    house = Full(100)
    started = time.monotonic()
    given = Local(cast("Gateway", house), RITA, seconds=0.5).plan({"metrics": ["net_revenue"]})
    assert (given.action, house.asked) == ("fail", 1)
    assert time.monotonic() - started < 30
