"""Records of many questions, written between each other, are put together question by question."""

from tests.traces.samples import closed, opened
from traces.assembly import questions
from traces.records import AnyRecord, Close


def test_questions_come_as_they_closed_and_open_ones_last() -> None:
    records: list[AnyRecord] = [opened("a"), opened("b"), opened("c"), closed("b"), closed("a")]
    found = [(question.trace_id, end.trace_id if end else "") for question, end in questions(records)]
    assert found == [("b", "b"), ("a", "a"), ("c", "")]


def test_a_close_without_its_question_is_nobodys() -> None:
    again: Close = closed("a", outcome="denied")
    assert list(questions([closed("b"), opened("a"), closed("a"), again])) == [(opened("a"), closed("a"))]
