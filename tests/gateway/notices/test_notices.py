"""Word of a hold: a link and no data, tried again, never in a question's way, and what is lost is counted."""

import json
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from gateway.notices.channels import Channel, Mail, Notice, Unsent, Webhook
from gateway.notices.outbox import WAITING, Outbox
from gateway.service import Gateway
from gateway.settings.file import NotifySettings
from gateway.wiring import open_gateway
from traces.records import Caller

NOTICE = Notice("h1", "https://gate.example/console/holds/h1", datetime(2026, 7, 1, 12, tzinfo=UTC))


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
def hearing(status: list[int]) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Serve a webhook that answers with each status in turn, then with 204."""
    heard: list[dict[str, object]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(status.pop(0) if status else 204)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            return

    with _served(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as port:
        yield f"http://127.0.0.1:{port}/hook", heard


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


def outbox(channel: Channel, attempts: int = 3) -> Outbox:
    return Outbox(channel, attempts, first_pause=0.01)


def test_a_notice_is_tried_again_until_it_is_sent() -> None:
    channel = Failing(2)
    box = outbox(channel)
    box.put(NOTICE)
    assert until(lambda: box.sent == 1)
    assert channel.sent == [NOTICE] and box.dropped == 0
    box.close(time.monotonic() + 5)


def test_a_notice_that_never_gets_through_is_counted_as_dropped() -> None:
    box = outbox(Failing(99))
    box.put(NOTICE)
    assert until(lambda: box.dropped == 1)
    box.close(time.monotonic() + 5)
    assert (box.sent, box.dropped) == (0, 1)


def test_a_stuck_channel_holds_nobody_up_and_loses_only_what_it_says() -> None:
    channel = Stuck()
    box = outbox(channel)
    began = time.monotonic()
    for _ in range(WAITING + 50):
        box.put(NOTICE)
    assert time.monotonic() - began < 10
    assert 48 <= box.dropped <= 50, "the queue and the one under way are kept"
    box.close(time.monotonic() + 0.1)
    assert box.dropped == WAITING + 50
    channel.free.set()


def test_a_webhook_gets_the_link_and_nothing_else_and_is_tried_again_after_an_error() -> None:
    with hearing([503]) as (url, heard):
        box = outbox(Webhook(NotifySettings(webhook=url)))
        box.put(NOTICE)
        assert until(lambda: box.sent == 1)
        box.close(time.monotonic() + 5)
    assert len(heard) == 2 and heard[0] == heard[1]
    assert heard[0] == {
        "event": "held",
        "hold_id": "h1",
        "link": NOTICE.link,
        "expires": "2026-07-01T12:00:00+00:00",
    }


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
