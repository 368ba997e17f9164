"""All that a question asks of the database shares its seconds."""

import time
from dataclasses import replace

import pytest

from gateway.engines.base import Identity, Limits, Rows
from gateway.service import Gateway
from tests.gateway.other_house import over
from traces.records import Caller, DataReference, Estimate

Plan = dict[str, object]
EACH = 0.1
"""How many seconds each call to the database takes here."""


class Slow:
    """The real engine, slow: it notes the seconds that each call was given."""

    def __init__(self, inner: object) -> None:
        self._inner = inner
        self.given: list[tuple[str, float]] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def _note(self, name: str, seconds: float) -> None:
        self.given.append((name, seconds))
        time.sleep(EACH)

    def pin(self, seconds: float | None = None, query_id: str = "") -> DataReference:
        self._note("pin", seconds or 0.0)
        return self._inner.pin(seconds, query_id)  # type: ignore[attr-defined,no-any-return]

    def explain(self, sql: str, who: Identity, limits: Limits, query_id: str = "") -> Estimate:
        self._note("explain", limits.seconds)
        return self._inner.explain(sql, who, limits, query_id)  # type: ignore[attr-defined,no-any-return]

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        self._note("run", limits.seconds)
        return self._inner.run(sql, who, limits, query_id, beside=beside)  # type: ignore[attr-defined,no-any-return]


@pytest.fixture
def slow(gateway: Gateway) -> tuple[Gateway, Slow]:
    engine = Slow(gateway.house.engine)
    return over(gateway, replace(gateway.house, engine=engine)), engine  # type: ignore[arg-type]


def test_price_and_run_get_what_the_calls_before_them_have_left(
    slow: tuple[Gateway, Slow], ana: Caller, revenue: Plan
) -> None:
    house, engine = slow
    role = house.house.entitlements.of(ana)
    assert role is not None
    assert house.ask(ana, revenue).outcome == "answered"
    names = [name for name, _ in engine.given]
    assert names[0] == "pin" and "explain" in names and names[-2:] == ["run", "pin"]
    for calls, (_, seconds) in enumerate(engine.given):
        assert seconds <= role.caps.seconds - EACH * calls
    assert engine.given[0][1] == role.caps.seconds


def test_the_next_question_has_all_of_its_seconds_again(
    slow: tuple[Gateway, Slow], ana: Caller, revenue: Plan
) -> None:
    house, engine = slow
    for _ in range(2):
        before = len(engine.given)
        house.ask(ana, revenue)
        assert engine.given[before] == engine.given[0]
