"""The gate of the console: who comes in, what they are shown, and what a foreign page can do: nothing."""

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from gateway.doors.console.gate import FORM, SESSION
from gateway.doors.console.headers import POLICY
from gateway.doors.identity import Callers, digest_of
from gateway.service import Gateway
from gateway.settings.file import load_settings
from tests.gateway.doors.console.conftest import serving, token_of
from tests.gateway.doors.console.visitor import Visitor

SignedIn = Callable[..., Visitor]
PAGES = ("", "ask", "metrics", "metrics/net_revenue", "traces", "holds", "firing", "evals", "health", "diff")
NAVIGATION = {
    "ana": ["Ask", "Analyses", "Metrics", "Traces", "Held", "Health"],
    "rita": ["Ask", "Analyses", "Metrics", "Traces", "Queue", "Checks", "Release", "Evals", "Health"],
}


def cookie_of(visitor: Visitor, name: str = SESSION) -> str:
    return visitor.http.cookies[name]


@pytest.mark.parametrize("page", PAGES)
def test_a_stranger_is_sent_to_the_sign_in_and_on_to_where_they_wanted(visitor: SignedIn, page: str) -> None:
    stranger = visitor()
    sent = stranger.get(f"/console/{page}")
    assert sent.path == "/console/sign-in" and sent.status == 200
    arrived = stranger.send(sent, "/console/sign-in", token=token_of("ada"))
    assert arrived.status == 200
    assert arrived.path == (f"/console/{page}" if page else "/console/holds")


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example", "/v1/metrics", "/console/\\x"]
)
def test_a_sign_in_leads_nowhere_but_into_the_console(visitor: SignedIn, elsewhere: str) -> None:
    stranger = visitor()
    page = stranger.get(f"/console/sign-in?next={elsewhere}")
    assert stranger.send(page, "/console/sign-in", token=token_of("ana")).path == "/console/ask"


@pytest.mark.parametrize("token", ["wrong", "", "x" * 5000, "\u202e\u00e9"])
def test_a_token_that_was_not_issued_is_refused_and_says_so(visitor: SignedIn, token: str) -> None:
    stranger = visitor()
    page = stranger.send(stranger.get("/console/sign-in"), "/console/sign-in", token=token)
    assert page.status == 401 and "That token was not issued here." in page
    assert SESSION not in stranger.http.cookies
    assert not token or token not in page.html


def test_the_token_is_in_no_cookie_and_on_no_page(visitor: SignedIn) -> None:
    ana = visitor("ana")
    assert token_of("ana") not in "".join(ana.http.cookies.values())
    assert all(token_of("ana") not in ana.get(f"/console/{page}").html for page in PAGES)


def test_cookies_are_for_the_browser_alone_and_for_no_other_site(address: str) -> None:
    with httpx.Client(base_url=address) as client:
        given = client.get("/console/sign-in").headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(given.split("; "))
        assert "Secure" not in given
        over_tls = client.get("/console/sign-in", headers={"X-Forwarded-Proto": "https"}).headers[
            "set-cookie"
        ]
        assert over_tls.startswith(f"__Host-{FORM}=") and "; Secure" in over_tls


def test_every_sign_in_begins_a_session_of_its_own(visitor: SignedIn) -> None:
    assert cookie_of(visitor("ana")) != cookie_of(visitor("ana"))


def test_a_cookie_that_was_planted_is_not_taken_over_by_a_sign_in(visitor: SignedIn) -> None:
    mallory, ana = visitor("emil"), visitor()
    planted = cookie_of(mallory)
    page = ana.get("/console/sign-in")
    ana.http.cookies.set(SESSION, planted)
    ana.send(page, "/console/sign-in", token=token_of("ana"))
    assert "emil" in mallory.get("/console/health")


def test_signing_out_ends_the_session_also_for_who_kept_the_cookie(visitor: SignedIn) -> None:
    ana, thief = visitor("ana"), visitor()
    thief.http.cookies.set(SESSION, cookie_of(ana))
    assert thief.get("/console/health").path == "/console/health"
    assert ana.send(ana.get("/console/health"), "/console/sign-out").path == "/console/sign-in"
    assert thief.get("/console/health").path == "/console/sign-in"


def test_a_token_that_is_taken_back_ends_its_session(gateway: Gateway, console_shop: Path) -> None:
    settings = load_settings(console_shop)
    with serving(gateway, console_shop) as address:
        ana = Visitor(address).signed_in(token_of("ana"))
        cookie = cookie_of(ana)
        ana.http.close()
    file = console_shop / "cellbound.toml"
    digest = next(t.sha256 for t in settings.identity.tokens if t.user == "ana")
    file.write_text(file.read_text(encoding="utf-8").replace(digest, "0" * 64), encoding="utf-8")
    assert Callers(load_settings(console_shop).identity).by_digest(digest_of(token_of("ana"))) is None
    with serving(gateway, console_shop) as address:
        later = Visitor(address)
        later.http.cookies.set(SESSION, cookie)
        assert later.get("/console/health").path == "/console/sign-in"
        later.http.close()


@pytest.mark.parametrize(("user", "places"), NAVIGATION.items())
def test_a_person_is_shown_the_places_of_their_rights(
    visitor: SignedIn, user: str, places: list[str]
) -> None:
    page = visitor(user).get("/console/health").html
    main = page[page.index('<nav aria-label="Main">') : page.index("</nav>")]
    assert re.findall(r">([A-Z][a-z]+)</a>", main) == places


@pytest.mark.parametrize("place", ["firing", "evals", "evals/any"])
def test_a_place_of_another_right_stays_shut_and_names_the_right(visitor: SignedIn, place: str) -> None:
    page = visitor("ana").get(f"/console/{place}")
    assert page.status == 403
    assert "takes the right" in page and "analyst" in page


def test_a_form_from_another_page_or_session_does_nothing(visitor: SignedIn, gateway: Gateway) -> None:
    ana, emil = visitor("ana"), visitor("emil")
    form = ana.get("/console/ask")
    theirs = emil.get("/console/ask").form("/console/ask/check").sends[0][1]
    foreign = (
        ana.send(form, "/console/ask/check", question="x", form_key=""),
        ana.send(form, "/console/ask/check", question="x", form_key=theirs),
        ana.send(form, "/console/ask/check", question="x", headers={"Sec-Fetch-Site": "cross-site"}),
        ana.send(form, "/console/ask/check", question="x", headers={"Origin": "https://evil.example"}),
    )
    assert [page.status for page in foreign] == [403] * 4
    assert all("Nothing was done." in page for page in foreign)
    assert not list(gateway.traces.records())


def test_a_sign_in_form_from_another_page_signs_nobody_in(visitor: SignedIn) -> None:
    stranger = visitor()
    page = stranger.get("/console/sign-in")
    refused = stranger.send(page, "/console/sign-in", token=token_of("ana"), form_key="0" * 64)
    assert refused.status == 403 and SESSION not in stranger.http.cookies


def test_a_link_from_elsewhere_comes_back_so_that_the_strict_cookie_is_sent(visitor: SignedIn) -> None:
    page = visitor().get("/console/holds/h1?x=1", sec_fetch_site="cross-site")
    assert page.status == 200 and page.path == "/console/holds/h1"
    assert '<meta http-equiv="refresh" content="0">' in page.html
    assert "cellbound" not in visitor().get("/console/holds/h1", sec_fetch_site="same-origin").path


@pytest.mark.parametrize("path", ["sign-in", "health", "nothing", "static/console.css", "static/nothing"])
def test_every_answer_forbids_scripts_of_others_frames_and_guessing(visitor: SignedIn, path: str) -> None:
    headers = visitor("ana").get(f"/console/{path}").response.headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] in ("no-store", "no-cache")
    assert "unsafe" not in POLICY and "frame-ancestors 'none'" in POLICY
    sources = dict(each.split(maxsplit=1) for each in POLICY.split("; "))
    assert sources.get("script-src", sources["default-src"]) == "'self'"
    assert {sources.get(name, "") for name in ("base-uri", "form-action")} <= {"'self'", "'none'"}


@pytest.mark.parametrize("page", PAGES)
def test_no_page_has_a_script_or_a_style_of_its_own(visitor: SignedIn, page: str) -> None:
    markup = visitor("ada").get(f"/console/{page}").markup
    scripts = [found for tag, found in markup.elements if tag == "script"]
    assert [script["src"] for script in scripts] == ["/console/static/htmx-4.0.1.min.js"]
    assert "style" not in markup.tags
    names = {name for _, found in markup.elements for name in found}
    assert not names & {"style"} and not {name for name in names if name.startswith("on")}
    assert all(link.startswith(("/", "#")) for link in markup.every("href") + markup.every("src"))


def test_the_console_answers_strangers_alike_whether_a_thing_exists(visitor: SignedIn) -> None:
    ana = visitor("ana")
    gone = ana.get("/console/traces/0000")
    assert gone.status == 404 and "There is no trace of that id that you may read." in gone
    assert ana.get("/console/nothing").status == 404


def test_the_cookie_of_the_console_opens_no_other_door(visitor: SignedIn) -> None:
    ana = visitor("ana")
    assert [ana.get(path).status for path in ("/v1/metrics", "/v1/traces/t", "/mcp")] == [401] * 3


def test_a_server_without_the_console_has_no_such_address(gateway: Gateway, console_shop: Path) -> None:
    with serving(gateway, console_shop, console=False) as address, httpx.Client(base_url=address) as client:
        assert client.get("/console/sign-in").status_code == 404
        assert client.get("/health/live").status_code == 200
