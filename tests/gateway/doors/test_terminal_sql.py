"""A checked text for people: marks stand under what was found, and every finding takes one line."""

import pytest

from gateway.doors.terminal.screen import Terminal
from gateway.doors.terminal.sql import marked, print_sql_report
from gateway.reply import SqlReport
from traces.records import Decision

SQL = "SELECT mail,\n\tpay(1)\nFROM members"


def finding(check: str, text: str, *, verdict: str = "hard") -> Decision:
    start = SQL.index(text)
    return Decision.model_validate(
        {
            "stage": "sql",
            "check": check,
            "verdict": verdict,
            "reason": f"{text} is wrong",
            "span": (start, start + len(text)),
        }
    )


def test_marks_stand_under_their_places_with_the_numbers_of_the_findings() -> None:
    found = [finding("pii_column", "mail"), finding("function_allowlist", "pay"), finding("pii_star", "mail")]
    assert [line for line, _ in marked(SQL, found)] == [
        "  SELECT mail,",
        "         ^^^^ 1, 3",
        "  \tpay(1)",
        "  \t^^^ 2",
        "  FROM members",
    ]


def test_a_place_over_several_lines_is_marked_in_each_and_one_without_a_place_in_none() -> None:
    long = finding("cross_join", "pay(1)\nFROM")
    nowhere = long.model_copy(update={"span": None})
    lines = [line for line, is_mark in marked(SQL, [long, nowhere]) if is_mark]
    assert lines == ["  \t^^^^^^ 1", "  ^^^^ 1"]


def test_every_finding_takes_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    decisions = (finding("pii_column", "mail"), finding("join_key", "members", verdict="soft"))
    print_sql_report(Terminal(), SqlReport(verdict="hard", sql=SQL, regenerated="", decisions=decisions))
    out = capsys.readouterr().out.splitlines()
    assert [line for line in out if line.startswith(("hard  1", "soft  2"))] == [
        "hard  1 pii_column: mail is wrong",
        "soft  2 join_key: members is wrong",
    ]
