"""A slip of the pen is told in our own words, with what to do next, together with every other slip."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic_core.core_schema import ErrorType

from evals.given import read_given
from gateway.doors.explaining import Explained, explain
from tests.gateway.doors.shell import Said, Shell

RAW_CODES = frozenset(get_args(ErrorType)) - {"missing_argument"}
"""Every code of pydantic but the one whose name is ours, too: none of them is told."""
RAW_WORDS = re.compile(
    r"Value error|Input should|Field required|Extra inputs|unable to parse|should have at (least|most)"
    r"|does not match the formats|No such (option|command)|Invalid value for|Missing (argument|option)"
)


def codes_of(said: Said) -> list[str]:
    """Return the codes that were told, and hold every message against the words of other people."""
    assert not RAW_WORDS.search(said.out + said.err), said.err
    codes = re.findall(r"^\w+\[(\w+)\]", said.err + said.out, flags=re.MULTILINE)
    assert RAW_CODES.isdisjoint(codes)
    assert all(isinstance(explain(code), Explained) for code in codes), codes
    assert said.err.count("  next: ") + said.out.count("  next: ") >= len(codes), "every slip has a next step"
    return codes


@pytest.mark.parametrize(
    ("line", "codes", "near"),
    [
        ("trace find --since yesterday --version x --outcome answred --number many --limt 3",
         {"unknown_option", "wrong_option", "unknown_outcome", "unreadable_number"}, "answered"),
        ("trace fnd", {"unknown_verb"}, "find"),
        ("aks", {"unknown_verb"}, "ask"),
        ("ask --questoin hello --as", {"unknown_option", "missing_value"}, "--question"),
        ("init --demo shp --profile smal", {"missing_argument", "wrong_option"}, "shop"),
        ("trace list --limit 0", {"wrong_option"}, ""),
        ("trace list --limit many", {"wrong_option"}, ""),
        ("serve --port 99999999", {"wrong_option"}, ""),
        ("serve --port", {"missing_value"}, ""),
        ("trace show", {"missing_argument"}, ""),
        ("check-answer", {"missing_argument"}, ""),
        ("metrics validate one two", {"unexpected_argument"}, ""),
        ("review decide hold acept", {"unknown_verdict", "missing_option"}, "accept"),
        ("review list --status wating", {"unknown_status"}, "waiting"),
        ("trace export --format otl --since soon", {"bad_format", "wrong_option"}, "otel"),
        ("eval stef --since yesterday", {"wrong_option"}, ""),
        ("trace find --since 2026-02-30", {"wrong_option"}, "2026-02-28"),
        ("setup sql --engine duckbd", {"wrong_option"}, "duckdb"),
        ("metrics import file.yml --from dtb", {"wrong_option", "missing_option"}, "dbt"),
        ("explain unknwn_metric", {"unknown_code"}, "unknown_metric"),
        ("metrics show net_revenu", {"unknown_metric"}, "net_revenue"),
        ("analyses run revenu_review", {"unknown_analysis"}, "revenue_review"),
        ("metrics list --as anna", {"unknown_user"}, "ana"),
        ("token create --user annna --scope questions:aks --expires soon",
         {"unknown_user", "unknown_scope", "bad_expiry"}, "questions:ask"),
        ("release promote governd --reason x --as olga", {"unknown_class"}, "governed"),
        ("keys rotate --kind chian --reason x --as cleo", {"unknown_key_kind"}, "chain"),
        ("discover --dataset ordrs", {"unknown_dataset"}, "orders"),
    ],
)  # fmt: skip
def test_every_slip_of_a_command_line_is_told_at_once_and_is_usage(
    cellbound: Shell, line: str, codes: set[str], near: str
) -> None:
    said = cellbound(*line.split())
    assert said.status == 2
    assert set(codes_of(said)) == codes
    assert not near or re.search(rf"near: .*{re.escape(near)}", said.err + said.out)


def test_a_caller_who_asked_for_json_gets_the_slips_as_json(cellbound: Shell) -> None:
    said = cellbound("trace", "list", "--limit", "0", "--sinc", "x", "--json")
    assert said.status == 2
    told = {issue["code"]: issue for issue in said.object["issues"]}
    assert told.keys() == {"wrong_option", "unknown_option"}
    assert all(issue["next_step"] and issue["place"] == "command line" for issue in told.values())


def test_help_and_the_bare_name_of_a_group_still_show_how_it_is_used(cellbound: Shell) -> None:
    for line in ((), ("trace",), ("trace", "--help"), ("trace", "list", "-h")):
        said = cellbound(*line)
        assert "Usage:" in said.out + said.err and "[unread_command]" not in said.err


def asked(cellbound: Shell, plan: dict[str, object], *options: str) -> dict[str, dict[str, object]]:
    """Ask a plan and return what is wrong with it by its place."""
    said = cellbound("ask", "-", "--json", *options, stdin=json.dumps(plan))
    assert said.status == 2 and said.object["outcome"] == "invalid_plan"
    codes_of(said)
    assert RAW_CODES.isdisjoint(issue["code"] for issue in said.object["issues"])
    return {str(issue["path"]): issue for issue in said.object["issues"]}


def test_a_plan_is_told_its_unknown_keys_its_values_and_its_unknown_names_at_once(cellbound: Shell) -> None:
    wrong = asked(
        cellbound,
        {
            "metrics": ["net_revenu", "order_count"],
            "dimensions": ["regoin"],
            "filters": [{"field": "segmnt", "op": "inn", "values": ["x"]}],
            "limit": 200_000,
            "ordr": {},
            "net_revenue": 1,
        },
    )
    assert {path: issue["code"] for path, issue in wrong.items()} == {
        "/metrics/0": "unknown_metric",
        "/dimensions/0": "unknown_dimension",
        "/filters/0/field": "unknown_dimension",
        "/filters/0/op": "invalid_value",
        "/limit": "invalid_value",
        "/ordr": "unknown_key",
        "/net_revenue": "unknown_key",
    }
    assert wrong["/metrics/0"]["candidates"][:1] == ["net_revenue"]  # type: ignore[index]
    assert wrong["/limit"]["next_step"] == "Write a number of at most 100000."
    assert "metrics or dimensions" in str(wrong["/net_revenue"]["next_step"])


def test_what_stands_beside_a_plan_hides_nothing_of_the_plan(cellbound: Shell) -> None:
    wrong = asked(cellbound, {"metrics": [], "choices": [], "dry_run": 3, "limt": 1})
    assert wrong.keys() == {"/metrics", "/choices", "/dry_run", "/limt"}


@pytest.mark.parametrize("user", ["emil", "fay"])
def test_a_near_name_is_never_one_that_the_asker_may_not_see(cellbound: Shell, user: str) -> None:
    hidden, slip = "ticket_count", "ticket_cont"
    wrong = asked(
        cellbound, {"metrics": [slip], "filters": [{"field": "ticket_priorit"}], "x": 1}, "--as", user
    )
    plain = asked(cellbound, {"metrics": [slip]}, "--as", user)
    shown = cellbound("metrics", "show", slip, "--as", user)
    found = cellbound("trace", "find", "--metric", slip, "--as", user)
    words = cellbound("ask", "--question", f"{slip} by ticket_priorit", "--as", user)
    told = json.dumps([wrong, plain]) + shown.err + shown.out + found.out + found.err + words.out + words.err
    assert hidden not in told and "ticket_priority" not in told
    assert "ticket_count" in json.dumps(asked(cellbound, {"metrics": [slip]}, "--as", "ana"))


def places(said: Said) -> dict[str, str]:
    """Return the code that was told at each `file:line`, the file by its name alone."""
    found = re.findall(r"\[(\w+)\] (\S+?):(\d+):\d+:", said.err + said.out)
    return {f"{Path(file).name}:{line}": code for code, file, line in found}


def test_settings_are_told_every_slip_with_line_and_column(cellbound: Shell, shop: Path) -> None:
    lines = [
        "[project]", 'name = ""', "[engin]", 'url = "duckdb:x"', "[engine.duckdb]", 'workers = "two"',
        "wait_seconds = 1e9", "[server]", "port = true", "prt = 1", "[identity]", 'cli_user = "anna"',
        "[identity.users.ana]", 'rols = ["analyst"]', "[identity.oidc]", 'issuer = "http://idp.example"',
        "[notify]", 'webhook = "ftp://x"', "[[identity.tokens]]", 'user = "ana"', 'sha256 = "0b"',
    ]  # fmt: skip
    (shop / "cellbound.toml").write_text("\n".join(lines), encoding="utf-8")
    said = cellbound("config", "show")
    assert said.status == 1
    codes = codes_of(said)
    assert {"missing_key", "unknown_user"} <= set(codes)
    assert places(said) == {
        "cellbound.toml:2": "invalid_value",
        "cellbound.toml:3": "unknown_key",
        "cellbound.toml:6": "wrong_type",
        "cellbound.toml:7": "invalid_value",
        "cellbound.toml:9": "wrong_type",
        "cellbound.toml:10": "unknown_key",
        "cellbound.toml:13": "missing_key",
        "cellbound.toml:14": "unknown_key",
        "cellbound.toml:16": "invalid_value",
        "cellbound.toml:18": "invalid_value",
        "cellbound.toml:21": "invalid_value",
    }
    assert "near: engine" in said.err and "near: port" in said.err
    assert "0b" not in said.err.replace("[", ""), "a value may be a secret"


def test_a_file_that_is_no_toml_is_told_where_it_stops(cellbound: Shell, shop: Path) -> None:
    (shop / "cellbound.toml").write_text("[project]\nname = shop\n", encoding="utf-8")
    said = cellbound("config", "show")
    assert codes_of(said) == ["bad_toml"] and "cellbound.toml:2:8" in said.err


def test_a_variable_of_an_unknown_section_is_named(cellbound: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CELLBOUND_SERVR__PORT", "8080")
    said = cellbound("config", "show")
    assert codes_of(said) == ["unknown_key"]
    assert "$CELLBOUND_SERVR__PORT" in said.err and "near: server" in said.err


def test_definitions_are_told_unknown_keys_missing_types_and_unknown_names_at_once(
    cellbound: Shell, shop: Path
) -> None:
    (shop / "metrics" / "more.yml").write_text(
        "metrics:\n"
        "  - name: one\n"
        "    colour: red\n"
        "    version: x\n"
        "  - name: two\n"
        "    type: ratio\n"
        "    numerater: net_revenue\n"
        "    denominator: order_count\n"
        "metrcs: []\n",
        encoding="utf-8",
    )
    said = cellbound("metrics", "validate")
    assert said.status == 3
    codes_of(said)
    assert places(said) == {
        "more.yml:2": "missing_key",
        "more.yml:3": "unknown_key",
        "more.yml:4": "wrong_type",
        "more.yml:5": "missing_key",
        "more.yml:7": "unknown_key",
        "more.yml:9": "unknown_key",
    }
    assert "'type' is missing" in said.out and "'owner' is missing" in said.out


@pytest.mark.parametrize(
    ("slip", "codes"),
    [
        ("    primary_key: [order_id]\n    primary_key: [order_id]", {"yaml_duplicate_key"}),
        ("    primary_key: [order_id]\n  x", {"yaml_syntax"}),
    ],
    ids=["a key twice", "no yaml"],
)
def test_one_slip_in_a_file_is_not_told_again_by_everything_that_uses_the_file(
    cellbound: Shell, shop: Path, slip: str, codes: set[str]
) -> None:
    file = shop / "metrics" / "datasets.yml"
    text = file.read_text(encoding="utf-8")
    assert "    primary_key: [order_id]" in text
    file.write_text(text.replace("    primary_key: [order_id]", slip, 1), encoding="utf-8")
    (shop / "metrics" / "more.yml").write_text("metrcs: []\n", encoding="utf-8")
    assert set(codes_of(cellbound("metrics", "validate"))) == codes | {"unknown_key"}


def test_a_policy_is_told_its_form_and_its_names_at_once_with_their_lines(
    cellbound: Shell, shop: Path
) -> None:
    file = next((shop / "policies").glob("*.yml"))
    text = file.read_text(encoding="utf-8")
    text = text.replace("may: [ask, check_sql]", "may: [ask, chek_sql]", 1)
    file.write_text(text.replace("datasets: [customers", "datasets: [custmers", 1), encoding="utf-8")
    said = cellbound("metrics", "list")
    assert said.status == 1
    assert codes_of(said) == ["invalid_value", "unknown_dataset"]
    assert len(places(said)) == 2 and "near: customers" in said.err
    file.write_text(
        text.replace("chek_sql", "check_sql").replace("[customers", "[custmers"), encoding="utf-8"
    )
    said = cellbound("metrics", "list")
    assert set(codes_of(said)) == {"unknown_dataset"} and len(places(said)) > 1


def test_an_analysis_is_told_its_form_and_its_names_at_once(cellbound: Shell, shop: Path) -> None:
    file = shop / "analyses" / "revenue_review.yml"
    text = file.read_text(encoding="utf-8").replace("owner:", "ownr:", 1).replace("net_revenue", "net_revenu")
    file.write_text(text, encoding="utf-8")
    assert set(codes_of(cellbound("analyses", "list"))) == {"missing_key", "unknown_key", "unknown_metric"}


def test_cases_are_told_their_form_and_their_rules_at_once(cellbound: Shell, shop: Path) -> None:
    (shop / "cases").mkdir()
    (shop / "cases" / "c.yml").write_text(
        "cases:\n  - {id: a, question: x, foo: 1}\n  - {id: b, question: x}\n", encoding="utf-8"
    )
    assert set(codes_of(cellbound("analyses", "list"))) == {"unknown_key", "nothing_expected"}
    said = cellbound("eval", "run", "--as", "rita")
    assert (said.status, set(codes_of(said))) == (1, {"unknown_key", "nothing_expected"})


def test_an_empty_file_of_definitions_is_named_and_is_no_fault(cellbound: Shell, shop: Path) -> None:
    (shop / "metrics" / "later.yml").touch()
    said = cellbound("metrics", "validate")
    assert said.status == 0 and "later.yml is empty" in said.out
    assert cellbound("metrics", "validate", "--json").object["notes"]


def test_what_an_agent_said_wrongly_is_told_in_our_words() -> None:
    told = read_given('{"action": "jump", "rows": 3, "colour": "red"}')
    assert isinstance(told, str) and not RAW_WORDS.search(told)
    assert all(name in told for name in ("/action", "/rows", "/colour"))


def test_a_count_and_its_noun_agree(cellbound: Shell, revenue: dict[str, object]) -> None:
    assert cellbound("ask", "-", stdin=json.dumps(revenue)).status == 0
    assert "1 trace of 1 segment" in cellbound("trace", "index").out


def test_no_message_is_taken_from_the_validator() -> None:
    root = Path(__file__).parents[3]
    rooms = ("gateway", "policies", "evals", "traces", "metric_layer")
    files = [file for room in rooms for file in (root / room).rglob("*.py")]
    assert files
    taken = [
        file.name for file in files if re.search(r"""\[["']msg["']\]""", file.read_text(encoding="utf-8"))
    ]
    assert not taken
