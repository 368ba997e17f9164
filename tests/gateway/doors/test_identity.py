"""Who may come in."""

import pytest

from gateway.doors.identity import Callers, digest_of
from gateway.errors import IdentityRefused
from gateway.settings.file import IdentitySettings
from tests.gateway.doors.fake import TOKEN


def test_a_token_brings_its_user_with_roles_and_tenant(callers: Callers) -> None:
    caller = callers.by_digest(digest_of(TOKEN))
    assert caller is not None
    assert (caller.user, caller.roles, caller.tenant) == ("ana", ("analyst",), "shop")


@pytest.mark.parametrize("token", ["", "a token", TOKEN + " ", TOKEN.upper(), "0" * 64, "\N{SNOWMAN}"])
def test_a_token_that_nobody_issued_brings_nobody(callers: Callers, token: str) -> None:
    assert callers.by_digest(digest_of(token)) is None


def test_a_digest_is_no_token(callers: Callers, identity: IdentitySettings) -> None:
    assert callers.by_digest(digest_of(identity.tokens[0].sha256)) is None


def test_one_digest_under_two_users_opens_for_neither(identity: IdentitySettings) -> None:
    twice = (identity.tokens[0], identity.tokens[0].model_copy(update={"user": "rita"}))
    assert Callers(identity.model_copy(update={"tokens": twice})).by_digest(digest_of(TOKEN)) is None


def test_the_command_line_asks_as_the_configured_user_or_the_named_one(callers: Callers) -> None:
    assert callers.for_cli().user == "ana"
    assert callers.for_cli("rita").user == "rita"


def test_a_user_nobody_knows_is_refused_with_near_names(callers: Callers) -> None:
    with pytest.raises(IdentityRefused) as refused:
        callers.for_cli("anna")
    (issue,) = refused.value.issues
    assert (issue.code, issue.seen, issue.candidates[0]) == ("unknown_user", "anna", "ana")


def test_a_door_without_a_user_is_closed_and_says_which_setting_opens_it() -> None:
    nobody = Callers(IdentitySettings())
    for enter, key in ((nobody.for_cli, "cli_user"), (nobody.for_stdio, "stdio_user")):
        with pytest.raises(IdentityRefused) as refused:
            enter()
        (issue,) = refused.value.issues
        assert issue.code == "no_identity"
        assert key in issue.next_step
