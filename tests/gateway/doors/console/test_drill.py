"""A reviewer drill: a queue with bad items among good ones, decided from what the pages show alone."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gateway.service import Gateway
from tests.gateway.doors.console.conftest import token_of
from tests.gateway.doors.console.test_holds import decide, held
from tests.gateway.doors.console.visitor import Page, Visitor
from traces.records import Judgement

pytestmark = [pytest.mark.holds, pytest.mark.slow]
HARD_SHARE = 0.5
"""From this share of the hard line on, the drill's reviewer wants a narrower question."""


@dataclass(frozen=True)
class Item:
    """A seeded question; `bad` is what is known of it before anybody looks."""

    question: str
    bad: bool


SEEDED = (
    Item("orders by region in May 2026", bad=False),
    Item("net revenue by region in May 2026", bad=True),
    Item("gross revenue by brand in 2026", bad=False),
    Item("refunds by region in March 2026", bad=False),
    Item("net revenue and orders by customer segment in June 2026", bad=True),
    Item("average order value by region in May 2026", bad=False),
    Item("net revenue by customer segment in 2026", bad=True),
    Item("units sold by product category in 2026", bad=False),
)
"""The bad ones read the orders twice, from lines and from refunds: more than half of the hard line."""


@pytest.fixture
def shop(shop: Path) -> Path:
    """A shop whose lines lie where one month is above the first and wide questions near the second."""
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    lowered = re.sub(r"bytes: \{[^}]*\}", "bytes: {warn: 300000, hard: 12000000}", text, count=1)
    lowered = re.sub(r"rows: \{[^}]*\}", "rows: {warn: 100000, hard: 1000000}", lowered, count=1)
    policy.write_text(lowered, encoding="utf-8")
    return shop


def worst_share(page: Page) -> float:
    """Return the largest share of a hard line that an item's page tells, as a reader works it out."""
    text = " ".join(page.markup.text.split())
    found = re.findall(r"Seen ([\d.,]+) (\w+) Lines warn [\d.,]+ \w+, hard ([\d.,]+) (\w+)", text)
    assert found, "every finding shows what was seen beside both lines"
    scale = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "rows": 1.0}
    return max(
        float(seen.replace(",", "")) * scale[unit] / (float(hard.replace(",", "")) * scale[of])
        for seen, unit, hard, of in found
    )


def test_a_reviewer_finds_every_bad_item_from_its_page_and_each_decision_is_on_record(
    address: str, gateway: Gateway, visitor: Callable[..., Visitor]
) -> None:
    ana, rita = visitor("ana"), visitor("rita")
    items = {held(ana, item.question): item for item in SEEDED}
    queue = rita.get("/console/holds").markup.every("href")
    assert set(items) <= set(queue), "the queue holds every seeded item"
    verdicts = {}
    for link in items:
        share = worst_share(rita.get(link))
        verdicts[link] = "deny" if share >= HARD_SHARE else "accept"
        page = decide(rita, link, verdicts[link], f"It reads {share:.0%} of the hard line.")
        assert page.status == 200
    denied = {items[link].question for link, verdict in verdicts.items() if verdict == "deny"}
    assert denied == {item.question for item in SEEDED if item.bad}
    assert "Nothing here." in rita.get("/console/holds")

    on_record = [record for record in gateway.traces.records() if isinstance(record, Judgement)]
    assert sorted(record.verdict for record in on_record) == sorted(verdicts.values())
    assert {f"/console/holds/{record.hold_id}": record.verdict for record in on_record} == verdicts

    later = Visitor(address).signed_in(token_of("ana"))
    for link, verdict in verdicts.items():
        runs = [form for form in later.get(link).markup.forms if form.action == "/console/ask/run"]
        assert bool(runs) == (verdict == "accept")
    later.http.close()
