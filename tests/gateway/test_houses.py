"""Whatever comes and goes, an engine is closed once, behind its last question, and never before."""

from collections import Counter
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from gateway.house import House
from gateway.houses import Houses


@dataclass(eq=False)
class CountedEngine:
    """An engine that counts how often it was closed."""

    closed: int = 0

    def close(self) -> None:
        self.closed += 1


@dataclass(eq=False)
class Standing:
    """A house of which only the engine matters here."""

    engine: CountedEngine = field(default_factory=CountedEngine)


def house_on(engine: CountedEngine) -> House:
    return cast("House", Standing(engine))


STEPS = st.lists(st.one_of(st.just("ask"), st.just("same engine"), st.just("new engine"), st.integers(0, 20)))


@given(STEPS)
def test_an_engine_is_closed_behind_its_last_question_and_no_sooner(steps: list[Any]) -> None:
    engines = [CountedEngine()]
    houses = Houses(house_on(engines[0]))
    inside: list[tuple[AbstractContextManager[House], House]] = []
    standing: Counter[CountedEngine] = Counter()

    def leave(place: int) -> None:
        context, house = inside.pop(place)
        standing[cast("Any", house.engine)] -= 1
        context.__exit__(None, None, None)

    for step in steps:
        if step == "ask":
            context = houses.asking()
            inside.append((context, context.__enter__()))
            assert inside[-1][1] is houses.house
            standing[engines[-1]] += 1
        elif step == "same engine":
            houses.replace(house_on(engines[-1]))
        elif step == "new engine":
            engines.append(CountedEngine())
            houses.replace(house_on(engines[-1]))
        elif inside:
            leave(step % len(inside))
        for engine in engines:
            retired = engine is not engines[-1]
            assert engine.closed == int(retired and not standing[engine])
    houses.close()
    while inside:
        leave(0)
    assert {engine.closed for engine in engines} == {1}
