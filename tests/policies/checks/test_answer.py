"""What the answer check found becomes decisions: numbers and scope deny, open claims hold."""

from policies.checks.answer import check_answer_claims, check_answer_numbers, check_answer_scope
from policies.facts import AnswerFacts
from policies.register import ANSWER_CHECKS, judge, worst
from traces.grounding import Grounding, SpanFinding
from traces.records import Cell, Citation

WRONG = SpanFinding(
    code="wrong_cell",
    start=5,
    end=9,
    text="$3.1",
    message="$3.1 belongs to APAC",
    belongs_to=Cell(row=1, column="revenue"),
    expected="$4.8",
    next_step="Name the row.",
)
WINDOW = SpanFinding(code="window", start=0, end=2, text="Q2", message="Q2: the question ran over Q3")
OPEN = SpanFinding(code="claim", start=0, end=7, text="because", message="a cause claim")
REFUTED = SpanFinding(
    code="claim", start=0, end=7, text="highest", message="the cells say otherwise", expected="APAC 5"
)


def facts(*findings: SpanFinding, verdict: str = "block") -> AnswerFacts:
    cited = Citation(start=0, end=1, text="5", value="5", kind="cell")
    grounding = Grounding.model_validate(
        {
            "verdict": verdict,
            "text": "x",
            "citations": (cited, cited),
            "findings": findings,
            "flags": ("trend",),
        }
    )
    return AnswerFacts(grounding=grounding)


def test_a_wrong_number_is_denied_with_its_span_and_the_right_figure_and_may_be_tried_again() -> None:
    (finding,) = check_answer_numbers(facts(WRONG))
    assert (finding.verdict, finding.retry, finding.span) == ("hard", True, (5, 9))
    assert (finding.seen, finding.threshold, finding.place, finding.next_step) == (
        "$3.1",
        "$4.8",
        "1.revenue",
        "Name the row.",
    )


def test_a_clean_draft_says_how_many_numbers_were_cited() -> None:
    (finding,) = check_answer_numbers(facts(verdict="pass"))
    assert (finding.verdict, finding.seen) == ("allow", "2 numbers, 2 cited")


def test_another_window_is_denied_by_the_scope_check_alone() -> None:
    assert [f.verdict for f in check_answer_scope(facts(WINDOW))] == ["hard"]
    assert [f.verdict for f in check_answer_numbers(facts(WINDOW))] == ["allow"]


def test_an_open_claim_holds_and_a_refuted_one_is_denied() -> None:
    assert [(f.verdict, f.retry) for f in check_answer_claims(facts(OPEN, verdict="hold"))] == [
        ("hold", False)
    ]
    assert [(f.verdict, f.retry) for f in check_answer_claims(facts(REFUTED))] == [("hard", True)]


def test_the_fixed_text_is_allowed() -> None:
    decisions = judge(ANSWER_CHECKS, facts(verdict="fixed_message"))
    assert worst(decisions) == "allow"
    assert [d.check for d in decisions] == ["numbers", "scope", "claims"]


def test_every_wrong_span_is_a_decision_of_its_own() -> None:
    decisions = judge(ANSWER_CHECKS, facts(WRONG, WRONG, WINDOW, OPEN))
    assert [d.verdict for d in decisions] == ["hard", "hard", "hard", "hold"]
    assert worst(decisions) == "hard"
