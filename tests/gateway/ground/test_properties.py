"""What must hold for every draft: nothing raises, nothing slips through disguised."""

from decimal import Decimal

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from gateway.ground import Scope
from gateway.ground.lexing.text import see
from tests.gateway.ground.drafts import TODAY, cell, check, declare, passes, regions, result

TABLE = regions("USD", "Net revenue", 4812300, 3127450, 5990210)
TRUE = "Iberia made $3,127,450."
FIGURES = (4812300, 3127450, 5990210)
CHANGES = result("Region, Q3 2025:EUR, Q3 2026:EUR", ("North", 400, 500), ("South", 500, 400))
DECLARED = (
    declare("pct_change", "up", new=cell("North", "q3_2026"), old=cell("North", "q3_2025")),
    declare("difference", "gap", a=cell("North", "q3_2026"), b=cell("South", "q3_2026")),
    declare("sum", "all", of={"column": "q3_2026"}),
    declare("sum", "bad", of={"column": "nothing"}),
)
PIECES = (
    "Benelux", "Iberia", "made", "$4.8M", "4,812,300", "3,127,450 USD", "in July 2026", "up 4%", "because",
    "{{c:0.net_revenue}}",
    "{{d:x}}", "(1,200)", "one in five", "half of", "2026", "12.3%", "-5", "\u202e", "&#49;", "<b>", "**",
    "SKU-9", "more than",
    "fell by", "respectively", "|", "\n- ", ", ", ". ", "; ", "\u0663", "\u00bd", "and", "of", "zero", "[1]",
)  # fmt: skip
DRAFTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=14).map(" ".join)


@given(DRAFTS)
def test_no_draft_raises_and_every_span_lies_in_the_text(draft: str) -> None:
    found = check(draft, TABLE)
    spans = [(f.start, f.end, f.text) for f in found.findings] + [
        (c.start, c.end, c.text) for c in found.citations
    ]
    for start, end, text in spans:
        assert 0 <= start <= end <= len(found.text)
        if end and text:
            assert found.text[start:end] == text


@given(DRAFTS)
@example("&#49; . ")
@example("1. ")
@example("3")
def test_adding_a_true_sentence_never_lets_a_blocked_draft_through(draft: str) -> None:
    assume("<!--" not in draft)
    if check(draft, TABLE).verdict == "block":
        assert check(f"{draft}\n{TRUE}", TABLE).verdict == "block"


@given(st.sampled_from((
    "North grew 25%.", "North made \u20ac100 more than South.", "Together they made \u20ac900.",
    "South fell by 25%.",
    "Together they made \u20ac1,000.", "North grew 20%.",
)), st.sets(st.sampled_from(range(len(DECLARED)))), st.integers(0, len(DECLARED) - 1))  # fmt: skip
def test_taking_a_declaration_away_never_lets_a_blocked_draft_through(
    draft: str, kept: set[int], gone: int
) -> None:
    declared = [DECLARED[i] for i in sorted(kept)]
    fewer = [DECLARED[i] for i in sorted(kept - {gone})]
    if check(draft, CHANGES, declared).verdict == "block":
        assert check(draft, CHANGES, fewer).verdict == "block"


@given(st.integers(10**6, 10**7))
def test_an_exact_number_that_no_cell_holds_always_blocks(number: int) -> None:
    assume(number not in FIGURES)
    assert not passes(f"Benelux made ${number:,}.", TABLE)
    assert not passes(f"Net revenue was {number}.", TABLE)


@given(st.decimals(min_value=1, max_value=10**9, places=2), st.integers(0, 2))
def test_a_number_passes_exactly_when_it_is_its_cell_rounded_as_shown(value: Decimal, places: int) -> None:
    table = result("Region, Orders:", ("North", value), ("South", value * 3 + 7))
    unit = Decimal(1).scaleb(-places)
    shown = value.quantize(unit)
    assert passes(f"North had {shown:,} orders.", table)
    assert not passes(f"North had {shown + unit * 2:,} orders.", table)


@given(st.integers(1000, 10**9), st.sampled_from("\u200b\u200c\u200d\u2060\ufeff\u00ad"))
def test_an_invisible_character_inside_a_number_changes_nothing(number: int, hidden: str) -> None:
    text = str(number)
    table = result("Region, Orders:", ("North", number), ("South", 3))
    assert passes(f"North had {text[:2]}{hidden}{text[2:]} orders.", table)


@given(st.integers(1000, 10**9), st.sampled_from("\u0660\u06f0\u0966\u09e6\uff10\U0001d7ce"))
def test_digits_of_any_script_are_the_digits_they_show(number: int, zero: str) -> None:
    text = "".join(chr(ord(zero) + int(digit)) for digit in str(number))
    table = result("Region, Orders:", ("North", number), ("South", 3))
    assert passes(f"North had {text} orders.", table)
    assert not passes(
        f"North had {text} orders.", result("Region, Orders:", ("North", number + 1), ("South", 3))
    )


@given(
    st.integers(1000, 10**9),
    st.sampled_from((("en", ","), ("de", "."), ("fr", "\u202f"), ("de-CH", "'"), ("sv", "\u00a0"))),
)
def test_a_number_written_the_local_way_is_the_same_number(number: int, local: tuple[str, str]) -> None:
    locale, mark = local
    scope = Scope(today=TODAY, known=False, locale=locale)
    table = result("Region, Orders:", ("North", number), ("South", 3))
    assert passes(f"North: {number:,}".replace(",", mark), table, scope=scope)


@given(DRAFTS)
def test_every_visible_character_knows_where_it_came_from(draft: str) -> None:
    seen = see(draft)
    assert len(seen.text) == len(seen.starts) == len(seen.ends)
    assert list(seen.starts) == sorted(seen.starts)
    for character, start, end in zip(seen.text, seen.starts, seen.ends, strict=True):
        assert 0 <= start < end <= len(draft)
        if character.isascii() and character.isalnum() and end - start == 1 and draft[start].isascii():
            assert draft[start] == character


@settings(max_examples=30)
@given(st.integers(0, 40))
def test_no_figure_is_never_zero(rows: int) -> None:
    table = result(
        "Region, Orders:, Returns:", ("North", None, 4), *((f"R{n}x", n + 1, n) for n in range(rows))
    )
    assert not passes("North had 0 orders.", table)
