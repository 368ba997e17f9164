"""Every verb that prints an object prints what its published schema says."""

import json
from pathlib import Path

from jsonschema import Draft202012Validator

from gateway.doors.published import VERBS, verb_schemas
from tests.gateway.doors.shell import Shell

DECIDES = {"review show", "review decide", "analyses accept"}
"""They need a hold: tests/gateway/holds and tests/gateway/analyses."""
MOVES = {"release promote", "release demote", "release shadow", "trace export"}
"""They need a shadow, an owner or a file: tests/gateway/ladder and tests/gateway/tracing."""
KEEPS = {
    "trace unseal",
    "trace erase",
    "trace named",
    "trace hold",
    "trace retain",
    "keys rotate",
    "keys backup",
    "keys restore",
}
"""They need a custodian: tests/gateway/test_custody.py and tests/gateway/doors/test_cli_custody.py."""
FINDS = {"discover", "discover accept", "token create", "token revoke"}
"""They need a sample, or a token: tests/gateway/discovery and tests/gateway/doors/test_cli_tokens.py."""
MAKES = {"init", "demo", "mcp install"}


def test_the_schema_of_a_verb_fits_what_it_prints(
    cellbound: Shell, revenue: dict[str, object], shop: Path
) -> None:
    schemas = verb_schemas()
    (shop / "cases.jsonl").write_text(
        '{"id": "a", "sql": "SELECT 1", "role": "analyst", "verdict": "allow"}\n'
    )
    assert cellbound("metrics", "export", "--to", "ossie.yml").status == 0
    plan = json.dumps(revenue)
    asked = cellbound("ask", "-", "--json", stdin=plan)
    trace = asked.object["trace_id"]
    printed = {
        "ask": asked,
        "metrics list": cellbound("metrics", "list", "--json"),
        "metrics show": cellbound("metrics", "show", "net_revenue", "--json"),
        "metrics validate": cellbound("metrics", "validate", "--json"),
        "metrics diff": cellbound("metrics", "diff", ".", ".", "--against-traces", "--json"),
        "metrics choices": cellbound("metrics", "choices", "--json"),
        "metrics attest": cellbound("metrics", "attest", "--json"),
        "metrics import": cellbound(
            "metrics", "import", "ossie.yml", "--from", "ossie", "--to", "read", "--json"
        ),
        "policy test": cellbound("policy", "test", "cases.jsonl", "--json"),
        "policy diff": cellbound("policy", "diff", "policies", "policies", "--json"),
        "check-answer": cellbound("check-answer", trace, "-", "--json", stdin="It was 7."),
        "sql check": cellbound("sql", "check", "-", "--json", stdin="SELECT 1"),
        "trace list": cellbound("trace", "list", "--json"),
        "trace show": cellbound("trace", "show", trace, "--json"),
        "trace verify": cellbound("trace", "verify", "--json"),
        "trace checkpoint": cellbound("trace", "checkpoint", "--json"),
        "trace diff": cellbound("trace", "diff", trace, trace, "--json"),
        "replay": cellbound("replay", trace, "--json"),
        "doctor": cellbound("doctor", "--json"),
        "analyses list": cellbound("analyses", "list", "--json"),
        "analyses run": cellbound(
            "analyses", "run", "revenue_review", "--set", "region=EMEA", "--set", "period=Q3 2026", "--json"
        ),
        "trace find": cellbound("trace", "find", "--metric", "net_revenue", "--json"),
        "trace why": cellbound("trace", "why", trace, "--json"),
        "trace index": cellbound("trace", "index", "--json"),
        "review list": cellbound("review", "list", "--as", "rita", "--json"),
        "review calibration": cellbound("review", "calibration", "--as", "rita", "--json"),
        "release list": cellbound("release", "list", "--as", "rita", "--json"),
        "release show": cellbound("release", "show", "governed", "--as", "rita", "--json"),
        "keys list": cellbound("keys", "list", "--json"),
        "token list": cellbound("token", "list", "--json"),
        "explain": cellbound("explain", "fan_out", "--json"),
        "config show": cellbound("config", "show", "--json"),
        "release check": cellbound("release", "check", "--as", "rita", "--json"),
    }
    elsewhere = {verb for verb in VERBS if verb.startswith("eval ")} | DECIDES | MOVES | KEEPS | FINDS | MAKES
    assert set(printed) == set(VERBS) - elsewhere
    for verb, said in printed.items():
        Draft202012Validator({"$defs": schemas["$defs"], **schemas["verbs"][verb]}).validate(said.object)
