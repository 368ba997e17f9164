"""What is remembered is the latest that was put or found, and no more than so much."""

from functools import partial

from gateway.remembered import Remembered


def test_the_oldest_one_gives_way() -> None:
    known = Remembered[str, int](most=2)
    assert known.found("a") is None
    assert [known.put(key, value) for key, value in (("a", 1), ("b", 2), ("c", 3))] == [1, 2, 3]
    assert [known.found(key) for key in "abc"] == [None, 2, 3]


def test_what_is_put_again_is_the_latest() -> None:
    known = Remembered[str, int](most=2)
    for key, value in (("a", 1), ("b", 2), ("a", 4), ("c", 3)):
        known.put(key, value)
    assert [known.found(key) for key in "abc"] == [4, None, 3]


def test_what_is_found_stays_longer_than_what_nobody_asks_for() -> None:
    known = Remembered[str, int](most=2)
    assert (known.put("a", 1), known.put("b", 2), known.found("a")) == (1, 2, 1)
    known.put("c", 3)
    assert [known.found(key) for key in "abc"] == [1, None, 3]


def test_a_value_is_made_once_as_long_as_it_is_kept() -> None:
    made: list[str] = []

    def make(name: str) -> int:
        made.append(name)
        return 0

    known = Remembered[str, int](most=2)
    asked = ("one", "two", "three", "one", "three")
    assert [known.of(name, partial(make, name)) for name in asked] == [0] * 5
    assert made == ["one", "two", "three", "one"]
