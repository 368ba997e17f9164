"""Bearer tokens that the project issues: made, listed and taken back on the command line."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from gateway.doors.identity.callers import unknown_user
from gateway.doors.identity.scopes import NAMED, SCOPES
from gateway.doors.json_input import BadInput
from gateway.doors.project import settings_of
from gateway.entrances.token import IssuedToken
from gateway.errors import IdentityRefused
from gateway.settings.file import Settings
from gateway.state import StateStore
from gateway.wiring import open_state, utc_now
from metric_layer.issues import Issue
from metric_layer.record import Record
from metric_layer.vocabulary import near

LONGEST = timedelta(days=3_660)
UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class TokenLine(Record):
    """A token as it may be shown: without the token. `state` is good, expired or revoked."""

    id: str
    user: str
    scopes: tuple[str, ...]
    created: datetime
    expires: datetime | None
    state: str


class NewToken(TokenLine):
    """A token that was made. `token` is shown here and kept nowhere."""

    token: str


class TokenList(Record):
    """Every token of a project, the oldest first."""

    tokens: tuple[TokenLine, ...]


def create_token(project: Path | None, user: str, expires: str, scopes: Sequence[str]) -> NewToken:
    """Make a token for a listed user. Raises IdentityRefused with all that is wrong."""
    settings = settings_of(project)
    life = _life(expires)
    wrong = [_unknown_scope(scope) for scope in scopes if scope not in NAMED]
    if user not in settings.identity.users:
        wrong.append(unknown_user(user, settings.identity))
    if life is None:
        wrong.append(_bad_life(expires))
    if wrong or life is None:
        raise IdentityRefused(wrong)
    wanted = tuple(scope for scope in NAMED if scope in scopes) or SCOPES
    with _state(settings) as state:
        made, text = state.tokens.issue(user, wanted, utc_now() + life if life else None)
    return NewToken(**dict(_line(made)), token=text)


def revoke_token(project: Path | None, token_id: str) -> TokenLine:
    """Take a token back; it opens nothing from now on. Raises BadInput for one that is not there."""
    with _state(settings_of(project)) as state:
        state.tokens.revoke(token_id)
        listed = {token.id: token for token in state.tokens.listed()}
    if token_id not in listed:
        raise BadInput(_no_token(token_id, tuple(listed)))
    return _line(listed[token_id])


def list_tokens(project: Path | None) -> TokenList:
    """Return every token that was issued."""
    with _state(settings_of(project)) as state:
        return TokenList(tokens=tuple(map(_line, state.tokens.listed())))


@contextmanager
def _state(settings: Settings) -> Iterator[StateStore]:
    state = open_state(settings, utc_now)
    try:
        yield state
    finally:
        state.close()


def _line(token: IssuedToken) -> TokenLine:
    said = "good" if token.is_good(utc_now()) else "revoked" if token.revoked else "expired"
    return TokenLine(
        id=token.id,
        user=token.user,
        scopes=token.scopes,
        created=token.created,
        expires=token.expires,
        state=said,
    )


def _life(written: str) -> timedelta | None:
    """Return how long a token lives: 30d, 12h; zero for `never`, None for what is no such time."""
    if written == "never":
        return timedelta()
    found = re.fullmatch(r"([1-9]\d{0,6})([mhdw])", written)
    life = timedelta(**{UNITS[found[2]]: int(found[1])}) if found else None
    return life if life is not None and life <= LONGEST else None


def _bad_life(written: str) -> Issue:
    return Issue(
        code="bad_expiry",
        message=f"{written!r} is no time that a token can live.",
        place="--expires",
        seen=written,
        next_step="Write a number with m, h, d or w (30d), ten years at most, or `never`.",
    )


def _unknown_scope(scope: str) -> Issue:
    return Issue(
        code="unknown_scope",
        message=f"{scope!r} is not a scope.",
        place="--scope",
        seen=scope,
        candidates=near(scope, NAMED),
        next_step=f"The scopes are: {', '.join(NAMED)}.",
    )


def _no_token(token_id: str, known: Sequence[str]) -> Issue:
    return Issue(
        code="unknown_token",
        message=f"No token has the id {token_id!r}.",
        seen=token_id,
        candidates=near(token_id, tuple(known)),
        next_step="`cellbound token list` shows the ids; tokens in cellbound.toml are taken away there.",
    )
