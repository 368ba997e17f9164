"""Who came, who went and who is there ("96 callers hung up", "lost 14 of its staff"): of which column."""

import re
from collections.abc import Mapping

from gateway.ground.lexing.lexicon import PEOPLE, words
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import RATES
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.sentence.clauses import Sentence, position
from gateway.ground.sentence.idioms import Fits
from gateway.ground.table.sheet import Sheet

_PEOPLE = "|".join(sorted(PEOPLE))
_WHO = (
    r"(?:\sof\s(?:its|their|our|the|his|her))?(?:\s(?!and\b|or\b|but\b|more\b|fewer\b)[a-z-]+)?"
    rf"\s(?:{_PEOPLE})"
)
# What those do who go, and those who come.
LEAVE = (
    r"left|leav(?:e|ing)|quit|resign(?:ed|ing)?|depart(?:ed|ing)?|cancel(?:l?ed|l?ing)?|churn(?:ed|ing)?"
    r"|unsubscrib(?:ed|ing)|defect(?:ed|ing)"
)
JOIN = r"join(?:ed|ing)?|sign(?:ed|ing)?\s(?:up|on)|enroll?(?:ed|ing)|register(?:ed|ing)|subscrib(?:ed|ing)"
_ONLY = r"(?:just\s|only\s|some\s|about\s|another\s|(?:the\s)?most(?:\s[a-z]+)?,\s)?"
_THEN = r"(?:\s(?:who|have|had|has|also|then|simply|just|only|were|eventually|[a-z]+ly))*"
WENT = re.compile(
    rf"(?:{_WHO})?{_THEN}\s(?:g[ia]ve\sup|h[au]ng\sup|walked\s(?:out|away|off)|dropped\s(?:out|off)|{LEAVE}"
    r"|went\selsewhere|moved\son|bailed\sout)\b(?!\sto\b)",
    re.IGNORECASE,
)
CAME = re.compile(
    rf"(?:{_WHO})?{_THEN}\s(?:{JOIN}|came\son\sboard|(?:are|were)\snew|(?:were\s)?hired|(?:were\s)?recruited)\b",
    re.IGNORECASE,
)
LOSES = r"los(?:t|es?|ing)|shed(?:s|ding)?"
LOST = re.compile(rf"\b(?:{LOSES})\s{_ONLY}\Z", re.IGNORECASE)
WON = re.compile(
    rf"\b(?:signed\s(?:up|on)|signing\sup|took\son|brought\sin|attracted|recruited|hired|enrolled)\s{_ONLY}\Z",
    re.IGNORECASE,
)
GAINED = re.compile(rf"\b(?:won|gain(?:ed|ing)|add(?:ed|ing))\s{_ONLY}\Z", re.IGNORECASE)
OF_ITS = re.compile(r"\sof\s(?:its|their|our|his|her)\s[a-z]", re.IGNORECASE)
OF_THEM = re.compile(r"\sof\s(?:them|these|those|whom)\b", re.IGNORECASE)
TO_NUMBER = re.compile(r"\s(?:to|on)\s", re.IGNORECASE)
THEM = re.compile(rf"(?:\snew)?\s(?:{_PEOPLE})\b", re.IGNORECASE)
# "A net 85", "a net loss of 85 members", "85 members net", "on balance".
NET = re.compile(
    r"\bnet\s(?:(?:loss(?:es)?|gains?|additions?|adds|increase|decrease|growth|reduction|rise|fall|change"
    r"|inflow|outflow)(?:\s(?:of|was|were|to|came\sto))*\s)?(?:just\s|only\s|some\s|about\s)?[^\w\s]?\Z",
    re.IGNORECASE,
)
NET_BEHIND = re.compile(r"(?:\s[a-z]+)?\s(?:net|on\sbalance|on\sa\snet\sbasis)\b", re.IGNORECASE)
MOVED = re.compile(
    rf"\b(?:add(?:ed|ing)?|gain(?:ed|ing)?|los(?:t|ing)|shed(?:ding)?|won(?:\sback)?|put\son)\s{_ONLY}[^\w\s]?\Z",
    re.IGNORECASE,
)
# "Lost 14,205 subscribers", "grew by 310": what came less what went, where no column holds either alone.
MOVED_BY = re.compile(
    r"\b(?:add(?:s|ed|ing)?|gain(?:s|ed|ing)?|los(?:t|es?|ing)|shed(?:s|ding)?|won|put\son|picked\sup|(?:took|pulled|brought)\sin"
    rf"|attracted|(?:gr[eo]wn?|ris(?:en|ing)|rose|expanded|increased|shr[au]nk|fell|fallen|dropped|declined|decreased)\sby)\s{_ONLY}[^\w\s]?\Z",
    re.IGNORECASE,
)
GAIN_VERB = re.compile(r"add|gain|won|put|pick|took|pull|brou|attr|gr|ris|rose|exp|inc", re.IGNORECASE)
GOING = re.compile(
    r"\b(?:leav(?:er|ing)|left\b|los[ts]|churn|cancel|quit|abandon|drop|exit|depart|resign|unsubscri|attrition|walk-?outs?|(?:switch|mov)ed\s(?:away|out)\b)",
    re.IGNORECASE,
)
COMING = re.compile(
    r"\b(?:new\b|join|sign-?\s?ups?|regist|enrol|hire|recruit|starter|onboard|acqui|gained\b|added\b|gross\sadds)",
    re.IGNORECASE,
)
NET_LABEL = re.compile(
    r"\bnet\s(?:adds?|additions?|new|change|growth|gains?|(?:cash\s?)?flow|movement|migration|joiners|increase)\b",
    re.IGNORECASE,
)
# "A team of 64", "with a staff of 182".
STAFFED = re.compile(
    r"\b(?:an?|the|its|their|our)\s(?:[a-z]+\s)?(?:team|department|staff|workforce|crew|unit|division|squad"
    r"|office)\sof\s(?:just\s|only\s|some\s|about\s)?\Z",
    re.IGNORECASE,
)
STAFF = re.compile(
    r"\b(?:head\s?-?count|heads|staff|employees|people|workforce|workers|fte|team\ssize"
    r"|nurses|doctors|teachers|agents|drivers|engineers|technicians|reps|consultants|developers)\b",
    re.IGNORECASE,
)
ENDS = re.compile(r"\s*(?:[.,;:)!?]|\Z)|\s(?:and|but|while|in|during|over|this|last)\b", re.IGNORECASE)
# Without one of these words a text says nothing of who went, came or is there.
WENT_WORDS = words(
    "gave give hung hang walked dropped left leave leaving quit resign resigned resigning depart departed "
    "departing cancel cancelled canceled cancelling canceling churn churned churning unsubscribed "
    "unsubscribing defected defecting went moved bailed lost lose loses losing shed sheds shedding"
)
CAME_WORDS = words(
    "join joined joining sign signed signing came enrolled enroled enrolling enroling registered registering "
    "subscribed subscribing new hired recruited took brought attracted won gained gaining added adding"
)
STAFF_WORDS = words("team department staff workforce crew unit division squad office")
NET_WORDS = words("net balance")
MOVE_WORDS = words(
    "add adds added adding gain gains gained gaining lost lose loses losing shed sheds shedding won put "
    "picked took pulled brought attracted grew grown risen rising rose expanded increased shrank shrunk "
    "fell fallen dropped declined decreased"
)
REACH = 48


class Flows:
    """Reads who came and who went, for one text over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken, fitting: Fits) -> None:
        """Stand on a sheet and a text; `fitting` cuts columns down to those whose unit suits a number."""
        self.text = spoken.text
        self.fitting = fitting
        counts = {c: sheet.label(c) for c in sheet.figured if sheet.measured[c].carrier not in RATES}
        net = _called(counts, NET_LABEL)
        gross = {c: label for c, label in counts.items() if c not in net}
        going = _called(gross, GOING)
        coming = _called(gross, COMING) - going
        self.net = net if spoken.says(NET_WORDS) else NOBODY
        self.moved = net if spoken.says(MOVE_WORDS) else NOBODY
        self.sides = going, coming
        self.going = going if spoken.says(WENT_WORDS) else NOBODY
        self.coming = coming if spoken.says(CAME_WORDS) else NOBODY
        self.staff = _called(gross, STAFF) - going - coming if spoken.says(STAFF_WORDS) else NOBODY
        self.told = bool(self.net or self.moved or self.going or self.coming or self.staff)

    def of(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the columns of those who came, who went or who are left, if a verb says so."""
        if not self.told or quantity.measure not in ("plain", "currency"):
            return NOBODY
        place = position(quantity, sentence)
        if place and OF_THEM.match(self.text, quantity.end):
            return self.of(sentence.quantities[place - 1], sentence)
        if self.net and self._is_net(quantity, sentence):
            return self.fitting(quantity, self.net)
        lead = self.text[max(sentence.start, quantity.start - REACH) : quantity.start]
        if self.going and self._goes(quantity, lead):
            return self.fitting(quantity, self.going)
        if self.coming and self._comes(quantity, lead):
            return self.fitting(quantity, self.coming)
        if self.moved and self._is_moved(quantity, lead):
            return self.fitting(quantity, self.moved)
        return self.fitting(quantity, self.staff) if self.staff and STAFFED.search(lead) else NOBODY

    def _goes(self, quantity: Quantity, lead: str) -> bool:
        """Tell whether a number is of those who left, or of those that were lost out of more."""
        if WENT.match(self.text, quantity.end):
            return True
        end = quantity.end
        behind = OF_ITS.match(self.text, end) or THEM.match(self.text, end) or ENDS.match(self.text, end)
        return behind is not None and LOST.search(lead) is not None

    def _comes(self, quantity: Quantity, lead: str) -> bool:
        """Tell whether a number is of those who joined."""
        if CAME.match(self.text, quantity.end):
            return True
        if THEM.match(self.text, quantity.end):
            return WON.search(lead) is not None
        ends = ENDS.match(self.text, quantity.end) is not None
        return ends and (WON.search(lead) or GAINED.search(lead)) is not None

    def _is_moved(self, quantity: Quantity, lead: str) -> bool:
        """Tell whether a number is said to have been won or lost, and no column holds who came or went."""
        said = MOVED_BY.search(lead)
        if said is None or self.sides[GAIN_VERB.match(said.group()) is not None]:
            return False
        return any(behind.match(self.text, quantity.end) for behind in (THEM, ENDS, TO_NUMBER))

    def _is_net(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a number is said to be what is left of gains and losses, or follows one that is."""
        if self._says_net(quantity, sentence):
            return True
        before = sentence.quantities[: position(quantity, sentence)]
        return self._moves(quantity, sentence) and any(self._says_net(q, sentence) for q in before)

    def _says_net(self, quantity: Quantity, sentence: Sentence) -> bool:
        start = max(sentence.start, quantity.start - REACH)
        lead = self.text[start : quantity.start]
        if NET.search(lead) or NET_BEHIND.match(self.text, quantity.end):
            return True
        return "on balance" in self.text[sentence.start : quantity.start].lower() and self._moves(
            quantity, sentence
        )

    def _moves(self, quantity: Quantity, sentence: Sentence) -> bool:
        start = max(sentence.start, quantity.start - REACH)
        return MOVED.search(self.text[start : quantity.start]) is not None


def _called(labels: Mapping[int, str], pattern: re.Pattern[str]) -> frozenset[int]:
    """Return the columns whose label has a word of some kind."""
    return frozenset(column for column, label in labels.items() if pattern.search(label))
