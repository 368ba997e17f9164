"""`cellbound discover`: a suggestion changes nothing, what is accepted is enforced at once, drift is seen."""

import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from gateway.discovery.decisions import FILE
from gateway.doors.cli.main import run
from gateway.engines.duckdb_sample import DuckDBSampler
from gateway.engines.sample import MOST_ROWS, SHOWN
from gateway.reply import SqlReport
from gateway.service import Gateway
from metric_layer.load import load_layer
from tests.gateway.conftest import ANA, RITA

CANARY = "zebra.canary.77@example.org"
CARD = "4111111111111111"
BY_SEGMENT = {"metrics": ["new_customers"], "dimensions": ["segment"]}


@pytest.fixture
def own_shop(shop: Path) -> Path:
    """The shop with a database of its own that may be written to, and canaries in an untagged column."""
    file = shop / "var" / "shop.duckdb"
    content = file.read_bytes()
    file.unlink()
    file.write_bytes(content)
    write(shop, f"UPDATE support_tickets SET ticket_status = '{CANARY}' WHERE ticket_id % 2 = 0")
    return shop


def write(shop: Path, statement: str) -> None:
    with duckdb.connect(str(shop / "var" / "shop.duckdb")) as database:
        database.execute(statement)


def discover(shop: Path, *arguments: str) -> int:
    return run(["discover", *arguments, "--project", str(shop)])


def accept(shop: Path, *arguments: str, by: str = "rita") -> int:
    return run(["discover", "accept", *arguments, "--as", by, "--project", str(shop)])


def tags(shop: Path) -> dict[str, str]:
    layer = load_layer(shop / "metrics")
    return {
        f"{d.name}.{c.name}": c.personal for d in layer.datasets.values() for c in d.columns if c.personal
    }


def verdict_of(gateway: Gateway, sql: str) -> str:
    report = gateway.check_sql(ANA, sql)
    assert isinstance(report, SqlReport)
    return report.verdict


def test_a_suggestion_changes_nothing(own_shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tags(own_shop)
    assert discover(own_shop, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert "support_tickets.ticket_status" in {s["column"] for s in report["suggestions"] if not s["tagged"]}
    assert tags(own_shop) == before and not (own_shop / "metrics" / FILE).exists()


def test_no_raw_value_is_on_the_terminal_in_a_file_or_a_trace(
    own_shop: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    write(own_shop, f"UPDATE products SET brand = '{CARD}'")
    caplog.set_level(0)
    assert discover(own_shop, "--out", str(own_shop / "found.yml")) == 0
    assert discover(own_shop, "--json") == 0
    assert discover(own_shop, "--drift") == 0
    assert accept(own_shop, str(own_shop / "found.yml")) == 0
    said = capsys.readouterr()
    files = (file for file in own_shop.rglob("*") if file.is_file() and file.suffix != ".duckdb")
    texts = [said.out, said.err, caplog.text]
    texts.extend(file.read_bytes().decode("utf-8", "replace") for file in files)
    for text in texts:
        assert CANARY not in text and CARD not in text and "@example.com" not in text


def test_an_accepted_tag_is_enforced_at_once_in_a_gateway_that_runs(
    own_shop: Path, open_shop: Callable[[], Gateway]
) -> None:
    gateway = open_shop()
    assert gateway.ask(ANA, BY_SEGMENT).outcome == "answered"
    assert accept(own_shop, "--column", "customers.segment", "--tag", "identity") == 0
    reload = gateway.reload()
    assert reload is not None and reload.outcome == "changed"
    assert gateway.ask(ANA, BY_SEGMENT).outcome == "invalid_plan"
    assert verdict_of(gateway, "SELECT segment FROM customers LIMIT 5") == "hard"


def test_a_file_without_decisions_is_refused_as_such(
    own_shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = own_shop / "empty.yml"
    file.write_text("decisions: []\n", encoding="utf-8")
    assert accept(own_shop, str(file), "--json") == 2
    (issue,) = json.loads(capsys.readouterr().out)["issues"]
    assert (issue["code"], issue["path"]) == ("nothing_decided", "/decisions")
    assert "Name a file" not in issue["next_step"] and "decisions" in issue["message"]


def test_only_a_data_owner_accepts(own_shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert accept(own_shop, "--column", "support_tickets.priority", "--tag", "identity", by="ana") == 3
    assert "accept_tags" in capsys.readouterr().err
    assert not (own_shop / "metrics" / FILE).exists()


@pytest.mark.parametrize("option", ["--as", "--by"])
def test_the_owner_is_named_like_the_person_of_any_verb_and_the_older_way_still_counts(
    own_shop: Path, option: str
) -> None:
    words = ("--column", "support_tickets.priority", "--tag", "identity", "--project", str(own_shop))
    assert run(["discover", "accept", *words, option, "ana"]) == 3
    assert run(["discover", "accept", *words, option, "rita"]) == 0


def test_every_wrong_decision_of_a_file_is_said_and_none_is_written(
    own_shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = own_shop / "found.yml"
    file.write_text(
        "decisions:\n"
        "  - {column: support_tickets.priorty, tag: identity}\n"
        "  - {column: customers.nobody, tag: contact}\n"
        "  - {column: support_tickets.priority, tag: contact}\n"
        "  - {column: support_tickets.minutes, tag: No Tag}\n",
        encoding="utf-8",
    )
    assert accept(own_shop, str(file), "--json") == 2
    issues = json.loads(capsys.readouterr().out)["issues"]
    assert [issue["seen"] for issue in issues] == ["support_tickets.priorty", "customers.nobody", "No Tag"]
    assert issues[0]["candidates"][0] == "support_tickets.priority"
    assert not (own_shop / "metrics" / FILE).exists()


def test_a_tag_that_stands_with_its_column_is_not_taken_away(own_shop: Path) -> None:
    before = tags(own_shop)
    assert accept(own_shop, "--column", "customers.email", "--tag", "none") != 0
    assert tags(own_shop) == before


def test_what_an_owner_called_not_personal_is_not_suggested_again(
    own_shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert accept(own_shop, "--column", "support_tickets.ticket_status", "--tag", "none") == 0
    capsys.readouterr()
    assert discover(own_shop, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert {s["column"]: s["tagged"] for s in report["suggestions"]}[
        "support_tickets.ticket_status"
    ] == "none"


def test_drift_names_new_columns_and_changed_forms_and_exits_3(
    own_shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert discover(own_shop, "--drift") == 2
    assert discover(own_shop) == 0 and discover(own_shop, "--drift") == 0
    write(own_shop, f"UPDATE products SET brand = '{CARD}'")
    write(own_shop, "ALTER TABLE support_tickets ADD COLUMN agent_notes VARCHAR")
    capsys.readouterr()
    assert discover(own_shop, "--drift", "--json") == 3
    drift = {each["column"]: each["drift"] for each in json.loads(capsys.readouterr().out)["drift"]}
    assert drift == {"products.brand": "changed_pattern", "support_tickets.agent_notes": "new_column"}
    assert discover(own_shop, "--drift") == 3, "the look that drift is held against stays"


def test_one_dataset_is_looked_at_and_the_others_stay_as_they_were(own_shop: Path) -> None:
    assert discover(own_shop) == 0
    kept = own_shop / "var" / "discovery.json"
    before = {each["column"] for each in json.loads(kept.read_text())["profiles"]}
    assert discover(own_shop, "--dataset", "customers") == 0
    assert {each["column"] for each in json.loads(kept.read_text())["profiles"]} == before
    assert discover(own_shop, "--dataset", "customrs") == 2


def test_a_sample_is_read_only_and_has_a_hard_row_limit(tmp_path: Path) -> None:
    file = tmp_path / "many.duckdb"
    with duckdb.connect(str(file)) as database:
        database.execute(f"CREATE TABLE t AS SELECT repeat('x', {SHOWN * 3}) AS a FROM range(5000)")
    sampler = DuckDBSampler(file, {}, 10.0)
    values = sampler.values(("t",), "a", 10**9)
    assert len(values) == MOST_ROWS and set(map(len, values)) == {SHOWN}
    with pytest.raises(duckdb.Error):
        sampler._database.execute("CREATE TABLE u AS SELECT 1")
    sampler.close()


def test_the_kept_report_is_private(own_shop: Path) -> None:
    assert discover(own_shop) == 0
    assert (own_shop / "var" / "discovery.json").stat().st_mode & 0o077 == 0


def test_a_reviewer_of_the_shop_is_its_data_owner(own_shop: Path, open_shop: Callable[[], Gateway]) -> None:
    assert "accept_tags" in open_shop().standing(RITA).rights
