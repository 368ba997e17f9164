"""Who beat whom: the winner told has the larger figure of its vote or race, and its side of the score."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

VOTE = result(
    "Party, Candidate, Votes:, %:percent, ±:",
    ("Labour", "Tom Reed", 40210, 52.4, None),
    ("Unity", "Ann Vale", 29529, 38.5, None),
    ("Green", "Ida Lowe", 6998, 9.1, None),
    ("Total votes", "Total votes", 76737, 100.0, None),
)
RACE = result(
    "Rank:, Lane:, Name, Nation, Time",
    (1, 4, "Olga Brandt", "Norway", "1:58.31"),
    (2, 5, "Jane Morrow", "Canada", "1:58.90"),
    (3, 1, "Kim Seong", "South Korea", "1:59.44"),
)
HEPTATHLON = result(
    "Athlete, Nation, Points:",
    ("Mara Holm", "Norway", 8214),
    ("Ines Sorel", "France", 8101),
    ("Petra Dahl", "Sweden", 7950),
)
CUP = result(
    "Tie no:, Home team, Score, Away team, Date",
    (1, "Ashfall Town", "2–1", "Marlow City", "10 March 1991"),
    (2, "Dunmore", "0–3", "Kelby United", "10 March 1991"),
    (3, "Orwell", "1–1 (4–2 p)", "Stanton", "9 March 1991"),
)
LEGS = result(
    "Team 1, Agg., Team 2, 1st leg, 2nd leg",
    ("Ashfall Town", "4–3", "Marlow City", "1–2", "3–1"),
    ("Dunmore", "2–5", "Kelby United", "1–3", "1–2"),
)
LEAGUE = result(
    "Pos:, Team, Pld:, W:, D:, L:, Points:", (1, "Ashfall", 10, 7, 2, 1, 23), (2, "Marlow", 10, 6, 2, 2, 20)
)
YEARS = result(
    "Year, Winner, Party, Votes:, Runner-up",
    ("1925", "Tom Reed", "Labour", 40210, "Ann Vale"),
    ("1929", "Ann Vale", "Unity", 42110, "Tom Reed"),
)
ROUNDS = result(
    "Candidate, First round:, First round %:percent, Second round:, Second round %:percent",
    ("Ina Holt", 41000, 41.0, 48000, 47.1),
    ("Jan Berg", 38000, 38.0, 53900, 52.9),
)


@pytest.mark.parametrize(
    "beat",
    [
        "beat", "defeated", "edged", "edged out", "ousted", "unseated", "outpolled", "overcame", "toppled",
        "narrowly defeated", "comfortably beat", "finished ahead of", "prevailed over", "triumphed over",
        "bested", "saw off", "won against", "won the seat over", "was elected ahead of", "trounced",
    ],
)  # fmt: skip
def test_who_beat_another_has_more_votes(beat: str) -> None:
    assert passes(f"Tom Reed {beat} Ann Vale with 52.4% of the vote.", VOTE)
    assert passes(f"Labour's Reed {beat} Unity candidate Vale.", VOTE)
    assert not passes(f"Ann Vale {beat} Tom Reed with 38.5% of the vote.", VOTE)
    assert not passes(f"Unity's Vale {beat} Labour candidate Reed.", VOTE)


@pytest.mark.parametrize(
    "lost",
    [
        "lost to", "narrowly lost to", "lost out to", "was beaten by", "was narrowly defeated by", "fell to",
        "went down to", "was edged out by", "was ousted by", "ran second to", "came second to",
        "finished second behind", "finished behind", "trailed", "was runner-up to", "conceded defeat to",
        "succumbed to", "lost the election to", "was defeated in the election by",
        "suffered a defeat against",
    ],
)  # fmt: skip
def test_who_lost_to_another_has_fewer_votes(lost: str) -> None:
    assert passes(f"Ann Vale {lost} Tom Reed with 38.5% of the vote.", VOTE)
    assert passes(f"Unity candidate Ann Vale {lost} Labour's Tom Reed.", VOTE)
    assert not passes(f"Tom Reed {lost} Ann Vale with 52.4% of the vote.", VOTE)
    assert not passes(f"Labour candidate Tom Reed {lost} Unity's Ann Vale.", VOTE)


@pytest.mark.parametrize(
    ("right", "wrong", "table"),
    [
        (
            "Reed won with 40,210 votes, beating Vale, who had 29,529.",
            "Vale won with 29,529 votes, beating Reed, who had 40,210.",
            VOTE,
        ),
        ("Vale polled 38.5% and lost to Reed.", "Reed polled 52.4% and lost to Vale.", VOTE),
        ("Tom Reed's win over Ann Vale", "Ann Vale's win over Tom Reed", VOTE),
        ("Ann Vale's defeat by Tom Reed", "Tom Reed's defeat by Ann Vale", VOTE),
        ("Lowe, with 9.1%, lost to Reed and Vale.", "Reed, with 52.4%, lost to Vale and Lowe.", VOTE),
        ("Reed beat Vale and Lowe with 52.4%.", "Vale beat Lowe and Reed with 38.5%.", VOTE),
        (
            "Labour took the seat from Unity with 52.4%.",
            "Unity took the seat from Labour with 38.5%.",
            VOTE,
        ),
        ("Olga Brandt beat Jane Morrow in 1:58.31.", "Jane Morrow beat Olga Brandt in 1:58.90.", RACE),
        (
            "Kim Seong finished behind Jane Morrow in 1:59.44.",
            "Jane Morrow finished behind Kim Seong in 1:58.90.",
            RACE,
        ),
        ("Holm edged Sorel with 8,214 points.", "Sorel edged Holm with 8,101 points.", HEPTATHLON),
        ("Marlow finished second to Ashfall.", "Ashfall finished second to Marlow.", LEAGUE),
    ],
)
def test_the_winner_of_two_rows_is_told_as_the_figures_say(right: str, wrong: str, table: Table) -> None:
    assert passes(right, table)
    assert not passes(wrong, table)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Reed won with 52.4% of the vote.", "Vale won with 38.5% of the vote."),
        ("Vale lost with 38.5% of the vote.", "Reed lost with 52.4% of the vote."),
        ("Vale was defeated with 38.5%.", "Reed was defeated with 52.4%."),
        ("Labour took the seat with 52.4%.", "Unity took the seat with 38.5%."),
        ("Reed won, with Vale in second place.", "Vale won, with Reed in second place."),
        ("Tom Reed was the winner with 40,210 votes.", "Ann Vale was the winner with 29,529 votes."),
    ],
)
def test_who_won_alone_is_first_of_all(right: str, wrong: str) -> None:
    assert passes(right, VOTE)
    assert not passes(wrong, VOTE)


def test_who_won_in_a_time_is_first_of_all() -> None:
    assert passes("Brandt won in 1:58.31.", RACE)
    assert not passes("Morrow won in 1:58.90.", RACE)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Ashfall Town beat Marlow City 2–1.", "Ashfall Town lost to Marlow City 2–1."),
        ("Marlow City lost 2–1 to Ashfall Town.", "Marlow City won 2–1 against Ashfall Town."),
        ("Kelby United knocked out Dunmore.", "Dunmore knocked out Kelby United."),
        ("Marlow City went out to Ashfall Town, 2–1.", "Ashfall Town went out to Marlow City, 2–1."),
        (
            "Marlow City suffered a 2–1 defeat to Ashfall Town.",
            "Ashfall Town suffered a 2–1 defeat to Marlow City.",
        ),
        ("Orwell beat Stanton on penalties.", "Stanton beat Orwell on penalties."),
        ("Ashfall Town's 2–1 win over Marlow City", "Marlow City's 2–1 win over Ashfall Town"),
    ],
)
def test_the_winner_of_a_match_has_its_side_of_the_score(right: str, wrong: str) -> None:
    assert passes(right, CUP)
    assert not passes(wrong, CUP)


def test_no_side_drew_where_one_scored_more() -> None:
    assert not passes("Ashfall Town drew 2–1 with Marlow City.", CUP)


def test_over_two_legs_the_score_of_both_decides() -> None:
    assert passes("Ashfall Town beat Marlow City 4–3 on aggregate.", LEGS)
    assert not passes("Marlow City beat Ashfall Town 4–3 on aggregate.", LEGS)


@pytest.mark.parametrize(
    ("draft", "table"),
    [
        ("Ann Vale won 38.5% of the vote but lost to Tom Reed.", VOTE),
        ("Ann Vale hoped to beat Tom Reed but won only 38.5%.", VOTE),
        ("Tom Reed was challenged by Ann Vale, who lost with 29,529 votes.", VOTE),
        ("Tom Reed beat Ann Vale in 1925 with 40,210 votes.", YEARS),
        ("Ann Vale beat Tom Reed in 1929 with 42,110 votes.", YEARS),
        ("Jan Berg defeated Ina Holt in the second round with 52.9% of the vote.", ROUNDS),
        ("Ina Holt finished ahead of Jan Berg in the first round with 41.0%.", ROUNDS),
        ("Ashfall won 7 games and lost 1.", LEAGUE),
    ],
)
def test_what_is_open_or_of_another_contest_stands(draft: str, table: Table) -> None:
    assert passes(draft, table)
