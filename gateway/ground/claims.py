"""Claims a draft makes beside its numbers: cause, trend, comparison, forecast; settled by code where the cells can."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gateway.ground.bind import Binding
from gateway.ground.clauses import Sentence
from gateway.ground.sheet import Sheet
from gateway.ground.text import Visible
from traces.records import SpanFinding

LEXICON: tuple[tuple[str, str], ...] = (
    ("cause", r"because|due\sto|owing\sto|thanks\sto|driven\sby|driver|drove|caus(?:e|es|ed|ing)|led\sto|leads\sto|leading\sto|result(?:s|ed|ing)?\s(?:in|from)|(?:as\s)?(?:a|the)\sresult\sof|as\sa\sresult"
     r"|attribut(?:ed|able|es?)|on\sthe\sback\sof|(?:boost|help|fuel|lift|hit|hurt|dragg|push|pull|underpinn|support|power|held)(?:l?ed)?\s(?:up\s|down\s|back\s)?by|fuell?ed|explain(?:s|ed)?|reflect(?:s|ed|ing)|stem(?:s|med|ming)\sfrom"
     r"|coincid(?:ed|es|ing)\swith|in\sresponse\sto|(?:impact|effect)\sof|spurred|triggered|sparked|prompted|reasons?\s(?:for|why|is|was)|why|consequence|contributed\sto\s(?:the|a|this)\s(?:rise|growth|decline|drop|fall|increase)|after\sthe\s(?:launch|campaign|price|outage|promotion|release)|following\sthe\s\w+|paid\soff|weighed\son|responsible\sfor|brought\sabout|came\sfrom\sthe|made\spossible\sby"),
    ("forecast", r"will|won't|would|shall|expect(?:s|ed|ing|ation)?|forecast(?:s|ed)?|project(?:ed|ion|ions|s\sto)|predict(?:s|ed|ion)?|on\s(?:track|course|pace)|(?:un)?likely|set\sto|going\sto|outlook|anticipat(?:e|es|ed)|poised|heading\s(?:for|to|towards?)|should\s(?:reach|exceed|hit|pass|grow|rise|fall|be|continue|see|come|land|end|close)|(?:could|may|might)\s(?:reach|exceed|hit|pass|grow|rise|fall|well)|next\s(?:quarter|month|year|week)|by\syear[\s-]end|in\sthe\scoming|at\sthis\s(?:rate|pace)|is\sto\s(?:reach|exceed)|(?:looks|appears)\s(?:set|likely|on)"),
    ("trend", r"rose|ris(?:e|es|en|ing)|gr[eo]w(?:s|n|ing|th)?|increas(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|fell|fall(?:s|en|ing)?|dropp?(?:s|ed|ing)?|climb(?:s|ed|ing)?|decreas(?:e|es|ed|ing)|slow(?:s|ed|ing|down|er\sgrowth)|slowdown|accelerat\w+|decelerat\w+|recover(?:s|ed|ing|y)?|rebound(?:s|ed|ing)?|improv\w+|worsen\w*|deteriorat\w+|trend(?:s|ed|ing)?|momentum|stead(?:y|ily)|stable|flat|unchanged|plateau\w*|peaked|month\s(?:after|over|on)\smonth|year\s(?:after|over|on)\syear|year-(?:on|over)-year|consecutive|streak|upward|downward|continu(?:e|es|ed|ing)\sto|doubl(?:ed|ing)|tripl(?:ed|ing)|halv(?:ed|ing)|widen(?:s|ed|ing)?|narrow(?:s|ed|ing)?|shrank|shrink\w*|shrunk|surg(?:e|es|ed|ing)|soar(?:s|ed|ing)?|plung(?:e|es|ed|ing)|plummet\w*|dipp?(?:s|ed|ing)|slipp?(?:s|ed|ing)|slump\w*|tumbl\w+|jump(?:s|ed|ing)?|up|down|bounced\sback|gained|gaining|gathering\space|losing\sground|picked\sup|tailed\soff|cool(?:ed|ing)|expand(?:s|ed|ing)?|contract(?:ed|ing)|volatil\w+|stagnat\w+|dwindl\w+|each\smonth|every\smonth|from\smonth\sto\smonth"),
    ("comparison", r"higher|lower|more|less|fewer|above|below|exceed(?:s|ed|ing)|outperform\w*|outsold|outpac\w+|out-?earn\w*|outstripp?\w*|lag(?:s|ged|ging)?|behind|ahead|larg(?:er|est)|small(?:er|est)|bigg(?:er|est)|high(?:est)|low(?:est)|greater|greatest|best|better|worst|worse|strong(?:er|est)|weak(?:er|est)|top(?:ped|s)?|leading|leads?|led|leader|most|least|fewest|compared|versus|vs\.?|than|twice|double|half\s(?:of|as|the)|trail(?:s|ed|ing)?|beat(?:s|ing)?|surpass\w*|overt(?:ook|ake|aken)|up\son|down\son|dominat\w+|rank(?:s|ed|ing)?|first|second|third|runner-up|fast(?:er|est)|slow(?:er|est)|in\scontrast|by\scontrast|unlike|similar|same\sas|equal(?:led|s)?|on\sa\spar|on\spar|dwarf\w*|bottom|maximum|minimum|number\sone|short\sof|far\sfrom|well\sover|the\srest|all\sothers?|narrowest|widest|longest|shortest|tallest|busiest|richest|poorest|match(?:es|ed)"),
)  # fmt: skip
PATTERNS = tuple((name, re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)) for name, words in LEXICON)
HEDGED = re.compile(r"\s?(?:than\s)?(?:about\s)?[~$€£¥(]?\s?(?:[A-Z]{3}\s)?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|half|a\s(?:million|thousand|hundred|dozen))", re.IGNORECASE)
NOT_A_CLAIM: dict[str, re.Pattern[str]] = {
    "up": re.compile(r"\s(?:to|of|until)\b", re.IGNORECASE),
    "down": re.compile(r"\s(?:to\sthe|payment)", re.IGNORECASE),
    "most": re.compile(r"\sof\b", re.IGNORECASE),
    "first": re.compile(r"\s(?:half|quarter|month|week|day|time|name|of|year)\b", re.IGNORECASE),
    "second": re.compile(r"\s(?:half|quarter|month|week|time|of)\b|s\b", re.IGNORECASE),
    "third": re.compile(r"\s(?:half|quarter|month|week|time|of|party)\b", re.IGNORECASE),
    "flat": re.compile(r"\s(?:fee|rate)\b", re.IGNORECASE),
    "will": re.compile(r"\sof\b"),
    "double": re.compile(r"[- ]digit"),
}
LOWS = re.compile(r"\b(?:lowest|smallest|least|fewest|weakest|shortest|worst|bottom|minimum|slowest|narrowest)\b", re.IGNORECASE)
HIGHS = re.compile(r"\b(?:highest|largest|biggest|greatest|strongest|longest|tallest|busiest|best|maximum|widest|most)\b", re.IGNORECASE)
WEAK_EXTREME = re.compile(r"\b(?:second|third|fourth|2nd|3rd|4th|among|one\sof|next|ever|record|so\sfar|since|except|after|joint)\b", re.IGNORECASE)
RISE = re.compile(r"\b(?:rose|grew|grown|risen|increased|climbed|jumped|improved|up|gained|surged|soared|widened)\b", re.IGNORECASE)
FALL = re.compile(r"\b(?:fell|fallen|declined|dropped|decreased|down|slipped|shrank|shrunk|plunged|narrowed|dipped|slid)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Claims:
    """Every claim class a draft makes, which of them code settled and how, and findings for the rest.

    `open` is true while a claim is neither settled nor refuted.
    """

    flags: tuple[str, ...]
    settled: tuple[str, ...]
    findings: tuple[SpanFinding, ...]
    open: bool


def judge_claims(
    visible: Visible, sheet: Sheet, sentences: Sequence[Sentence], bindings: Sequence[Binding]
) -> Claims:
    """Return the claims of a text. Cause and forecast are never settled by code."""
    flags: set[str] = set()
    settled: list[str] = []
    findings: list[SpanFinding] = []
    unsettled = False
    place = 0
    for sentence in sentences:
        found = dict(reversed(list(_claims(visible.text, sentence))))
        flags.update(found)
        own = bindings[place : place + len(sentence.quantities)]
        place += len(sentence.quantities)
        for name, (start, end) in found.items():
            outcome = _settle(name, visible.text, sheet, sentence, own)
            if outcome is None or not outcome[0]:
                findings.append(_finding(visible, name, start, end, outcome))
                unsettled = unsettled or outcome is None
            else:
                settled.append(f"{name}: {outcome[1]}")
    return Claims(tuple(sorted(flags)), tuple(settled), tuple(findings), unsettled)


def _claims(text: str, sentence: Sentence) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield (class, span) of every claim word of a sentence that is not a hedge, a name or part of a forecast."""
    words = text[sentence.start : sentence.end]
    for name, pattern in PATTERNS:
        for found in pattern.finditer(words):
            start, end = sentence.start + found.start(), sentence.start + found.end()
            if not _is_harmless(name, found.group().lower(), text, start, end, sentence):
                yield name, (start, end)


def _is_harmless(name: str, word: str, text: str, start: int, end: int, sentence: Sentence) -> bool:
    except_before = NOT_A_CLAIM.get(word)
    if except_before and except_before.match(text, end):
        return True
    if any(m.start <= start < m.end for m in (*sentence.columns, *sentence.rows) if m.full):
        return True
    if name == "comparison" and word in ("more", "less", "fewer", "above", "below", "exceeding", "well over", "higher", "than", "least", "most", "lower"):
        before = text[max(0, start - 12) : start].lower()
        if word in ("least", "most") and before.endswith("at "):
            return True
        if HEDGED.match(text, end) and not re.search(r"[\d%]\s*\w*\s*\Z", before):
            return True
        return word == "than" and before.rstrip().endswith(("more", "less", "fewer", "higher", "lower")) and bool(HEDGED.match(text, end))
    return word == "may" or (word == "less" and text[max(0, start - 3) : start].lower() == "or ")


def _settle(
    name: str, text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]
) -> tuple[bool, str] | None:
    """Return whether the cells bear a claim out and how; None when code cannot tell."""
    if name == "comparison":
        return _settle_extreme(text, sheet, sentence, bindings)
    if name == "trend":
        return _settle_change(text, sheet, sentence, bindings)
    return None


def _settle_extreme(
    text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]
) -> tuple[bool, str] | None:
    words = text[sentence.start : sentence.end]
    high, low = HIGHS.search(words), LOWS.search(words)
    cells = [b for b in bindings if b.cell is not None]
    if bool(high) == bool(low) or WEAK_EXTREME.search(words) or len(cells) != 1 or sheet.table.truncated:
        return None
    row, column = cells[0].cell or (0, 0)
    values = [value for _, value in sheet.column_values(column)]
    own = sheet.number(row, column)
    if own is None or len(values) < 2:
        return None
    wanted = max(values) if high else min(values)
    word = (high or low).group() if (high or low) else ""  # type: ignore[union-attr]
    either = word.lower() in ("best", "worst", "strongest", "weakest")
    if own == wanted or (either and own in (max(values), min(values))):
        return True, f"{sheet.columns[column].name} {own} is the {'maximum' if own == max(values) else 'minimum'}"
    if len(sentence.rows) > 1 or either or sentence.carried:
        return None
    return False, f"{sheet.columns[column].name} goes {'up' if high else 'down'} to {wanted}"


def _settle_change(
    text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]
) -> tuple[bool, str] | None:
    words = text[sentence.start : sentence.end]
    rise, fall = bool(RISE.search(words)), bool(FALL.search(words))
    changes = [b.derived for b in bindings if b.derived is not None and b.derived.change]
    if changes and rise != fall and all((c.value > 0) == rise for c in changes):
        return True, "; ".join(change.expression for change in changes)
    signed = [b for b in bindings if b.cell is not None and b.direction.sign and b.direction.firm]
    if signed and rise != fall and all(b.direction.sign == (1 if rise else -1) for b in signed):
        return True, "the signs of the cells"
    return _settle_from_to(text, sheet, sentence, bindings, rise, fall)


def _settle_from_to(
    text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding], rise: bool, fall: bool
) -> tuple[bool, str] | None:
    """Compare "from X ... to Y" when both are cells of what changed."""
    for first, second in zip(bindings, bindings[1:], strict=False):
        led = re.search(r"\bfrom\s(?:about\s|around\s)?\Z", text[sentence.start : first.quantity.start], re.IGNORECASE)
        joined = re.search(r"\bto\s(?:about\s|around\s)?\Z", text[first.quantity.end : second.quantity.start], re.IGNORECASE)
        if led and joined and rise != fall and first.cell and second.cell and first.value is not None and second.value is not None:
            if first.value == second.value:
                return None
            return (second.value > first.value) == rise, f"from {first.value} to {second.value}"
    return None


def _finding(
    visible: Visible, name: str, start: int, end: int, outcome: tuple[bool, str] | None
) -> SpanFinding:
    first, last = visible.span(start, end)
    text = visible.raw[first:last]
    if outcome is None:
        return SpanFinding(
            code="claim", start=first, end=last, text=text, message=f"a {name} claim that the cells alone do not settle",
            next_step="Leave it out, or let somebody entitled decide.",
        )  # fmt: skip
    return SpanFinding(
        code="claim", start=first, end=last, text=text, message=f"the cells say otherwise: {outcome[1]}",
        expected=outcome[1], next_step="Say what the cells say.",
    )  # fmt: skip
