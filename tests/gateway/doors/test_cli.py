"""The command line over the demo shop: exit statuses, one object, and no traceback."""

import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.reply import Reply
from tests.gateway.doors.shell import Shell


def test_a_plan_is_answered_with_its_evidence(cellbound: Shell, revenue: dict[str, object]) -> None:
    said = cellbound("ask", "-", "--json", stdin=json.dumps(revenue))
    reply = said.object
    assert (said.status, reply["outcome"]) == (0, "answered")
    assert reply["citations"]
    assert set(reply) == set(Reply.model_fields), "the same object as over MCP and HTTP"
    assert all(isinstance(row[-1], str) for row in reply["rows"]), "decimals travel as strings"


def test_for_people_every_number_is_marked(cellbound: Shell, revenue: dict[str, object]) -> None:
    said = cellbound("ask", "-", stdin=json.dumps(revenue))
    assert said.status == 0
    assert "answered" in said.out
    assert "[1]" in said.out


def test_a_dry_run_shows_sql_and_price_and_runs_nothing(cellbound: Shell, revenue: dict[str, object]) -> None:
    said = cellbound("ask", "-", "--dry-run", "--json", stdin=json.dumps(revenue))
    assert (said.status, said.object["outcome"]) == (0, "dry_run")
    assert said.object["estimate"]
    assert not said.object["rows"]
    assert not said.object["actual"]


def test_another_user_sees_other_rows(cellbound: Shell, revenue: dict[str, object]) -> None:
    ana = cellbound("ask", "-", "--json", stdin=json.dumps(revenue)).object
    emil = cellbound("ask", "-", "--json", "--as", "emil", stdin=json.dumps(revenue)).object
    assert 0 < emil["row_count"] < ana["row_count"]


def test_a_draft_goes_with_the_question_and_decides_the_exit(
    cellbound: Shell, revenue: dict[str, object], tmp_path: Path
) -> None:
    answer = cellbound("ask", "-", "--json", stdin=json.dumps(revenue)).object["answer"]
    draft = tmp_path / "draft.txt"
    draft.write_text(answer.splitlines()[0], encoding="utf-8")
    passed = cellbound("ask", "-", "--json", "--draft", str(draft), stdin=json.dumps(revenue))
    assert (passed.status, passed.object["draft"]["outcome"]) == (0, "passed")
    draft.write_text("Net revenue in EMEA was 123,456,789.01 in July 2026.", encoding="utf-8")
    blocked = cellbound("ask", "-", "--json", "--draft", str(draft), stdin=json.dumps(revenue))
    assert (blocked.status, blocked.object["draft"]["outcome"]) == (3, "blocked")


def test_a_draft_is_checked_by_another_process_than_the_one_that_asked(
    cellbound: Shell, revenue: dict[str, object]
) -> None:
    asked = cellbound("ask", "-", "--json", stdin=json.dumps(revenue)).object
    good = cellbound("check-answer", asked["trace_id"], "-", "--json", stdin=asked["answer"].splitlines()[0])
    assert (good.status, good.object["outcome"]) == (0, "passed")
    bad = cellbound("check-answer", asked["trace_id"], "-", stdin="EMEA made 123,456,789.01 in July 2026.")
    assert bad.status == 3
    assert "123,456,789.01" in bad.out


@pytest.mark.parametrize(
    ("stdin", "status", "code"),
    [
        ('{"metrics": [}', 2, "bad_json"),
        (b"\xff", 2, "bad_file"),
        ('{"metrics": ["net_revenu"]}', 2, None),
        ('{"metric": ["net_revenue"]}', 2, None),
        ('{"metrics": []}', 2, None),
        ("[]", 2, None),
        ("null", 2, None),
        ('{"metrics": ["net_revenue"], "time": {"from": "2026-09-30", "to": "2026-07-01"}}', 2, None),
        ('{"metrics": ["net_revenue"], "choices": [1]}', 2, None),
    ],
    ids=["cut", "bytes", "name", "key", "nothing", "list", "null", "reversed", "choices"],
)
def test_a_bad_plan_exits_with_two_and_says_why_in_one_object(
    cellbound: Shell, stdin: str | bytes, status: int, code: str | None
) -> None:
    said = cellbound("ask", "-", "--json", stdin=stdin)
    assert said.status == status
    assert said.object["issues"]
    assert all(issue["code"] and issue["message"] for issue in said.object["issues"])
    if code:
        assert [issue["code"] for issue in said.object["issues"]] == [code]


def test_a_misspelt_metric_is_met_with_its_near_name(cellbound: Shell) -> None:
    said = cellbound("ask", "-", stdin='{"metrics": ["net_revenu"]}')
    assert said.status == 2
    assert "near: net_revenue" in said.out


@pytest.mark.parametrize(
    ("sql", "status"),
    [
        ("SELECT region, COUNT(*) AS n FROM customers GROUP BY region LIMIT 10", 0),
        ("SELECT * FROM read_csv('/etc/passwd')", 3),
        ("SELECT employee FROM hr.salaries", 3),
        ("DROP TABLE orders", 3),
        ("not SQL", 3),
    ],
)
def test_sql_is_judged_and_never_run(cellbound: Shell, sql: str, status: int) -> None:
    said = cellbound("sql", "check", "-", "--json", stdin=sql)
    assert said.status == status, said.out
    assert said.object["decisions"]


def test_traces_are_listed_shown_verified_and_replayed(cellbound: Shell, revenue: dict[str, object]) -> None:
    asked = cellbound("ask", "-", "--json", stdin=json.dumps(revenue))
    trace = asked.object["trace_id"]
    assert [line["trace_id"] for line in cellbound("trace", "list", "--json").object["traces"]] == [trace]
    shown = cellbound("trace", "show", trace, "--json")
    assert (shown.status, shown.object["outcome"]) == (0, "answered")
    verified = cellbound("trace", "verify", "-", "--json", stdin=asked.out)
    assert (verified.status, verified.object["ok"]) == (0, True)
    again = cellbound("replay", trace, "--json")
    assert (again.status, again.object["verdict"]) == (0, "same")
    for verb in (("trace", "list"), ("trace", "show", trace), ("trace", "verify"), ("replay", trace)):
        assert cellbound(*verb).status == 0


def test_a_replay_against_other_definitions_names_the_definition(
    cellbound: Shell, revenue: dict[str, object], shop: Path
) -> None:
    trace = cellbound("ask", "-", "--json", stdin=json.dumps(revenue)).object["trace_id"]
    other = shop.parent / "metrics"
    other.mkdir()
    for file in (shop / "metrics").glob("*.yml"):
        text = file.read_text(encoding="utf-8")
        head, found, tail = text.partition("- name: net_revenue\n")
        tail = tail.replace("version: 3", "version: 4", 1).replace(
            "gross_revenue - refunds", "gross_revenue - refunds - shipping_fees", 1
        )
        (other / file.name).write_text(head + found + tail, encoding="utf-8")
    said = cellbound("replay", trace, "--against", f"layer={other}", "--json")
    assert said.status == 3
    assert "net_revenue v3 -> v4" in said.object["detail"]


def test_a_forged_receipt_is_found(cellbound: Shell, revenue: dict[str, object]) -> None:
    receipt = cellbound("ask", "-", "--json", stdin=json.dumps(revenue)).object["receipt"]
    receipt["hash"] = "0" * len(receipt["hash"])
    said = cellbound("trace", "verify", "-", "--json", stdin=json.dumps(receipt))
    assert (said.status, said.object["ok"]) == (3, False)


@pytest.mark.parametrize(
    "command",
    [("trace", "show", "nothing"), ("replay", "nothing"), ("metrics", "show", "net_revenu")],
)
def test_what_is_not_there_exits_with_two(cellbound: Shell, command: tuple[str, ...]) -> None:
    said = cellbound(*command, "--json")
    assert said.status == 2
    assert said.object["issues"][0]["next_step"] or said.object["issues"][0]["candidates"]
    assert cellbound(*command).err


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("ask", "missing.json"), "bad_file"),
        (("ask", "-", "--as", "anna"), "unknown_user"),
        (("check-answer", "only-one"), "no_trace"),
        (("replay", "t", "--against", "polcy=x"), "bad_against"),
        (("trace", "verify", "cellbound.toml"), "bad_json"),
    ],
)
def test_wrong_usage_exits_with_two_and_says_what_to_write(
    cellbound: Shell, command: tuple[str, ...], code: str
) -> None:
    said = cellbound(*command, "--json", stdin='{"metrics": ["net_revenue"]}')
    assert said.status == 2
    assert said.object["issues"][0]["code"] == code
    assert f"[{code}]" in said.err


@pytest.mark.parametrize(
    "command", [(), ("ask",), ("nothing",), ("ask", "-", "--nothing"), ("init", "--demo", "x", "y")]
)
def test_a_command_line_that_is_none_exits_with_two(cellbound: Shell, command: tuple[str, ...]) -> None:
    assert cellbound(*command).status == 2


@pytest.mark.parametrize(
    "command",
    [("trace", "show", "\udcff"), ("metrics", "show", "\udcff"), ("check-answer", "\udcff", "draft.txt")],
)
def test_an_argument_that_is_not_utf8_is_wrong_usage(cellbound: Shell, command: tuple[str, ...]) -> None:
    said = cellbound(*command, "--json")
    assert (said.status, said.object["issues"][0]["code"]) == (2, "bad_json")
    assert said.object["issues"][0]["place"] == "command line"


def test_half_a_character_in_a_plan_is_wrong_usage(cellbound: Shell) -> None:
    said = cellbound("ask", "-", "--json", stdin=rb'{"metrics": ["\ud800"]}')
    assert (said.status, said.object["issues"][0]["path"]) == (2, "/metrics/0")


def test_metrics_are_listed_and_shown(cellbound: Shell) -> None:
    assert "net_revenue" in {
        line["name"] for line in cellbound("metrics", "list", "--json").object["metrics"]
    }
    assert cellbound("metrics", "show", "net_revenue", "--json").object["version"] == 3
    assert "net_revenue" in cellbound("metrics", "list").out
    assert "gross_revenue - refunds" in cellbound("metrics", "show", "net_revenue").out


def test_good_definitions_are_called_good(cellbound: Shell) -> None:
    said = cellbound("metrics", "validate", "--json")
    assert (said.status, said.object["ok"]) == (0, True)
    assert said.object["metrics"] > 0


def test_every_problem_of_the_definitions_is_told_with_its_place(cellbound: Shell, shop: Path) -> None:
    file = next(
        file for file in (shop / "metrics").glob("*.yml") if "net_revenue" in file.read_text(encoding="utf-8")
    )
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("gross_revenue - refunds", "gros_revenue - refund"), encoding="utf-8")
    said = cellbound("metrics", "validate", "--json")
    assert (said.status, said.object["ok"]) == (3, False)
    assert len(said.object["issues"]) >= 2
    assert all(issue["place"].count(":") >= 2 for issue in said.object["issues"])
    assert cellbound("metrics", "list").status == 1


def test_doctor_finds_the_shop_sound(cellbound: Shell) -> None:
    said = cellbound("doctor", "--json")
    assert (said.status, said.object["ready"]) == (0, True), said.out
    assert {finding["name"] for finding in said.object["findings"]} >= {"role analyst", "installation"}


@pytest.mark.parametrize(
    "harm",
    [
        lambda shop: (shop / "cellbound.toml").unlink(),
        lambda shop: (shop / "cellbound.toml").write_text("[project\n", encoding="utf-8"),
        lambda shop: next((shop / "policies").glob("*.yml")).write_text("roles: [", encoding="utf-8"),
        lambda shop: next((shop / "metrics").glob("*.yml")).write_text("a: [", encoding="utf-8"),
    ],
    ids=["no settings", "bad settings", "bad policy", "bad definitions"],
)
def test_a_broken_project_exits_with_one_and_doctor_says_where(
    cellbound: Shell, shop: Path, harm: Callable[[Path], object]
) -> None:
    harm(shop)
    said = cellbound("metrics", "list", "--json")
    assert said.status == (1 if (shop / "cellbound.toml").is_file() else 2)
    assert said.object["issues"]
    assert said.err
    found = cellbound("doctor", "--json")
    assert (found.status, found.object["ready"]) == (3, False)


def test_a_missing_database_fails_the_question_and_leaves_the_definitions_readable(
    cellbound: Shell, shop: Path, revenue: dict[str, object]
) -> None:
    (shop / "var" / "shop.duckdb").unlink()
    assert cellbound("metrics", "list").status == 0
    said = cellbound("ask", "-", "--json", stdin=json.dumps(revenue))
    assert (said.status, said.object["outcome"]) == (7, "failed")
    assert said.object["issues"][0]["next_step"]
    assert cellbound("doctor").status == 3
    assert "[not_proved]" in cellbound("serve").err


@pytest.mark.faults
@pytest.mark.parametrize("name", ["state.sqlite", "results.sqlite", "keys.json", "traces"])
def test_a_store_that_cannot_be_used_exits_with_one_and_names_the_file(
    cellbound: Shell, shop: Path, revenue: dict[str, object], name: str
) -> None:
    (shop / "var" / name).write_bytes(b"this is not what belongs here" * 200)
    said = cellbound("ask", "-", "--json", stdin=json.dumps(revenue))
    assert said.status == 1
    (issue,) = said.object["issues"]
    assert issue["code"] != "defect"
    assert name in issue["place"]
    assert issue["next_step"]


def test_a_missing_project_is_told_with_the_command_that_makes_one(
    cellbound: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = cellbound("metrics", "list", "--project", str(tmp_path))
    assert said.status == 2
    assert "cellbound init" in said.err


def test_serving_is_refused_where_nobody_could_come_in(cellbound: Shell, shop: Path) -> None:
    settings = shop / "cellbound.toml"
    text = settings.read_text(encoding="utf-8")
    keep = [block for block in text.split("\n\n") if "[[identity.tokens]]" not in block]
    settings.write_text("\n\n".join(keep).replace('stdio_user = "ana"', ""), encoding="utf-8")
    assert "[no_tokens]" in cellbound("serve").err
    said = cellbound("mcp")
    assert (said.status, "stdio_user" in said.err) == (2, True)


def test_a_port_that_is_taken_is_named_with_what_to_do(cellbound: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = cellbound("serve", "--port", str(taken.getsockname()[1]))
    assert said.status == 1
    assert "[address_unusable]" in said.err
    assert "--port" in said.err


def test_an_empty_project_is_made_once_and_never_over_something(cellbound: Shell, tmp_path: Path) -> None:
    made = cellbound("init", str(tmp_path / "mine"), "--json")
    assert made.status == 0, made.err
    assert (tmp_path / "mine" / "cellbound.toml").is_file()
    again = cellbound("init", str(tmp_path / "mine"))
    assert again.status == 2
    assert "not_empty" in again.err
