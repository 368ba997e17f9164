"""Parts of the business said right beside a figure ("SMB net revenue") that nobody asked for."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.stems import split_words
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.population import Known

SEGMENTS = words(
    "smb smbs sme smes enterprise enterprises mid-market midmarket b2b b2c d2c corporate wholesale "
    "wholesaler wholesalers retail retailer retailers consumer consumers business-to-business domestic "
    "overseas foreign international export commercial residential industrial premium vip vips online "
    "offline in-store mobile desktop e-commerce ecommerce government public-sector freemium recurring "
    "non-recurring new-business one-off student students loyalty partner partners affiliate affiliates "
    "repeat returning first-time non-profit nonprofit nonprofits startup startups"
)
# Letters that say how or when something is counted, not whose it is.
COUNTED_BY = words(
    "ytd mtd qtd wtd ltm ttm ntm yoy qoq mom fy cy h1 h2 q1 q2 q3 q4 vat gaap non-gaap ifrs kpi kpis usd "
    "eur gbp chf jpy cad aud ok the our its all and or no net gross"
)
LETTERS = re.compile(r"[A-Z][A-Z0-9&]{1,5}s?")
BEFORE = re.compile(r"(?<![\w.,'\u2019-])([A-Za-z][\w&-]*)\s\Z")
# "Net revenue from SMBs", "orders by wholesalers".
BEHIND = re.compile(r"\s(?:from|among|by|with|of|for|to)\s(?:our\s|the\s|its\s)?([A-Za-z][\w&-]*)(?![\w-])")
REACH = 24


def segments_said(
    text: str, mentions: Sequence[Mention], figures: frozenset[int], known: Known
) -> Iterator[tuple[int, int]]:
    """Yield the words beside the names of figures that limit what is counted and that nobody asked for."""
    rows = {mention.end: mention.start for mention in mentions if mention.names_rows and mention.full}
    for mention in mentions:
        if not (mention.full and mention.columns & figures):
            continue
        until = rows.get(mention.start - 1, mention.start)  # "Online Garden net revenue"
        since = max(0, until - REACH)
        before = BEFORE.search(text[since:until])
        if before and (_is_segment(before[1], known) or _is_letters(before[1], known)):
            yield since + before.start(1), since + before.end(1)
        behind = BEHIND.match(text, mention.end)
        if behind and _is_segment(behind[1], known):
            yield behind.span(1)


def _is_segment(word: str, known: Known) -> bool:
    """Tell whether a word is a part that businesses are told apart by."""
    return word.lower() in SEGMENTS and not known.holds(split_words(word))


def _is_letters(word: str, known: Known) -> bool:
    """Tell whether letters stand for a name that nobody asked for ("EMEA orders")."""
    shortened = LETTERS.fullmatch(word) is not None and word.lower() not in COUNTED_BY
    return shortened and not known.holds(split_words(word))
