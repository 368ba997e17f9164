"""The command that turns labelled SQL cases into verdict lines, on a schema and cases of our own."""

import json
from pathlib import Path

from tests.corpora.__main__ import main

SCHEMA = """
now: 2026-11-30T00:00:00Z
dialects: {postgres: {default_schema: s, identifier_folding: lower}}
tables:
  s.a: {grain: [id], rows: 10, columns: {id: {type: bigint}, secret: {type: text, pii: true}}}
  s.b:
    grain: [id]
    columns: {id: {type: bigint}, a_id: {type: bigint}}
    required_filter: {column: id, max_window_days: 9}
joins: [{left: s.b.a_id, right: s.a.id, cardinality: many_to_one}]
policy: {row_limit: {max: 50}, generated_rows_max: 1000}
roles:
  analyst: {tables: [s.a, s.b], pii: deny}
  clerk: {tables: [s.b], pii: deny}
"""
CASES: tuple[tuple[str, str, dict[str, str], str, list[str]], ...] = (
    ("fine", "SELECT id FROM s.a", {}, "ok", []),
    ("personal", "SELECT secret FROM s.a", {}, "hard", ["pii_column"]),
    ("other role", "SELECT id FROM s.a", {"role": "clerk"}, "hard", ["table_allowlist"]),
    ("starred", "SELECT id FROM (SELECT * FROM s.b) x", {}, "soft", ["date_filter", "select_star"]),
    ("too many rows", "SELECT x FROM generate_series(1, 1001) x", {}, "hard", ["resource_bomb"]),
)


def test_every_case_gets_one_verdict_line_from_the_schema_alone(tmp_path: Path) -> None:
    schema, cases, out = tmp_path / "schema.yml", tmp_path / "cases.jsonl", tmp_path / "verdicts.jsonl"
    schema.write_text(SCHEMA, encoding="utf-8")
    lines = [{"id": name, "sql": sql, "dialect": "postgres", **more} for name, sql, more, _, _ in CASES]
    cases.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main(["sql", str(cases), "--schema", str(schema), "--out", str(out)]) == 0
    found = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert found == [
        {"id": name, "verdict": verdict, "checks": checks} for name, _, _, verdict, checks in CASES
    ]
