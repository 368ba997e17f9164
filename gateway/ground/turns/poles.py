"""Shares told of their opposite ("late 93.2% of the time" of On time, "own their home" of Share renting)."""

import re
from functools import lru_cache

from gateway.ground.lexing.spoken import Spoken
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence, neighbours, position
from gateway.ground.table.sheet import Sheet

# Two states that exclude each other: of a share that a header says is one, the rest is the other.
POLES: tuple[tuple[str, str], ...] = (
    (r"on[\s-]time|punctual\w*", r"late|delayed|overdue"),
    (r"answer(?:ed)?|pick(?:ed)?[\s-]up", r"unanswered|missed|abandon(?:ed|ment)?|h[au]ng\sup|dropped"),
    (
        r"occup(?:ied|ancy)|utili[sz](?:ed|ation)|full|let|filled",
        r"vacan(?:t|cy|cies)|empty|unoccupied|unlet|unfilled",
    ),
    (r"pass(?:ed)?", r"fail(?:ed|ure|ing)?"),
    (r"approv(?:ed|als?)|accept(?:ed|ance)|granted", r"declined|reject(?:ed|ion)|refused|turned\sdown"),
    (
        r"renew(?:ed|als?)|retention|retained|stayed|joined|gained|signed\sup",
        r"churn(?:ed)?|cancel(?:l?ed|lation)|lapsed|left|lost",
    ),
    (r"litera(?:te|cy)", r"illitera(?:te|cy)"),
    (r"employ(?:ed|ment)|in\swork", r"unemploy(?:ed|ment)|jobless|out\sof\swork"),
    (r"rent(?:ing|ed|ers?|s)?|tenants?", r"owns?|owned|owner-occup\w+|owners|owning"),
    (r"attend(?:ed|ance)|present|showed\sup", r"absen(?:t|ce)|no-?shows?|stayed\saway"),
    (r"win|won", r"lose|lost|losing"),
    (r"in\sstock|availab(?:le|ility)", r"out\sof\sstock|unavailable|sold\sout"),
    (r"resol(?:ved|ution)|solved|closed", r"unresolved|unsolved|still\sopen|reopen(?:ed)?"),
    (r"settle(?:d|ment)", r"unsettled"),
    (r"paid", r"unpaid|outstanding|overdue"),
    (r"urban", r"rural"),
    (r"deliver(?:ed|y)", r"undelivered|returned"),
    (r"complet(?:ed|ion)|finish(?:ed)?", r"drop(?:ped)?[\s-]?out|unfinished|incomplete|gave\sup"),
    (r"female|women|girls", r"male|men|boys"),
)  # fmt: skip
OF_WHOLE = re.compile(r"\s(?:out\s)?of\s(?:(?:the|its|our|their|all|some|about)\s)*[^\w\s]?", re.IGNORECASE)
NEGATED = re.compile(
    r"\b(?:not|never|no|without|none|neither|nor|other|rest|remain\w*)\b|n't\b", re.IGNORECASE
)
PAUSE = re.compile(
    r"[,;:!?()\n]|\.(?:\s|\Z)|\b(?:and|but|while|whereas|against|than|although|though)\b", re.IGNORECASE
)
SHARED = ("percent", "fraction")
# What came and what went, of counts and of money too.
WENT = re.compile(
    r"churn|cancel|\bleft\b|leaver|attrition|\blost\b|loss|outage|downtime|fraud|no-?show", re.IGNORECASE
)
CAME_SAID = re.compile(
    r"\b(?:joined|gained|won|added|acquired|hired|signed\sup|came\son\sboard|subscribed|enrolled)\b",
    re.IGNORECASE,
)
CAME = re.compile(
    r"\b(?:new|joined|joiners|sign-?ups?|gained|added|hires|hired|acquired|net\s(?:adds?|additions))\b",
    re.IGNORECASE,
)
WENT_SAID = re.compile(
    r"\b(?:lost|left|quit|cancelled|canceled|churned|resigned|departed|unsubscribed)\b", re.IGNORECASE
)


class Poles:
    """Reads whether shares of one text are told of the opposite state, over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken) -> None:
        """Find the columns of shares whose header says one of two states, and no other column the other."""
        self.text = spoken.text
        self.columns: dict[int, tuple[re.Pattern[str], re.Pattern[str]]] = {}
        labels = [sheet.label(c) for c in range(len(sheet.columns))]
        for column in sheet.numeric:
            if _states(labels[column]):
                shared = sheet.measured[column].carrier in SHARED
                like = (c for c in sheet.numeric if (sheet.measured[c].carrier in SHARED) == shared)
                self._add(column, labels[column], [labels[c] for c in like])
            if column not in self.columns:
                self._add_flow(column, labels)

    def _add(self, column: int, label: str, labels: list[str]) -> None:
        """Note what denies a column: the other state, where no header of its kind has it."""
        own = _states(label)
        elsewhere = frozenset[tuple[int, int]]().union(*map(_states, labels))
        for pair, side in sorted(own):
            if (pair, 1 - side) not in elsewhere:
                self.columns[column] = _said(pair, 1 - side), _said(pair, side)
                return

    def _add_flow(self, column: int, labels: list[str]) -> None:
        """Note what denies a column of those who went, or of those who came: the other one's verbs."""
        flows = ((WENT, CAME, CAME_SAID, WENT_SAID), (CAME, WENT, WENT_SAID, CAME_SAID))
        for own, other, said, own_said in flows:
            label = labels[column]
            if own.search(label) and not (other.search(label) or said.search(label)):
                self.columns[column] = said, own_said

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether the clause of a share says the opposite of its column, and does not deny that."""
        cell, quantity = binding.cell, binding.quantity
        sides = self.columns.get(cell[1]) if cell is not None else None
        if sides is None or quantity.slot is not None or (binding.value or 0) < 0:
            return False
        before, after = neighbours(quantity, sentence)
        if OF_WHOLE.fullmatch(self.text, quantity.end, after):  # "64 of 212 members joined"
            place = position(quantity, sentence) + 1
            after = neighbours(sentence.quantities[place], sentence)[1]
            end = PAUSE.search(self.text, sentence.quantities[place].end, after)
        else:
            end = PAUSE.search(self.text, quantity.end, after)
        pauses = list(PAUSE.finditer(self.text, before, quantity.start))
        start, until = pauses[-1].end() if pauses else before, end.start() if end else after
        names = [m for m in sentence.rows if m.full]
        said = [
            word
            for word in sides[0].finditer(self.text, start, until)
            if not any(m.start <= word.start() < m.end for m in names)
        ]
        own = any(said.search(self.text, start, until) for said in (sides[1], NEGATED))
        return bool(said) and not own


@lru_cache(maxsize=1024)
def _states(label: str) -> frozenset[tuple[int, int]]:
    """Return (pair, side) of the states that a header says."""
    every = ((pair, side) for pair in range(len(POLES)) for side in (0, 1))
    return frozenset(state for state in every if _said(*state).search(label))


@lru_cache(maxsize=2 * len(POLES))
def _said(pair: int, side: int) -> re.Pattern[str]:
    """Return the words that say one of two states."""
    return re.compile(rf"\b(?:{POLES[pair][side]})\b", re.IGNORECASE)
