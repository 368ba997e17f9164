"""What was hidden of one record never changes what another one shows, whoever's it is."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.plan import Dialect
from tests.traces.samples import closed, decision
from traces import shown
from traces.hiding import Hiding, hidden
from traces.private import Private
from traces.records import Decision, Query
from traces.shown import Shown

KNOWN = frozenset({"region", "month"})
VALUES = ("", "month", "EMEA", "Elvira", "8675309")
VERDICTS = tuple(
    decision(f"check_{at}").model_copy(
        update={"stage": stage, "verdict": verdict, "duration_us": spent, "input": given, "seen": seen}
    )
    for at, (stage, verdict, spent, given, seen) in enumerate(
        (stage, verdict, spent, given, seen)
        for stage in ("sql", "cost", "answer")
        for verdict in ("allow", "hard")
        for spent in (0, 7)
        for given, seen in (("", "Elvira"), ("c" * 64, "EMEA"))
    )
)
PRIVATES = tuple(
    Private(subject, values, free=free)
    for subject in ("u_1", "u_2")
    for values in (frozenset[str](), frozenset({"EMEA"}), frozenset({"8675309"}))
    for free in (False, True)
)
DIALECTS: tuple[Dialect, ...] = ("duckdb", "postgres", "snowflake", "bigquery")


def known(name: str) -> bool:
    return name in KNOWN


def hiding(private: Private, memory: Shown | None = None) -> Hiding:
    return Hiding(private, lambda plain: sha256((private.subject + plain).encode()).hexdigest(), memory)


def sql_of(value: str) -> str:
    return f"SELECT '{value}' AS \"region\", 8675309 AS n /* EMEA */ FROM t WHERE x = 'Elvira'"


@given(
    asked=st.lists(
        st.tuples(
            st.sampled_from(PRIVATES),
            st.lists(st.sampled_from(VERDICTS), max_size=6),
            st.sampled_from(VALUES),
            st.sampled_from(DIALECTS),
        ),
        max_size=12,
    ),
    most=st.integers(1, 4),
)
def test_a_record_is_hidden_alike_whatever_was_hidden_before(
    asked: list[tuple[Private, list[Decision], str, Dialect]], most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shown, "VERDICTS", most)
        memory = Shown()
        for private, decisions, value, dialect in asked:
            query = Query(
                sql=sql_of(value), guard=sql_of("EMEA"), dialect=dialect, origin="plan", digest="e" * 64
            )
            record = closed("t1", query=query, decisions=tuple(decisions))
            remembering, alone = hiding(private, memory), hiding(private)
            assert hidden(record, remembering, known) == hidden(record, alone, known)
            assert remembering.taken == alone.taken


def test_only_a_verdict_of_an_earlier_question_is_remembered_and_only_as_the_very_same_object() -> None:
    memory, kept = Shown(), decision().model_copy(update={"duration_us": 0})
    first = memory.verdict(kept, "f" * 32)
    assert memory.verdict(kept, "f" * 32) is first and first.input == "f" * 32
    assert memory.verdict(kept, "e" * 32).input == "e" * 32
    assert memory.verdict(kept.model_copy(), "f" * 32) is not first
    assert memory.verdict(decision(), "f" * 32) is not memory.verdict(decision(), "f" * 32)


def test_a_verdict_is_never_taken_for_one_that_stood_at_its_address_before() -> None:
    memory = Shown()
    for at in range(2 * shown.VERDICTS):
        fresh = decision(f"check_{at}").model_copy(update={"duration_us": 0})
        assert memory.verdict(fresh, "f" * 32).check == f"check_{at}"


def test_what_was_shown_can_be_forgotten() -> None:
    memory, kept = Shown(), decision().model_copy(update={"duration_us": 0})
    first = memory.verdict(kept, "f" * 32)
    memory.forget()
    assert memory.verdict(kept, "f" * 32) is not first
