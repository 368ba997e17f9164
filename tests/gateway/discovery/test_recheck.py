"""A served gateway looks for personal data again by itself: owners hear of it, and nothing changes."""

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import httpx
import pytest

from gateway.discovery.kept import keep, last_look, recheck_of, take_up
from gateway.discovery.reports import DiscoveryReport
from gateway.doors.cli.main import run
from gateway.doors.opened import Opened, opened
from gateway.doors.serving import rechecking as module
from gateway.doors.serving.rechecking import PASSWORD, Recheck, environment_of_a_look, rechecking
from gateway.engines.duckdb_sample import DuckDBSampler
from gateway.notices.channels import Mail, Notice
from gateway.settings.file import NotifySettings
from metric_layer.load import load_layer
from tests.gateway.conftest import ANA
from tests.gateway.notices.test_notices import hearing, mailbox, until
from tests.servers.served import ENVIRONMENT, Served, with_tokens

CANARY = "zebra.canary.78@example.org"
HOURS = 6
OFTEN = 0.02
LOOKED = ("columns not as they were", "not looked")
"""How a line begins that says what came of a look."""


@pytest.fixture
def looked(shop: Path) -> Path:
    """The shop with a database of its own that was looked at half a day ago, and looks again by itself."""
    file = shop / "var" / "shop.duckdb"
    content = file.read_bytes()
    file.unlink()
    file.write_bytes(content)
    with (shop / "cellbound.toml").open("a", encoding="utf-8") as settings:
        settings.write(f"\n[discovery]\nrecheck_hours = {HOURS}\n")
    assert run(["discover", "--project", str(shop)]) == 0
    age(shop, hours=12)
    return shop


def base(shop: Path) -> Path:
    return shop / "var" / "discovery.json"


def age(shop: Path, hours: int) -> None:
    """Make the last look as old as that."""
    found = last_look(base(shop))
    assert found is not None
    keep(base(shop), found.model_copy(update={"at": datetime.now(UTC) - timedelta(hours=hours)}))


def change(shop: Path) -> None:
    """Fill a column that held no personal data with addresses."""
    with duckdb.connect(str(shop / "var" / "shop.duckdb")) as database:
        database.execute(f"UPDATE products SET brand = '{CANARY}'")


def tell_to(shop: Path, url: str) -> None:
    with (shop / "cellbound.toml").open("a", encoding="utf-8") as settings:
        settings.write(f'\n[notify]\nwebhook = "{url}"\nbase_url = "https://gate.example/"\n')


def newest(shop: Path) -> DiscoveryReport | None:
    return last_look(recheck_of(base(shop)))


def enforced(shop: Path) -> dict[str, str]:
    layer = load_layer(shop / "metrics")
    return {f"{d.name}.{c.name}": c.personal for d in layer.datasets.values() for c in d.columns}


@contextmanager
def served(shop: Path, told: list[str]) -> Iterator[Opened]:
    with opened(shop) as house, rechecking(house, told.append, OFTEN):
        yield house


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What would be started as a process of its own; none is, and each look ends well."""
    seen: list[tuple[str, ...]] = []

    def started(arguments: tuple[str, ...], _: threading.Event) -> tuple[int, str]:
        seen.append(arguments)
        return 0, ""

    monkeypatch.setattr(module, "_run", started)
    return seen


def test_a_column_whose_form_changed_is_told_to_its_owners_once_and_changes_nothing(
    looked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("the data was read in the process that serves")

    monkeypatch.setattr(DuckDBSampler, "__init__", never)
    change(looked)
    before, kept, told = enforced(looked), base(looked).read_bytes(), list[str]()
    with hearing([]) as (url, heard):
        tell_to(looked, url)
        for _ in range(2):
            with served(looked, told) as house:
                assert until(lambda: len(heard) == 1 and newest(looked) is not None)
                assert house.gateway.ask(ANA, {"metrics": ["order_count"]}).outcome == "answered"
    assert heard == [{"event": "personal_data_drift", "link": "https://gate.example/console/personal"}]
    assert told == ["columns not as they were: 1 (cellbound discover --drift)"]
    found = newest(looked)
    assert found is not None
    assert [(each.column, each.drift) for each in found.drift] == [("products.brand", "changed_pattern")]
    assert enforced(looked) == before and base(looked).read_bytes() == kept
    assert not (looked / "metrics" / "personal.yml").exists()
    written = [file for file in looked.rglob("*") if file.is_file() and file.suffix != ".duckdb"]
    assert not [file for file in written if CANARY.encode() in file.read_bytes()]


def test_where_nothing_changed_nobody_is_told(looked: Path) -> None:
    told: list[str] = []
    with hearing([]) as (url, heard):
        tell_to(looked, url)
        with served(looked, told):
            assert until(lambda: newest(looked) is not None)
    found = newest(looked)
    assert found is not None and found.drift == ()
    assert not told and not heard


def test_a_look_comes_only_after_the_hours_of_the_settings(
    looked: Path, looks: list[tuple[str, ...]]
) -> None:
    age(looked, hours=HOURS - 1)
    with served(looked, []):
        time.sleep(10 * OFTEN)
        assert not looks
        age(looked, hours=HOURS + 1)
        assert until(lambda: len(looks) == 1)
        time.sleep(10 * OFTEN)
    assert looks == [("discover", "--drift", "--project", str(looked.resolve()))]


@pytest.mark.parametrize(
    ("served", "look"),
    [
        ({"PGPASSWORD": "of-the-stores"}, {}),
        ({"PGPASSWORD": "of-the-stores", PASSWORD: "own"}, {"PGPASSWORD": "own"}),
        ({PASSWORD: "own", "TZ": "UTC"}, {"PGPASSWORD": "own", "TZ": "UTC"}),
    ],
)
def test_a_look_has_its_own_password_and_never_that_of_the_stores(
    served: dict[str, str], look: dict[str, str]
) -> None:
    assert environment_of_a_look(served) == look


def test_without_the_setting_nothing_looks(looked: Path, looks: list[tuple[str, ...]]) -> None:
    settings = looked / "cellbound.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace(f"recheck_hours = {HOURS}", "recheck_hours = 0"), encoding="utf-8")
    with served(looked, []):
        assert "recheck" not in {thread.name for thread in threading.enumerate()}
    assert not looks


def test_before_anybody_looked_it_is_said_once_and_questions_go_on(
    looked: Path, looks: list[tuple[str, ...]]
) -> None:
    base(looked).unlink()
    told: list[str] = []
    with served(looked, told) as house:
        assert until(lambda: bool(told))
        time.sleep(10 * OFTEN)
        assert house.gateway.ask(ANA, {"metrics": ["order_count"]}).outcome == "answered"
    assert len(told) == 1 and "cellbound discover" in told[0] and not looks


def test_a_look_that_fails_is_told_and_tried_again_only_when_it_is_due(looked: Path) -> None:
    settings = looked / "cellbound.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("[discovery]\n", '[discovery]\nurl = "duckdb:gone.duckdb"\n'), "utf-8")
    told: list[str] = []
    with served(looked, told) as house:
        assert until(lambda: bool(told))
        time.sleep(10 * OFTEN)
        assert house.gateway.ready().ready
    assert (
        len(told) == 1 and told[0].startswith("not looked for personal data: ") and "gone.duckdb" in told[0]
    )
    assert newest(looked) is None


def test_of_two_processes_that_serve_a_project_one_looks(
    looked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, seen = threading.Event(), threading.Event(), list[str]()

    def slow(arguments: tuple[str, ...], _: threading.Event) -> tuple[int, str]:
        seen.append(arguments[0])
        begun.set()
        assert go_on.wait(20)
        return 0, ""

    monkeypatch.setattr(module, "_run", slow)
    with opened(looked) as house:
        one, other = (Recheck(house, lambda _: None, threading.Event()) for _ in range(2))
        first = threading.Thread(target=one._when_due)
        first.start()
        assert begun.wait(20)
        other._when_due()
        go_on.set()
        first.join(20)
    assert seen == ["discover"]


def test_a_server_that_ends_waits_for_no_look(
    looked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "begun"
    endless = f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(3600)"
    monkeypatch.setattr(module, "PROGRAM", ("-c", endless))
    told: list[str] = []
    with served(looked, told):
        assert until(lambda: mark.exists() and bool(mark.read_text()))
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)
    assert not told


@pytest.mark.slow
def test_cellbound_serve_looks_again(looked: Path) -> None:
    with_tokens(looked, ("ana",))
    change(looked)
    with Served(looked, {**os.environ, **ENVIRONMENT}) as gateway:
        assert gateway.process.stderr is not None
        told = next((line for line in gateway.process.stderr if line.startswith(LOOKED)), "")
        # It serves, and so ends in its own way when it is told to, once it answers, however late that is.
        assert httpx.get(f"{gateway.address}/health/live", timeout=None).status_code == 200
    assert told == "columns not as they were: 1 (cellbound discover --drift)\n"
    assert gateway.process.returncode == 0 and newest(looked) is not None


def test_a_plain_look_is_the_one_to_go_by_from_then_on(looked: Path) -> None:
    change(looked)
    assert run(["discover", "--drift", "--dataset", "customers", "--project", str(looked)]) == 0
    assert newest(looked) is None, "a part of the data says nothing of all of it"
    assert run(["discover", "--drift", "--project", str(looked)]) == 3 and newest(looked) is not None
    assert run(["discover", "--project", str(looked)]) == 0 and newest(looked) is None
    assert run(["discover", "--drift", "--project", str(looked)]) == 0


def test_data_that_could_not_be_read_again_is_told_and_what_was_known_of_it_stays(
    looked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = last_look(base(looked))
    with duckdb.connect(str(looked / "var" / "shop.duckdb")) as database:
        database.execute("DROP TABLE customers CASCADE")
    told: list[str] = []
    with served(looked, told):
        until(lambda: bool(told))
    assert told == ["not looked at for personal data: 1 (cellbound discover --drift)"]
    capsys.readouterr()
    assert run(["discover", "--drift", "--project", str(looked)]) == 0
    assert "not looked at: customers " in capsys.readouterr().out
    newer = newest(looked)
    assert before is not None and newer is not None
    assert [each.place for each in newer.unread] == ["customers"]
    assert take_up(base(looked), newer.at.isoformat())
    after = last_look(base(looked))
    assert after is not None and after.at == newer.at
    assert {each.column for each in after.profiles} == {each.column for each in before.profiles}
    assert {each.column for each in after.suggestions} == {each.column for each in before.suggestions}
    assert any(each.column.startswith("customers.") for each in after.suggestions)


def test_what_an_owner_said_of_a_column_stands_beside_its_change(
    looked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--column", "products.brand", "--tag", "none", "--as", "rita", "--project", str(looked))
    assert run(["discover", "accept", *words]) == 0
    change(looked)
    capsys.readouterr()
    assert run(["discover", "--drift", "--json", "--project", str(looked)]) == 3
    (found,) = json.loads(capsys.readouterr().out)["drift"]
    assert (found["column"], found["tagged"]) == ("products.brand", "none")


@pytest.mark.parametrize("link", ["https://gate.example/console/personal", ""])
def test_a_mail_of_changed_columns_names_none_of_them(link: str) -> None:
    with mailbox() as (port, letters):
        settings = NotifySettings(
            smtp_host="127.0.0.1",
            smtp_port=port,
            smtp_tls="none",
            mail_from="gate@example.org",
            mail_to=("rita@example.org",),
        )
        Mail(settings).send(Notice("drift-0123", link, datetime(2099, 7, 1, tzinfo=UTC)))
    (letter,) = letters
    assert "Subject: Columns are not as they were" in letter and "<drift-0123@cellbound.invalid>" in letter
    assert (link or "cellbound discover --drift") in letter and "review" not in letter


def test_the_same_changes_are_told_again_after_a_week_and_others_at_once(looked: Path) -> None:
    with hearing([]) as (url, heard):
        tell_to(looked, url)
        with opened(looked) as house:
            notices, now = house.gateway.notices, datetime.now(UTC)
            assert notices is not None
            for mark in ("one", "one", "other"):
                notices.tell_drift(mark, now)
            assert until(lambda: len(heard) == 2)
            with house.gateway.state._file.transaction() as rows:
                long_ago = (now - timedelta(days=9)).timestamp()
                rows.execute("UPDATE notices SET expires = ?", (long_ago,))
            notices.tell_drift("one", now)
            assert until(lambda: len(heard) == 3)
