"""A session is its cookie: sealed, short, ended by sign-out, and no use for making forms of another one."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.doors.console.sessions import (
    IDLE,
    LONGEST,
    LONGEST_TRIP,
    RENEWED_AFTER,
    Session,
    Sessions,
)
from gateway.entrances.ended import EndedSessions
from gateway.state import StateStore
from traces.keys import KeyStore

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyStore:
    return KeyStore.open(tmp_path_factory.mktemp("keys") / "keys.json")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ended(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[EndedSessions]:
    state = StateStore(tmp_path_factory.mktemp("state") / "state.sqlite", clock=clock)
    yield state.ended
    state.close()


@pytest.fixture
def sessions(keys: KeyStore, clock: Clock, ended: EndedSessions) -> Sessions:
    return Sessions(keys, clock, ended)


def test_a_sealed_session_opens_as_what_it_was_and_shows_nothing_of_it(sessions: Sessions) -> None:
    session = sessions.begin("the grant")
    cookie = sessions.seal(session)
    assert sessions.open(cookie) == session
    assert "grant" not in cookie and session.id not in cookie
    assert sessions.seal(session) != cookie, "the same session is never sealed alike twice"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_a_cookie_with_one_bit_changed_opens_nothing(sessions: Sessions, place: int, bit: int) -> None:
    cookie = bytearray(sessions.seal(sessions.begin("g")).encode())
    at = place % len(cookie)
    cookie[at] ^= 1 << bit
    changed = cookie.decode("latin-1")
    opened = sessions.open(changed)
    assert opened is None or changed.rstrip("=") == sessions.seal(opened).rstrip("=")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cookie=st.text(max_size=300))
def test_no_made_up_cookie_opens_a_session(sessions: Sessions, cookie: str) -> None:
    assert sessions.open(cookie) is None
    assert sessions.come_back(cookie, cookie) is None


def test_a_session_ends_after_an_idle_hour_and_after_a_working_day(sessions: Sessions, clock: Clock) -> None:
    session = sessions.begin("g")
    cookie = sessions.seal(session)
    clock.now = START + IDLE
    assert sessions.open(cookie) is not None
    clock.now = START + IDLE + timedelta(seconds=1)
    assert sessions.open(cookie) is None
    kept = sessions.seal(session.model_copy(update={"seen": START + LONGEST}))
    clock.now = START + LONGEST + timedelta(seconds=1)
    assert sessions.open(kept) is None, "however often it was used"


def test_a_session_in_use_is_renewed_but_never_made_younger(sessions: Sessions, clock: Clock) -> None:
    session = sessions.begin("g")
    assert sessions.renewed(session) is None
    clock.now = START + RENEWED_AFTER + timedelta(seconds=1)
    renewed = sessions.renewed(session)
    assert renewed is not None and renewed.seen == clock.now
    assert (renewed.id, renewed.began) == (session.id, session.began)


def test_a_cookie_that_was_signed_out_opens_nothing_though_it_is_kept(sessions: Sessions) -> None:
    session = sessions.begin("g")
    cookie, other = sessions.seal(session), sessions.seal(sessions.begin("g"))
    sessions.end(session)
    assert sessions.open(cookie) is None
    assert sessions.open(other) is not None


def test_a_form_key_is_good_for_its_own_session_only(sessions: Sessions) -> None:
    one, two = sessions.begin("g"), sessions.begin("g")
    assert sessions.is_form_key(one.id, sessions.form_key(one.id))
    assert not sessions.is_form_key(one.id, sessions.form_key(two.id))
    assert not sessions.is_form_key(one.id, "")
    assert not sessions.is_form_key(one.id, "\ud800")


def test_a_sign_out_at_one_process_counts_at_every_other(
    keys: KeyStore, clock: Clock, tmp_path: Path
) -> None:
    one, other = (StateStore(tmp_path / "state.sqlite", clock=clock) for _ in range(2))
    here, there = Sessions(keys, clock, one.ended), Sessions(keys, clock, other.ended)
    session = here.begin("g")
    cookie = here.seal(session)
    assert there.open(cookie) is not None
    here.end(session)
    one.close()
    assert there.open(cookie) is None, "and after the first one was stopped"
    other.close()


def test_a_way_to_the_provider_and_back_is_good_once_for_whoever_set_out(
    sessions: Sessions, clock: Clock
) -> None:
    trip, other = sessions.set_out("/console/ask"), sessions.set_out("/console/ask")
    cookie = sessions.seal_trip(trip)
    assert sessions.come_back(cookie, other.state) is None
    assert sessions.come_back(cookie, "") is None
    assert sessions.open(cookie) is None, "it is no session"
    assert sessions.come_back(sessions.seal(sessions.begin("g")), trip.state) is None
    assert sessions.come_back(cookie, trip.state) == trip
    assert sessions.come_back(cookie, trip.state) is None
    clock.now = START + LONGEST_TRIP + timedelta(seconds=1)
    assert sessions.come_back(sessions.seal_trip(other), other.state) is None


def test_another_project_s_keys_open_nothing(
    tmp_path: Path, sessions: Sessions, clock: Clock, ended: EndedSessions
) -> None:
    others = Sessions(KeyStore.open(tmp_path / "keys.json"), clock, ended)
    session = Session(id="x", grant="g", began=START, seen=START)
    assert others.open(sessions.seal(session)) is None
