"""A name that stands for two columns of a result names neither."""

import pytest

from metric_layer.resolved import OutputColumn
from tests.gateway.ground.drafts import cell, check, declare, passes
from traces.records import Derivation, Table


def table(*names: str) -> Table:
    columns = tuple(OutputColumn(name=name, kind="metric", type="integer", label=name) for name in names)
    return Table(columns=columns, rows=(tuple(range(5, 5 + len(names))),))


SAME = table("n", "n", "m")


def test_a_slot_on_a_name_of_two_columns_blocks_and_says_what_to_do() -> None:
    found = check("It was {{c:0.n}}.", SAME)
    assert found.verdict == "block"
    said = next(finding for finding in found.findings if finding.code == "bad_slot")
    assert "stands for 2 columns" in said.message
    assert "give each its own alias" in said.message and said.next_step
    assert check("It was {{c:0.m}}.", SAME).text == "It was 7."


@pytest.mark.parametrize(
    "declared",
    [
        declare("sum", of={"column": "n"}),
        declare("difference", a=cell(0, "m"), b=cell(0, "n")),
        declare("count_rows", where={"column": "n", "op": ">", "value": 1}),
    ],
    ids=lambda declared: declared.op,
)
def test_a_declaration_on_a_name_of_two_columns_blocks(declared: Derivation) -> None:
    draft = "It was {{d:d1}}."
    found = check(draft, SAME, [declared])
    assert found.verdict == "block"
    assert "stands for 2 columns" in " ".join(finding.message for finding in found.findings)
    assert passes(draft, table("n", "o", "m"), [declared])


def test_two_names_that_differ_in_case_alone_are_reached_as_they_are_written() -> None:
    twins = table("n", "N", "m")
    assert check("It was {{c:0.n}}, then {{c:0.N}}.", twins).text == "It was 5, then 6."
    labels = Table(
        columns=tuple(column.model_copy(update={"label": "Total"}) for column in table("a", "b").columns),
        rows=((1, 2),),
    )
    found = check("It was {{c:0.total}}.", labels)
    assert found.verdict == "block" and "name one of a, b" in found.findings[0].message
