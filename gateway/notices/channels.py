"""Two ways to say that something waits: a webhook and an e-mail. Neither carries anything of the question."""

import smtplib
import ssl
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
    """Posts a small JSON object to an address; `token` goes out as a bearer token."""

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
            answer = httpx.post(
                self._url, json=said, headers=self._headers, timeout=self._seconds, trust_env=False
            )
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as fault:
            raise Unsent(type(fault).__name__) from fault
        if not answer.is_success:
            raise Unsent(f"HTTP {answer.status_code}")


class Mail:
    """Sends an e-mail through an SMTP server, by default over STARTTLS."""

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
        where = notice.link or f"cellbound review show {notice.hold_id}"
        message.set_content(
            f"A question waits for a decision until {notice.expires:%Y-%m-%d %H:%M} UTC.\n\n{where}\n"
        )
        return message
