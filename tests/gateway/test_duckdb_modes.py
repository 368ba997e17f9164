"""The shop with extracts instead of views: the same answers, said in every trace, and refused settings."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.errors import SettingsInvalid
from gateway.operation.proof import prove_roles
from gateway.service import Gateway
from gateway.settings.file import load_settings
from tests.gateway.engines.processes import workers_of
from tests.gateway.shop_house import ANA, who_leaves
from traces.records import Caller

SOFT = '[engine.duckdb]\nmode = "soft"\n'
SMALL: dict[str, object] = {
    "metrics": ["order_count", "net_revenue"],
    "dimensions": ["region"],
    "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-09-30"},
}


def _by_default(shop: Path) -> None:
    """Leave the mode out of the project's settings."""
    settings = shop / "cellbound.toml"
    text = settings.read_text(encoding="utf-8")
    assert SOFT in text
    settings.write_text(text.replace(SOFT, ""), encoding="utf-8")


def test_answers_over_extracts_are_the_answers_over_views(
    open_shop: Callable[[], Gateway], shop: Path, emil: Caller
) -> None:
    over_views = open_shop().ask(emil, SMALL)
    _by_default(shop)
    gateway = open_shop()
    over_extracts = gateway.ask(emil, SMALL)
    assert over_extracts.outcome == over_views.outcome == "answered"
    assert over_extracts.rows == over_views.rows
    assert {row[0] for row in over_extracts.rows} == {"EMEA"}
    modes = []
    for reply in (over_views, over_extracts):
        trace = gateway.traces.read(reply.trace_id)
        assert trace is not None
        assert trace.closed is not None
        assert trace.closed.pins is not None
        modes.append((trace.closed.pins.mode, trace.closed.pins.data))
    assert [mode for mode, _ in modes] == ["soft", "hard"]
    assert modes[0][1] == modes[1][1]
    assert len(list((shop / "var" / "extracts").iterdir())) == 1


@pytest.mark.parametrize("mode", ["soft", "hard"])
def test_a_caller_who_leaves_stops_the_query_in_its_process(
    open_shop: Callable[[], Gateway], shop: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    if mode == "hard":
        _by_default(shop)
    house = open_shop()
    plan = {"metrics": ["order_count"]}
    assert house.ask(ANA, plan).outcome == "answered"
    slow = "SELECT count(*) FROM events a, events b, events c WHERE a.event_type <> b.event_type"
    reply = who_leaves(house, monkeypatch, slow, plan, lambda: "R" in workers_of().values())
    assert reply.outcome == "left"
    trace = house.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None and trace.closed.outcome == "left"


@pytest.mark.slow
def test_every_role_of_the_shop_is_proved_over_its_extract(
    open_shop: Callable[[], Gateway], shop: Path
) -> None:
    _by_default(shop)
    gateway = open_shop()
    findings = prove_roles(gateway.house)
    assert [finding.detail for finding in findings if not finding.ok] == []
    said = {finding.name: finding.detail for finding in gateway.ready().findings}
    assert "mode hard" in said["engine"]
    assert len(list((shop / "var" / "extracts").iterdir())) == len(findings)


@pytest.mark.parametrize(
    ("line", "code", "near"),
    [
        ('mod = "hard"', "unknown_key", ("mode",)),
        ('mode = "firm"', "invalid_value", ()),
        ("workers = 0", "invalid_value", ()),
    ],
)
def test_a_setting_that_is_none_is_named(shop: Path, line: str, code: str, near: tuple[str, ...]) -> None:
    settings = shop / "cellbound.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace('mode = "soft"', line), encoding="utf-8")
    with pytest.raises(SettingsInvalid) as caught:
        load_settings(shop)
    (issue,) = caught.value.issues
    assert issue.seen.startswith("engine.duckdb.")
    assert issue.code == code
    assert issue.candidates[: len(near)] == near
