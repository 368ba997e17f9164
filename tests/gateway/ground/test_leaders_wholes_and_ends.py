"""Differences to a leader, the whole of a share, both ends of a column, accents and clauses that follow."""

import pytest

from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result

STANDINGS = result(
    "Rider, Points:, Gap:",
    ("Ilse Marten", 812, 0),
    ("Odd Brekke", 771, 41),
    ("Paul Renn", 744, 68),
    ("Kai Sorby", 690, 122),
)
FEES = result(
    "Member, Sitting fees:, Commission:",
    ("Ada Lund", 12.5, 180.0),
    ("Bo Karlsen", 10.0, 240.0),
    ("Cora Vike", 8.5, 330.0),
    ("Total", 31.0, 750.0),
)
SHARE = [declare("share", part=cell(1, "Commission"), whole=cell(3, "Commission"))]
PRIZES = result(
    "Player, Entries:, Prize:USD",
    ("Lena Fors", 3, 41200),
    ("Max Odum", 8, 9350),
    ("Pia Holt", 5, 128400),
    ("Tor Vang", 2, 17800),
)
REVENUE = result(
    "Item, 2021:USD, 2020:USD",
    ("Nordic (1)", 4120, 5230),
    ("Baltic", 1980, 1310),
    ("Total revenue", 6100, 6540),
)
TOWNS = result(
    "Town, Area:, Density:",
    ("San Tom\u00e1s", 61.25, 742.3),
    ("San Andr\u00e9s", 48.17, 1310.9),
    ("Total", 109.42, 992.6),
)
CLUBS = result(
    "Club, Season, Division, Apps:, Goals:",
    ("Elmswick", "2001", "First Tier", 31, 2),
    ("Elmswick", "2002", "Second Tier", 44, 5),
    ("Elmswick", "Total", "Total", 75, 7),
    ("Dunmoor", "2003", "Third Tier", 29, 1),
    ("Dunmoor", "Total", "Total", 29, 1),
)


@pytest.mark.parametrize(
    "draft",
    [
        "Ilse Marten was 41 points ahead of Odd Brekke.",
        "Paul Renn was 68 points behind Ilse Marten.",
        "Ilse Marten had 812 points while Odd Brekke was only 41 points behind her.",
        "Ilse Marten had a 122 points lead over Kai Sorby.",
        "Ilse Marten beat Odd Brekke, which gave her a 41 points advantage.",
        "Ilse Marten beat Odd Brekke by 41 points.",
        "Kai Sorby trailed Ilse Marten by 122 points.",
        "Ilse Marten won by 68 points over Paul Renn.",
    ],
)
def test_a_difference_to_the_leader_is_the_cell_of_the_follower(draft: str) -> None:
    assert check(draft, STANDINGS).verdict == "pass"


@pytest.mark.parametrize(
    "draft",
    [
        "Ilse Marten was 68 points ahead of Odd Brekke.",
        "Odd Brekke was 41 points ahead of Ilse Marten.",
        "Ilse Marten was 41 points behind Odd Brekke.",
        "Odd Brekke was 68 points ahead of Paul Renn.",
        "Paul Renn was 68 points behind Odd Brekke.",
        "Odd Brekke had 771 points while Paul Renn was only 68 points behind him.",
        "Ilse Marten had a 68 points lead over Kai Sorby.",
        "Odd Brekke beat Ilse Marten by 41 points.",
        "Paul Renn beat Kai Sorby by 68 points.",
        "Kai Sorby trailed Odd Brekke by 122 points.",
        "Ilse Marten trailed Odd Brekke by 41 points.",
        "Paul Renn won by 68 points over Odd Brekke.",
        "Odd Brekke beat Ilse Marten, which gave him a 41 points advantage.",
        "Ilse Marten beat Odd Brekke, which gave her a 68 points advantage.",
    ],
)
def test_no_cell_tells_how_far_two_others_are_apart_or_who_leads_whom(draft: str) -> None:
    assert check(draft, STANDINGS).verdict == "block"


@pytest.mark.parametrize(
    "draft",
    [
        "Odd Brekke beat Ilse Marten by 41 points.",
        "Odd Brekke won by 41 points over Paul Renn.",
        "Paul Renn trailed Odd Brekke by 68 points.",
    ],
)
def test_no_name_of_the_column_makes_its_cells_a_difference_of_two_others(draft: str) -> None:
    table = result("Rider, Total:, Diff:", *STANDINGS.rows)
    assert passes("Ilse Marten beat Odd Brekke by 41 points.", table)
    assert not passes(draft, table)


def test_two_who_do_not_lead_are_apart_by_a_declared_difference() -> None:
    apart = [declare("difference", a=cell(1, "Points"), b=cell(2, "Points"))]
    assert passes("Odd Brekke was 27 points ahead of Paul Renn.", STANDINGS, apart)
    assert not passes("Odd Brekke was 27 points ahead of Paul Renn.", STANDINGS)


def test_a_column_that_nobody_leads_holds_no_differences_to_a_leader() -> None:
    table = result("Side, Points:, Diff:", ("Ames", 51, 23), ("Bell", 48, 9), ("Cole", 40, -11))
    assert not passes("Ames was 9 points ahead of Bell.", table)


def test_the_whole_of_a_declared_share_is_told_beside_it() -> None:
    assert passes("Bo Karlsen's commission was 32.0% of the total commission of 750.0.", FEES, SHARE)
    assert passes("Bo Karlsen's commission was 32.0% of the total of 750.0.", FEES, SHARE)


@pytest.mark.parametrize("whole", ["330.0", "240.0", "31.0", "751.0"])
def test_another_figure_is_not_the_whole_of_a_declared_share(whole: str) -> None:
    draft = f"Bo Karlsen's commission was 32.0% of the total commission of {whole}."
    assert not passes(draft, FEES, SHARE)


@pytest.mark.parametrize(
    "draft",
    [
        "The minimum prize was $9,350, which was earned by Max Odum, and the maximum was $128,400.",
        "The highest prize was $128,400, won by Pia Holt, while the lowest was $9,350.",
    ],
)
def test_both_ends_of_a_column_are_told_in_two_clauses(draft: str) -> None:
    assert passes(draft, PRIZES)


@pytest.mark.parametrize(
    "draft",
    [
        "The minimum prize was $9,350, which was earned by Max Odum, and the maximum was $41,200.",
        "The minimum prize was $17,800, which was earned by Tor Vang, and the maximum was $128,400.",
        "The highest prize was $128,400, won by Pia Holt, while the lowest was $17,800.",
        "The minimum prize was $9,350, which was earned by Max Odum, and the minimum was $128,400.",
    ],
)
def test_what_is_no_end_of_its_column_does_not_pass_as_one(draft: str) -> None:
    assert not passes(draft, PRIZES)


def test_the_ends_of_one_name_are_not_the_ends_of_all() -> None:
    table = result(
        "Player, Round, Score:", ("Fors", "A", 11), ("Fors", "B", 27), ("Holt", "A", 64), ("Holt", "B", 35)
    )
    assert not passes("Fors's lowest score was 11 and the highest was 64.", table)


def test_a_word_of_another_name_takes_no_figure_of_a_name_said_in_full() -> None:
    said = "The revenue from Nordic in 2020 and 2021 was $5,230 and $4,120 respectively."
    assert passes(said, REVENUE)


@pytest.mark.parametrize(
    "figures", ["$4,120 and $5,230", "$5,230 and $6,100", "$6,540 and $4,120", "$1,310 and $1,980"]
)
def test_years_in_order_keep_their_own_columns_and_their_row(figures: str) -> None:
    assert not passes(f"The revenue from Nordic in 2020 and 2021 was {figures} respectively.", REVENUE)


def test_a_name_is_found_without_its_accents() -> None:
    assert passes("san tomas has a density of 742.3 and an area of 61.25.", TOWNS)
    assert passes("San Andr\u00e9s has a density of 1,310.9.", TOWNS)
    assert not passes("san tomas has a density of 1,310.9 and an area of 61.25.", TOWNS)
    assert not passes("san andres has an area of 61.25.", TOWNS)


def test_of_names_that_only_accents_tell_apart_the_one_written_is_meant() -> None:
    table = result("Town, Wells:", ("Par\u00e1n", 318), ("Paran", 472), ("Oro", 640))
    assert codes(check("Oro has 640 wells.", table)) == set()
    assert passes("Paran has 472 wells.", table)
    assert not passes("Paran has 318 wells.", table)
    assert not passes("Par\u00e1n has 472 wells.", table)


def test_a_name_without_accents_is_neither_of_two_that_have_different_ones() -> None:
    table = result("Town, Wells:", ("Par\u00e1n", 31), ("Par\u00e2n", 47), ("Oro", 64))
    assert passes("Par\u00e2n has 47 wells.", table)
    assert not passes("Paran has 31 wells.", table)
    assert not passes("Paran has 47 wells.", table)


def test_what_somebody_did_next_narrows_nothing_before_it() -> None:
    assert passes("He made 75 appearances for Elmswick, then he joined Third Tier side Dunmoor.", CLUBS)


@pytest.mark.parametrize("figure", [29, 44, 31, 7])
def test_a_clause_that_follows_lends_no_figure_to_the_one_before(figure: int) -> None:
    draft = f"He made {figure} appearances for Elmswick, then he joined Third Tier side Dunmoor."
    assert not passes(draft, CLUBS)
