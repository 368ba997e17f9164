"""The gate in front of the pages: who is visiting, may they see this, and did the form come from us."""

import secrets
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Literal
from urllib.parse import quote, urlsplit

from anyio import to_thread
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gateway.doors.console.desk import Visit
from gateway.doors.console.navigation import ROOT
from gateway.doors.console.rendering import Pages
from gateway.doors.console.sessions import LONGEST, LONGEST_TRIP, Session, Sessions
from gateway.doors.console.signin import SignIn
from gateway.doors.console.single_sign_on import SingleSignOn
from gateway.doors.identity.issuer import IssuerUnreachable
from gateway.doors.status import UNKNOWN_CALLER
from gateway.reply import ReplyIssue
from gateway.service import Gateway

Handler = Callable[[Request, Visit], Awaitable[Response]]
SESSION, FORM, TRIP = "cellbound-session", "cellbound-form", "cellbound-trip"
FORM_FIELD = "form_key"
FORBIDDEN, AWAY = 403, 502
MOST_TOKEN = 4_000
MOST_WANTED = 1_000
"""Characters of an address that is remembered over a sign-in: its cookie has to stay below 4 kB."""


class Gate:
    """Lets signed-in people to the pages of their rights and sends the others to the sign-in."""

    def __init__(
        self,
        gateway: Gateway,
        identity: SignIn,
        sessions: Sessions,
        pages: Pages,
        sign_on: SingleSignOn | None = None,
    ) -> None:
        self._gateway = gateway
        self._identity = identity
        self._sessions = sessions
        self._pages = pages
        self._sign_on = sign_on

    def guarded(self, handler: Handler, right: str) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler behind the gate: a session, the right, and for a form its key."""

        async def through(request: Request) -> Response:
            visit = await to_thread.run_sync(self._visit, request)
            if visit is None:
                return self._elsewhere(request)
            if request.method == "POST" and not await self._ours(request, visit.session.id):
                return self._pages.refusal(visit, "This form is too old", (_FOREIGN_FORM,), FORBIDDEN)
            if not visit.may(right):
                return self._pages.refusal(visit, "Not for your role", (_no_right(visit, right),), FORBIDDEN)
            response = await handler(request, visit)
            renewed = self._sessions.renewed(visit.session)
            if renewed is not None and request.method == "GET":
                self._give(request, response, renewed)
            return response

        return through

    async def sign_in_form(self, request: Request) -> Response:
        """Show the form, or go on where somebody is signed in already."""
        if await to_thread.run_sync(self._visit, request) is not None:
            return RedirectResponse(_inside(request.query_params.get("next", "")), 303)
        return self._form(request, request.query_params.get("next", ""))

    async def sign_in(self, request: Request) -> Response:
        """Take a credential, begin a session under a fresh id, and go where the person wanted to."""
        form = await request.form()
        wanted = _text(form, "next")
        nonce = request.cookies.get(_cookie(request, FORM), "")
        if not nonce or not await self._ours(request, nonce):
            return self._form(request, wanted, _FOREIGN_FORM, FORBIDDEN)
        credential = _text(form, "token")
        known = len(credential) <= MOST_TOKEN
        grant = await to_thread.run_sync(self._identity.grant, credential) if known else ""
        if not grant:
            return self._form(request, wanted, _UNKNOWN, UNKNOWN_CALLER.http)
        return self._let_in(request, grant, wanted, FORM)

    async def sign_on(self, request: Request) -> Response:
        """Send to the identity provider, with a cookie that only whoever set out has."""
        wanted = request.query_params.get("next", "")
        if self._sign_on is None:
            return RedirectResponse(f"{ROOT}/sign-in", 303)
        trip = self._sessions.set_out(_inside(wanted))
        try:
            response = RedirectResponse(await self._sign_on.address(trip), 303)
        except IssuerUnreachable as fault:
            return self._form(request, wanted, _away(fault), AWAY)
        # Lax: the provider sends the browser back, so the way back begins at another site.
        _set_cookie(request, response, TRIP, self._sessions.seal_trip(trip), LONGEST_TRIP, "lax")
        return response

    async def signed_in(self, request: Request) -> Response:
        """Let in who comes back from the provider with what they set out with; each way back is good once."""
        told = request.query_params
        cookie = request.cookies.get(_cookie(request, TRIP), "")
        trip = await to_thread.run_sync(self._sessions.come_back, cookie, told.get("state", ""))
        if trip is None or self._sign_on is None:
            return self._form(request, "", _STRAY, FORBIDDEN)
        try:
            person = await self._sign_on.person(trip, told)
        except IssuerUnreachable as fault:
            return self._form(request, trip.wanted, _away(fault), AWAY)
        if person is None:
            return self._form(request, trip.wanted, _NOT_NAMED, UNKNOWN_CALLER.http)
        return self._let_in(request, self._identity.grant_for(person), trip.wanted, TRIP)

    def _let_in(self, request: Request, grant: str, wanted: str, used: str) -> Response:
        """Begin a session under a fresh id; the cookie that led here is used up."""
        response = RedirectResponse(_inside(wanted), 303)
        self._give(request, response, self._sessions.begin(grant))
        response.delete_cookie(_cookie(request, used), path="/")
        return response

    async def sign_out(self, request: Request, visit: Visit) -> Response:
        """End the session here and in the browser."""
        await to_thread.run_sync(self._sessions.end, visit.session)
        response = RedirectResponse(f"{ROOT}/sign-in", 303)
        response.delete_cookie(_cookie(request, SESSION), path="/")
        return response

    def _visit(self, request: Request) -> Visit | None:
        session = self._sessions.open(request.cookies.get(_cookie(request, SESSION), ""))
        caller = self._identity.caller(session.grant) if session else None
        if session is None or caller is None:
            return None
        key = self._sessions.form_key(session.id)
        return Visit(session, caller, self._gateway.standing(caller), key)

    def _elsewhere(self, request: Request) -> Response:
        """Send to the sign-in; a link from elsewhere first comes back to us, so that the cookie is sent."""
        if request.headers.get("sec-fetch-site") == "cross-site" and request.method == "GET":
            return self._pages.page("arriving.html", None, there=_here(request))
        wanted = _here(request) if request.method == "GET" else ""
        return RedirectResponse(f"{ROOT}/sign-in?next={quote(wanted, safe='')}", 303)

    async def _ours(self, request: Request, session_id: str) -> bool:
        """Say whether a form is one of ours: its key, and what the browser says of where it was sent from."""
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
            return False
        sent = _text(await request.form(), FORM_FIELD)
        return self._sessions.is_form_key(session_id, sent)

    def _form(
        self, request: Request, wanted: str, wrong: ReplyIssue | None = None, status: int = 200
    ) -> Response:
        nonce = secrets.token_urlsafe(18)
        response = self._pages.page(
            "sign_in.html",
            None,
            status=status,
            form_key=self._sessions.form_key(nonce),
            wanted=wanted,
            wrong=wrong,
            label=self._sign_on.label if self._sign_on else "",
        )
        _set_cookie(request, response, FORM, nonce)
        return response

    def _give(self, request: Request, response: Response, session: Session) -> None:
        _set_cookie(request, response, SESSION, self._sessions.seal(session))


def _set_cookie(
    request: Request,
    response: Response,
    name: str,
    value: str,
    life: timedelta = LONGEST,
    site: Literal["strict", "lax"] = "strict",
) -> None:
    response.set_cookie(
        _cookie(request, name),
        value,
        max_age=int(life.total_seconds()),
        path="/",
        secure=_encrypted(request),
        httponly=True,
        samesite=site,
    )


def _cookie(request: Request, name: str) -> str:
    """Return a cookie's name; over TLS one that only this very host could have set."""
    return f"__Host-{name}" if _encrypted(request) else name


def _encrypted(request: Request) -> bool:
    return request.url.scheme == "https"


def _here(request: Request) -> str:
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path


def _inside(wanted: str) -> str:
    """Return where to go after the sign-in: a page of the console, whatever was sent."""
    plain = wanted.startswith(f"{ROOT}/") and wanted.isprintable() and "\\" not in wanted
    fits = len(wanted.encode()) <= MOST_WANTED and not wanted.startswith(f"{ROOT}/sign")
    return wanted if plain and fits else f"{ROOT}/"


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value if isinstance(value, str) else ""


def _no_right(visit: Visit, right: str) -> ReplyIssue:
    return ReplyIssue(
        code="right_missing",
        message=f"This page takes the right {right}, which your role does not have.",
        stage="input",
        seen=visit.standing.role or "no role",
        next_step=f"Ask the policy's owner for the right {right}.",
    )


def _away(fault: IssuerUnreachable) -> ReplyIssue:
    return ReplyIssue(
        code="issuer_unreachable",
        message=f"The identity provider could not be used: {fault}.",
        stage="input",
        next_step="Try again in a minute, or sign in with a token.",
    )


_STRAY = ReplyIssue(
    code="stray_sign_in",
    message="This way back from the identity provider was not begun here, is too old, or was used before.",
    stage="input",
    next_step="Begin anew with the button below.",
)
_NOT_NAMED = ReplyIssue(
    code="not_signed_in",
    message="The identity provider named nobody who may come in here.",
    stage="input",
    next_step="Try again. If it stays so, ask who runs this gateway whether you are among its users.",
)
_FOREIGN_FORM = ReplyIssue(
    code="foreign_form",
    message="The form was not made by this page, or it is too old. Nothing was done.",
    stage="input",
    next_step="Go back, load the page again and send the form from there.",
)
_UNKNOWN = ReplyIssue(
    code="no_identity",
    message="That token was not issued here.",
    stage="input",
    next_step="Paste the token you were given, without spaces. Its issuer can make a new one.",
)
