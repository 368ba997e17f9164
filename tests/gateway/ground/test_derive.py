"""Declared derivations: computed by code, typed, and never searched for."""

from decimal import Decimal

import pytest

from gateway.ground import GroundRules
from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result
from traces.records import Derivation

YEARS = result(
    "Region, Q3 2025:EUR, Q3 2026:EUR",
    ("North", 400, 500),
    ("South", 500, 400),
    ("East", 300, 900),
)
RATES = result("Region, Q3 2025:percent, Q3 2026:percent", ("North", 41.2, 41.7), ("South", 38.1, 35.1))
PLAIN = result(
    "Region, Orders:, Revenue:EUR, Refund rate:percent",
    ("North", 200, 900, 6.5),
    ("South", 500, 700, 7.5),
    ("East", 300, None, 8.5),
)
NEW, OLD = "q3_2026", "q3_2025"


def pair(op: str, row: str = "North"):  # type: ignore[no-untyped-def]
    first, second = ("num", "den") if op == "ratio" else ("a", "b") if op == "difference" else ("new", "old")
    return declare(op, "d1", **{first: cell(row, NEW), second: cell(row, OLD)})


@pytest.mark.parametrize(
    ("draft", "op", "row"),
    [
        ("North grew 25% from Q3 2025 to Q3 2026.", "pct_change", "North"),
        ("South was down 20% on Q3 2025.", "pct_change", "South"),
        ("South was 20% lower than in Q3 2025.", "pct_change", "South"),
        ("South fell by €100 from Q3 2025 to Q3 2026.", "difference", "South"),
        ("East tripled from Q3 2025 to Q3 2026.", "ratio", "East"),
        ("East tripled from Q3 2025 to Q3 2026.", "pct_change", "East"),
        ("East made 3.0x the revenue.", "ratio", "East"),
    ],
)
def test_a_change_in_words_is_borne_out_by_its_declaration(draft: str, op: str, row: str) -> None:
    assert passes(draft, YEARS, [pair(op, row)])
    assert not passes(draft, YEARS)


@pytest.mark.parametrize(
    ("draft", "op", "row", "code"),
    [
        ("North fell 25% from Q3 2025 to Q3 2026.", "pct_change", "North", "sign"),
        ("North grew 26% from Q3 2025 to Q3 2026.", "pct_change", "North", "no_source"),
        ("North grew 25 percentage points.", "pct_change", "North", "no_source"),
        ("East doubled from Q3 2025 to Q3 2026.", "ratio", "East", "no_source"),
        ("East fell threefold.", "ratio", "East", "no_source"),
        ("North grew 25% from Q3 2024 to Q3 2026.", "pct_change", "North", "window"),
        ("North grew 25% from Q3 2026 to Q3 2025.", "pct_change", "North", "window"),
    ],
)
def test_a_change_that_the_declaration_does_not_show_blocks(draft: str, op: str, row: str, code: str) -> None:
    found = check(draft, YEARS, [pair(op, row)])
    assert found.verdict == "block"
    assert codes(found) & {code, "undeclared_derivation"}


def test_points_and_percent_are_never_the_same() -> None:
    change = [pair("pp_change")]
    assert passes("North widened by 0.5 percentage points.", RATES, change)
    assert passes("North widened by 50 bps.", RATES, change)
    assert not passes("North widened by 0.5%.", RATES, change)
    assert not passes("North widened by 5 bps.", RATES, change)


@pytest.mark.parametrize(
    ("draft", "declared"),
    [
        ("Together the regions placed 1,000 orders.", declare("sum", of={"column": "orders"})),
        ("On average a region placed 333 orders.", declare("mean", of={"column": "orders"})),
        (
            "One in five orders came from North.",
            declare("share", part=[cell("North", "orders")], whole={"column": "orders"}),
        ),
        (
            "Half of all orders came from South.",
            declare("share", part=[cell("South", "orders")], whole={"column": "orders"}),
        ),
        (
            "Two regions placed more than 250 orders.",
            declare("count_rows", where={"column": "orders", "op": ">", "value": 250}),
        ),
        (
            "South earned €1.40 per order.",
            declare("ratio", num=cell("South", "revenue"), den=cell("South", "orders")),
        ),
        (
            "North placed 300 orders fewer than South.",
            declare("difference", a=cell("North", "orders"), b=cell("South", "orders")),
        ),
        (
            "North placed 300 orders fewer than South.",
            declare("difference", a=cell("South", "orders"), b=cell("North", "orders")),
        ),
        (
            "The gap between South and North is 300 orders.",
            declare("difference", a=cell("North", "orders"), b=cell("South", "orders")),
        ),
    ],
)
def test_what_code_computed_may_be_said(draft: str, declared) -> None:  # type: ignore[no-untyped-def]
    found = check(draft, PLAIN, [declared])
    assert not codes(found), found.findings
    assert {c.kind for c in found.citations} & {"derivation", "parameter"}


@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        (declare("sum", of={"column": "refund_rate"}), "cannot be added up"),
        (declare("difference", a=cell("North", "orders"), b=cell("North", "revenue")), "one unit"),
        (declare("pct_change", new=cell("North", OLD), old=cell("North", NEW)), "wrong way round"),
        (declare("pct_change", new=cell("North", NEW), old=cell("North", NEW)), "itself"),
        (declare("difference", a=cell("East", "revenue"), b=cell("North", "revenue")), "no data"),
        (declare("sum", of={"column": "ordres"}), "near: orders"),
        (declare("sum", of=[cell("Nort", "orders")]), "near: North"),
        (declare("sum", of=[cell(9, "orders")]), "names no row"),
        (declare("count_rows", where={"column": "orders", "op": "~", "value": 1}), "knows no operator"),
        (declare("sum"), "must be a cell"),
    ],
)
def test_a_declaration_that_must_not_be_computed_says_why(declared, reason: str) -> None:  # type: ignore[no-untyped-def]
    table = YEARS if "q3" in str(declared.args) else PLAIN
    found = check("The figure is 123,456.", table, [declared])
    assert any(reason in f.message for f in found.findings if f.code == "bad_declaration"), found.findings


def test_a_bad_declaration_nobody_uses_does_not_block() -> None:
    assert passes("North placed 200 orders.", PLAIN, [declare("sum", of={"column": "refund_rate"})])


def test_the_declared_value_is_never_believed() -> None:
    liar = declare("sum", of={"column": "orders"}, value=999)
    assert not passes("Together the regions placed 999 orders.", PLAIN, [liar])


def test_a_true_but_undeclared_change_is_blocked_with_what_to_declare() -> None:
    found = check("North grew 25% from Q3 2025 to Q3 2026.", YEARS)
    finding = next(f for f in found.findings if f.code == "undeclared_derivation")
    assert '"op": "pct_change"' in finding.next_step
    assert '"column": "q3_2026"' in finding.next_step


def test_the_expression_and_value_are_kept_as_evidence() -> None:
    citation = check("North grew 25% from Q3 2025 to Q3 2026.", YEARS, [pair("pct_change")]).citations[0]
    assert citation.kind == "derivation"
    assert citation.expression == "pct_change(North.q3_2026, North.q3_2025)"
    assert Decimal(citation.value) == 25


REGIONS = (("North", 200), ("South", 500))
WHOLE, CUT = (result("Region, Orders:", *REGIONS, truncated=cut) for cut in (False, True))


@pytest.mark.parametrize(
    ("draft", "of_a_cut_result"),
    [
        ("Together there were 700 orders.", "block"),
        ("There were two regions.", "block"),
        ("South had the most orders, 500.", "hold"),
    ],
)
def test_a_total_a_count_or_a_highest_of_a_cut_result_does_not_pass(draft: str, of_a_cut_result: str) -> None:
    assert check(draft, WHOLE).verdict == "pass"
    assert check(draft, CUT).verdict == of_a_cut_result


def test_a_declared_total_of_a_cut_result_says_that_it_was_cut() -> None:
    found = check("Together there were 700 orders.", CUT, [declare("sum", of={"column": "orders"})])
    assert "cut_result" in codes(found)


BUSY = declare("count_rows", "busy", where={"column": "orders", "op": ">", "value": 250})


@pytest.mark.parametrize(
    "draft",
    [
        "Two regions placed more than 250 orders.",
        "{{d:busy}} regions placed more than 250 orders.",
        "Two regions, South and East, placed over 250 orders.",
    ],
)
def test_the_threshold_of_a_condition_may_be_said_beside_its_count(draft: str) -> None:
    found = check(draft, PLAIN, [BUSY])
    assert found.verdict in ("pass", "hold"), found.findings
    assert "parameter" in {citation.kind for citation in found.citations}


@pytest.mark.parametrize(
    "draft",
    [
        "There are 250 orders in North.",
        "There are more than 250 orders in North.",
        "Two regions did well. North placed 250 orders.",
        "Two regions placed 250 orders.",
        "Two regions placed fewer than 250 orders.",
        "Two regions, among them North with more than 250 orders, did well.",
        "Two regions earned more than €250.",
    ],
)
def test_a_parameter_is_no_source_apart_from_its_condition(draft: str) -> None:
    assert not passes(draft, PLAIN, [BUSY])


@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        ([declare("sum", of=[cell("North", "orders"), cell(0, "orders")])], "more than once"),
        (
            [declare("share", part=[cell("North", "orders")] * 2, whole={"column": "orders"})],
            "more than once",
        ),
        (
            [declare("share", part=[cell("South", "orders")], whole=[cell("North", "orders")])],
            "inside its whole",
        ),
        ([declare("sum", of={"column": "orders"}), declare("mean", of={"column": "orders"})], "this id"),
    ],
)
def test_a_declaration_that_counts_a_cell_twice_or_has_no_id_of_its_own_is_refused(
    declared: list[Derivation], reason: str
) -> None:
    found = check("In total it was {{d:d1}}.", PLAIN, declared)
    assert found.verdict == "block"
    assert any(reason in f.message for f in found.findings if f.code == "bad_declaration"), found.findings


@pytest.mark.parametrize("row", ["\u00b2", "\u0661", "\u0967"])
def test_a_row_is_numbered_in_plain_digits_only(row: str) -> None:
    found = check("In total it was {{d:d1}}.", PLAIN, [declare("sum", of=[cell(row, "orders")])])
    assert any("names no row" in f.message for f in found.findings if f.code == "bad_declaration")
    assert "bad_slot" in codes(check(f"It was {{{{c:{row}.orders}}}}.", PLAIN))


@pytest.mark.parametrize("op", ["sum", "share"])
@pytest.mark.parametrize(
    ("told", "safe"),
    [
        ({"additivity": "none"}, False),
        ({"additivity": "semi", "non_additive": ("region",)}, False),
        ({"additivity": "semi", "non_additive": ("month",)}, True),
        ({"additivity": "additive"}, True),
    ],
)
def test_values_are_added_up_only_where_the_definition_lets_them_be(
    op: str, told: dict[str, object], safe: bool
) -> None:
    columns = [c if c.name != "orders" else c.model_copy(update=told) for c in PLAIN.columns]
    table = PLAIN.model_copy(update={"columns": tuple(columns)})
    if op == "sum":
        total = declare("sum", "d1", of={"column": "orders"})
        assert passes("There were 1,000 orders in all.", table, [total]) is safe
    else:
        share = declare("share", "d1", part=[cell("South", "orders")], whole={"column": "orders"})
        assert passes("South had 50% of the orders.", table, [share]) is safe


def test_no_chance_line_blocks_a_number_that_was_declared() -> None:
    strict = GroundRules(chance=1e-9)
    draft = "North grew 25% from Q3 2025 to Q3 2026."
    found = check(draft, YEARS, [pair("pct_change")], rules=strict)
    assert found.verdict in ("pass", "hold") and not codes(found)
    (cited,) = found.citations
    assert cited.kind == "derivation" and cited.chance is not None and cited.chance > strict.chance
    assert check("It was 400 in Q3 2025.", YEARS, rules=strict).verdict == "block"
