"""Odd ways to write a number: each draft is true over one result and false over its twin."""

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import TODAY, check, codes, passes, regions

# draft, unit, column, the figure that makes it true, the figure that makes it false, locale
TWINS: tuple[tuple[str, str, str, float, float, str], ...] = (
    ("Benelux shipped 1\xa0234 units.", "", "Units shipped", 1234, 1334, "en"),
    ("Benelux shipped 1\u202f234\u202f567 units.", "", "Units shipped", 1234567, 1234667, "en"),
    ("Benelux shipped 1\u2009234 units.", "", "Units shipped", 1234, 234, "en"),
    ("Benelux shipped 1 234 units.", "", "Units shipped", 1234, 234, "en"),
    ("Benelux shipped 1'234'567 units.", "", "Units shipped", 1234567, 1234667, "en"),
    ("Benelux shipped 1\u2019234\u2019567 units.", "", "Units shipped", 1234567, 1234667, "de-CH"),
    ("Benelux shipped 12,34,567 units.", "", "Units shipped", 1234567, 1334567, "en"),
    ("Benelux shipped ১২৩৪ units.", "", "Units shipped", 1234, 1243, "en"),
    ("Benelux shipped ١٬٢٣٤ units.", "", "Units shipped", 1234, 1243, "en"),
    ("Benelux shipped \uff11\uff0c\uff12\uff13\uff14 units.", "", "Units shipped", 1234, 1243, "en"),
    (
        "Benelux shipped \U0001d7cf,\U0001d7d0\U0001d7d1\U0001d7d2 units.",
        "",
        "Units shipped",
        1234,
        1243,
        "en",
    ),
    ("Benelux shipped 1\xad234 units.", "", "Units shipped", 1234, 234, "en"),
    ("Benelux shipped 1.234.567 Einheiten.", "", "Units shipped", 1234567, 1243567, "de"),
    ("Benelux shipped 1.234 Einheiten.", "", "Units shipped", 1234, 1243, "de"),
    ("Benelux a expédié 1 234 567 unités.", "", "Units shipped", 1234567, 1243567, "fr"),
    ("Benelux net revenue was 1.234.567,89 EUR.", "EUR", "Net revenue", 1234567.89, 1234567.98, "de"),
    (
        "Le chiffre d'affaires net de Benelux \xe9tait de 1,2 million \u20ac.",
        "EUR",
        "Net revenue",
        1234567,
        1334567,
        "fr",
    ),
    ("Der Nettoumsatz in Benelux betrug 1,2 Mrd. EUR.", "EUR", "Net revenue", 1234567000, 1334567000, "de"),
    ("Benelux net revenue was $1.2M.", "USD", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was $1.2m.", "USD", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was $1.2mn.", "USD", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was $1.23MM.", "USD", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was $1,235k.", "USD", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was USD 1.2 million.", "USD", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was 1.2 million dollars.", "USD", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was CHF 1.2 million.", "CHF", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was \u20b912.3 lakh.", "INR", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was \u20b91.2 crore.", "INR", "Net revenue", 12345670, 13345670, "en"),
    ("Benelux net revenue was \u20b912,34,567.", "INR", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was 1.2e6 USD.", "USD", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was $1.2 × 10^6.", "USD", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was 1.2\xd710\u2076 USD.", "USD", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was $1.2 billion.", "USD", "Net revenue", 1234567000, 1334567000, "en"),
    ("Benelux net revenue was 123\u4e07 JPY.", "JPY", "Net revenue", 1234567, 1334567, "en"),
    ("Benelux net revenue was \xa51.2\u5104.", "JPY", "Net revenue", 123456700, 133456700, "en"),
    ("Benelux net revenue was **$1,234**.", "USD", "Net revenue", 1234, 1243, "en"),
    ("Benelux net revenue was $1,**234**.", "USD", "Net revenue", 1234, 1, "en"),
    ("Benelux net revenue was `$1,234`.", "USD", "Net revenue", 1234, 1243, "en"),
    ("Benelux net revenue was <b>$1,234</b>.", "USD", "Net revenue", 1234, 1243, "en"),
    ("Benelux net revenue was &dollar;1,234.", "USD", "Net revenue", 1234, 1243, "en"),
    ("Benelux net revenue was \\$1,234.", "USD", "Net revenue", 1234, 1243, "en"),
    ("Benelux net revenue was $\\$1{,}234$.", "USD", "Net revenue", 1234, 1243, "en"),
    ("Benelux return rate was 12.3 percent.", "percent", "Return rate", 12.3, 13.2, "en"),
    ("Benelux return rate was 12.3 per cent.", "percent", "Return rate", 12.3, 13.2, "en"),
    ("Benelux return rate was 12.3 pct.", "percent", "Return rate", 12.3, 13.2, "en"),
    ("Benelux return rate was 12.3\uff05.", "percent", "Return rate", 12.3, 13.2, "en"),
    ("Benelux return rate was 12,3 %.", "percent", "Return rate", 12.3, 13.2, "de"),
    ("Benelux return rate was 12.3%.", "fraction", "Return rate", 0.123, 0.132, "en"),
    ("Benelux return rate was 0.123.", "fraction", "Return rate", 0.123, 0.132, "en"),
    ("Benelux return rate was 123\u2030.", "percent", "Return rate", 12.3, 13.2, "en"),
    ("Benelux change was (1,234).", "", "Change", -1234, 1234, "en"),
    ("Benelux change was -1,234.", "", "Change", -1234, 1234, "en"),
    ("Benelux change was \u22121,234.", "", "Change", -1234, 1234, "en"),
    ("Benelux change was \u20131,234.", "", "Change", -1234, 1234, "en"),
    ("Benelux change was minus 1,234.", "", "Change", -1234, 1234, "en"),
    ("Benelux change was negative 1,234.", "", "Change", -1234, 1234, "en"),
    ("Benelux change was +1,234.", "", "Change", 1234, -1234, "en"),
    ("Benelux change was -$1,234.", "USD", "Change", -1234, 1234, "en"),
    ("Benelux change was $-1,234.", "USD", "Change", -1234, 1234, "en"),
    ("Benelux change was ($1,234).", "USD", "Change", -1234, 1234, "en"),
    ("Benelux change was \u22124.2%.", "percent", "Change", -4.2, 4.2, "en"),
    ("Benelux fell 4.2%.", "percent", "Change", -4.2, 4.2, "en"),
    ("Benelux was 4.2% lower.", "percent", "Change", -4.2, 4.2, "en"),
    ("Benelux saw a 4.2% decline.", "percent", "Change", -4.2, 4.2, "en"),
    ("Benelux saw a decline of 4.2%.", "percent", "Change", -4.2, 4.2, "en"),
    ("Benelux shipped twelve hundred units.", "", "Units shipped", 1200, 1210, "en"),
    ("Benelux shipped twenty-one units.", "", "Units shipped", 21, 12, "en"),
    ("Benelux shipped one hundred and five units.", "", "Units shipped", 105, 150, "en"),
    ("Benelux shipped two dozen units.", "", "Units shipped", 24, 20, "en"),
    ("Benelux shipped a dozen units.", "", "Units shipped", 12, 13, "en"),
    ("Benelux shipped three million units.", "", "Units shipped", 3012000, 2012000, "en"),
    ("Benelux shipped half a million units.", "", "Units shipped", 500000, 600000, "en"),
    ("Benelux shipped one and a half million units.", "", "Units shipped", 1500000, 1700000, "en"),
    ("Benelux shipped a hundred units.", "", "Units shipped", 100, 110, "en"),
    ("Benelux shipped no units.", "", "Units shipped", 0, 4, "en"),
    ("Benelux shipped zero units.", "", "Units shipped", 0, 4, "en"),
    ("Benelux shipped 4½ tonnes.", "", "Tonnes", 4.5, 41.5, "en"),
    ("Benelux shipped 2.5 tonnes.", "", "Tonnes", 2.5, 25.0, "en"),
    ("Benelux shipped more than 1,200 units.", "", "Units shipped", 1234, 1190, "en"),
    ("Benelux shipped over 1,200 units.", "", "Units shipped", 1234, 1190, "en"),
    ("Benelux shipped at least 1,200 units.", "", "Units shipped", 1200, 1190, "en"),
    ("Benelux shipped nearly 1,300 units.", "", "Units shipped", 1290, 1310, "en"),
    ("Benelux shipped just under 1,300 units.", "", "Units shipped", 1290, 1310, "en"),
    ("Benelux shipped about 1,200 units.", "", "Units shipped", 1234, 1290, "en"),
    ("Benelux shipped ~1,200 units.", "", "Units shipped", 1234, 1290, "en"),
    ("Benelux shipped \u22481,200 units.", "", "Units shipped", 1234, 1290, "en"),
    ("Benelux shipped approx. 1,200 units.", "", "Units shipped", 1234, 1290, "en"),
    ("Benelux shipped 1,200+ units.", "", "Units shipped", 1234, 1190, "en"),
    ("Benelux shipped >1,200 units.", "", "Units shipped", 1234, 1190, "en"),
    ("Benelux shipped 1,200 or so units.", "", "Units shipped", 1234, 1290, "en"),
    ("Benelux shipped up to 1,300 units.", "", "Units shipped", 1290, 1310, "en"),
    ("Benelux shipped less than 1,300 units.", "", "Units shipped", 1290, 1310, "en"),
    ("Benelux shipped 1_234 units.", "", "Units shipped", 1234, 1243, "en"),
    ("Benelux shipped 1,2\u200b34 units.", "", "Units shipped", 1234, 12, "en"),
    ("- Benelux: 1,234 units", "", "Units shipped", 1234, 1243, "en"),
    ("1. Benelux: 1,234 units", "", "Units shipped", 1234, 1243, "en"),
    ("| Region | Units shipped |\n|---|---|\n| Benelux | 1,234 |", "", "Units shipped", 1234, 1243, "en"),
    ("Benelux shipped 1,234 units [1].", "", "Units shipped", 1234, 1243, "en"),
    ("Benelux shipped 1,234 units[1].", "", "Units shipped", 1234, 1243, "en"),
    (
        "Benelux shipped 1,234 units (see https://example.com/r/2026/77).",
        "",
        "Units shipped",
        1234,
        1243,
        "en",
    ),
    ("At 14:30 Benelux had shipped 1,234 units.", "", "Units shipped", 1234, 1243, "en"),
    ("Benelux, a 5G and B2B market, shipped 1,234 units.", "", "Units shipped", 1234, 1243, "en"),
    ("One of the regions, Benelux, shipped 1,234 units.", "", "Units shipped", 1234, 1243, "en"),
    ("Benelux shipped 1,234 units, no one else did.", "", "Units shipped", 1234, 1243, "en"),
    ("Benelux shipped 2026 units.", "", "Units shipped", 2026, 2025, "en"),
)


@pytest.mark.parametrize(("draft", "unit", "column", "true", "false", "locale"), TWINS)
def test_a_draft_passes_over_its_own_figure_and_no_other(
    draft: str, unit: str, column: str, true: float, false: float, locale: str
) -> None:
    scope = Scope(today=TODAY, known=False, locale=locale)
    others = (round(true * 0.613 + 1, 1), round(true * 0.377 + 2, 1))
    assert passes(draft, regions(unit, column, true, *others), scope=scope)
    assert check(draft, regions(unit, column, false, *others), scope=scope).verdict == "block"


@pytest.mark.parametrize(
    ("draft", "code", "figure"),
    [
        ("Benelux shipped \u202e432,1\u202c units.", "control_characters", 1234),
        ("Benelux shipped 1\x07234 units.", "control_characters", 1234),
        ("Benelux shipped 1,5 units.", "residual", 15),
        ("Benelux shipped 1,2345 units.", "residual", 12345),
        ("Benelux shipped \u2173 units.", "residual", 4),
        ("Benelux shipped 3\u00b24 units.", "residual", 34),
        ("Benelux shipped \u4e09 units.", "residual", 3),
        ("Benelux shipped three units of SKU-9.", "unknown_label", 3),
        ("Benelux shipped 1,234 units, as Store 12 did.", "unknown_label", 1234),
        ("Benelux shipped 1,234 units (`SELECT 42`).", "no_source", 1234),
    ],
)
def test_what_cannot_be_read_blocks_with_its_reason(draft: str, code: str, figure: int) -> None:
    found = check(draft, regions("", "Units shipped", figure, 700, 400))
    assert code in {finding.code for finding in found.findings}
    assert found.verdict == "block"


@pytest.mark.parametrize("locale", ["en", "de", "fr", "sv", "de-CH", "hi-IN"])
@pytest.mark.parametrize(
    "text", ["1234567", "1'234'567", "1\u202f234\u202f567", "12,34,567", "1.234.567", "1,234,567"]
)
def test_a_form_with_one_reading_is_read_in_every_locale(locale: str, text: str) -> None:
    scope = Scope(today=TODAY, known=False, locale=locale)
    assert passes(f"Benelux shipped {text} units.", regions("", "Units shipped", 1234567, 7, 9), scope=scope)


def test_a_html_comment_leaves_the_answer() -> None:
    found = check("Benelux shipped 1,234 units.<!-- 99 -->", regions("", "Units shipped", 1234, 7, 9))
    assert (found.verdict, found.text) == ("pass", "Benelux shipped 1,234 units.")


@pytest.mark.parametrize(
    "draft",
    [
        "See http://9,999,999 for Benelux.",
        "See www.9999999 for Benelux.",
        "See https://9999999.com for Benelux.",
        "See https://acme.com/9999999 for Benelux.",
        "See https://acme.com/?orders=9,999,999 for Benelux.",
        "Mail 9999999@acme.com about Benelux.",
        "Benelux placed XII orders.",
        "Benelux placed dozens of orders.",
        "Benelux placed hundreds of thousands of orders.",
        "Benelux orders grew tenfold.",
        "Benelux orders are in the millions.",
        "Benelux orders were NaN.",
        "Benelux orders were inf.",
        "Benelux orders were \u221e.",
    ],
)
def test_an_amount_that_hides_or_has_no_digits_blocks(draft: str) -> None:
    assert codes(check(draft, regions("", "Orders", 1234, 700, 400))) & {"residual", "no_source"}


@pytest.mark.parametrize(
    "draft",
    [
        "See https://acme.com/reports/q3-summary?id=a1 for Benelux.",
        "See [the report](https://acme.com/9999999) for Benelux.",
        "Mail sales2@acme.com about www.acme.co.uk.",
        "Phase II had a mix of products.",
    ],
)
def test_an_address_or_a_numbered_name_is_no_amount(draft: str) -> None:
    assert passes(draft, regions("", "Orders", 1234, 700, 400))
