"""Sessions of the console: a sealed cookie names a sign-in, each has its own form key, sign-out ends it."""

import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import ValidationError

from metric_layer.record import Record
from traces.keys import KeyStore

IDLE = timedelta(minutes=60)
LONGEST = timedelta(hours=8)
RENEWED_AFTER = timedelta(minutes=5)
LONGEST_TRIP = timedelta(minutes=10)
_NONCE = 12
Sealed = TypeVar("Sealed", bound=Record)
_BOUND = b"cellbound console session"
_BOUND_TRIP = b"cellbound console trip"


class Session(Record):
    """A sign-in: `grant` is what the identity room needs to say again who this is; never a credential."""

    id: str
    grant: str
    began: datetime
    seen: datetime


class Trip(Record):
    """A way to the identity provider and back: what must come back with whoever set out."""

    state: str
    nonce: str
    verifier: str
    wanted: str
    began: datetime


class Ended(Protocol):
    """What was ended before its cookie, known to everybody who serves. Both verbs block."""

    def end(self, session_id: str, until: datetime) -> bool:
        """Remember an id; returns False where it was ended before."""
        ...

    def has_ended(self, session_id: str) -> bool:
        """Say whether an id was ended."""
        ...


class Sessions:
    """Opens, seals and ends sessions. The cookie is the session; stored is only which ones were ended.

    Opening and ending block.
    """

    def __init__(self, keys: KeyStore, clock: Callable[[], datetime], ended: Ended) -> None:
        self._box = AESGCM(keys.wrapping_key("console"))
        self._form_key = keys.commitment("console form")
        self._clock = clock
        self._ended = ended

    def begin(self, grant: str) -> Session:
        """Return a fresh session; its id was never used before."""
        now = self._clock()
        return Session(id=secrets.token_urlsafe(18), grant=grant, began=now, seen=now)

    def seal(self, session: Session) -> str:
        """Return a session as the text of a cookie: encrypted and authentic."""
        return self._sealed(session, _BOUND)

    def open(self, cookie: str) -> Session | None:
        """Return the session of a cookie; None where it is forged, too old, or was signed out."""
        session = self._opened(cookie, Session, _BOUND)
        now = self._clock()
        if session is None or now - session.seen > IDLE or now - session.began > LONGEST:
            return None
        return None if self._ended.has_ended(session.id) else session

    def set_out(self, wanted: str) -> Trip:
        """Return a fresh way to the identity provider; nobody can guess what must come back."""
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        return Trip(state=state, nonce=nonce, verifier=verifier, wanted=wanted, began=self._clock())

    def seal_trip(self, trip: Trip) -> str:
        """Return a trip as the text of a cookie."""
        return self._sealed(trip, _BOUND_TRIP)

    def come_back(self, cookie: str, state: str) -> Trip | None:
        """Return the trip of a cookie and end it; None where it is forged, too old, another one, or over."""
        trip = self._opened(cookie, Trip, _BOUND_TRIP)
        if trip is None or self._clock() - trip.began > LONGEST_TRIP:
            return None
        if not hmac.compare_digest(trip.state.encode(), state.encode("utf-8", "replace")):
            return None
        return trip if self._ended.end(trip.state, trip.began + LONGEST_TRIP) else None

    def renewed(self, session: Session) -> Session | None:
        """Return the session as seen now, or None where its cookie is fresh enough."""
        now = self._clock()
        return session.model_copy(update={"seen": now}) if now - session.seen > RENEWED_AFTER else None

    def end(self, session: Session) -> None:
        """Refuse a session from now on."""
        self._ended.end(session.id, session.began + LONGEST)

    def form_key(self, session_id: str) -> str:
        """Return what a form of this session has to send back; nobody else can make it."""
        return hmac.digest(self._form_key, session_id.encode(), "sha256").hex()

    def is_form_key(self, session_id: str, sent: str) -> bool:
        """Say whether a form key belongs to a session."""
        return hmac.compare_digest(self.form_key(session_id).encode(), sent.encode("utf-8", "replace"))

    def _sealed(self, record: Record, bound: bytes) -> str:
        nonce = secrets.token_bytes(_NONCE)
        sealed = self._box.encrypt(nonce, record.model_dump_json().encode(), bound)
        return urlsafe_b64encode(nonce + sealed).decode()

    def _opened(self, cookie: str, kind: type[Sealed], bound: bytes) -> Sealed | None:
        try:
            blob = urlsafe_b64decode(cookie.encode("ascii", "replace"))
            return kind.model_validate(json.loads(self._box.decrypt(blob[:_NONCE], blob[_NONCE:], bound)))
        except (NotBase64, InvalidTag, ValidationError, ValueError):
            return None
