"""What people see: numbers marked with their cells, and no value that plays with the screen."""

import sys
from datetime import UTC, datetime
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.demo.showing import Shown, TourReport, TourStep
from gateway.doors.terminal.release import print_class
from gateway.doors.terminal.reply import marked, print_draft, print_reply, source_of
from gateway.doors.terminal.review import print_hold
from gateway.doors.terminal.screen import Terminal, plain
from gateway.doors.terminal.tour import print_tour
from gateway.ladder.view import ClassLine, ClassView
from gateway.reply import DraftReply, Reply, ReplyIssue
from gateway.reviews.view import HoldView
from metric_layer.issues import Option
from metric_layer.resolved import OutputColumn
from traces.grounding import SpanFinding
from traces.records import Cell, Citation
from traces.release_records import EvidenceFigure

REGION = OutputColumn(name="region", kind="dimension", type="string", label="Region")
REVENUE = OutputColumn(name="net_revenue", kind="metric", type="decimal", label="Net revenue", unit="EUR")


def citation(start: int, end: int, text: str, row: int) -> Citation:
    cell = Cell(row=row, column="net_revenue")
    return Citation(
        start=start,
        end=end,
        text=text,
        value=text,
        kind="cell",
        cell=cell,
        row_key=("EMEA",),
        metric="net_revenue",
        version=3,
    )


def test_every_cited_number_is_marked_and_its_cell_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    cited = (citation(8, 12, "1.50", 0), citation(17, 21, "2.75", 1))
    reply = Reply(outcome="answered", trace_id="t1", answer="EMEA at 1.50 APAC 2.75.", citations=cited[:1])
    print_reply(Terminal(), reply)
    out = capsys.readouterr().out
    assert "EMEA at 1.50[1] APAC 2.75." in out
    assert "[1] 1.50 = row 1 column net_revenue (EMEA), net_revenue v3" in out


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), max_size=5))
def test_marking_adds_marks_and_changes_nothing_else(shapes: list[tuple[int, int]]) -> None:
    text, cited = "", []
    for gap, width in shapes:
        text += "x" * gap
        cited.append(citation(len(text), len(text) + width, "7" * width, 0))
        text += "7" * width + " "
    found = marked(text, cited)
    for number in range(1, len(cited) + 1):
        assert f"7[{number}]" in found
        found = found.replace(f"[{number}]", "", 1)
    assert found == text


@given(st.text())
def test_no_control_character_reaches_the_screen(text: str) -> None:
    shown = plain(text)
    assert not [c for c in shown if c not in "\t\n" and category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    assert len(shown) == len(text)


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200b", "\u2028", "\x9b", "\U000e0041"])
def test_no_mark_turns_a_line_round_or_hides_in_it(mark: str, capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal()
    terminal.line(f"program a{mark}b")
    terminal.verdict("allow", f"a{mark}b")
    terminal.table(("name",), ((f"a{mark}b",),))
    terminal.note(f"a{mark}b")
    found = capsys.readouterr()
    assert mark not in found.out + found.err
    assert (found.out + found.err).count("a\N{REPLACEMENT CHARACTER}b") == 4


def test_a_value_cannot_colour_the_screen_or_pass_for_markup(capsys: pytest.CaptureFixture[str]) -> None:
    reply = Reply(
        outcome="answered",
        columns=(REGION, REVENUE),
        rows=(("\x1b[31mEMEA", "1.50"), ("[bold]APAC[/bold]", None)),
        row_count=2,
    )
    print_reply(Terminal(), reply)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "[bold]APAC[/bold]" in out


def test_away_from_a_terminal_there_is_no_colour_and_no_cell_is_cut(
    capsys: pytest.CaptureFixture[str],
) -> None:
    label = "a region with a name of some length, " * 3
    print_reply(Terminal(), Reply(outcome="answered", columns=(REGION,), rows=((label,),), row_count=1))
    out = capsys.readouterr().out
    assert label.strip() in out
    assert "\x1b" not in out


def test_a_cut_result_is_called_a_part(capsys: pytest.CaptureFixture[str]) -> None:
    print_reply(Terminal(), Reply(outcome="answered", truncated=True, limit_source="policy rows"))
    assert "Only a part: cut by policy rows." in capsys.readouterr().out


def test_a_refusal_says_code_place_near_names_and_next_step(capsys: pytest.CaptureFixture[str]) -> None:
    issue = ReplyIssue(
        code="unknown_metric",
        message="No such metric.",
        stage="plan",
        path="/metrics/0",
        seen="net_revenu",
        candidates=("net_revenue",),
        next_step="Use a name from the list.",
        term="sales",
        options=(Option(name="net_revenue", description="after refunds"),),
    )
    print_reply(Terminal(), Reply(outcome="invalid_plan", issues=(issue,)))
    out = capsys.readouterr().out
    for part in ("error[unknown_metric] /metrics/0", "net_revenu", "near: net_revenue", "next: Use a name"):
        assert part in out
    assert "choose sales=net_revenue: after refunds" in out


def test_a_blocked_draft_names_the_span_and_the_cell_it_should_have_been(
    capsys: pytest.CaptureFixture[str],
) -> None:
    finding = SpanFinding(
        code="wrong_cell",
        start=8,
        end=12,
        text="2.75",
        message="This is the value of another row.",
        belongs_to=Cell(row=0, column="net_revenue"),
        expected="1.50",
    )
    print_draft(Terminal(), DraftReply(outcome="blocked", findings=(finding,), attempts_left=2))
    out = capsys.readouterr().out
    assert "'2.75' at 8..12" in out
    assert "it stands in: row 1 column net_revenue" in out
    assert "should be: 1.50" in out
    assert "Attempts left: 2" in out


def test_a_derived_number_names_its_expression() -> None:
    derived = citation(0, 1, "3", 0).model_copy(update={"cell": None, "expression": "sum of net_revenue"})
    assert source_of(derived) == "sum of net_revenue"


def test_a_blocked_draft_says_what_to_do_next(capsys: pytest.CaptureFixture[str]) -> None:
    finding = SpanFinding(
        code="wrong_cell", start=0, end=4, text="2.75", message="No.", next_step="Write the value of its row."
    )
    print_draft(Terminal(), DraftReply(outcome="blocked", findings=(finding,), attempts_left=1))
    out = capsys.readouterr().out
    assert out.index("'2.75' at 0..4") < out.index("  next: Write the value of its row.")


def test_the_sql_of_a_hold_stands_one_clause_to_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    now = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
    hold = HoldView(
        hold_id="h1",
        trace_id="t1",
        kind="question",
        status="waiting",
        at=now,
        expires=now,
        asker="ana",
        role="analyst",
        own=False,
        may_decide=True,
        findings=(),
        sql="SELECT region, COUNT(*) FROM (SELECT region FROM customers WHERE x = 'FROM') GROUP BY region",
    )
    print_hold(Terminal(), hold)
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("SELECT region, COUNT(*)")
    assert lines[start + 1].startswith("FROM (") and "GROUP BY region" in lines
    assert any(line.strip() == "WHERE x = 'FROM')" or line.strip() == "WHERE x = 'FROM'" for line in lines)


def test_checks_without_a_firing_are_folded_into_one_line_of_a_class(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = ClassLine(name="governed", match="governed", stage="shadow", start="shadow", most="autonomous")
    fired = [EvidenceFigure(name=f"fired check_{n}", value=float(n == 3), n=5) for n in range(10)]
    print_class(
        Terminal(), ClassView(line=line, evidence=(EvidenceFigure(name="agreement", value=0.5, n=4), *fired))
    )
    out = capsys.readouterr().out
    assert "agreement" in out and "fired check_3" in out and "fired check_4" not in out
    assert "9 checks never fired" in out


def test_the_tour_fits_a_screen_of_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name, value in (("COLUMNS", "80"), ("NO_COLOR", "1"), ("TERM", "dumb")):
        monkeypatch.setenv(name, value)
    words = "every number of the sentence carries the cell it came from, " * 3
    shows = (
        Shown(kind="text", title=words, text=f"first\n  {words}"),
        Shown(kind="sql", title="SQL", text=f"SELECT {', '.join(f'column_{n}' for n in range(30))} FROM t"),
    )
    step = TourStep(number=1, title="A governed answer", says=words, shows=shows, kept=True)
    print_tour(Terminal(), TourReport(steps=(step,), seconds=1, kept=True))
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert " ".join(out.split()).count("every number of the sentence") == 9, "no word is lost"
