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

DRIFT = "drift-"
"""What the id of a notice begins with that is about data and no hold."""


@dataclass(frozen=True, slots=True)
class Notice:
    """That something waits: a hold's id or one that begins with DRIFT, the page to read, until when (UTC).

    The link is empty where nobody said under which address the pages are.
    """

    hold_id: str
    link: str
    expires: datetime

    @property
    def is_drift(self) -> bool:
        """Say whether it is about columns that are not as they were."""
        return self.hold_id.startswith(DRIFT)

    @property
    def key(self) -> str:
        """Return what is the same however often it is sent."""
        return self.hold_id if self.is_drift else f"held-{self.hold_id}"


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
        said = {"event": "personal_data_drift", "link": notice.link}
        if not notice.is_drift:
            until = notice.expires.isoformat(timespec="seconds")
            said = {"event": "held", "hold_id": notice.hold_id, "link": notice.link, "expires": until}
        try:
            status = self._blocking(said, {**self._headers, "idempotency-key": notice.key})
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
        subject, text = _drifted(notice) if notice.is_drift else _held(notice)
        message = EmailMessage()
        message["Subject"] = subject
        message["From"] = self._settings.mail_from
        message["To"] = ", ".join(self._settings.mail_to)
        message["Message-ID"] = f"<{notice.key}@cellbound.invalid>"
        message.set_content(text)
        return message


def _held(notice: Notice) -> tuple[str, str]:
    where = notice.link or f"cellbound review show {notice.hold_id}"
    until = f"{notice.expires:%Y-%m-%d %H:%M}"
    return "A question waits for review", f"A question waits for a decision until {until} UTC.\n\n{where}\n"


def _drifted(notice: Notice) -> tuple[str, str]:
    where = notice.link or "cellbound discover --drift"
    return (
        "Columns are not as they were",
        f"Columns changed since personal data was last looked for. A data owner looks:\n\n{where}\n",
    )
