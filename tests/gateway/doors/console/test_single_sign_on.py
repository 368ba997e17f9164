"""Sign-in at an identity provider: the whole flow, and everything that must not come back from it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
import uvicorn
from playwright.sync_api import sync_playwright

from gateway.doors.console.app import Console
from gateway.doors.console.gate import SESSION, TRIP
from gateway.doors.console.signin import TokenSignIn
from gateway.doors.console.single_sign_on import sign_on_of
from gateway.doors.identity import Callers
from gateway.doors.identity.entrance import entrance_of
from gateway.doors.serving.app import build_http
from gateway.doors.serving.server import listen
from gateway.service import Gateway
from gateway.settings.file import load_settings
from gateway.settings.identity import OidcSettings, RuleSettings
from tests.gateway.doors.console.conftest import background
from tests.gateway.doors.console.visitor import Page, Visitor
from tests.servers import oidc

CHROMIUM = shutil.which("chromium")
RULES = (RuleSettings(claim="groups", value="finance", roles=("analyst",)),)


@pytest.fixture
def provider() -> Iterator[oidc.Provider]:
    with oidc.running() as found:
        found.people["kim"] = {"groups": ["finance"]}
        yield found


@pytest.fixture
def address(gateway: Gateway, console_shop: Path, provider: oidc.Provider) -> Iterator[str]:
    with served(gateway, console_shop, provider) as where:
        yield where


@contextmanager
def served(
    gateway: Gateway,
    folder: Path,
    provider: oidc.Provider,
    rules: tuple[RuleSettings, ...] = RULES,
    public: str = "",
) -> Iterator[str]:
    """Serve the shop with the sign-in at the provider; its own address is known to it, or a `public` one."""
    settings = load_settings(folder)
    listening = listen("127.0.0.1", 0)
    where = f"http://127.0.0.1:{listening.getsockname()[1]}"
    told = OidcSettings(
        issuer=provider.issuer,
        public_url=public or where,
        client_id=oidc.CLIENT,
        rules=rules,
        label="the shop's directory",
    )
    identity = settings.identity.model_copy(update={"oidc": told})
    callers = Callers(identity, issued=gateway.state.tokens)
    door = entrance_of(identity, callers, gateway.house.present, {})
    sign_on = sign_on_of(told, door.oidc, oidc.SECRET)
    console = Console(gateway, TokenSignIn(callers), settings.at(settings.paths.runs), sign_on)
    app = build_http(gateway, door, settings.server, console)
    with background(uvicorn.Config(app, log_level="error", access_log=False), listening):
        yield where


def way_there(visitor: Visitor, wanted: str = "") -> httpx.Response:
    """Set out for the provider, and stop in front of it."""
    return visitor.http.get("/console/sign-on", params={"next": wanted}, follow_redirects=False)


def way_back(there: httpx.Response, user: str = "kim") -> str:
    """Sign in at the provider, and return the address it sends the browser back to."""
    asked = {name: values[0] for name, values in parse_qs(urlsplit(there.headers["location"]).query).items()}
    answer = httpx.post(there.headers["location"].partition("?")[0], data={**asked, "user": user})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


@pytest.fixture
def stranger(address: str) -> Iterator[Visitor]:
    visitor = Visitor(address)
    yield visitor
    visitor.http.close()


def came_back(visitor: Visitor, address: str) -> Page:
    return Page(visitor.http.get(address))


def test_who_the_provider_names_comes_in_and_lands_where_they_wanted(
    stranger: Visitor, provider: oidc.Provider
) -> None:
    assert "Sign in with the shop's directory" in stranger.get("/console/metrics")
    there = way_there(stranger, "/console/metrics")
    asked = parse_qs(urlsplit(there.headers["location"]).query)
    assert asked["code_challenge_method"] == ["S256"] and asked["response_type"] == ["code"]
    page = came_back(stranger, way_back(there))
    assert (page.status, page.path) == (200, "/console/metrics")
    assert "net_revenue" in page.html
    assert TRIP not in stranger.http.cookies
    assert stranger.ask("net revenue by region in May 2026").status == 200
    assert stranger.send(stranger.get("/console/ask"), "/console/sign-out").path == "/console/sign-in"


def test_a_way_back_is_good_once(stranger: Visitor, provider: oidc.Provider, address: str) -> None:
    there = way_there(stranger)
    trip = stranger.http.cookies[TRIP]
    back = way_back(there)
    assert came_back(stranger, back).status == 200
    stranger.http.cookies.clear()
    stranger.http.cookies.set(TRIP, trip)
    again = came_back(stranger, back)
    assert again.status == 403 and "was used before" in again
    assert SESSION not in stranger.http.cookies


def test_a_code_of_somebody_else_s_way_signs_nobody_in(
    stranger: Visitor, provider: oidc.Provider, address: str
) -> None:
    attacker = Visitor(address)
    planted = way_back(way_there(attacker))
    attacker.http.close()
    assert came_back(stranger, planted).status == 403, "no way was begun here"
    mine = way_there(stranger)
    state = parse_qs(urlsplit(mine.headers["location"]).query)["state"][0]
    theirs = parse_qs(urlsplit(planted).query)
    assert came_back(stranger, planted).status == 403, "its state is another one"
    mixed = came_back(stranger, f"{address}/console/signed-in?state={state}&code={theirs['code'][0]}")
    assert mixed.status == 502, "the code is bound to another verifier"
    assert SESSION not in stranger.http.cookies


@pytest.mark.parametrize(
    "told",
    ["", "&error=access_denied", "&code=", "&code=made-up", "&code={code}&iss=https://another.example"],
)
def test_what_does_not_fit_signs_nobody_in(
    stranger: Visitor, provider: oidc.Provider, address: str, told: str
) -> None:
    there = way_there(stranger)
    code = parse_qs(urlsplit(way_back(there)).query)["code"][0]
    state = parse_qs(urlsplit(there.headers["location"]).query)["state"][0]
    page = came_back(stranger, f"{address}/console/signed-in?state={state}{told.format(code=code)}")
    assert page.status in (401, 502) and page.path == "/console/signed-in"
    assert SESSION not in stranger.http.cookies


@pytest.mark.parametrize(
    "wrong",
    [
        {"aud": "another client"},
        {"exp": 1},
        {"nonce": None},
        {"nonce": "of another way"},
        {"iss": "https://another.example"},
    ],
)
def test_an_id_token_with_one_wrong_claim_signs_nobody_in(
    stranger: Visitor, provider: oidc.Provider, wrong: dict[str, object]
) -> None:
    provider.id_token_says = dict(wrong)
    page = came_back(stranger, way_back(way_there(stranger)))
    assert page.status == 401 and SESSION not in stranger.http.cookies
    provider.id_token_says = {}
    assert came_back(stranger, way_back(way_there(stranger))).status == 200


def test_an_access_token_is_no_sign_in_and_an_id_token_opens_no_route(
    stranger: Visitor, provider: oidc.Provider, address: str
) -> None:
    id_token = provider.token("kim", aud=oidc.CLIENT, nonce="n")
    answer = httpx.get(f"{address}/v1/metrics", headers={"Authorization": f"Bearer {id_token}"})
    assert answer.status_code == 401
    form = stranger.get("/console/sign-in")
    assert stranger.send(form, "/console/sign-in", token=provider.token("kim")).status == 401


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example", "/v1/metrics", "/console/\\x"]
)
def test_the_way_back_leads_nowhere_but_into_the_console(
    stranger: Visitor, provider: oidc.Provider, elsewhere: str
) -> None:
    page = came_back(stranger, way_back(way_there(stranger, elsewhere)))
    assert (page.status, page.path) == (200, "/console/ask")


def test_a_provider_that_is_away_is_said_and_a_token_still_opens(
    stranger: Visitor, provider: oidc.Provider, gateway: Gateway
) -> None:
    provider.down = True
    page = Page(way_there(stranger))
    assert page.status == 502 and "identity provider could not be used" in page
    _, token = gateway.state.tokens.issue("ana", ("metrics:read",), None)
    form = stranger.get("/console/sign-in")
    assert stranger.send(form, "/console/sign-in", token=token).status == 401, "scopes would be lost on pages"


def test_a_session_by_an_issued_token_ends_with_the_token(
    stranger: Visitor, provider: oidc.Provider, gateway: Gateway
) -> None:
    scopes = ("metrics:read", "questions:ask", "traces:read", "holds:read", "holds:decide")
    made, token = gateway.state.tokens.issue("ana", scopes, None)
    stranger.signed_in(token)
    assert stranger.get("/console/metrics").path == "/console/metrics"
    gateway.state.tokens.revoke(made.id)
    assert stranger.get("/console/metrics").path == "/console/sign-in"


def test_a_session_ends_once_the_settings_say_otherwise_who_is_whom(
    gateway: Gateway, console_shop: Path, provider: oidc.Provider
) -> None:
    """The cookie is kept over a restart, under whose settings finance is nobody any more."""
    with served(gateway, console_shop, provider) as address:
        visitor = Visitor(address)
        assert came_back(visitor, way_back(way_there(visitor))).path == "/console/ask"
        kept = visitor.http.cookies[SESSION]
        visitor.http.close()
    for rules, comes_to in ((RULES, "/console/metrics"), ((), "/console/sign-in")):
        with served(gateway, console_shop, provider, rules, address) as again:
            visitor = Visitor(again)
            visitor.http.cookies.set(SESSION, kept)
            assert visitor.get("/console/metrics").path == comes_to
            visitor.http.close()


def test_an_address_too_long_for_a_cookie_is_not_remembered(
    stranger: Visitor, provider: oidc.Provider
) -> None:
    long = "/console/ask?question=" + "revenue+" * 400
    there = way_there(stranger, long)
    assert len(stranger.http.cookies[TRIP]) < 3_000, "a browser drops a cookie above 4 kB"
    page = came_back(stranger, way_back(there))
    assert (page.status, page.path) == (200, "/console/ask")


@pytest.mark.browser
@pytest.mark.slow
def test_in_a_real_browser_the_button_leads_there_and_back(address: str, provider: oidc.Provider) -> None:
    if CHROMIUM is None:
        pytest.skip("no browser: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{address}/console/metrics")
        page.get_by_role("link", name="Sign in with the shop's directory").click()
        page.get_by_label("User").fill("kim")
        page.get_by_role("button", name="Go on").click()
        page.wait_for_url("**/console/metrics")
        page.get_by_text("Net revenue").first.wait_for()
        kept = {cookie["name"]: cookie for cookie in page.context.cookies()}
        assert kept[SESSION]["sameSite"] == "Strict" and kept[SESSION]["httpOnly"]
        assert TRIP not in kept
        browser.close()
