"""Two ways to say that something waits: a webhook and an e-mail. Neither carries anything of the question."""

import asyncio
import smtplib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from typing import Protocol

import httpx

from gateway.settings.file import NotifySettings


@dataclass(frozen=True, slots=True)
class Notice:
    """That a hold waits: its id, where its page is (empty without one), and until when (UTC)."""

    hold_id: str
    link: str
    expires: datetime


class Unsent(Exception):
    """A notice did not get through; it may be tried again."""


class Channel(Protocol):
    """A way to send a notice."""

    name: str

    def send(self, notice: Notice) -> None:
        """Send one notice within its own time limit. Raises Unsent."""
        ...


class Webhook:
    """Posts a small JSON object to an address; `token` goes out as a bearer token.

    Each notice has a key of its own, the same however often it is sent, so that a receiver can drop a second.
    `seconds` bounds the whole call. Nothing is followed, and of the answer its status alone is read.
    """

    name = "webhook"

    def __init__(self, settings: NotifySettings, token: str = "") -> None:
        self._url = settings.webhook
        self._seconds = settings.seconds
        self._headers = {"authorization": f"Bearer {token}"} if token else {}

    def send(self, notice: Notice) -> None:
        """Post the notice; anything but a 2xx is tried again."""
        said = {
            "event": "held",
            "hold_id": notice.hold_id,
            "link": notice.link,
            "expires": notice.expires.isoformat(timespec="seconds"),
        }
        try:
            status = self._blocking(said, {**self._headers, "idempotency-key": f"held-{notice.hold_id}"})
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as fault:
            raise Unsent(type(fault).__name__) from fault
        if not httpx.codes.is_success(status):
            raise Unsent(f"HTTP {status}")

    def _blocking(self, said: Mapping[str, str], headers: Mapping[str, str]) -> int:
        """Post on a loop of its own that waits for no name server once the time is over."""
        loop = asyncio.new_event_loop()
        try:
            return loop.run_until_complete(self._within(said, headers))
        finally:
            loop.close()

    async def _within(self, said: Mapping[str, str], headers: Mapping[str, str]) -> int:
        async with (
            asyncio.timeout(self._seconds),
            httpx.AsyncClient(timeout=self._seconds, trust_env=False) as client,
            client.stream("POST", self._url, json=dict(said), headers=dict(headers)) as answer,
        ):
            return answer.status_code


class Mail:
    """Sends an e-mail through an SMTP server, by default over STARTTLS; a notice keeps its Message-ID."""

    name = "mail"

    def __init__(self, settings: NotifySettings, user: str = "", password: str = "") -> None:
        self._settings = settings
        self._user = user
        self._password = password

    def send(self, notice: Notice) -> None:
        """Send the notice to everybody who is configured."""
        try:
            with self._server() as server:
                if self._settings.smtp_tls == "starttls":
                    server.starttls(context=ssl.create_default_context())
                if self._user:
                    server.login(self._user, self._password)
                server.send_message(self._message(notice))
        except (smtplib.SMTPException, OSError) as fault:
            raise Unsent(type(fault).__name__) from fault

    def _server(self) -> smtplib.SMTP:
        settings = self._settings
        if settings.smtp_tls == "tls":
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(
                settings.smtp_host, settings.smtp_port, timeout=settings.seconds, context=context
            )
        return smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=settings.seconds)

    def _message(self, notice: Notice) -> EmailMessage:
        message = EmailMessage()
        message["Subject"] = "A question waits for review"
        message["From"] = self._settings.mail_from
        message["To"] = ", ".join(self._settings.mail_to)
        message["Message-ID"] = f"<held-{notice.hold_id}@cellbound.invalid>"
        where = notice.link or f"cellbound review show {notice.hold_id}"
        message.set_content(
            f"A question waits for a decision until {notice.expires:%Y-%m-%d %H:%M} UTC.\n\n{where}\n"
        )
        return message
