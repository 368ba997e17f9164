"""Word of a hold: a link and no data, tried again, never in a question's way, and what is lost is counted."""

import json
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from pydantic import ValidationError

from gateway.notices.channels import Channel, Mail, Notice, Unsent, Webhook
from gateway.notices.outbox import Notices, Outbox
from gateway.notices.store import LEASE_SECONDS, Going, NoticeStore
from gateway.service import Gateway
from gateway.settings.file import NotifySettings
from gateway.state import StateStore
from gateway.stores.rows import Place
from gateway.wiring import open_gateway
from tests.servers.state import StateDatabase
from traces.records import Caller

NOTICE = Notice("h1", "https://gate.example/console/holds/h1", datetime(2099, 7, 1, 12, tzinfo=UTC))


class Failing:
    """A channel that fails a number of times, then sends."""

    name = "failing"

    def __init__(self, times: int) -> None:
        self.left = times
        self.sent: list[Notice] = []

    def send(self, notice: Notice) -> None:
        if self.left:
            self.left -= 1
            raise Unsent("not now")
        self.sent.append(notice)


class Stuck:
    """A channel that hangs until it is let go."""

    name = "stuck"

    def __init__(self) -> None:
        self.free = threading.Event()

    def send(self, notice: Notice) -> None:
        self.free.wait(30)


@contextmanager
def hearing(
    status: list[int], look: Callable[[Message], object] = lambda _: None, location: str = ""
) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Serve a webhook that answers with each status in turn, then with 204; `look` sees its headers."""
    heard: list[dict[str, object]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            look(self.headers)
            self.send_response(status.pop(0) if status else 204)
            if location:
                self.send_header("location", location)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            return

    with _served(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as port:
        yield f"http://127.0.0.1:{port}/hook", heard


@contextmanager
def trickling() -> Iterator[str]:
    """Serve a webhook whose answer never ends: in its body, or in its head."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            path = self.rfile.readline().split()[1]
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            if path == b"/endless":
                self.wfile.write(b"content-length: 1000000000\r\n\r\n")
            with suppress(OSError):
                while True:
                    self.wfile.write(b"x: y\r\n")
                    time.sleep(0.05)

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    with _served(server) as port:
        yield f"http://127.0.0.1:{port}"


@contextmanager
def mailbox() -> Iterator[tuple[int, list[str]]]:
    """Serve the few words of SMTP that a client needs to leave a message."""
    letters: list[str] = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 mailbox\r\n")
            while line := self.rfile.readline():
                word = line.strip().upper()
                if word.startswith(b"DATA"):
                    self.wfile.write(b"354 go on\r\n")
                    letters.append(b"".join(iter(self.rfile.readline, b".\r\n")).decode())
                self.wfile.write(b"221 bye\r\n" if word.startswith(b"QUIT") else b"250 ok\r\n")

    with _served(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)) as port:
        yield port, letters


@contextmanager
def _served(server: socketserver.TCPServer) -> Iterator[int]:
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def until(done: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while not done() and time.monotonic() < end:
        time.sleep(0.02)
    return done()


@pytest.fixture(params=["file", "database"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Return a place for the state of a project: a file, then a database that replicas share."""
    if request.param == "file":
        return tmp_path / "state.sqlite"
    database: StateDatabase = request.getfixturevalue("state_database")
    return database.place


@pytest.fixture
def kept(place: Place) -> Iterator[NoticeStore]:
    state = StateStore(place)
    yield state.notices
    state.close()


def outbox(channel: Channel, kept: NoticeStore, attempts: int = 3) -> Outbox:
    return Outbox(channel, kept, attempts, first_pause=0.01)


def put(kept: NoticeStore, box: Outbox, notice: Notice = NOTICE) -> None:
    kept.put((notice,), (box.name,))
    box.wake()


def test_a_notice_is_tried_again_until_it_is_sent(kept: NoticeStore) -> None:
    channel = Failing(2)
    box = outbox(channel, kept)
    put(kept, box)
    assert until(lambda: kept.going("failing").sent == 1)
    assert channel.sent == [NOTICE] and kept.going("failing") == Going(sent=1)
    box.close(time.monotonic() + 5)


def test_a_notice_that_never_gets_through_is_counted_as_given_up(kept: NoticeStore) -> None:
    box = outbox(Failing(99), kept)
    put(kept, box)
    assert until(lambda: kept.going("failing").given_up == 1)
    box.close(time.monotonic() + 5)
    assert kept.going("failing") == Going(given_up=1)


def test_a_stuck_channel_holds_nobody_up_and_loses_nothing(kept: NoticeStore) -> None:
    channel = Stuck()
    box = outbox(channel, kept)
    many = [Notice(f"h{number}", "", NOTICE.expires) for number in range(200)]
    kept.put(many, (box.name,))
    box.wake()
    box.close(time.monotonic() + 0.1)
    assert kept.going("stuck") == Going(waiting=200)
    channel.free.set()
    assert until(lambda: not [each for each in threading.enumerate() if each.name == "notices stuck"])


def test_what_one_process_left_another_one_sends_once(place: Place) -> None:
    before = StateStore(place)
    before.notices.put((NOTICE,), ("failing",))
    before.close()
    places = [StateStore(place) for _ in range(2)]
    channels = [Failing(0) for _ in places]
    boxes = [Notices((one,), at.notices) for one, at in zip(channels, places, strict=True)]
    for box in boxes:
        box.resume()
    assert until(lambda: places[0].notices.going("failing").sent == 1)
    for box, at in zip(boxes, places, strict=True):
        box.close()
        at.close()
    assert [notice for channel in channels for notice in channel.sent] == [NOTICE]


def test_a_notice_whose_sender_was_killed_is_another_ones_after_the_lease(place: Place) -> None:
    now = datetime(2026, 7, 1, 12, tzinfo=UTC)
    state = StateStore(place, clock=lambda: now)
    state.notices.put((NOTICE,), ("mail",))
    assert state.notices.take("mail") == (NOTICE, 0)
    assert state.notices.take("mail") is None
    now += timedelta(seconds=LEASE_SECONDS)
    assert state.notices.take("mail") == (NOTICE, 0)
    now = NOTICE.expires
    assert state.notices.take("mail") is None and state.notices.going("mail") == Going(given_up=1)
    now += timedelta(days=2)
    state.notices.put((), ())
    assert state.notices.going("mail") == Going()
    state.close()


def test_a_webhook_gets_the_link_and_nothing_else_and_is_tried_again_after_an_error(
    kept: NoticeStore,
) -> None:
    with hearing([503]) as (url, heard):
        box = outbox(Webhook(NotifySettings(webhook=url)), kept)
        put(kept, box)
        assert until(lambda: kept.going("webhook").sent == 1)
        box.close(time.monotonic() + 5)
    assert len(heard) == 2 and heard[0] == heard[1]
    assert heard[0] == {
        "event": "held",
        "hold_id": "h1",
        "link": NOTICE.link,
        "expires": "2099-07-01T12:00:00+00:00",
    }


def test_a_notice_that_is_sent_twice_has_the_same_key(kept: NoticeStore) -> None:
    """Its sender was killed before it could say that it got through: the receiver drops the second."""
    keys: list[str] = []
    with hearing([], lambda headers: keys.append(str(headers["idempotency-key"]))) as (url, heard):
        for _ in range(2):
            Webhook(NotifySettings(webhook=url)).send(NOTICE)
        Webhook(NotifySettings(webhook=url)).send(Notice("h2", "", NOTICE.expires))
    assert len(heard) == 3 and keys == ["held-h1", "held-h1", "held-h2"]
    with mailbox() as (port, letters):
        settings = NotifySettings(
            smtp_host="127.0.0.1", smtp_port=port, smtp_tls="none", mail_from="g@b.org", mail_to=("a@b.org",)
        )
        for _ in range(2):
            Mail(settings).send(NOTICE)
    assert [letter.count("Message-ID: <held-h1@") for letter in letters] == [1, 1]


def test_a_webhook_follows_nobody_elsewhere() -> None:
    with (
        hearing([]) as (url, heard),
        hearing([307], location=url) as (first, _),
        pytest.raises(Unsent, match="HTTP 307"),
    ):
        Webhook(NotifySettings(webhook=first)).send(NOTICE)
    assert heard == []


def test_an_answer_without_an_end_holds_no_webhook_up() -> None:
    with trickling() as url:
        began = time.monotonic()
        Webhook(NotifySettings(webhook=f"{url}/endless", seconds=5)).send(NOTICE)
        with pytest.raises(Unsent, match="TimeoutError"):
            Webhook(NotifySettings(webhook=f"{url}/headless", seconds=0.5)).send(NOTICE)
        assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    "address", ["a@b.org\nBcc: x@y.org", "a@b.org, x@y.org", "A <a@b.org>", "a@b.org\r", "@b.org"]
)
def test_an_address_that_could_say_more_than_an_address_is_no_setting(address: str) -> None:
    for given in ({"mail_from": address}, {"mail_to": (address,)}):
        with pytest.raises(ValidationError):
            NotifySettings.model_validate(given)


def test_an_e_mail_gets_the_link_and_nothing_else() -> None:
    with mailbox() as (port, letters):
        settings = NotifySettings(
            smtp_host="127.0.0.1",
            smtp_port=port,
            smtp_tls="none",
            mail_from="gate@example.org",
            mail_to=("rita@example.org", "ralf@example.org"),
        )
        Mail(settings).send(NOTICE)
    (letter,) = letters
    assert "Subject: A question waits for review" in letter
    assert "To: rita@example.org, ralf@example.org" in letter
    assert NOTICE.link in letter


def test_a_mail_server_that_is_not_there_is_said() -> None:
    with mailbox() as (port, _):
        pass
    settings = NotifySettings(smtp_host="127.0.0.1", smtp_port=port, smtp_tls="none", mail_to=("a@b.org",))
    with pytest.raises(Unsent):
        Mail(settings).send(NOTICE)


@pytest.fixture
def told(shop: Path) -> Iterator[tuple[Gateway, list[dict[str, object]]]]:
    """The shop with tight lines and a webhook that listens."""
    file = shop / "policies" / "policy.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("bytes: {warn: 20000000,", "bytes: {warn: 1,"), encoding="utf-8")
    with hearing([]) as (url, heard):
        with (shop / "cellbound.toml").open("a", encoding="utf-8") as settings:
            settings.write(f'\n[notify]\nwebhook = "{url}"\nbase_url = "https://gate.example"\n')
        gateway = open_gateway(shop)
        try:
            yield gateway, heard
        finally:
            gateway.close()


def test_reviewers_hear_of_a_hold_once_without_a_word_of_it(
    told: tuple[Gateway, list[dict[str, object]]],
    ana: Caller,
    rita: Caller,
    revenue: dict[str, object],
) -> None:
    gateway, heard = told
    held = gateway.ask(ana, revenue)
    gateway.ask(ana, revenue)
    assert until(lambda: len(heard) == 1)
    assert heard[0]["link"] == f"https://gate.example/console/holds/{held.hold_id}"
    assert "net_revenue" not in json.dumps(heard) and "ana" not in json.dumps(heard)
    view = gateway.show_hold(rita, held.hold_id)
    assert view.link == heard[0]["link"]  # type: ignore[union-attr]
    (notices,) = [part for part in gateway.ready().findings if part.name == "notices"]
    assert notices.ok and not notices.needed


def test_a_hold_whose_notice_was_never_kept_is_told_by_who_serves_next(
    shop: Path, ana: Caller, revenue: dict[str, object]
) -> None:
    file = shop / "policies" / "policy.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("bytes: {warn: 20000000,", "bytes: {warn: 1,"), encoding="utf-8")
    quiet = open_gateway(shop)
    held = quiet.ask(ana, revenue)
    quiet.close()
    assert held.outcome == "held"
    with hearing([]) as (url, heard):
        with (shop / "cellbound.toml").open("a", encoding="utf-8") as settings:
            settings.write(f'\n[notify]\nwebhook = "{url}"\n')
        gateway = open_gateway(shop)
        for _ in range(2):
            gateway.resume_notices()
            assert until(lambda: len(heard) == 1)
        gateway.close()
    assert [each["hold_id"] for each in heard] == [held.hold_id]


def test_what_was_decided_meanwhile_is_no_word_worth_sending(
    shop: Path, ana: Caller, rita: Caller, revenue: dict[str, object]
) -> None:
    file = shop / "policies" / "policy.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("bytes: {warn: 20000000,", "bytes: {warn: 1,"), encoding="utf-8")
    gateway = open_gateway(shop)
    held = gateway.ask(ana, revenue)
    gateway.state.notices.put_missing(("mail",), "")
    gateway.decide_hold(rita, held.hold_id, "deny", "not this week")
    assert gateway.state.notices.take("mail") is None
    assert gateway.state.notices.going("mail") == Going()
    gateway.close()
