"""The words of a text, found once: the rules that need one of them are asked only where one stands."""

import re

import pytest

from gateway.ground.binding import bind
from gateway.ground.compared import gaps, majority
from gateway.ground.lexing import cues
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.naming import codes
from gateway.ground.sentence import each, idioms, referred
from gateway.ground.sourcing import sources
from gateway.ground.table import compounds
from gateway.ground.told import every_row, outcomes_told
from gateway.ground.turns import paces, peaks

# A pattern, the words without one of which it is never tried, and texts in which it finds something.
NEEDED: tuple[tuple[re.Pattern[str], frozenset[str], tuple[str, ...]], ...] = (
    (
        gaps.APART,
        gaps.OPENERS,
        ("9 points ahead of Mell", "9 in front of Mell", "9 clear of it", "9 adrift of it"),
    ),
    (
        gaps.LEAD,
        gaps.OPENERS,
        ("a 9-point lead over Mell", "a 9 point cushion", "an 8-point Advantage over it"),
    ),
    (gaps.BY, gaps.OPENERS, ("Vale beat Mell by ", "Mell trailed BY only ")),
    (majority.FOUGHT, majority.BY, ("won narrowly by ", "was defeated by about ")),
    (each.BOTH, each.OF_EACH, ("both ", "Both the ")),
    (each.EACH, each.OF_EACH, ("won 3 each", "EACH had")),
    (cues.THEN, cues.LATER, (" and then ", " before later ", ", after which he ", " but subsequently ")),
    (referred.WHOSE, referred.OF_OWNER, (", whose ", ", whose first ")),
    (idioms.IN_ALL, idioms.ALL, (" goals in all", " goals in total", " goals overall", " goals across all")),
    (idioms.ADDED, idioms.ADDS, ("adding another ", "adds ", "Added ")),
    (idioms.THEM, idioms.THEM_SAID, (" of them.", " of these and", " of those in")),
    (sources.VOTES_TO, sources.VOTES, (" votes to 9",)),
    (idioms.COST, idioms.COST_SAID, ("cost", "costs", "Costing")),
    (
        outcomes_told.LOST,
        outcomes_told.LOSSES,
        ("lost", "losing", "a loss", "was defeated", "beaten", "defeat"),
    ),
    (paces.TIME, paces.TIMES_SAID, (" 9 more weeks", " straight years", " hours")),
    (paces.OFTEN, paces.OFTEN_SAID, (" times.",)),
    (paces.EACH_OF, paces.EACH_SAID, ("each nurse", "Every single nurse", "each of the nurses")),
    (paces.SO_MUCH, paces.PERIODS_SAID, (" a day", " per night", " every quarter")),
    (
        every_row.EVERY,
        every_row.WORDS,
        ("no store", "none of the stores", "both stores", "Not one of its stores"),
    ),
    (every_row.ONLY, every_row.ONLY_SAID, ("is the only store to", "was the only one that")),
    (bind.THESE, bind.THESE_SAID, ("the ", "all ", "These ", "our ")),
    (peaks.LED, peaks.PEAKS, ("an all-time high of ", "its record low of ", "the peak at ")),
    (codes.AGES, codes.AGED, ("aged 0-6", "ages 0-6", "age group of 7-9", "years 0-6")),
    (
        compounds.COMPOUND,
        compounds.LARGER,
        ("9 ft 7 in", "9ft 7in", "8 st 4 lb", "5 hours 9 min", "9 lbs 4 oz"),
    ),
)


@pytest.mark.parametrize(("pattern", "needed", "texts"), NEEDED)
def test_no_text_that_a_rule_reads_is_without_the_words_it_is_asked_for(
    pattern: re.Pattern[str], needed: frozenset[str], texts: tuple[str, ...]
) -> None:
    for text in texts:
        assert pattern.search(text), text
        assert Spoken(text).says(needed), text


@pytest.mark.parametrize(
    "text", ["won by ", "winning by ", "re-elected by ", "ousted by ", "edged by ", "victory by "]
)
def test_a_fight_opens_like_one_of_its_words(text: str) -> None:
    assert majority.FOUGHT.search(text)
    assert Spoken(text).opens(majority.FIGHTS)


@pytest.mark.parametrize(
    "text", ["overspent", "missed its target", "within budget", "met the plan", "hit its goal"]
)
def test_a_plan_met_or_missed_has_a_word_that_opens_like_one_of_its_own(text: str) -> None:
    assert any(plan.search(text) for plan in every_row.PLANNED)
    assert Spoken(text).opens(every_row.PLANS)


@pytest.mark.parametrize(
    "text", ["won", "winning", "was beaten", "defeated", "victory", "losing", "awarded", "nominated"]
)
def test_an_end_is_told_by_a_word_that_opens_like_one_of_its_own(text: str) -> None:
    patterns = (outcomes_told.WON, outcomes_told.LOST, outcomes_told.ENDED)
    assert any(pattern.search(f"was {text}") for pattern in patterns)
    assert Spoken(text).opens(outcomes_told.ENDINGS)


def test_a_letter_that_patterns_take_for_a_latin_one_hides_no_word() -> None:
    odd = "beh\u0131nd \u017fhare \u212aey L\u0130ST"
    assert re.search("behind share key list", odd, re.IGNORECASE)
    assert Spoken(odd).vocabulary == {"behind", "share", "key", "list"}


def test_words_stand_where_the_text_has_them() -> None:
    text = "\u00c9ire led, then Mell led by 9 (Ames 7)."
    spoken = Spoken(text)
    assert [(text[start : start + len(word)].lower(), word) for start, word in spoken.words] == [
        (word, word) for word in ("ire", "led", "then", "mell", "led", "by", "ames")
    ]
    assert [spoken.words[place][1] for place in spoken.places(lambda word: word in ("led", "ames"))] == [
        "led",
        "led",
        "ames",
    ]
    assert not spoken.says(frozenset(("leads", "le")))
    assert spoken.written == ["\u00c9ire", "led", "then", "Mell", "led", "by", "9", "Ames", "7"]
    assert spoken.stems == ["eire", "led", "then", "mell", "led", "by", "9", "ame", "7"]
