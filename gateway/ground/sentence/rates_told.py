"""Rates told by what happened ("lost 10.9% of its calls" of Abandon rate): which column a verb means."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from gateway.ground.lexing.cues import PAUSE, TURNS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.table.sheet import Sheet


class Outcome(NamedTuple):
    """What becomes of some of those counted: the verbs that say it, and the headers of rates that mean it."""

    said: str
    headed: str


# The two of a pair exclude each other.
PAIRS: tuple[tuple[Outcome, Outcome], ...] = (
    (
        Outcome(
            r"(?:h[au]ng|g[ai]ven?|g[ai]ve)\sup|hung\sup|abandon(?:ed|s|ing)?|walked\s(?:away|out|off)|dropped(?:\s(?:out|off))?"
            r"|los(?:t|es?|ing)|shed|left|quit|cancel(?:l?ed|s)|churned|lapsed|bounced|miss(?:ed|es)",
            r"abandon|drop(?:ped|[\s-]?(?:off|out))?\b|\bloss\b|\blost\b|churn|attrition|lapse|bounce|cancel|missed",
        ),
        Outcome(
            r"answer(?:ed|s|ing)|picked\sup|took\sup|stayed|kept|keeps?|retain(?:ed|s)|came\sback|renewed|return(?:ed|s)",
            r"answer|pick[\s-]?up|retention|retained|renewal|repeat|return",
        ),
    ),
    (
        Outcome(
            r"approv(?:ed|es|ing)|accept(?:ed|s|ing)|grant(?:ed|s|ing)|let\sin|admit(?:ted|s)|said\syes",
            r"approv|accept|grant|admission|admit",
        ),
        Outcome(
            r"reject(?:ed|s|ing)|refus(?:ed|es|ing)|turn(?:ed|s)\s(?:down|away)|declin(?:ed|es|ing)|den(?:ied|ies)|said\sno",
            r"reject|refus|declin|denial|denied",
        ),
    ),
    (
        Outcome(r"pass(?:ed|es|ing)?|cleared|made\sthe\sgrade", r"\bpass"),
        Outcome(r"fail(?:ed|s|ing)?|flunked", r"\bfail"),
    ),
    (
        Outcome(
            r"ran|running|were\sup|was\sup|stayed\sup|worked|online|in\suse|available",
            r"up-?\s?time|availab|utili[sz]ation|running",
        ),
        Outcome(
            r"stood\s(?:still|idle)|idle|were\sdown|was\sdown|went\sdown|offline|out\sof\saction",
            r"down-?\s?time|idle|outage",
        ),
    ),
    (
        Outcome(
            r"filled|fill(?:s|ing)?|(?:were|was|are|is)\s(?:full|taken|let|occupied|booked)|sold|occupied|slept\sin",
            r"occupan|fill\b|load\sfactor|sell-?\s?through|let\srate",
        ),
        Outcome(
            r"(?:stood|stayed|(?:were|was|lay|went|left|remained)(?:\sleft)?)\s(?:empty|vacant|unlet|unsold|unfilled)|vacant",
            r"vacan|void\b|empty|unsold",
        ),
    ),
    (
        Outcome(
            r"turned\sup|showed\sup|attend(?:ed|s|ing)|came\salong|took\spart|voted",
            r"attendance|turnout|show[\s-]?up|participation",
        ),
        Outcome(
            r"(?:failed|fails|did\snot|didn't|never|not)\s(?:to\s)?(?:turn(?:ed)?|show(?:ed)?|come|came|appear(?:ed)?)(?:\sup)?"
            r"|stayed\saway|(?:were|was)\s(?:absent|missing|off(?:\ssick)?)|missing|absent",
            r"no[\s-]?show|absen|sick",
        ),
    ),
    (
        Outcome(
            r"fix(?:ed|es|ing)|solv(?:ed|es|ing)|resolv(?:ed|es|ing)|settl(?:ed|es|ing)|clos(?:ed|es|ing)|dealt\swith|sorted",
            r"\bfix|solv|resol(?:v|ution)|settle|closure|clear[\s-]?up",
        ),
        Outcome(r"reopen(?:ed|s|ing)?|came\sback|escalat(?:ed|es|ing)", r"reopen|escalat"),
    ),
    (
        Outcome(
            r"repaid|paid\s(?:back|up|on\stime)|recover(?:ed|s|ing)|collect(?:ed|s|ing)",
            r"repayment|recover|collection",
        ),
        Outcome(
            r"default(?:ed|s|ing)?|(?:went|gone|go(?:es|ing)?|turned)\s(?:bad|sour)|(?:stopped|missed)\spaying|wrote\soff|written\soff",
            r"default|bad\sdebt|write[\s-]?off|\bnpl\b|non[\s-]?performing|charge[\s-]?off",
        ),
    ),
    (
        Outcome(r"recycl(?:ed|es|ing)|reus(?:ed|es|ing)", r"recycl|reuse"),
        Outcome(
            r"scrap(?:ped|s|ping)?|thr[eo]wn?\s(?:away|out)|bin(?:ned|s)|discard(?:ed|s)|wast(?:ed|es|ing)|spoil(?:ed|t)?"
            r"|(?:was|were)\s(?:faulty|defective)",
            r"scrap|wast(?:e|age)|spoil|defect|reject|shrink",
        ),
    ),
    (
        Outcome(r"won|wins?|winning", r"\bwin\b|\bwon\b|\bwins\b|hit\srate"),
        Outcome(r"lost|los(?:es?|ing)", r"\bloss\b|\blost\b"),
    ),
    (
        Outcome(r"surviv(?:ed|es|ing)|pulled\sthrough", r"surviv"),
        Outcome(r"died|dies?|dying", r"mortality|death|fatality"),
    ),
    (
        Outcome(r"sent\sback|brought\sback|gave\sback|returned|came\sback|handed\sback", r"\breturn"),
        Outcome(r"kept|keeps?", r"\bkept\b|keep"),
    ),
)
OUTCOMES = tuple(outcome for pair in PAIRS for outcome in pair)
STOPS = re.compile(r"[,;:(]|\b(?:and|but|while|whereas|which|who)\s", re.IGNORECASE)
# "10.9% of the calls": a part of those counted.
PART = re.compile(
    r"\s?(?:of|were|was|did|are|is|had|have|has|[a-z]+ed|left|quit|hung|gave|came|went)\b|\s?[.,;)]|\Z"
)
OF = re.compile(r"\sof\b")
REACH, BEHIND = 60, 60


class RatesTold:
    """Reads which rates the verbs around percentages mean, for one text over one sheet."""

    def __init__(self, sheet: Sheet, text: str) -> None:
        """Stand on a sheet and a text."""
        self.text = text
        columns = sheet.numeric if "%" in text or "percent" in text else ()
        rated = [c for c in columns if sheet.measured[c].carrier in ("percent", "fraction")]
        self.rates = frozenset(rated)
        self.headed = {c: found for c in rated if (found := _headed(sheet.label(c)))}

    def of(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the rates that a verb beside a percentage means; empty where its clause names one."""
        if not self.headed or quantity.measure != "percent" or self._is_named(quantity, sentence):
            return NOBODY
        said = self._said(quantity, sentence)
        return frozenset(c for c, meant in self.headed.items() if not meant.isdisjoint(said))

    def denies(self, quantity: Quantity, column: int, sentence: Sentence) -> bool:
        """Tell whether a verb says the opposite of what a rate tells, or what another rate does."""
        if column not in self.rates or not self.headed or quantity.measure != "percent":
            return False
        if self._is_named(quantity, sentence):
            return False
        said, own = self._said(quantity, sentence), self.headed.get(column, frozenset())
        if not said or not own.isdisjoint(said):
            return False
        others = any(not meant.isdisjoint(said) for meant in self.headed.values())
        return others or any(outcome ^ 1 in said for outcome in own)

    def _is_named(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether the clause of a number names a rate in full."""
        before, after = neighbours(quantity, sentence)
        return any(m.full and before <= m.start < after and m.columns & self.rates for m in sentence.columns)

    def _said(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the outcomes that the last verb before a number says, else the first one behind it."""
        before, after = neighbours(quantity, sentence)
        since = max(before, quantity.start - REACH)
        stops = [found.end() for found in STOPS.finditer(self.text, since, quantity.start)]
        part = OF.match(self.text, quantity.end) is not None
        led = list(SAID.finditer(self.text, stops[-1] if stops else since, quantity.start)) if part else []
        if led:
            return _outcomes(led[-1].group().lower())
        if not PART.match(self.text, quantity.end):
            return frozenset()
        ends = [p.search(self.text, quantity.end, min(after, quantity.end + BEHIND)) for p in (PAUSE, TURNS)]
        until = min([found.start() for found in ends if found] or [min(after, quantity.end + BEHIND)])
        behind = SAID.search(self.text, quantity.end, until)
        return _outcomes(behind.group().lower()) if behind else frozenset()


SAID = re.compile(rf"\b(?:{'|'.join(f'(?:{outcome.said})' for outcome in OUTCOMES)})\b", re.IGNORECASE)


@lru_cache(maxsize=256)
def _outcomes(said: str) -> frozenset[int]:
    """Return the outcomes that a verb may say."""
    found = (at for at, outcome in enumerate(OUTCOMES) if re.fullmatch(outcome.said, said))
    return frozenset(found)


@lru_cache(maxsize=1024)
def _headed(label: str) -> frozenset[int]:
    """Return the outcomes that a header means."""
    found: Sequence[int] = [
        at for at, outcome in enumerate(OUTCOMES) if re.search(outcome.headed, label, re.IGNORECASE)
    ]
    return frozenset(found)
