"""Claims beside the numbers (cause, trend, comparison, forecast), settled by code where the cells can."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gateway.ground.claiming.claim_words import (
    CLASSES,
    COUNTED,
    ENDS_IN_NUMBER,
    HEDGED_NUMBER,
    HEDGES,
    MOVED,
    NO_CLAIM,
    NOUNS,
    PHRASAL,
    THING,
    TO_COME,
)
from gateway.ground.claiming.settle import Settled, refuted, refuted_move, settle_comparison, settle_trend
from gateway.ground.compared.ages import aged
from gateway.ground.compared.bare_places import misplaced
from gateway.ground.compared.extremes import OPENERS
from gateway.ground.compared.listed_order import Listed, list_orders
from gateway.ground.compared.superlatives import says_grade
from gateway.ground.lexing.spoken import Span, Spoken, inside
from gateway.ground.lexing.text import Visible
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet
from traces.grounding import SpanFinding

ADDED = re.compile(r"\badd(?:s|ed|ing)\s(?:another\s)?[\w.,]+\s\Z", re.IGNORECASE)
COMPARED = re.compile(r"[^;:]{0,60}\b(?:than|compared|versus|vs|over|against)\b", re.IGNORECASE)
OPENING = frozenset(opener.lstrip("0123456789") for opener in OPENERS)
# Of a slope, no trend: "descends from 900 m to 400 m".
TRAVELS = frozenset(("ascends", "ascended", "descends", "descended", "rises"))
LED_IN = 3


@dataclass(frozen=True, slots=True)
class Claims:
    """Every claim class a draft makes, which of them code settled and how, and findings for the rest.

    `open` is true while a claim is neither borne out nor refuted.
    """

    flags: tuple[str, ...]
    settled: tuple[str, ...]
    findings: tuple[SpanFinding, ...]
    open: bool


def judge_claims(
    visible: Visible, spoken: Spoken, sheet: Sheet, sentences: Sequence[Sentence], bindings: Sequence[Binding]
) -> Claims:
    """Return the claims of a text. Cause and forecast are never settled by code."""
    flags: set[str] = set()
    settled: list[str] = []
    findings: list[SpanFinding] = []
    unsettled = False
    place = 0
    said = _said(spoken)
    ordered = not OPENING.isdisjoint(spoken.vocabulary) or says_grade(spoken.vocabulary)
    led = not spoken.vocabulary.isdisjoint(TRAVELS)
    every = (sheet.label(key).lower() for key in sheet.keys)
    low = visible.text.lower()
    labels = [label for label in every if " " in label and label in low]
    orders = list_orders(spoken, sheet, sentences, bindings)
    findings += _misordered(visible, orders)
    for sentence in sentences:
        own = bindings[place : place + len(sentence.quantities)]
        place += len(sentence.quantities)
        claims = _claims(visible.text, sentence, said, labels) if said else ()
        claimed = dict(reversed([claim for claim in claims if not _is_ordered(claim, orders)]))
        titled = any(low.find(label, sentence.start, sentence.end) >= 0 for label in labels)
        if ordered and own and "comparison" not in claimed and not titled:
            findings += _unclaimed(visible, sentence, refuted(visible.text, sheet, sentence, own))
        if ordered and not any(b.cell for b in own):
            findings += _misplaced(visible, sheet, sentence)
        if led and len(own) > 1 and "trend" not in claimed:
            findings += _unclaimed(visible, sentence, refuted_move(visible.text, sheet, sentence, own))
        for name, (start, end) in claimed.items():
            flags.add(name)
            outcome = _settle(name, visible.text, sheet, sentence, own)
            if outcome is not None and outcome.holds:
                settled.append(f"{name}: {outcome.how}")
                continue
            unsettled = unsettled or outcome is None
            findings.append(_finding(visible, name, start, end, outcome))
    return Claims(tuple(sorted(flags)), tuple(settled), tuple(findings), unsettled)


def _misplaced(visible: Visible, sheet: Sheet, sentence: Sentence) -> Iterator[SpanFinding]:
    """Yield the place or age that a row is said to have and has not, where no figure stands beside it."""
    verdict = misplaced(visible.text, sheet, sentence)
    wrong = (v for v in aged(visible.text, sheet, sentence, frozenset()) if v.holds is False)
    verdict = verdict or next(wrong, None)
    if verdict is not None:
        yield _finding(visible, "comparison", sentence.start, sentence.end, Settled(False, verdict.how))


def _misordered(visible: Visible, orders: Mapping[int, Listed]) -> Iterator[SpanFinding]:
    """Yield the lists that are in another order than a text says ("best first")."""
    for span, verdict in orders.values():
        if verdict.holds is False:
            yield _finding(visible, "comparison", *span, Settled(False, verdict.how))


def _is_ordered(claim: tuple[str, Span], orders: Mapping[int, Listed]) -> bool:
    """Tell whether a word of claim only says in what order a list is, which the cells have decided."""
    start = claim[1][0]
    decided = (listed.span for listed in orders.values() if listed.verdict.holds is not None)
    return any(first <= start < last for first, last in decided)


def _unclaimed(visible: Visible, sentence: Sentence, outcome: Settled | None) -> Iterator[SpanFinding]:
    """Yield what the cells say against a sentence whose words alone are no claim ("third-tallest")."""
    if outcome is not None:
        yield _finding(visible, "comparison", sentence.start, sentence.end, outcome)


def _said(spoken: Spoken) -> Mapping[str, Sequence[Span]]:
    """Return where the words of each class of claim stand in a text.

    Only the words that may open a phrase are looked at, from up to three words before ("on track").
    """
    every = (
        (name, list(_phrases(spoken.text, pattern, spoken.words, spoken.places(opens))))
        for name, pattern, opens in CLASSES
    )
    return {name: places for name, places in every if places}


def _phrases(
    text: str, pattern: re.Pattern[str], words: Sequence[tuple[int, str]], hits: Sequence[int]
) -> Iterator[Span]:
    """Yield the phrases around some words in order, none inside another."""
    until = 0
    for hit in hits:
        for start, _ in words[max(0, hit - LED_IN) : hit + 1]:
            found = pattern.match(text, start) if start >= until else None
            if found is not None:
                until = found.end()
                yield found.span()


def _claims(
    text: str, sentence: Sentence, said: Mapping[str, Sequence[Span]], labels: Sequence[str]
) -> Iterator[tuple[str, Span]]:
    """Yield (class, span) of each claim word that is no hedge, no name and no part of a forecast.

    `labels` are what columns of names are called ("highest point"): they claim nothing.
    """
    spans = {n: inside(places, sentence.start, sentence.end) for n, places in said.items()}
    for name, places in spans.items():
        for start, end in places:
            foreseen = spans.get("forecast") and name in ("trend", "comparison")
            if foreseen and TO_COME.search(text[max(0, start - 24) : start]):
                continue
            named = any(m.start <= start < m.end for m in (*sentence.columns, *sentence.rows) if m.full)
            named = named or any(text[start : start + len(label)].lower() == label for label in labels)
            if not named and not _is_harmless(name, text[start:end].lower(), text, start, end):
                yield name, (start, end)


def _is_harmless(name: str, word: str, text: str, start: int, end: int) -> bool:
    """Tell whether a claim word only bounds a number ("more than 10") or is a set phrase ("up to")."""
    if word in NO_CLAIM and NO_CLAIM[word].match(text, end):
        return True
    before = text[max(0, start - 12) : start].lower()
    if word in ("up", "down", "up on", "down on") and PHRASAL.search(before) and not MOVED.match(text, end):
        return True
    if (word == "picked up" and THING.match(text, end)) or (word in NOUNS and COUNTED.search(before)):
        return True
    if before.endswith("once ") and word == "more":
        return True
    if word == "more" and ADDED.search(text, max(0, start - 24), start):
        return not COMPARED.match(text, end)  # "added 4 more in the cup"
    if name != "comparison" or word not in HEDGES:
        return False
    if word in ("least", "most") and before.endswith("at "):
        return True
    if word == "less" and before.endswith("or "):
        return True
    return HEDGED_NUMBER.match(text, end) is not None and not ENDS_IN_NUMBER.search(before)


def _settle(
    name: str, text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]
) -> Settled | None:
    if name == "comparison":
        return settle_comparison(text, sheet, sentence, bindings)
    if name == "trend":
        return settle_trend(text, sheet, sentence, bindings)
    return None


def _finding(visible: Visible, name: str, start: int, end: int, outcome: Settled | None) -> SpanFinding:
    first, last = visible.span(start, end)
    text = visible.raw[first:last]
    if outcome is None:
        message = f"a {name} claim that the cells alone do not settle"
        step = "Leave it out, or let somebody entitled decide."
        return SpanFinding(code="claim", start=first, end=last, text=text, message=message, next_step=step)
    return SpanFinding(
        code="claim",
        start=first,
        end=last,
        text=text,
        message=f"the cells say otherwise: {outcome.how}",
        expected=outcome.how,
        next_step="Say what the cells say.",
    )
