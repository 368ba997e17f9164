"""Saved analyses in the console, without scripts."""

import re
from collections.abc import Callable

from gateway.service import Gateway
from tests.gateway.conftest import ANA
from tests.gateway.doors.console.visitor import Visitor

SignedIn = Callable[..., Visitor]
PAGE = "/console/analyses/revenue_review"
HOSTILE = "<b onclick=alert(1)>x</b>"


def test_an_analysis_runs_from_its_form_and_leads_to_the_trace_of_each_step(
    visitor: SignedIn, gateway: Gateway
) -> None:
    ana = visitor("ana")
    listed = ana.get("/console/analyses")
    assert PAGE in listed.markup.every("href")
    page = ana.send(ana.get(PAGE), PAGE)
    assert page.status == 200
    assert "In EMEA, from 2026-07-01 to 2026-09-30, net revenue was $" in page
    traces = [link for link in page.markup.every("href") if re.match(r"/console/traces/\w", link)]
    assert len(traces) == 2
    assert all(ana.get(link).status == 200 for link in traces)
    assert len(gateway.list_traces(ANA)) == 2


def test_what_does_not_fit_is_told_beside_the_form_and_nothing_runs(
    visitor: SignedIn, gateway: Gateway
) -> None:
    ana = visitor("ana")
    page = ana.send(ana.get(PAGE), PAGE, p_region=HOSTILE, p_top="99")
    assert page.status == 422
    assert "top is 99; it goes from 1 to 10." in page
    assert HOSTILE not in page.html
    assert gateway.list_traces(ANA) == ()


def test_an_analysis_that_a_person_may_not_see_is_like_none(visitor: SignedIn) -> None:
    fay = visitor("fay")
    assert "There is no saved analysis that you may run." in fay.get("/console/analyses")
    hidden, never = fay.get(PAGE), fay.get("/console/analyses/revenue_revues")
    assert hidden.status == never.status == 404
    assert hidden.html.replace("revenue_review", "") == never.html.replace("revenue_revues", "")


def test_a_form_from_elsewhere_runs_nothing(visitor: SignedIn, gateway: Gateway) -> None:
    ana = visitor("ana")
    page = ana.send(ana.get(PAGE), PAGE, form_key="guessed")
    assert page.status in (400, 403)
    assert gateway.list_traces(ANA) == ()
