"""Cases come from YAML, all problems are told at once, and twins leave the retriever together."""

from pathlib import Path

from evals.cases import Case, left_out, load_cases
from metric_layer.issues import Issue


def written(folder: Path, text: str) -> tuple[Case, ...] | list[Issue]:
    file = folder / "cases.yml"
    file.write_text(text, encoding="utf-8")
    return load_cases(file)


def test_a_file_of_cases_is_read(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        """
cases:
  - id: revenue
    question: What was net revenue in May?
    phrasings: [net revenue May, revenue in May after refunds]
    gold_sql: SELECT 1
    decimals: 2
  - id: weather
    question: Will it rain?
    expect: abstain
""",
    )
    assert isinstance(found, tuple)
    assert [(case.id, case.expect, case.decimals) for case in found] == [
        ("revenue", "answer", 2),
        ("weather", "abstain", None),
    ]


def test_every_problem_is_told_with_its_line(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        """
cases:
  - id: one
    question: A?
    gold_sql: SELECT 1
  - id: one
    question: B?
  - id: three
    question: C?
    expect: ask
    gold_sql: SELECT 1
""",
    )
    assert isinstance(found, list)
    assert [(issue.code, issue.place.split(":")[-2]) for issue in found] == [
        ("duplicate_case", "6"),
        ("nothing_expected", "6"),
        ("two_expectations", "10"),
    ]
    assert all(issue.next_step for issue in found)


def test_an_unknown_key_is_refused_with_its_near_name(tmp_path: Path) -> None:
    found = written(tmp_path, "cases:\n  - id: a\n    question: A?\n    gold_sq: SELECT 1\n")
    assert isinstance(found, list)
    assert any("gold_sql" in issue.candidates for issue in found)


def test_a_case_hides_itself_and_its_twins_and_nobody_else() -> None:
    cases = tuple(
        Case(id=name, question="?", gold_sql=sql)
        for name, sql in (
            ("a", "SELECT city FROM stores"),
            ("b", "select City from STORES -- the same"),
            ("c", "SELECT name FROM stores"),
            ("d", "SELECT FROM"),
            ("e", "SELECT FROM"),
        )
    )
    assert dict(left_out(cases, "duckdb")) == {
        "a": ("a", "b"),
        "b": ("b", "a"),
        "c": ("c",),
        "d": ("d",),
        "e": ("e",),
    }
