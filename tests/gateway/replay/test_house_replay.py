"""A replay names what changed, in one word."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from gateway.reply import Reply
from gateway.service import Gateway
from gateway.settings.file import load_settings
from gateway.wiring import candidate
from traces.records import Caller

Plan = dict[str, object]
Edit = Callable[[str], str]


@pytest.fixture
def asked(gateway: Gateway, ana: Caller, revenue: Plan) -> Reply:
    reply = gateway.ask(ana, revenue)
    assert reply.outcome == "answered", reply.issues
    return reply


@pytest.fixture
def edited(shop: Path, tmp_path: Path) -> Iterator[Callable[[str, Edit], Path]]:
    """Copies a folder of the project with an edit made to every file of it."""

    def copy(name: str, edit: Edit) -> Path:
        folder = tmp_path / f"edited-{name}"
        shutil.copytree(shop / name, folder)
        before = {file: file.read_text(encoding="utf-8") for file in folder.glob("*.yml")}
        after = {file: edit(text) for file, text in before.items()}
        assert before != after, "the edit changed nothing"
        for file, text in after.items():
            file.write_text(text, encoding="utf-8")
        return folder

    yield copy


def against(gateway: Gateway, shop: Path, asked: Reply, who: Caller, **paths: Path) -> tuple[str, str, int]:
    house = candidate(gateway, load_settings(shop), **paths)
    try:
        report = gateway.replay(who, asked.trace_id, house)
    finally:
        house.engine.close()
    assert report is not None
    return report.verdict, report.detail, len(report.numbers)


def test_nothing_changed_is_same(gateway: Gateway, ana: Caller, asked: Reply) -> None:
    report = gateway.replay(ana, asked.trace_id)
    assert report is not None and (report.verdict, report.numbers) == ("same", ())


def test_a_replay_leaves_no_trace_of_its_own(gateway: Gateway, ana: Caller, asked: Reply) -> None:
    before = len(gateway.list_traces(ana))
    gateway.replay(ana, asked.trace_id)
    assert len(gateway.list_traces(ana)) == before


def test_a_new_version_of_a_definition_is_named_with_old_and_new_numbers(
    gateway: Gateway, ana: Caller, asked: Reply, shop: Path, edited: Callable[[str, Edit], Path]
) -> None:
    def edit(text: str) -> str:
        head, found, tail = text.partition("- name: net_revenue\n")
        moved = tail.replace("version: 3", "version: 4", 1)
        return (
            head
            + found
            + moved.replace("gross_revenue - refunds", "gross_revenue - refunds - shipping_fees", 1)
        )

    verdict, detail, numbers = against(gateway, shop, asked, ana, layer=edited("metrics", edit))
    assert verdict == "definition"
    assert "definition: net_revenue v3 -> v4" in detail
    assert numbers > 0


def test_a_definition_changed_under_its_version_is_named_too(
    gateway: Gateway, ana: Caller, asked: Reply, shop: Path, edited: Callable[[str, Edit], Path]
) -> None:
    layer = edited("metrics", lambda text: text.replace("gross_revenue - refunds", "gross_revenue + refunds"))
    verdict, detail, _ = against(gateway, shop, asked, ana, layer=layer)
    assert verdict == "definition"
    assert "net_revenue v3 changed without a new version" in detail


def test_a_definition_nobody_used_changes_nothing(
    gateway: Gateway, ana: Caller, asked: Reply, shop: Path, edited: Callable[[str, Edit], Path]
) -> None:
    layer = edited(
        "metrics", lambda text: text.replace("Shipping charged on orders", "Shipping paid on orders")
    )
    assert against(gateway, shop, asked, ana, layer=layer)[0] == "same"


def test_a_lower_budget_is_thresholds(
    gateway: Gateway, ana: Caller, asked: Reply, shop: Path, edited: Callable[[str, Edit], Path]
) -> None:
    policy = edited("policies", lambda text: re.sub(r"bytes: \{.*\}", "bytes: {warn: 1, hard: 2}", text))
    assert against(gateway, shop, asked, ana, policy=policy)[0] == "thresholds"


def test_a_narrower_role_is_entitlement(
    gateway: Gateway, ana: Caller, asked: Reply, shop: Path, edited: Callable[[str, Edit], Path]
) -> None:
    def edit(text: str) -> str:
        rule = "    rows:\n      - {field: region, op: in, values: [APAC]}\n"
        return text.replace("  analyst:\n", "  analyst:\n" + rule, 1)

    assert against(gateway, shop, asked, ana, policy=edited("policies", edit))[0] == "entitlement"


def test_other_data_is_data(
    open_shop: Callable[[], Gateway], ana: Caller, revenue: Plan, shop: Path, tmp_path: Path
) -> None:
    first = open_shop()
    asked = first.ask(ana, revenue)
    first.close()
    file = shop / "var" / "shop.duckdb"
    other = tmp_path / "other.duckdb"
    shutil.copy(file, other)
    with duckdb.connect(str(other)) as database:
        database.execute("UPDATE order_lines SET amount = amount + 1 WHERE order_id % 50 = 0")
    file.unlink()
    shutil.move(other, file)
    again = open_shop()
    report = again.replay(ana, asked.trace_id)
    assert report is not None
    assert (report.verdict, bool(report.numbers)) == ("data(restated)", True)


def test_an_auditor_of_another_entitlement_cannot_tell(gateway: Gateway, rita: Caller, emil: Caller) -> None:
    plan = {
        "metrics": ["net_revenue"],
        "dimensions": ["region"],
        "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-09-30"},
    }
    asked = gateway.ask(emil, plan)
    report = gateway.replay(rita, asked.trace_id)
    assert report is not None
    assert report.verdict == "cannot tell" and "other entitlement" in report.detail


def test_a_trace_of_somebody_else_is_not_there(gateway: Gateway, emil: Caller, asked: Reply) -> None:
    assert gateway.replay(emil, asked.trace_id) is None
    assert gateway.get_trace(emil, asked.trace_id) is None
